//===- Histogram.cpp - Counting elements in bins --------------------------===//

#include "passes/Normalize/Families/Formulas.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;
using prim::Reduction;

/// Adds each value to the bin that its index names.
static Value accumulate(PrimBuilder &b, sym::Expr bins, Value index,
                        Value values) {
  Value empty = b.full({bins}, 0, b.elementOf(values));
  return prim::ScatterOp::create(b.getBuilder(), b.getLoc(),
                                 prim::ScatterKind::add, empty, index, values,
                                 0);
}

//===----------------------------------------------------------------------===//
// bincount
//===----------------------------------------------------------------------===//

/// One more than the largest element, and at least `minimum`.
static Value binCount(PrimBuilder &b, Value x, sym::Expr minimum) {
  Value none = b.scalarInt(-1, b.elementOf(x));
  Value largest = b.max(b.reduce(Reduction::max, x, 0), none);
  return b.max(b.add(largest, 1), b.symbolValue(minimum));
}

static LogicalResult decomposeBincount(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  if (b.rankOf(self) != 1 || !isInteger(b.elementOf(self)))
    return c.emitInvalid("expected a vector of integers");
  if (c.numDefinedSymbols() != 1)
    return c.emitUnsupported("a number of bins that no symbol stands for");
  self = b.convert(self, b.getBuilder().getI64Type());
  Value fits =
      b.reduce(Reduction::all, b.compare(Comparison::ge, self, 0.0), 0);
  prim::AssertOp::create(b.getBuilder(), c.getLoc(), fits,
                         "expected elements that are not negative");
  if (failed(c.bindSymbol(0, binCount(b, self, c.size("minlength")))))
    return failure();
  Value values = b.fullLike(self, 1);
  if (auto weights = c.optTensor("weights")) {
    Type element = b.elementOf(*weights);
    values = b.convert(*weights, element.isF32()
                                     ? element
                                     : Type(b.getBuilder().getF64Type()));
    values = b.checkShape(values, b.shapeOf(self));
  }
  return c.setResult(
      0, accumulate(b, sym::symbol(c.getContext(), c.definedSymbol(0)), self,
                    values));
}

//===----------------------------------------------------------------------===//
// histc
//===----------------------------------------------------------------------===//

namespace {
struct Interval {
  Value low, high; // rank 0
};
} // namespace

static Interval extent(PrimBuilder &b, Value x, int64_t dim) {
  return {b.reduce(Reduction::min, x, dim), b.reduce(Reduction::max, x, dim)};
}

/// By `margin` at both ends where the interval is a point.
static Interval widened(PrimBuilder &b, Interval range, double margin) {
  Value isPoint = b.compare(Comparison::eq, range.low, range.high);
  return {b.where(isPoint, b.sub(range.low, margin), range.low),
          b.where(isPoint, b.add(range.high, margin), range.high)};
}

/// The given interval, or that of the data; never of width 0.
static Interval histogramRange(CallContext &c, Value x) {
  PrimBuilder &b = c.b;
  Type element = b.elementOf(x);
  double low = c.number("min"), high = c.number("max");
  if (low != high)
    return {b.scalar(low, element), b.scalar(high, element)};
  Interval range{b.scalar(low, element), b.scalar(high, element)};
  if (!sym::isConstant(b.shapeOf(x)[0], 0))
    range = extent(b, x, 0);
  return widened(b, range, 1);
}

/// Elements outside of the interval are not counted.
static LogicalResult decomposeHistc(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  int64_t bins = c.integer("bins");
  Type element = b.elementOf(self);
  if (!element.isF32() && !element.isF64())
    return c.emitUnsupported("a histogram of numbers that are no floats");
  if (bins < 1)
    return c.emitInvalid("expected at least one bin, but found " + Twine(bins));
  Value x = flatten(b, self);
  Interval range = histogramRange(c, x);
  Value isInside = b.logicalAnd(b.compare(Comparison::ge, x, range.low),
                                b.compare(Comparison::le, x, range.high));
  Value offset = b.sub(b.where(isInside, x, range.low), range.low);
  Value position =
      b.div(b.mul(offset, double(bins)), b.sub(range.high, range.low));
  Value index = b.convert(position, b.getBuilder().getI64Type());
  // The last bin includes its upper end.
  index = b.min(index, b.scalarInt(bins - 1, b.elementOf(index)));
  return c.setResult(
      0, accumulate(b, b.expr(bins), index, b.convert(isInside, element)));
}

