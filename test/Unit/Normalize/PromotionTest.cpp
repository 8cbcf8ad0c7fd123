//===- PromotionTest.cpp - torch's element type rules ---------------------===//

#include "passes/Normalize/Promotion.h"

#include "mlir/IR/Builders.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace adze::normalize;

namespace {
class PromotionTest : public ::testing::Test {
protected:
  MLIRContext context;
  Builder builder{&context};
  Type boolean = builder.getI1Type(),
       u8 = IntegerType::get(&context, 8, IntegerType::Unsigned),
       i8 = builder.getI8Type(), i16 = builder.getIntegerType(16),
       i32 = builder.getI32Type(), i64 = builder.getI64Type(),
       f16 = builder.getF16Type(), bf16 = builder.getBF16Type(),
       f32 = builder.getF32Type(), f64 = builder.getF64Type(),
       c64 = ComplexType::get(f32), c128 = ComplexType::get(f64);

  static Promotable tensor(Type element) { return {element, true, false}; }
  static Promotable zeroDim(Type element) { return {element, false, false}; }
  static Promotable number(Type element) { return {element, false, true}; }
};
} // namespace

TEST_F(PromotionTest, TypesOfOneCategory) {
  EXPECT_EQ(promoteTypes(u8, i8), i16);
  EXPECT_EQ(promoteTypes(u8, i32), i32);
  EXPECT_EQ(promoteTypes(boolean, u8), u8);
  EXPECT_EQ(promoteTypes(f16, bf16), f32);
  EXPECT_EQ(promoteTypes(bf16, f32), f32);
  EXPECT_EQ(promoteTypes(c64, c128), c128);
}

TEST_F(PromotionTest, TypesOfSeveralCategories) {
  EXPECT_EQ(promoteTypes(i64, f16), f16);
  EXPECT_EQ(promoteTypes(f64, c64), c128);
  EXPECT_EQ(promoteTypes(f16, c64), c64);
  EXPECT_EQ(promoteTypes(i64, c64), c64);
}

TEST_F(PromotionTest, OperandsWithoutDimsDoNotWiden) {
  EXPECT_EQ(resultType({tensor(i32), zeroDim(i64)}), i32);
  EXPECT_EQ(resultType({tensor(f16), zeroDim(f64)}), f16);
  EXPECT_EQ(resultType({tensor(i32), zeroDim(f64)}), f64);
  EXPECT_EQ(resultType({zeroDim(i32), zeroDim(i64)}), i64);
}

TEST_F(PromotionTest, NumbersHaveTheDefaultType) {
  EXPECT_EQ(resultType({tensor(i64), number(f64)}), f32);
  EXPECT_EQ(resultType({tensor(bf16), number(f64)}), bf16);
  EXPECT_EQ(resultType({tensor(u8), number(i64)}), u8);
  EXPECT_EQ(resultType({tensor(boolean), number(i64)}), i64);
  EXPECT_EQ(resultType({zeroDim(f64), number(f64)}), f64);
  EXPECT_EQ(resultType({tensor(f64), number(c128)}), c128);
  EXPECT_EQ(resultType({tensor(i64), number(c128)}), c64);
}

TEST_F(PromotionTest, TypesOfComputation) {
  EXPECT_EQ(opmathType(bf16), f32);
  EXPECT_EQ(opmathType(f64), f64);
  EXPECT_EQ(floatTypeFor(i8), f32);
  EXPECT_EQ(floatTypeFor(c64), c64);
  EXPECT_EQ(sumType(boolean), i64);
}
