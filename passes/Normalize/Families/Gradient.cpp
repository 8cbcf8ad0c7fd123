//===- Gradient.cpp - Numerical derivatives of samples --------------------===//

#include "passes/Normalize/Families/Formulas.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::PrimBuilder;

namespace {
/// One dim along which samples are differentiated.
struct Axis {
  Value samples;
  int64_t dim;
  int64_t edgeOrder;
};
} // namespace

/// `size` samples from `start`; a negative start counts from the end.
static Value part(PrimBuilder &b, const Axis &axis, int64_t start,
                  sym::Expr size) {
  sym::Expr from = b.expr(start);
  if (start < 0)
    from = sym::add(b.shapeOf(axis.samples)[axis.dim], from);
  return b.slice(axis.samples, axis.dim, from, size);
}

static Value sample(PrimBuilder &b, const Axis &axis, int64_t position) {
  return part(b, axis, position, b.expr(1));
}

/// a * x + b * y + c * z
static Value combine(PrimBuilder &b, Operands factors, Operands values) {
  Value sum;
  for (auto [factor, value] : llvm::zip(factors, values)) {
    Value term = b.mul(value, factor);
    sum = sum ? b.add(sum, term) : term;
  }
  return sum;
}

/// All but the first and the last sample, and those before and behind each.
static SmallVector<Value> innerStencil(PrimBuilder &b, const Axis &axis) {
  sym::Expr inner = sym::sub(b.shapeOf(axis.samples)[axis.dim], b.expr(2));
  return {part(b, axis, 0, inner), part(b, axis, 1, inner),
          part(b, axis, 2, inner)};
}

static SmallVector<Value> edgeStencil(PrimBuilder &b, const Axis &axis,
                                      bool isFirst) {
  if (isFirst)
    return {sample(b, axis, 0), sample(b, axis, 1), sample(b, axis, 2)};
  return {sample(b, axis, -3), sample(b, axis, -2), sample(b, axis, -1)};
}

static Value joined(PrimBuilder &b, const Axis &axis, Value first, Value inner,
                    Value last) {
  Value all = b.concat({first, inner, last}, axis.dim);
  return b.checkShape(all, b.shapeOf(axis.samples));
}

//===----------------------------------------------------------------------===//
// Equal distances
//===----------------------------------------------------------------------===//

static Value evenEdge(PrimBuilder &b, const Axis &axis, bool isFirst) {
  if (axis.edgeOrder == 1)
    return isFirst ? b.sub(sample(b, axis, 1), sample(b, axis, 0))
                   : b.sub(sample(b, axis, -1), sample(b, axis, -2));
  Type element = b.elementOf(axis.samples);
  SmallVector<Value> factors;
  for (double factor :
       isFirst ? std::array{-1.5, 2.0, -0.5} : std::array{0.5, -2.0, 1.5})
    factors.push_back(b.scalar(factor, element));
  return combine(b, factors, edgeStencil(b, axis, isFirst));
}

static Value evenGradient(PrimBuilder &b, const Axis &axis, Value distance) {
  SmallVector<Value> stencil = innerStencil(b, axis);
  Value inner = b.div(b.div(b.sub(stencil[2], stencil[0]), distance), 2);
  return joined(b, axis, b.div(evenEdge(b, axis, true), distance), inner,
                b.div(evenEdge(b, axis, false), distance));
}

//===----------------------------------------------------------------------===//
// Distances between coordinates
//===----------------------------------------------------------------------===//

/// Of the parabola through three samples that lie l and r apart, the slope in
/// the middle.
static Value middleSlope(PrimBuilder &b, Value l, Value r, Operands samples) {
  Value both = b.add(l, r);
  Value before = b.div(b.neg(r), b.mul(l, both));
  Value middle = b.div(b.sub(r, l), b.mul(l, r));
  Value behind = b.div(l, b.mul(r, both));
  return combine(b, {before, middle, behind}, samples);
}

/// The slope at the first sample.
static Value firstSlope(PrimBuilder &b, Value l, Value r, Operands samples) {
  Value both = b.add(l, r);
  Value first = b.div(b.neg(b.add(b.add(l, l), r)), b.mul(l, both));
  Value second = b.div(both, b.mul(l, r));
  Value third = b.div(b.neg(l), b.mul(r, both));
  return combine(b, {first, second, third}, samples);
}

/// The slope at the last sample: the first one of the mirrored samples.
static Value lastSlope(PrimBuilder &b, Value l, Value r, Operands samples) {
  return b.neg(firstSlope(b, r, l, {samples[2], samples[1], samples[0]}));
}

