//===- Formulas.cpp - Formulas that several families use ------------------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

namespace adze::normalize {

//===----------------------------------------------------------------------===//
// Elementwise operators
//===----------------------------------------------------------------------===//

bool refuseComplex(CallContext &c, ArrayRef<Value> operands) {
  bool found = llvm::any_of(
      operands, [&](Value x) { return isComplex(c.b.elementOf(x)); });
  if (found)
    (void)c.emitUnsupported("complex numbers");
  return found;
}

static SmallVector<Value> readAll(CallContext &c, ArrayRef<StringRef> names) {
  return llvm::map_to_vector(names,
                             [&](StringRef name) { return c.tensor(name); });
}

LogicalResult setElementwiseAny(CallContext &c, ArrayRef<StringRef> names,
                                CallContext::Body body) {
  return c.setResult(0, c.elementwise(readAll(c, names), body));
}

LogicalResult setElementwiseFloatAny(CallContext &c, ArrayRef<StringRef> names,
                                     CallContext::Body body) {
  return c.setResult(0, c.elementwiseFloat(readAll(c, names), body));
}

LogicalResult setElementwise(CallContext &c, ArrayRef<StringRef> names,
                             CallContext::Body body) {
  SmallVector<Value> operands = readAll(c, names);
  if (refuseComplex(c, operands))
    return failure();
  return c.setResult(0, c.elementwise(operands, body));
}

LogicalResult setElementwiseFloat(CallContext &c, ArrayRef<StringRef> names,
                                  CallContext::Body body) {
  SmallVector<Value> operands = readAll(c, names);
  if (refuseComplex(c, operands))
    return failure();
  return c.setResult(0, c.elementwiseFloat(operands, body));
}

//===----------------------------------------------------------------------===//
// Formulas of one element type
//===----------------------------------------------------------------------===//

Value numberLike(CallContext &c, const Scalar &number, Value like) {
  return c.constant(number, c.b.elementOf(like));
}

Value boolLike(PrimBuilder &b, Value like, bool value) {
  return b.fullInt(b.shapeOf(like), value, b.getBuilder().getI1Type());
}

Value toBool(PrimBuilder &b, Value x) {
  if (isBool(b.elementOf(x)))
    return x;
  return b.compare(Comparison::ne, x, 0.0);
}

/// sqrt(re * re + im * im) without overflow; infinite if a part is infinite.
static Value complexMagnitude(PrimBuilder &b, Value x) {
  Value re =
      b.unary<prim::AbsOp>(prim::RealOp::create(b.getBuilder(), b.getLoc(), x));
  Value im =
      b.unary<prim::AbsOp>(prim::ImagOp::create(b.getBuilder(), b.getLoc(), x));
  Value large = b.max(re, im), small = b.min(re, im);
  Value zero = b.compare(Comparison::eq, large, 0.0);
  Value ratio = b.div(small, b.where(zero, b.fullLike(large, 1), large));
  Value value = b.mul(large, b.sqrt(b.add(square(b, ratio), 1)));
  Value infinite = b.logicalOr(isInfinite(b, re), isInfinite(b, im));
  return b.where(infinite, b.fullLike(value, INFINITY), value);
}

Value magnitude(PrimBuilder &b, Value x) {
  Type element = b.elementOf(x);
  if (isComplex(element))
    return complexMagnitude(b, x);
  return isBool(element) || isUnsigned(element) ? x : b.unary<prim::AbsOp>(x);
}

static Value partOf(PrimBuilder &b, Value x, bool imaginary) {
  if (imaginary)
    return prim::ImagOp::create(b.getBuilder(), b.getLoc(), x);
  return prim::RealOp::create(b.getBuilder(), b.getLoc(), x);
}

Value isInfinite(PrimBuilder &b, Value x) {
  Type element = b.elementOf(x);
  if (isComplex(element))
    return b.logicalOr(isInfinite(b, partOf(b, x, false)),
                       isInfinite(b, partOf(b, x, true)));
  if (!isFloat(element))
    return boolLike(b, x, false);
  return b.compare(Comparison::eq, b.unary<prim::AbsOp>(x), INFINITY);
}

Value isFinite(PrimBuilder &b, Value x) {
  Type element = b.elementOf(x);
  if (isComplex(element))
    return b.logicalAnd(isFinite(b, partOf(b, x, false)),
                        isFinite(b, partOf(b, x, true)));
  if (!isFloat(element))
    return boolLike(b, x, true);
  return b.compare(Comparison::lt, b.unary<prim::AbsOp>(x), INFINITY);
}

Value maximum(PrimBuilder &b, Value x, Value y) {
  return isBool(b.elementOf(x)) ? b.logicalOr(x, y) : b.max(x, y);
}

Value minimum(PrimBuilder &b, Value x, Value y) {
  return isBool(b.elementOf(x)) ? b.logicalAnd(x, y) : b.min(x, y);
}

Value clampMin(PrimBuilder &b, Value x, Value bound, bool boundMayBeNan) {
  Value isBelow = b.compare(Comparison::lt, x, bound);
  if (boundMayBeNan && isFloat(b.elementOf(bound)))
    isBelow = b.logicalOr(isBelow, b.isNan(bound));
  return b.where(isBelow, bound, x);
}

Value clampMax(PrimBuilder &b, Value x, Value bound, bool boundMayBeNan) {
  Value isAbove = b.compare(Comparison::gt, x, bound);
  if (boundMayBeNan && isFloat(b.elementOf(bound)))
    isAbove = b.logicalOr(isAbove, b.isNan(bound));
  return b.where(isAbove, bound, x);
}

Value clampMin(PrimBuilder &b, Value x, double bound) {
  Value number = b.scalar(bound, b.elementOf(x));
  return b.where(b.compare(Comparison::lt, x, number), number, x);
}

Value clampOpen(PrimBuilder &b, Value x, double low, double high) {
  Value least = b.scalar(low, b.elementOf(x)),
        most = b.scalar(high, b.elementOf(x));
  Value raised = b.where(b.compare(Comparison::le, x, least), least, x);
  return b.where(b.compare(Comparison::ge, raised, most), most, raised);
}

Value rootOrZero(PrimBuilder &b, Value x, double exponent) {
  Value isZero = b.compare(Comparison::eq, x, 0.0);
  Value safe = b.where(isZero, b.fullLike(x, 1), x);
  return b.where(isZero, b.fullLike(x, 0), powerOf(b, safe, exponent));
}

Value square(PrimBuilder &b, Value x) { return b.mul(x, x); }

Value timesLog(PrimBuilder &b, Value x, Value y, double least,
               llvm::function_ref<Value(Value)> log) {
  // Where x is 0, an infinite logarithm is replaced before it is taken.
  Value isInfiniteLog = b.logicalOr(b.compare(Comparison::le, y, least),
                                    b.compare(Comparison::eq, y, INFINITY));
  Value vanishes =
      b.logicalAnd(b.compare(Comparison::eq, x, 0.0), isInfiniteLog);
  return b.mul(x,
               log(b.where(vanishes, b.scalar(least + 1, b.elementOf(y)), y)));
}

Value xLogY(PrimBuilder &b, Value x, Value y) {
  return timesLog(b, x, y, 0, [&](Value z) { return b.log(z); });
}

Value logSigmoid(PrimBuilder &b, Value x) {
  Value tail = b.unary<prim::Log1pOp>(b.exp(b.neg(b.unary<prim::AbsOp>(x))));
  return b.sub(b.min(x, b.scalar(0, b.elementOf(x))), tail);
}

/// 1 / x, for floats.
static Value inverse(PrimBuilder &b, Value x) {
  return b.div(b.fullLike(x, 1), x);
}

Value powerOf(PrimBuilder &b, Value x, double exponent) {
  bool inexact = !isIntegral(b.elementOf(x));
  if (exponent == 0)
    return b.fullLike(x, 1);
  if (exponent == 1)
    return x;
  if (exponent == 2)
    return square(b, x);
  if (exponent == 3)
    return b.mul(square(b, x), x);
  if (inexact && exponent == 0.5)
    return b.sqrt(x);
  if (inexact && exponent == -0.5)
    return b.rsqrt(x);
  if (inexact && exponent == -1)
    return inverse(b, x);
  if (inexact && exponent == -2)
    return inverse(b, square(b, x));
  return b.binary<prim::PowOp>(x, b.scalar(exponent, b.elementOf(x)));
}

Value withoutBool(PrimBuilder &b, Value x) {
  if (!isBool(b.elementOf(x)))
    return x;
  return b.convert(x,
                   IntegerType::get(b.getContext(), 8, IntegerType::Unsigned));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

SmallVector<int64_t> allDims(Value x) {
  return llvm::to_vector(llvm::seq<int64_t>(0, PrimBuilder::rankOf(x)));
}

Value dropDims(PrimBuilder &b, Value x, ArrayRef<int64_t> dims) {
  sym::Shape kept;
  for (auto [i, size] : llvm::enumerate(b.shapeOf(x)))
    if (!llvm::is_contained(dims, int64_t(i)))
      kept.push_back(size);
  return b.reshape(x, kept);
}

Value flatten(PrimBuilder &b, Value x) {
  return b.reshape(x, {sym::product(b.getContext(), b.shapeOf(x))});
}

Value vectorNorm(PrimBuilder &b, Value x, double order, ArrayRef<int64_t> dims,
                 bool keepDims) {
  if (order == 0) {
    Type real = realPartType(b.elementOf(x));
    return b.sum(b.convert(toBool(b, x), real), dims, keepDims);
  }
  Value sizes = magnitude(b, x);
  if (std::isinf(order))
    return b.reduce(order > 0 ? prim::Reduction::max : prim::Reduction::min,
                    sizes, dims, keepDims);
  if (order == 1 || dims.empty())
    return b.sum(sizes, dims, keepDims);
  Value sum = b.sum(powerOf(b, sizes, order), dims, keepDims);
  return order > 0 ? rootOrZero(b, sum, 1 / order) : powerOf(b, sum, 1 / order);
}

Value roundedMean(PrimBuilder &b, Value x, ArrayRef<int64_t> dims,
                  bool keepDims) {
  Type element = b.elementOf(x);
  Value wide = b.convert(x, opmathType(element));
  return b.convert(b.mean(wide, dims, keepDims), element);
}

LogicalResult setReducedLoss(CallContext &c, Value loss) {
  switch (c.integer("reduction")) {
  case 0:
    return c.setResult(0, loss);
  case 1:
    return c.setResult(
        0, roundedMean(c.b, loss, allDims(loss), /*keepDims=*/false));
  case 2:
    return c.setResult(0, c.b.sum(loss, allDims(loss)));
  }
  return c.emitInvalid("expected a reduction of 0, 1 or 2, but found " +
                       Twine(c.integer("reduction")));
}

Value indexAlong(PrimBuilder &b, Value like, int64_t dim) {
  sym::Shape shape(b.rankOf(like), b.expr(1));
  shape[dim] = b.shapeOf(like)[dim];
  return b.iota(shape, dim, b.getBuilder().getI64Type());
}

Value atLeast1d(PrimBuilder &b, Value x) {
  return b.rankOf(x) == 0 ? b.reshape(x, {b.expr(1)}) : x;
}

} // namespace adze::normalize
