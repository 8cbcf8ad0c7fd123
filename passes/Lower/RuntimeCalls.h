//===- RuntimeCalls.h - Calls of functions outside of the module *- C++ -*-===//

#ifndef ADZE_PASSES_LOWER_RUNTIMECALLS_H
#define ADZE_PASSES_LOWER_RUNTIMECALLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace adze {

/// Declares a function of the runtime (or libm) once per module.
mlir::LLVM::LLVMFuncOp declareRuntime(mlir::OpBuilder &builder,
                                      llvm::StringRef name, mlir::Type result,
                                      mlir::TypeRange arguments);

/// Calls it; `result` is null for void. Returns the result or null.
mlir::Value callRuntime(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::StringRef name, mlir::Type result,
                        mlir::ValueRange arguments);

} // namespace adze

#endif // ADZE_PASSES_LOWER_RUNTIMECALLS_H
