//===- EmitElementwise.cpp - Elementwise ops on registers -----------------===//

#include "passes/Lower/ElementEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace adze {
namespace {

Type elementTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// The ops on real numbers of one element type, all lanes at once.
class RealOps {
public:
  RealOps(ElementEmitter &emitter, Operation *op, Type element)
      : emitter(emitter), builder(emitter.getBuilder()), loc(emitter.getLoc()),
        op(op), element(element), isFloat(isa<FloatType>(element)),
        isUnsigned(element.isUnsignedInteger() || element.isInteger(1)) {}

  Value unary(Value a);
  Value binary(Value a, Value b);
  Value compare(prim::Comparison predicate, Value a, Value b);
  Value convertTo(Type target, Value a);

private:
  template <typename FloatOp, typename IntOp> Value either(Value a, Value b) {
    if (isFloat)
      return FloatOp::create(builder, loc, a, b);
    return IntOp::create(builder, loc, a, b);
  }
  template <typename SignedOp, typename UnsignedOp>
  Value bySign(Value a, Value b) {
    if (isUnsigned)
      return UnsignedOp::create(builder, loc, a, b);
    return SignedOp::create(builder, loc, a, b);
  }
  Value like(Value other, int64_t value) {
    Value number = emitter.integer(registerType(element), value);
    return isa<VectorType>(other.getType()) ? emitter.splat(number) : number;
  }
  Value negate(Value a);
  Value absolute(Value a);
  Value sign(Value a);
  Value divide(Value a, Value b);
  Value shift(Value a, Value b, bool left);
  Value integerPower(Value a, Value b);
  Value toInteger(Type target, Value a);
  Value toBool(Value a);

  ElementEmitter &emitter;
  OpBuilder &builder;
  Location loc;
  Operation *op;
  Type element;
  bool isFloat, isUnsigned;
};

Value RealOps::negate(Value a) {
  if (isFloat)
    return arith::NegFOp::create(builder, loc, a);
  return arith::SubIOp::create(builder, loc, like(a, 0), a);
}

Value RealOps::absolute(Value a) {
  if (isFloat)
    return math::AbsFOp::create(builder, loc, a);
  if (isUnsigned)
    return a;
  return arith::MaxSIOp::create(builder, loc, a, negate(a));
}

/// (a > 0) - (a < 0), which is 0 for NaN.
Value RealOps::sign(Value a) {
  Value zero = isFloat ? emitter.number(registerType(element), 0)
                       : emitter.integer(registerType(element), 0);
  Value both[] = {a, zero};
  emitter.unify(both);
  Value positive = compare(prim::Comparison::gt, both[0], both[1]);
  Value negative = compare(prim::Comparison::lt, both[0], both[1]);
  Type type = a.getType();
  if (isFloat) {
    Value up = arith::UIToFPOp::create(builder, loc, type, positive);
    return arith::SubFOp::create(
        builder, loc, up,
        arith::UIToFPOp::create(builder, loc, type, negative));
  }
  if (element.isInteger(1))
    return a;
  Value up = arith::ExtUIOp::create(builder, loc, type, positive);
  return arith::SubIOp::create(
      builder, loc, up, arith::ExtUIOp::create(builder, loc, type, negative));
}

/// Division and remainder of integers; a zero divisor fails the call, and the
/// least integer by -1 wraps instead of trapping.
Value RealOps::divide(Value a, Value b) {
  Value zero = like(b, 0), one = like(b, 1);
  Value bad =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, b, zero);
  Type i64 = emitter.typeLike(builder.getI64Type(), a);
  bool wide = registerType(element).isInteger(64);
  Value shown =
      wide ? a : arith::ExtSIOp::create(builder, loc, i64, a).getResult();
  Value shownZero =
      wide ? zero : arith::ExtSIOp::create(builder, loc, i64, zero).getResult();
  emitter.failWhere(op, bad, shown, shownZero);
  b = arith::SelectOp::create(builder, loc, bad, one, b);
  bool remainder = isa<prim::RemOp>(op);
  if (isUnsigned)
    return remainder ? arith::RemUIOp::create(builder, loc, a, b).getResult()
                     : arith::DivUIOp::create(builder, loc, a, b).getResult();
  Value minus = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, b,
                                      like(b, -1));
  Value safe = arith::SelectOp::create(builder, loc, minus, one, b);
  if (remainder)
    return arith::SelectOp::create(
        builder, loc, minus, zero,
        arith::RemSIOp::create(builder, loc, a, safe));
  return arith::SelectOp::create(builder, loc, minus, negate(a),
                                 arith::DivSIOp::create(builder, loc, a, safe));
}

Value RealOps::shift(Value a, Value b, bool left) {
  int64_t width = registerType(element).getIntOrFloatBitWidth();
  Value last = like(b, width - 1);
  Value inRange =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, b, last);
  Value count = arith::SelectOp::create(builder, loc, inRange, b, last);
  if (left)
    return arith::SelectOp::create(
        builder, loc, inRange, arith::ShLIOp::create(builder, loc, a, count),
        like(a, 0));
  if (!isUnsigned)
    return arith::ShRSIOp::create(builder, loc, a, count);
  return arith::SelectOp::create(builder, loc, inRange,
                                 arith::ShRUIOp::create(builder, loc, a, count),
                                 like(a, 0));
}

