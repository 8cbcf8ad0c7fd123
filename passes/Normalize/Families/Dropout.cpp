//===- Dropout.cpp - Random functions of a tensor: dropout, rrelu ---------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;
using prim::Distribution;

/// False with probability p.
static Value keepMask(CallContext &c, ArrayRef<sym::Expr> shape, double p) {
  Value u =
      c.random(Distribution::uniform, shape, c.b.getBuilder().getF32Type());
  return c.b.compare(Comparison::ge, u, p);
}

/// One mask for each channel: batch and channel, then 1s.
static sym::Shape featureShape(CallContext &c, Value x) {
  sym::Shape shape = c.b.shapeOf(x);
  for (size_t i = 2; i < shape.size(); ++i)
    shape[i] = c.b.expr(1);
  return shape;
}

static LogicalResult checkProbability(CallContext &c, double p) {
  if (p >= 0 && p <= 1)
    return success();
  return c.emitInvalid("expected a probability between 0 and 1, but found " +
                       std::to_string(p));
}

/// Whether the call changes anything; if not, the result is the input itself.
static bool isActive(CallContext &c) {
  return c.flag("train") && c.number("p") != 0;
}

//===----------------------------------------------------------------------===//
// dropout
//===----------------------------------------------------------------------===//

/// x * mask / (1 - p)
static Value dropped(CallContext &c, Value x, Value mask, double p) {
  PrimBuilder &b = c.b;
  return c.elementwise({x}, [&](Operands v) {
    double factor = p == 1 ? 0 : 1 / (1 - p);
    return b.mul(v[0], b.mul(b.convert(mask, b.elementOf(v[0])), factor));
  });
}

static LogicalResult setDropout(CallContext &c, bool isFeature) {
  Value input = c.tensor("input");
  double p = c.number("p");
  if (failed(checkProbability(c, p)))
    return failure();
  if (!isActive(c))
    return c.setResult(0, input);
  if (isFeature && c.b.rankOf(input) < 2)
    return c.emitInvalid("expected an input of rank 2 or more");
  sym::Shape shape = isFeature ? featureShape(c, input) : c.b.shapeOf(input);
  return c.setResult(0, dropped(c, input, keepMask(c, shape, p), p));
}

static LogicalResult decomposeDropout(CallContext &c) {
  return setDropout(c, false);
}

static LogicalResult decomposeFeatureDropout(CallContext &c) {
  return setDropout(c, true);
}

/// The second result is the mask.
static LogicalResult decomposeNativeDropout(CallContext &c) {
  Value input = c.tensor("input");
  double p = c.number("p");
  if (failed(checkProbability(c, p)))
    return failure();
  if (c.has("train") && !c.flag("train"))
    return c.setResults({input, boolLike(c.b, input, true)});
  Value mask = keepMask(c, c.b.shapeOf(input), p);
  return c.setResults({dropped(c, input, mask, p), mask});
}

static LogicalResult decomposeNativeDropoutBackward(CallContext &c) {
  Scalar scale = c.scalar("scale");
  return setElementwise(c, {"grad_output", "mask"}, [&](Operands x) {
    return c.b.mul(c.b.mul(x[0], x[1]), numberLike(c, scale, x[0]));
  });
}

/// Keeps mean and variance of activations of selu.
static LogicalResult setAlphaDropout(CallContext &c, bool isFeature) {
  PrimBuilder &b = c.b;
  Value input = c.tensor("input");
  double p = c.number("p");
  if (failed(checkProbability(c, p)))
    return failure();
  if (!isActive(c))
    return c.setResult(0, input);
  if (isFeature && b.rankOf(input) < 2)
    return c.emitInvalid("expected an input of rank 2 or more");
  if (p == 1)
    return c.setResult(0, c.elementwise({input}, [&](Operands x) {
      return b.mul(x[0], 0.0);
    }));
  constexpr double Alpha = 1.7580993408473766;
  double a = 1 / std::sqrt((Alpha * Alpha * p + 1) * (1 - p));
  Value mask =
      keepMask(c, isFeature ? featureShape(c, input) : b.shapeOf(input), p);
  return c.setResult(0, c.elementwise({input}, [&](Operands x) {
    Value kept = b.convert(mask, b.elementOf(x[0]));
    Value shift = b.add(b.mul(b.sub(kept, 1), Alpha * a), Alpha * a * p);
    return b.add(b.mul(x[0], b.mul(kept, a)), shift);
  }));
}

