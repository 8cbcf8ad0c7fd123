//===- StageRunners.cpp - What each stage runs ----------------------------===//
//
// The one place where the driver knows the passes and readers of the stages.
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"

#include "adze/Frontend/Importer.h"
#include "adze/Interp/Interpreter.h"
#include "adze/Package/Package.h"
#include "passes/Fuse/Passes.h"
#include "passes/Lower/Passes.h"
#include "passes/Normalize/Passes.h"
#include "passes/Optimize/Passes.h"
#include "passes/Pipelines.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace adze {

void registerDialects(DialectRegistry &registry) {
  registerAllStageDialects(registry);
  interp::registerReferenceEvaluation(registry);
}

using Pipeline = llvm::function_ref<void(OpPassManager &)>;
using TargetPipeline = void (*)(OpPassManager &, int64_t vectorBits);

static bool runPipeline(Compilation &compilation, Pipeline addPasses) {
  PassManager passes(&compilation.getContext());
  addPasses(passes);
  return succeeded(passes.run(compilation.getModule()));
}

/// Runs passes that want to know how wide the target's vectors are.
static bool runPipelineFor(Compilation &compilation, TargetPipeline addPasses) {
  auto target = TargetDescription::create(compilation.build.targetCpu);
  if (!target) {
    compilation.getEngine().error(target.takeError(), DiagId::BadUsage);
    return false;
  }
  return runPipeline(compilation, [&](OpPassManager &passes) {
    addPasses(passes, target->vectorBits);
  });
}

static bool importProgram(Compilation &compilation) {
  auto module = frontend::importProgram(*compilation.getProgram().program,
                                        &compilation.getContext());
  if (!module) {
    compilation.getEngine().error(module.takeError(), DiagId::BadProgram);
    return false;
  }
  frontend::markSharedMemory(**module, *compilation.getProgram().weights);
  compilation.setModule(std::move(*module));
  return true;
}

static bool lower(Compilation &compilation) {
  func::FuncOp function = findProgram(compilation.getModule());
  if (function && compilation.hasProgram())
    markTiedWeights(function, *compilation.getProgram().weights);
  compilation.keepScheduled();
  return runPipelineFor(compilation, addLowerPipeline);
}

bool runStageBody(Stage stage, Compilation &compilation) {
  switch (stage) {
  case Stage::Import:
    return importProgram(compilation);
  case Stage::Normalize:
    return runPipeline(compilation, [&](OpPassManager &passes) {
      normalize::addNormalizePipeline(passes, compilation.build.fullgraph);
    });
  case Stage::Joint:
  case Stage::Partition:
    // Without gradients the program is its own joint graph and forward part.
    return true;
  case Stage::Optimize:
    return runPipelineFor(compilation, addOptimizePipeline);
  case Stage::Fuse:
    return runPipeline(compilation, addFusePipeline);
  case Stage::Schedule:
    return runPipeline(compilation, addSchedulePipeline);
  case Stage::Lower:
    return lower(compilation);
  case Stage::Emit:
    break;
  }
  llvm_unreachable("emit() is called by who knows where to write");
}

} // namespace adze
