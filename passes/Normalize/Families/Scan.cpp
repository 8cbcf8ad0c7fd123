//===- Scan.cpp - Cumulative operators, differences, trapezoids -----------===//

#include "passes/Normalize/Families/Formulas.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;
using prim::ScanKind;

//===----------------------------------------------------------------------===//
// Cumulative operators
//===----------------------------------------------------------------------===//

static Value cumulative(PrimBuilder &b, ScanKind kind, Value x, int64_t dim) {
  return prim::CumulativeOp::create(b.getBuilder(), b.getLoc(), kind, x, dim);
}

/// Along the argument `dim`, in f32 for half precision. One number stays.
static Value scanned(CallContext &c, ScanKind kind, Value x) {
  Type element = c.b.elementOf(x);
  Value row = atLeast1d(c.b, c.b.convert(x, opmathType(element)));
  Value result = cumulative(c.b, kind, row, c.dim("dim", c.b.rankOf(row)));
  return c.b.convert(c.b.reshape(result, c.b.shapeOf(x)), element);
}

template <ScanKind kind>
static LogicalResult decomposeCumulative(CallContext &c) {
  Value self = c.tensor("self");
  Type type = c.dtype("dtype").value_or(sumType(c.b.elementOf(self)));
  return c.setResult(0, scanned(c, kind, c.b.convert(self, type)));
}

static LogicalResult decomposeLogcumsumexp(CallContext &c) {
  Value self = c.tensor("self");
  if (!isFloat(c.b.elementOf(self)))
    return c.emitUnsupported("numbers that are no floats");
  return c.setResult(0, scanned(c, ScanKind::logsumexp, self));
}

template <ScanKind kind>
static LogicalResult decomposeCumulativeExtremum(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}))
    return failure();
  Value row = atLeast1d(b, withoutBool(b, self));
  int64_t dim = c.dim("dim", b.rankOf(row));
  Value indices =
      prim::ArgCumulativeOp::create(b.getBuilder(), c.getLoc(), kind, row, dim);
  // Gathered, so that the chosen element alone has the gradient.
  Value values = b.gather(atLeast1d(b, self), dim, indices);
  return c.setResults({b.reshape(values, b.shapeOf(self)),
                       b.reshape(indices, b.shapeOf(self))});
}

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

/// All elements along a dim but the last one, and all but the first.
static std::pair<Value, Value> neighbours(PrimBuilder &b, Value x,
                                          int64_t dim) {
  sym::Expr size = sym::sub(b.shapeOf(x)[dim], b.expr(1));
  return {b.slice(x, dim, b.expr(0), size), b.slice(x, dim, b.expr(1), size)};
}

static Value difference(PrimBuilder &b, Value x, int64_t dim) {
  auto [before, after] = neighbours(b, x, dim);
  if (isBool(b.elementOf(x)))
    return b.binary<prim::XorOp>(after, before);
  return b.sub(after, before);
}

/// self between `prepend` and `append`, of the common type.
static Value extended(CallContext &c, Value self, int64_t dim) {
  SmallVector<Value> parts;
  if (auto before = c.optTensor("prepend"))
    parts.push_back(*before);
  parts.push_back(self);
  if (auto after = c.optTensor("append"))
    parts.push_back(*after);
  Type type = c.promote(parts);
  for (Value &part : parts)
    part = c.convert(part, type);
  return c.b.concat(parts, dim);
}

static LogicalResult decomposeDiff(CallContext &c) {
  Value self = c.tensor("self");
  int64_t rank = c.b.rankOf(self), order = c.integer("n");
  if (rank == 0)
    return c.emitInvalid("expected a tensor of rank 1 or more");
  int64_t dim = c.dim("dim", rank);
  for (StringRef name : {"prepend", "append"})
    if (auto part = c.optTensor(name); part && c.b.rankOf(*part) != rank)
      return c.emitInvalid("expected '" + name + "' of rank " + Twine(rank));
  Value result = extended(c, self, dim);
  // More differences than elements leave nothing.
  if (auto size = sym::asConstant(c.b.shapeOf(result)[dim]))
    order = std::min(order, *size);
  if (order > 1000)
    return c.emitUnsupported("differences of order " + Twine(order));
  for (int64_t i = 0; i < order; ++i)
    result = difference(c.b, result, dim);
  return c.setResult(0, result);
}

