//===- CommandLine.h - What the user of a model asks for ------------------===//
#ifndef ADZE_LIB_RUNTIME_RUNNER_COMMANDLINE_H
#define ADZE_LIB_RUNTIME_RUNNER_COMMANDLINE_H

#include "lib/Runtime/Runner/Failure.h"

namespace adze::runner {

struct Options {
  const char *program = "model";      // as messages call it
  const char *const *files = nullptr; // .npy, one per input
  int64_t fileCount = 0;
  const char *inputs = nullptr; // npz
  const char *output = nullptr;
  const char *mutated = nullptr;
  const char *loadState = nullptr;
  const char *saveState = nullptr;
  uint64_t seed = 0;
  int32_t threads = 0;
  bool wantsHelp = false;
};

/// Moves the names of files to the front of `argv`.
bool parseCommandLine(int argc, char **argv, Options &options,
                      Failure &failure);

/// The lines of --help about flags.
extern const char *const flagsHelp;

} // namespace adze::runner

#endif
