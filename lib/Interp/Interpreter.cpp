//===- Interpreter.cpp - Runs prim functions by reference ----------------===//

#include "adze/Interp/Interpreter.h"

#include "Rules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace adze::interp {

void registerReferenceEvaluation(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, prim::PrimDialect *) {
    addUnaryRules(context);
    addConversionRules(context);
    addBinaryRules(context);
    addCreationRules(context);
    addMovementRules(context);
    addReductionRules(context);
    addSortingRules(context);
    addContractionRules(context);
    addNeuralRules(context);
    addPoolingRules(context);
    addIndexingRules(context);
    addScienceRules(context);
    addLinearAlgebraRules(context);
    addControlRules(context);
  });
}

llvm::Expected<std::vector<Tensor>> interpret(func::FuncOp function,
                                              ArrayRef<Tensor> args,
                                              const InterpretOptions &options) {
  if (function.isExternal())
    return llvm::createStringError("function '" + function.getName() +
                                   "' has no body");
  Evaluator evaluator(options);
  auto results = evaluator.run(function.getBody(), args);
  if (!results)
    return results.takeError();
  return std::vector<Tensor>(results->begin(), results->end());
}

} // namespace adze::interp
