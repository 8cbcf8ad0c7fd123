//===- Passes.td - Passes of the schedule stage ------------*- tablegen -*-===//

#ifndef ADZE_PASSES_SCHEDULE_PASSES_TD
#define ADZE_PASSES_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def OutlineKernels : Pass<"adze-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Turns equal groups into one kernel function with several launches";
  let description = [{
    Groups are equal if their regions are the same up to the names of values.
    Each group becomes a `kernel.launch`.
  }];
  let dependentDialects = ["::adze::kernel::KernelDialect"];
}

def PlanMemory : Pass<"adze-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Gives the result of every launch a buffer";
  let description = [{
    Results that the program returns are written to their result slots. All
    others share one arena: buffers whose lifetimes do not overlap may overlap
    in memory. Offsets of constant size are packed best-fit; symbolic sizes
    share a slot when they are the same expression, and the offsets become
    expressions. A size with a symbol that is known only in the middle of a
    call is allocated then.

    The size of the arena stands in `kernel.arena_bytes` of the function.
  }];
  let dependentDialects = ["::adze::kernel::KernelDialect"];
}

#endif // ADZE_PASSES_SCHEDULE_PASSES_TD