//===----------------------------------------------------------------------===//
// histogram, histogramdd
//===----------------------------------------------------------------------===//

/// `bins` + 1 numbers from low to high, each counted from the nearer end.
static Value evenEdges(PrimBuilder &b, Interval range, int64_t bins) {
  Type element = b.elementOf(range.low);
  Value index = b.iota({b.expr(bins + 1)}, 0, element);
  Value step = b.div(b.sub(range.high, range.low), double(bins));
  Value fromLow = b.add(range.low, b.mul(index, step));
  Value fromHigh = b.sub(
      range.high, b.mul(b.sub(b.fullLike(index, double(bins)), index), step));
  return b.where(b.compare(Comparison::lt, index, double((bins + 1) / 2)),
                 fromLow, fromHigh);
}

/// The edges for the coordinates x of dim i of D: from `range`, or the data.
static Value edgesOf(CallContext &c, Value x, int64_t bins, size_t i) {
  PrimBuilder &b = c.b;
  Type element = b.elementOf(x);
  Interval range{b.scalar(0, element), b.scalar(1, element)};
  SmallVector<double> given = c.numbers("range");
  if (given.size() > 2 * i + 1)
    range = {b.scalar(given[2 * i], element),
             b.scalar(given[2 * i + 1], element)};
  else if (!sym::isConstant(b.shapeOf(x)[0], 0))
    range = extent(b, x, 0);
  return evenEdges(b, widened(b, range, 0.5), bins);
}

namespace {
struct Binned {
  Value index, isInside; // of each element
};
} // namespace

static Binned findBins(PrimBuilder &b, Value x, Value edges) {
  sym::Expr count = b.shapeOf(edges)[0];
  auto edge = [&](sym::Expr at) {
    return b.squeeze(b.slice(edges, 0, at, b.expr(1)), 0);
  };
  Value low = edge(b.expr(0)), high = edge(sym::sub(count, b.expr(1)));
  Value isInside = b.logicalAnd(b.compare(Comparison::ge, x, low),
                                b.compare(Comparison::le, x, high));
  Value placed = b.where(isInside, x, low);
  Value index =
      prim::SearchsortedOp::create(b.getBuilder(), b.getLoc(), edges, placed,
                                   /*right=*/true);
  // The last bin includes its upper end.
  Value last = b.symbolValue(sym::sub(count, b.expr(2)));
  return {b.min(b.sub(index, 1), last), isInside};
}

/// Sums weights over boxes of bins: columns of `points` are coordinates.
static Value countBoxes(CallContext &c, Value points, ArrayRef<Value> edges) {
  PrimBuilder &b = c.b;
  Type element = b.elementOf(points);
  sym::Expr samples = b.shapeOf(points)[0], total = b.expr(1);
  Value index = b.fullInt({samples}, 0, b.getBuilder().getI64Type());
  Value weights = b.full({samples}, 1, element);
  if (auto given = c.optTensor("weight"))
    weights = b.reshape(b.convert(*given, element), {samples});
  sym::Shape shape;
  for (auto [i, edge] : llvm::enumerate(edges)) {
    Value column = b.squeeze(b.slice(points, 1, b.expr(i), b.expr(1)), 1);
    Binned bins = findBins(b, column, edge);
    shape.push_back(sym::sub(b.shapeOf(edge)[0], b.expr(1)));
    total = sym::mul(total, shape.back());
    index = b.add(b.mul(index, b.symbolValue(shape.back())), bins.index);
    weights = b.where(bins.isInside, weights, b.fullLike(weights, 0));
  }
  return b.reshape(accumulate(b, total, index, weights), shape);
}

