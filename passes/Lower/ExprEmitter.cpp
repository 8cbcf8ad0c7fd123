//===- ExprEmitter.cpp - Code for symbolic expressions --------------------===//

#include "passes/Lower/ExprEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace adze {

using sym::Expr;
using sym::ExprKind;
using Lookup = llvm::function_ref<Value(StringRef)>;

namespace {
/// The operators on values; integers are i64, floats f64.
class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, Lookup lookup)
      : builder(builder), loc(loc), lookup(lookup) {}
  Value emit(Expr expr);

private:
  Value integer(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  Value toFloat(Value value) {
    if (isa<FloatType>(value.getType()))
      return value;
    return arith::SIToFPOp::create(builder, loc, builder.getF64Type(), value);
  }
  Value toBool(Value value) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                                 integer(0));
  }
  Value fromBool(Value flag) {
    return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), flag);
  }
  Value unary(ExprKind kind, Value a);
  Value binary(ExprKind kind, Value a, Value b);
  Value integerBinary(ExprKind kind, Value a, Value b);
  Value floatBinary(ExprKind kind, Value a, Value b);
  Value relation(ExprKind kind, Value a, Value b);
  Value mod(Value a, Value b);

  OpBuilder &builder;
  Location loc;
  Lookup lookup;
};
} // namespace

/// Python's remainder: it has the sign of the divisor.
Value Emitter::mod(Value a, Value b) {
  Value quotient = arith::FloorDivSIOp::create(builder, loc, a, b);
  Value product = arith::MulIOp::create(builder, loc, quotient, b);
  return arith::SubIOp::create(builder, loc, a, product);
}

Value Emitter::integerBinary(ExprKind kind, Value a, Value b) {
  switch (kind) {
  case ExprKind::Add:
    return builder.createOrFold<arith::AddIOp>(loc, a, b);
  case ExprKind::Mul:
    return builder.createOrFold<arith::MulIOp>(loc, a, b);
  case ExprKind::FloorDiv:
    return builder.createOrFold<arith::FloorDivSIOp>(loc, a, b);
  case ExprKind::Mod:
    return mod(a, b);
  case ExprKind::Max:
    return builder.createOrFold<arith::MaxSIOp>(loc, a, b);
  case ExprKind::Min:
    return builder.createOrFold<arith::MinSIOp>(loc, a, b);
  case ExprKind::Pow:
    return math::IPowIOp::create(builder, loc, a, b);
  case ExprKind::And:
    return fromBool(arith::AndIOp::create(builder, loc, toBool(a), toBool(b)));
  case ExprKind::Or:
    return fromBool(arith::OrIOp::create(builder, loc, toBool(a), toBool(b)));
  default:
    llvm_unreachable("no operator of two integers");
  }
}

Value Emitter::floatBinary(ExprKind kind, Value a, Value b) {
  switch (kind) {
  case ExprKind::Add:
    return arith::AddFOp::create(builder, loc, a, b);
  case ExprKind::Mul:
    return arith::MulFOp::create(builder, loc, a, b);
  case ExprKind::TrueDiv:
    return arith::DivFOp::create(builder, loc, a, b);
  case ExprKind::Max:
    return arith::MaximumFOp::create(builder, loc, a, b);
  case ExprKind::Min:
    return arith::MinimumFOp::create(builder, loc, a, b);
  case ExprKind::Pow:
    return math::PowFOp::create(builder, loc, a, b);
  case ExprKind::FloorDiv:
    return math::FloorOp::create(builder, loc,
                                 arith::DivFOp::create(builder, loc, a, b));
  default:
    llvm_unreachable("no operator of two floats");
  }
}

Value Emitter::relation(ExprKind kind, Value a, Value b) {
  static constexpr arith::CmpIPredicate integers[] = {
      arith::CmpIPredicate::eq, arith::CmpIPredicate::ne,
      arith::CmpIPredicate::slt, arith::CmpIPredicate::sle};
  static constexpr arith::CmpFPredicate floats[] = {
      arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
      arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE};
  int which = int(kind) - int(ExprKind::Eq);
  if (isa<FloatType>(a.getType()) || isa<FloatType>(b.getType()))
    return fromBool(arith::CmpFOp::create(builder, loc, floats[which],
                                          toFloat(a), toFloat(b)));
  return fromBool(arith::CmpIOp::create(builder, loc, integers[which], a, b));
}

Value Emitter::binary(ExprKind kind, Value a, Value b) {
  if (kind >= ExprKind::Eq && kind <= ExprKind::Le)
    return relation(kind, a, b);
  bool floats = kind == ExprKind::TrueDiv || isa<FloatType>(a.getType()) ||
                isa<FloatType>(b.getType());
  return floats ? floatBinary(kind, toFloat(a), toFloat(b))
                : integerBinary(kind, a, b);
}

Value Emitter::unary(ExprKind kind, Value a) {
  auto toInteger = [&](Value value) -> Value {
    return arith::FPToSIOp::create(builder, loc, builder.getI64Type(), value);
  };
  switch (kind) {
  case ExprKind::Not:
    return fromBool(arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, a, integer(0)));
  case ExprKind::ToFloat:
    return toFloat(a);
  case ExprKind::Sqrt:
    return math::SqrtOp::create(builder, loc, toFloat(a));
  case ExprKind::Trunc:
    return toInteger(toFloat(a));
  case ExprKind::Floor:
    return toInteger(math::FloorOp::create(builder, loc, toFloat(a)));
  case ExprKind::Ceil:
    return toInteger(math::CeilOp::create(builder, loc, toFloat(a)));
  case ExprKind::Round:
    return toInteger(math::RoundEvenOp::create(builder, loc, toFloat(a)));
  default:
    llvm_unreachable("no operator of one operand");
  }
}

Value Emitter::emit(Expr expr) {
  ArrayRef<Expr> operands = expr.getOperands();
  switch (expr.getKind()) {
  case ExprKind::Const:
    return integer(expr.getValue());
  case ExprKind::FloatConst:
    return arith::ConstantFloatOp::create(
        builder, loc, builder.getF64Type(),
        APFloat(llvm::bit_cast<double>(expr.getValue())));
  case ExprKind::Symbol:
    return lookup(expr.getSymbol());
  case ExprKind::Where:
    return arith::SelectOp::create(builder, loc, toBool(emit(operands[0])),
                                   emit(operands[1]), emit(operands[2]));
  default:
    break;
  }
  Value result = emit(operands.front());
  if (operands.size() == 1)
    return unary(expr.getKind(), result);
  for (Expr operand : operands.drop_front())
    result = binary(expr.getKind(), result, emit(operand));
  return result;
}

Value emitExpr(OpBuilder &builder, Location loc, Expr expr, Lookup lookup) {
  return Emitter(builder, loc, lookup).emit(expr);
}

} // namespace adze
