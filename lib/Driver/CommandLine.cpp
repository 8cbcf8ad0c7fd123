//===- CommandLine.cpp - From arguments to options ------------------------===//
//
// The one file that includes CLI11, which throws. Nothing leaves it.
//
//===----------------------------------------------------------------------===//

#include "adze/Driver/CommandLine.h"

#include "Suggest.h"
#include "adze/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

#include <CLI/CLI.hpp>

namespace adze {

namespace {

/// One value of a flag that takes a name.
struct Choice {
  std::string name;
  int value;
};

using Choices = std::vector<Choice>;

} // namespace

static Choices stageChoices() {
  Choices choices;
  for (const StageInfo &info : allStages())
    choices.push_back({info.name.str(), static_cast<int>(info.stage)});
  return choices;
}

static Choices backendChoices() {
  Choices choices;
  for (const BackendInfo &info : allBackends())
    choices.push_back({info.name.str(), static_cast<int>(info.backend)});
  return choices;
}

static Choices emitChoices() {
  return {{"artifact", static_cast<int>(OutputKind::Artifact)},
          {"object", static_cast<int>(OutputKind::Object)},
          {"exe", static_cast<int>(OutputKind::Executable)},
          {"llvm", static_cast<int>(OutputKind::Llvm)},
          {"asm", static_cast<int>(OutputKind::Asm)},
          {"mlir", static_cast<int>(OutputKind::Mlir)}};
}

static std::vector<std::string> namesOf(const Choices &choices) {
  std::vector<std::string> names;
  for (const Choice &choice : choices)
    names.push_back(choice.name);
  return names;
}

/// The enum in an enum or an optional one.
template <typename T> struct EnumIn {
  using type = T;
};
template <typename T> struct EnumIn<std::optional<T>> {
  using type = T;
};

/// A flag whose value is one of `choices`; anything else names the near one.
template <typename T>
static CLI::Option *addChoice(CLI::App &app, const std::string &flag, T &value,
                              Choices choices, const std::string &help,
                              const std::string &shownAs) {
  auto set = [&value, choices, flag](const std::string &text) {
    for (const Choice &choice : choices)
      if (choice.name == text) {
        value = static_cast<typename EnumIn<T>::type>(choice.value);
        return;
      }
    std::vector<std::string> names = namesOf(choices);
    throw CLI::ValidationError("expected one of " + llvm::join(names, ", ") +
                               " for " + flag + ", but found '" + text + "'" +
                               suggest(text, names));
  };
  return app.add_option_function<std::string>(flag, set, help)
      ->option_text(shownAs);
}

namespace {

/// The verbs and their flags, bound to option structs.
class Parser {
public:
  Parser() {
    app.set_version_flag("--version", versionText(), "Print the version");
    app.require_subcommand(1);
    app.footer(overview);
    addCompile();
    addRun();
    addVerify();
    addBench();
    addExplain();
    addInspect();
    addCheck();
  }

  CLI::App app{"Ahead-of-time compiler for PyTorch programs.", "adze"};
  Command command;

  /// The options of the verb that was given.
  VerbOptions takeVerb() {
    if (app.got_subcommand("compile"))
      return compile;
    if (app.got_subcommand("run"))
      return run;
    if (app.got_subcommand("verify"))
      return verify;
    if (app.got_subcommand("bench"))
      return bench;
    if (app.got_subcommand("explain"))
      return explain;
    if (app.got_subcommand("inspect"))
      return inspect;
    return check;
  }

private:
  static std::string versionText() {
    return "adze " + getVersion().str() + " (LLVM " LLVM_VERSION_STRING ")";
  }

  CLI::App *addVerb(const char *name, const char *help, const char *footer) {
    CLI::App *verb = app.add_subcommand(name, help);
    verb->footer(footer);
    addChoice(*verb, "--diagnostics-format", command.diagnosticsFormat,
              {{"text", static_cast<int>(DiagnosticFormat::Text)},
               {"json", static_cast<int>(DiagnosticFormat::Json)}},
              "How errors are printed; json: one object per line", "text|json");
    verb->add_flag("-v,--verbose", command.verbosity,
                   "Say what is done; -vv says more");
    return verb;
  }

  void addBuild(CLI::App &verb, BuildOptions &build) {
    verb.add_flag("--fullgraph", build.fullgraph,
                  "Make every operator that adze does not support an error, "
                  "and compile nothing; without it they are graph breaks: "
                  "warnings, and a report of what compiles between them, "
                  "before the program is refused all the same");
    verb.add_option("--target-cpu", build.targetCpu,
                    "CPU to compile for: native (this machine, the default), "
                    "x86-64-v2, -v3, -v4")
        ->option_text("NAME");
  }

