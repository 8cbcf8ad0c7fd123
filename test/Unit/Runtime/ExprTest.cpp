//===- ExprTest.cpp - Postfix expressions of the tables -------------------===//

#include "FakeProgram.h"

using namespace adze;

namespace {

/// Evaluates words; nothing if the evaluation fails.
std::string evaluate(std::vector<int64_t> words) {
  std::vector<int64_t> symbols{7, -3};
  rt::ExprContext context{words.data(), symbols.data(), nullptr};
  int64_t value;
  if (!rt::evaluate(context, {0, static_cast<uint32_t>(words.size())}, value))
    return "fails";
  return std::to_string(value);
}

std::string binary(int64_t opcode, int64_t a, int64_t b) {
  return evaluate({ADZE_EXPR_CONST, a, ADZE_EXPR_CONST, b, opcode});
}

TEST(Expr, ReadsConstantsAndSymbols) {
  EXPECT_EQ(evaluate({ADZE_EXPR_CONST, 42}), "42");
  EXPECT_EQ(evaluate({ADZE_EXPR_SYMBOL, 1}), "-3");
}

TEST(Expr, DividesAsPythonDoes) {
  EXPECT_EQ(binary(ADZE_EXPR_FLOORDIV, 7, 2), "3");
  EXPECT_EQ(binary(ADZE_EXPR_FLOORDIV, -7, 2), "-4");
  EXPECT_EQ(binary(ADZE_EXPR_FLOORDIV, 7, -2), "-4");
  EXPECT_EQ(binary(ADZE_EXPR_FLOORDIV, -7, -2), "3");
  EXPECT_EQ(binary(ADZE_EXPR_CEILDIV, 7, 2), "4");
  EXPECT_EQ(binary(ADZE_EXPR_CEILDIV, -7, 2), "-3");
  EXPECT_EQ(binary(ADZE_EXPR_CEILDIV, -7, -2), "4");
  EXPECT_EQ(binary(ADZE_EXPR_MOD, 7, 3), "1");
  EXPECT_EQ(binary(ADZE_EXPR_MOD, -7, 3), "2");
  EXPECT_EQ(binary(ADZE_EXPR_MOD, 7, -3), "-2");
  EXPECT_EQ(binary(ADZE_EXPR_MOD, INT64_MIN, -1), "0");
}

TEST(Expr, FailsInsteadOfTrapping) {
  EXPECT_EQ(binary(ADZE_EXPR_ADD, INT64_MAX, 1), "fails");
  EXPECT_EQ(binary(ADZE_EXPR_SUB, INT64_MIN, 1), "fails");
  EXPECT_EQ(binary(ADZE_EXPR_MUL, INT64_MAX, 2), "fails");
  EXPECT_EQ(binary(ADZE_EXPR_FLOORDIV, 1, 0), "fails");
  EXPECT_EQ(binary(ADZE_EXPR_FLOORDIV, INT64_MIN, -1), "fails");
  EXPECT_EQ(binary(ADZE_EXPR_CEILDIV, INT64_MIN, -1), "fails");
  EXPECT_EQ(binary(ADZE_EXPR_MOD, 1, 0), "fails");
  EXPECT_EQ(binary(ADZE_EXPR_POW, 2, -1), "fails");
  EXPECT_EQ(binary(ADZE_EXPR_POW, 2, 63), "fails");
  EXPECT_EQ(evaluate({ADZE_EXPR_CONST, INT64_MIN, ADZE_EXPR_NEG}), "fails");
  EXPECT_EQ(evaluate({ADZE_EXPR_CONST, INT64_MIN, ADZE_EXPR_ABS}), "fails");
}

TEST(Expr, ComputesTheRest) {
  EXPECT_EQ(binary(ADZE_EXPR_POW, 2, 62), "4611686018427387904");
  EXPECT_EQ(binary(ADZE_EXPR_POW, -3, 3), "-27");
  EXPECT_EQ(binary(ADZE_EXPR_POW, 5, 0), "1");
  EXPECT_EQ(binary(ADZE_EXPR_MAX, -1, 2), "2");
  EXPECT_EQ(binary(ADZE_EXPR_MIN, -1, 2), "-1");
  EXPECT_EQ(binary(ADZE_EXPR_LT, 1, 1), "0");
  EXPECT_EQ(binary(ADZE_EXPR_LE, 1, 1), "1");
  EXPECT_EQ(binary(ADZE_EXPR_GT, 2, 1), "1");
  EXPECT_EQ(binary(ADZE_EXPR_GE, 0, 1), "0");
  EXPECT_EQ(binary(ADZE_EXPR_EQ, 4, 4), "1");
  EXPECT_EQ(binary(ADZE_EXPR_NE, 4, 4), "0");
  EXPECT_EQ(binary(ADZE_EXPR_AND, 2, 0), "0");
  EXPECT_EQ(binary(ADZE_EXPR_OR, 2, 0), "1");
  EXPECT_EQ(evaluate({ADZE_EXPR_CONST, 0, ADZE_EXPR_NOT}), "1");
  EXPECT_EQ(evaluate({ADZE_EXPR_CONST, -5, ADZE_EXPR_ABS}), "5");
  EXPECT_EQ(evaluate({ADZE_EXPR_CONST, 0, ADZE_EXPR_CONST, 5, ADZE_EXPR_SYMBOL,
                      0, ADZE_EXPR_SELECT}),
            "7");
}

/// Validation keeps what the evaluator trusts out of a program.
TEST(Expr, ValidationRefusesMalformedCode) {
  const std::vector<std::vector<int64_t>> bad = {
      {},
      {ADZE_EXPR_ADD},
      {ADZE_EXPR_CONST},
      {ADZE_EXPR_CONST, 1, ADZE_EXPR_CONST, 2},
      {ADZE_EXPR_SYMBOL, 0},
      {ADZE_EXPR_DIM, 0, 1},
      {ADZE_EXPR_SCALAR, 0},
      {99}};
  for (const auto &words : bad) {
    test::FakeProgram fake;
    fake.tensorInput({fake.constant(1)});
    fake.guard(ADZE_GUARD_RELATION, -1, 0, 0, 0, fake.expr(words));
    adze_error error;
    EXPECT_EQ(rt::validateProgram(*fake.finish(nullptr), &error),
              ADZE_BAD_ARTIFACT)
        << words.size();
  }
}

} // namespace
