//===- RuntimeObject.h - The runtime that goes into every artifact --------===//

#ifndef ADZE_RUNTIME_RUNTIMEOBJECT_H
#define ADZE_RUNTIME_RUNTIMEOBJECT_H

#include "llvm/ADT/StringRef.h"

namespace adze {

/// The compiled runtime (lib/Runtime) as one relocatable ELF object for
/// x86-64-v2, to be linked with generated code and libc.so.6, libm.so.6. All
/// its symbols are hidden but `adze_get_api`; link with --gc-sections.
llvm::StringRef runtimeObject();

/// The object that makes a program of an artifact (lib/Runtime/Runner), in the
/// same form: `_start`, which nothing outside sees, calls the artifact's
/// `adze_get_api`.
llvm::StringRef runnerObject();

} // namespace adze

#endif
