//===- SymExprTest.cpp - Sizes and guards as text -------------------------===//

#include "adze/Frontend/SymAst.h"

#include "TestArchive.h"

using namespace adze::frontend;

static std::string expr(const std::string &text) {
  llvm::Expected<SymAst> ast = parseSymExpr(text);
  return ast ? toString(*ast) : llvm::toString(ast.takeError());
}

static std::string guard(const std::string &text) {
  llvm::Expected<SymAst> ast = parseGuard(text);
  return ast ? toString(*ast) : llvm::toString(ast.takeError());
}

TEST(SymExpr, ReadsBothSpellings) {
  EXPECT_EQ(expr("Add(FloorDiv(Add(Symbol('s0', integer=True, positive=True), "
                 "Integer(-1)), Integer(2)), Integer(1))"),
            "(((s0 + -1) // 2) + 1)");
  EXPECT_EQ(expr("(((s0 - 1)//2)) + 1"), "(((s0 - 1) // 2) + 1)");
  EXPECT_EQ(expr("Equality(Mod(Symbol('s0', integer=True), Integer(2)), "
                 "Integer(0))"),
            "((s0 % 2) == 0)");
  EXPECT_EQ(expr("Eq(Mod(s0, 2), 0)"), "((s0 % 2) == 0)");
  EXPECT_EQ(expr("Mul(Rational(1, 2), Symbol('s0'))"), "((1/2) * s0)");
  EXPECT_EQ(expr("CeilToInt(IntTrueDiv(s0, 2))"), "ceil((s0 / 2))");
  EXPECT_EQ(expr("Float('2.5', precision=53)"), "2.5");
  EXPECT_EQ(expr("Piecewise(ExprCondPair(1, s0 < 2), ExprCondPair(s0, true))"),
            "where((s0 < 2), 1, s0)");
}

TEST(SymExpr, FollowsPythonsPrecedence) {
  EXPECT_EQ(expr("2*s0**2 + 1"), "((2 * (s0 ** 2)) + 1)");
  EXPECT_EQ(expr("-s0**2"), "-((s0 ** 2))");
  EXPECT_EQ(expr("2**-1"), "(2 ** -1)");
  EXPECT_EQ(expr("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(expr("a // b * c"), "((a // b) * c)");
  EXPECT_EQ(expr("(s0 >= 2) & (s77 < 9)"), "((s0 >= 2) & (s77 < 9))");
  EXPECT_EQ(expr("1 < s0 < 9"), "((1 < s0) and (s0 < 9))");
}

TEST(SymExpr, SaysWhereItFails) {
  EXPECT_EQ(expr("Add(s0,"),
            "cannot parse 'Add(s0,': expected an expression at column 8");
  EXPECT_HAS(expr("s0 s1"), "expected the end of the expression at column 4");
  EXPECT_HAS(expr("99999999999999999999"), "expected an integer of 64 bits");
  EXPECT_HAS(expr("Mod(s0)"), "Mod has 1 arguments");
  EXPECT_HAS(expr("Symbol(3)"), "expected the name of a symbol");
  EXPECT_HAS(expr("Rational(1, 0)"), "expected a positive denominator");
}

TEST(SymExpr, LimitsDepthButNotLength) {
  std::string nested, chain = "s0";
  for (int i = 0; i < 100000; ++i)
    nested += "(";
  EXPECT_HAS(expr(nested), "nested deeper than 200 levels");
  EXPECT_HAS(expr(std::string(100000, '-') + "1"), "nested deeper than");
  for (int i = 0; i < 5000; ++i)
    chain += " + s0";
  llvm::Expected<SymAst> ast = parseSymExpr(chain);
  ASSERT_TRUE(bool(ast));
  EXPECT_EQ(ast->args.size(), 5001u);
}

TEST(Guard, ReadsTorchsSamples) {
  EXPECT_EQ(guard("L['y'].size()[0] == L['x'].size()[0]"),
            "(L['y'].size()[0] == L['x'].size()[0])");
  EXPECT_EQ(guard("L['a'][0].size()[0] == ((-1) + L['a'][1].size()[0])"),
            "(L['a'][0].size()[0] == (-1 + L['a'][1].size()[0]))");
  EXPECT_EQ(guard("(L['x'].size()[0] % 4) == 0"),
            "((L['x'].size()[0] % 4) == 0)");
  EXPECT_EQ(guard("4*(L['k']['q'][0].size()[0] // 4) >= 2"),
            "((4 * (L['k']['q'][0].size()[0] // 4)) >= 2)");
  EXPECT_EQ(guard("not L['n'] != 3 and True"), "(not((L['n'] != 3)) and True)");
}

TEST(Guard, RefusesTheRest) {
  EXPECT_HAS(guard("L['x'].stride()[0] == 1"), "unknown property 'stride'");
  EXPECT_HAS(guard("open('x')"), "expected");
  EXPECT_HAS(guard("__import__ == 1"), "unknown name '__import__'");
  EXPECT_HAS(guard("L['x'].size()[0] =="), "expected an expression");
}
