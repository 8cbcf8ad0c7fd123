//===- Pooling.cpp - Pooling with windows of fixed size -------------------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

/// One entry per pooled dim; the pooled dims are the last ones.
struct Windows {
  SmallVector<int64_t> size, stride, low, high, dilation;
};

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static LogicalResult checkWindows(CallContext &c, const Windows &w,
                                  Value operand) {
  int64_t rank = c.b.rankOf(operand), count = w.size.size();
  if (rank != count + 1 && rank != count + 2)
    return c.emitInvalid("expected an input of rank " + Twine(count + 1) +
                         " or " + Twine(count + 2) + ", but found rank " +
                         Twine(rank));
  for (int64_t i = 0; i < count; ++i)
    if (w.size[i] < 1 || w.stride[i] < 1 || w.dilation[i] < 1 || w.low[i] < 0)
      return c.emitInvalid("expected positive windows, strides and dilations");
  return success();
}

/// In ceil mode the last window may begin within the operand or its low
/// padding and reach beyond the end; `high` says how far.
static LogicalResult setCeilMode(CallContext &c, Windows &w, Value operand) {
  Shape shape = c.b.shapeOf(operand);
  size_t count = w.size.size(), first = shape.size() - count;
  for (size_t i = 0; i < count; ++i) {
    if (w.stride[i] == 1)
      continue;
    auto size = sym::asConstant(shape[first + i]);
    if (!size)
      return c.emitUnsupported("ceil mode with a symbolic size");
    int64_t reach = w.dilation[i] * (w.size[i] - 1) + 1;
    int64_t span = *size + 2 * w.low[i] - reach;
    int64_t windows = (span + w.stride[i] - 1) / w.stride[i] + 1;
    if ((windows - 1) * w.stride[i] >= *size + w.low[i])
      --windows;
    w.high[i] = (windows - 1) * w.stride[i] + reach - *size - w.low[i];
  }
  return success();
}

/// `dilates` is false for averages. An empty stride is the window.
static FailureOr<Windows> readWindows(CallContext &c, Value operand,
                                      size_t count, bool dilates) {
  Windows w;
  auto read = [&](StringRef name, SmallVector<int64_t> &list) {
    FailureOr<SmallVector<int64_t>> found = perDim(c, name, count);
    if (succeeded(found))
      list = *found;
    return LogicalResult(found);
  };
  if (failed(read("kernel_size", w.size)) || failed(read("padding", w.low)))
    return failure();
  w.high = w.low;
  w.stride = w.size;
  w.dilation.assign(count, 1);
  if (!c.integers("stride").empty() && failed(read("stride", w.stride)))
    return failure();
  if (dilates && failed(read("dilation", w.dilation)))
    return failure();
  if (failed(checkWindows(c, w, operand)))
    return failure();
  if (c.flag("ceil_mode") && failed(setCeilMode(c, w, operand)))
    return failure();
  return w;
}

static Value pool(CallContext &c, prim::Reduction kind, Value operand,
                  const Windows &w) {
  return prim::PoolOp::create(c.b.getBuilder(), c.getLoc(), kind, operand,
                              w.size, w.stride, w.low, w.high, w.dilation,
                              prim::ImageLayout::channels_first);
}

//===----------------------------------------------------------------------===//
// Maximum
//===----------------------------------------------------------------------===//

static LogicalResult decomposeMaxPool(CallContext &c, size_t count) {
  Value self = c.tensor("self");
  FailureOr<Windows> w = readWindows(c, self, count, /*dilates=*/true);
  if (failed(w))
    return failure();
  (void)c.setResult(0, pool(c, prim::Reduction::max, self, *w));
  if (c.numResults() < 2)
    return success();
  Value where =
      prim::ArgPoolOp::create(c.b.getBuilder(), c.getLoc(), self, w->size,
                              w->stride, w->low, w->high, w->dilation);
  return c.setResult(1, where);
}

static LogicalResult decomposeMaxPool1d(CallContext &c) {
  return decomposeMaxPool(c, 1);
}
static LogicalResult decomposeMaxPool2d(CallContext &c) {
  return decomposeMaxPool(c, 2);
}
static LogicalResult decomposeMaxPool3d(CallContext &c) {
  return decomposeMaxPool(c, 3);
}

/// Adds or writes values at their places in planes of zeros.
static LogicalResult setUnpooled(CallContext &c, prim::ScatterKind kind,
                                 Value values, Value indices, int64_t count) {
  int64_t rank = c.b.rankOf(values);
  Shape shape = c.resultShape(0);
  if (rank < count || c.b.rankOf(indices) != rank ||
      int64_t(shape.size()) != rank)
    return c.emitInvalid("expected values and indices of one rank");
  Expr planes = sym::product(c.getContext(), ArrayRef(shape).drop_back(count));
  Expr size = sym::product(c.getContext(), ArrayRef(shape).take_back(count));
  auto flat = [&](Value value) {
    return joinDims(c.b, joinDims(c.b, value, rank - count, count), 0,
                    rank - count);
  };
  Value zeros = c.b.full({planes, size}, 0, c.b.elementOf(values));
  Value places =
      c.b.checkShape(flat(asIndex(c.b, indices)), c.b.shapeOf(flat(values)));
  Value result = scatter(c.b, kind, zeros, places, flat(values), 1);
  return c.setResult(0, c.b.reshape(result, shape));
}

