//===- Passes.h - Passes of the schedule stage ------------------*- C++ -*-===//

#ifndef ADZE_PASSES_SCHEDULE_PASSES_H
#define ADZE_PASSES_SCHEDULE_PASSES_H

#include "dialects/Kernel/Kernel.h"
#include "dialects/Prim/Prim.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace adze {

/// The attribute of the program's function that holds the size of the arena.
inline constexpr llvm::StringLiteral arenaBytesName = "kernel.arena_bytes";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Schedule/Passes.h.inc"

/// `kernel` groups -> launches with buffers.
void addSchedulePipeline(mlir::OpPassManager &pm);

} // namespace adze

#endif // ADZE_PASSES_SCHEDULE_PASSES_H
