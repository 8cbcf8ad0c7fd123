//===- DuplicateBroadcasts.cpp - A broadcast for every user ---------------===//
//
// A broadcast that users in several groups share would be a buffer larger than
// what it is made of. The same is true of what is made of one number.
//
//===----------------------------------------------------------------------===//

#include "passes/Fuse/OpClass.h"
#include "passes/Fuse/Passes.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_DUPLICATEBROADCASTS
#include "passes/Fuse/Passes.h.inc"

/// True for a number that is only converted and repeated. (Numbers of several
/// others could multiply without end.)
static bool isMadeOfNumber(Operation *op) {
  OpClass opClass = classOf(op);
  if (op->getNumOperands() != 1 ||
      (opClass != OpClass::Elementwise && opClass != OpClass::Movement))
    return false;
  Operation *def = op->getOperand(0).getDefiningOp();
  return def && (classOf(def) == OpClass::Creator || isMadeOfNumber(def));
}

/// Puts a copy before every user. Where it stands depends on the user only, so
/// that groups that are equal otherwise stay so.
static void duplicate(Operation *op) {
  auto uses =
      llvm::map_to_vector(op->getUses(), [](OpOperand &use) { return &use; });
  for (OpOperand *use : uses)
    use->set(OpBuilder(use->getOwner()).clone(*op)->getResult(0));
  op->erase();
}

namespace {
struct DuplicateBroadcasts
    : impl::DuplicateBroadcastsBase<DuplicateBroadcasts> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    // Users first: their copies are users of what they are made of.
    for (Operation *op : llvm::reverse(ops))
      if (isa<prim::BroadcastOp>(op) || isMadeOfNumber(op))
        duplicate(op);
  }
};
} // namespace
} // namespace adze
