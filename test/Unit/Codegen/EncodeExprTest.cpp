//===- EncodeExprTest.cpp - Size expressions as postfix code --------------===//

#include "adze/Codegen/ProgramInterface.h"

#include <gtest/gtest.h>

using namespace adze;
using namespace adze::sym;

namespace {

struct EncodeExprTest : testing::Test {
  EncodeExprTest() { context.loadDialect<SymDialect>(); }

  std::vector<int64_t> encode(Expr expr) {
    auto words =
        encodeExpr(expr, [](llvm::StringRef name) -> std::optional<int64_t> {
          if (name == "s0")
            return 3;
          return std::nullopt;
        });
    return words ? *words
                 : (llvm::consumeError(words.takeError()),
                    std::vector<int64_t>());
  }
  Expr number(int64_t value) { return constant(&context, value); }

  mlir::MLIRContext context;
  Expr s0 = symbol((context.loadDialect<SymDialect>(), &context), "s0");
};

TEST_F(EncodeExprTest, arithmetic) {
  EXPECT_EQ(encode(number(7)), (std::vector<int64_t>{ADZE_EXPR_CONST, 7}));
  EXPECT_EQ(
      encode(add(mul(number(2), s0), number(1))),
      (std::vector<int64_t>{ADZE_EXPR_CONST, 2, ADZE_EXPR_SYMBOL, 3,
                            ADZE_EXPR_MUL, ADZE_EXPR_CONST, 1, ADZE_EXPR_ADD}));
  EXPECT_EQ(encode(floorDiv(s0, number(4))),
            (std::vector<int64_t>{ADZE_EXPR_SYMBOL, 3, ADZE_EXPR_CONST, 4,
                                  ADZE_EXPR_FLOORDIV}));
}

TEST_F(EncodeExprTest, roundedQuotients) {
  Expr quotient = make(ExprKind::TrueDiv, {s0, number(2)});
  EXPECT_EQ(encode(make(ExprKind::Floor, {quotient})),
            (std::vector<int64_t>{ADZE_EXPR_SYMBOL, 3, ADZE_EXPR_CONST, 2,
                                  ADZE_EXPR_FLOORDIV}));
  std::vector<int64_t> truncated = encode(make(ExprKind::Trunc, {quotient}));
  ASSERT_FALSE(truncated.empty());
  EXPECT_EQ(truncated.back(), ADZE_EXPR_SELECT);
}

TEST_F(EncodeExprTest, refusals) {
  EXPECT_TRUE(encode(symbol(&context, "u9")).empty());
  EXPECT_TRUE(
      encode(make(ExprKind::Sqrt, {make(ExprKind::ToFloat, {s0})})).empty());
  EXPECT_TRUE(
      encode(make(ExprKind::Round, {make(ExprKind::TrueDiv, {s0, number(2)})}))
          .empty());
}

} // namespace
