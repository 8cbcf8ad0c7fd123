//===- Pipeline.cpp - The normalize stage ---------------------------------===//

#include "passes/Normalize/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void adze::normalize::addNormalizePipeline(OpPassManager &pm, bool fullgraph) {
  pm.addPass(createNormalize({fullgraph}));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Last: what is clean needs no cleaning across functions.
  pm.addPass(createSplitAtBreaks());
}

void adze::normalize::registerNormalizePipeline() {
  PassPipelineRegistration<>(
      "adze-normalize-pipeline", "The normalize stage",
      [](OpPassManager &pm) { addNormalizePipeline(pm); });
}
