//===- adze-opt.cpp - Runs passes one by one, or the interpreter ----------===//

#include "dialects/Capture/Capture.h"
#include "dialects/Prim/Prim.h"
#include "passes/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<adze::sym::SymDialect, adze::capture::CaptureDialect,
                  adze::prim::PrimDialect, arith::ArithDialect,
                  func::FuncDialect>();
  registerCanonicalizerPass();
  registerCSEPass();
  adze::normalize::registerNormalizePasses();
  adze::normalize::registerNormalizePipeline();
  return asMainReturnCode(
      MlirOptMain(argc, argv, "adze stage driver\n", registry));
}
