//===- EmitObject.h - LLVM dialect to machine code --------------*- C++ -*-===//
//
// LLVM's own pass builder and code generator, in this process. Every kernel is
// compiled alone, so the result does not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_CODEGEN_EMITOBJECT_H
#define ADZE_CODEGEN_EMITOBJECT_H

#include "adze/Codegen/Target.h"
#include "adze/Support/TimeReport.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace adze {

/// One relocatable object, in memory.
struct ObjectFile {
  std::string name; // of the kernel
  llvm::SmallVector<char, 0> bytes;
};

enum class CodeText { LlvmIr, Assembly };

/// Compiles the lowered module (see ProgramLayout.h), one object for each
/// kernel and one for the rest. 0 threads: one for each CPU.
llvm::Expected<std::vector<ObjectFile>>
compileModule(mlir::ModuleOp lowered, const TargetDescription &target,
              unsigned threads = 0, TimeReport *times = nullptr);

/// The whole module as one text, after optimisation.
llvm::Expected<std::string> printCode(mlir::ModuleOp lowered,
                                      const TargetDescription &target,
                                      CodeText kind);

/// Compiles a module that needs no optimisation, such as the tables.
llvm::Expected<ObjectFile> compileTables(llvm::Module &module,
                                         const TargetDescription &target);

} // namespace adze

#endif // ADZE_CODEGEN_EMITOBJECT_H
