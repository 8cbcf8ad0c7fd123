//===- Pipeline.cpp - The lower stage -------------------------------------===//

#include "passes/Lower/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void adze::addLowerPipeline(OpPassManager &pm, int64_t vectorBits) {
  pm.addPass(createLowerKernels({vectorBits}));
  pm.addPass(createVectorMath());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertVectorToLLVMPass());
  // libm for what has no instruction; it takes vectors apart.
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  // Taking vectors apart made new vector and func ops.
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}