  void addThreads(CLI::App &verb, int &threads, const char *help) {
    verb.add_option("--threads", threads, help)
        ->check(CLI::Range(0, 4096))
        ->option_text("N");
  }

  void addCompile() {
    CLI::App *verb =
        addVerb("compile", "Compile a program to native code", compileFooter());
    verb->add_option("input", compile.input,
                     "model.pt2, or MLIR text with --start-from")
        ->required();
    verb->add_option("-o,--output", compile.output,
                     "What to write; the default is named after the input, in "
                     "the current folder; - is the standard output")
        ->option_text("PATH");
    addChoice(*verb, "--emit", compile.emit, emitChoices(),
              "What to make; the default is artifact, a folder; exe is one "
              "executable file that runs the model",
              "artifact|object|exe|llvm|asm|mlir");
    addChoice(*verb, "--backend", compile.backend, backendChoices(),
              "How far to compile; the default is inductor: native code",
              "NAME");
    addBuild(*verb, compile.build);
    addThreads(*verb, compile.build.threads,
               "Threads of the compiler; 0: one per CPU");
    addChoice(*verb, "--stop-after", compile.stopAfter, stageChoices(),
              "Write the IR after this stage and stop", "STAGE");
    addChoice(*verb, "--start-from", compile.startFrom, stageChoices(),
              "Read the IR that this stage takes", "STAGE");
    verb->add_option("--weights", compile.weights,
                     "With --start-from: the model.pt2 that the IR was made "
                     "from, for its weights")
        ->option_text("FILE");
    verb->add_option("--dump-stages-to", compile.dumpStagesTo,
                     "Write the IR after every stage to DIR, as "
                     "01-import.mlir and so on")
        ->option_text("DIR");
    addChoice(*verb, "--time-report", compile.timeReport,
              {{"text", static_cast<int>(TimeReportKind::Text)},
               {"json", static_cast<int>(TimeReportKind::Json)}},
              "Print the time of every stage and kernel: a table on the "
              "standard error, or JSON on the standard output",
              "[=json]");
  }

  void addRun() {
    CLI::App *verb =
        addVerb("run", "Run an artifact once",
                "Example:\n"
                "  adze run model.adze --inputs in.npz -o out.npz\n\n"
                "in.npz holds in_0, in_1, ...: the inputs in the order of "
                "'adze inspect model.adze'.\n"
                "out.npz will hold out_0, out_1, ...");
    addArtifact(*verb, run.artifact);
    addInputs(*verb, run.inputs, "npz with the inputs in_0, in_1, ...");
    verb->add_option("-o,--output", run.output,
                     "npz for the outputs; the default is NAME.outputs.npz in "
                     "the current folder")
        ->option_text("FILE");
    verb->add_option("--mutated", run.mutated,
                     "npz for the inputs and buffers that the call wrote")
        ->option_text("FILE");
    verb->add_option("--load-state", run.loadState,
                     "Start from this state instead of the initial one")
        ->option_text("FILE");
    verb->add_option("--save-state", run.saveState,
                     "Keep the state after the call")
        ->option_text("FILE");
    verb->add_option("--seed", run.seed, "Seed of random numbers")
        ->option_text("N");
    addThreads(*verb, run.threads, "Threads of the model; 0: one per CPU");
  }

  void addVerify() {
    CLI::App *verb = addVerb(
        "verify", "Check that a program computes what it should",
        "Examples:\n"
        "  adze verify cases/mlp               saved inputs and answers\n"
        "  adze verify model.pt2               native code against the "
        "interpreter, on made inputs\n"
        "  adze verify model.pt2 --inputs in.npz --expected out.npz\n"
        "  adze verify cases/mlp --backend=eager --json\n\n"
        "Exit code 3 means that results differ; the message says where and "
        "by how much.");
    verb->add_option("path", verify.path,
                     "Folder with model.pt2, case.json, inputs.npz and "
                     "expected.npz; or model.pt2; or model.adze")
        ->required();
    addInputs(*verb, verify.inputs,
              "npz with inputs; the default is inputs made from the guards");
    verb->add_option("--expected", verify.expected,
                     "npz with answers; the default is what the reference "
                     "interpreter gives")
        ->option_text("FILE");
    addChoice(*verb, "--backend", verify.backend, backendChoices(),
              "What to check; the default is inductor: native code", "NAME");
    addBuild(*verb, verify.build);
    addThreads(*verb, verify.threads, "Threads of the model; 0: one per CPU");
    verb->add_option("--rounds", verify.rounds,
                     "How many made inputs to try: of the traced sizes, the "
                     "smallest, the largest (up to 4096, or 512 for dims "
                     "without a maximum), then random ones")
        ->check(CLI::Range(1, 1000000))
        ->option_text("N");
    verb->add_option("--seed", verify.seed, "Seed of made inputs")
        ->option_text("N");
    verb->add_option("--rtol", verify.rtol, "Relative tolerance")
        ->option_text("X");
    verb->add_option("--atol", verify.atol, "Absolute tolerance")
        ->option_text("X");
    verb->add_flag("--json", verify.json,
                   "Print the verdict as JSON on the standard output");
  }

