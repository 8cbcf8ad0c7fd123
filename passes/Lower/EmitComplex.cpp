//===- EmitComplex.cpp - Elementwise ops on complex numbers ---------------===//

#include "passes/Lower/ElementEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace adze {
namespace {

/// Complex arithmetic on pairs of registers.
class ComplexOps {
public:
  explicit ComplexOps(ElementEmitter &emitter)
      : emitter(emitter), b(emitter.getBuilder()), loc(emitter.getLoc()) {}

  Value add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, loc, x, y); }
  Value neg(Value x) { return arith::NegFOp::create(b, loc, x); }
  Value abs(Value x) { return math::AbsFOp::create(b, loc, x); }
  Value number(Value like, double value) {
    Value scalar = emitter.number(getElementTypeOrSelf(like.getType()), value);
    return isa<VectorType>(like.getType()) ? emitter.splat(scalar) : scalar;
  }

  Element mul(Element x, Element y) {
    return {sub(mul(x.value, y.value), mul(x.imag, y.imag)),
            add(mul(x.value, y.imag), mul(x.imag, y.value))};
  }
  Element div(Element x, Element y);
  Element exp(Element x);
  Element log(Element x);
  Element sqrt(Element x);
  Value modulus(Element x);
  Element trigonometric(Operation *op, Element x);

private:
  ElementEmitter &emitter;
  OpBuilder &b;
  Location loc;
};

/// Smith's method: scales by the larger part of the divisor, so that the
/// squares neither overflow nor vanish (R. L. Smith, CACM 5(8), 1962).
Element ComplexOps::div(Element x, Element y) {
  Value realLarger = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE,
                                           abs(y.value), abs(y.imag));
  auto pick = [&](Value onTrue, Value onFalse) -> Value {
    return arith::SelectOp::create(b, loc, realLarger, onTrue, onFalse);
  };
  Value large = pick(y.value, y.imag), small = pick(y.imag, y.value);
  Value zero = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, large,
                                     number(large, 0));
  Value ratio = arith::SelectOp::create(b, loc, zero, small, div(small, large));
  Value scale = add(large, mul(small, ratio));
  Value a = pick(x.value, x.imag), c = pick(x.imag, x.value);
  Value re = div(add(a, mul(c, ratio)), scale);
  Value cross = sub(c, mul(a, ratio));
  Value im = div(pick(cross, neg(cross)), scale);
  return {re, im};
}

Value ComplexOps::modulus(Element x) {
  Value re = abs(x.value), im = abs(x.imag);
  Value large = arith::MaxNumFOp::create(b, loc, re, im);
  Value small = arith::MinNumFOp::create(b, loc, re, im);
  Value zero = number(large, 0);
  Value none =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, large, zero);
  Value ratio = arith::SelectOp::create(b, loc, none, zero, div(small, large));
  return mul(large, math::SqrtOp::create(
                        b, loc, add(number(large, 1), mul(ratio, ratio))));
}

Element ComplexOps::exp(Element x) {
  Value scale = math::ExpOp::create(b, loc, x.value);
  return {mul(scale, math::CosOp::create(b, loc, x.imag)),
          mul(scale, math::SinOp::create(b, loc, x.imag))};
}

Element ComplexOps::log(Element x) {
  return {math::LogOp::create(b, loc, modulus(x)),
          math::Atan2Op::create(b, loc, x.imag, x.value)};
}

/// sqrt((|x| + |re|) / 2) is the part that does not cancel.
Element ComplexOps::sqrt(Element x) {
  Value sum = mul(add(modulus(x), abs(x.value)), number(x.value, 0.5));
  Value main = math::SqrtOp::create(b, loc, sum);
  Value zero = number(main, 0);
  Value none =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, main, zero);
  Value other = arith::SelectOp::create(
      b, loc, none, zero, div(mul(abs(x.imag), number(x.imag, 0.5)), main));
  Value negative =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x.value, zero);
  Value re = arith::SelectOp::create(b, loc, negative, other, main);
  Value im = arith::SelectOp::create(b, loc, negative, main, other);
  return {re, math::CopySignOp::create(b, loc, im, x.imag)};
}

/// sin, cos, tan and their hyperbolic kin by exponentials of the parts.
Element ComplexOps::trigonometric(Operation *op, Element x) {
  bool hyperbolic = isa<prim::SinhOp, prim::CoshOp, prim::TanhOp>(op);
  // sin(z) = -i sinh(iz), cos(z) = cosh(iz), tan(z) = -i tanh(iz)
  Element z = hyperbolic ? x : Element{neg(x.imag), x.value};
  Value sinRe = math::SinhOp::create(b, loc, z.value),
        cosRe = math::CoshOp::create(b, loc, z.value);
  Value sinIm = math::SinOp::create(b, loc, z.imag),
        cosIm = math::CosOp::create(b, loc, z.imag);
  Element sinh{mul(sinRe, cosIm), mul(cosRe, sinIm)},
      cosh{mul(cosRe, cosIm), mul(sinRe, sinIm)};
  Element result = isa<prim::SinOp, prim::SinhOp>(op)   ? sinh
                   : isa<prim::CosOp, prim::CoshOp>(op) ? cosh
                                                        : div(sinh, cosh);
  if (isa<prim::SinOp, prim::TanOp>(op))
    return {result.imag, neg(result.value)};
  return result;
}
} // namespace

