//===- Activation.cpp - Activation functions ------------------------------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

/// What most activations are: one kernel on `self`.
static LogicalResult setActivation(CallContext &c,
                                   function_ref<Value(Value)> body) {
  return setElementwise(c, {"self"}, [&](Operands x) { return body(x[0]); });
}

static Value isPositive(PrimBuilder &b, Value x) {
  return b.compare(Comparison::gt, x, 0.0);
}

//===----------------------------------------------------------------------===//
// Piecewise linear
//===----------------------------------------------------------------------===//

/// By selection: NaN stays, and 0 has the gradient 0.
static LogicalResult decomposeRelu(CallContext &c) {
  return setActivation(c, [&](Value x) {
    Value isLow = c.b.compare(Comparison::le, x, 0.0);
    return c.b.where(isLow, c.b.scalar(0, c.b.elementOf(x)), x);
  });
}

static LogicalResult decomposeHardtanh(CallContext &c) {
  double low = c.number("min_val"), high = c.number("max_val");
  return setActivation(c,
                       [&](Value x) { return clampOpen(c.b, x, low, high); });
}

/// min(max(x, 0), 6)
static Value clampTo6(PrimBuilder &b, Value x) { return clampOpen(b, x, 0, 6); }

static LogicalResult decomposeRelu6(CallContext &c) {
  return setActivation(c, [&](Value x) { return clampTo6(c.b, x); });
}

static LogicalResult decomposeHardsigmoid(CallContext &c) {
  return setActivation(
      c, [&](Value x) { return c.b.div(clampTo6(c.b, c.b.add(x, 3)), 6); });
}

static LogicalResult decomposeHardswish(CallContext &c) {
  return setActivation(c, [&](Value x) {
    return c.b.div(c.b.mul(x, clampTo6(c.b, c.b.add(x, 3))), 6);
  });
}

static Value leakyRelu(PrimBuilder &b, Value x, Value slope) {
  return b.where(isPositive(b, x), x, b.mul(x, slope));
}

static LogicalResult decomposeLeakyRelu(CallContext &c) {
  Scalar slope = c.scalar("negative_slope");
  return setActivation(
      c, [&](Value x) { return leakyRelu(c.b, x, numberLike(c, slope, x)); });
}

/// One weight, or one for each channel (dim 1).
static LogicalResult decomposePrelu(CallContext &c) {
  Value self = c.tensor("self"), weight = c.tensor("weight");
  sym::Shape shape(c.b.rankOf(self), c.b.expr(1));
  if (shape.size() > 1)
    shape[1] = sym::product(c.getContext(), c.b.shapeOf(weight));
  weight = c.b.reshape(weight, shape);
  return c.setResult(0, c.elementwise({self, weight}, [&](Operands x) {
    return leakyRelu(c.b, x[0], x[1]);
  }));
}

static LogicalResult decomposePreluKernel(CallContext &c) {
  return setElementwise(c, {"self", "weight"},
                        [&](Operands x) { return leakyRelu(c.b, x[0], x[1]); });
}

static LogicalResult decomposeThreshold(CallContext &c) {
  Scalar threshold = c.scalar("threshold"), value = c.scalar("value");
  return setActivation(c, [&](Value x) {
    Value isLow = c.b.compare(Comparison::le, x, numberLike(c, threshold, x));
    return c.b.where(isLow, numberLike(c, value, x), x);
  });
}

static LogicalResult decomposeHardshrink(CallContext &c) {
  double lambda = c.number("lambd");
  return setActivation(c, [&](Value x) {
    Value isSmall = c.b.logicalAnd(c.b.compare(Comparison::ge, x, -lambda),
                                   c.b.compare(Comparison::le, x, lambda));
    return c.b.where(isSmall, c.b.fullLike(x, 0), x);
  });
}

/// NaN stays NaN.
static LogicalResult decomposeSoftshrink(CallContext &c) {
  double lambda = c.number("lambd");
  return setActivation(c, [&](Value x) {
    Value isHigh = c.b.compare(Comparison::gt, x, lambda);
    Value isLow = c.b.compare(Comparison::lt, x, -lambda);
    Value inner = c.b.where(c.b.isNan(x), x, c.b.fullLike(x, 0));
    return c.b.where(isHigh, c.b.sub(x, lambda),
                     c.b.where(isLow, c.b.add(x, lambda), inner));
  });
}

//===----------------------------------------------------------------------===//
// Exponential
//===----------------------------------------------------------------------===//

/// scale * x, and scale * alpha * (exp(x * inputScale) - 1) up to 0.
static LogicalResult setElu(CallContext &c, double alpha, double scale,
                            double inputScale) {
  return setActivation(c, [&](Value x) {
    Value isLow = c.b.compare(Comparison::le, x, 0.0);
    // Large numbers, for which the exponential is infinite, take no part.
    Value low = c.b.where(isLow, x, c.b.scalar(0, c.b.elementOf(x)));
    Value curve = c.b.unary<prim::Expm1Op>(c.b.mul(low, inputScale));
    return c.b.where(isLow, c.b.mul(curve, alpha * scale), c.b.mul(x, scale));
  });
}

static LogicalResult decomposeElu(CallContext &c) {
  return setElu(c, c.number("alpha"), c.number("scale"),
                c.number("input_scale"));
}

static LogicalResult decomposeCelu(CallContext &c) {
  double alpha = c.number("alpha");
  return setElu(c, alpha, 1, 1 / alpha);
}

