//===- Segment.cpp - Reductions of segments of rows -----------------------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;
using prim::ScatterKind;

namespace {
/// Where segments lie along the last dim of their positions.
struct Segments {
  Value starts, ends; // [batch..., S]
  int64_t axis;       // of the data
};

struct SegmentKind {
  ScatterKind scatter;
  double neutral;
};
} // namespace

/// Result names are those of the argument `reduce`.
static std::optional<SegmentKind> kindOf(StringRef reduce) {
  if (reduce == "sum" || reduce == "mean")
    return SegmentKind{ScatterKind::add, 0};
  if (reduce == "prod")
    return SegmentKind{ScatterKind::mul, 1};
  if (reduce == "max")
    return SegmentKind{ScatterKind::max, -INFINITY};
  if (reduce == "min")
    return SegmentKind{ScatterKind::min, INFINITY};
  return std::nullopt;
}

/// By their lengths, or by offsets of which there is one more.
static FailureOr<Segments> segmentsOf(CallContext &c, Value data) {
  PrimBuilder &b = c.b;
  bool hasOffsets = c.has("offsets");
  if (!hasOffsets && c.isNone("lengths"))
    return c.emitUnsupported("segments by indices");
  Value given = c.tensor(hasOffsets ? "offsets" : "lengths");
  int64_t axis = c.dim("axis", b.rankOf(data));
  if (b.rankOf(given) != axis + 1 || !isInteger(b.elementOf(given)))
    return c.emitInvalid("expected integers of rank " + Twine(axis + 1));
  given = b.convert(given, b.getBuilder().getI64Type());
  if (!hasOffsets) {
    Value ends = prim::CumulativeOp::create(b.getBuilder(), c.getLoc(),
                                            prim::ScanKind::sum, given, axis);
    return Segments{b.sub(ends, given), ends, axis};
  }
  sym::Expr count = sym::sub(b.shapeOf(given)[axis], b.expr(1));
  return Segments{b.slice(given, axis, b.expr(0), count),
                  b.slice(given, axis, b.expr(1), count), axis};
}

/// A tensor of the leading dims of `data`, aligned with all of them.
static Value alignedWith(PrimBuilder &b, Value x, Value data) {
  sym::Shape shape = b.shapeOf(x);
  shape.resize(b.rankOf(data), b.expr(1));
  return b.reshape(x, shape);
}

/// For each row the segment that it belongs to: the first one that ends behind
/// it. Rows that belong to none get the first segment and the neutral value.
static std::pair<Value, Value> placeRows(PrimBuilder &b,
                                         const Segments &segments, Value data,
                                         double neutral) {
  int64_t axis = segments.axis;
  sym::Shape shape(ArrayRef(b.shapeOf(data)).take_front(axis + 1));
  Value row = b.iota(shape, axis, b.getBuilder().getI64Type());
  Value index = prim::SearchsortedOp::create(
      b.getBuilder(), b.getLoc(), segments.ends, row, /*right=*/true);
  Value count = b.symbolValue(b.shapeOf(segments.ends)[axis]);
  Value first = b.slice(segments.starts, axis, b.expr(0), b.expr(1));
  Value isInside = b.logicalAnd(b.compare(Comparison::lt, index, count),
                                b.compare(Comparison::ge, row, first));
  index = b.where(isInside, index, b.fullLike(index, 0));
  Value values =
      b.where(alignedWith(b, isInside, data), data, b.fullLike(data, neutral));
  index = b.broadcast(alignedWith(b, index, data), b.shapeOf(data));
  return {index, values};
}

/// Sums over lengths. A segment of no rows stays what it was at the start, or
/// is NaN if no start was given.
static Value meanOf(CallContext &c, Value sums, const Segments &segments) {
  PrimBuilder &b = c.b;
  Value length = b.sub(segments.ends, segments.starts);
  Value isEmpty = alignedWith(b, b.compare(Comparison::eq, length, 0.0), sums);
  Value divisor = alignedWith(b, b.convert(length, b.elementOf(sums)), sums);
  Value means = b.div(sums, b.where(isEmpty, b.fullLike(divisor, 1), divisor));
  if (c.has("initial"))
    return means;
  return b.where(isEmpty, b.fullLike(means, NAN), means);
}

static LogicalResult decomposeSegmentReduce(CallContext &c) {
  PrimBuilder &b = c.b;
  Value data = c.tensor("data");
  auto kind = kindOf(c.text("reduce"));
  if (!kind || !isFloat(b.elementOf(data)) || b.rankOf(data) == 0)
    return c.emitUnsupported("reduction '" + c.text("reduce") + "'");
  FailureOr<Segments> segments = segmentsOf(c, data);
  if (failed(segments))
    return failure();
  sym::Shape shape = b.shapeOf(data);
  if (sym::isConstant(b.shapeOf(segments->ends)[segments->axis], 0))
    return c.emitUnsupported("no segments");
  shape[segments->axis] = b.shapeOf(segments->ends)[segments->axis];
  Type element = b.elementOf(data), opmath = opmathType(element);
  double initial = c.optNumber("initial").value_or(kind->neutral);
  auto [index, values] =
      placeRows(b, *segments, b.convert(data, opmath), kind->neutral);
  Value result = prim::ScatterOp::create(
      b.getBuilder(), c.getLoc(), kind->scatter, b.full(shape, initial, opmath),
      index, values, segments->axis);
  if (c.text("reduce") == "mean")
    result = meanOf(c, result, *segments);
  return c.setResult(0, b.convert(result, element));
}

void normalize::registerSegmentDecompositions(DecompositionTable &table) {
  table.add("aten.segment_reduce.default", decomposeSegmentReduce);
}