/// By squaring over the bits of the exponent. A negative exponent gives 0
/// unless the base is 1 or -1.
Value RealOps::integerPower(Value a, Value b) {
  Value result = like(a, 1), base = a, zero = like(a, 0), one = like(a, 1);
  int64_t width =
      std::min<int64_t>(registerType(element).getIntOrFloatBitWidth(), 64);
  Value negative =
      isUnsigned ? Value()
                 : arith::CmpIOp::create(builder, loc,
                                         arith::CmpIPredicate::slt, b, zero)
                       .getResult();
  Value odd = arith::AndIOp::create(builder, loc, b, one);
  for (int64_t bit = 0; bit < width; ++bit) {
    Value shifted = arith::ShRUIOp::create(builder, loc, b, like(b, bit));
    Value set = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ne,
        arith::AndIOp::create(builder, loc, shifted, one), zero);
    Value product = arith::MulIOp::create(builder, loc, result, base);
    result = arith::SelectOp::create(builder, loc, set, product, result);
    base = arith::MulIOp::create(builder, loc, base, base);
  }
  if (!negative)
    return result;
  auto equals = [&](int64_t value) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a,
                                 like(a, value));
  };
  Value minusOne = arith::SelectOp::create(
      builder, loc,
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, odd, zero),
      like(a, -1), one);
  Value inverse =
      arith::SelectOp::create(builder, loc, equals(-1), minusOne, zero);
  inverse = arith::SelectOp::create(builder, loc, equals(1), one, inverse);
  return arith::SelectOp::create(builder, loc, negative, inverse, result);
}

Value RealOps::unary(Value a) {
  if (isa<prim::NegOp>(op))
    return negate(a);
  if (isa<prim::AbsOp>(op))
    return absolute(a);
  if (isa<prim::SignOp>(op))
    return sign(a);
  if (isa<prim::NotOp>(op))
    return arith::XOrIOp::create(builder, loc, a, like(a, -1));
  return emitMath(emitter, op, a);
}

Value RealOps::binary(Value a, Value b) {
  bool isBool = element.isInteger(1);
  if (isa<prim::AddOp>(op))
    return isBool ? arith::OrIOp::create(builder, loc, a, b).getResult()
                  : either<arith::AddFOp, arith::AddIOp>(a, b);
  if (isa<prim::SubOp>(op))
    return either<arith::SubFOp, arith::SubIOp>(a, b);
  if (isa<prim::MulOp>(op))
    return either<arith::MulFOp, arith::MulIOp>(a, b);
  if (isa<prim::DivOp>(op))
    return arith::DivFOp::create(builder, loc, a, b);
  if (isa<prim::IDivOp, prim::RemOp>(op))
    return isFloat ? arith::RemFOp::create(builder, loc, a, b).getResult()
                   : divide(a, b);
  if (isa<prim::MaxOp>(op))
    return isFloat ? arith::MaximumFOp::create(builder, loc, a, b).getResult()
                   : bySign<arith::MaxSIOp, arith::MaxUIOp>(a, b);
  if (isa<prim::MinOp>(op))
    return isFloat ? arith::MinimumFOp::create(builder, loc, a, b).getResult()
                   : bySign<arith::MinSIOp, arith::MinUIOp>(a, b);
  if (isa<prim::AndOp>(op))
    return arith::AndIOp::create(builder, loc, a, b);
  if (isa<prim::OrOp>(op))
    return arith::OrIOp::create(builder, loc, a, b);
  if (isa<prim::XorOp>(op))
    return arith::XOrIOp::create(builder, loc, a, b);
  if (isa<prim::ShiftLeftOp, prim::ShiftRightOp>(op))
    return shift(a, b, isa<prim::ShiftLeftOp>(op));
  if (isa<prim::PowOp>(op) && !isFloat)
    return integerPower(a, b);
  if (isa<prim::CopysignOp>(op))
    return math::CopySignOp::create(builder, loc, a, b);
  return emitMath(emitter, op, {a, b});
}

Value RealOps::compare(prim::Comparison predicate, Value a, Value b) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  static constexpr F floats[] = {F::OEQ, F::UNE, F::OLT,
                                 F::OLE, F::OGT, F::OGE};
  static constexpr I signeds[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  static constexpr I unsigneds[] = {I::eq,  I::ne,  I::ult,
                                    I::ule, I::ugt, I::uge};
  int which = int(predicate);
  if (isFloat)
    return arith::CmpFOp::create(builder, loc, floats[which], a, b);
  return arith::CmpIOp::create(
      builder, loc, isUnsigned ? unsigneds[which] : signeds[which], a, b);
}

Value RealOps::toBool(Value a) {
  if (isFloat) {
    Value both[] = {a, emitter.number(registerType(element), 0)};
    emitter.unify(both);
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE,
                                 both[0], both[1]);
  }
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, a,
                               like(a, 0));
}

