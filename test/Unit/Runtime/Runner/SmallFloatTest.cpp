//===- SmallFloatTest.cpp - The runner rounds as adze does ----------------===//

#include "lib/Runtime/Runner/Array.h"

#include "adze/Support/Element.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace adze::runner;

namespace {

struct Format {
  int32_t dtype;
  int bits;
  float (*decode)(uint16_t);
  uint16_t (*encode)(float);
};

const Format Formats[] = {
    {ADZE_FLOAT16, 16, adze::float16ToFloat, adze::floatToFloat16},
    {ADZE_BFLOAT16, 16, adze::bfloat16ToFloat, adze::floatToBFloat16},
    {ADZE_FLOAT8_E4M3FN, 8,
     [](uint16_t b) { return adze::float8E4M3FNToFloat(uint8_t(b)); },
     [](float f) { return uint16_t(adze::floatToFloat8E4M3FN(f)); }},
    {ADZE_FLOAT8_E5M2, 8,
     [](uint16_t b) { return adze::float8E5M2ToFloat(uint8_t(b)); },
     [](float f) { return uint16_t(adze::floatToFloat8E5M2(f)); }}};

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

TEST(RunnerSmallFloat, DecodesAllNumbers) {
  for (const Format &format : Formats)
    for (uint32_t bits = 0; bits < 1u << format.bits; ++bits) {
      auto pattern = static_cast<uint16_t>(bits);
      float found = decodeSmallFloat(format.dtype, pattern);
      float wanted = format.decode(pattern);
      if (wanted != wanted)
        EXPECT_NE(found, found) << format.dtype << " " << bits;
      else
        EXPECT_EQ(bitsOf(found), bitsOf(wanted)) << format.dtype << " " << bits;
    }
}

/// All exponents and signs, with mantissas at and beside every tie.
TEST(RunnerSmallFloat, RoundsToNearestEven) {
  for (const Format &format : Formats)
    for (uint32_t high = 0; high < 1u << 16; ++high)
      for (uint32_t low : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
        uint32_t bits = high << 16 | low;
        float value;
        std::memcpy(&value, &bits, sizeof(value));
        ASSERT_EQ(encodeSmallFloat(format.dtype, value), format.encode(value))
            << format.dtype << " " << std::hex << bits;
      }
}

/// Ties of float16 lie lower in the mantissa than the test above looks.
TEST(RunnerSmallFloat, RoundsTiesOfFloat16) {
  for (uint32_t bits = 0; bits < 1u << 16; ++bits)
    for (int32_t delta : {-1, 0, 1}) {
      float middle = adze::float16ToFloat(static_cast<uint16_t>(bits));
      float value;
      uint32_t moved = bitsOf(middle) + 0x1000u + static_cast<uint32_t>(delta);
      std::memcpy(&value, &moved, sizeof(value));
      if (value != value)
        continue;
      ASSERT_EQ(encodeSmallFloat(ADZE_FLOAT16, value),
                adze::floatToFloat16(value))
          << std::hex << moved;
    }
}

} // namespace
