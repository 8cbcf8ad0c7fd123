//===- Interpret.h - adze-opt --interpret ----------------------*- C++ -*-===//

#ifndef ADZE_TOOLS_ADZE_OPT_INTERPRET_H
#define ADZE_TOOLS_ADZE_OPT_INTERPRET_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"

namespace adze {

struct InterpretRequest {
  llvm::StringRef function; // without arguments
  bool float64 = false;
};

/// Evaluates a function of a file and prints each result as a dense attribute
/// on a line of its own. Gives the exit code: 4 when the call failed.
int interpretFile(llvm::StringRef input, llvm::StringRef output,
                  const InterpretRequest &request,
                  mlir::DialectRegistry &registry);

} // namespace adze

#endif // ADZE_TOOLS_ADZE_OPT_INTERPRET_H
