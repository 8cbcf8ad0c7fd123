//===- GroupHeads.cpp - Heads of queries that share keys ------------------===//
//
// Where programs repeat the heads of keys and values, as many as there are
// heads of queries, the heads of queries are cut in groups instead: then the
// repetition is a broadcast, which the kernel of attention reads in place.
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/Passes.h"

#include "dialects/Prim/PrimBuilder.h"
#include "passes/Fuse/OpClass.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_GROUPHEADS
#include "passes/Optimize/Passes.h.inc"

using prim::PrimBuilder;

/// The broadcast along a new dim behind that of the heads which a reshape then
/// joins with it, or null.
static prim::BroadcastOp repeatedHeads(Value value) {
  auto reshape = value.getDefiningOp<prim::ReshapeOp>();
  auto broadcast = reshape
                       ? reshape.getOperand().getDefiningOp<prim::BroadcastOp>()
                       : prim::BroadcastOp();
  if (!broadcast)
    return {};
  sym::Shape joined = sym::shapeOf(value), apart = sym::shapeOf(broadcast),
             own = sym::shapeOf(broadcast.getOperand());
  if (joined.size() < 4 || apart.size() != joined.size() + 1 ||
      own.size() != apart.size())
    return {};
  size_t heads = joined.size() - 3;
  bool isRepeated = sym::isConstant(own[heads + 1], 1);
  own[heads + 1] = apart[heads + 1];
  sym::Shape expected = apart;
  expected[heads] = sym::mul(apart[heads], apart[heads + 1]);
  expected.erase(expected.begin() + heads + 1);
  return isRepeated && own == apart && expected == joined ? broadcast
                                                          : prim::BroadcastOp();
}

namespace {
/// Cuts dim `heads` of values in `groups` and the `size` heads of each.
struct HeadSplitter {
  PrimBuilder b;
  int64_t heads;
  sym::Expr groups, size;

  Value splitDim(Value value, int64_t dim) {
    // The transpose stays next to attention, where it is a view.
    if (auto transpose = value.getDefiningOp<prim::TransposeOp>()) {
      SmallVector<int64_t> permutation(transpose.getPermutation());
      int64_t source = permutation[dim];
      return b.transpose(splitDim(transpose.getOperand(), source),
                         splitPermutation(permutation, source));
    }
    sym::Shape shape = PrimBuilder::shapeOf(value);
    bool isUnit = sym::isConstant(shape[dim], 1);
    shape[dim] = isUnit ? b.expr(1) : groups;
    shape.insert(shape.begin() + dim + 1, isUnit ? b.expr(1) : size);
    return b.reshape(value, shape);
  }

  /// The permutation where dim `source` of the operand has become two.
  static SmallVector<int64_t> splitPermutation(ArrayRef<int64_t> permutation,
                                               int64_t source) {
    SmallVector<int64_t> result;
    for (int64_t dim : permutation) {
      result.push_back(dim > source ? dim + 1 : dim);
      if (dim == source)
        result.push_back(dim + 1);
    }
    return result;
  }

  /// Joins the dims again, behind a transpose that is all that reads the value.
  void replace(prim::AttentionOp former, Value result) {
    auto transpose = former->hasOneUse()
                         ? dyn_cast<prim::TransposeOp>(*former->user_begin())
                         : prim::TransposeOp();
    if (!transpose)
      return former.replaceAllUsesWith(
          b.reshape(result, PrimBuilder::shapeOf(former)));
    b.getBuilder().setInsertionPoint(transpose);
    Value moved = b.transpose(
        result, splitPermutation(transpose.getPermutation(), heads));
    transpose.replaceAllUsesWith(
        b.reshape(moved, PrimBuilder::shapeOf(transpose)));
    transpose.erase();
  }
};
} // namespace

static void groupHeads(prim::AttentionOp op) {
  auto key = repeatedHeads(op.getKey()), value = repeatedHeads(op.getValue());
  if (!key || !value || !suitsAttentionKernel(op))
    return;
  sym::Shape shape = sym::shapeOf(key);
  int64_t heads = shape.size() - 4;
  if (sym::shapeOf(value)[heads] != shape[heads])
    return;
  OpBuilder builder(op);
  HeadSplitter split{PrimBuilder(builder, op.getLoc()), heads, shape[heads],
                     shape[heads + 1]};
  Value query = split.splitDim(op.getQuery(), heads);
  Value mask = op.getMask() ? split.splitDim(op.getMask(), heads) : Value();
  sym::Shape result = sym::shapeOf(query);
  result.back() = sym::shapeOf(op.getResult()).back();
  auto grouped = prim::AttentionOp::create(
      builder, op.getLoc(),
      sym::tensorType(result, PrimBuilder::elementOf(query)), query,
      key.getResult(), value.getResult(), mask, op.getScale(), op.getCausal());
  split.replace(op, grouped.getResult());
  op.erase();
}

namespace {
struct GroupHeads : impl::GroupHeadsBase<GroupHeads> {
  using Base::Base;

  void runOnOperation() override {
    // Not while walking: what follows attention is replaced with it.
    SmallVector<prim::AttentionOp> ops;
    getOperation().walk([&](prim::AttentionOp op) { ops.push_back(op); });
    llvm::for_each(ops, groupHeads);
  }
};
} // namespace
} // namespace adze