static LogicalResult decomposeAlphaDropout(CallContext &c) {
  return setAlphaDropout(c, false);
}

static LogicalResult decomposeFeatureAlphaDropout(CallContext &c) {
  return setAlphaDropout(c, true);
}

//===----------------------------------------------------------------------===//
// rrelu
//===----------------------------------------------------------------------===//

/// Slopes of negative elements, drawn between the bounds; 1 for the others.
static Value rreluNoise(CallContext &c, Value x) {
  PrimBuilder &b = c.b;
  double lower = c.number("lower"), upper = c.number("upper");
  Value u = c.random(Distribution::uniform, b.shapeOf(x),
                     b.getBuilder().getF32Type());
  Value slope =
      b.convert(b.add(b.mul(u, upper - lower), lower), b.elementOf(x));
  return b.where(b.compare(Comparison::le, x, 0.0), slope, b.fullLike(x, 1));
}

static Value averageRrelu(CallContext &c, Value self) {
  PrimBuilder &b = c.b;
  double slope = (c.number("lower") + c.number("upper")) / 2;
  return c.elementwise({self}, [&](Operands x) {
    return b.where(b.compare(Comparison::gt, x[0], 0.0), x[0],
                   b.mul(x[0], slope));
  });
}

static LogicalResult decomposeRrelu(CallContext &c) {
  Value self = c.tensor("self");
  if (!isFloat(c.b.elementOf(self)))
    return c.emitInvalid("expected floats");
  if (!c.flag("training"))
    return c.setResult(0, averageRrelu(c, self));
  return c.setResult(0, c.b.mul(self, rreluNoise(c, self)));
}

/// The noise is the second result.
static LogicalResult decomposeRreluFunctional(CallContext &c) {
  Value self = c.tensor("self");
  if (!isFloat(c.b.elementOf(self)))
    return c.emitInvalid("expected floats");
  if (!c.flag("training"))
    return c.setResults({averageRrelu(c, self), c.tensor("noise")});
  Value noise = rreluNoise(c, self);
  return c.setResults({c.b.mul(self, noise), noise});
}

/// The noise is written to an argument.
static LogicalResult decomposeRreluWithNoise(CallContext &c) {
  if (!c.flag("training"))
    return decomposeRrelu(c);
  Value self = c.tensor("self");
  if (!isFloat(c.b.elementOf(self)))
    return c.emitInvalid("expected floats");
  Value noise = rreluNoise(c, self);
  (void)c.setResult(0, c.b.mul(self, noise));
  return c.write("noise", noise);
}

void normalize::registerDropoutDecompositions(DecompositionTable &table) {
  table.addMaybeView("aten.dropout.default", decomposeDropout);
  table.addMaybeView("aten.feature_dropout.default", decomposeFeatureDropout);
  table.addMaybeView("aten.alpha_dropout.default", decomposeAlphaDropout);
  table.addMaybeView("aten.feature_alpha_dropout.default",
                     decomposeFeatureAlphaDropout);
  table.add("aten.native_dropout.default", decomposeNativeDropout);
  table.add("aten.native_dropout_backward.default",
            decomposeNativeDropoutBackward);
  table.add("aten.rrelu.default", decomposeRrelu);
  table.add("aten.rrelu_with_noise.default", decomposeRreluWithNoise);
  table.add("aten.rrelu_with_noise_functional.default",
            decomposeRreluFunctional);
}
