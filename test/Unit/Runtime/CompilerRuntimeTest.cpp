//===- CompilerRuntimeTest.cpp - Conversions of 16-bit floats -------------===//

#include "lib/Runtime/CompilerRuntime.h"

#include "llvm/ADT/APFloat.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

using namespace llvm;

namespace {

uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }

uint16_t bitsOf(adze::rt::SmallFloat value) {
  return static_cast<uint16_t>(_mm_cvtsi128_si32(value));
}

/// What lies above the 16 bits has no meaning.
float extend(uint16_t bits) {
  auto garbage = static_cast<int>(0xdead0000);
  return __extendhfsf2(_mm_set1_epi32(garbage | bits));
}

/// By the definition of the format.
float valueOfHalf(uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double magnitude = exponent == 31 ? HUGE_VAL
                     : exponent == 0
                         ? std::ldexp(mantissa, -24)
                         : std::ldexp(mantissa + 1024, exponent - 25);
  return static_cast<float>(bits >> 15 ? -magnitude : magnitude);
}

TEST(CompilerRuntime, ExtendsAllHalves) {
  for (uint32_t bits = 0; bits < 1u << 16; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    uint32_t wanted = bitsOf(valueOfHalf(half));
    if ((bits & 0x7fff) > 0x7c00) // its payload, and the quiet bit
      wanted |= 0x400000 | (bits & 1023) << 13;
    ASSERT_EQ(bitsOf(extend(half)), wanted) << std::hex << bits;
  }
}

TEST(CompilerRuntime, AllHalvesComeBack) {
  for (uint32_t bits = 0; bits < 1u << 16; ++bits) {
    bool isNan = (bits & 0x7fff) > 0x7c00;
    uint32_t wanted = isNan ? bits | 0x200 : bits;
    float value = extend(static_cast<uint16_t>(bits));
    ASSERT_EQ(bitsOf(__truncsfhf2(value)), wanted) << std::hex << bits;
    ASSERT_EQ(bitsOf(__truncdfhf2(value)), wanted) << std::hex << bits;
  }
}

uint16_t byLLVM(APFloat value, const fltSemantics &semantics) {
  bool ignored;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &ignored);
  return static_cast<uint16_t>(value.bitcastToAPInt().getZExtValue());
}

void expectLikeLLVM(float value) {
  ASSERT_EQ(bitsOf(__truncsfhf2(value)),
            byLLVM(APFloat(value), APFloat::IEEEhalf()))
      << std::hexfloat << value;
  ASSERT_EQ(bitsOf(__truncsfbf2(value)),
            byLLVM(APFloat(value), APFloat::BFloat()))
      << std::hexfloat << value;
}

void expectLikeLLVM(double value) {
  ASSERT_EQ(bitsOf(__truncdfhf2(value)),
            byLLVM(APFloat(value), APFloat::IEEEhalf()))
      << std::hexfloat << value;
  ASSERT_EQ(bitsOf(__truncdfbf2(value)),
            byLLVM(APFloat(value), APFloat::BFloat()))
      << std::hexfloat << value;
}

/// Both conversions of both widths, of `value` and of what is beside it.
void expectLikeLLVMAround(double value) {
  for (double number : {value, -value}) {
    expectLikeLLVM(number);
    expectLikeLLVM(std::nextafter(number, HUGE_VAL));
    expectLikeLLVM(std::nextafter(number, -HUGE_VAL));
    auto narrow = static_cast<float>(number);
    expectLikeLLVM(narrow);
    expectLikeLLVM(std::nextafter(narrow, HUGE_VALF));
    expectLikeLLVM(std::nextafter(narrow, -HUGE_VALF));
  }
}

/// The numbers of a format, and the middles of two of them, which are where
/// rounding changes. The middle above the largest overflows.
void expectLikeLLVMOnGrid(const fltSemantics &semantics, uint16_t infinity) {
  auto valueOf = [&](uint16_t bits) {
    APFloat value(semantics, APInt(16, bits));
    return value.convertToDouble();
  };
  for (uint16_t bits = 0; bits < infinity; ++bits) {
    double low = valueOf(bits);
    double step = low - valueOf(bits - 1u);
    double high = bits + 1 < infinity ? valueOf(bits + 1u) : low + step;
    expectLikeLLVMAround(low);
    expectLikeLLVMAround((low + high) / 2);
    if (testing::Test::HasFatalFailure())
      return;
  }
  expectLikeLLVMAround(HUGE_VAL);
}

TEST(CompilerRuntime, RoundsToHalf) {
  expectLikeLLVMOnGrid(APFloat::IEEEhalf(), 0x7c00);
}

TEST(CompilerRuntime, RoundsToBFloat16) {
  expectLikeLLVMOnGrid(APFloat::BFloat(), 0x7f80);
}

/// All exponents of both formats: what is far outside of the 16-bit ones too.
TEST(CompilerRuntime, RoundsAllExponents) {
  for (uint32_t high = 0; high < 1u << 16; ++high)
    for (uint32_t low : {0u, 1u, 0xfffu, 0x1000u, 0x7fffu, 0x8000u, 0xffffu}) {
      uint64_t wide = uint64_t(high) << 48 | low;
      expectLikeLLVM(std::bit_cast<float>(high << 16 | low));
      expectLikeLLVM(std::bit_cast<double>(wide));
      expectLikeLLVM(std::bit_cast<double>(wide | uint64_t(low) << 32));
      if (HasFatalFailure())
        return;
    }
}

TEST(CompilerRuntime, KeepsNan) {
  auto nan = [](uint32_t bits) { return std::bit_cast<float>(bits); };
  auto wide = [](uint64_t bits) { return std::bit_cast<double>(bits); };
  EXPECT_EQ(bitsOf(__truncsfhf2(nan(0x7f800001))), 0x7e00);
  EXPECT_EQ(bitsOf(__truncsfhf2(nan(0xffc02000))), 0xfe01);
  EXPECT_EQ(bitsOf(__truncsfbf2(nan(0x7f800001))), 0x7fc0);
  EXPECT_EQ(bitsOf(__truncsfbf2(nan(0xff810000))), 0xffc1);
  EXPECT_EQ(bitsOf(__truncdfhf2(wide(0x7ff0000000000001))), 0x7e00);
  EXPECT_EQ(bitsOf(__truncdfbf2(wide(0xfff0000000000001))), 0xffc0);
}

} // namespace
