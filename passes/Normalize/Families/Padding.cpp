//===- Padding.cpp - pad, reflection_pad, pixel_shuffle, im2col -----------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// What is added before and after each dim; negative amounts cut off.
struct Amounts {
  Shape low, high;
};

/// torch lists pairs from the last dim on.
static FailureOr<Amounts> readAmounts(CallContext &c, StringRef name,
                                      int64_t rank) {
  Shape list = c.sizes(name);
  if (list.size() % 2 != 0 || int64_t(list.size()) > 2 * rank)
    return c.emitInvalid("argument '" + name +
                         "': expected pairs for at most " + Twine(rank) +
                         " dims, but found " + Twine(list.size()) + " numbers");
  Amounts amounts = {Shape(rank, c.b.expr(0)), Shape(rank, c.b.expr(0))};
  for (size_t i = 0; i < list.size() / 2; ++i) {
    amounts.low[rank - 1 - i] = list[2 * i];
    amounts.high[rank - 1 - i] = list[2 * i + 1];
  }
  return amounts;
}

/// A negative total size is an error of the program.
static LogicalResult checkAmounts(CallContext &c, Value self,
                                  const Amounts &amounts) {
  for (auto [size, low, high] :
       llvm::zip(c.b.shapeOf(self), amounts.low, amounts.high)) {
    auto total = sym::asConstant(sym::add(size, sym::add(low, high)));
    if (total && *total < 0)
      return c.emitInvalid("expected a padded size that is not negative");
  }
  return success();
}

static Expr positivePart(Expr expr, Expr zero) { return sym::max(expr, zero); }

static LogicalResult padWithConstant(CallContext &c, Value self,
                                     const Amounts &amounts, Value value) {
  if (failed(checkAmounts(c, self, amounts)))
    return failure();
  Expr zero = c.b.expr(0);
  Shape low, high;
  for (int64_t dim = 0; dim < c.b.rankOf(self); ++dim) {
    Expr cutLow = positivePart(sym::neg(amounts.low[dim]), zero);
    Expr cutHigh = positivePart(sym::neg(amounts.high[dim]), zero);
    Expr size = c.b.shapeOf(self)[dim];
    Expr kept = sym::sub(size, sym::add(cutLow, cutHigh));
    if (auto rest = sym::asConstant(kept); rest && *rest < 0)
      return c.emitUnsupported("a padding that cuts off more than there is");
    if (kept != size)
      self = c.b.slice(self, dim, cutLow, kept);
    low.push_back(positivePart(amounts.low[dim], zero));
    high.push_back(positivePart(amounts.high[dim], zero));
  }
  return c.setResult(0, c.b.pad(self, value, low, high));
}

enum class Border { Reflect, Replicate, Circular };

/// For each position of the padded dim the position it copies.
static Value borderIndex(CallContext &c, Border border, Expr size, Expr low,
                         Expr padded) {
  Value position = c.b.sub(arange(c.b, padded), sizeValue(c.b, low));
  if (border == Border::Replicate)
    return clampIndex(c.b, position, size);
  if (border == Border::Circular)
    // The padding is at most one turn.
    return remainderIndex(c.b, c.b.add(position, sizeValue(c.b, size)), size);
  Value last = sizeValue(c.b, sym::sub(size, c.b.expr(1)));
  Value folded = c.b.unary<prim::AbsOp>(position);
  return c.b.sub(last, c.b.unary<prim::AbsOp>(c.b.sub(last, folded)));
}

/// How far a border may reach: reflected less than the size, circular up to it.
static LogicalResult checkBorder(CallContext &c, Border border, Expr size,
                                 Expr amount) {
  auto n = sym::asConstant(size), padding = sym::asConstant(amount);
  if (!n || !padding || border == Border::Replicate)
    return success();
  if (*padding <= (border == Border::Reflect ? *n - 1 : *n))
    return success();
  return c.emitInvalid("a padding of " + Twine(*padding) +
                       " is too large for a size of " + Twine(*n));
}

