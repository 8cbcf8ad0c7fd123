//===- Programs.h - Programs made ready to be called ----------------------===//

#ifndef ADZE_DRIVER_PROGRAMS_H
#define ADZE_DRIVER_PROGRAMS_H

#include "adze/Driver/Call.h"
#include "adze/Driver/Options.h"

#include <memory>

namespace adze {

/// Compiles a .pt2 and makes it callable: the interpreter on the IR after the
/// last stage of an interpreted backend, native code otherwise (in a temporary
/// folder that goes with it). Null after an error, which was reported.
std::unique_ptr<Callable> makeProgram(llvm::StringRef path, Backend backend,
                                      const BuildOptions &build, int runThreads,
                                      DiagnosticEngine &engine);

/// The interpreter, with every float in float64.
std::unique_ptr<Callable> makeExactProgram(llvm::StringRef path,
                                           const BuildOptions &build,
                                           DiagnosticEngine &engine);

} // namespace adze

#endif // ADZE_DRIVER_PROGRAMS_H