static LogicalResult decomposeSelu(CallContext &c) {
  return setElu(c, 1.6732632423543772848170429916717,
                1.0507009873554804934193349852946, 1);
}

static LogicalResult decomposeSilu(CallContext &c) {
  return setElementwiseAny(c, {"self"}, [&](Operands x) {
    return c.b.mul(x[0], c.b.unary<prim::SigmoidOp>(x[0]));
  });
}

/// log(1 + exp(x)), and x above the threshold.
static Value softplus(PrimBuilder &b, Value x, double threshold) {
  Value isHigh = b.compare(Comparison::gt, x, threshold);
  Value low = b.where(isHigh, b.scalar(threshold, b.elementOf(x)), x);
  return b.where(isHigh, x, b.unary<prim::Log1pOp>(b.exp(low)));
}

static LogicalResult decomposeMish(CallContext &c) {
  // From 40 on log(1 + exp(x)) is x, even in double precision.
  return setActivation(c, [&](Value x) {
    return c.b.mul(x, c.b.unary<prim::TanhOp>(softplus(c.b, x, 40)));
  });
}

/// Linear above the threshold.
static LogicalResult decomposeSoftplus(CallContext &c) {
  double beta = c.number("beta"), threshold = c.number("threshold");
  return setActivation(c, [&](Value x) {
    Value isHigh = c.b.compare(Comparison::gt, c.b.mul(x, beta), threshold);
    Value curve = c.b.div(softplus(c.b, c.b.mul(x, beta), threshold), beta);
    return c.b.where(isHigh, x, curve);
  });
}

static LogicalResult decomposeLogSigmoid(CallContext &c) {
  return setActivation(c, [&](Value x) { return logSigmoid(c.b, x); });
}

/// The second result is what the backward of CPU kernels wants.
static LogicalResult decomposeLogSigmoidForward(CallContext &c) {
  Value self = c.tensor("self");
  (void)c.setResult(1, c.elementwise({self}, [&](Operands x) {
    return c.b.exp(c.b.neg(c.b.unary<prim::AbsOp>(x[0])));
  }));
  return decomposeLogSigmoid(c);
}

/// x * (1 + erf(x / sqrt(2))) / 2
static Value gelu(PrimBuilder &b, Value x) {
  Value erf = b.unary<prim::ErfOp>(b.mul(x, M_SQRT1_2));
  return b.mul(b.mul(x, 0.5), b.add(erf, 1));
}

static Value tanhGelu(PrimBuilder &b, Value x) {
  Value cube = b.mul(square(b, x), x);
  Value inner =
      b.mul(b.add(x, b.mul(cube, 0.044715)), M_SQRT2 * M_2_SQRTPI * 0.5);
  return b.mul(b.mul(x, 0.5), b.add(b.unary<prim::TanhOp>(inner), 1));
}

static LogicalResult decomposeGelu(CallContext &c) {
  StringRef approximate = c.text("approximate");
  if (approximate != "none" && approximate != "tanh")
    return c.emitInvalid("expected approximate 'none' or 'tanh', but found '" +
                         approximate + "'");
  return setActivation(c, [&](Value x) {
    return approximate == "tanh" ? tanhGelu(c.b, x) : gelu(c.b, x);
  });
}

/// The first half times the sigmoid of the second.
static LogicalResult decomposeGlu(CallContext &c) {
  Value self = c.tensor("self");
  if (c.b.rankOf(self) == 0)
    return c.emitInvalid("expected a tensor of rank 1 or more");
  int64_t dim = c.dim("dim", c.b.rankOf(self));
  sym::Expr half = sym::floorDiv(c.b.shapeOf(self)[dim], c.b.expr(2));
  Value first = c.b.slice(self, dim, c.b.expr(0), half);
  Value second = c.b.slice(self, dim, half, half);
  return c.setResult(0, c.elementwise({first, second}, [&](Operands x) {
    return c.b.mul(x[0], c.b.unary<prim::SigmoidOp>(x[1]));
  }));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void normalize::registerActivationDecompositions(DecompositionTable &table) {
  table.add("aten.relu.default", decomposeRelu);
  table.add("aten.relu6.default", decomposeRelu6);
  table.add("aten.hardtanh.default", decomposeHardtanh);
  table.add("aten.hardsigmoid.default", decomposeHardsigmoid);
  table.add("aten.hardswish.default", decomposeHardswish);
  table.add("aten.leaky_relu.default", decomposeLeakyRelu);
  table.add("aten.prelu.default", decomposePrelu);
  table.add("aten._prelu_kernel.default", decomposePreluKernel);
  table.add("aten.threshold.default", decomposeThreshold);
  table.add("aten.hardshrink.default", decomposeHardshrink);
  table.add("aten.softshrink.default", decomposeSoftshrink);
  table.add("aten.elu.default", decomposeElu);
  table.add("aten.celu.default", decomposeCelu);
  table.add("aten.selu.default", decomposeSelu);
  table.add("aten.silu.default", decomposeSilu);
  table.add("aten.mish.default", decomposeMish);
  table.add("aten.softplus.default", decomposeSoftplus);
  table.add("aten.log_sigmoid.default", decomposeLogSigmoid);
  table.add("aten.log_sigmoid_forward.default", decomposeLogSigmoidForward);
  table.add("aten.gelu.default", decomposeGelu);
  table.add("aten.glu.default", decomposeGlu);
}
