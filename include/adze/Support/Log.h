//===- Log.h - What -v prints ---------------------------------------------===//
//
// For people who want to see what adze does, not for errors: those are
// diagnostics. Only Log.cpp includes the logging library, which is slow to
// compile.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_SUPPORT_LOG_H
#define ADZE_SUPPORT_LOG_H

#include "llvm/ADT/Twine.h"

namespace adze {

/// 0: nothing (the default), 1: what each stage does (-v), 2: details (-vv).
void setVerbosity(unsigned level);
unsigned getVerbosity();

/// Prints a line with a time stamp on the standard error output.
void logInfo(const llvm::Twine &message);   // from level 1 on
void logDetail(const llvm::Twine &message); // from level 2 on

} // namespace adze

#endif // ADZE_SUPPORT_LOG_H
