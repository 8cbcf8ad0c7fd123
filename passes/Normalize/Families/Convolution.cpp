//===- Convolution.cpp - Convolutions and their transposes ----------------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Shape;

/// One entry per spatial dim in each list.
struct ConvolutionArguments {
  Value input, weight;
  SmallVector<int64_t> stride, low, high, dilation, outputPadding;
  int64_t groups = 1;
  bool transposed = false;
};

static LogicalResult checkRanks(CallContext &c, const ConvolutionArguments &a) {
  int64_t rank = c.b.rankOf(a.weight), inputRank = c.b.rankOf(a.input);
  if (rank < 3 || (inputRank != rank && inputRank != rank - 1))
    return c.emitInvalid(
        "expected an input and a weight of one rank of at least 3, but found " +
        Twine(inputRank) + " and " + Twine(rank));
  if (c.b.elementOf(a.input) != c.b.elementOf(a.weight))
    return c.emitInvalid("expected an input and a weight of one element type");
  return success();
}

static LogicalResult checkNumbers(CallContext &c,
                                  const ConvolutionArguments &a) {
  auto atLeast = [](ArrayRef<int64_t> list, int64_t bound) {
    return llvm::all_of(list, [&](int64_t value) { return value >= bound; });
  };
  if (!atLeast(a.stride, 1) || !atLeast(a.dilation, 1) || a.groups < 1)
    return c.emitInvalid("expected positive strides, dilations and groups");
  if (!atLeast(a.low, 0) || !atLeast(a.high, 0) || !atLeast(a.outputPadding, 0))
    return c.emitInvalid("expected paddings that are not negative");
  return success();
}

static Value addBias(CallContext &c, Value result, Value bias) {
  Value aligned = alignTo(c.b, bias, 1, c.b.rankOf(result));
  return c.compute(c.b.elementOf(result), {result, aligned},
                   [&](ArrayRef<Value> x) { return c.b.add(x[0], x[1]); });
}

static LogicalResult setConvolution(CallContext &c, ConvolutionArguments a) {
  if (failed(checkNumbers(c, a)))
    return failure();
  bool single = c.b.rankOf(a.input) < c.b.rankOf(a.weight);
  if (single)
    a.input = c.b.unsqueeze(a.input, 0);
  Value result = prim::ConvolutionOp::create(
      c.b.getBuilder(), c.getLoc(), a.input, a.weight, a.stride, a.low, a.high,
      a.dilation, a.outputPadding, a.groups, a.transposed,
      prim::ImageLayout::channels_first);
  auto bias = c.optTensor("bias");
  if (bias && c.b.rankOf(*bias) != 1)
    return c.emitInvalid("expected a bias of rank 1");
  if (bias)
    result = addBias(c, result, *bias);
  return c.setResult(0, single ? c.b.squeeze(result, 0) : result);
}

/// Reads a list per spatial dim; absent lists keep their value.
static LogicalResult readList(CallContext &c, StringRef name, size_t count,
                              SmallVector<int64_t> &list) {
  FailureOr<SmallVector<int64_t>> read = perDim(c, name, count);
  if (failed(read))
    return failure();
  list = *read;
  return success();
}

static FailureOr<ConvolutionArguments> readOperands(CallContext &c) {
  ConvolutionArguments a;
  a.input = c.tensor("input");
  a.weight = c.tensor("weight");
  a.groups = c.integer("groups");
  if (failed(checkRanks(c, a)))
    return failure();
  size_t count = c.b.rankOf(a.weight) - 2;
  a.outputPadding.assign(count, 0);
  if (failed(readList(c, "stride", count, a.stride)) ||
      failed(readList(c, "dilation", count, a.dilation)))
    return failure();
  return a;
}

static FailureOr<ConvolutionArguments> readWithPadding(CallContext &c) {
  FailureOr<ConvolutionArguments> a = readOperands(c);
  if (failed(a) || failed(readList(c, "padding", a->stride.size(), a->low)))
    return failure();
  a->high = a->low;
  return a;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// conv1d, conv2d, conv3d
static LogicalResult decomposeConv(CallContext &c) {
  FailureOr<ConvolutionArguments> a = readWithPadding(c);
  return failed(a) ? failure() : setConvolution(c, *a);
}

/// conv_transpose1d, conv_transpose2d, conv_transpose3d
static LogicalResult decomposeConvTranspose(CallContext &c) {
  FailureOr<ConvolutionArguments> a = readWithPadding(c);
  if (failed(a) ||
      failed(readList(c, "output_padding", a->stride.size(), a->outputPadding)))
    return failure();
  a->transposed = true;
  return setConvolution(c, *a);
}

/// convolution, _convolution
static LogicalResult decomposeConvolution(CallContext &c) {
  return c.flag("transposed") ? decomposeConvTranspose(c) : decomposeConv(c);
}

/// "same" gives the size of the input; an odd rest goes to the high side.
static LogicalResult setSamePadding(CallContext &c, ConvolutionArguments &a) {
  Shape filter = c.b.shapeOf(a.weight);
  for (size_t i = 0; i < a.stride.size(); ++i) {
    auto window = sym::asConstant(filter[i + 2]);
    if (!window)
      return c.emitUnsupported("padding 'same' with a filter of symbolic size");
    if (a.stride[i] != 1)
      return c.emitInvalid("padding 'same' expects a stride of 1");
    int64_t total = a.dilation[i] * (*window - 1);
    a.low[i] = total / 2;
    a.high[i] = total - a.low[i];
  }
  return success();
}

/// conv1d.padding, conv2d.padding, conv3d.padding
static LogicalResult decomposeConvNamedPadding(CallContext &c) {
  FailureOr<ConvolutionArguments> a = readOperands(c);
  if (failed(a))
    return failure();
  a->low.assign(a->stride.size(), 0);
  a->high = a->low;
  if (c.text("padding") == "same") {
    if (failed(setSamePadding(c, *a)))
      return failure();
  } else if (c.text("padding") != "valid") {
    return c.emitInvalid("padding '" + c.text("padding") + "'");
  }
  return setConvolution(c, *a);
}

void normalize::registerConvolutionDecompositions(DecompositionTable &table) {
  for (StringRef name : {"conv1d", "conv2d", "conv3d"}) {
    table.add(("aten." + name + ".default").str(), decomposeConv);
    table.add(("aten." + name + ".padding").str(), decomposeConvNamedPadding);
  }
  table.add("aten.conv_transpose1d.default", decomposeConvTranspose);
  table.add("aten.conv_transpose2d.input", decomposeConvTranspose);
  table.add("aten.conv_transpose3d.input", decomposeConvTranspose);
  table.add("aten.convolution.default", decomposeConvolution);
  table.add("aten._convolution.default", decomposeConvolution);
  table.add("aten._convolution.deprecated", decomposeConvolution);
  table.add("aten.convolution_overrideable.default", decomposeConvolution);
}