static LogicalResult padWithBorder(CallContext &c, Value self,
                                   const Amounts &amounts, Border border) {
  if (failed(checkAmounts(c, self, amounts)))
    return failure();
  for (int64_t dim = 0; dim < c.b.rankOf(self); ++dim) {
    Expr low = amounts.low[dim], high = amounts.high[dim],
         size = c.b.shapeOf(self)[dim];
    if (sym::isConstant(low, 0) && sym::isConstant(high, 0))
      continue;
    if (failed(checkBorder(c, border, size, low)) ||
        failed(checkBorder(c, border, size, high)))
      return failure();
    Expr padded = sym::add(size, sym::add(low, high));
    self =
        c.b.indexSelect(self, dim, borderIndex(c, border, size, low, padded));
  }
  return c.setResult(0, self);
}

static LogicalResult decomposePad(CallContext &c) {
  Value self = c.tensor("self");
  FailureOr<Amounts> amounts = readAmounts(c, "pad", c.b.rankOf(self));
  if (failed(amounts))
    return failure();
  StringRef mode = c.text("mode");
  if (mode == "constant" || mode.empty()) {
    Value value =
        c.b.scalar(c.optNumber("value").value_or(0), c.b.elementOf(self));
    return padWithConstant(c, self, *amounts, value);
  }
  if (mode == "reflect")
    return padWithBorder(c, self, *amounts, Border::Reflect);
  if (mode == "replicate")
    return padWithBorder(c, self, *amounts, Border::Replicate);
  if (mode == "circular")
    return padWithBorder(c, self, *amounts, Border::Circular);
  return c.emitInvalid("padding mode '" + mode + "'");
}

static LogicalResult decomposeConstantPad(CallContext &c) {
  Value self = c.tensor("self");
  FailureOr<Amounts> amounts = readAmounts(c, "pad", c.b.rankOf(self));
  if (failed(amounts))
    return failure();
  return padWithConstant(c, self, *amounts,
                         c.constant(c.scalar("value"), c.b.elementOf(self)));
}

static LogicalResult decomposeBorderPad(CallContext &c, StringRef name,
                                        Border border) {
  Value self = c.tensor("self");
  FailureOr<Amounts> amounts = readAmounts(c, name, c.b.rankOf(self));
  return failed(amounts) ? failure() : padWithBorder(c, self, *amounts, border);
}

static LogicalResult decomposeReflectionPad(CallContext &c) {
  return decomposeBorderPad(c, "padding", Border::Reflect);
}

static LogicalResult decomposeReplicationPad(CallContext &c) {
  return decomposeBorderPad(c, "padding", Border::Replicate);
}

