//===- Unary.cpp - Elementary functions of one number ---------------------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

//===----------------------------------------------------------------------===//
// Functions that are one prim op
//===----------------------------------------------------------------------===//

/// Integers become f32.
template <typename OpT> static LogicalResult decomposeFloat(CallContext &c) {
  return setElementwiseFloat(c, {"self"},
                             [&](Operands x) { return c.b.unary<OpT>(x[0]); });
}

/// The same, for complex numbers as well.
template <typename OpT> static LogicalResult decomposeInexact(CallContext &c) {
  return setElementwiseFloatAny(
      c, {"self"}, [&](Operands x) { return c.b.unary<OpT>(x[0]); });
}

/// Integers are rounded already.
template <typename OpT> static LogicalResult decomposeRounding(CallContext &c) {
  return setElementwise(c, {"self"}, [&](Operands x) {
    return isFloat(c.b.elementOf(x[0])) ? c.b.unary<OpT>(x[0]) : x[0];
  });
}

static LogicalResult decomposeNeg(CallContext &c) {
  if (isBool(c.b.elementOf(c.tensor("self"))))
    return c.emitInvalid("expected numbers to negate, but found bool");
  return setElementwiseAny(c, {"self"},
                           [&](Operands x) { return c.b.neg(x[0]); });
}

static LogicalResult decomposeAbs(CallContext &c) {
  Value self = c.tensor("self");
  Type real = realPartType(c.b.elementOf(self));
  return c.setResult(0, c.b.convert(magnitude(c.b, self), real));
}

//===----------------------------------------------------------------------===//
// Logarithms and trigonometry of complex numbers
//===----------------------------------------------------------------------===//

/// log2 and log10: the natural logarithm of complex numbers, scaled.
template <typename OpT>
static LogicalResult decomposeLogarithm(CallContext &c, double base) {
  return setElementwiseFloatAny(c, {"self"}, [&](Operands x) -> Value {
    if (isComplex(c.b.elementOf(x[0])))
      return c.b.mul(c.b.log(x[0]), 1 / std::log(base));
    return c.b.unary<OpT>(x[0]);
  });
}

static LogicalResult decomposeLog2(CallContext &c) {
  return decomposeLogarithm<prim::Log2Op>(c, 2);
}

