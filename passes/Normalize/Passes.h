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

/// Turns the capture graphs of a module into prim functions, cleans up and
/// splits what has graph breaks.
void addNormalizePipeline(mlir::OpPassManager &pm, bool fullgraph = false);

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
/// their first use. The module stays as it is, and nothing is reported.
std::vector<UnsupportedOperator> collectUnsupported(mlir::ModuleOp module);

/// What the diagnostic of an unsupported operator carries besides its text, as
/// metadata: a dictionary {calls, reason}.
mlir::DictionaryAttr detailsOf(const UnsupportedOperator &op);

/// True for a graph break and for what holds one: nothing can run it.
bool isGraphBreak(mlir::Operation *op);

/// After normalize: the number of breaks, and the graphs between them in the
/// order in which they run. A program without breaks is not split.
unsigned countBreaks(mlir::ModuleOp module);
llvm::SmallVector<mlir::func::FuncOp> findGraphs(mlir::ModuleOp module);

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_PASSES_H
