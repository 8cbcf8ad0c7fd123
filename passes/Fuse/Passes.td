//===- Passes.td - Passes of the fuse stage ----------------*- tablegen -*-===//

#ifndef ADZE_PASSES_FUSE_PASSES_TD
#define ADZE_PASSES_FUSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def FormGroups : Pass<"adze-form-groups", "::mlir::func::FuncOp"> {
  let summary = "Collects prim ops in groups, each of which becomes one kernel";
  let description = [{
    Walks every block backwards. An op joins the group of its consumers if all
    of them are in one group and computing it there, element by element, does
    no work twice; else it is the root of a new group. Matrix products and
    convolutions take over a group that is elementwise in their result. Cheap
    creators (numbers, counters) are copied into every group that reads them.

    Views (reshapes that are not mere insertions of unit dims) and control
    flow stay outside of groups.
  }];
  let dependentDialects = ["::adze::kernel::KernelDialect", "::adze::prim::PrimDialect"];
}

#endif // ADZE_PASSES_FUSE_PASSES_TD