static LogicalResult decomposeMaxUnpool2d(CallContext &c) {
  return setUnpooled(c, prim::ScatterKind::set, c.tensor("self"),
                     c.tensor("indices"), 2);
}

static LogicalResult decomposeMaxUnpool3d(CallContext &c) {
  return setUnpooled(c, prim::ScatterKind::set, c.tensor("self"),
                     c.tensor("indices"), 3);
}

static LogicalResult decomposeMaxPool2dBackward(CallContext &c) {
  return setUnpooled(c, prim::ScatterKind::add, c.tensor("grad_output"),
                     c.tensor("indices"), 2);
}

//===----------------------------------------------------------------------===//
// Mean
//===----------------------------------------------------------------------===//

/// How many elements each window along one dim counts, as a rank-1 tensor.
static Value windowCounts(CallContext &c, const Windows &w, size_t i, Expr size,
                          Expr windows, bool countPadding) {
  auto number = [&](int64_t value) {
    return c.b.scalarInt(value, indexType(c.b));
  };
  Value start = c.b.sub(c.b.mul(arange(c.b, windows), number(w.stride[i])),
                        number(w.low[i]));
  Expr limit = countPadding ? sym::add(size, c.b.expr(w.low[i])) : size;
  Value end = c.b.min(c.b.add(start, number(w.size[i])), sizeValue(c.b, limit));
  return c.b.sub(end, countPadding ? start : c.b.max(start, number(0)));
}

/// The divisor of each window, with sizes that broadcast to those of `sums`.
static Value windowDivisor(CallContext &c, const Windows &w, Value operand,
                           Value sums, bool countPadding) {
  int64_t rank = c.b.rankOf(sums), count = w.size.size();
  Shape shape = c.b.shapeOf(operand), windows = c.b.shapeOf(sums);
  Value result;
  for (int64_t i = 0; i < count; ++i) {
    int64_t dim = rank - count + i;
    Value counts = alignTo(
        c.b, windowCounts(c, w, i, shape[dim], windows[dim], countPadding), dim,
        rank);
    result = result ? c.b.mul(result, counts) : counts;
  }
  return c.b.convert(result, c.b.elementOf(sums));
}

/// A number if all windows have the same divisor.
static std::optional<int64_t> commonDivisor(CallContext &c, const Windows &w) {
  if (auto divisor = c.optInteger("divisor_override"))
    return divisor;
  bool padded = llvm::any_of(w.low, [](int64_t low) { return low != 0; });
  if (c.flag("ceil_mode") || (padded && !c.flag("count_include_pad")))
    return std::nullopt;
  int64_t product = 1;
  for (int64_t size : w.size)
    product *= size;
  return product;
}

static LogicalResult decomposeAvgPool(CallContext &c, size_t count) {
  Value self = c.tensor("self");
  if (!isFloat(c.b.elementOf(self)))
    return c.emitUnsupported("an input that is no float tensor");
  FailureOr<Windows> w = readWindows(c, self, count, /*dilates=*/false);
  if (failed(w))
    return failure();
  std::optional<int64_t> divisor = commonDivisor(c, *w);
  if (divisor && *divisor == 0)
    return c.emitInvalid("expected a divisor that is not zero");
  return c.setResult(0, c.elementwise({self}, [&](ArrayRef<Value> x) {
    Value sums = pool(c, prim::Reduction::sum, x[0], *w);
    if (divisor)
      return c.b.div(sums, double(*divisor));
    return c.b.div(
        sums, windowDivisor(c, *w, x[0], sums, c.flag("count_include_pad")));
  }));
}

static LogicalResult decomposeAvgPool1d(CallContext &c) {
  return decomposeAvgPool(c, 1);
}
static LogicalResult decomposeAvgPool2d(CallContext &c) {
  return decomposeAvgPool(c, 2);
}
static LogicalResult decomposeAvgPool3d(CallContext &c) {
  return decomposeAvgPool(c, 3);
}

void normalize::registerPoolingDecompositions(DecompositionTable &table) {
  table.add("aten.max_pool1d.default", decomposeMaxPool1d);
  table.add("aten.max_pool2d.default", decomposeMaxPool2d);
  table.add("aten.max_pool3d.default", decomposeMaxPool3d);
  table.add("aten.max_pool1d_with_indices.default", decomposeMaxPool1d);
  table.add("aten.max_pool2d_with_indices.default", decomposeMaxPool2d);
  table.add("aten.max_pool3d_with_indices.default", decomposeMaxPool3d);
  table.add("aten.max_unpool2d.default", decomposeMaxUnpool2d);
  table.add("aten.max_unpool3d.default", decomposeMaxUnpool3d);
  table.add("aten.max_pool2d_with_indices_backward.default",
            decomposeMaxPool2dBackward);
  table.add("aten.avg_pool1d.default", decomposeAvgPool1d);
  table.add("aten.avg_pool2d.default", decomposeAvgPool2d);
  table.add("aten.avg_pool3d.default", decomposeAvgPool3d);
}
