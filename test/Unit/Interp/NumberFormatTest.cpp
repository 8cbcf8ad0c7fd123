//===- NumberFormatTest.cpp - How element types round and wrap -----------===//

#include "adze/Interp/NumberFormat.h"
#include "adze/Support/Element.h"

#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;

namespace adze::interp {
namespace {

struct NumberFormatTest : testing::Test {
  MLIRContext context;
  Builder builder{&context};

  FloatFormat half{builder.getF16Type()}, brain{builder.getBF16Type()};
  FloatFormat single{builder.getF32Type()};
  FloatFormat e4m3{Float8E4M3FNType::get(&context)};
  FloatFormat e5m2{Float8E5M2Type::get(&context)};
};

/// Numbers of all magnitudes, ties included, against APFloat's conversion.
template <typename Stored> void compareRounding(const FloatFormat &format) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    auto bits = static_cast<uint32_t>(random());
    if (i % 3 == 0)
      bits &= 0xfffff000; // ties are common here
    float value = llvm::bit_cast<float>(bits);
    double expected = double(Stored(value)), found = format.round(value);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(found)) << value;
    } else {
      EXPECT_EQ(expected, found) << value;
      EXPECT_EQ(std::signbit(expected), std::signbit(found)) << value;
    }
  }
}

TEST_F(NumberFormatTest, RoundsLikeTheStoredTypes) {
  compareRounding<Float16>(half);
  compareRounding<BFloat16>(brain);
  compareRounding<Float8E5M2>(e5m2);
  compareRounding<Float8E4M3FN>(e4m3);
}

TEST_F(NumberFormatTest, OverflowsToInfinityOrNaN) {
  EXPECT_EQ(half.round(65519.0), 65504.0);
  EXPECT_EQ(half.round(65520.0), HUGE_VAL);
  EXPECT_EQ(single.round(1e39), HUGE_VAL);
  EXPECT_TRUE(std::isnan(e4m3.round(1000.0)));
}

/// Every f16 number and its neighbour, by bits.
TEST_F(NumberFormatTest, NextIsTheNextBitPattern) {
  for (uint16_t bits = 0; bits < 0x7c00; ++bits) {
    double here = float16ToFloat(bits), there = float16ToFloat(bits + 1);
    EXPECT_EQ(half.next(here, HUGE_VAL), there) << here;
    if (bits + 1 < 0x7c00) {
      EXPECT_EQ(half.next(there, -1.0), here) << there;
    }
    EXPECT_EQ(half.next(-here, -HUGE_VAL), -there) << here;
  }
  EXPECT_EQ(half.next(HUGE_VAL, 0), 65504.0);
}

TEST_F(NumberFormatTest, IntegersWrap) {
  IntFormat i8(builder.getIntegerType(8)), u8(builder.getIntegerType(8, false));
  IntFormat u64(builder.getIntegerType(64, false));
  EXPECT_EQ(i8.wrap(128), -128);
  EXPECT_EQ(i8.least(), -128);
  EXPECT_EQ(u8.wrap(-1), 255);
  EXPECT_EQ(u64.toDouble(-1), 0x1p64);
  EXPECT_TRUE(u64.less(1, -1));
}

TEST_F(NumberFormatTest, FloatToIntegerIsWhatX86Gives) {
  auto format = [&](unsigned width, bool isSigned = true) {
    return IntFormat(isSigned ? builder.getIntegerType(width)
                              : builder.getIntegerType(width, false));
  };
  EXPECT_EQ(floatToInteger(-2.9, format(32)), -2);
  EXPECT_EQ(floatToInteger(3e9, format(32)), INT32_MIN);
  EXPECT_EQ(floatToInteger(NAN, format(64)), INT64_MIN);
  EXPECT_EQ(floatToInteger(1e19, format(64)), INT64_MIN);
  EXPECT_EQ(floatToInteger(300, format(8)), 44);
  EXPECT_EQ(floatToInteger(-1, format(8, false)), 255);
  EXPECT_EQ(uint64_t(floatToInteger(0x1.8p63, format(64, false))),
            0xC000000000000000u);
  EXPECT_EQ(floatToInteger(NAN, format(1)), 1);
}

TEST_F(NumberFormatTest, IntegerToFloatRoundsOnce) {
  IntFormat i64(builder.getI64Type());
  // Halfway between two floats once rounded to double, but not before.
  int64_t value = (int64_t(1) << 62) + (int64_t(1) << 38) + 1;
  EXPECT_EQ(integerToFloat(value, i64, single), double(float(value)));
  EXPECT_NE(integerToFloat(value, i64, single), double(float(double(value))));
}

} // namespace
} // namespace adze::interp
