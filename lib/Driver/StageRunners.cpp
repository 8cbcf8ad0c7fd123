//===- StageRunners.cpp - What each stage runs ----------------------------===//
//
// The one place where the driver knows the passes and readers of the stages.
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"

#include "adze/Frontend/Importer.h"
#include "dialects/Capture/Capture.h"
#include "dialects/Prim/Prim.h"
#include "passes/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace adze {

void registerDialects(DialectRegistry &registry) {
  registry.insert<sym::SymDialect, capture::CaptureDialect, prim::PrimDialect,
                  arith::ArithDialect, func::FuncDialect>();
}

using Pipeline = void (*)(OpPassManager &);

static bool runPipeline(Compilation &compilation, Pipeline addPasses) {
  PassManager passes(&compilation.getContext());
  addPasses(passes);
  return succeeded(passes.run(compilation.getModule()));
}

static bool importProgram(Compilation &compilation) {
  auto module = frontend::importProgram(*compilation.getProgram().program,
                                        &compilation.getContext());
  if (!module) {
    compilation.getEngine().error(module.takeError(), DiagId::BadProgram);
    return false;
  }
  compilation.setModule(std::move(*module));
  return true;
}

static bool isMissing(Compilation &compilation, Stage stage) {
  compilation.getEngine().error(DiagId::UnsupportedFeature,
                                "this build of adze has no stage '" +
                                    getName(stage) + "'");
  return false;
}

bool runStageBody(Stage stage, Compilation &compilation) {
  switch (stage) {
  case Stage::Import:
    return importProgram(compilation);
  case Stage::Normalize:
    return runPipeline(compilation, normalize::addNormalizePipeline);
  case Stage::Joint:
  case Stage::Partition:
    // Without gradients the program is its own joint graph and forward part.
    return true;
  case Stage::Optimize:
  case Stage::Fuse:
  case Stage::Schedule:
  case Stage::Lower:
  case Stage::Emit:
    return isMissing(compilation, stage);
  }
  llvm_unreachable("no such stage");
}

} // namespace adze
