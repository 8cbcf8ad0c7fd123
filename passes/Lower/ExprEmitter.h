//===- ExprEmitter.h - Code for symbolic expressions ------------*- C++ -*-===//

#ifndef ADZE_PASSES_LOWER_EXPREMITTER_H
#define ADZE_PASSES_LOWER_EXPREMITTER_H

#include "dialects/Sym/Sym.h"

#include "mlir/IR/Builders.h"

namespace adze {

/// Emits the value of an expression: i64, or f64 for a float expression.
/// `lookup` gives the i64 of a symbol. Sizes are bounded by guards, so the
/// arithmetic is not checked for overflow here.
mlir::Value emitExpr(mlir::OpBuilder &builder, mlir::Location loc,
                     sym::Expr expr,
                     llvm::function_ref<mlir::Value(llvm::StringRef)> lookup);

} // namespace adze

#endif // ADZE_PASSES_LOWER_EXPREMITTER_H
