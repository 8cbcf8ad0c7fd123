//===- Scatter.cpp - scatter, index_add and other writes by index ---------===//

#include "passes/Normalize/Families/Helpers.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using prim::ScatterKind;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Where values are written
//===----------------------------------------------------------------------===//

/// The places along a dim that a call writes: an index per element (scatter)
/// or per slice (index_add and the like). Operands have rank 1 or more.
struct Places {
  Value self, index, values;
  int64_t dim = 0;
  bool perSlice = false;
  bool isScalar = false; // the tensor has rank 0

  Value write(PrimBuilder &b, ScatterKind kind, Value operand,
              Value what) const {
    if (!perSlice)
      return scatter(b, kind, operand, index, what, dim);
    return indexPut(b, kind, operand, what, index, {dim}, dim);
  }
};

static LogicalResult setWritten(CallContext &c, const Places &places,
                                Value result) {
  return c.setResult(0, places.isScalar ? c.b.reshape(result, {}) : result);
}

/// self and index of a scatter.
static FailureOr<Places> readScatter(CallContext &c) {
  Places places;
  Value self = c.tensor("self"), index = c.tensor("index");
  places.isScalar = c.b.rankOf(self) == 0;
  places.dim = c.dim("dim", c.b.rankOf(self));
  places.self = atLeast1d(c.b, self);
  places.index = atLeast1d(c.b, asIndex(c.b, index));
  if (c.b.rankOf(places.self) != c.b.rankOf(places.index))
    return c.emitInvalid("expected a tensor and an index of one rank");
  return places;
}

/// The part of `src` that the index has the size of.
static FailureOr<Places> readScatterSource(CallContext &c) {
  FailureOr<Places> places = readScatter(c);
  if (failed(places))
    return failure();
  Value values = atLeast1d(c.b, c.tensor("src"));
  Shape shape = c.b.shapeOf(places->index), own = c.b.shapeOf(values);
  if (own.size() != shape.size() ||
      c.b.elementOf(values) != c.b.elementOf(places->self))
    return c.emitInvalid("expected a source of the rank of the index and the "
                         "element type of the "
                         "tensor");
  for (auto [dim, size] : llvm::enumerate(shape)) {
    auto taken = sym::asConstant(size), has = sym::asConstant(own[dim]);
    if (taken && has && *taken > *has)
      return c.emitInvalid("expected a source that is as large as the index");
    if (own[dim] != size)
      values = c.b.slice(values, dim, c.b.expr(0), size);
  }
  places->values = values;
  return places;
}

static FailureOr<Places> readScatterValue(CallContext &c) {
  FailureOr<Places> places = readScatter(c);
  if (failed(places))
    return failure();
  Value number = c.constant(c.scalar("value"), c.b.elementOf(places->self));
  places->values = c.b.broadcast(number, c.b.shapeOf(places->index));
  return places;
}

/// self and index of index_add and the like.
static FailureOr<Places> readSlices(CallContext &c) {
  Places places;
  Value self = c.tensor("self"), index = asIndex(c.b, c.tensor("index"));
  places.perSlice = true;
  places.isScalar = c.b.rankOf(self) == 0;
  places.dim = c.dim("dim", c.b.rankOf(self));
  places.self = atLeast1d(c.b, self);
  places.index = atLeast1d(c.b, index);
  if (c.b.rankOf(places.index) != 1)
    return c.emitInvalid("expected an index of rank 1");
  return places;
}

/// The sizes of the tensor with the number of indices along the dim.
static Shape slicesShape(CallContext &c, const Places &places) {
  Shape shape = c.b.shapeOf(places.self);
  shape[places.dim] = c.b.shapeOf(places.index)[0];
  return shape;
}

