//===- VerifyVerb.cpp - adze verify ---------------------------------------===//

#include "Inspect.h"
#include "VerbSupport.h"
#include "adze/Driver/InputMaker.h"
#include "adze/Driver/Programs.h"
#include "adze/Driver/Verbs.h"
#include "adze/Driver/Verify.h"
#include "adze/Frontend/Frontend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

namespace adze {

namespace {

/// What the verb found; errors have been reported.
struct Verdict {
  VerifyReport report;
  bool isComplete = false; // every call was made
};

} // namespace

static Verdict failed(DiagnosticEngine &engine, llvm::Error error) {
  engine.error(std::move(error), DiagId::InternalError);
  return {};
}

static std::optional<Tolerance> givenTolerance(const VerifyOptions &options) {
  if (!options.rtol && !options.atol)
    return std::nullopt;
  return Tolerance{options.rtol.value_or(0), options.atol.value_or(0), 0, 0};
}

//===----------------------------------------------------------------------===//
// Saved answers
//===----------------------------------------------------------------------===//

static Verdict verifySaved(Callable &program, const Case &saved,
                           DiagnosticEngine &engine) {
  llvm::Expected<VerifyReport> report = verifyCase(program, saved);
  if (!report)
    return failed(engine, report.takeError());
  return {std::move(*report), true};
}

static Verdict verifyCaseFolder(const VerifyOptions &options,
                                DiagnosticEngine &engine) {
  llvm::Expected<Case> saved = loadCase(options.path);
  if (!saved)
    return failed(engine, saved.takeError());
  if (saved->hasGradients)
    return failed(engine,
                  makeError(DiagId::UnsupportedFeature,
                            "'" + options.path +
                                "' has gradients to compare (grads.npz), "
                                "which adze does not compute"));
  if (std::optional<Tolerance> tolerance = givenTolerance(options))
    saved->tolerance = *tolerance;
  std::unique_ptr<Callable> program = makeProgram(
      saved->program, options.backend, options.build, options.threads, engine);
  return program ? verifySaved(*program, *saved, engine) : Verdict();
}

/// The widest tolerance of any output.
static Tolerance toleranceOf(const CallSignature &signature) {
  Tolerance widest = defaultTolerance(DType::Float64);
  for (const ValueSpec &output : signature.outputs)
    if (Tolerance own = defaultTolerance(output.dtype);
        output.kind == CallKind::Tensor && own.rtol > widest.rtol)
      widest = own;
  return widest;
}

/// The two files of the command line as a case.
static llvm::Expected<Case> makeCase(const VerifyOptions &options,
                                     const CallSignature &signature) {
  Case saved;
  saved.tolerance = givenTolerance(options).value_or(toleranceOf(signature));
  CaseCall &call = saved.calls.emplace_back();
  call.name = options.inputs.empty() ? "no inputs" : options.inputs;
  // Nobody says which inputs the call may write.
  call.isFirst = false;
  for (auto [path, arrays] : {std::pair(&options.inputs, &call.inputs),
                              std::pair(&options.expected, &call.expected)}) {
    if (path->empty())
      continue;
    llvm::Expected<NpzArrays> read = readNpz(*path);
    if (!read)
      return read.takeError();
    *arrays = std::move(*read);
  }
  return saved;
}

static Verdict verifyFiles(Callable &program, const VerifyOptions &options,
                           DiagnosticEngine &engine) {
  llvm::Expected<Case> saved = makeCase(options, program.signature());
  if (!saved)
    return failed(engine, saved.takeError());
  return verifySaved(program, *saved, engine);
}

//===----------------------------------------------------------------------===//
// Against the interpreter
//===----------------------------------------------------------------------===//

/// The sizes to try, in order: those of the trace and the extremes first.
static InputSizes sizesOf(unsigned round) {
  static constexpr InputSizes first[] = {
      InputSizes::Typical, InputSizes::Smallest, InputSizes::Largest};
  return round < std::size(first) ? first[round] : InputSizes::Random;
}

/// Inputs made from what the program says, that pass the guards of `program`.
static llvm::Expected<InputMaker> makeMaker(const VerifyOptions &options,
                                            Callable &program) {
  llvm::Expected<frontend::LoadedProgram> loaded = loadProgram(options.path);
  if (!loaded)
    return loaded.takeError();
  llvm::Expected<InputMaker> maker = InputMaker::forProgram(*loaded);
  if (maker)
    maker->setAccept([&program](llvm::ArrayRef<CallValue> inputs) {
      return program.accepts(inputs);
    });
  return maker;
}

static llvm::Expected<VerifyReport>
verifyMade(Callable &program, const ReferencePrograms &references,
           const VerifyOptions &options) {
  llvm::Expected<InputMaker> maker = makeMaker(options, program);
  if (!maker)
    return maker.takeError();
  VerifyReport report;
  for (unsigned round = 0; round < options.rounds; ++round) {
    uint64_t seed = options.seed + round;
    llvm::Expected<std::vector<CallValue>> inputs =
        maker->make(seed, sizesOf(round));
    if (!inputs)
      return inputs.takeError();
    llvm::Expected<CallReport> call = verifyAgainst(
        program, references, "made inputs (seed " + std::to_string(seed) + ")",
        *inputs, givenTolerance(options));
    if (!call)
      return call.takeError();
    report.calls.push_back(std::move(*call));
  }
  return report;
}

static llvm::Expected<VerifyReport>
verifyGiven(Callable &program, const ReferencePrograms &references,
            const VerifyOptions &options) {
  llvm::Expected<std::vector<CallValue>> inputs =
      readInputs(program.signature(), options.inputs);
  if (!inputs)
    return inputs.takeError();
  llvm::Expected<CallReport> call = verifyAgainst(
      program, references, options.inputs, *inputs, givenTolerance(options));
  if (!call)
    return call.takeError();
  VerifyReport report;
  report.calls.push_back(std::move(*call));
  return report;
}

static Verdict verifyByInterpreter(Callable &program,
                                   const VerifyOptions &options,
                                   DiagnosticEngine &engine) {
  std::unique_ptr<Callable> reference = makeProgram(
      options.path, Backend::Eager, options.build, options.threads, engine);
  std::unique_ptr<Callable> exact =
      reference ? makeExactProgram(options.path, options.build, engine)
                : nullptr;
  if (!exact)
    return {};
  ReferencePrograms references = {reference.get(), exact.get()};
  llvm::Expected<VerifyReport> report =
      options.inputs.empty() ? verifyMade(program, references, options)
                             : verifyGiven(program, references, options);
  if (!report)
    return failed(engine, report.takeError());
  return {std::move(*report), true};
}

//===----------------------------------------------------------------------===//
// The verb
//===----------------------------------------------------------------------===//

static llvm::Error nothingToCompare(const llvm::Twine &why) {
  return makeError(DiagId::NothingCompared,
                   "there is nothing to compare with: " + why);
}

static Verdict verifyProgram(const VerifyOptions &options,
                             DiagnosticEngine &engine) {
  if (options.expected.empty() && options.backend == Backend::Eager)
    return failed(engine,
                  nothingToCompare("the interpreter is the reference itself; "
                                   "give answers with --expected"));
  std::unique_ptr<Callable> program = makeProgram(
      options.path, options.backend, options.build, options.threads, engine);
  if (!program)
    return {};
  return options.expected.empty()
             ? verifyByInterpreter(*program, options, engine)
             : verifyFiles(*program, options, engine);
}

static Verdict verifyArtifact(const VerifyOptions &options,
                              DiagnosticEngine &engine) {
  if (options.expected.empty())
    return failed(engine,
                  nothingToCompare("an artifact has no program to interpret; "
                                   "give answers with --expected"));
  llvm::Expected<std::unique_ptr<Artifact>> artifact =
      Artifact::load(options.path, {options.threads});
  if (!artifact)
    return failed(engine, artifact.takeError());
  ArtifactRunner runner(std::move(*artifact));
  return verifyFiles(runner, options, engine);
}

static Verdict verifyPath(const VerifyOptions &options,
                          DiagnosticEngine &engine) {
  if (isCaseFolder(options.path))
    return verifyCaseFolder(options, engine);
  if (llvm::sys::fs::is_directory(options.path))
    return verifyArtifact(options, engine);
  return verifyProgram(options, engine);
}

static llvm::StringRef statusOf(ExitCode code) {
  switch (code) {
  case ExitCode::Done:
    return "agrees";
  case ExitCode::BadInput:
    return "unsupported";
  case ExitCode::Usage:
    return "usage";
  case ExitCode::Differs:
    return "differs";
  case ExitCode::GuardFailed:
    return "guard";
  case ExitCode::FileError:
    return "file";
  case ExitCode::Internal:
    return "internal";
  }
  llvm_unreachable("no such exit code");
}

static void printJson(const VerifyOptions &options, const Verdict &verdict,
                      ExitCode code, llvm::raw_ostream &out) {
  llvm::json::OStream json(out);
  json.object([&] {
    json.attribute("path", options.path);
    json.attribute("backend", getInfo(options.backend).name);
    json.attribute("status", statusOf(code));
    if (verdict.isComplete)
      printJson(verdict.report, json);
  });
  out << '\n';
}

ExitCode verifyVerb(const VerifyOptions &options, DiagnosticEngine &engine,
                    llvm::raw_ostream &out) {
  Verdict verdict = verifyPath(options, engine);
  if (verdict.isComplete)
    reportDifferences(verdict.report, engine);
  ExitCode code = engine.exitCode();
  if (options.json)
    printJson(options, verdict, code, out);
  else if (code == ExitCode::Done)
    out << options.path << ": " << verdict.report.numCompared() << " values of "
        << verdict.report.calls.size() << " calls agree\n";
  return code;
}

} // namespace adze
