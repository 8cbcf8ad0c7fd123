//===- Sort.cpp - Sorting, searching -------------------------------------===//

#include "passes/Normalize/Families/Formulas.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

namespace {
struct Sorted {
  Value values, indices;
};
} // namespace

/// Sorts along a dim; one number is a row of one. Values keep their type.
static Sorted sortAlong(PrimBuilder &b, Value x, int64_t dim, bool descending) {
  Value row = atLeast1d(b, withoutBool(b, x));
  auto sort =
      prim::SortOp::create(b.getBuilder(), b.getLoc(), row, dim, descending);
  return {b.convert(b.reshape(sort.getValues(), b.shapeOf(x)), b.elementOf(x)),
          b.reshape(sort.getIndices(), b.shapeOf(x))};
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

static FailureOr<Sorted> sorted(CallContext &c) {
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}))
    return failure();
  return sortAlong(c.b, self, c.dim("dim", c.b.rankOf(self)),
                   c.flag("descending"));
}

static LogicalResult decomposeSort(CallContext &c) {
  FailureOr<Sorted> result = sorted(c);
  return failed(result) ? failure()
                        : c.setResults({result->values, result->indices});
}

static LogicalResult decomposeArgsort(CallContext &c) {
  FailureOr<Sorted> result = sorted(c);
  return failed(result) ? failure() : c.setResult(0, result->indices);
}

static LogicalResult decomposeMsort(CallContext &c) {
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}))
    return failure();
  return c.setResult(0, sortAlong(c.b, self, 0, /*descending=*/false).values);
}

static LogicalResult decomposeTopk(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}))
    return failure();
  if (b.rankOf(self) == 0)
    return c.setResults({self, b.scalarInt(0, b.getBuilder().getI64Type())});
  int64_t dim = c.dim("dim", b.rankOf(self));
  Value row = withoutBool(b, self);
  sym::Shape shape = b.shapeOf(self);
  shape[dim] = c.size("k");
  auto topk = prim::TopkOp::create(
      b.getBuilder(), c.getLoc(), sym::tensorType(shape, b.elementOf(row)),
      sym::tensorType(shape, b.getBuilder().getI64Type()), row, dim,
      /*smallest=*/!c.flag("largest"));
  return c.setResults(
      {b.convert(topk.getValues(), b.elementOf(self)), topk.getIndices()});
}

/// The k-th smallest element is where sorting puts it.
static LogicalResult decomposeKthvalue(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}))
    return failure();
  int64_t dim = c.dim("dim", b.rankOf(self));
  Sorted all = sortAlong(b, self, dim, /*descending=*/false);
  if (b.rankOf(self) == 0)
    return c.setResults({all.values, all.indices});
  auto take = [&](Value x) {
    Value taken = b.slice(x, dim, sym::sub(c.size("k"), b.expr(1)), b.expr(1));
    return c.flag("keepdim") ? taken : b.squeeze(taken, dim);
  };
  return c.setResults({take(all.values), take(all.indices)});
}

//===----------------------------------------------------------------------===//
// Searching
//===----------------------------------------------------------------------===//

static LogicalResult setSearchsorted(CallContext &c, Value sequence,
                                     Value values, bool right) {
  PrimBuilder &b = c.b;
  if (refuseComplex(c, {sequence, values}))
    return failure();
  if (b.rankOf(sequence) == 0)
    return c.emitInvalid("expected a sequence of rank 1 or more");
  if (b.rankOf(sequence) > 1 && b.rankOf(sequence) != b.rankOf(values))
    return c.emitInvalid("expected sequences of the rank of the values");
  Type type = c.promote({sequence, values});
  sequence = withoutBool(b, c.convert(sequence, type));
  values = withoutBool(b, c.convert(values, type));
  Value result = prim::SearchsortedOp::create(b.getBuilder(), c.getLoc(),
                                              sequence, values, right);
  Type index = c.flag("out_int32") ? b.getBuilder().getI32Type()
                                   : b.getBuilder().getI64Type();
  return c.setResult(0, b.convert(result, index));
}

static LogicalResult decomposeSearchsorted(CallContext &c) {
  Value sequence = c.tensor("sorted_sequence"), values = c.tensor("self");
  if (auto sorter = c.optTensor("sorter")) {
    if (c.b.rankOf(*sorter) != c.b.rankOf(sequence) ||
        c.b.rankOf(sequence) == 0)
      return c.emitInvalid("expected a sorter of the sizes of the sequence");
    sequence = c.b.gather(sequence, c.b.rankOf(sequence) - 1, *sorter);
  }
  bool right = c.has("side") ? c.text("side") == "right" : c.flag("right");
  return setSearchsorted(c, sequence, values, right);
}

static LogicalResult decomposeBucketize(CallContext &c) {
  return setSearchsorted(c, c.tensor("boundaries"), c.tensor("self"),
                         c.flag("right"));
}

/// Compares every element with every candidate.
static LogicalResult setIsin(CallContext &c, StringRef elementsName,
                             StringRef candidatesName) {
  PrimBuilder &b = c.b;
  Value elements = c.tensor(elementsName),
        candidates = c.tensor(candidatesName);
  Type type = c.promote({elements, candidates});
  int64_t rank = b.rankOf(elements);
  Value column = b.unsqueeze(c.convert(elements, type), rank);
  Value row = flatten(b, c.convert(candidates, type));
  Value found = b.reduce(prim::Reduction::any,
                         b.compare(Comparison::eq, column, row), rank);
  return c.setResult(0, c.flag("invert") ? b.logicalNot(found) : found);
}

static LogicalResult decomposeIsin(CallContext &c) {
  return setIsin(c, "elements", "test_elements");
}

static LogicalResult decomposeIsinScalar(CallContext &c) {
  return setIsin(c, "elements", "test_element");
}

static LogicalResult decomposeScalarIsin(CallContext &c) {
  return setIsin(c, "element", "test_elements");
}

void normalize::registerSortDecompositions(DecompositionTable &table) {
  table.add("aten.sort.default", decomposeSort);
  table.add("aten.sort.stable", decomposeSort);
  table.add("aten.argsort.default", decomposeArgsort);
  table.add("aten.argsort.stable", decomposeArgsort);
  table.add("aten.msort.default", decomposeMsort);
  table.add("aten.topk.default", decomposeTopk);
  table.add("aten.kthvalue.default", decomposeKthvalue);
  table.add("aten.searchsorted.Tensor", decomposeSearchsorted);
  table.add("aten.searchsorted.Scalar", decomposeSearchsorted);
  table.add("aten.bucketize.Tensor", decomposeBucketize);
  table.add("aten.bucketize.Scalar", decomposeBucketize);
  table.add("aten.isin.Tensor_Tensor", decomposeIsin);
  table.add("aten.isin.Tensor_Scalar", decomposeIsinScalar);
  table.add("aten.isin.Scalar_Tensor", decomposeScalarIsin);
}
