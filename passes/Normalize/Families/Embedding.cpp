//===- Embedding.cpp - embedding, embedding_bag, one_hot ------------------===//

#include "passes/Normalize/Families/Helpers.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

static LogicalResult decomposeEmbedding(CallContext &c) {
  Value weight = c.tensor("weight"), indices = c.tensor("indices");
  if (c.b.rankOf(weight) != 2 || !isInteger(c.b.elementOf(indices)))
    return c.emitInvalid("expected a weight of rank 2 and integer indices");
  return c.setResult(0, c.b.indexSelect(weight, 0, asIndex(c.b, indices)));
}

/// Gradient rows added up by index; the rows of the padding index are left out.
static LogicalResult decomposeEmbeddingDenseBackward(CallContext &c) {
  Value gradient = c.tensor("grad_output"),
        indices = asIndex(c.b, c.tensor("indices"));
  if (c.flag("scale_grad_by_freq"))
    return c.emitUnsupported("scale_grad_by_freq");
  int64_t rank = c.b.rankOf(indices);
  if (c.b.rankOf(gradient) != rank + 1)
    return c.emitInvalid("expected one gradient row for each index");
  Value padding = sizeValue(c.b, c.size("padding_idx"));
  Value isPadding = c.b.compare(prim::Comparison::eq, indices, padding);
  Value kept = c.b.where(c.b.unsqueeze(isPadding, rank),
                         c.b.scalar(0, c.b.elementOf(gradient)), gradient);
  Value zeros = c.b.full(c.resultShape(0), 0, c.b.elementOf(gradient));
  return c.setResult(
      0, indexPut(c.b, prim::ScatterKind::add, zeros, kept, indices, {0}, 0));
}

//===----------------------------------------------------------------------===//
// Bags
//===----------------------------------------------------------------------===//

enum class BagMode : int64_t { Sum = 0, Mean = 1, Max = 2 };

struct Bags {
  Value rows;   // [N, D], in the type that is computed in
  Value bagOf;  // [N]
  Value counts; // [N]: 1, or 0 for the padding index
  Expr count;
};

static LogicalResult checkBags(CallContext &c) {
  if (c.b.rankOf(c.tensor("weight")) != 2 ||
      c.b.rankOf(c.tensor("indices")) != 1 ||
      c.b.rankOf(c.tensor("offsets")) != 1)
    return c.emitUnsupported("indices or offsets that have not rank 1");
  if (auto scale = c.optTensor("per_sample_weights"))
    if (c.b.rankOf(*scale) != 1)
      return c.emitInvalid("expected weights of samples of rank 1");
  if (!isFloat(c.b.elementOf(c.tensor("weight"))))
    return c.emitUnsupported("a weight that is no float tensor");
  if (c.integer("mode") < 0 || c.integer("mode") > 2)
    return c.emitInvalid("expected a mode of 0, 1 or 2");
  for (size_t i = 1; i < c.numResults(); ++i)
    if (!c.getCall().getResult(i).use_empty())
      return c.emitUnsupported(
          "a use of the results that serve the derivative");
  return success();
}

/// The bag of an element is the last one that begins at or before it.
static Value bagOfElements(CallContext &c, Value offsets, Expr elements) {
  Value first = c.b.slice(offsets, 0, c.b.expr(0), c.b.expr(1));
  assertAll(c.b, c.b.compare(prim::Comparison::eq, first, 0.0),
            "embedding_bag: expected the first offset to be 0");
  Value after =
      searchSorted(c.b, offsets, arange(c.b, elements), /*right=*/true);
  return c.b.sub(after, c.b.scalarInt(1, indexType(c.b)));
}

/// The padding index, or -1. A negative one counts from the end.
static Value paddingCounts(CallContext &c, Value indices, Value weight) {
  auto padding = c.optInteger("padding_idx");
  Value ones = c.b.fullLike(indices, 1);
  bool none = !padding ||
              (*padding < 0 && !StringRef(c.callee()).ends_with("padding_idx"));
  if (none)
    return ones;
  Expr index = c.b.expr(*padding);
  if (*padding < 0)
    index = sym::add(index, c.b.shapeOf(weight)[0]);
  Value isPadding =
      c.b.compare(prim::Comparison::eq, indices, sizeValue(c.b, index));
  return c.b.where(isPadding, c.b.fullLike(indices, 0), ones);
}

static Bags readBags(CallContext &c) {
  Value weight = c.tensor("weight"),
        indices = asIndex(c.b, c.tensor("indices"));
  Value offsets = asIndex(c.b, c.tensor("offsets"));
  Bags bags;
  bags.count = c.b.shapeOf(offsets)[0];
  if (c.flag("include_last_offset")) {
    bags.count = sym::sub(bags.count, c.b.expr(1));
    offsets = c.b.slice(offsets, 0, c.b.expr(0), bags.count);
  }
  Type opmath = opmathType(c.b.elementOf(weight));
  bags.rows = c.b.convert(c.b.indexSelect(weight, 0, indices), opmath);
  bags.bagOf = bagOfElements(c, offsets, c.b.shapeOf(indices)[0]);
  bags.counts = paddingCounts(c, indices, weight);
  if (auto weights = c.optTensor("per_sample_weights"))
    bags.rows =
        c.b.mul(bags.rows, c.b.convert(c.b.unsqueeze(*weights, 1), opmath));
  return bags;
}