/// Truncates as x86 does: out of range gives the least i64 (i32), of which
/// narrower integers take the low bits.
Value RealOps::toInteger(Type target, Value a) {
  Type wide = registerType(target).getIntOrFloatBitWidth() > 32 ||
                      target.isUnsignedInteger(32)
                  ? builder.getI64Type()
                  : builder.getI32Type();
  int64_t width = wide.getIntOrFloatBitWidth();
  double limit = width == 64 ? 0x1p63 : 0x1p31;
  Type float64 = registerType(element);
  Value low = emitter.number(float64, -limit),
        high = emitter.number(float64, limit);
  Value values[] = {a, low, high};
  emitter.unify(values);
  Value above = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGE,
                                      values[0], values[1]);
  Value below = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                      values[0], values[2]);
  Value fits = arith::AndIOp::create(builder, loc, above, below);
  Value safe =
      arith::SelectOp::create(builder, loc, fits, values[0], values[1]);
  Value integer =
      arith::FPToSIOp::create(builder, loc, emitter.typeLike(wide, a), safe);
  Type type = emitter.typeLike(registerType(target), a);
  if (type != integer.getType())
    integer = arith::TruncIOp::create(builder, loc, type, integer);
  return integer;
}

Value RealOps::convertTo(Type target, Value a) {
  if (target.isInteger(1))
    return toBool(a);
  Type type = emitter.typeLike(registerType(target), a);
  unsigned from = registerType(element).getIntOrFloatBitWidth();
  unsigned to = registerType(target).getIntOrFloatBitWidth();
  if (isa<FloatType>(target) && isFloat) {
    Value same =
        from == to ? a
        : from < to
            ? arith::ExtFOp::create(builder, loc, type, a).getResult()
            : arith::TruncFOp::create(builder, loc, type, a).getResult();
    return emitter.roundTo(target, same);
  }
  if (isa<FloatType>(target)) {
    Value real =
        isUnsigned ? arith::UIToFPOp::create(builder, loc, type, a).getResult()
                   : arith::SIToFPOp::create(builder, loc, type, a).getResult();
    return emitter.roundTo(target, real);
  }
  if (isFloat)
    return toInteger(target, a);
  if (from == to)
    return a;
  if (from > to)
    return arith::TruncIOp::create(builder, loc, type, a);
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, loc, type, a);
  return arith::ExtSIOp::create(builder, loc, type, a);
}

} // namespace

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

static bool isComplex(Value value) {
  return isa<ComplexType>(elementTypeOf(value));
}

static Element emitWhere(ElementEmitter &emitter, ArrayRef<Element> operands) {
  auto select = [&](Value onTrue, Value onFalse) -> Value {
    if (!onTrue)
      return {};
    Value values[] = {onTrue, onFalse, operands[0].value};
    bool vectors = llvm::any_of(
        values, [](Value v) { return isa<VectorType>(v.getType()); });
    if (vectors)
      emitter.unify(values);
    return arith::SelectOp::create(emitter.getBuilder(), emitter.getLoc(),
                                   values[2], values[0], values[1]);
  };
  return {select(operands[1].value, operands[2].value),
          select(operands[1].imag, operands[2].imag)};
}

/// By way of what lies in memory, where narrow floats and bools are their bits.
static Element emitBitcast(ElementEmitter &emitter, prim::BitcastOp op,
                           Value value) {
  Type to = elementTypeOf(op.getResult());
  Value bits = emitter.toMemory(value, elementTypeOf(op.getOperand()));
  Type type = emitter.typeLike(memoryType(to), bits);
  if (type != bits.getType())
    bits = arith::BitcastOp::create(emitter.getBuilder(), emitter.getLoc(),
                                    type, bits);
  return {emitter.toRegister(bits, to)};
}

Element emitElementwise(ElementEmitter &emitter, Operation *op,
                        ArrayRef<Element> operands) {
  if (isa<prim::WhereOp>(op))
    return emitWhere(emitter, operands);
  if (isComplex(op->getOperand(0)) || isComplex(op->getResult(0)))
    return emitComplex(emitter, op, operands);
  if (auto bitcast = dyn_cast<prim::BitcastOp>(op))
    return emitBitcast(emitter, bitcast, operands[0].value);
  Type element = elementTypeOf(op->getOperand(0));
  RealOps ops(emitter, op, element);
  auto values =
      llvm::map_to_vector(operands, [](const Element &e) { return e.value; });
  emitter.unify(values);
  if (auto convert = dyn_cast<prim::ConvertOp>(op))
    return {ops.convertTo(elementTypeOf(convert.getResult()), values[0])};
  if (auto compare = dyn_cast<prim::CompareOp>(op))
    return {ops.compare(compare.getPredicate(), values[0], values[1])};
  Value result = values.size() == 1 ? ops.unary(values[0])
                                    : ops.binary(values[0], values[1]);
  return {emitter.roundTo(element, result)};
}

} // namespace adze
