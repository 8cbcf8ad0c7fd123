//===- AdaptivePooling.cpp - Pooling to a given size ----------------------===//
//
// Window o of dim size n reaches from floor(o n / out) to ceil((o + 1) n /
// out).
//
//===----------------------------------------------------------------------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

/// The windows along one dim: `[out, longest]` positions, those beyond the end
/// of a window repeat its last element, and which of them count.
struct AdaptiveDim {
  Value positions, isInside, counts;
};

static AdaptiveDim adaptiveDim(PrimBuilder &b, Expr size, Expr out) {
  // A window is no longer than ceil(size / out) + 1.
  Expr longest = sym::add(sym::ceilDiv(size, out), b.expr(1));
  if (auto n = sym::asConstant(size), m = sym::asConstant(out);
      n && m && *m > 0 && *n % *m == 0)
    longest = b.expr(*n / *m);
  Value steps = arange(b, out), one = b.scalarInt(1, indexType(b));
  Value start = divideIndex(b, b.mul(steps, sizeValue(b, size)), out);
  Value next = b.mul(b.add(steps, one), sizeValue(b, size));
  Value end =
      divideIndex(b, b.add(next, sizeValue(b, sym::sub(out, b.expr(1)))), out);
  start = b.unsqueeze(start, 1);
  end = b.unsqueeze(end, 1);
  Value raw = b.add(start, b.iota({out, longest}, 1, indexType(b)));
  return {b.min(raw, b.sub(end, one)),
          b.compare(prim::Comparison::lt, raw, end),
          b.squeeze(b.sub(end, start), 1)};
}

/// Output sizes; an entry of None (recorded as absent) keeps the size.
static FailureOr<Shape> outputSizes(CallContext &c, Value self, size_t count) {
  Shape sizes = c.sizes("output_size", count);
  if (sizes.size() == 1)
    sizes.assign(count, sizes[0]);
  int64_t rank = c.b.rankOf(self);
  if (sizes.size() != count ||
      (rank != int64_t(count) + 1 && rank != int64_t(count) + 2))
    return c.emitInvalid("expected an input of rank " + Twine(count + 1) +
                         " or " + Twine(count + 2) + " and " + Twine(count) +
                         " output sizes");
  for (Expr size : sizes)
    if (auto value = sym::asConstant(size); value && *value < 1)
      return c.emitUnsupported("an output size of 0");
  return sizes;
}

/// The window of every dim if all windows are equal and do not overlap.
static std::optional<SmallVector<int64_t>>
equalWindows(CallContext &c, Value self, ArrayRef<Expr> out) {
  Shape shape = c.b.shapeOf(self);
  SmallVector<int64_t> result;
  for (auto [size, outSize] :
       llvm::zip(ArrayRef(shape).take_back(out.size()), out)) {
    auto n = sym::asConstant(size), m = sym::asConstant(outSize);
    if (!n || !m || *n == 0 || *n % *m != 0)
      return std::nullopt;
    result.push_back(*n / *m);
  }
  return result;
}

static bool isGlobal(ArrayRef<Expr> out) {
  return llvm::all_of(out, [](Expr size) { return sym::isConstant(size, 1); });
}

//===----------------------------------------------------------------------===//
// Mean
//===----------------------------------------------------------------------===//

static Value poolEqual(CallContext &c, prim::Reduction kind, Value x,
                       ArrayRef<int64_t> window) {
  SmallVector<int64_t> zeros(window.size(), 0), ones(window.size(), 1);
  return prim::PoolOp::create(c.b.getBuilder(), c.getLoc(), kind, x, window,
                              window, zeros, zeros, ones,
                              prim::ImageLayout::channels_first);
}

/// Sums over the windows of one dim; elements beyond a window count as 0.
static Value sumWindows(PrimBuilder &b, Value x, int64_t dim,
                        const AdaptiveDim &windows) {
  Value taken = b.indexSelect(x, dim, windows.positions);
  Value inside = alignTo(b, windows.isInside, dim, b.rankOf(taken));
  Value masked = b.where(inside, taken, b.scalar(0, b.elementOf(x)));
  return b.sum(masked, {dim + 1});
}

static Value meanOfWindows(PrimBuilder &b, Value x, ArrayRef<Expr> out) {
  int64_t rank = b.rankOf(x), first = rank - out.size();
  Shape shape = b.shapeOf(x);
  Value divisor, sums = x;
  for (int64_t dim = first; dim < rank; ++dim) {
    AdaptiveDim windows = adaptiveDim(b, shape[dim], out[dim - first]);
    sums = sumWindows(b, sums, dim, windows);
    Value counts =
        alignTo(b, b.convert(windows.counts, b.elementOf(x)), dim, rank);
    divisor = divisor ? b.mul(divisor, counts) : counts;
  }
  return b.div(sums, divisor);
}

