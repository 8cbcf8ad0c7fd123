//===- adze.cpp - The compiler's command line -----------------------------===//

#include "adze/Driver/CommandLine.h"
#include "adze/Driver/Verbs.h"
#include "llvm/Support/InitLLVM.h"

#include <cstdlib>

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  auto parsed = adze::parseCommandLine(argc, argv, llvm::outs(), llvm::errs());
  int code;
  if (auto *command = std::get_if<adze::Command>(&parsed)) {
    adze::DiagnosticEngine engine(llvm::errs(), command->diagnosticsFormat);
    code = static_cast<int>(adze::runCommand(*command, engine, llvm::outs()));
  } else {
    code = static_cast<int>(std::get<adze::ExitCode>(parsed));
  }
  llvm::outs().flush();
  return code;
}