static LogicalResult decomposeCircularPad(CallContext &c) {
  return decomposeBorderPad(c, "pad", Border::Circular);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// The last three dims of a tensor: channels, height, width.
static FailureOr<int64_t> imageDim(CallContext &c, Value self, StringRef name) {
  if (c.b.rankOf(self) < 3)
    return c.emitInvalid("expected a tensor of rank 3 or more");
  int64_t factor = c.integer(name);
  if (factor < 1)
    return c.emitInvalid("expected a positive factor");
  return factor;
}

/// [..., C r r, H, W] -> [..., C, H r, W r]
static LogicalResult decomposePixelShuffle(CallContext &c) {
  Value self = c.tensor("self");
  FailureOr<int64_t> factor = imageDim(c, self, "upscale_factor");
  if (failed(factor))
    return failure();
  int64_t first = c.b.rankOf(self) - 3;
  Expr r = c.b.expr(*factor);
  Expr channels = sym::floorDiv(c.b.shapeOf(self)[first], sym::mul(r, r));
  Value split = splitDim(c.b, self, first, {channels, r, r});
  SmallVector<int64_t> permutation = dimRange(0, first);
  for (int64_t dim : {0, 3, 1, 4, 2})
    permutation.push_back(first + dim);
  Value moved = c.b.transpose(split, permutation);
  return c.setResult(
      0, joinDims(c.b, joinDims(c.b, moved, first + 3, 2), first + 1, 2));
}

/// [..., C, H r, W r] -> [..., C r r, H, W]
static LogicalResult decomposePixelUnshuffle(CallContext &c) {
  Value self = c.tensor("self");
  FailureOr<int64_t> factor = imageDim(c, self, "downscale_factor");
  if (failed(factor))
    return failure();
  int64_t first = c.b.rankOf(self) - 3;
  Expr r = c.b.expr(*factor);
  Shape shape = c.b.shapeOf(self);
  Value split =
      splitDim(c.b, self, first + 2, {sym::floorDiv(shape[first + 2], r), r});
  split =
      splitDim(c.b, split, first + 1, {sym::floorDiv(shape[first + 1], r), r});
  SmallVector<int64_t> permutation = dimRange(0, first);
  for (int64_t dim : {0, 2, 4, 1, 3})
    permutation.push_back(first + dim);
  return c.setResult(
      0, joinDims(c.b, c.b.transpose(split, permutation), first, 3));
}

/// Channels are dealt out to groups in turn.
static LogicalResult decomposeChannelShuffle(CallContext &c) {
  Value self = c.tensor("self");
  if (c.b.rankOf(self) < 3)
    return c.emitInvalid("expected a tensor of rank 3 or more");
  Expr groups = c.size("groups");
  Expr each = sym::floorDiv(c.b.shapeOf(self)[1], groups);
  Value split = splitDim(c.b, self, 1, {groups, each});
  return c.setResult(0, joinDims(c.b, c.b.swapDims(split, 1, 2), 1, 2));
}

//===----------------------------------------------------------------------===//
// im2col, col2im
//===----------------------------------------------------------------------===//

/// Where patches stand: `[window, patches]` positions of a padded dim.
struct Patches {
  SmallVector<int64_t> window, dilation, padding, stride;

  Expr count(PrimBuilder &b, Expr size, size_t i) const {
    int64_t reach = dilation[i] * (window[i] - 1) + 1;
    Expr span = sym::add(size, b.expr(2 * padding[i] - reach));
    return sym::add(sym::floorDiv(span, b.expr(stride[i])), b.expr(1));
  }
  Value positions(PrimBuilder &b, Expr size, size_t i) const {
    Shape shape = {b.expr(window[i]), count(b, size, i)};
    auto scaled = [&](int64_t dim, int64_t factor) {
      return b.mul(b.iota(shape, dim, indexType(b)),
                   b.scalarInt(factor, indexType(b)));
    };
    return b.add(scaled(0, dilation[i]), scaled(1, stride[i]));
  }
};

static FailureOr<Patches> readPatches(CallContext &c) {
  Patches p;
  for (auto [name, list] : {std::pair("kernel_size", &p.window),
                            {"dilation", &p.dilation},
                            {"padding", &p.padding},
                            {"stride", &p.stride}}) {
    FailureOr<SmallVector<int64_t>> read = perDim(c, name, 2);
    if (failed(read))
      return failure();
    *list = *read;
  }
  for (size_t i = 0; i < 2; ++i)
    if (p.window[i] < 1 || p.dilation[i] < 1 || p.stride[i] < 1 ||
        p.padding[i] < 0)
      return c.emitInvalid("expected positive windows, dilations and strides");
  return p;
}

/// [N, C, H, W] -> [N, C kh kw, patches]
static LogicalResult decomposeIm2col(CallContext &c) {
  Value self = c.tensor("self");
  FailureOr<Patches> p = readPatches(c);
  if (failed(p))
    return failure();
  bool single = c.b.rankOf(self) == 3;
  if (!single && c.b.rankOf(self) != 4)
    return c.emitInvalid("expected a tensor of rank 3 or 4");
  Value image = single ? c.b.unsqueeze(self, 0) : self;
  Shape shape = c.b.shapeOf(image);
  Shape amounts = {c.b.expr(0), c.b.expr(0), c.b.expr(p->padding[0]),
                   c.b.expr(p->padding[1])};
  image = c.b.pad(image, c.b.scalar(0, c.b.elementOf(image)), amounts, amounts);
  image =
      c.b.indexSelect(image, 3, p->positions(c.b, shape[3], 1)); // N C H kw ow
  image = c.b.indexSelect(image, 2,
                          p->positions(c.b, shape[2], 0)); // N C kh oh kw ow
  image = c.b.transpose(image, {0, 1, 2, 4, 3, 5});
  Value columns = joinDims(c.b, joinDims(c.b, image, 4, 2), 1, 3);
  return c.setResult(0, single ? c.b.squeeze(columns, 0) : columns);
}

/// Adds up the patches where they overlap.
static LogicalResult decomposeCol2im(CallContext &c) {
  Value self = c.tensor("self");
  FailureOr<Patches> p = readPatches(c);
  Shape size = c.sizes("output_size", 2);
  if (failed(p))
    return failure();
  bool single = c.b.rankOf(self) == 2;
  if ((!single && c.b.rankOf(self) != 3) || size.size() != 2)
    return c.emitInvalid(
        "expected a tensor of rank 2 or 3 and two output sizes");
  Value columns = single ? c.b.unsqueeze(self, 0) : self;
  Shape shape = c.b.shapeOf(columns);
  Expr kh = c.b.expr(p->window[0]), kw = c.b.expr(p->window[1]);
  Expr channels = sym::floorDiv(shape[1], sym::mul(kh, kw));
  Expr oh = p->count(c.b, size[0], 0), ow = p->count(c.b, size[1], 1);
  Shape taken = {kh, oh, kw, ow};
  Value values = c.b.reshape(columns, {shape[0], channels, kh, kw, oh, ow});
  values = c.b.transpose(values, {0, 1, 2, 4, 3, 5});
  Value rows =
      c.b.broadcast(alignTo(c.b, p->positions(c.b, size[0], 0), 0, 4), taken);
  Value places =
      c.b.broadcast(alignTo(c.b, p->positions(c.b, size[1], 1), 2, 4), taken);
  Expr low = c.b.expr(p->padding[0]), left = c.b.expr(p->padding[1]);
  Shape padded = {shape[0], channels, sym::add(size[0], sym::add(low, low)),
                  sym::add(size[1], sym::add(left, left))};
  Value zeros = c.b.full(padded, 0, c.b.elementOf(self));
  Value image = indexPut(c.b, prim::ScatterKind::add, zeros, values,
                         {rows, places}, {2, 3}, 2);
  image = c.b.slice(c.b.slice(image, 2, low, size[0]), 3, left, size[1]);
  return c.setResult(0, single ? c.b.squeeze(image, 0) : image);
}

void normalize::registerPaddingDecompositions(DecompositionTable &table) {
  table.add("aten.pad.default", decomposePad);
  table.add("aten.constant_pad_nd.default", decomposeConstantPad);
  for (StringRef rank : {"1d", "2d", "3d"}) {
    table.add(("aten.reflection_pad" + rank + ".default").str(),
              decomposeReflectionPad);
    table.add(("aten.replication_pad" + rank + ".default").str(),
              decomposeReplicationPad);
  }
  table.add("aten._pad_circular.default", decomposeCircularPad);
  table.add("aten.pixel_shuffle.default", decomposePixelShuffle);
  table.add("aten.pixel_unshuffle.default", decomposePixelUnshuffle);
  table.add("aten.channel_shuffle.default", decomposeChannelShuffle);
  table.add("aten.native_channel_shuffle.default", decomposeChannelShuffle);
  table.add("aten.im2col.default", decomposeIm2col);
  table.add("aten.col2im.default", decomposeCol2im);
}
