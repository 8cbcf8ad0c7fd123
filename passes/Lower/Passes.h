//===- Passes.h - Passes of the lower stage ---------------------*- C++ -*-===//

#ifndef ADZE_PASSES_LOWER_PASSES_H
#define ADZE_PASSES_LOWER_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace adze {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Lower/Passes.h.inc"

/// Launches -> `llvm`. `vectorBits` is what `optimize` was given.
void addLowerPipeline(mlir::OpPassManager &pm, int64_t vectorBits);

} // namespace adze

#endif // ADZE_PASSES_LOWER_PASSES_H
