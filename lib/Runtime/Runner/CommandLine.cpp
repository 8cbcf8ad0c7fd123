//===- CommandLine.cpp - From arguments to options ------------------------===//

#include "lib/Runtime/Runner/CommandLine.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

using namespace adze::runner;

const char *const adze::runner::flagsHelp =
    "  --inputs FILE      npz with the inputs in_0, in_1, ... instead of "
    ".npy files\n"
    "  -o, --output OUT   what to write:\n"
    "                       OUT.npz, a pipe: one file with out_0, out_1, ...\n"
    "                       OUT.npy: the only output\n"
    "                       OUT else: OUT0.npy, OUT1.npy, ...\n"
    "                     the default is NAME.outputs.npz in the current "
    "folder\n"
    "  --mutated FILE     npz for the inputs (in_0, ...) and buffers that the "
    "call wrote\n"
    "  --load-state FILE  start from this state instead of the initial one\n"
    "  --save-state FILE  keep the state after the call\n"
    "  --seed N           seed of random numbers\n"
    "  --threads N        0: one per CPU, the default\n"
    "  --help             show this\n";

namespace {

class Parser {
public:
  Parser(int argc, char **argv, Options &options, Failure &failure)
      : argc(argc), argv(argv), options(options), failure(failure) {}

  bool parse();

private:
  bool usage(const char *format, const char *a, const char *b = "");
  bool parseFlag(const char *flag);
  bool takeText(const char *flag, const char *name, const char *&text);
  bool takeNumber(const char *flag, const char *name, uint64_t most,
                  uint64_t &number);

  int argc;
  char **argv;
  Options &options;
  Failure &failure;
  int next = 1;
};

} // namespace

bool Parser::usage(const char *format, const char *a, const char *b) {
  addNote(failure, "run '%s --help' for what there is", options.program);
  return fail(failure, DiagId::BadUsage, format, a, b);
}

/// Whether `flag` is --name or --name=value.
static bool isNamed(const char *flag, const char *name) {
  size_t size = strlen(name);
  return !strncmp(flag, name, size) && (!flag[size] || flag[size] == '=');
}

bool Parser::takeText(const char *flag, const char *name, const char *&text) {
  size_t size = strlen(name);
  if (flag[size] == '=')
    text = flag + size + 1;
  else if (next < argc)
    text = argv[next++];
  else
    return usage("expected a value after %s%s", name);
  return *text || usage("expected a value for %s, but found nothing%s", name);
}

bool Parser::takeNumber(const char *flag, const char *name, uint64_t most,
                        uint64_t &number) {
  const char *text = "";
  if (!takeText(flag, name, text))
    return false;
  char *end;
  errno = 0;
  number = strtoull(text, &end, 10);
  bool isNumber = *text >= '0' && *text <= '9' && !*end && !errno;
  return (isNumber && number <= most) ||
         usage("expected a whole number in range for %s, but found '%s'", name,
               text);
}

bool Parser::parseFlag(const char *flag) {
  struct TextFlag {
    const char *name;
    const char *Options::*text;
  };
  static constexpr TextFlag flags[] = {{"--inputs", &Options::inputs},
                                       {"--output", &Options::output},
                                       {"-o", &Options::output},
                                       {"--mutated", &Options::mutated},
                                       {"--load-state", &Options::loadState},
                                       {"--save-state", &Options::saveState}};
  for (const TextFlag &known : flags)
    if (isNamed(flag, known.name))
      return takeText(flag, known.name, options.*known.text);
  if (isNamed(flag, "--seed"))
    return takeNumber(flag, "--seed", UINT64_MAX, options.seed);
  if (isNamed(flag, "--threads")) {
    uint64_t threads = 0;
    bool isTaken = takeNumber(flag, "--threads", 4096, threads);
    options.threads = static_cast<int32_t>(threads);
    return isTaken;
  }
  options.wantsHelp = !strcmp(flag, "--help") || !strcmp(flag, "-h");
  return options.wantsHelp || usage("unknown flag '%s'%s", flag);
}

bool Parser::parse() {
  bool areFlags = true; // until "--"
  int files = 0;
  options.files = argv + (argc > 0);
  while (next < argc && !options.wantsHelp) {
    char *argument = argv[next++];
    if (areFlags && !strcmp(argument, "--"))
      areFlags = false;
    else if (areFlags && argument[0] == '-' && argument[1]) {
      if (!parseFlag(argument))
        return false;
    } else
      argv[1 + files++] = argument;
  }
  options.fileCount = files;
  return true;
}

bool adze::runner::parseCommandLine(int argc, char **argv, Options &options,
                                    Failure &failure) {
  if (argc > 0 && *argv[0]) {
    const char *slash = strrchr(argv[0], '/');
    options.program = slash ? slash + 1 : argv[0];
  }
  return Parser(argc, argv, options, failure).parse();
}
