//===- CommandLine.h - From arguments to options --------------------------===//

#ifndef ADZE_DRIVER_COMMANDLINE_H
#define ADZE_DRIVER_COMMANDLINE_H

#include "adze/Driver/Options.h"

namespace adze {

/// What to do; or, where there is nothing to do, the exit code: help or the
/// version was printed to `out`, or wrong usage was reported to `err`.
std::variant<Command, ExitCode> parseCommandLine(int argc,
                                                 const char *const *argv,
                                                 llvm::raw_ostream &out,
                                                 llvm::raw_ostream &err);

} // namespace adze

#endif // ADZE_DRIVER_COMMANDLINE_H
