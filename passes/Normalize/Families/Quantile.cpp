//===- Quantile.cpp - Medians, quantiles, the mode ------------------------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

namespace {
/// A tensor sorted along one dim, NaN last.
struct SortedRow {
  Value values, indices;
  int64_t dim;
};
} // namespace

static SortedRow sortRow(PrimBuilder &b, Value x, int64_t dim) {
  auto sort = prim::SortOp::create(b.getBuilder(), b.getLoc(), x, dim,
                                   /*descending=*/false);
  return {sort.getValues(), sort.getIndices(), dim};
}

/// How many elements along the dim are numbers (i64, the dim being kept).
static Value countNumbers(PrimBuilder &b, Value x, int64_t dim) {
  Value isNumber = b.logicalNot(b.isNan(x));
  return b.sum(b.convert(isNumber, b.getBuilder().getI64Type()), dim,
               /*keepDims=*/true);
}

static Value sizeAlong(PrimBuilder &b, Value x, int64_t dim) {
  return b.symbolValue(b.shapeOf(x)[dim]);
}

static Value maybeSqueeze(PrimBuilder &b, Value x, int64_t dim, bool keepDim) {
  return keepDim ? x : b.squeeze(x, dim);
}

//===----------------------------------------------------------------------===//
// Medians
//===----------------------------------------------------------------------===//

/// Where the lower median stands in the sorted row. NaN is the median of a row
/// with a NaN, unless NaN is ignored.
static Value medianPosition(PrimBuilder &b, Value x, int64_t dim,
                            bool ignoreNan) {
  Type index = b.getBuilder().getI64Type();
  Value numbers = countNumbers(b, x, dim), size = sizeAlong(b, x, dim);
  Value considered = ignoreNan ? numbers : size;
  Value two = b.scalarInt(2, index), zero = b.scalarInt(0, index);
  Value middle = b.binary<prim::IDivOp>(b.max(b.sub(considered, 1), zero), two);
  if (ignoreNan)
    return middle;
  Value hasNan = b.compare(Comparison::lt, numbers, size);
  return b.where(hasNan, numbers, middle);
}

static LogicalResult setMedian(CallContext &c, bool ignoreNan) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}))
    return failure();
  bool isWhole = !c.has("dim");
  Value row = isWhole ? flatten(b, self) : atLeast1d(b, self);
  int64_t dim = isWhole ? 0 : c.dim("dim", b.rankOf(row));
  if (sym::isConstant(b.shapeOf(row)[dim], 0))
    return c.emitUnsupported("the median of no elements");
  SortedRow sorted = sortRow(b, row, dim);
  sym::Shape kept = b.shapeOf(row);
  kept[dim] = b.expr(1);
  Value position = b.broadcast(medianPosition(b, row, dim, ignoreNan), kept);
  // One number has no dim to lose.
  bool keepDim = c.flag("keepdim") && b.rankOf(self) > 0;
  auto take = [&](Value x) {
    return maybeSqueeze(b, b.gather(x, dim, position), dim, keepDim);
  };
  return c.setResults({take(sorted.values), take(sorted.indices)});
}

static LogicalResult decomposeMedian(CallContext &c) {
  return setMedian(c, false);
}

static LogicalResult decomposeNanmedian(CallContext &c) {
  return setMedian(c, true);
}

//===----------------------------------------------------------------------===//
// The mode
//===----------------------------------------------------------------------===//

/// How many elements of a run of equal elements lie before each element.
static Value positionInRun(PrimBuilder &b, Value sorted, int64_t dim) {
  sym::Shape shape = b.shapeOf(sorted), one = shape;
  one[dim] = b.expr(1);
  sym::Expr rest = sym::sub(shape[dim], b.expr(1));
  Value starts =
      b.compare(Comparison::ne, b.slice(sorted, dim, b.expr(1), rest),
                b.slice(sorted, dim, b.expr(0), rest));
  Value first = b.fullInt(one, 1, b.getBuilder().getI1Type());
  starts = b.checkShape(b.concat({first, starts}, dim), shape);
  Value position = b.broadcast(indexAlong(b, sorted, dim), shape);
  Value start = b.where(starts, position, b.fullLike(position, 0));
  Value runStart = prim::CumulativeOp::create(b.getBuilder(), b.getLoc(),
                                              prim::ScanKind::max, start, dim);
  return b.sub(position, runStart);
}

/// The smallest of the most frequent elements and where it stands last.
static LogicalResult decomposeMode(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}))
    return failure();
  Value row = atLeast1d(b, withoutBool(b, self));
  int64_t dim = c.dim("dim", b.rankOf(row));
  if (sym::isConstant(b.shapeOf(row)[dim], 0))
    return c.emitUnsupported("the mode of no elements");
  SortedRow sorted = sortRow(b, row, dim);
  Value best = b.argReduce(prim::Reduction::max,
                           positionInRun(b, sorted.values, dim), dim,
                           /*keepDim=*/true);
  bool keepDim = c.flag("keepdim") && b.rankOf(self) > 0;
  auto take = [&](Value x) {
    return maybeSqueeze(b, b.gather(x, dim, best), dim, keepDim);
  };
  return c.setResults({b.convert(take(sorted.values), b.elementOf(self)),
                       take(sorted.indices)});
}

//===----------------------------------------------------------------------===//
// Quantiles
//===----------------------------------------------------------------------===//

