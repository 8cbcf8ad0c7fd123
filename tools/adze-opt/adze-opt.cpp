//===- adze-opt.cpp - Runs passes one by one, or the interpreter ----------===//

#include "Interpret.h"

#include "adze/Interp/Interpreter.h"
#include "passes/Pipelines.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;

static llvm::cl::opt<std::string> interpretOption(
    "interpret", llvm::cl::value_desc("function"),
    llvm::cl::desc("Evaluate a function without arguments by the reference "
                   "interpreter and print its results"));
static llvm::cl::opt<bool> float64Option(
    "interpret-float64",
    llvm::cl::desc("With --interpret: compute all floats in float64"));

static void registerDialects(DialectRegistry &registry) {
  adze::registerAllStageDialects(registry);
  adze::interp::registerReferenceEvaluation(registry);
}

static void registerPasses() {
  registerCanonicalizerPass();
  registerCSEPass();
  adze::registerAdzePasses();
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "Runs adze's passes one by one\n", registry);
  if (!interpretOption.empty())
    return adze::interpretFile(input, output, {interpretOption, float64Option},
                               registry);
  return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
}
