//===- ExprTest.cpp - Canonical expressions, values, bounds ---------------===//

#include "dialects/Sym/Sym.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace adze;

namespace {

class ExprTest : public testing::Test {
protected:
  ExprTest() {
    context.loadDialect<sym::SymDialect>();
    x = sym::symbol(&context, "x");
    y = sym::symbol(&context, "y");
  }
  sym::Expr number(int64_t value) { return sym::constant(&context, value); }

  MLIRContext context;
  sym::Expr x, y;
};

TEST_F(ExprTest, EqualPolynomialsAreTheSameAttribute) {
  // (x + y)^2 == x * x + 2 * x * y + y * y
  sym::Expr sum = sym::add(x, y), square = sym::mul(sum, sum);
  sym::Expr terms = sym::add(sym::add(sym::mul(x, x), sym::mul(y, y)),
                             sym::mul(number(2), sym::mul(y, x)));
  EXPECT_EQ(square, terms);
  EXPECT_NE(square, sym::mul(x, x));
}

TEST_F(ExprTest, DifferencesCancel) {
  EXPECT_TRUE(sym::isConstant(sym::sub(sym::add(x, number(3)), x), 3));
  EXPECT_EQ(sym::floorDiv(sym::mul(number(6), x), number(2)),
            sym::mul(number(3), x));
  EXPECT_TRUE(sym::isConstant(sym::mod(sym::mul(number(4), x), number(4)), 0));
}

TEST_F(ExprTest, RelationsOfEqualSidesAreDecided) {
  EXPECT_TRUE(sym::isConstant(
      sym::make(sym::ExprKind::Le, {x, sym::add(x, number(1))}), 1));
  EXPECT_TRUE(sym::isConstant(
      sym::make(sym::ExprKind::Eq, {x, sym::add(x, number(1))}), 0));
  EXPECT_FALSE(sym::asConstant(sym::make(sym::ExprKind::Eq, {x, y})));
}

TEST_F(ExprTest, DivisionRoundsToMinusInfinity) {
  auto none = [](StringRef) -> std::optional<int64_t> { return std::nullopt; };
  EXPECT_EQ(sym::evaluate(sym::floorDiv(number(-7), number(2)), none), -4);
  EXPECT_EQ(sym::evaluate(sym::mod(number(-7), number(2)), none), 1);
  EXPECT_EQ(sym::evaluate(sym::ceilDiv(number(7), number(2)), none), 4);
}

TEST_F(ExprTest, OverflowAndZeroDivisorHaveNoValue) {
  auto values = [](StringRef name) -> std::optional<int64_t> {
    return name == "x" ? INT64_MAX : 0;
  };
  EXPECT_EQ(sym::evaluate(sym::mul(x, number(2)), values), std::nullopt);
  EXPECT_EQ(sym::evaluate(sym::add(x, number(1)), values), std::nullopt);
  EXPECT_EQ(sym::evaluate(sym::floorDiv(x, y), values), std::nullopt);
}

TEST_F(ExprTest, BoundsFollowFromThoseOfSymbols) {
  auto ranges = [](StringRef name) {
    return name == "x" ? sym::Range{2, 10} : sym::Range{0, 3};
  };
  sym::Range range = sym::boundsOf(sym::sub(sym::mul(number(2), x), y), ranges);
  EXPECT_EQ(range.min, 1);
  EXPECT_EQ(range.max, 20);
  EXPECT_EQ(sym::boundsOf(sym::floorDiv(x, number(4)), ranges).max, 2);
}

TEST_F(ExprTest, SubstitutionSimplifies) {
  sym::Expr product = sym::mul(x, y);
  sym::Expr result = sym::substitute(product, [&](StringRef name) {
    return name == "x" ? number(1) : sym::Expr();
  });
  EXPECT_EQ(result, y);
}

TEST_F(ExprTest, TensorTypesCarrySymbolicSizes) {
  sym::Shape shape{x, number(8)};
  auto type = sym::tensorType(shape, Float32Type::get(&context));
  EXPECT_TRUE(type.isDynamicDim(0));
  EXPECT_EQ(sym::shapeOf(type), shape);
  sym::Shape constant{number(2), number(8)};
  EXPECT_FALSE(
      sym::tensorType(constant, Float32Type::get(&context)).getEncoding());
}

} // namespace
