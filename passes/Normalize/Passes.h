//===- Passes.h - The normalize stage ---------------------------*- C++ -*-===//

#ifndef ADZE_PASSES_NORMALIZE_PASSES_H
#define ADZE_PASSES_NORMALIZE_PASSES_H

#include "dialects/Capture/Capture.h"
#include "dialects/Prim/Prim.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <string>
#include <vector>

namespace adze::normalize {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Normalize/Passes.h.inc"

/// Turns the capture graphs of a module into prim functions and cleans up.
void addNormalizePipeline(mlir::OpPassManager &pm);

/// The same as the pass pipeline "adze-normalize-pipeline".
void registerNormalizePipeline();

/// An operator that normalize can not decompose, or not with these arguments.
struct UnsupportedOperator {
  std::string name;   // "aten.foo.default"
  std::string reason; // "no decomposition is known", ...
  unsigned count = 0;
  mlir::Location firstLocation;
};

/// All unsupported operators of the capture graphs in a module, in the order of
/// their first use. The module stays as it is.
std::vector<UnsupportedOperator> collectUnsupported(mlir::ModuleOp module);

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_PASSES_H
