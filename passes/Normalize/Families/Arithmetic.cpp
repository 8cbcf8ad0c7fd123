//===- Arithmetic.cpp - add, sub, mul, div, remainders, powers ------------===//

#include "passes/Normalize/Families/Formulas.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

/// x * alpha, where most programs say 1.
static Value scaled(CallContext &c, Value x, StringRef factor) {
  Scalar alpha = c.scalar(factor);
  return alpha.is(1) ? x : c.b.mul(x, numberLike(c, alpha, x));
}

static LogicalResult decomposeAdd(CallContext &c) {
  return setElementwiseAny(c, {"self", "other"}, [&](Operands x) {
    return c.b.add(x[0], scaled(c, x[1], "alpha"));
  });
}

static LogicalResult decomposeSub(CallContext &c) {
  return setElementwiseAny(c, {"self", "other"}, [&](Operands x) {
    return c.b.sub(x[0], scaled(c, x[1], "alpha"));
  });
}

static LogicalResult decomposeRsub(CallContext &c) {
  return setElementwiseAny(c, {"self", "other"}, [&](Operands x) {
    return c.b.sub(x[1], scaled(c, x[0], "alpha"));
  });
}

static LogicalResult decomposeMul(CallContext &c) {
  return setElementwiseAny(c, {"self", "other"},
                           [&](Operands x) { return c.b.mul(x[0], x[1]); });
}

static LogicalResult decomposeAddcmul(CallContext &c) {
  return setElementwiseAny(c, {"self", "tensor1", "tensor2"}, [&](Operands x) {
    return c.b.add(x[0], c.b.mul(scaled(c, x[1], "value"), x[2]));
  });
}

static LogicalResult decomposeAddcdiv(CallContext &c) {
  return setElementwiseFloatAny(
      c, {"self", "tensor1", "tensor2"}, [&](Operands x) {
        return c.b.add(x[0], c.b.div(scaled(c, x[1], "value"), x[2]));
      });
}

/// Starts from the nearer end, so that a weight of 1 gives the end exactly.
static Value lerp(PrimBuilder &b, Value start, Value end, Value weight) {
  Value step = b.sub(end, start);
  Value fromStart = b.add(start, b.mul(weight, step));
  Value rest = b.sub(b.fullLike(weight, 1), weight);
  Value fromEnd = b.sub(end, b.mul(step, rest));
  Value isSmall = b.compare(Comparison::lt, magnitude(b, weight), 0.5);
  return b.where(isSmall, fromStart, fromEnd);
}

static LogicalResult decomposeLerp(CallContext &c) {
  return setElementwiseFloatAny(c, {"self", "end", "weight"}, [&](Operands x) {
    return lerp(c.b, x[0], x[1], x[2]);
  });
}

//===----------------------------------------------------------------------===//
// Quotients and remainders
//===----------------------------------------------------------------------===//

static LogicalResult decomposeDiv(CallContext &c) {
  return setElementwiseFloatAny(
      c, {"self", "other"}, [&](Operands x) { return c.b.div(x[0], x[1]); });
}

/// The remainder is not zero and its sign is not the divisor's.
static Value needsFloor(PrimBuilder &b, Value remainder, Value divisor) {
  Value differ =
      b.compare(Comparison::ne, b.compare(Comparison::lt, remainder, 0.0),
                b.compare(Comparison::lt, divisor, 0.0));
  return b.logicalAnd(b.compare(Comparison::ne, remainder, 0.0), differ);
}

static Value floorRemainder(PrimBuilder &b, Value x, Value y) {
  Value remainder = b.binary<prim::RemOp>(x, y);
  if (isUnsigned(b.elementOf(x)))
    return remainder;
  return b.where(needsFloor(b, remainder, y), b.add(remainder, y), remainder);
}

static Value floorDivInt(PrimBuilder &b, Value x, Value y) {
  Value quotient = b.binary<prim::IDivOp>(x, y);
  if (isUnsigned(b.elementOf(x)))
    return quotient;
  Value remainder = b.sub(x, b.mul(quotient, y));
  return b.where(needsFloor(b, remainder, y), b.sub(quotient, 1), quotient);
}

/// Python's: exact multiples are not rounded down by an inexact quotient.
static Value floorDivFloat(PrimBuilder &b, Value x, Value y) {
  Value plain = b.div(x, y);
  Value remainder = b.binary<prim::RemOp>(x, y);
  Value quotient = b.div(b.sub(x, remainder), y);
  quotient = b.where(needsFloor(b, remainder, y), b.sub(quotient, 1), quotient);
  Value floor = b.unary<prim::FloorOp>(quotient);
  Value isBelow = b.compare(Comparison::gt, b.sub(quotient, floor), 0.5);
  floor = b.where(isBelow, b.add(floor, 1), floor);
  Value zero = b.binary<prim::CopysignOp>(b.fullLike(plain, 0), plain);
  Value result = b.where(b.compare(Comparison::eq, quotient, 0.0), zero, floor);
  return b.where(b.compare(Comparison::eq, y, 0.0), plain, result);
}

static Value floorDiv(PrimBuilder &b, Value x, Value y) {
  return isIntegral(b.elementOf(x)) ? floorDivInt(b, x, y)
                                    : floorDivFloat(b, x, y);
}

static Value truncDiv(PrimBuilder &b, Value x, Value y) {
  if (isIntegral(b.elementOf(x)))
    return b.binary<prim::IDivOp>(x, y);
  return b.unary<prim::TruncOp>(b.div(x, y));
}

/// Division and remainders are not defined on bool.
static LogicalResult setWithoutBool(CallContext &c, CallContext::Body body) {
  if (isBool(c.promote({c.tensor("self"), c.tensor("other")})))
    return c.emitUnsupported("a quotient of bool tensors");
  return setElementwise(c, {"self", "other"}, body);
}

