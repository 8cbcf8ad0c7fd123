//===- Pipeline.cpp - The optimize stage ----------------------------------===//

#include "passes/Optimize/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

void adze::addOptimizePipeline(OpPassManager &pm, int64_t vectorBits) {
  pm.addNestedPass<func::FuncOp>(createPlaceOutputs());
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createMoveDimsLast());
  pm.addNestedPass<func::FuncOp>(createGroupHeads());
  pm.addNestedPass<func::FuncOp>(createExpandComposites());
  pm.addNestedPass<func::FuncOp>(createChannelsLast());
  pm.addNestedPass<func::FuncOp>(createShapeMatmuls());
  // Folds what the passes before left: transposes of transposes, unit reshapes.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createPackWeights({vectorBits}));
  pm.addNestedPass<func::FuncOp>(createPlaceTransposes());
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}
