//===- LowerKernels.cpp - Loops for kernels, launches for the program -----===//

#include "passes/Lower/KernelBuilders.h"
#include "passes/Lower/MainBuilder.h"
#include "passes/Lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_LOWERKERNELS
#include "passes/Lower/Passes.h.inc"

/// The builder of each kind. Matrix products and convolutions that have no
/// special builder are computed element by element.
static LogicalResult buildKernel(OpBuilder &builder, kernel::FuncOp kernel,
                                 int64_t vectorBits) {
  switch (kernel.getKind()) {
  case kernel::Kind::gemm:
    if (buildGemmKernel(builder, kernel, vectorBits))
      return success();
    break;
  case kernel::Kind::convolution:
    if (buildConvolutionKernel(builder, kernel, vectorBits))
      return success();
    break;
  case kernel::Kind::attention:
    if (buildAttentionKernel(builder, kernel, vectorBits))
      return success();
    return kernel.emitError("attention of these types and sizes has no kernel");
  case kernel::Kind::scan:
    buildScanKernel(builder, kernel);
    return success();
  case kernel::Kind::scatter:
    buildScatterKernel(builder, kernel);
    return success();
  case kernel::Kind::library:
    return success();
  default:
    break;
  }
  buildLoopKernel(builder, kernel);
  return success();
}

namespace {
struct LowerKernels : impl::LowerKernelsBase<LowerKernels> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    SmallVector<kernel::FuncOp> kernels(module.getOps<kernel::FuncOp>());
    for (kernel::FuncOp kernel : kernels)
      if (failed(buildKernel(builder, kernel, vectorBits)))
        return signalPassFailure();
    for (auto func :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (failed(MainBuilder(module, func).build()))
        return signalPassFailure();
      func.erase();
    }
    for (kernel::FuncOp kernel : kernels)
      kernel.erase();
  }
};
} // namespace
} // namespace adze
