//===- Passes.h - Passes of the optimize stage ------------------*- C++ -*-===//

#ifndef ADZE_PASSES_OPTIMIZE_PASSES_H
#define ADZE_PASSES_OPTIMIZE_PASSES_H

#include "dialects/Kernel/Kernel.h"
#include "dialects/Prim/Prim.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace adze {

/// The attribute of a result whose dims are permuted in memory: the dims from
/// the outermost to the innermost.
inline constexpr llvm::StringLiteral orderName = "kernel.order";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Optimize/Passes.h.inc"

/// `prim` -> `prim` that kernels can be made of. `vectorBits` is the width of
/// the target's vector registers: 128, 256 or 512.
void addOptimizePipeline(mlir::OpPassManager &pm, int64_t vectorBits);

} // namespace adze

#endif // ADZE_PASSES_OPTIMIZE_PASSES_H
