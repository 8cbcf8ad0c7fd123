//===- Passes.h - Passes of the fuse stage ----------------------*- C++ -*-===//

#ifndef ADZE_PASSES_FUSE_PASSES_H
#define ADZE_PASSES_FUSE_PASSES_H

#include "dialects/Kernel/Kernel.h"
#include "dialects/Prim/Prim.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace adze {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Fuse/Passes.h.inc"

/// `prim` -> `kernel` groups.
void addFusePipeline(mlir::OpPassManager &pm);

} // namespace adze

#endif // ADZE_PASSES_FUSE_PASSES_H
