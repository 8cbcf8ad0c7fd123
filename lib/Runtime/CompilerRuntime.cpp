//===- CompilerRuntime.cpp - Conversions that LLVM calls by name ----------===//

#include "lib/Runtime/CompilerRuntime.h"

#include <bit>
#include <cstdint>

using namespace adze::rt;

namespace {
/// An IEEE format: its bits as a number, and the constants of its encoding.
template <typename Number, int exponent, int mantissa> struct Format {
  using Bits = Number;
  static constexpr int mantissaBits = mantissa;
  static constexpr int bias = (1 << (exponent - 1)) - 1;
  static constexpr Bits sign = Bits(1) << (exponent + mantissa);
  static constexpr Bits infinity = ((Bits(1) << exponent) - 1) << mantissa;
  static constexpr Bits implicitBit = Bits(1) << mantissa;
  static constexpr Bits quietBit = Bits(1) << (mantissa - 1);
};
using Float16 = Format<uint32_t, 5, 10>;
using BFloat16 = Format<uint32_t, 8, 7>;
using Float32 = Format<uint32_t, 8, 23>;
using Float64 = Format<uint64_t, 11, 52>;
} // namespace

/// bits / 2^shift, rounded to nearest even.
template <typename Bits> static Bits shiftRounded(Bits bits, int shift) {
  Bits odd = bits >> shift & 1;
  return (bits + (Bits(1) << (shift - 1)) - 1 + odd) >> shift;
}

/// A magnitude below the infinity of To, as the mantissa and exponent of To: a
/// carry out of the mantissa raises the exponent as it should.
template <typename From, typename To>
static typename From::Bits narrowFinite(typename From::Bits magnitude) {
  using Bits = typename From::Bits;
  constexpr int shift = From::mantissaBits - To::mantissaBits;
  constexpr int rebias = From::bias - To::bias;
  if (rebias == 0 || magnitude >= Bits(rebias + 1) << From::mantissaBits)
    return shiftRounded<Bits>(magnitude - (Bits(rebias) << From::mantissaBits),
                              shift);
  // Subnormal in To. What is subnormal in From is far below its least number.
  int drop = shift + rebias + 1 - int(magnitude >> From::mantissaBits);
  if (drop > From::mantissaBits + 1)
    return 0;
  Bits mantissa = magnitude & (From::implicitBit - 1);
  return shiftRounded<Bits>(mantissa | From::implicitBit, drop);
}

template <typename From, typename To>
static SmallFloat narrow(typename From::Bits bits) {
  using Bits = typename From::Bits;
  constexpr int shift = From::mantissaBits - To::mantissaBits;
  constexpr Bits limit = Bits(From::bias + To::bias + 1) << From::mantissaBits;
  Bits magnitude = bits & (From::sign - 1);
  Bits result = To::infinity;
  if (magnitude > From::infinity)
    result |= To::quietBit | (magnitude & (From::implicitBit - 1)) >> shift;
  else if (magnitude < limit)
    result = narrowFinite<From, To>(magnitude);
  if (bits & From::sign)
    result |= To::sign;
  return _mm_cvtsi32_si128(static_cast<int>(result));
}

static uint32_t widen(uint32_t magnitude) {
  constexpr int shift = Float32::mantissaBits - Float16::mantissaBits;
  constexpr uint32_t rebias = (Float32::bias - Float16::bias)
                              << Float32::mantissaBits;
  if (magnitude > Float16::infinity)
    return Float32::infinity | Float32::quietBit |
           (magnitude & (Float16::implicitBit - 1)) << shift;
  if (magnitude == Float16::infinity)
    return Float32::infinity;
  if (magnitude >= Float16::implicitBit)
    return (magnitude << shift) + rebias;
  return std::bit_cast<uint32_t>(static_cast<float>(magnitude) * 0x1p-24f);
}

float __extendhfsf2(SmallFloat half) {
  auto bits = static_cast<uint32_t>(_mm_cvtsi128_si32(half));
  uint32_t sign = (bits & Float16::sign) << 16;
  return std::bit_cast<float>(sign | widen(bits & (Float16::sign - 1)));
}

SmallFloat __truncsfhf2(float value) {
  return narrow<Float32, Float16>(std::bit_cast<uint32_t>(value));
}

SmallFloat __truncdfhf2(double value) {
  return narrow<Float64, Float16>(std::bit_cast<uint64_t>(value));
}

SmallFloat __truncsfbf2(float value) {
  return narrow<Float32, BFloat16>(std::bit_cast<uint32_t>(value));
}

SmallFloat __truncdfbf2(double value) {
  return narrow<Float64, BFloat16>(std::bit_cast<uint64_t>(value));
}
