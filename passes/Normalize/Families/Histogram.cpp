//===- Histogram.cpp - Counting elements in bins --------------------------===//

#include "passes/Normalize/Families/Formulas.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;
using prim::Reduction;

/// Adds each value to the bin that its index names.
static Value accumulate(PrimBuilder &b, sym::Expr bins, Value index, Value values) {
  Value empty = b.full({bins}, 0, b.elementOf(values));
  return prim::ScatterOp::create(b.getBuilder(), b.getLoc(), prim::ScatterKind::add, empty, index,
                                 values, 0);
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
  Value fits = b.reduce(Reduction::all, b.compare(Comparison::ge, self, 0.0), 0);
  prim::AssertOp::create(b.getBuilder(), c.getLoc(), fits,
                         "expected elements that are not negative");
  if (failed(c.bindSymbol(0, binCount(b, self, c.size("minlength")))))
    return failure();
  Value values = b.fullLike(self, 1);
  if (auto weights = c.optTensor("weights")) {
    Type element = b.elementOf(*weights);
    values = b.convert(*weights, element.isF32() ? element : Type(b.getBuilder().getF64Type()));
    values = b.checkShape(values, b.shapeOf(self));
  }
  return c.setResult(0, accumulate(b, sym::symbol(c.getContext(), c.definedSymbol(0)), self, values));
}

//===----------------------------------------------------------------------===//
// histc
//===----------------------------------------------------------------------===//

struct Interval {
  Value low, high; // rank 0
};

/// The given interval, or that of the data; never of width 0.
static Interval histogramRange(CallContext &c, Value x) {
  PrimBuilder &b = c.b;
  Type element = b.elementOf(x);
  double low = c.number("min"), high = c.number("max");
  if (low != high)
    return {b.scalar(low, element), b.scalar(high, element)};
  Interval range{b.scalar(low, element), b.scalar(high, element)};
  if (low == 0 && !sym::isConstant(b.shapeOf(x)[0], 0))
    range = {b.reduce(Reduction::min, x, 0), b.reduce(Reduction::max, x, 0)};
  Value isPoint = b.compare(Comparison::eq, range.low, range.high);
  return {b.where(isPoint, b.sub(range.low, 1), range.low),
          b.where(isPoint, b.add(range.high, 1), range.high)};
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
  Value position = b.div(b.mul(offset, double(bins)), b.sub(range.high, range.low));
  Value index = b.convert(position, b.getBuilder().getI64Type());
  // The last bin includes its upper end.
  index = b.min(index, b.scalarInt(bins - 1, b.elementOf(index)));
  return c.setResult(0, accumulate(b, b.expr(bins), index, b.convert(isInside, element)));
}

void normalize::registerHistogramDecompositions(DecompositionTable &table) {
  table.add("aten.bincount.default", decomposeBincount);
  table.add("aten.histc.default", decomposeHistc);
}
