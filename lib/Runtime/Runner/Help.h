//===- Help.h - What --help says ------------------------------------------===//
#ifndef ADZE_LIB_RUNTIME_RUNNER_HELP_H
#define ADZE_LIB_RUNTIME_RUNNER_HELP_H

#include "lib/Runtime/Runner/Model.h"

namespace adze::runner {

/// Usage and the model's signature, on the standard output.
bool printHelp(const Model &model, const Options &options, Failure &failure);

} // namespace adze::runner

#endif
