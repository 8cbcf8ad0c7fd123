//===- Extremum.cpp - Largest and smallest elements -----------------------===//

#include "passes/Normalize/Families/Formulas.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::PrimBuilder;
using prim::Reduction;

/// max of bool is any, min is all.
static Value reduceExtremum(PrimBuilder &b, Reduction kind, Value x,
                            ArrayRef<int64_t> dims, bool keepDims) {
  if (isBool(b.elementOf(x)))
    kind = kind == Reduction::max ? Reduction::any : Reduction::all;
  return b.reduce(kind, x, dims, keepDims);
}

/// torch has no value for an extremum of nothing.
static LogicalResult checkNotEmpty(CallContext &c, Value x,
                                   ArrayRef<int64_t> dims) {
  sym::Shape shape = c.b.shapeOf(x);
  for (int64_t dim : dims)
    if (sym::isConstant(shape[dim], 0))
      return c.emitInvalid("expected elements to reduce, but the size is 0");
  return success();
}

static LogicalResult setExtremum(CallContext &c, size_t result, Reduction kind,
                                 ArrayRef<int64_t> dims) {
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}) || failed(checkNotEmpty(c, self, dims)))
    return failure();
  return c.setResult(result,
                     reduceExtremum(c.b, kind, self, dims, c.flag("keepdim")));
}

/// amax, amin and the overloads of max and min without dim.
template <Reduction kind>
static LogicalResult decomposeExtremum(CallContext &c) {
  return setExtremum(c, 0, kind,
                     c.dimsOrAll("dim", c.b.rankOf(c.tensor("self"))));
}

static LogicalResult decomposeAminmax(CallContext &c) {
  Value self = c.tensor("self");
  auto dims = c.dimsOrAll("dim", c.b.rankOf(self));
  if (failed(setExtremum(c, 0, Reduction::min, dims)))
    return failure();
  return setExtremum(c, 1, Reduction::max, dims);
}

/// Values and indices along one dim.
template <Reduction kind>
static LogicalResult decomposeExtremumDim(CallContext &c) {
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}))
    return failure();
  if (c.b.rankOf(self) == 0)
    return c.setResults(
        {self, c.b.scalarInt(0, c.b.getBuilder().getI64Type())});
  int64_t dim = c.dim("dim", c.b.rankOf(self));
  if (failed(checkNotEmpty(c, self, dim)))
    return failure();
  // Gathered, so that the chosen element alone has the gradient.
  PrimBuilder &b = c.b;
  Value index = b.argReduce(kind, withoutBool(b, self), dim, /*keepDim=*/true);
  Value value = b.gather(self, dim, index);
  if (c.flag("keepdim"))
    return c.setResults({value, index});
  return c.setResults({b.squeeze(value, dim), b.squeeze(index, dim)});
}

/// Without dim it is the position among all elements.
template <Reduction kind> static LogicalResult decomposeArg(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = withoutBool(b, c.tensor("self"));
  if (refuseComplex(c, {self}))
    return failure();
  int64_t rank = b.rankOf(self), dim = 0;
  if (rank > 0 && c.has("dim")) {
    dim = c.dim("dim", rank);
    if (failed(checkNotEmpty(c, self, dim)))
      return failure();
    return c.setResult(0, b.argReduce(kind, self, dim, c.flag("keepdim")));
  }
  if (failed(checkNotEmpty(c, self, allDims(self))))
    return failure();
  Value index = b.argReduce(kind, flatten(b, self), 0);
  sym::Shape shape(c.flag("keepdim") ? rank : 0, b.expr(1));
  return c.setResult(0, b.reshape(index, shape));
}

void normalize::registerExtremumDecompositions(DecompositionTable &table) {
  table.add("aten.amax.default", decomposeExtremum<Reduction::max>);
  table.add("aten.amin.default", decomposeExtremum<Reduction::min>);
  table.add("aten.max.default", decomposeExtremum<Reduction::max>);
  table.add("aten.min.default", decomposeExtremum<Reduction::min>);
  table.add("aten.aminmax.default", decomposeAminmax);
  table.add("aten.max.dim", decomposeExtremumDim<Reduction::max>);
  table.add("aten.min.dim", decomposeExtremumDim<Reduction::min>);
  table.add("aten.argmax.default", decomposeArg<Reduction::max>);
  table.add("aten.argmin.default", decomposeArg<Reduction::min>);
}
