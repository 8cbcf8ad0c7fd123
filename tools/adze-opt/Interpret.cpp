//===- Interpret.cpp - adze-opt --interpret ------------------------------===//

#include "Interpret.h"

#include "adze/Interp/Interpreter.h"
#include "adze/Support/ExitCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace adze {

static int printResults(func::FuncOp function, const InterpretRequest &request,
                        raw_ostream &os) {
  interp::InterpretOptions options;
  options.float64 = request.float64;
  auto results = interp::interpret(function, {}, options);
  if (!results) {
    llvm::errs() << "error: " << llvm::toString(results.takeError()) << "\n";
    return static_cast<int>(ExitCode::GuardFailed);
  }
  for (const interp::Tensor &tensor : *results) {
    tensor.toAttr().print(os);
    os << "\n";
  }
  return 0;
}

int interpretFile(StringRef input, StringRef output,
                  const InterpretRequest &request, DialectRegistry &registry) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string message;
  auto file = openInputFile(input, &message);
  auto target = openOutputFile(output, &message);
  if (!file || !target) {
    llvm::errs() << "error: " << message << "\n";
    return static_cast<int>(ExitCode::FileError);
  }
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context);
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return static_cast<int>(ExitCode::BadInput);
  auto function = module->lookupSymbol<func::FuncOp>(request.function);
  if (!function || function.getNumArguments() != 0) {
    llvm::errs() << "error: no function '" << request.function
                 << "' without arguments\n";
    return static_cast<int>(ExitCode::BadInput);
  }
  int code = printResults(function, request, target->os());
  target->keep();
  return code;
}

} // namespace adze
