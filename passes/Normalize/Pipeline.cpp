//===- Pipeline.cpp - The normalize stage ---------------------------------===//

#include "passes/Normalize/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void adze::normalize::addNormalizePipeline(OpPassManager &pm) {
  pm.addPass(createNormalize());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void adze::normalize::registerNormalizePipeline() {
  PassPipelineRegistration<>("adze-normalize-pipeline", "The normalize stage",
                             addNormalizePipeline);
}
