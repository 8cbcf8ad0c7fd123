//===- Norm.cpp - layer_norm, rms_norm, group_norm, weight_norm -----------===//

#include "passes/Normalize/Families/Helpers.h"

#include <limits>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Layer norm
//===----------------------------------------------------------------------===//

struct Normalized {
  Value result, mean, rstd;
};

/// prim.layer_norm over the last axes.
static Normalized layerNorm(CallContext &c, Value x, Value weight, Value bias,
                            int64_t axes, double eps) {
  Shape shape = c.b.shapeOf(x);
  for (int64_t i = 0; i < axes; ++i)
    shape[shape.size() - 1 - i] = c.b.expr(1);
  auto stats = sym::tensorType(shape, opmathType(c.b.elementOf(x)));
  auto op = prim::LayerNormOp::create(c.b.getBuilder(), c.getLoc(), x.getType(),
                                      stats, stats, x, weight, bias, axes,
                                      llvm::APFloat(eps));
  return {op.getResult(), op.getMean(), op.getRstd()};
}

/// The number of normalised axes; they must be the last sizes of the input.
static FailureOr<int64_t> normalizedAxes(CallContext &c, Value input) {
  if (!isFloat(c.b.elementOf(input)))
    return c.emitUnsupported("an input that is no float tensor");
  int64_t axes = c.sizes("normalized_shape").size(), rank = c.b.rankOf(input);
  if (axes < 1 || axes > rank)
    return c.emitInvalid("expected 1 to " + Twine(rank) +
                         " normalized dims, but found " + Twine(axes));
  for (StringRef name : {"weight", "bias"})
    if (auto parameter = c.optTensor(name);
        parameter && c.b.rankOf(*parameter) != axes)
      return c.emitInvalid("argument '" + name + "': expected rank " +
                           Twine(axes));
  return axes;
}

static Value orNull(std::optional<Value> value) {
  return value.value_or(Value());
}

/// Parameters of another element type: everything is computed in f32.
static bool hasMixedTypes(CallContext &c, Value input) {
  for (StringRef name : {"weight", "bias"})
    if (auto parameter = c.optTensor(name);
        parameter && c.b.elementOf(*parameter) != c.b.elementOf(input))
      return true;
  return false;
}

static FailureOr<Normalized> runLayerNorm(CallContext &c) {
  Value input = c.tensor("input");
  FailureOr<int64_t> axes = normalizedAxes(c, input);
  if (failed(axes))
    return failure();
  Value weight = orNull(c.optTensor("weight")),
        bias = orNull(c.optTensor("bias"));
  Type element = c.b.elementOf(input), type = element;
  if (hasMixedTypes(c, input))
    type = opmathType(element);
  auto converted = [&](Value value) {
    return value ? c.b.convert(value, type) : value;
  };
  Normalized result = layerNorm(c, converted(input), converted(weight),
                                converted(bias), *axes, c.number("eps"));
  result.result = c.b.convert(result.result, element);
  return result;
}

static LogicalResult decomposeLayerNorm(CallContext &c) {
  FailureOr<Normalized> result = runLayerNorm(c);
  return failed(result) ? failure() : c.setResult(0, result->result);
}

static LogicalResult decomposeNativeLayerNorm(CallContext &c) {
  FailureOr<Normalized> result = runLayerNorm(c);
  if (failed(result))
    return failure();
  return c.setResults({result->result,
                       c.b.convert(result->mean, c.resultElement(1)),
                       c.b.convert(result->rstd, c.resultElement(2))});
}

//===----------------------------------------------------------------------===//
// RMS norm
//===----------------------------------------------------------------------===//

static double rmsEpsilon(CallContext &c, Value input) {
  if (auto eps = c.optNumber("eps"))
    return *eps;
  bool wide = c.b.elementOf(input).isF64();
  return wide ? std::numeric_limits<double>::epsilon()
              : std::numeric_limits<float>::epsilon();
}

static LogicalResult decomposeRmsNorm(CallContext &c) {
  Value input = c.tensor("input");
  FailureOr<int64_t> axes = normalizedAxes(c, input);
  if (failed(axes))
    return failure();
  Value weight = orNull(c.optTensor("weight"));
  Type element = c.b.elementOf(input), type = element;
  if (hasMixedTypes(c, input))
    type = opmathType(element);
  Value converted = c.b.convert(input, type);
  Value scale = weight ? c.b.convert(weight, type) : weight;
  Value result = prim::RmsNormOp::create(
      c.b.getBuilder(), c.getLoc(), converted.getType(), converted, scale,
      *axes, llvm::APFloat(rmsEpsilon(c, input)));
  return c.setResult(0, c.b.convert(result, c.resultElement(0)));
}

/// The second result is 1 / sqrt(mean(x * x) + eps).
static LogicalResult decomposeFusedRmsNorm(CallContext &c) {
  if (failed(decomposeRmsNorm(c)))
    return failure();
  Value input = c.tensor("input");
  Value x = c.b.convert(input, opmathType(c.b.elementOf(input)));
  int64_t axes = c.sizes("normalized_shape").size(), rank = c.b.rankOf(x);
  Value square =
      c.b.mean(c.b.mul(x, x), dimRange(rank - axes, axes), /*keepDims=*/true);
  Value rstd = c.b.rsqrt(c.b.add(square, rmsEpsilon(c, input)));
  return c.setResult(1, c.b.convert(rstd, c.resultElement(1)));
}

