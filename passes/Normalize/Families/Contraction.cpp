//===- Contraction.cpp - Sums of products over labelled dims --------------===//

#include "passes/Normalize/Families/Contraction.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace adze::normalize {

using sym::Expr;
using sym::Shape;

using SizeTable = llvm::DenseMap<int, Expr>;

static int64_t positionOf(ArrayRef<int> labels, int label) {
  return std::distance(labels.begin(), llvm::find(labels, label));
}

/// Dims with one label become one: the diagonal.
static void mergeRepeated(PrimBuilder &b, Labelled &factor) {
  for (size_t i = 0; i < factor.labels.size(); ++i) {
    int label = factor.labels[i];
    auto rest = ArrayRef(factor.labels).drop_front(i + 1);
    if (!llvm::is_contained(rest, label))
      continue;
    int64_t other = i + 1 + positionOf(rest, label);
    factor.value = takeDiagonal(b, factor.value, i, other);
    factor.labels.erase(factor.labels.begin() + other);
    factor.labels.erase(factor.labels.begin() + i);
    factor.labels.push_back(label);
    --i;
  }
}

/// What every label runs over; a size of 1 gives way to any other.
static SizeTable collectSizes(ArrayRef<Labelled> factors) {
  SizeTable sizes;
  for (const Labelled &factor : factors)
    for (auto [label, size] :
         llvm::zip(factor.labels, sym::shapeOf(factor.value))) {
      Expr &known = sizes[label];
      bool better = !known || sym::isConstant(known, 1) ||
                    (!sym::asConstant(known) && sym::asConstant(size) &&
                     !sym::isConstant(size, 1));
      if (better)
        known = size;
    }
  return sizes;
}

/// A dim of size 1 whose label is longer elsewhere broadcasts: it can go.
static void dropBroadcast(PrimBuilder &b, Labelled &factor,
                          const SizeTable &sizes) {
  for (size_t i = factor.labels.size(); i-- > 0;) {
    Expr size = b.shapeOf(factor.value)[i];
    if (!sym::isConstant(size, 1) ||
        sym::isConstant(sizes.lookup(factor.labels[i]), 1))
      continue;
    factor.value = b.squeeze(factor.value, i);
    factor.labels.erase(factor.labels.begin() + i);
  }
}

/// Sums over the labels that nothing else has a use for.
static void sumUnused(PrimBuilder &b, Labelled &factor,
                      llvm::function_ref<bool(int)> isUsed) {
  SmallVector<int64_t> dims;
  SmallVector<int> kept;
  for (auto [i, label] : llvm::enumerate(factor.labels)) {
    if (isUsed(label))
      kept.push_back(label);
    else
      dims.push_back(i);
  }
  factor.value = b.sum(factor.value, dims);
  factor.labels = kept;
}

/// Brings the dims with these labels into order; sizes are those of the table.
static Value arrange(PrimBuilder &b, const Labelled &factor,
                     ArrayRef<int> order, const SizeTable &sizes) {
  auto permutation = llvm::map_to_vector(
      order, [&](int label) { return positionOf(factor.labels, label); });
  Shape shape = llvm::map_to_vector(
      order, [&](int label) { return sizes.lookup(label); });
  return b.checkShape(b.transpose(factor.value, permutation), shape);
}

static Shape sizesOf(ArrayRef<int> labels, const SizeTable &sizes) {
  return llvm::map_to_vector(labels,
                             [&](int label) { return sizes.lookup(label); });
}

static Value reshapeTo(PrimBuilder &b, Value value, ArrayRef<Expr> batch,
                       Expr rows, Expr columns) {
  Shape shape(batch);
  shape.append({rows, columns});
  return b.reshape(value, shape);
}

/// Which labels of two factors run together, are summed, belong to one only.
struct PairLabels {
  SmallVector<int> batch, summed, left, right;
};

static PairLabels classify(const Labelled &lhs, const Labelled &rhs,
                           llvm::function_ref<bool(int)> isUsedLater) {
  PairLabels result;
  for (int label : lhs.labels) {
    bool shared = llvm::is_contained(rhs.labels, label);
    if (!shared)
      result.left.push_back(label);
    else
      (isUsedLater(label) ? result.batch : result.summed).push_back(label);
  }
  for (int label : rhs.labels)
    if (!llvm::is_contained(lhs.labels, label))
      result.right.push_back(label);
  return result;
}

static SmallVector<int> concatenated(ArrayRef<int> a, ArrayRef<int> b,
                                     ArrayRef<int> c) {
  SmallVector<int> result(a);
  result.append(b.begin(), b.end());
  result.append(c.begin(), c.end());
  return result;
}

/// One batched matrix product, or a broadcast product if nothing is summed.
static Labelled multiplyPair(PrimBuilder &b, const Labelled &lhs,
                             const Labelled &rhs, const SizeTable &sizes,
                             llvm::function_ref<bool(int)> isUsedLater) {
  PairLabels kinds = classify(lhs, rhs, isUsedLater);
  Value left = arrange(
      b, lhs, concatenated(kinds.batch, kinds.left, kinds.summed), sizes);
  Value right = arrange(
      b, rhs, concatenated(kinds.batch, kinds.summed, kinds.right), sizes);
  Shape batch = sizesOf(kinds.batch, sizes);
  Expr rows = sym::product(b.getContext(), sizesOf(kinds.left, sizes));
  Expr inner = sym::product(b.getContext(), sizesOf(kinds.summed, sizes));
  Expr columns = sym::product(b.getContext(), sizesOf(kinds.right, sizes));
  left = reshapeTo(b, left, batch, rows, inner);
  right = reshapeTo(b, right, batch, inner, columns);
  Value product =
      kinds.summed.empty() ? b.mul(left, right) : b.matmul(left, right);
  Labelled result = {Value(),
                     concatenated(kinds.batch, kinds.left, kinds.right)};
  result.value = b.reshape(product, sizesOf(result.labels, sizes));
  return result;
}

Value contract(PrimBuilder &b, ArrayRef<Labelled> given, ArrayRef<int> output) {
  SmallVector<Labelled> factors(given);
  for (Labelled &factor : factors)
    mergeRepeated(b, factor);
  SizeTable sizes = collectSizes(factors);
  for (Labelled &factor : factors)
    dropBroadcast(b, factor, sizes);
  // After that: what is dropped from one factor may be summed in another.
  for (auto [i, factor] : llvm::enumerate(factors))
    sumUnused(b, factor, [&](int label) {
      bool elsewhere = false;
      for (auto [k, other] : llvm::enumerate(factors))
        elsewhere |= k != i && llvm::is_contained(other.labels, label);
      return elsewhere || llvm::is_contained(output, label);
    });
  Labelled result = factors[0];
  for (size_t i = 1; i < factors.size(); ++i)
    result = multiplyPair(b, result, factors[i], sizes, [&](int label) {
      bool later = llvm::is_contained(output, label);
      for (const Labelled &other : ArrayRef(factors).drop_front(i + 1))
        later |= llvm::is_contained(other.labels, label);
      return later;
    });
  return arrange(b, result, output, sizes);
}

} // namespace adze::normalize