static LogicalResult decomposeFloorDivide(CallContext &c) {
  return setWithoutBool(c,
                        [&](Operands x) { return floorDiv(c.b, x[0], x[1]); });
}

static LogicalResult decomposeDivMode(CallContext &c) {
  StringRef mode = c.text("rounding_mode");
  if (mode.empty())
    return decomposeDiv(c);
  if (mode == "floor")
    return decomposeFloorDivide(c);
  if (mode != "trunc")
    return c.emitUnsupported("rounding mode '" + mode + "'");
  return setWithoutBool(c,
                        [&](Operands x) { return truncDiv(c.b, x[0], x[1]); });
}

static LogicalResult decomposeRemainder(CallContext &c) {
  return setWithoutBool(
      c, [&](Operands x) { return floorRemainder(c.b, x[0], x[1]); });
}

static LogicalResult decomposeFmod(CallContext &c) {
  return setWithoutBool(
      c, [&](Operands x) { return c.b.binary<prim::RemOp>(x[0], x[1]); });
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

static Value power(PrimBuilder &b, Value x, Value y) {
  return b.binary<prim::PowOp>(x, y);
}

static LogicalResult decomposePow(CallContext &c) {
  return setElementwiseAny(c, {"self", "exponent"},
                           [&](Operands x) { return power(c.b, x[0], x[1]); });
}

static LogicalResult decomposePowScalar(CallContext &c) {
  Scalar exponent = c.scalar("exponent");
  if (exponent.isComplex() || exponent.kind == Scalar::Kind::Symbolic)
    return decomposePow(c);
  Value self = c.tensor("self");
  Type type = c.promote({self, c.wrap(exponent)});
  if (isIntegral(type) && exponent.re < 0)
    return c.emitInvalid("integers to a negative power");
  return c.setResult(0, c.compute(type, {self}, [&](Operands x) {
    return powerOf(c.b, x[0], exponent.re);
  }));
}

static LogicalResult decomposePowOfScalar(CallContext &c) {
  if (c.scalar("self").is(2))
    return setElementwiseAny(c, {"self", "exponent"}, [&](Operands x) -> Value {
      Type element = c.b.elementOf(x[1]);
      return isFloat(element) ? c.b.unary<prim::Exp2Op>(x[1])
                              : power(c.b, x[0], x[1]);
    });
  return decomposePow(c);
}

/// Always in double precision.
static LogicalResult decomposeFloatPower(CallContext &c) {
  Value self = c.tensor("self"), exponent = c.tensor("exponent");
  Type type = c.b.getBuilder().getF64Type();
  if (isComplex(c.b.elementOf(self)) || isComplex(c.b.elementOf(exponent)))
    type = ComplexType::get(type);
  return c.setResult(0, c.compute(type, {self, exponent}, [&](Operands x) {
    return power(c.b, x[0], x[1]);
  }));
}

/// x * 2^other, with the power in the type that `pow` gives.
static LogicalResult decomposeLdexp(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  if (refuseComplex(c, {self, other}))
    return failure();
  Value two = c.wrap(Scalar::ofFloat(2));
  Value factor = c.elementwise(
      {two, other}, [&](Operands x) { return c.b.unary<prim::Exp2Op>(x[1]); });
  return c.setResult(0, c.elementwise({self, factor}, [&](Operands x) {
    return c.b.mul(x[0], x[1]);
  }));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

static void addBoth(DecompositionTable &table, StringRef name,
                    Decomposition function) {
  table.add((name + ".Tensor").str(), function);
  table.add((name + ".Scalar").str(), function);
}

static void registerQuotients(DecompositionTable &table) {
  for (StringRef name : {"aten.div", "aten.divide", "aten.true_divide"})
    addBoth(table, name, decomposeDiv);
  for (StringRef name : {"aten.div", "aten.divide"}) {
    table.add((name + ".Tensor_mode").str(), decomposeDivMode);
    table.add((name + ".Scalar_mode").str(), decomposeDivMode);
  }
  table.add("aten.floor_divide.default", decomposeFloorDivide);
  table.add("aten.floor_divide.Scalar", decomposeFloorDivide);
  addBoth(table, "aten.remainder", decomposeRemainder);
  table.add("aten.remainder.Scalar_Tensor", decomposeRemainder);
  addBoth(table, "aten.fmod", decomposeFmod);
}

static void registerPowers(DecompositionTable &table) {
  table.add("aten.pow.Tensor_Tensor", decomposePow);
  table.add("aten.pow.Tensor_Scalar", decomposePowScalar);
  table.add("aten.pow.Scalar", decomposePowOfScalar);
  table.add("aten.float_power.Tensor_Tensor", decomposeFloatPower);
  table.add("aten.float_power.Tensor_Scalar", decomposeFloatPower);
  table.add("aten.float_power.Scalar", decomposeFloatPower);
  table.add("aten.ldexp.Tensor", decomposeLdexp);
}

void normalize::registerArithmeticDecompositions(DecompositionTable &table) {
  addBoth(table, "aten.add", decomposeAdd);
  addBoth(table, "aten.sub", decomposeSub);
  addBoth(table, "aten.subtract", decomposeSub);
  addBoth(table, "aten.rsub", decomposeRsub);
  addBoth(table, "aten.mul", decomposeMul);
  addBoth(table, "aten.multiply", decomposeMul);
  table.add("aten.addcmul.default", decomposeAddcmul);
  table.add("aten.addcdiv.default", decomposeAddcdiv);
  table.add("aten.lerp.Tensor", decomposeLerp);
  table.add("aten.lerp.Scalar", decomposeLerp);
  registerQuotients(table);
  registerPowers(table);
}
