//===- Promotion.cpp - torch's element type rules -------------------------===//

#include "passes/Normalize/Promotion.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace adze::normalize {

bool isBool(Type element) { return element && element.isInteger(1); }

bool isInteger(Type element) {
  return isa_and_nonnull<IntegerType>(element) && !isBool(element);
}

bool isIntegral(Type element, bool includeBool) {
  return isInteger(element) || (includeBool && isBool(element));
}

bool isFloat(Type element) { return isa_and_nonnull<FloatType>(element); }

bool isComplex(Type element) { return isa_and_nonnull<ComplexType>(element); }

bool isReducedFloat(Type element) {
  auto type = dyn_cast_or_null<FloatType>(element);
  return type && type.getWidth() < 32;
}

bool isUnsigned(Type element) {
  auto type = dyn_cast_or_null<IntegerType>(element);
  return type && type.isUnsigned();
}

static Type signedInteger(MLIRContext *context, unsigned width) {
  return IntegerType::get(context, width);
}

static Type promoteIntegers(IntegerType a, IntegerType b) {
  if (isBool(a) || isBool(b))
    return isBool(a) ? b : a;
  if (a.isUnsigned() == b.isUnsigned())
    return a.getWidth() >= b.getWidth() ? a : b;
  // u8 with a signed type needs the next wider signed type.
  unsigned ofUnsigned = a.isUnsigned() ? a.getWidth() : b.getWidth();
  unsigned ofSigned = a.isUnsigned() ? b.getWidth() : a.getWidth();
  unsigned width = std::min(64u, std::max(ofSigned, 2 * ofUnsigned));
  return signedInteger(a.getContext(), width);
}

static Type promoteFloats(FloatType a, FloatType b) {
  if (a == b)
    return a;
  // bf16 with f16 needs f32.
  if (a.getWidth() == b.getWidth())
    return Float32Type::get(a.getContext());
  return a.getWidth() > b.getWidth() ? a : b;
}

static Type promoteComplex(Type a, Type b) {
  Type re = promoteTypes(realPartType(a), realPartType(b));
  if (!isFloat(re) || isReducedFloat(re))
    re = Float32Type::get(re.getContext());
  return ComplexType::get(re);
}

Type promoteTypes(Type a, Type b) {
  if (!a || !b || a == b)
    return a ? a : b;
  if (isComplex(a) || isComplex(b)) {
    // An integer adds no precision.
    if (isIntegral(a) || isIntegral(b))
      return isComplex(a) ? a : b;
    return promoteComplex(a, b);
  }
  if (isFloat(a) && isFloat(b))
    return promoteFloats(cast<FloatType>(a), cast<FloatType>(b));
  if (isFloat(a) || isFloat(b))
    return isFloat(a) ? a : b;
  return promoteIntegers(cast<IntegerType>(a), cast<IntegerType>(b));
}

Type opmathType(Type element) {
  return isReducedFloat(element) ? Type(Float32Type::get(element.getContext()))
                                 : element;
}

Type floatTypeFor(Type element) {
  return isIntegral(element) ? Type(Float32Type::get(element.getContext()))
                             : element;
}

Type sumType(Type element) {
  return isIntegral(element) ? signedInteger(element.getContext(), 64)
                             : element;
}

Type realPartType(Type element) {
  auto type = dyn_cast_or_null<ComplexType>(element);
  return type ? type.getElementType() : element;
}

static Type defaultTypeOfNumber(Type element) {
  Type single = Float32Type::get(element.getContext());
  if (isComplex(element))
    return ComplexType::get(single);
  return isFloat(element) ? single : element;
}

/// c10's combine_categories: `lower` counts only if its category is higher.
static Type combine(Type higher, Type lower) {
  if (!higher || !lower)
    return higher ? higher : lower;
  if (isComplex(higher))
    return higher;
  if (isFloat(higher)) {
    if (!isComplex(lower))
      return higher;
    Type re = isReducedFloat(higher)
                  ? Type(Float32Type::get(higher.getContext()))
                  : higher;
    return ComplexType::get(re);
  }
  if (isBool(higher) || isFloat(lower) || isComplex(lower))
    return promoteTypes(higher, lower);
  return higher;
}

Type resultType(ArrayRef<Promotable> operands) {
  Type withDims, withoutDims, numbers;
  for (const Promotable &operand : operands) {
    if (operand.hasDims)
      withDims = promoteTypes(withDims, operand.element);
    else if (operand.isWrappedNumber)
      numbers = promoteTypes(numbers, defaultTypeOfNumber(operand.element));
    else
      withoutDims = promoteTypes(withoutDims, operand.element);
  }
  return combine(withDims, combine(withoutDims, numbers));
}

} // namespace adze::normalize