/// A density: counts over their sum and the size of each box.
static Value densityOf(PrimBuilder &b, Value counts, ArrayRef<Value> edges) {
  Value density = b.div(counts, b.sum(counts, allDims(counts)));
  for (auto [i, edge] : llvm::enumerate(edges)) {
    sym::Shape shape(edges.size(), b.expr(1));
    shape[i] = sym::sub(b.shapeOf(edge)[0], b.expr(1));
    Value widths = b.sub(b.slice(edge, 0, b.expr(1), shape[i]),
                         b.slice(edge, 0, b.expr(0), shape[i]));
    density = b.div(density, b.reshape(widths, shape));
  }
  return density;
}

/// The tensors of `bins`; none if these are numbers of bins.
static SmallVector<Value> givenEdges(CallContext &c) {
  if (c.callee() == "aten.histogram.bins_tensor")
    return {c.tensor("bins")};
  if (c.callee() == "aten.histogramdd.TensorList_bins")
    return c.tensors("bins");
  return {};
}

/// `points` [samples, D]; `bins` are numbers of bins or tensors of edges.
static LogicalResult setHistogram(CallContext &c, Value points, int64_t dims) {
  PrimBuilder &b = c.b;
  SmallVector<Value> edges = givenEdges(c);
  bool hasEdges = !edges.empty();
  SmallVector<int64_t> bins;
  if (!hasEdges)
    bins = c.integers("bins", dims);
  if (int64_t(hasEdges ? edges.size() : bins.size()) != dims)
    return c.emitInvalid("expected bins for each of " + Twine(dims) +
                         " coordinates");
  for (int64_t i = 0; i < dims && !hasEdges; ++i) {
    if (bins[i] < 1 || bins[i] > (1 << 24))
      return c.emitInvalid("expected at least one bin, but found " +
                           Twine(bins[i]));
    Value column = b.squeeze(b.slice(points, 1, b.expr(i), b.expr(1)), 1);
    edges.push_back(edgesOf(c, column, bins[i], i));
  }
  for (Value edge : edges)
    if (b.rankOf(edge) != 1 || b.elementOf(edge) != b.elementOf(points))
      return c.emitInvalid(
          "expected edges of rank 1 and of the elements' type");
  Value counts = countBoxes(c, points, edges);
  (void)c.setResult(0,
                    c.flag("density") ? densityOf(b, counts, edges) : counts);
  for (auto [i, edge] : llvm::enumerate(edges))
    (void)c.setResult(1 + i, edge);
  return success();
}

static bool isSingleOrDouble(Type element) {
  return element.isF32() || element.isF64();
}

static LogicalResult decomposeHistogram(CallContext &c) {
  Value self = c.tensor("self");
  if (!isSingleOrDouble(c.b.elementOf(self)))
    return c.emitUnsupported("a histogram of numbers that are no floats");
  return setHistogram(c, c.b.unsqueeze(flatten(c.b, self), 1), 1);
}

static LogicalResult decomposeHistogramdd(CallContext &c) {
  Value self = c.tensor("self");
  if (!isSingleOrDouble(c.b.elementOf(self)) || c.b.rankOf(self) < 2)
    return c.emitUnsupported("a histogram of numbers that are no floats");
  sym::Shape shape = c.b.shapeOf(self);
  auto dims = sym::asConstant(shape.back());
  if (!dims || *dims > 64)
    return c.emitUnsupported("a symbolic number of coordinates");
  sym::Expr samples = sym::product(c.getContext(), ArrayRef(shape).drop_back());
  return setHistogram(c, c.b.reshape(self, {samples, shape.back()}), *dims);
}

void normalize::registerHistogramDecompositions(DecompositionTable &table) {
  table.add("aten.histogram.bin_ct", decomposeHistogram);
  table.add("aten.histogram.bins_tensor", decomposeHistogram);
  table.add("aten.histogramdd.default", decomposeHistogramdd);
  table.add("aten.histogramdd.int_bins", decomposeHistogramdd);
  table.add("aten.histogramdd.TensorList_bins", decomposeHistogramdd);
  table.add("aten.bincount.default", decomposeBincount);
  table.add("aten.histc.default", decomposeHistc);
}