static LogicalResult decomposeAdaptiveAvg(CallContext &c, size_t count) {
  Value self = c.tensor("self");
  if (!isFloat(c.b.elementOf(self)))
    return c.emitUnsupported("an input that is no float tensor");
  FailureOr<Shape> out = outputSizes(c, self, count);
  if (failed(out))
    return failure();
  return c.setResult(0, c.elementwise({self}, [&](ArrayRef<Value> x) -> Value {
    int64_t first = c.b.rankOf(self) - count;
    if (isGlobal(*out))
      return c.b.mean(x[0], dimRange(first, count), /*keepDims=*/true);
    auto window = equalWindows(c, self, *out);
    if (!window)
      return meanOfWindows(c.b, x[0], *out);
    int64_t divisor = 1;
    for (int64_t size : *window)
      divisor *= size;
    return c.b.div(poolEqual(c, prim::Reduction::sum, x[0], *window),
                   double(divisor));
  }));
}

static LogicalResult decomposeAdaptiveAvg1d(CallContext &c) {
  return decomposeAdaptiveAvg(c, 1);
}
static LogicalResult decomposeAdaptiveAvg2d(CallContext &c) {
  return decomposeAdaptiveAvg(c, 2);
}
static LogicalResult decomposeAdaptiveAvg3d(CallContext &c) {
  return decomposeAdaptiveAvg(c, 3);
}

//===----------------------------------------------------------------------===//
// Maximum
//===----------------------------------------------------------------------===//

/// Brings `[..., out, window, out, window]` to `[..., out, out, windows]`.
static Value gatherWindows(PrimBuilder &b, Value value, int64_t first,
                           int64_t count) {
  SmallVector<int64_t> permutation = dimRange(0, first);
  for (int64_t part : {0, 1})
    for (int64_t i = 0; i < count; ++i)
      permutation.push_back(first + 2 * i + part);
  return joinDims(b, b.transpose(value, permutation), first + count, count);
}

/// The elements of all windows in a last dim, and the position of each within
/// its plane (row-major), for `[out..., windows]`.
static std::pair<Value, Value> windowsAndPlaces(PrimBuilder &b, Value x,
                                                ArrayRef<Expr> out) {
  int64_t count = out.size(), first = b.rankOf(x) - count;
  Shape shape = b.shapeOf(x);
  Value taken = x, places;
  for (int64_t i = 0; i < count; ++i) {
    AdaptiveDim windows = adaptiveDim(b, shape[first + i], out[i]);
    taken = b.indexSelect(taken, first + 2 * i, windows.positions);
    Value own = alignTo(b, windows.positions, 2 * i, 2 * count);
    places = places ? b.add(b.mul(places, sizeValue(b, shape[first + i])), own)
                    : own;
  }
  return {gatherWindows(b, taken, first, count),
          gatherWindows(b, places, 0, count)};
}

static LogicalResult decomposeAdaptiveMax(CallContext &c, size_t count) {
  Value self = c.tensor("self");
  FailureOr<Shape> out = outputSizes(c, self, count);
  if (failed(out))
    return failure();
  auto [windows, places] = windowsAndPlaces(c.b, self, *out);
  int64_t last = c.b.rankOf(windows) - 1;
  Value largest =
      c.b.argReduce(prim::Reduction::max, windows, last, /*keepDim=*/true);
  Value broadcast = c.b.broadcast(places, c.b.shapeOf(windows));
  Value where = c.b.squeeze(c.b.gather(broadcast, last, largest), last);
  return c.setResults(
      {c.b.reduce(prim::Reduction::max, windows, {last}), where});
}

static LogicalResult decomposeAdaptiveMax1d(CallContext &c) {
  return decomposeAdaptiveMax(c, 1);
}
static LogicalResult decomposeAdaptiveMax2d(CallContext &c) {
  return decomposeAdaptiveMax(c, 2);
}
static LogicalResult decomposeAdaptiveMax3d(CallContext &c) {
  return decomposeAdaptiveMax(c, 3);
}

void normalize::registerAdaptivePoolingDecompositions(
    DecompositionTable &table) {
  table.add("aten.adaptive_avg_pool1d.default", decomposeAdaptiveAvg1d);
  table.add("aten.adaptive_avg_pool2d.default", decomposeAdaptiveAvg2d);
  table.add("aten.adaptive_avg_pool3d.default", decomposeAdaptiveAvg3d);
  table.add("aten._adaptive_avg_pool2d.default", decomposeAdaptiveAvg2d);
  table.add("aten._adaptive_avg_pool3d.default", decomposeAdaptiveAvg3d);
  table.add("aten.adaptive_max_pool1d.default", decomposeAdaptiveMax1d);
  table.add("aten.adaptive_max_pool2d.default", decomposeAdaptiveMax2d);
  table.add("aten.adaptive_max_pool3d.default", decomposeAdaptiveMax3d);
}
