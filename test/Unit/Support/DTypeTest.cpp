//===- DTypeTest.cpp - The table of element types -------------------------===//

#include "adze/Support/DType.h"
#include "adze/Support/Element.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace adze {

TEST(DType, EveryNumberAndNameLeadsBack) {
  for (const DTypeInfo &info : allDTypes()) {
    EXPECT_EQ(&getInfo(info.dtype), &info);
    EXPECT_EQ(dtypeFromName(info.name), info.dtype);
    EXPECT_EQ(dtypeFromPt2(info.pt2ScalarType), info.dtype);
    EXPECT_EQ(dtypeFromMLIR(info.mlirType), info.dtype);
    EXPECT_EQ(dtypeFromDLPack(info.dlpackCode, info.bits), info.dtype);
    if (!info.numpyDescr.empty()) {
      EXPECT_EQ(dtypeFromNumpy(info.numpyDescr), info.dtype);
    }
  }
}

TEST(DType, UnknownNamesHaveNoType) {
  EXPECT_EQ(dtypeFromName("torch.float32"), DType::Float32);
  EXPECT_EQ(dtypeFromName("float"), std::nullopt);
  EXPECT_EQ(dtypeFromNumpy(""), std::nullopt);
  EXPECT_EQ(dtypeFromPt2(0), std::nullopt);
}

TEST(DType, SizesAreThoseOfTheCppTypes) {
  for (const DTypeInfo &info : allDTypes())
    visitDType(info.dtype,
               [&]<typename T>() { EXPECT_EQ(sizeof(T), info.size); });
}

TEST(Element, BFloat16RoundsToNearestEven) {
  EXPECT_EQ(floatToBFloat16(1.0f), 0x3f80);
  EXPECT_EQ(floatToBFloat16(1.0f + 0x1p-8f), 0x3f80);     // a tie, down to even
  EXPECT_EQ(floatToBFloat16(1.0f + 3 * 0x1p-8f), 0x3f82); // a tie, up to even
  EXPECT_TRUE(std::isnan(bfloat16ToFloat(floatToBFloat16(std::nanf("")))));
  EXPECT_EQ(bfloat16ToFloat(floatToBFloat16(-0.0f)), 0.0f);
}

TEST(Element, Float16OverflowsToInfinity) {
  EXPECT_EQ(float16ToFloat(floatToFloat16(65504.0f)), 65504.0f);
  EXPECT_EQ(float16ToFloat(floatToFloat16(65520.0f)),
            std::numeric_limits<float>::infinity());
  EXPECT_EQ(float16ToFloat(floatToFloat16(0x1p-24f)), 0x1p-24f);
}

} // namespace adze
