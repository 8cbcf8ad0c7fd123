//===- Upsample.cpp - Nearest, linear and cubic resizing ------------------===//
//
// Every resizing is separable: one dim after the other.
//
//===----------------------------------------------------------------------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using prim::Comparison;
using sym::Expr;
using sym::Shape;

/// One spatial dim: its size before and after, and 1 / scale if it is given.
struct ResizedDim {
  int64_t dim;
  Expr from, to;
  std::optional<double> scale;
};

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The scales of `.vec` overloads stand in a list, others have names.
static SmallVector<std::optional<double>> readScales(CallContext &c,
                                                     size_t count) {
  SmallVector<std::optional<double>> scales(count);
  if (c.has("scale_factors")) {
    for (auto [i, value] : llvm::enumerate(c.numbers("scale_factors")))
      if (i < count)
        scales[i] = value;
    return scales;
  }
  if (count == 1) {
    scales[0] = c.optNumber("scales");
    return scales;
  }
  static constexpr StringLiteral names[] = {"scales_d", "scales_h", "scales_w"};
  for (size_t i = 0; i < count; ++i)
    scales[i] = c.optNumber(names[3 - count + i]);
  return scales;
}

static FailureOr<SmallVector<ResizedDim>> readDims(CallContext &c, Value input,
                                                   size_t count) {
  Shape from = c.b.shapeOf(input), to = c.resultShape(0);
  if (from.size() != count + 2 || to.size() != from.size())
    return c.emitInvalid("expected an input of rank " + Twine(count + 2) +
                         ", but found rank " + Twine(from.size()));
  SmallVector<std::optional<double>> scales = readScales(c, count);
  SmallVector<ResizedDim> dims;
  for (size_t i = 0; i < count; ++i) {
    if (scales[i] && *scales[i] <= 0)
      scales[i] = std::nullopt;
    dims.push_back({int64_t(i) + 2, from[i + 2], to[i + 2], scales[i]});
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// Source positions
//===----------------------------------------------------------------------===//

static Value quotient(PrimBuilder &b, Expr a, Expr divisor, Type element) {
  return b.div(b.convert(sizeValue(b, a), element),
               b.convert(sizeValue(b, divisor), element));
}

/// How many source positions one step of the result is, as a rank-0 tensor.
static Value stepOf(PrimBuilder &b, const ResizedDim &d, bool alignCorners,
                    Type element) {
  if (!alignCorners)
    return d.scale ? b.scalar(1 / *d.scale, element)
                   : quotient(b, d.from, d.to, element);
  if (sym::isConstant(d.to, 1))
    return b.scalar(0, element);
  // A symbolic size may be 1: only position 0 is asked for then.
  Expr gaps = sym::max(sym::sub(d.to, b.expr(1)), b.expr(1));
  return quotient(b, sym::sub(d.from, b.expr(1)), gaps, element);
}

static Value positions(PrimBuilder &b, const ResizedDim &d, Type element) {
  return b.iota({d.to}, 0, element);
}

/// step * (i + 0.5) - 0.5, or step * i for aligned corners.
static Value sourcePositions(PrimBuilder &b, const ResizedDim &d,
                             bool alignCorners, Type element) {
  Value step = stepOf(b, d, alignCorners, element),
        i = positions(b, d, element);
  if (alignCorners)
    return b.mul(i, step);
  return b.sub(b.mul(b.add(i, 0.5), step), 0.5);
}

//===----------------------------------------------------------------------===//
// Nearest
//===----------------------------------------------------------------------===//

static Value nearestIndex(PrimBuilder &b, const ResizedDim &d, bool exact) {
  Type element = b.getBuilder().getF32Type();
  Value i = positions(b, d, element),
        step = stepOf(b, d, /*alignCorners=*/false, element);
  Value source = b.mul(exact ? b.add(i, 0.5) : i, step);
  return clampIndex(b, asIndex(b, b.unary<prim::FloorOp>(source)), d.from);
}

static LogicalResult upsampleNearest(CallContext &c, size_t count, bool exact) {
  Value input = c.tensor("input");
  FailureOr<SmallVector<ResizedDim>> dims = readDims(c, input, count);
  if (failed(dims))
    return failure();
  for (const ResizedDim &d : *dims)
    input = c.b.indexSelect(input, d.dim, nearestIndex(c.b, d, exact));
  return c.setResult(0, input);
}

template <size_t count> static LogicalResult decomposeNearest(CallContext &c) {
  return upsampleNearest(c, count, /*exact=*/false);
}
template <size_t count>
static LogicalResult decomposeNearestExact(CallContext &c) {
  return upsampleNearest(c, count, /*exact=*/true);
}

//===----------------------------------------------------------------------===//
// Linear
//===----------------------------------------------------------------------===//

/// Elements of one dim by index times weights.
static Value weighted(PrimBuilder &b, Value x, int64_t dim, Value index,
                      Value weight) {
  return b.mul(b.indexSelect(x, dim, index),
               alignTo(b, weight, dim, b.rankOf(x)));
}

static Value resizeLinear(PrimBuilder &b, Value x, const ResizedDim &d,
                          bool alignCorners) {
  Type element = b.elementOf(x);
  Value source = sourcePositions(b, d, alignCorners, element);
  source = b.max(source, b.scalar(0, element));
  Value index = clampIndex(b, asIndex(b, source), d.from);
  Value next =
      clampIndex(b, b.add(index, b.scalarInt(1, indexType(b))), d.from);
  Value fraction = b.sub(source, b.convert(index, element));
  fraction = clampFloat(b, fraction, 0, b.scalar(1, element));
  Value rest = b.sub(b.scalar(1, element), fraction);
  return b.add(weighted(b, x, d.dim, index, rest),
               weighted(b, x, d.dim, next, fraction));
}

using Resize = Value (*)(PrimBuilder &, Value, const ResizedDim &, bool);

static LogicalResult upsampleFloat(CallContext &c, size_t count,
                                   Resize resize) {
  Value input = c.tensor("input");
  bool alignCorners = c.flag("align_corners");
  if (!isFloat(c.b.elementOf(input)))
    return c.emitUnsupported("an input that is no float tensor");
  FailureOr<SmallVector<ResizedDim>> dims = readDims(c, input, count);
  if (failed(dims))
    return failure();
  return c.setResult(0, c.elementwise({input}, [&](ArrayRef<Value> x) {
    Value result = x[0];
    for (const ResizedDim &d : *dims)
      result = resize(c.b, result, d, alignCorners);
    return result;
  }));
}

template <size_t count> static LogicalResult decomposeLinear(CallContext &c) {
  return upsampleFloat(c, count, resizeLinear);
}

//===----------------------------------------------------------------------===//
// Cubic
//===----------------------------------------------------------------------===//

/// ((a + 2) x - (a + 3)) x x + 1, for a distance of at most 1.
static Value cubicNear(PrimBuilder &b, Value x, double a) {
  Value inner = b.sub(b.mul(x, a + 2), a + 3);
  return b.add(b.mul(b.mul(inner, x), x), 1);
}

/// ((a x - 5 a) x + 8 a) x - 4 a, for a distance of 1 to 2.
static Value cubicFar(PrimBuilder &b, Value x, double a) {
  Value inner = b.add(b.mul(b.sub(b.mul(x, a), 5 * a), x), 8 * a);
  return b.sub(b.mul(inner, x), 4 * a);
}

static Value resizeCubic(PrimBuilder &b, Value x, const ResizedDim &d,
                         bool alignCorners) {
  constexpr double a = -0.75;
  Type element = b.elementOf(x);
  Value source = sourcePositions(b, d, alignCorners, element);
  Value base = b.unary<prim::FloorOp>(source), t = b.sub(source, base);
  Value rest = b.sub(b.scalar(1, element), t);
  Value weights[] = {cubicFar(b, b.add(t, 1), a), cubicNear(b, t, a),
                     cubicNear(b, rest, a), cubicFar(b, b.add(rest, 1), a)};
  Value index = asIndex(b, base), result;
  for (int64_t i = 0; i < 4; ++i) {
    Value tap =
        clampIndex(b, b.add(index, b.scalarInt(i - 1, indexType(b))), d.from);
    Value term = weighted(b, x, d.dim, tap, weights[i]);
    result = result ? b.add(result, term) : term;
  }
  return result;
}

static LogicalResult decomposeBicubic(CallContext &c) {
  return upsampleFloat(c, 2, resizeCubic);
}

//===----------------------------------------------------------------------===//
// With antialiasing: a matrix of weights per dim
//===----------------------------------------------------------------------===//

static Value triangleFilter(PrimBuilder &b, Value x) {
  Value distance = b.unary<prim::AbsOp>(x);
  Value height = b.sub(b.scalar(1, b.elementOf(x)), distance);
  return b.max(height, b.scalar(0, b.elementOf(x)));
}

static Value cubicFilter(PrimBuilder &b, Value x) {
  constexpr double a = -0.5;
  Value distance = b.unary<prim::AbsOp>(x);
  Value far = b.where(b.compare(Comparison::lt, distance, 2.0),
                      cubicFar(b, distance, a), b.scalar(0, b.elementOf(x)));
  return b.where(b.compare(Comparison::lt, distance, 1.0),
                 cubicNear(b, distance, a), far);
}

/// trunc(x + 0.5), as float.
static Value roundDown(PrimBuilder &b, Value x) {
  return b.unary<prim::TruncOp>(b.add(x, 0.5));
}

/// The weights `[to, from]`: a filter as wide as one step of the result.
static Value filterMatrix(PrimBuilder &b, const ResizedDim &d,
                          bool alignCorners, Type element, bool isCubic) {
  Value one = b.scalar(1, element);
  Value step = stepOf(b, d, alignCorners, element), wide = b.max(step, one);
  Value support = b.mul(wide, isCubic ? 2.0 : 1.0);
  Value center =
      b.unsqueeze(b.mul(b.add(positions(b, d, element), 0.5), step), 1);
  Value low = b.max(roundDown(b, b.sub(center, support)), b.scalar(0, element));
  Value high = b.min(roundDown(b, b.add(center, support)),
                     b.convert(sizeValue(b, d.from), element));
  Value source = b.iota({d.to, d.from}, 1, element);
  Value x = b.div(b.add(b.sub(source, center), 0.5), wide);
  Value weights = isCubic ? cubicFilter(b, x) : triangleFilter(b, x);
  Value isInside = b.logicalAnd(b.compare(Comparison::ge, source, low),
                                b.compare(Comparison::lt, source, high));
  weights = b.where(isInside, weights, b.scalar(0, element));
  return b.div(weights, b.sum(weights, {1}, /*keepDims=*/true));
}

template <bool isCubic>
static Value resizeFiltered(PrimBuilder &b, Value x, const ResizedDim &d,
                            bool alignCorners) {
  Value matrix = filterMatrix(b, d, alignCorners, b.elementOf(x), isCubic);
  int64_t last = b.rankOf(x) - 1;
  Value moved = moveDim(b, x, d.dim, last);
  return moveDim(b, b.matmul(moved, matrix, false, /*transposeRhs=*/true), last,
                 d.dim);
}

static LogicalResult decomposeBilinearAa(CallContext &c) {
  return upsampleFloat(c, 2, resizeFiltered<false>);
}
static LogicalResult decomposeBicubicAa(CallContext &c) {
  return upsampleFloat(c, 2, resizeFiltered<true>);
}

void normalize::registerUpsampleDecompositions(DecompositionTable &table) {
  auto both = [&](const char *name, Decomposition function) {
    table.add((Twine("aten.") + name + ".default").str(), function);
    table.add((Twine("aten.") + name + ".vec").str(), function);
  };
  both("upsample_nearest1d", decomposeNearest<1>);
  both("upsample_nearest2d", decomposeNearest<2>);
  both("upsample_nearest3d", decomposeNearest<3>);
  both("_upsample_nearest_exact1d", decomposeNearestExact<1>);
  both("_upsample_nearest_exact2d", decomposeNearestExact<2>);
  both("_upsample_nearest_exact3d", decomposeNearestExact<3>);
  both("upsample_linear1d", decomposeLinear<1>);
  both("upsample_bilinear2d", decomposeLinear<2>);
  both("upsample_trilinear3d", decomposeLinear<3>);
  both("upsample_bicubic2d", decomposeBicubic);
  both("_upsample_bilinear2d_aa", decomposeBilinearAa);
  both("_upsample_bicubic2d_aa", decomposeBicubicAa);
}
