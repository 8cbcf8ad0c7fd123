//===- Passes.td - Passes of the fuse stage ----------------*- tablegen -*-===//

#ifndef ADZE_PASSES_FUSE_PASSES_TD
#define ADZE_PASSES_FUSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def DuplicateBroadcasts : Pass<"adze-duplicate-broadcasts", "::mlir::func::FuncOp"> {
  let summary = "Gives every user of a broadcast a broadcast of its own";
  let description = [{
    A value that is only repeated, or made of one number, costs less to make
    again than to read from memory. With one for each user, every group can
    take its own in.
  }];
  let dependentDialects = ["::adze::prim::PrimDialect"];
}

def FormGroups : Pass<"adze-form-groups", "::mlir::func::FuncOp"> {
  let summary = "Collects prim ops in groups, each of which becomes one kernel";
  let description = [{
    Walks every block backwards. An op joins the group of its consumers if all
    of them are in one group and computing it there, element by element, does
    no work twice; else it is the root of a new group. Matrix products,
    convolutions and attention take over a group that is elementwise in their
    result. Attention takes the views of its operands, and the transpose of
    its result, along with it. Cheap creators (numbers, counters) are copied
    into every group that reads them.

    Views (reshapes that are not mere insertions of unit dims) and control
    flow stay outside of groups.
  }];
  let dependentDialects = ["::adze::kernel::KernelDialect", "::adze::prim::PrimDialect"];
}

#endif // ADZE_PASSES_FUSE_PASSES_TD
