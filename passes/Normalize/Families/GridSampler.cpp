//===- GridSampler.cpp - grid_sampler, affine_grid ------------------------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using prim::Comparison;
using sym::Expr;
using sym::Shape;

enum class Interpolation : int64_t { Linear = 0, Nearest = 1, Cubic = 2 };
enum class Outside : int64_t { Zeros = 0, Border = 1, Reflection = 2 };

/// A call, with its operands in the type that is computed in.
struct Sampler {
  PrimBuilder &b;
  Value input; // [N, C, spatial...]
  SmallVector<Value>
      coordinates; // one [N, spatial...] per spatial dim, outermost first
  SmallVector<Expr> sizes;
  Outside outside;
  bool alignCorners;
};

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

static Value sizeAs(PrimBuilder &b, Expr size, Value like) {
  return b.convert(sizeValue(b, size), b.elementOf(like));
}

/// From [-1, 1] to positions.
static Value unnormalize(PrimBuilder &b, Value x, Expr size,
                         bool alignCorners) {
  Value shifted = b.add(x, 1);
  if (alignCorners)
    return b.mul(b.mul(shifted, 0.5), sizeAs(b, sym::sub(size, b.expr(1)), x));
  return b.mul(b.sub(b.mul(shifted, sizeAs(b, size, x)), 1), 0.5);
}

static Value clip(PrimBuilder &b, Value x, Expr size) {
  return clampFloat(b, x, 0, sizeAs(b, sym::sub(size, b.expr(1)), x));
}

/// Mirrors at `low` and `low + span` until the value is between.
static Value reflect(PrimBuilder &b, Value x, double low, Value span) {
  Value distance = b.unary<prim::AbsOp>(b.sub(x, low));
  Value extra = b.binary<prim::RemOp>(distance, span);
  Value flips = b.unary<prim::FloorOp>(b.div(distance, span));
  Value isEven =
      b.compare(Comparison::eq,
                b.binary<prim::RemOp>(flips, b.scalar(2, b.elementOf(x))), 0.0);
  Value result =
      b.where(isEven, b.add(extra, low), b.add(b.sub(span, extra), low));
  // Nothing is between if the span is 0.
  return b.where(b.compare(Comparison::eq, span, 0.0),
                 b.scalar(0, b.elementOf(x)), result);
}