//===----------------------------------------------------------------------===//
// Trapezoids
//===----------------------------------------------------------------------===//

/// The points `x` aligned with the dims of `y`, of which they may have one.
static Value alignedPoints(PrimBuilder &b, Value x, Value y, int64_t dim) {
  sym::Shape shape = b.shapeOf(x);
  int64_t missing = b.rankOf(y) - b.rankOf(x);
  if (b.rankOf(x) == 1) {
    shape.assign(b.rankOf(y), b.expr(1));
    shape[dim] = b.shapeOf(x)[0];
  } else if (missing > 0) {
    shape.insert(shape.begin(), missing, b.expr(1));
  }
  return b.reshape(x, shape);
}

/// The widths of the intervals: differences of `x`, or the number `dx`.
static FailureOr<Value> widths(CallContext &c, Value y, int64_t dim) {
  if (!c.has("x"))
    return c.wrap(c.scalar("dx"));
  Value x = c.tensor("x");
  if (c.b.rankOf(x) == 0 || c.b.rankOf(x) > c.b.rankOf(y))
    return c.emitUnsupported("points of another rank than the values");
  return difference(c.b, alignedPoints(c.b, x, y, dim), dim);
}

/// Twice the area of each trapezoid along `dim`.
static FailureOr<Value> doubledAreas(CallContext &c, Value y, int64_t dim) {
  FailureOr<Value> width = widths(c, y, dim);
  if (failed(width))
    return failure();
  auto [left, right] = neighbours(c.b, y, dim);
  return c.elementwiseFloat({*width, left, right}, [&](Operands x) {
    return c.b.mul(x[0], c.b.add(x[1], x[2]));
  });
}

static LogicalResult setTrapezoid(CallContext &c, bool isCumulative) {
  Value y = c.tensor("y");
  if (c.b.rankOf(y) == 0)
    return c.emitInvalid("expected a tensor of rank 1 or more");
  int64_t dim = c.dim("dim", c.b.rankOf(y));
  if (sym::isConstant(c.b.shapeOf(y)[dim], 0))
    return c.emitUnsupported("a dim of size 0");
  FailureOr<Value> areas = doubledAreas(c, y, dim);
  if (failed(areas))
    return failure();
  Value sum =
      isCumulative ? scanned(c, ScanKind::sum, *areas) : c.b.sum(*areas, dim);
  return c.setResult(0, c.b.div(sum, 2));
}

static LogicalResult decomposeTrapezoid(CallContext &c) {
  return setTrapezoid(c, false);
}

static LogicalResult decomposeCumulativeTrapezoid(CallContext &c) {
  return setTrapezoid(c, true);
}

void normalize::registerScanDecompositions(DecompositionTable &table) {
  table.add("aten.cumsum.default", decomposeCumulative<ScanKind::sum>);
  table.add("aten.cumprod.default", decomposeCumulative<ScanKind::prod>);
  table.add("aten.cummax.default", decomposeCumulativeExtremum<ScanKind::max>);
  table.add("aten.cummin.default", decomposeCumulativeExtremum<ScanKind::min>);
  table.add("aten.logcumsumexp.default", decomposeLogcumsumexp);
  table.add("aten.diff.default", decomposeDiff);
  for (StringRef overload : {".x", ".dx"}) {
    table.add(("aten.trapezoid" + overload).str(), decomposeTrapezoid);
    table.add(("aten.trapz" + overload).str(), decomposeTrapezoid);
    table.add(("aten.cumulative_trapezoid" + overload).str(),
              decomposeCumulativeTrapezoid);
  }
}