  void addBench() {
    CLI::App *verb =
        addVerb("bench", "Measure how long a call of an artifact takes",
                "Example:\n"
                "  adze bench model.adze --threads 2\n\n"
                "--json prints one object: times_ms of each call, quantiles, "
                "memory, and the npz with the outputs.");
    addArtifact(*verb, bench.artifact);
    addInputs(*verb, bench.inputs,
              "npz with inputs; the default is inputs made from the guards");
    verb->add_option("-o,--output", bench.output,
                     "npz for the outputs of the last call; with --json the "
                     "default is NAME.outputs.npz in the current folder")
        ->option_text("FILE");
    addThreads(*verb, bench.threads, "Threads of the model; 0: one per CPU");
    verb->add_option("--seconds", bench.seconds, "Measure at least so long")
        ->check(CLI::Range(0.0, 86400.0))
        ->option_text("S");
    verb->add_option("--calls", bench.minCalls,
                     "Measure at least so many calls")
        ->check(CLI::Range(1, 1000000000))
        ->option_text("N");
    verb->add_option("--warmup", bench.warmup, "Calls before, not measured")
        ->option_text("N");
    verb->add_option("--seed", bench.seed, "Seed of made inputs")
        ->option_text("N");
    verb->add_flag("--json", bench.json, "Print JSON on the standard output");
  }

  void addExplain() {
    CLI::App *verb = addVerb(
        "explain", "Show what was traced, and what keeps it from compiling",
        "Example:\n"
        "  adze explain model.pt2\n\n"
        "Lists graphs, operators with counts, those that adze cannot run with "
        "their source lines,\nguards and dynamic sizes.");
    verb->add_option("input", explain.input, "model.pt2")->required();
    verb->add_flag("--json", explain.json, "Print JSON");
  }

  void addInspect() {
    CLI::App *verb =
        addVerb("inspect", "Show signature, guards, weights and sizes",
                "Examples:\n"
                "  adze inspect model.adze\n"
                "  adze inspect model.pt2 --json");
    verb->add_option("path", inspect.path, "model.adze or model.pt2")
        ->required();
    verb->add_flag("--json", inspect.json, "Print JSON");
  }

  void addCheck() {
    CLI::App *verb = addVerb(
        "check", "Check inputs against the guards, without running anything",
        "Example:\n"
        "  adze check model.adze --inputs in.npz\n\n"
        "Exit code 4 means that a guard fails; the list says which and why.");
    addArtifact(*verb, check.artifact);
    addInputs(*verb, check.inputs, "npz with the inputs in_0, in_1, ...");
    verb->add_flag("--json", check.json, "Print JSON");
  }

  static void addArtifact(CLI::App &verb, std::string &artifact) {
    verb.add_option("artifact", artifact, "model.adze, made by adze compile")
        ->required();
  }

  static void addInputs(CLI::App &verb, std::string &inputs, const char *help) {
    verb.add_option("--inputs", inputs, help)->option_text("FILE");
  }

  static const char *compileFooter() {
    static const std::string footer = [] {
      std::string text = "Examples:\n"
                         "  adze compile model.pt2\n"
                         "  adze compile model.pt2 -o out/bert.adze "
                         "--target-cpu=x86-64-v3\n"
                         "  adze compile model.pt2 --emit=exe -o model\n"
                         "  adze compile model.pt2 --stop-after=fuse -o -\n"
                         "  adze compile model.pt2 --fullgraph "
                         "--time-report=json\n\n"
                         "Stages:\n";
      for (const StageInfo &info : allStages())
        text += "  " + info.name.str() +
                std::string(12 - info.name.size(), ' ') + info.help.str() +
                "\n";
      text += "\nBackends:\n";
      for (const BackendInfo &info : allBackends())
        text += "  " + info.name.str() + ": " + info.help.str() + "\n";
      return text;
    }();
    return footer.c_str();
  }

  static constexpr const char *overview =
      "A first session:\n"
      "  adze compile model.pt2                 writes model.adze/\n"
      "  adze run model.adze --inputs in.npz -o out.npz\n"
      "  adze verify model.pt2\n\n"
      "Exit codes: 0 done, 1 the input is at fault, 2 usage, 3 results "
      "differ,\n"
      "4 a guard failed, 5 a file could not be read or written, 70 a bug in "
      "adze.\n\n"
      "adze VERB --help says more about a verb.";

