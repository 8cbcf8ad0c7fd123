//===- Pipeline.cpp - The optimize stage ----------------------------------===//

#include "passes/Optimize/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

void adze::addOptimizePipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createPlaceOutputs());
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createMoveDimsLast());
  pm.addNestedPass<func::FuncOp>(createExpandComposites());
  // Folds what the two passes before left: transposes of transposes, unit reshapes.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}
