//===- Interpreter.h - Runs prim functions by reference --------*- C++ -*-===//
//
// The oracle of the project: simple loops in double, rounded to each element
// type as torch does. See ProgramRun.h for whole programs.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_INTERP_INTERPRETER_H
#define ADZE_INTERP_INTERPRETER_H

#include "adze/Interp/Evaluator.h"

#include "mlir/IR/DialectRegistry.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace adze::interp {

/// Attaches prim::ReferenceEvalInterface to every op of the prim dialect.
/// Without it the interpreter knows no op.
void registerReferenceEvaluation(mlir::DialectRegistry &registry);

/// Runs a function of prim ops. An error is a CallError.
llvm::Expected<std::vector<Tensor>>
interpret(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> args,
          const InterpretOptions &options = {});

} // namespace adze::interp

#endif // ADZE_INTERP_INTERPRETER_H
