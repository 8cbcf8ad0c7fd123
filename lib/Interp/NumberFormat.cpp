//===- NumberFormat.cpp - How element types round and wrap ---------------===//

#include "adze/Interp/NumberFormat.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace adze::interp {

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

FloatFormat::FloatFormat(FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  fractionBits = int(llvm::APFloat::semanticsPrecision(semantics)) - 1;
  minExponent = llvm::APFloat::semanticsMinExponent(semantics);
  max = llvm::APFloat::getLargest(semantics).convertToDouble();
  hasInfinity = llvm::APFloat::semanticsHasInf(semantics);
}

double FloatFormat::round(double value) const {
  if (fractionBits == 52)
    return value;
  float single = static_cast<float>(value);
  return fractionBits == 23 ? single : roundNarrow(single);
}

/// The distance of the numbers of a binade is 2^(exponent - fraction bits).
static double spacing(double value, int minExponent, int fractionBits) {
  int exponent = value == 0 ? minExponent : std::ilogb(value);
  return std::ldexp(1.0, std::max(exponent, minExponent) - fractionBits);
}

double FloatFormat::roundNarrow(double value) const {
  if (!std::isfinite(value))
    return hasInfinity ? value : std::numeric_limits<double>::quiet_NaN();
  double unit = spacing(value, minExponent, fractionBits);
  double result = std::copysign(std::nearbyint(value / unit) * unit, value);
  if (std::fabs(result) <= max)
    return result;
  return hasInfinity ? std::copysign(HUGE_VAL, value)
                     : std::numeric_limits<double>::quiet_NaN();
}

double FloatFormat::next(double from, double to) const {
  if (std::isnan(from) || std::isnan(to))
    return std::numeric_limits<double>::quiet_NaN();
  if (from == to)
    return to;
  if (fractionBits == 52)
    return std::nextafter(from, to);
  if (from == 0)
    return std::copysign(spacing(0, minExponent, fractionBits), to);
  if (std::isinf(from))
    return std::copysign(max, from);
  bool outward = (to > from) == (from > 0);
  double unit = spacing(from, minExponent, fractionBits);
  bool lowestOfBinade = std::fabs(from) == std::ldexp(1.0, std::ilogb(from)) &&
                        std::ilogb(from) > minExponent;
  if (!outward && lowestOfBinade)
    unit /= 2;
  double step = std::copysign(unit, from);
  return std::copysign(round(outward ? from + step : from - step), from);
}

FloatType realType(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return cast<FloatType>(complex.getElementType());
  return cast<FloatType>(element);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

int64_t IntFormat::wrap(int64_t value) const {
  if (width >= 64)
    return value;
  uint64_t low = uint64_t(value) & llvm::maskTrailingOnes<uint64_t>(width);
  return isUnsigned ? int64_t(low) : llvm::SignExtend64(low, width);
}

int64_t IntFormat::least() const {
  return isUnsigned ? 0 : llvm::minIntN(width);
}

int64_t IntFormat::largest() const {
  return isUnsigned ? int64_t(llvm::maxUIntN(width)) : llvm::maxIntN(width);
}

/// The signed conversions of x86: the least integer if it does not fit.
template <typename T> static T truncateTo(double value) {
  double limit = -static_cast<double>(std::numeric_limits<T>::min());
  if (value >= limit || value <= -limit - 1 || std::isnan(value))
    return std::numeric_limits<T>::min();
  return static_cast<T>(value);
}

int64_t floatToInteger(double value, const IntFormat &format) {
  if (format.isBool())
    return value != 0; // NaN is true
  bool large = format.width == 64 && format.isUnsigned && value >= 0x1p63;
  if (large) // what compilers emit for a type that has no instruction
    return truncateTo<int64_t>(value - 0x1p63) ^
           std::numeric_limits<int64_t>::min();
  // Narrow signed integers are cut out of an int32, the others of an int64.
  bool narrow = !format.isUnsigned && format.width <= 32;
  return format.wrap(narrow ? truncateTo<int32_t>(value)
                            : truncateTo<int64_t>(value));
}

double integerToFloat(int64_t value, const IntFormat &from,
                      const FloatFormat &to) {
  if (to.fraction() == 52)
    return from.toDouble(value);
  return to.round(from.isUnsigned ? static_cast<float>(uint64_t(value))
                                  : static_cast<float>(value));
}

} // namespace adze::interp
