//===- Pipeline.cpp - The schedule stage ----------------------------------===//

#include "passes/Schedule/Passes.h"

using namespace mlir;

void adze::addSchedulePipeline(OpPassManager &pm) {
  pm.addPass(createOutlineKernels());
  pm.addPass(createPlanMemory());
}
