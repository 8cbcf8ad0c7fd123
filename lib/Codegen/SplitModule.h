//===- SplitModule.h - One module for each kernel ---------------*- C++ -*-===//

#ifndef ADZE_LIB_CODEGEN_SPLITMODULE_H
#define ADZE_LIB_CODEGEN_SPLITMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace adze {

struct ModulePart {
  std::string name;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Cuts a module in the LLVM dialect into the part of `main`, which comes
/// first, and one part for each function that only `main` names, in the order
/// of the module. What several parts need (helper functions, constants) is
/// copied into each; what no part needs is left out. Parts see each other's
/// functions as hidden symbols.
std::vector<ModulePart> splitModule(mlir::ModuleOp module,
                                    llvm::StringRef main);

} // namespace adze

#endif // ADZE_LIB_CODEGEN_SPLITMODULE_H
