//===- Reduce.cpp - Accumulators of reductions ----------------------------===//

#include "passes/Lower/Reduce.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;

namespace adze {

using prim::Reduction;

static bool isUnsigned(Type element) { return element.isUnsignedInteger(); }

static int64_t leastInteger(Type element, bool largest) {
  unsigned width = element.getIntOrFloatBitWidth();
  if (isUnsigned(element))
    return largest ? -1 : 0;
  int64_t top = int64_t(1) << (width - 1);
  return largest ? top - 1 : -top;
}

Value Accumulator::initReal(Type type) {
  switch (kind) {
  case Reduction::sum:
  case Reduction::any:
    return emitter.number(type, 0);
  case Reduction::prod:
  case Reduction::all:
    return emitter.number(type, 1);
  case Reduction::max:
  case Reduction::min: {
    bool largest = kind == Reduction::min;
    if (isa<FloatType>(type)) {
      double infinity = std::numeric_limits<double>::infinity();
      return emitter.number(type, largest ? infinity : -infinity);
    }
    return emitter.integer(type, leastInteger(element, largest));
  }
  }
  llvm_unreachable("covered switch");
}

Element Accumulator::init() {
  Value real = initReal(registerType(element));
  if (!isa<ComplexType>(element))
    return {real};
  return {real, emitter.number(registerType(element), 0)};
}

Value Accumulator::combineReal(Value a, Value b) {
  OpBuilder &builder = emitter.getBuilder();
  Location loc = emitter.getLoc();
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(a.getType()));
  switch (kind) {
  case Reduction::sum:
    return isFloat ? arith::AddFOp::create(builder, loc, a, b).getResult()
                   : arith::AddIOp::create(builder, loc, a, b).getResult();
  case Reduction::prod:
    return isFloat ? arith::MulFOp::create(builder, loc, a, b).getResult()
                   : arith::MulIOp::create(builder, loc, a, b).getResult();
  case Reduction::any:
    return arith::OrIOp::create(builder, loc, a, b);
  case Reduction::all:
    return arith::AndIOp::create(builder, loc, a, b);
  case Reduction::max:
    if (isFloat)
      return arith::MaximumFOp::create(builder, loc, a, b);
    return isUnsigned(element) || element.isInteger(1)
               ? arith::MaxUIOp::create(builder, loc, a, b).getResult()
               : arith::MaxSIOp::create(builder, loc, a, b).getResult();
  case Reduction::min:
    if (isFloat)
      return arith::MinimumFOp::create(builder, loc, a, b);
    return isUnsigned(element) || element.isInteger(1)
               ? arith::MinUIOp::create(builder, loc, a, b).getResult()
               : arith::MinSIOp::create(builder, loc, a, b).getResult();
  }
  llvm_unreachable("covered switch");
}

Element Accumulator::combine(Element sum, Element next) {
  Value parts[] = {sum.value, next.value, sum.imag, next.imag};
  emitter.unify(parts);
  if (!parts[2])
    return {combineReal(parts[0], parts[1])};
  OpBuilder &builder = emitter.getBuilder();
  Location loc = emitter.getLoc();
  if (kind == Reduction::sum)
    return {combineReal(parts[0], parts[1]), combineReal(parts[2], parts[3])};
  auto mul = [&](Value a, Value b) -> Value {
    return arith::MulFOp::create(builder, loc, a, b);
  };
  Value re = arith::SubFOp::create(builder, loc, mul(parts[0], parts[1]),
                                   mul(parts[2], parts[3]));
  Value im = arith::AddFOp::create(builder, loc, mul(parts[0], parts[3]),
                                   mul(parts[2], parts[1]));
  return {re, im};
}

/// Halves the vector until one lane is left.
Value Accumulator::joinReal(Value partial) {
  OpBuilder &builder = emitter.getBuilder();
  Location loc = emitter.getLoc();
  int64_t lanes = cast<VectorType>(partial.getType()).getNumElements();
  while (lanes > 1) {
    lanes /= 2;
    auto half = [&](int64_t offset) -> Value {
      return vector::ExtractStridedSliceOp::create(
          builder, loc, partial, ArrayRef<int64_t>(offset),
          ArrayRef<int64_t>(lanes), ArrayRef<int64_t>(1));
    };
    partial = combineReal(half(0), half(lanes));
  }
  return vector::ExtractOp::create(builder, loc, partial, 0);
}

Element Accumulator::joinLanes(Element partial) {
  if (!isa<VectorType>(partial.value.getType()))
    return partial;
  if (!partial.imag)
    return {joinReal(partial.value)};
  // A complex product mixes both parts: lane by lane.
  OpBuilder &builder = emitter.getBuilder();
  Location loc = emitter.getLoc();
  int64_t lanes = cast<VectorType>(partial.value.getType()).getNumElements();
  auto lane = [&](int64_t i) {
    return Element{vector::ExtractOp::create(builder, loc, partial.value, i),
                   vector::ExtractOp::create(builder, loc, partial.imag, i)};
  };
  Element result = lane(0);
  for (int64_t i = 1; i < lanes; ++i)
    result = combine(result, lane(i));
  return result;
}

Element Accumulator::finish(Element sum) {
  if (isa<ComplexType>(element))
    return sum;
  return {emitter.roundTo(element, sum.value)};
}

} // namespace adze
