//===- EmitMath.cpp - Functions of floats in registers --------------------===//
//
// Each op becomes the op of the math dialect that has its meaning, which the
// pipeline turns into vector polynomials, LLVM intrinsics or calls of libm.
// What that dialect lacks is composed here, or called from the runtime lane by
// lane.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/ElementEmitter.h"
#include "passes/Lower/RuntimeCalls.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace adze {

using Builder = llvm::function_ref<Value(ArrayRef<Value>)>;

/// Calls a scalar function for every lane.
static Value callByLane(ElementEmitter &emitter, StringRef name,
                        ArrayRef<Value> operands) {
  OpBuilder &builder = emitter.getBuilder();
  Location loc = emitter.getLoc();
  auto type = dyn_cast<VectorType>(operands.front().getType());
  if (!type)
    return callRuntime(builder, loc, name, operands.front().getType(),
                       operands);
  Value result =
      arith::ConstantOp::create(builder, loc, type, builder.getZeroAttr(type));
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    SmallVector<Value> scalars;
    for (Value operand : operands)
      scalars.push_back(vector::ExtractOp::create(builder, loc, operand, lane));
    Value value =
        callRuntime(builder, loc, name, type.getElementType(), scalars);
    result = vector::InsertOp::create(builder, loc, value, result, lane);
  }
  return result;
}

/// The function of libm, or of lib/Runtime/Kernels/Special.h, for f64. That
/// for f32 has an f behind its name.
static std::string specialFunction(StringRef function) {
  static const llvm::StringMap<const char *> names = {
      {"lgamma", "lgamma"},
      {"erfc", "erfc"},
      {"bessel_j0", "j0"},
      {"bessel_j1", "j1"},
      {"bessel_y0", "y0"},
      {"bessel_y1", "y1"},
      {"modified_bessel_k0", "adze_rt_k0"},
      {"modified_bessel_k1", "adze_rt_k1"},
      {"scaled_modified_bessel_k0", "adze_rt_k0e"},
      {"scaled_modified_bessel_k1", "adze_rt_k1e"}};
  auto known = names.find(function);
  if (known != names.end())
    return known->second;
  // "chebyshev_polynomial_t" -> "chebyshev_t"
  auto [family, kind] = function.split("_polynomial");
  return ("adze_rt_" + family + kind).str();
}

static Value callSpecial(ElementEmitter &emitter, StringRef function,
                         ArrayRef<Value> operands) {
  std::string name = specialFunction(function);
  Type scalar = getElementTypeOrSelf(operands.front().getType());
  return callByLane(emitter, scalar.isF32() ? name + "f" : name, operands);
}

static Value number(ElementEmitter &emitter, Value like, double value) {
  Value scalar = emitter.number(getElementTypeOrSelf(like.getType()), value);
  return isa<VectorType>(like.getType()) ? emitter.splat(scalar) : scalar;
}

/// 1 / (1 + exp(-x)): exp overflows to infinity, which gives 0 as it should.
static Value emitSigmoid(ElementEmitter &emitter, Value x) {
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  Value one = number(emitter, x, 1);
  Value power = math::ExpOp::create(b, loc, arith::NegFOp::create(b, loc, x));
  return arith::DivFOp::create(b, loc, one,
                               arith::AddFOp::create(b, loc, one, power));
}

static Value emitRsqrt(ElementEmitter &emitter, Value x) {
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  return arith::DivFOp::create(b, loc, number(emitter, x, 1),
                               math::SqrtOp::create(b, loc, x));
}

namespace {
/// A function of one number that both dialects have.
template <typename PrimOp, typename MathOp> struct Counterpart {
  static bool emit(ElementEmitter &emitter, Operation *op, Value x,
                   Value &result) {
    if (isa<PrimOp>(op))
      result = MathOp::create(emitter.getBuilder(), emitter.getLoc(), x);
    return isa<PrimOp>(op);
  }
};

/// Null if none is that of the op.
template <typename... Pairs> struct Counterparts {
  static Value emit(ElementEmitter &emitter, Operation *op, Value x) {
    Value result;
    (Pairs::emit(emitter, op, x, result) || ...);
    return result;
  }
};

using MathCounterparts =
    Counterparts<Counterpart<prim::CeilOp, math::CeilOp>,
                 Counterpart<prim::FloorOp, math::FloorOp>,
                 Counterpart<prim::TruncOp, math::TruncOp>,
                 Counterpart<prim::RoundOp, math::RoundEvenOp>,
                 Counterpart<prim::SqrtOp, math::SqrtOp>,
                 Counterpart<prim::ExpOp, math::ExpOp>,
                 Counterpart<prim::Exp2Op, math::Exp2Op>,
                 Counterpart<prim::Expm1Op, math::ExpM1Op>,
                 Counterpart<prim::LogOp, math::LogOp>,
                 Counterpart<prim::Log2Op, math::Log2Op>,
                 Counterpart<prim::Log10Op, math::Log10Op>,
                 Counterpart<prim::Log1pOp, math::Log1pOp>,
                 Counterpart<prim::SinOp, math::SinOp>,
                 Counterpart<prim::CosOp, math::CosOp>,
                 Counterpart<prim::TanOp, math::TanOp>,
                 Counterpart<prim::AsinOp, math::AsinOp>,
                 Counterpart<prim::AcosOp, math::AcosOp>,
                 Counterpart<prim::AtanOp, math::AtanOp>,
                 Counterpart<prim::SinhOp, math::SinhOp>,
                 Counterpart<prim::CoshOp, math::CoshOp>,
                 Counterpart<prim::TanhOp, math::TanhOp>,
                 Counterpart<prim::AsinhOp, math::AsinhOp>,
                 Counterpart<prim::AcoshOp, math::AcoshOp>,
                 Counterpart<prim::AtanhOp, math::AtanhOp>,
                 Counterpart<prim::ErfOp, math::ErfOp>>;
} // namespace

Value emitMath(ElementEmitter &emitter, Operation *op,
               ArrayRef<Value> operands) {
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  if (Value result = MathCounterparts::emit(emitter, op, operands[0]))
    return result;
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<prim::RsqrtOp>(
          [&](auto) { return emitRsqrt(emitter, operands[0]); })
      .Case<prim::ErfcOp>(
          [&](auto) { return callSpecial(emitter, "erfc", operands); })
      .Case<prim::SigmoidOp>(
          [&](auto) { return emitSigmoid(emitter, operands[0]); })
      .Case<prim::PowOp>([&](auto) {
        return math::PowFOp::create(b, loc, operands[0], operands[1]);
      })
      .Case<prim::Atan2Op>([&](auto) {
        return math::Atan2Op::create(b, loc, operands[0], operands[1]);
      })
      .Case<prim::NextafterOp>([&](auto) {
        bool f32 = getElementTypeOrSelf(operands[0].getType()).isF32();
        return callByLane(emitter, f32 ? "nextafterf" : "nextafter", operands);
      })
      .Case<prim::SpecialUnaryOp>([&](auto special) {
        return callSpecial(emitter,
                           prim::stringifySpecialUnaryKind(special.getKind()),
                           operands);
      })
      .Case<prim::SpecialBinaryOp>([&](auto special) {
        return callSpecial(emitter,
                           prim::stringifySpecialBinaryKind(special.getKind()),
                           operands);
      })
      .Default([](Operation *) -> Value {
        llvm_unreachable("not a function of floats");
      });
}

} // namespace adze