static LogicalResult decomposeLog10(CallContext &c) {
  return decomposeLogarithm<prim::Log10Op>(c, 10);
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

static Value signOf(PrimBuilder &b, Value x) {
  Type element = b.elementOf(x);
  if (isBool(element))
    return x;
  if (isUnsigned(element))
    return b.convert(b.compare(Comparison::ne, x, 0.0), element);
  return b.unary<prim::SignOp>(x);
}

static LogicalResult decomposeSign(CallContext &c) {
  return setElementwise(c, {"self"},
                        [&](Operands x) { return signOf(c.b, x[0]); });
}

/// z / |z| for complex numbers, 0 for 0.
static LogicalResult decomposeSgn(CallContext &c) {
  return setElementwiseAny(c, {"self"}, [&](Operands x) -> Value {
    Type element = c.b.elementOf(x[0]);
    if (!isComplex(element))
      return signOf(c.b, x[0]);
    Value size = magnitude(c.b, x[0]);
    Value isZero = c.b.compare(Comparison::eq, size, 0.0);
    Value divisor =
        c.b.convert(c.b.where(isZero, c.b.fullLike(size, 1), size), element);
    return c.b.div(x[0], divisor);
  });
}

static LogicalResult decomposeSignbit(CallContext &c) {
  return setElementwise(c, {"self"}, [&](Operands x) -> Value {
    Type element = c.b.elementOf(x[0]);
    if (isBool(element) || isUnsigned(element))
      return boolLike(c.b, x[0], false);
    Value signedValue = x[0];
    if (isFloat(element)) // -0 and NaN have a sign too
      signedValue = c.b.binary<prim::CopysignOp>(c.b.fullLike(x[0], 1), x[0]);
    return c.b.compare(Comparison::lt, signedValue, 0.0);
  });
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

static LogicalResult decomposeFrac(CallContext &c) {
  return setElementwise(c, {"self"}, [&](Operands x) {
    return c.b.sub(x[0], c.b.unary<prim::TruncOp>(x[0]));
  });
}

static LogicalResult decomposeRoundDecimals(CallContext &c) {
  int64_t decimals = c.integer("decimals");
  double factor = std::pow(10.0, std::abs(double(decimals)));
  return setElementwise(c, {"self"}, [&](Operands x) -> Value {
    auto round = [&](Value value) { return c.b.unary<prim::RoundOp>(value); };
    if (!isFloat(c.b.elementOf(x[0])))
      return x[0];
    if (decimals == 0)
      return round(x[0]);
    return decimals > 0 ? c.b.div(round(c.b.mul(x[0], factor)), factor)
                        : c.b.mul(round(c.b.div(x[0], factor)), factor);
  });
}

//===----------------------------------------------------------------------===//
// Short formulas
//===----------------------------------------------------------------------===//

static LogicalResult decomposeReciprocal(CallContext &c) {
  return setElementwiseFloatAny(c, {"self"}, [&](Operands x) {
    return c.b.div(c.b.fullLike(x[0], 1), x[0]);
  });
}

static LogicalResult decomposeSquare(CallContext &c) {
  Value self = c.tensor("self");
  Type type = c.promote({self, c.wrap(Scalar::ofInt(2))});
  return c.setResult(0, c.compute(type, {self}, [&](Operands x) {
    return square(c.b, x[0]);
  }));
}

static LogicalResult decomposeDeg2rad(CallContext &c) {
  return setElementwiseFloat(
      c, {"self"}, [&](Operands x) { return c.b.mul(x[0], M_PI / 180); });
}

static LogicalResult decomposeRad2deg(CallContext &c) {
  return setElementwiseFloat(
      c, {"self"}, [&](Operands x) { return c.b.mul(x[0], 180 / M_PI); });
}

static LogicalResult decomposeSinc(CallContext &c) {
  return setElementwiseFloatAny(c, {"self"}, [&](Operands x) {
    Value isZero = c.b.compare(Comparison::eq, x[0], 0.0);
    Value angle = c.b.mul(x[0], M_PI);
    Value one = c.b.fullLike(x[0], 1);
    Value ratio =
        c.b.div(c.b.unary<prim::SinOp>(angle), c.b.where(isZero, one, angle));
    return c.b.where(isZero, one, ratio);
  });
}

static double largestOf(Type element) {
  return APFloat::getLargest(cast<FloatType>(element).getFloatSemantics())
      .convertToDouble();
}

static LogicalResult decomposeNanToNum(CallContext &c) {
  Value self = c.tensor("self");
  Type element = c.b.elementOf(self);
  if (refuseComplex(c, {self}))
    return failure();
  if (!isFloat(element))
    return c.setResult(0, self);
  double largest = largestOf(element);
  auto replace = [&](Value condition, double by) {
    self = c.b.where(condition, c.b.fullLike(self, by), self);
  };
  Value isNan = c.b.isNan(self),
        isHigh = c.b.compare(Comparison::eq, self, INFINITY),
        isLow = c.b.compare(Comparison::eq, self, -INFINITY);
  replace(isNan, c.optNumber("nan").value_or(0));
  replace(isHigh, c.optNumber("posinf").value_or(largest));
  replace(isLow, c.optNumber("neginf").value_or(-largest));
  return c.setResult(0, self);
}

//===----------------------------------------------------------------------===//
// Mantissa and exponent
//===----------------------------------------------------------------------===//

namespace {
/// Where the fields of a float type lie.
struct FloatLayout {
  Type bits;
  int64_t mantissaBits, exponentMask, bias;
};
} // namespace

static FloatLayout layoutOf(MLIRContext *context, Type element) {
  if (element.isF64())
    return {IntegerType::get(context, 64), 52, 0x7ff, 1022};
  return {IntegerType::get(context, 32), 23, 0xff, 126};
}

/// Mantissa in [0.5, 1) and exponent (i32) of finite normal numbers.
static std::pair<Value, Value> splitNormal(PrimBuilder &b, Value x) {
  FloatLayout layout = layoutOf(b.getContext(), b.elementOf(x));
  auto number = [&](int64_t value) { return b.scalarInt(value, layout.bits); };
  auto retype = [&](Value value, Type element) -> Value {
    auto type = b.typeOf(value).clone(element);
    return prim::BitcastOp::create(b.getBuilder(), b.getLoc(), type, value);
  };
  Value bits = retype(x, layout.bits);
  Value field = b.binary<prim::ShiftRightOp>(bits, number(layout.mantissaBits));
  field = b.binary<prim::AndOp>(field, number(layout.exponentMask));
  Value exponent =
      b.convert(b.sub(field, number(layout.bias)), b.getBuilder().getI32Type());
  Value kept = b.binary<prim::AndOp>(
      bits, number(~(layout.exponentMask << layout.mantissaBits)));
  Value half = number(layout.bias << layout.mantissaBits);
  return {retype(b.binary<prim::OrOp>(kept, half), b.elementOf(x)), exponent};
}

/// Zeros, infinities and NaN stay as they are, with exponent 0.
static LogicalResult decomposeFrexp(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  Type element = b.elementOf(self);
  if (!isFloat(element))
    return c.emitUnsupported("frexp of numbers that are no floats");
  Value x = b.convert(self, opmathType(element));
  // Subnormal numbers are made normal first.
  double limit = element.isF64() ? 0x1p-1022 : 0x1p-126;
  int64_t shift = element.isF64() ? 54 : 25;
  Value isSmall = b.compare(Comparison::lt, b.unary<prim::AbsOp>(x), limit);
  Value normal = b.where(isSmall, b.mul(x, std::ldexp(1.0, shift)), x);
  auto [mantissa, exponent] = splitNormal(b, normal);
  exponent = b.where(isSmall, b.sub(exponent, double(shift)), exponent);
  Value isOdd = b.logicalOr(b.compare(Comparison::eq, x, 0.0),
                            b.logicalNot(isFinite(b, x)));
  mantissa = b.convert(b.where(isOdd, x, mantissa), element);
  return c.setResults(
      {mantissa, b.where(isOdd, b.fullLike(exponent, 0), exponent)});
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

static void registerTrigonometry(DecompositionTable &table) {
  table.add("aten.sin.default", decomposeInexact<prim::SinOp>);
  table.add("aten.cos.default", decomposeInexact<prim::CosOp>);
  table.add("aten.tan.default", decomposeInexact<prim::TanOp>);
  table.add("aten.sinh.default", decomposeInexact<prim::SinhOp>);
  table.add("aten.cosh.default", decomposeInexact<prim::CoshOp>);
  table.add("aten.tanh.default", decomposeInexact<prim::TanhOp>);
  for (StringRef arc : {"a", "arc"}) {
    auto add = [&](StringRef name, Decomposition function) {
      table.add(("aten." + arc + name + ".default").str(), function);
    };
    add("sin", decomposeFloat<prim::AsinOp>);
    add("cos", decomposeFloat<prim::AcosOp>);
    add("tan", decomposeFloat<prim::AtanOp>);
    add("sinh", decomposeFloat<prim::AsinhOp>);
    add("cosh", decomposeFloat<prim::AcoshOp>);
    add("tanh", decomposeFloat<prim::AtanhOp>);
  }
  table.add("aten.deg2rad.default", decomposeDeg2rad);
  table.add("aten.rad2deg.default", decomposeRad2deg);
  table.add("aten.sinc.default", decomposeSinc);
  table.add("aten.special_sinc.default", decomposeSinc);
}

static void registerExponentials(DecompositionTable &table) {
  table.add("aten.exp.default", decomposeInexact<prim::ExpOp>);
  table.add("aten.exp2.default", decomposeFloat<prim::Exp2Op>);
  table.add("aten.special_exp2.default", decomposeFloat<prim::Exp2Op>);
  table.add("aten.expm1.default", decomposeFloat<prim::Expm1Op>);
  table.add("aten.special_expm1.default", decomposeFloat<prim::Expm1Op>);
  table.add("aten.log.default", decomposeInexact<prim::LogOp>);
  table.add("aten.log2.default", decomposeLog2);
  table.add("aten.log10.default", decomposeLog10);
  table.add("aten.log1p.default", decomposeFloat<prim::Log1pOp>);
  table.add("aten.special_log1p.default", decomposeFloat<prim::Log1pOp>);
  table.add("aten.sqrt.default", decomposeInexact<prim::SqrtOp>);
  table.add("aten.rsqrt.default", decomposeInexact<prim::RsqrtOp>);
  table.add("aten.sigmoid.default", decomposeInexact<prim::SigmoidOp>);
  table.add("aten.special_expit.default", decomposeInexact<prim::SigmoidOp>);
  table.add("aten.erf.default", decomposeFloat<prim::ErfOp>);
  table.add("aten.special_erf.default", decomposeFloat<prim::ErfOp>);
  table.add("aten.erfc.default", decomposeFloat<prim::ErfcOp>);
  table.add("aten.special_erfc.default", decomposeFloat<prim::ErfcOp>);
  table.add("aten.reciprocal.default", decomposeReciprocal);
  table.add("aten.square.default", decomposeSquare);
}

void normalize::registerUnaryDecompositions(DecompositionTable &table) {
  registerTrigonometry(table);
  registerExponentials(table);
  table.add("aten.neg.default", decomposeNeg);
  table.add("aten.negative.default", decomposeNeg);
  table.add("aten.abs.default", decomposeAbs);
  table.add("aten.absolute.default", decomposeAbs);
  table.add("aten.sign.default", decomposeSign);
  table.add("aten.sgn.default", decomposeSgn);
  table.add("aten.signbit.default", decomposeSignbit);
  table.add("aten.ceil.default", decomposeRounding<prim::CeilOp>);
  table.add("aten.floor.default", decomposeRounding<prim::FloorOp>);
  table.add("aten.trunc.default", decomposeRounding<prim::TruncOp>);
  table.add("aten.fix.default", decomposeRounding<prim::TruncOp>);
  table.add("aten.round.default", decomposeRounding<prim::RoundOp>);
  table.add("aten.round.decimals", decomposeRoundDecimals);
  table.add("aten.special_round.default", decomposeRoundDecimals);
  table.add("aten.frac.default", decomposeFrac);
  table.add("aten.nan_to_num.default", decomposeNanToNum);
  table.add("aten.frexp.Tensor", decomposeFrexp);
}
