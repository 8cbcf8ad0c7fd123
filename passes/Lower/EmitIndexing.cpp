//===- EmitIndexing.cpp - Elements at positions that tensors give ---------===//

#include "passes/Lower/ElementEmitter.h"

using namespace mlir;

namespace adze {

Index checkedPosition(ElementEmitter &emitter, Operation *op, Value position,
                      Value size) {
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  Value values[] = {position, size, emitter.index().constant(0)};
  emitter.unify(values);
  // Negative positions are large unsigned numbers.
  Value bad = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                    values[0], values[1]);
  emitter.failWhere(op, bad, values[0], values[1]);
  Value safe = arith::SelectOp::create(b, loc, bad, values[2], values[0]);
  return emitter.index().fromValue(safe);
}

/// An element of a tensor that may be empty: then it is zero, and unread.
static Element emitUnlessEmpty(ElementEmitter &emitter, Value operand,
                               ArrayRef<Index> indices) {
  sym::Shape shape = sym::shapeOf(operand);
  Value count =
      emitter.getFrame().evaluate(sym::product(operand.getContext(), shape));
  if (IndexBuilder::known(count).value_or(0) > 0)
    return emitter.emit(operand, indices);
  Value some = arith::CmpIOp::create(emitter.getBuilder(), emitter.getLoc(),
                                     arith::CmpIPredicate::ne, count,
                                     emitter.index().constant(0));
  Type element = cast<RankedTensorType>(operand.getType()).getElementType();
  return emitter.emitMasked(some, emitter.zeroOf(element),
                            [&] { return emitter.emit(operand, indices); });
}

static Element emitIndex(ElementEmitter &emitter, prim::IndexOp op,
                         ArrayRef<Index> indices) {
  auto sizes = emitter.getFrame().sizes(op.getOperand());
  size_t taken = cast<RankedTensorType>(op.getIndices()[0].getType()).getRank();
  size_t position = op.getPosition();
  ArrayRef<Index> inner = indices.slice(position, taken);
  Indices operand(sizes.size());
  for (auto [tensor, dim] : llvm::zip(op.getIndices(), op.getDims())) {
    Value found = emitter.emit(tensor, inner).value;
    operand[dim] = checkedPosition(emitter, op, found, sizes[dim]);
  }
  size_t next = 0;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    if (llvm::is_contained(op.getDims(), int64_t(dim)))
      continue;
    operand[dim] = indices[next < position ? next : next + taken];
    ++next;
  }
  return emitUnlessEmpty(emitter, op.getOperand(), operand);
}

static Element emitGather(ElementEmitter &emitter, prim::GatherOp op,
                          ArrayRef<Index> indices) {
  auto sizes = emitter.getFrame().sizes(op.getOperand());
  Value found = emitter.emit(op.getIndex(), indices).value;
  Indices operand(indices);
  operand[op.getDim()] =
      checkedPosition(emitter, op, found, sizes[op.getDim()]);
  return emitUnlessEmpty(emitter, op.getOperand(), operand);
}

Element emitIndexing(ElementEmitter &emitter, Operation *op,
                     ArrayRef<Index> indices) {
  if (auto index = dyn_cast<prim::IndexOp>(op))
    return emitIndex(emitter, index, indices);
  return emitGather(emitter, cast<prim::GatherOp>(op), indices);
}

} // namespace adze
