//===- FilterLayout.cpp - Filters as kernels read them --------------------===//
//
// An ordinary filter [O, C/groups, spatial...] is only transposed. That of a
// transposed convolution, [C, O/groups, spatial...], has the groups in its
// other dim: they are taken apart as [groups, C/groups, O/groups, spatial...]
// and put together again.
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/FilterLayout.h"

using namespace mlir;

namespace adze {

using prim::PrimBuilder;

/// Dims `first`, first + 1, ... and then those of the channels.
static SmallVector<int64_t> spatialFirst(int64_t rank, int64_t first,
                                         ArrayRef<int64_t> channels) {
  SmallVector<int64_t> permutation;
  for (int64_t i = 0; i < rank - 2; ++i)
    permutation.push_back(first + i);
  llvm::append_range(permutation, channels);
  return permutation;
}

static SmallVector<int64_t> permutationOf(int64_t rank, bool isTransposed,
                                          bool hasGroups) {
  if (!isTransposed)
    return spatialFirst(rank, 2, {1, 0});
  return hasGroups ? spatialFirst(rank, 3, {1, 0, 2})
                   : spatialFirst(rank, 2, {0, 1});
}

static bool takesApart(prim::ConvolutionOp op) {
  return op.getTransposed() && op.getGroups() > 1;
}

Value layFilterOut(PrimBuilder &b, prim::ConvolutionOp op) {
  Value filter = op.getFilter();
  sym::Shape stored = sym::shapeOf(filter);
  auto permutation =
      permutationOf(stored.size(), op.getTransposed(), takesApart(op));
  if (!takesApart(op))
    return b.transpose(filter, permutation);
  sym::Expr groups = b.expr(op.getGroups());
  sym::Shape apart{groups, sym::floorDiv(stored[0], groups)};
  apart.append(stored.begin() + 1, stored.end());
  sym::Shape laidOut(stored.begin() + 2, stored.end());
  laidOut.append({apart[1], sym::mul(groups, stored[1])});
  return b.reshape(b.transpose(b.reshape(filter, apart), permutation), laidOut);
}

Value storedFilter(prim::ConvolutionOp op) {
  Value filter = op.getFilter();
  int64_t rank = PrimBuilder::rankOf(filter);
  if (takesApart(op)) {
    auto together = filter.getDefiningOp<prim::ReshapeOp>();
    if (!together)
      return {};
    filter = together.getOperand();
  }
  auto transpose = filter.getDefiningOp<prim::TransposeOp>();
  auto permutation = permutationOf(rank, op.getTransposed(), takesApart(op));
  if (!transpose ||
      transpose.getPermutation() != ArrayRef<int64_t>(permutation))
    return {};
  if (!takesApart(op))
    return transpose.getOperand();
  // The transpose has [groups, C/groups, O/groups, spatial...].
  auto apart = transpose.getOperand().getDefiningOp<prim::ReshapeOp>();
  if (!apart)
    return {};
  sym::Shape sizes = sym::shapeOf(apart.getResult());
  sym::Shape stored{sym::mul(sizes[0], sizes[1])};
  stored.append(sizes.begin() + 2, sizes.end());
  bool isGroups = sym::isConstant(sizes[0], op.getGroups());
  return isGroups && sym::shapeOf(apart.getOperand()) == stored
             ? apart.getOperand()
             : Value();
}

} // namespace adze