//===----------------------------------------------------------------------===//
// Group norm
//===----------------------------------------------------------------------===//

/// A parameter per channel, where dim 1 of `rank` dims is the channels.
static Value perChannel(CallContext &c, Value parameter, int64_t rank,
                        Type element) {
  return c.b.convert(alignTo(c.b, parameter, 1, rank), element);
}

static LogicalResult checkGroups(CallContext &c, Value input, int64_t groups) {
  if (c.b.rankOf(input) < 2)
    return c.emitInvalid("expected an input of rank 2 or more");
  if (!isFloat(c.b.elementOf(input)))
    return c.emitUnsupported("an input that is no float tensor");
  auto channels = sym::asConstant(c.b.shapeOf(input)[1]);
  if (groups < 1 || (channels && *channels % groups != 0))
    return c.emitInvalid(
        "expected a number of groups that divides the channels");
  for (StringRef name : {"weight", "bias"})
    if (auto parameter = c.optTensor(name);
        parameter && c.b.rankOf(*parameter) != 1)
      return c.emitInvalid("argument '" + name + "': expected rank 1");
  return success();
}

/// Every group of channels of an image is one row of a layer norm.
static FailureOr<Normalized> runGroupNorm(CallContext &c, int64_t groups) {
  Value input = c.tensor("input");
  if (failed(checkGroups(c, input, groups)))
    return failure();
  Type element = c.b.elementOf(input), opmath = opmathType(element);
  Shape shape = c.b.shapeOf(input);
  Expr size = sym::product(c.getContext(), ArrayRef(shape).drop_front());
  Expr rest = sym::floorDiv(size, c.b.expr(groups));
  Value rows = c.b.reshape(c.b.convert(input, opmath),
                           {shape[0], c.b.expr(groups), rest});
  Normalized result = layerNorm(c, rows, Value(), Value(), 1, c.number("eps"));
  Value scaled = c.b.reshape(result.result, shape);
  if (auto weight = c.optTensor("weight"))
    scaled = c.b.mul(scaled, perChannel(c, *weight, shape.size(), opmath));
  if (auto bias = c.optTensor("bias"))
    scaled = c.b.add(scaled, perChannel(c, *bias, shape.size(), opmath));
  result.result = c.b.convert(scaled, element);
  return result;
}

static LogicalResult decomposeGroupNorm(CallContext &c) {
  FailureOr<Normalized> result = runGroupNorm(c, c.integer("num_groups"));
  return failed(result) ? failure() : c.setResult(0, result->result);
}

static LogicalResult decomposeNativeGroupNorm(CallContext &c) {
  FailureOr<Normalized> result = runGroupNorm(c, c.integer("group"));
  if (failed(result))
    return failure();
  auto stats = [&](Value value, size_t i) {
    return c.b.convert(c.b.squeeze(value, 2), c.resultElement(i));
  };
  return c.setResults(
      {result->result, stats(result->mean, 1), stats(result->rstd, 2)});
}

//===----------------------------------------------------------------------===//
// Weight norm
//===----------------------------------------------------------------------===//

/// All dims but one; all dims for -1.
static FailureOr<SmallVector<int64_t>> otherDims(CallContext &c, Value value) {
  int64_t rank = c.b.rankOf(value), dim = c.integer("dim");
  SmallVector<int64_t> dims = dimRange(0, rank);
  if (dim == -1)
    return dims;
  if (rank == 0)
    return c.emitInvalid("expected a tensor of rank 1 or more");
  dims.erase(dims.begin() + c.wrapDim(dim, rank));
  return dims;
}

/// v * (g / norm of v), with one norm per index of `dim`.
static LogicalResult decomposeWeightNorm(CallContext &c) {
  Value v = c.tensor("v"), g = c.tensor("g"), norm;
  FailureOr<SmallVector<int64_t>> dims = otherDims(c, v);
  if (failed(dims))
    return failure();
  Value result = c.elementwise({v, g}, [&](ArrayRef<Value> x) {
    norm = vectorNorm(c.b, x[0], 2, *dims, /*keepDims=*/true);
    return c.b.mul(x[0], c.b.div(x[1], norm));
  });
  if (c.numResults() == 1)
    return c.setResult(0, result);
  return c.setResults({result, c.b.convert(norm, c.resultElement(1))});
}

void normalize::registerNormDecompositions(DecompositionTable &table) {
  table.add("aten.layer_norm.default", decomposeLayerNorm);
  table.add("aten.native_layer_norm.default", decomposeNativeLayerNorm);
  table.add("aten.rms_norm.default", decomposeRmsNorm);
  table.add("aten._fused_rms_norm.default", decomposeFusedRmsNorm);
  table.add("aten.group_norm.default", decomposeGroupNorm);
  table.add("aten.native_group_norm.default", decomposeNativeGroupNorm);
  table.add("aten._weight_norm.default", decomposeWeightNorm);
  table.add("aten._weight_norm_interface.default", decomposeWeightNorm);
}
