//===- Link.h - Objects to libraries, programs, one object ------*- C++ -*-===//
//
// LLD in this process: no linker or compiler program is called, and nothing but
// the machine's libc.so.6 and libm.so.6 is read.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_CODEGEN_LINK_H
#define ADZE_CODEGEN_LINK_H

#include "adze/Codegen/EmitObject.h"

namespace adze {

/// Links the objects and the runtime into a shared library at `path` that
/// exports adze_get_api and what an object exports itself. `name` is the
/// library's soname.
llvm::Error linkShared(llvm::ArrayRef<ObjectFile> objects, llvm::StringRef path,
                       llvm::StringRef name);

/// Links the objects, the runtime and the runner into an executable at `path`,
/// which needs libc.so.6 and libm.so.6 only. `more` are object files on disk.
llvm::Error linkProgram(llvm::ArrayRef<ObjectFile> objects,
                        llvm::ArrayRef<std::string> more, llvm::StringRef path);

/// Joins the objects and the runtime into one relocatable object at `path` in
/// which the functions `exports` alone are global. `more` are object files on
/// disk.
llvm::Error linkRelocatable(llvm::ArrayRef<ObjectFile> objects,
                            llvm::ArrayRef<std::string> more,
                            llvm::ArrayRef<std::string> exports,
                            llvm::StringRef path);

} // namespace adze

#endif // ADZE_CODEGEN_LINK_H
