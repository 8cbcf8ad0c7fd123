//===- Pipelines.cpp - All stages of the compiler -------------------------===//

#include "passes/Pipelines.h"

#include "dialects/Capture/Capture.h"
#include "passes/Fuse/Passes.h"
#include "passes/Lower/Passes.h"
#include "passes/Normalize/Passes.h"
#include "passes/Optimize/Passes.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void adze::registerAllStageDialects(DialectRegistry &registry) {
  registry.insert<sym::SymDialect, capture::CaptureDialect, prim::PrimDialect,
                  kernel::KernelDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect, LLVM::LLVMDialect,
                  math::MathDialect, scf::SCFDialect, vector::VectorDialect>();
}

namespace {
/// What stages want to know about the target.
struct TargetOptions : PassPipelineOptions<TargetOptions> {
  Option<int64_t> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("Width of the vector registers: 128, 256 or 512"),
      llvm::cl::init(256)};
};
} // namespace

void adze::registerAdzePasses() {
  normalize::registerNormalizePasses();
  registerAdzeOptimizePasses();
  registerAdzeFusePasses();
  registerAdzeSchedulePasses();
  registerAdzeLowerPasses();
  static PassPipelineRegistration<> stages[] = {
      {"adze-stage-normalize", "capture to prim",
       [](OpPassManager &pm) { normalize::addNormalizePipeline(pm); }},
      {"adze-stage-fuse", "prim to kernel groups", addFusePipeline},
      {"adze-stage-schedule", "groups to launches with buffers",
       addSchedulePipeline},
  };
  (void)stages;
  static PassPipelineRegistration<TargetOptions> optimize(
      "adze-stage-optimize", "prim that kernels can be made of",
      [](OpPassManager &pm, const TargetOptions &target) {
        addOptimizePipeline(pm, target.vectorBits);
      });
  static PassPipelineRegistration<TargetOptions> lower(
      "adze-stage-lower", "launches to llvm",
      [](OpPassManager &pm, const TargetOptions &target) {
        addLowerPipeline(pm, target.vectorBits);
      });
}