/// Positions among the sorted elements, for each q (last dim) and row.
static Value quantilePositions(PrimBuilder &b, Value row, Value q,
                               bool ignoreNan) {
  int64_t last = b.rankOf(row) - 1;
  Type element = b.elementOf(row);
  Value numbers = countNumbers(b, row, last), size = sizeAlong(b, row, last);
  Value considered = ignoreNan ? numbers : size;
  Value highest = b.convert(b.sub(considered, 1), element);
  Value position = b.mul(clampMin(b, highest, 0), q);
  if (ignoreNan)
    return position;
  // NaN stands last and is the quantile of its row.
  return b.where(b.compare(Comparison::lt, numbers, size), highest, position);
}

/// The elements at whole positions.
static Value takeAt(PrimBuilder &b, Value sorted, Value position) {
  int64_t last = b.rankOf(sorted) - 1;
  sym::Shape shape = b.shapeOf(sorted);
  shape[last] = b.shapeOf(position).back();
  Value index =
      b.broadcast(b.convert(position, b.getBuilder().getI64Type()), shape);
  return b.gather(sorted, last, index);
}

static Value interpolated(PrimBuilder &b, Value sorted, Value position,
                          StringRef mode) {
  Value below = b.unary<prim::FloorOp>(position),
        above = b.unary<prim::CeilOp>(position);
  if (mode == "lower")
    return takeAt(b, sorted, below);
  if (mode == "higher")
    return takeAt(b, sorted, above);
  if (mode == "nearest")
    return takeAt(b, sorted, b.unary<prim::RoundOp>(position));
  Value low = takeAt(b, sorted, below), high = takeAt(b, sorted, above);
  Value weight =
      mode == "midpoint" ? b.fullLike(position, 0.5) : b.sub(position, below);
  Value isSmall = b.compare(Comparison::lt, weight, 0.5);
  Value step = b.sub(high, low);
  Value fromHigh =
      b.sub(high, b.mul(step, b.sub(b.fullLike(weight, 1), weight)));
  Value value = b.where(isSmall, b.add(low, b.mul(step, weight)), fromHigh);
  // Equal neighbours, infinite ones too, need no interpolation.
  return b.where(b.compare(Comparison::eq, low, high), low, value);
}

static bool isInterpolation(StringRef mode) {
  return llvm::is_contained(
      {"linear", "lower", "higher", "midpoint", "nearest"}, mode);
}

/// self with the reduced dim last; all of it if no dim is given.
static Value rowsOf(CallContext &c, Value self) {
  if (!c.has("dim"))
    return flatten(c.b, self);
  self = atLeast1d(c.b, self);
  SmallVector<int64_t> order = allDims(self);
  int64_t dim = c.dim("dim", c.b.rankOf(self));
  order.erase(order.begin() + dim);
  order.push_back(dim);
  return c.b.transpose(self, order);
}

/// Puts the dim of q first and the reduced dim back if it is kept.
static Value placeQuantiles(CallContext &c, Value found, Value self,
                            bool hasManyQ) {
  PrimBuilder &b = c.b;
  int64_t last = b.rankOf(found) - 1, rank = b.rankOf(self);
  sym::Shape shape = b.shapeOf(found);
  sym::Expr count = shape.pop_back_val();
  if (c.flag("keepdim") && !c.has("dim"))
    shape.assign(rank, b.expr(1));
  else if (c.flag("keepdim") && rank > 0)
    shape.insert(shape.begin() + c.dim("dim", rank), b.expr(1));
  else if (rank == 0)
    shape.clear();
  SmallVector<int64_t> order = allDims(found);
  order.pop_back();
  order.insert(order.begin(), last);
  if (hasManyQ)
    shape.insert(shape.begin(), count);
  return b.reshape(b.transpose(found, order), shape);
}

static void assertProbability(PrimBuilder &b, Value q) {
  Value isHigh = b.compare(Comparison::ge, q, 0.0),
        isLow = b.compare(Comparison::le, q, 1.0);
  Value fits = b.logicalAnd(isHigh, isLow);
  Value all = b.reduce(prim::Reduction::all, fits, allDims(fits));
  prim::AssertOp::create(b.getBuilder(), b.getLoc(), all,
                         "expected values of q in the range from 0 to 1");
}

static LogicalResult setQuantile(CallContext &c, bool ignoreNan) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self"), q = c.tensor("q");
  StringRef mode = c.text("interpolation");
  Type element = b.elementOf(self);
  if (!element.isF32() && !element.isF64())
    return c.emitInvalid("expected float or double to take quantiles of");
  if (!isInterpolation(mode))
    return c.emitInvalid("unknown interpolation '" + mode + "'");
  if (b.rankOf(q) > 1)
    return c.emitInvalid("expected q of rank 0 or 1");
  bool hasManyQ = b.rankOf(q) == 1;
  q = atLeast1d(b, c.convert(q, element));
  assertProbability(b, q);
  Value rows = rowsOf(c, self);
  SortedRow sorted = sortRow(b, rows, b.rankOf(rows) - 1);
  Value position = quantilePositions(b, rows, q, ignoreNan);
  Value found = interpolated(b, sorted.values, position, mode);
  return c.setResult(0, placeQuantiles(c, found, self, hasManyQ));
}

static LogicalResult decomposeQuantile(CallContext &c) {
  return setQuantile(c, false);
}

static LogicalResult decomposeNanquantile(CallContext &c) {
  return setQuantile(c, true);
}

void normalize::registerQuantileDecompositions(DecompositionTable &table) {
  for (StringRef overload : {".default", ".dim"}) {
    table.add(("aten.median" + overload).str(), decomposeMedian);
    table.add(("aten.nanmedian" + overload).str(), decomposeNanmedian);
  }
  table.add("aten.mode.default", decomposeMode);
  for (StringRef overload : {".default", ".scalar"}) {
    table.add(("aten.quantile" + overload).str(), decomposeQuantile);
    table.add(("aten.nanquantile" + overload).str(), decomposeNanquantile);
  }
}