static FailureOr<Places> readSliceSource(CallContext &c) {
  FailureOr<Places> places = readSlices(c);
  if (failed(places))
    return failure();
  Value source = atLeast1d(c.b, c.tensor("source"));
  if (c.b.rankOf(source) != c.b.rankOf(places->self) ||
      c.b.elementOf(source) != c.b.elementOf(places->self))
    return c.emitInvalid(
        "expected a source of the rank and element type of the tensor");
  places->values = c.b.checkShape(source, slicesShape(c, *places));
  return places;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

enum class Reduce { Sum, Prod, Mean, Max, Min, Unknown };

static Reduce reduceByName(StringRef name) {
  return llvm::StringSwitch<Reduce>(name)
      .Cases({"sum", "add"}, Reduce::Sum)
      .Cases({"prod", "multiply"}, Reduce::Prod)
      .Case("mean", Reduce::Mean)
      .Case("amax", Reduce::Max)
      .Case("amin", Reduce::Min)
      .Default(Reduce::Unknown);
}

static ScatterKind kindOf(Reduce reduce) {
  switch (reduce) {
  case Reduce::Prod:
    return ScatterKind::mul;
  case Reduce::Max:
    return ScatterKind::max;
  case Reduce::Min:
    return ScatterKind::min;
  default:
    return ScatterKind::add;
  }
}

/// What changes nothing: 0, 1, the least or the largest number.
static Value neutral(CallContext &c, Reduce reduce, ArrayRef<Expr> shape,
                     Type element) {
  if (reduce == Reduce::Sum || reduce == Reduce::Mean || reduce == Reduce::Prod)
    return c.b.full(shape, reduce == Reduce::Prod, element);
  bool most = reduce == Reduce::Min;
  if (isFloat(element))
    return c.b.full(shape, most ? INFINITY : -INFINITY, element);
  unsigned width = element.getIntOrFloatBitWidth();
  bool isSigned = !isUnsigned(element) && !isBool(element);
  APInt bound = most ? (isSigned ? APInt::getSignedMaxValue(width)
                                 : APInt::getMaxValue(width))
                     : (isSigned ? APInt::getSignedMinValue(width)
                                 : APInt::getMinValue(width));
  return c.b.fullInt(
      shape, isSigned ? bound.getSExtValue() : bound.getZExtValue(), element);
}

/// The sum divided by how many were added; integers round down.
static Value divideByCounts(CallContext &c, Value sum, Value counts) {
  Value divisor = c.b.max(counts, c.b.fullLike(counts, 1));
  if (isFloat(c.b.elementOf(sum)) || isComplex(c.b.elementOf(sum)))
    return c.b.div(sum, divisor);
  Value quotient = c.b.binary<prim::IDivOp>(sum, divisor);
  Value isBelow = c.b.compare(prim::Comparison::lt,
                              c.b.binary<prim::RemOp>(sum, divisor), 0.0);
  return c.b.sub(quotient, c.b.convert(isBelow, c.b.elementOf(sum)));
}

/// `self` counts as one more value unless `includeSelf` is false; elements
/// that nothing is written to stay.
static LogicalResult setReduced(CallContext &c, const Places &places,
                                Reduce reduce, bool includeSelf) {
  Type element = c.b.elementOf(places.self);
  bool ordered = reduce == Reduce::Max || reduce == Reduce::Min;
  if (reduce == Reduce::Unknown)
    return c.emitInvalid("a reduction that is not known");
  if (isComplex(element) && ordered)
    return c.emitInvalid("expected real elements");
  Shape shape = c.b.shapeOf(places.values);
  Value start = places.self;
  if (!includeSelf)
    start = places.write(c.b, ScatterKind::set, start,
                         neutral(c, reduce, shape, element));
  Value result = places.write(c.b, kindOf(reduce), start, places.values);
  if (reduce != Reduce::Mean)
    return setWritten(c, places, result);
  Value counts = c.b.full(c.b.shapeOf(places.self), includeSelf, element);
  counts =
      places.write(c.b, ScatterKind::add, counts, c.b.full(shape, 1, element));
  return setWritten(c, places, divideByCounts(c, result, counts));
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

static LogicalResult decomposeScatterSrc(CallContext &c) {
  FailureOr<Places> places = readScatterSource(c);
  if (failed(places))
    return failure();
  return setWritten(
      c, *places,
      places->write(c.b, ScatterKind::set, places->self, places->values));
}

static LogicalResult decomposeScatterValue(CallContext &c) {
  FailureOr<Places> places = readScatterValue(c);
  if (failed(places))
    return failure();
  return setWritten(
      c, *places,
      places->write(c.b, ScatterKind::set, places->self, places->values));
}

static LogicalResult decomposeScatterAdd(CallContext &c) {
  FailureOr<Places> places = readScatterSource(c);
  return failed(places)
             ? failure()
             : setReduced(c, *places, Reduce::Sum, /*includeSelf=*/true);
}

static LogicalResult decomposeScatterReduce(CallContext &c) {
  FailureOr<Places> places = readScatterSource(c);
  if (failed(places))
    return failure();
  bool includeSelf = c.isNone("include_self") || c.flag("include_self");
  return setReduced(c, *places, reduceByName(c.text("reduce")), includeSelf);
}

static LogicalResult decomposeScatterValueReduce(CallContext &c) {
  FailureOr<Places> places = readScatterValue(c);
  if (failed(places))
    return failure();
  return setReduced(c, *places, reduceByName(c.text("reduce")),
                    /*includeSelf=*/true);
}

//===----------------------------------------------------------------------===//
// index_add and the like
//===----------------------------------------------------------------------===//

static LogicalResult decomposeIndexAdd(CallContext &c) {
  FailureOr<Places> places = readSliceSource(c);
  if (failed(places))
    return failure();
  Scalar alpha = c.scalar("alpha");
  if (!alpha.is(1))
    places->values = c.b.mul(places->values,
                             c.constant(alpha, c.b.elementOf(places->values)));
  return setReduced(c, *places, Reduce::Sum, /*includeSelf=*/true);
}

static LogicalResult decomposeIndexCopy(CallContext &c) {
  FailureOr<Places> places = readSliceSource(c);
  if (failed(places))
    return failure();
  return setWritten(
      c, *places,
      places->write(c.b, ScatterKind::set, places->self, places->values));
}

static LogicalResult decomposeIndexReduce(CallContext &c) {
  FailureOr<Places> places = readSliceSource(c);
  if (failed(places))
    return failure();
  return setReduced(c, *places, reduceByName(c.text("reduce")),
                    c.flag("include_self"));
}

static LogicalResult decomposeIndexFill(CallContext &c) {
  FailureOr<Places> places = readSlices(c);
  if (failed(places))
    return failure();
  places->index =
      fromEnd(c.b, places->index, c.b.shapeOf(places->self)[places->dim]);
  Value value = c.tensor("value");
  if (c.b.rankOf(value) != 0)
    return c.emitInvalid("expected a value of rank 0");
  Value converted = c.convert(value, c.b.elementOf(places->self));
  Value filled = c.b.broadcast(converted, slicesShape(c, *places));
  return setWritten(c, *places,
                    places->write(c.b, ScatterKind::set, places->self, filled));
}

void normalize::registerScatterDecompositions(DecompositionTable &table) {
  table.add("aten.scatter.src", decomposeScatterSrc);
  table.add("aten.scatter.value", decomposeScatterValue);
  table.add("aten.scatter.reduce", decomposeScatterReduce);
  table.add("aten.scatter.value_reduce", decomposeScatterValueReduce);
  table.add("aten.scatter_add.default", decomposeScatterAdd);
  table.add("aten.scatter_reduce.two", decomposeScatterReduce);
  table.add("aten.index_add.default", decomposeIndexAdd);
  table.add("aten.index_copy.default", decomposeIndexCopy);
  table.add("aten.index_reduce.default", decomposeIndexReduce);
  table.add("aten.index_fill.int_Scalar", decomposeIndexFill);
  table.add("aten.index_fill.int_Tensor", decomposeIndexFill);
}