  CompileOptions compile;
  RunOptions run;
  VerifyOptions verify;
  BenchOptions bench;
  ExplainOptions explain;
  InspectOptions inspect;
  CheckOptions check;
};

} // namespace

//===----------------------------------------------------------------------===//
// What CLI11 would say less well
//===----------------------------------------------------------------------===//

/// A bare --time-report takes no value, so it must not take the next argument.
static std::vector<std::string> copyArguments(int argc,
                                              const char *const *argv) {
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    arguments.push_back(argument == "--time-report" ? "--time-report=text"
                                                    : argument);
  }
  return arguments;
}

static bool isFlag(llvm::StringRef argument) {
  return argument.size() > 1 && argument[0] == '-' &&
         !llvm::isDigit(argument[1]) && argument[1] != '.';
}

static std::vector<std::string> flagsOf(const CLI::App &verb) {
  std::vector<std::string> flags;
  for (const CLI::Option *option : verb.get_options())
    for (const std::string &name : option->get_lnames())
      flags.push_back("--" + name);
  return flags;
}

static std::vector<std::string> verbsOf(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *verb : app.get_subcommands({}))
    names.push_back(verb->get_name());
  return names;
}

/// The verb of that name, or null.
static const CLI::App *findVerb(const CLI::App &app, const std::string &name) {
  for (const CLI::App *verb : app.get_subcommands({}))
    if (verb->get_name() == name)
      return verb;
  return nullptr;
}

/// Says what is wrong with the verb; empty if nothing is.
static std::string findVerbProblem(const CLI::App &app,
                                   const std::vector<std::string> &arguments) {
  if (arguments.empty())
    return "expected a verb: one of " + llvm::join(verbsOf(app), ", ");
  const std::string &verb = arguments[0];
  if (isFlag(verb) || findVerb(app, verb))
    return "";
  return "unknown verb '" + verb + "'" + suggest(verb, verbsOf(app));
}

/// Says which flag the verb does not have; empty if it has them all.
static std::string findFlagProblem(const CLI::App &app,
                                   const std::vector<std::string> &arguments) {
  const CLI::App *verb =
      isFlag(arguments[0]) ? &app : findVerb(app, arguments[0]);
  for (const std::string &argument : arguments) {
    if (argument == "--")
      break;
    if (!isFlag(argument))
      continue;
    bool isLong = llvm::StringRef(argument).starts_with("--");
    std::string flag = isLong ? llvm::StringRef(argument).split('=').first.str()
                              : argument.substr(0, 2);
    if (!verb->get_option_no_throw(flag))
      return "unknown flag '" + flag + "'" + suggest(flag, flagsOf(*verb));
  }
  return "";
}

/// CLI11's sentences begin with a capital letter, unless with a flag.
static std::string lowerFirst(std::string message) {
  if (!message.empty())
    message[0] = llvm::toLower(message[0]);
  return message;
}

static DiagnosticFormat formatOf(const std::vector<std::string> &arguments) {
  bool isJson = llvm::is_contained(arguments, "--diagnostics-format=json");
  for (size_t i = 0; i + 1 < arguments.size(); ++i)
    isJson |=
        arguments[i] == "--diagnostics-format" && arguments[i + 1] == "json";
  return isJson ? DiagnosticFormat::Json : DiagnosticFormat::Text;
}

static ExitCode reportUsage(const CLI::App &app,
                            const std::vector<std::string> &arguments,
                            const std::string &message,
                            llvm::raw_ostream &err) {
  bool hasVerb = !arguments.empty() && findVerb(app, arguments[0]);
  Diagnostic diagnostic;
  diagnostic.id = DiagId::BadUsage;
  diagnostic.message = message;
  diagnostic.notes.push_back({"run 'adze " +
                                  (hasVerb ? arguments[0] + " " : "") +
                                  "--help' for what there is",
                              {}});
  DiagnosticEngine engine(err, formatOf(arguments));
  engine.report(diagnostic);
  return engine.exitCode();
}

std::variant<Command, ExitCode> parseCommandLine(int argc,
                                                 const char *const *argv,
                                                 llvm::raw_ostream &out,
                                                 llvm::raw_ostream &err) {
  Parser parser;
  std::vector<std::string> arguments = copyArguments(argc, argv);
  std::string problem = findVerbProblem(parser.app, arguments);
  if (problem.empty())
    problem = findFlagProblem(parser.app, arguments);
  if (!problem.empty())
    return reportUsage(parser.app, arguments, problem, err);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    parser.app.parse(reversed);
  } catch (const CLI::CallForHelp &) {
    out << parser.app.help();
    return ExitCode::Done;
  } catch (const CLI::CallForVersion &version) {
    out << version.what() << "\n";
    return ExitCode::Done;
  } catch (const CLI::Error &error) {
    return reportUsage(parser.app, arguments, lowerFirst(error.what()), err);
  }
  parser.command.verb = parser.takeVerb();
  return parser.command;
}

} // namespace adze