/// `distances` lie along the dim and are one less than the samples.
static Value unevenEdge(PrimBuilder &b, const Axis &axis, Value distances,
                        bool isFirst) {
  Axis steps{distances, axis.dim, axis.edgeOrder};
  if (axis.edgeOrder == 1)
    return b.div(evenEdge(b, axis, isFirst),
                 sample(b, steps, isFirst ? 0 : -1));
  Value l = sample(b, steps, isFirst ? 0 : -2),
        r = sample(b, steps, isFirst ? 1 : -1);
  SmallVector<Value> stencil = edgeStencil(b, axis, isFirst);
  return isFirst ? firstSlope(b, l, r, stencil) : lastSlope(b, l, r, stencil);
}

static Value unevenGradient(PrimBuilder &b, const Axis &axis,
                            Value coordinates) {
  sym::Shape shape(b.rankOf(axis.samples), b.expr(1));
  shape[axis.dim] = b.shapeOf(coordinates)[0];
  Axis points{b.reshape(coordinates, shape), axis.dim, axis.edgeOrder};
  sym::Expr count = sym::sub(shape[axis.dim], b.expr(1));
  Value distances = b.sub(part(b, points, 1, count), part(b, points, 0, count));
  Axis steps{distances, axis.dim, axis.edgeOrder};
  sym::Expr inner = sym::sub(count, b.expr(1));
  Value middle = middleSlope(b, part(b, steps, 0, inner),
                             part(b, steps, 1, inner), innerStencil(b, axis));
  return joined(b, axis, unevenEdge(b, axis, distances, true), middle,
                unevenEdge(b, axis, distances, false));
}

//===----------------------------------------------------------------------===//
// gradient
//===----------------------------------------------------------------------===//

/// Reads `dim` and checks what all overloads share.
static FailureOr<SmallVector<Axis>> axesOf(CallContext &c) {
  Value self = c.tensor("self");
  int64_t order = c.integer("edge_order");
  if (!isFloat(c.b.elementOf(self)))
    return c.emitUnsupported("samples that are no floats");
  if (order != 1 && order != 2)
    return c.emitInvalid("expected an edge order of 1 or 2, but found " +
                         Twine(order));
  SmallVector<Axis> axes;
  auto dims = c.has("dim") ? c.dims("dim", c.b.rankOf(self)) : allDims(self);
  for (int64_t dim : dims) {
    auto size = dim < c.b.rankOf(self) ? sym::asConstant(c.b.shapeOf(self)[dim])
                                       : std::optional<int64_t>(0);
    if (size && *size < order + 1)
      return c.emitInvalid("expected at least " + Twine(order + 1) +
                           " samples along each dim");
    axes.push_back({self, dim, order});
  }
  return axes;
}

/// `spacing` is one number or one for each dim.
static LogicalResult decomposeEvenGradient(CallContext &c) {
  FailureOr<SmallVector<Axis>> axes = axesOf(c);
  if (failed(axes))
    return failure();
  bool isList = isa_and_nonnull<ArrayAttr>(c.argument("spacing"));
  SmallVector<Scalar> spacing;
  if (isList)
    spacing = c.scalars("spacing");
  else
    spacing.assign(axes->size(),
                   c.optScalar("spacing").value_or(Scalar::ofInt(1)));
  if (spacing.size() != axes->size())
    return c.emitInvalid("expected a spacing for each dim");
  for (auto [i, axis] : llvm::enumerate(*axes))
    (void)c.setResult(
        i, evenGradient(c.b, axis, numberLike(c, spacing[i], axis.samples)));
  return success();
}

/// `spacing` holds the coordinates of the samples along each dim.
static LogicalResult decomposeUnevenGradient(CallContext &c) {
  FailureOr<SmallVector<Axis>> axes = axesOf(c);
  if (failed(axes))
    return failure();
  SmallVector<Value> coordinates = c.tensors("spacing");
  if (coordinates.size() != axes->size())
    return c.emitInvalid("expected coordinates for each dim");
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    if (c.b.rankOf(coordinates[i]) != 1)
      return c.emitInvalid("expected coordinates of rank 1");
    Value points = c.b.convert(coordinates[i], c.b.elementOf(axis.samples));
    (void)c.setResult(i, unevenGradient(c.b, axis, points));
  }
  return success();
}

void normalize::registerGradientDecompositions(DecompositionTable &table) {
  for (StringRef overload :
       {"array", "scalararray", "scalarint", "scalarrayarray", "scalarrayint"})
    table.add(("aten.gradient." + overload).str(), decomposeEvenGradient);
  for (StringRef overload : {"tensorarray", "tensorarrayint"})
    table.add(("aten.gradient." + overload).str(), decomposeUnevenGradient);
}
