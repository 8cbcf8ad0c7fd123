//===- NumberFormat.h - How element types round and wrap -------*- C++ -*-===//
//
// The interpreter computes in double and int64; a format says what becomes of
// a result when it is stored in an element type.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_INTERP_NUMBERFORMAT_H
#define ADZE_INTERP_NUMBERFORMAT_H

#include "mlir/IR/BuiltinTypes.h"

#include <complex>
#include <cstdint>

namespace adze::interp {

using Complex = std::complex<double>;

/// A floating-point type, or float64 in its place when nothing is to be
/// rounded. Rounding is to nearest, ties to even, by way of float for types
/// that are narrower, as torch does.
class FloatFormat {
public:
  FloatFormat() = default;
  explicit FloatFormat(mlir::FloatType type);

  static FloatFormat float64() { return FloatFormat(); }

  double round(double value) const;
  Complex round(Complex value) const {
    return {round(value.real()), round(value.imag())};
  }
  /// The neighbour of `from` in the direction of `to`; `to` if they are equal.
  double next(double from, double to) const;

  /// Bits of the significand after the point.
  int fraction() const { return fractionBits; }
  double largest() const { return max; }

private:
  double roundNarrow(double value) const;

  int fractionBits = 52;
  int minExponent = -1022; // of the least normal number
  double max = 1.7976931348623157e308;
  bool hasInfinity = true;
};

/// An integer type; bool is one of width 1. Values are kept in int64, uint64
/// by its bits.
class IntFormat {
public:
  explicit IntFormat(mlir::IntegerType type)
      : width(type.getWidth()),
        isUnsigned(type.isUnsigned() || type.getWidth() == 1) {}

  /// Keeps the low bits and extends them by the sign, if there is one.
  int64_t wrap(int64_t value) const;
  bool less(int64_t a, int64_t b) const {
    return isUnsigned ? uint64_t(a) < uint64_t(b) : a < b;
  }
  int64_t least() const;
  int64_t largest() const;
  double toDouble(int64_t value) const {
    return isUnsigned ? static_cast<double>(uint64_t(value))
                      : static_cast<double>(value);
  }
  bool isBool() const { return width == 1; }

  unsigned width;
  bool isUnsigned;
};

/// What a conversion on x86 gives: truncated, and a fixed value out of range.
int64_t floatToInteger(double value, const IntFormat &format);
/// Rounds once, where int64 to double to float would round twice.
double integerToFloat(int64_t value, const IntFormat &from,
                      const FloatFormat &to);

/// The real part type of a complex type, or the float type itself.
mlir::FloatType realType(mlir::Type element);

} // namespace adze::interp

#endif // ADZE_INTERP_NUMBERFORMAT_H
