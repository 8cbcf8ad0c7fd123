//===- Lifetimes.cpp - When buffers are alive -----------------------------===//

#include "passes/Schedule/Lifetimes.h"

#include "passes/Schedule/Storage.h"

using namespace mlir;

namespace adze {

Lifetimes::Lifetimes(func::FuncOp func) {
  number(func.getBody());
  func.walk([&](Operation *op) {
    for (Value result : op->getResults())
      lifetimes[result] = positions.lookup(op);
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        lifetimes[argument] = positions.lookup(op);
  });
  func.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      extend(storageOf(operand), op);
  });
}

/// An op with regions spans the positions of everything inside of it.
void Lifetimes::number(Region &region) {
  for (Block &block : region)
    for (Operation &op : block) {
      int64_t begin = next++;
      for (Region &inner : op.getRegions())
        number(inner);
      positions[&op] = {begin, op.getNumRegions() ? next++ : begin};
    }
}

void Lifetimes::extend(Value storage, Operation *user) {
  // Seen from the block that defines the storage.
  Operation *ancestor = storage.getParentBlock()->findAncestorOpInBlock(*user);
  Lifetime &life = lifetimes[storage];
  life.end =
      std::max(life.end, positions.lookup(ancestor ? ancestor : user).end);
}

} // namespace adze