/// Moves positions outside of the image to where the padding mode says.
static Value settle(const Sampler &s, Value x, size_t dim) {
  Expr size = s.sizes[dim];
  if (s.outside == Outside::Zeros)
    return x;
  if (s.outside == Outside::Border)
    return clip(s.b, x, size);
  Value span =
      sizeAs(s.b, s.alignCorners ? sym::sub(size, s.b.expr(1)) : size, x);
  return clip(s.b, reflect(s.b, x, s.alignCorners ? 0 : -0.5, span), size);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The elements at whole positions, `[N, C, spatial...]`; zeros outside.
static Value take(const Sampler &s, ArrayRef<Value> positions) {
  PrimBuilder &b = s.b;
  Value isInside;
  Shape shape = b.shapeOf(positions[0]);
  SmallVector<Value> indices = {b.iota(shape, 0, indexType(b))};
  SmallVector<int64_t> dims = {0};
  for (auto [i, position] : llvm::enumerate(positions)) {
    Value last = sizeAs(b, sym::sub(s.sizes[i], b.expr(1)), position);
    Value inside = b.logicalAnd(b.compare(Comparison::ge, position, 0.0),
                                b.compare(Comparison::le, position, last));
    isInside = isInside ? b.logicalAnd(isInside, inside) : inside;
    indices.push_back(
        clampIndex(b, asIndex(b, clip(b, position, s.sizes[i])), s.sizes[i]));
    dims.push_back(int64_t(i) + 2);
  }
  Value taken = index(b, s.input, indices, dims, /*position=*/0);
  taken = moveDim(b, taken, b.rankOf(taken) - 1, 1);
  return b.where(b.unsqueeze(isInside, 1), taken,
                 b.scalar(0, b.elementOf(taken)));
}

static Value scaled(PrimBuilder &b, Value taken, Value weight) {
  return b.mul(taken, b.unsqueeze(weight, 1));
}

static Value sampleNearest(const Sampler &s) {
  SmallVector<Value> positions;
  for (auto [i, x] : llvm::enumerate(s.coordinates))
    positions.push_back(s.b.unary<prim::RoundOp>(settle(s, x, i)));
  return take(s, positions);
}

/// All corners of the cell around a position, weighted by the distances.
static Value sampleLinear(const Sampler &s) {
  PrimBuilder &b = s.b;
  SmallVector<Value> low, fraction;
  for (auto [i, x] : llvm::enumerate(s.coordinates)) {
    Value settled = settle(s, x, i);
    low.push_back(b.unary<prim::FloorOp>(settled));
    fraction.push_back(b.sub(settled, low.back()));
  }
  Value result;
  for (unsigned corner = 0; corner < 1u << low.size(); ++corner) {
    SmallVector<Value> positions;
    Value weight;
    for (size_t i = 0; i < low.size(); ++i) {
      bool upper = corner >> i & 1;
      positions.push_back(upper ? b.add(low[i], 1) : low[i]);
      Value own =
          upper ? fraction[i] : b.sub(b.fullLike(fraction[i], 1), fraction[i]);
      weight = weight ? b.mul(weight, own) : own;
    }
    Value term = scaled(b, take(s, positions), weight);
    result = result ? b.add(result, term) : term;
  }
  return result;
}

/// The weights of the four positions around floor(x) for a fraction t.
static SmallVector<Value> cubicWeights(PrimBuilder &b, Value t) {
  constexpr double a = -0.75;
  auto near = [&](Value x) {
    return b.add(b.mul(b.mul(b.sub(b.mul(x, a + 2), a + 3), x), x), 1);
  };
  auto far = [&](Value x) {
    Value inner = b.add(b.mul(b.sub(b.mul(x, a), 5 * a), x), 8 * a);
    return b.sub(b.mul(inner, x), 4 * a);
  };
  Value rest = b.sub(b.fullLike(t, 1), t);
  return {far(b.add(t, 1)), near(t), near(rest), far(b.add(rest, 1))};
}

/// 4 x 4 elements; every position is settled by itself.
static Value sampleCubic(const Sampler &s) {
  PrimBuilder &b = s.b;
  Value y = b.unary<prim::FloorOp>(s.coordinates[0]),
        x = b.unary<prim::FloorOp>(s.coordinates[1]);
  SmallVector<Value> rows = cubicWeights(b, b.sub(s.coordinates[0], y));
  SmallVector<Value> columns = cubicWeights(b, b.sub(s.coordinates[1], x));
  Value result;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      Value taken = take(
          s, {settle(s, b.add(y, i - 1), 0), settle(s, b.add(x, j - 1), 1)});
      Value term = scaled(b, taken, b.mul(rows[i], columns[j]));
      result = result ? b.add(result, term) : term;
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static LogicalResult checkSampler(CallContext &c, Value input, Value grid) {
  int64_t rank = c.b.rankOf(input);
  if ((rank != 4 && rank != 5) || c.b.rankOf(grid) != rank)
    return c.emitInvalid("expected an input and a grid of rank 4 or 5");
  if (!sym::isConstant(c.b.shapeOf(grid).back(), rank - 2))
    return c.emitInvalid(
        "expected a grid with one coordinate for each spatial dim");
  if (!isFloat(c.b.elementOf(input)) ||
      c.b.elementOf(grid) != c.b.elementOf(input))
    return c.emitInvalid("expected an input and a grid of one float type");
  int64_t interpolation = c.integer("interpolation_mode"),
          outside = c.integer("padding_mode");
  if (interpolation < 0 || interpolation > (rank == 4 ? 2 : 1) || outside < 0 ||
      outside > 2)
    return c.emitInvalid("an interpolation or padding mode that is not known");
  return success();
}

/// Grids list coordinates from the last spatial dim on.
static Sampler makeSampler(CallContext &c, Value input, Value grid) {
  Sampler s = {c.b,
               input,
               {},
               {},
               Outside(c.integer("padding_mode")),
               c.flag("align_corners")};
  int64_t last = c.b.rankOf(grid) - 1, spatial = c.b.rankOf(input) - 2;
  Shape shape = c.b.shapeOf(input), places = c.b.shapeOf(grid);
  places[0] = shape[0];
  grid = c.b.checkShape(grid, places);
  for (int64_t i = 0; i < spatial; ++i) {
    Expr size = shape[i + 2];
    Value own = c.b.slice(grid, last, c.b.expr(spatial - 1 - i), c.b.expr(1));
    s.sizes.push_back(size);
    s.coordinates.push_back(
        unnormalize(c.b, c.b.squeeze(own, last), size, s.alignCorners));
  }
  return s;
}

static LogicalResult decomposeGridSampler(CallContext &c) {
  Value input = c.tensor("input"), grid = c.tensor("grid");
  if (failed(checkSampler(c, input, grid)))
    return failure();
  return c.setResult(0, c.elementwise({input, grid}, [&](ArrayRef<Value> x) {
    Sampler s = makeSampler(c, x[0], x[1]);
    switch (Interpolation(c.integer("interpolation_mode"))) {
    case Interpolation::Nearest:
      return sampleNearest(s);
    case Interpolation::Cubic:
      return sampleCubic(s);
    default:
      return sampleLinear(s);
    }
  }));
}

/// -1 to 1 in even steps; without aligned corners the middles of cells.
static Value baseAxis(CallContext &c, Expr size, bool alignCorners,
                      Type element) {
  Value steps = c.b.iota({size}, 0, element), one = c.b.scalar(1, element);
  Value count = c.b.convert(sizeValue(c.b, size), element);
  if (!alignCorners)
    return c.b.sub(c.b.div(c.b.add(c.b.mul(steps, 2), 1), count), 1);
  if (sym::isConstant(size, 1))
    return c.b.full({size}, 0, element);
  Value gaps = c.b.max(c.b.sub(count, 1), one);
  return c.b.sub(c.b.div(c.b.mul(steps, 2), gaps), 1);
}

/// theta [N, d, d + 1] applied to (x, y[, z], 1) of every position.
static LogicalResult decomposeAffineGrid(CallContext &c) {
  Value theta = c.tensor("theta");
  Shape size = c.sizes("size");
  if (c.b.rankOf(theta) != 3 || (size.size() != 4 && size.size() != 5))
    return c.emitInvalid("expected theta of rank 3 and 4 or 5 sizes");
  int64_t spatial = size.size() - 2;
  return c.setResult(0, c.elementwise({theta}, [&](ArrayRef<Value> x) {
    Type element = c.b.elementOf(x[0]);
    Shape places(size.begin() + 2, size.end());
    places.push_back(c.b.expr(1));
    SmallVector<Value> columns;
    for (int64_t i = spatial; i-- > 0;) {
      Value axis = baseAxis(c, size[i + 2], c.flag("align_corners"), element);
      columns.push_back(
          c.b.broadcast(alignTo(c.b, axis, i, spatial + 1), places));
    }
    columns.push_back(c.b.full(places, 1, element));
    Value base = joinDims(c.b, c.b.concat(columns, spatial), 0, spatial);
    Shape batched = c.b.shapeOf(base);
    batched.insert(batched.begin(), c.b.shapeOf(x[0])[0]);
    Value grid = c.b.matmul(c.b.broadcast(base, batched), x[0], false,
                            /*transposeRhs=*/true);
    return splitDim(c.b, grid, 1, ArrayRef(size).drop_front(2));
  }));
}

void normalize::registerGridSamplerDecompositions(DecompositionTable &table) {
  table.add("aten.grid_sampler.default", decomposeGridSampler);
  table.add("aten.grid_sampler_2d.default", decomposeGridSampler);
  table.add("aten.grid_sampler_3d.default", decomposeGridSampler);
  table.add("aten.affine_grid_generator.default", decomposeAffineGrid);
}