static Element emitComplexUnary(ComplexOps &ops, ElementEmitter &emitter,
                                Operation *op, Element x) {
  return llvm::TypeSwitch<Operation *, Element>(op)
      .Case<prim::NegOp>(
          [&](auto) { return Element{ops.neg(x.value), ops.neg(x.imag)}; })
      .Case<prim::RealOp>([&](auto) { return Element{x.value}; })
      .Case<prim::ImagOp>([&](auto) { return Element{x.imag}; })
      .Case<prim::ExpOp>([&](auto) { return ops.exp(x); })
      .Case<prim::LogOp>([&](auto) { return ops.log(x); })
      .Case<prim::SqrtOp>([&](auto) { return ops.sqrt(x); })
      .Case<prim::RsqrtOp>([&](auto) {
        return ops.div({ops.number(x.value, 1), ops.number(x.value, 0)},
                       ops.sqrt(x));
      })
      .Case<prim::SigmoidOp>([&](auto) {
        Element power = ops.exp({ops.neg(x.value), ops.neg(x.imag)});
        Element one{ops.number(x.value, 1), ops.number(x.value, 0)};
        return ops.div(one, {ops.add(one.value, power.value), power.imag});
      })
      .Default([&](Operation *other) { return ops.trigonometric(other, x); });
}

/// pow(x, y) = exp(y log x), with 0^y = 0 and 0^0 = 1.
static Element emitPower(ComplexOps &ops, ElementEmitter &emitter, Element x,
                         Element y) {
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  Element power = ops.exp(ops.mul(y, ops.log(x)));
  Value zero = ops.number(x.value, 0), one = ops.number(x.value, 1);
  auto isZero = [&](Element e) -> Value {
    Value re =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, e.value, zero);
    Value im =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, e.imag, zero);
    return arith::AndIOp::create(b, loc, re, im);
  };
  Value baseZero = isZero(x), exponentZero = isZero(y);
  Value re = arith::SelectOp::create(b, loc, baseZero, zero, power.value);
  Value im = arith::SelectOp::create(b, loc, baseZero, zero, power.imag);
  return {arith::SelectOp::create(b, loc, exponentZero, one, re),
          arith::SelectOp::create(b, loc, exponentZero, zero, im)};
}

static Element emitComplexBinary(ComplexOps &ops, ElementEmitter &emitter,
                                 Operation *op, Element x, Element y) {
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  if (isa<prim::AddOp>(op))
    return {ops.add(x.value, y.value), ops.add(x.imag, y.imag)};
  if (isa<prim::SubOp>(op))
    return {ops.sub(x.value, y.value), ops.sub(x.imag, y.imag)};
  if (isa<prim::MulOp>(op))
    return ops.mul(x, y);
  if (isa<prim::DivOp>(op))
    return ops.div(x, y);
  if (auto compare = dyn_cast<prim::CompareOp>(op)) {
    Value re = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x.value,
                                     y.value);
    Value im = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x.imag,
                                     y.imag);
    Value equal = arith::AndIOp::create(b, loc, re, im);
    if (compare.getPredicate() == prim::Comparison::eq)
      return {equal};
    Value one = emitter.integer(b.getI1Type(), 1);
    if (isa<VectorType>(equal.getType()))
      one = emitter.splat(one);
    return {arith::XOrIOp::create(b, loc, equal, one)};
  }
  return emitPower(ops, emitter, x, y);
}

/// Between real and complex numbers, or from one width to another.
static Element emitConversion(ElementEmitter &emitter, prim::ConvertOp op,
                              Element x) {
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  auto typeOf = [](Value v) {
    return cast<RankedTensorType>(v.getType()).getElementType();
  };
  Type from = typeOf(op.getOperand()), to = typeOf(op.getResult());
  Type part = to;
  if (auto complex = dyn_cast<ComplexType>(to))
    part = complex.getElementType();
  auto resize = [&](Value value) -> Value {
    Type type = emitter.typeLike(registerType(part), value);
    if (isa<IntegerType>(getElementTypeOrSelf(value.getType())))
      return arith::SIToFPOp::create(b, loc, type, value);
    unsigned width =
        getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
    unsigned wanted = registerType(part).getIntOrFloatBitWidth();
    if (width == wanted)
      return value;
    return width < wanted
               ? arith::ExtFOp::create(b, loc, type, value).getResult()
               : arith::TruncFOp::create(b, loc, type, value).getResult();
  };
  if (!isa<ComplexType>(from)) {
    Value re = x.value;
    if (from.isInteger(1))
      re = arith::ExtUIOp::create(b, loc, emitter.typeLike(b.getI32Type(), re),
                                  re);
    re = resize(re);
    Value zero = emitter.number(registerType(part), 0);
    return {re, isa<VectorType>(re.getType()) ? emitter.splat(zero) : zero};
  }
  return {resize(x.value), isa<ComplexType>(to) ? resize(x.imag) : Value()};
}

Element emitComplex(ElementEmitter &emitter, Operation *op,
                    ArrayRef<Element> operands) {
  SmallVector<Value> parts;
  for (const Element &operand : operands) {
    parts.push_back(operand.value);
    parts.push_back(operand.imag);
  }
  emitter.unify(parts);
  Element x{parts[0], parts[1]};
  if (isa<prim::ComplexOp>(op))
    return {parts[0], parts[2]};
  if (auto convert = dyn_cast<prim::ConvertOp>(op))
    return emitConversion(emitter, convert, x);
  ComplexOps ops(emitter);
  if (operands.size() == 1)
    return emitComplexUnary(ops, emitter, op, x);
  return emitComplexBinary(ops, emitter, op, x, {parts[2], parts[3]});
}

} // namespace adze
