//===- Emit.h - The last stage: files -------------------------------------===//

#ifndef ADZE_LIB_DRIVER_EMIT_H
#define ADZE_LIB_DRIVER_EMIT_H

#include "Compilation.h"

namespace adze {

/// Writes what `kind` says to `path`, from a module after `lower`. Failures are
/// reported and leave what was there.
bool emit(OutputKind kind, llvm::StringRef path, Compilation &compilation);

} // namespace adze

#endif // ADZE_LIB_DRIVER_EMIT_H
