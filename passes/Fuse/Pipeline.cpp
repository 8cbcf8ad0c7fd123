//===- Pipeline.cpp - The fuse stage --------------------------------------===//

#include "passes/Fuse/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

void adze::addFusePipeline(OpPassManager &pm) {
  // Equal ops must be one before groups are formed: a group has one copy each.
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createDuplicateBroadcasts());
  pm.addNestedPass<func::FuncOp>(createFormGroups());
  // Copies that met in one group become one again.
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}
