//===- SmallFloat.cpp - Floating-point numbers of 8 and 16 bits -----------===//

#include "lib/Runtime/Runner/Array.h"

#include <cmath>
#include <cstring>

using namespace adze::runner;

namespace {
struct Format {
  int mantissaBits;
  int exponentBits;
  bool hasInfinity; // otherwise one NaN only, all ones

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint32_t topExponent() const { return (1u << exponentBits) - 1; }
  uint32_t sign() const { return 1u << (mantissaBits + exponentBits); }
  /// The bits of infinity, or of NaN where there is none: what is too large.
  uint32_t overflow() const {
    return hasInfinity ? topExponent() << mantissaBits : sign() - 1;
  }
};
} // namespace

static Format formatOf(int32_t dtype) {
  switch (dtype) {
  case ADZE_FLOAT16:
    return {10, 5, true};
  case ADZE_FLOAT8_E4M3FN:
    return {3, 4, false};
  case ADZE_FLOAT8_E5M2:
    return {2, 5, true};
  default:
    return {7, 8, true}; // bfloat16
  }
}

float adze::runner::decodeSmallFloat(int32_t dtype, uint16_t bits) {
  Format format = formatOf(dtype);
  uint32_t magnitude = bits & (format.sign() - 1);
  uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  int exponent = static_cast<int>(magnitude >> format.mantissaBits);
  float value;
  if (format.hasInfinity && magnitude >= format.overflow())
    value = mantissa ? __builtin_nanf("") : __builtin_inff();
  else if (!format.hasInfinity && magnitude == format.overflow())
    value = __builtin_nanf("");
  else if (exponent == 0)
    value = ldexpf(static_cast<float>(mantissa),
                   1 - format.bias() - format.mantissaBits);
  else
    value = ldexpf(static_cast<float>(mantissa + (1u << format.mantissaBits)),
                   exponent - format.bias() - format.mantissaBits);
  return bits & format.sign() ? -value : value;
}

/// The magnitude in the format, rounded to nearest even; a carry out of the
/// mantissa raises the exponent as it should.
static uint32_t encodeMagnitude(const Format &format, float value) {
  int exponent;
  float fraction = frexpf(value, &exponent); // value = fraction * 2^exponent
  int least = 1 - format.bias();             // exponent of subnormal numbers
  bool isNormal = value > 0 && exponent - 1 >= least;
  int scale = format.mantissaBits - (isNormal ? exponent - 1 : least);
  // Exact but for the rounding: at most 24 bits are involved.
  double scaled = ldexp(static_cast<double>(fraction), exponent + scale);
  auto rounded = static_cast<uint32_t>(nearbyint(scaled));
  if (!isNormal)
    return rounded;
  auto biased = static_cast<uint32_t>(exponent - 1 + format.bias());
  return ((biased - 1) << format.mantissaBits) + rounded;
}

uint16_t adze::runner::encodeSmallFloat(int32_t dtype, float value) {
  Format format = formatOf(dtype);
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  uint32_t sign = bits >> 31 ? format.sign() : 0;
  if (value != value) {
    uint32_t payload = (bits & 0x7fffff) >> (23 - format.mantissaBits);
    uint32_t quiet = 1u << (format.mantissaBits - 1);
    uint32_t nan = format.hasInfinity ? format.overflow() | payload | quiet
                                      : format.overflow();
    return static_cast<uint16_t>(sign | nan);
  }
  float magnitude = fabsf(value);
  float limit = ldexpf(1, static_cast<int>(format.topExponent()) -
                              format.bias() + !format.hasInfinity);
  uint32_t result = magnitude < limit ? encodeMagnitude(format, magnitude)
                                      : format.overflow();
  if (result > format.overflow())
    result = format.overflow();
  return static_cast<uint16_t>(sign | result);
}