/// Combines what belongs to one bag, from an initial value on.
static Value combine(CallContext &c, const Bags &bags, prim::ScatterKind kind,
                     Value values, double initial) {
  Shape shape = c.b.shapeOf(values);
  shape[0] = bags.count;
  Value start = c.b.full(shape, initial, c.b.elementOf(values));
  return indexPut(c.b, kind, start, values, bags.bagOf, {0}, 0);
}

static Value countOf(CallContext &c, const Bags &bags) {
  return c.b.unsqueeze(combine(c, bags, prim::ScatterKind::add, bags.counts, 0),
                       1);
}

static Value sumOf(CallContext &c, const Bags &bags) {
  Value isKept =
      c.b.unsqueeze(c.b.compare(prim::Comparison::ne, bags.counts, 0.0), 1);
  Value kept =
      c.b.where(isKept, bags.rows, c.b.scalar(0, c.b.elementOf(bags.rows)));
  return combine(c, bags, prim::ScatterKind::add, kept, 0);
}

static Value meanOf(CallContext &c, const Bags &bags) {
  Value sum = sumOf(c, bags), count = countOf(c, bags);
  Value divisor = c.b.max(count, c.b.scalarInt(1, indexType(c.b)));
  return c.b.div(sum, c.b.convert(divisor, c.b.elementOf(sum)));
}

/// An empty bag gives zeros.
static Value maxOf(CallContext &c, const Bags &bags) {
  Type element = c.b.elementOf(bags.rows);
  Value isKept =
      c.b.unsqueeze(c.b.compare(prim::Comparison::ne, bags.counts, 0.0), 1);
  Value kept = c.b.where(isKept, bags.rows, c.b.scalar(-INFINITY, element));
  Value largest = combine(c, bags, prim::ScatterKind::max, kept, -INFINITY);
  Value isEmpty = c.b.compare(prim::Comparison::eq, countOf(c, bags), 0.0);
  return c.b.where(isEmpty, c.b.scalar(0, element), largest);
}

static LogicalResult decomposeEmbeddingBag(CallContext &c) {
  if (failed(checkBags(c)))
    return failure();
  Bags bags = readBags(c);
  auto mode = BagMode(c.integer("mode"));
  Value result = mode == BagMode::Sum    ? sumOf(c, bags)
                 : mode == BagMode::Mean ? meanOf(c, bags)
                                         : maxOf(c, bags);
  (void)c.setResult(0, c.b.convert(result, c.b.elementOf(c.tensor("weight"))));
  for (size_t i = 1; i < c.numResults(); ++i)
    (void)c.setResult(i, c.b.full(c.resultShape(i), 0, c.resultElement(i)));
  return success();
}

//===----------------------------------------------------------------------===//
// one_hot
//===----------------------------------------------------------------------===//

/// The number of classes; -1 stands for one more than the largest index.
static FailureOr<Expr> classCount(CallContext &c, Value self) {
  int64_t given = c.integer("num_classes");
  if (given >= 0)
    return c.b.expr(given);
  if (c.numDefinedSymbols() != 1)
    return c.emitUnsupported("a number of classes that depends on data");
  Value largest = c.b.reduce(prim::Reduction::max, flatten(c.b, self), {0});
  (void)c.bindSymbol(0, c.b.add(largest, c.b.scalarInt(1, indexType(c.b))));
  return sym::symbol(c.getContext(), c.definedSymbol(0));
}

static LogicalResult decomposeOneHot(CallContext &c) {
  Value self = c.tensor("self");
  if (c.b.elementOf(self) != indexType(c.b))
    return c.emitInvalid("expected indices of 64 bits");
  FailureOr<Expr> classes = classCount(c, self);
  if (failed(classes))
    return failure();
  Value isClass = c.b.logicalAnd(
      c.b.compare(prim::Comparison::ge, self, 0.0),
      c.b.compare(prim::Comparison::lt, self, sizeValue(c.b, *classes)));
  assertAll(c.b, isClass,
            "one_hot: expected indices between 0 and the number of classes");
  int64_t rank = c.b.rankOf(self);
  Value steps = alignTo(c.b, arange(c.b, *classes), rank, rank + 1);
  Value isHot =
      c.b.compare(prim::Comparison::eq, c.b.unsqueeze(self, rank), steps);
  return c.setResult(0, c.b.convert(isHot, indexType(c.b)));
}

void normalize::registerEmbeddingDecompositions(DecompositionTable &table) {
  table.add("aten.embedding.default", decomposeEmbedding);
  table.add("aten.embedding_dense_backward.default",
            decomposeEmbeddingDenseBackward);
  table.add("aten.embedding_bag.default", decomposeEmbeddingBag);
  table.add("aten.embedding_bag.padding_idx", decomposeEmbeddingBag);
  table.add("aten._embedding_bag.default", decomposeEmbeddingBag);
  table.add("aten._embedding_bag_forward_only.default", decomposeEmbeddingBag);
  table.add("aten.one_hot.default", decomposeOneHot);
}
