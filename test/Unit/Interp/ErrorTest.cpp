//===- ErrorTest.cpp - Errors that depend on the data --------------------===//

#include "InterpFixture.h"

namespace adze::interp {
namespace {

using ErrorTest = InterpFixture;

TEST_F(ErrorTest, NamesOperatorSourceLineAndValues) {
  EXPECT_EQ(
      error(
          R"(func.func @main(%x: tensor<5xf32>, %i: tensor<1xi64>) -> tensor<1xf32> {
    %0 = prim.index %x[%i] dims = [0] position = 0
        : tensor<5xf32>, tensor<1xi64> to tensor<1xf32> loc("model.py":12:8)
    return %0 : tensor<1xf32>
  })",
          {floats("f32", {5}, {1, 2, 3, 4, 5}), ints("i64", {1}, {-6})}),
      "prim.index at model.py:12:8: index -6 is out of range for size 5 of dim "
      "0");
}

TEST_F(ErrorTest, NamesTheCallOfTheTracedProgram) {
  EXPECT_EQ(
      error(
          R"(func.func @main(%x: tensor<5xf32>, %i: tensor<1xi64>) -> tensor<1xf32> {
    %0 = prim.index %x[%i] dims = [0] position = 0
        : tensor<5xf32>, tensor<1xi64> to tensor<1xf32>
        loc("aten.take.default"("model.embed"("model.py":12:8)))
    return %0 : tensor<1xf32>
  })",
          {floats("f32", {5}, {1, 2, 3, 4, 5}), ints("i64", {1}, {5})}),
      "aten.take.default at model.py:12:8: index 5 is out of range for size 5 "
      "of dim 0");
}

TEST_F(ErrorTest, DivisionByZeroOfIntegers) {
  const char *program =
      R"(func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
    %0 = prim.idiv %a, %b : tensor<2xi32>
    return %0 : tensor<2xi32>
  })";
  EXPECT_NE(error(program, {ints("i32", {2}, {1, 7}), ints("i32", {2}, {1, 0})})
                .find("integer division of 7 by zero at element 1"),
            std::string::npos);
  auto least = run(
      program, {ints("i32", {2}, {INT32_MIN, 7}), ints("i32", {2}, {-1, -2})});
  EXPECT_EQ(list<int64_t>(least[0]), (std::vector<int64_t>{INT32_MIN, -3}));
}

TEST_F(ErrorTest, FailedAssertions) {
  EXPECT_NE(error(R"(func.func @main(%c: tensor<i1>) {
    prim.assert %c, "x must be positive" : tensor<i1>
    return
  })",
                  {ints("i1", {}, {0})})
                .find("assertion failed: x must be positive"),
            std::string::npos);
  EXPECT_NE(error(R"(func.func @main(%x: tensor<?xf32, #sym.dims<s0>>) {
    prim.assert_expr #sym.expr<le(s0, 2)>, "too long"
    return
  })",
                  {floats("f32", {3}, {1, 2, 3})})
                .find("assertion failed: too long ('le(s0, 2)' with s0 = 3)"),
            std::string::npos);
}

TEST_F(ErrorTest, SizesThatDoNotFit) {
  const char *program =
      R"(func.func @main(%x: tensor<?xf32, #sym.dims<s0>>, %y: tensor<?xf32, #sym.dims<2 * s0>>) -> tensor<?xf32, #sym.dims<s0>> {
    %0 = prim.slice %y from [#sym.expr<s0>] by [1] : tensor<?xf32, #sym.dims<2 * s0>> to tensor<?xf32, #sym.dims<s0>>
    return %0 : tensor<?xf32, #sym.dims<s0>>
  })";
  auto good = run(
      program, {floats("f32", {2}, {0, 0}), floats("f32", {4}, {1, 2, 3, 4})});
  EXPECT_EQ(list<double>(good[0]), (std::vector<double>{3, 4}));
  EXPECT_NE(error(program,
                  {floats("f32", {2}, {0, 0}), floats("f32", {3}, {1, 2, 3})})
                .find("expects argument 1 of type f32[4], but found f32[3]"),
            std::string::npos);
}

TEST_F(ErrorTest, CheckShape) {
  EXPECT_NE(
      error(
          R"(func.func @main(%x: tensor<?xf32, #sym.dims<s0>>) -> tensor<3xf32> {
    %0 = prim.check_shape %x : tensor<?xf32, #sym.dims<s0>> to tensor<3xf32>
    return %0 : tensor<3xf32>
  })",
          {floats("f32", {2}, {1, 2})})
          .find("expects sizes [3] = [3], but found [2]"),
      std::string::npos);
}

TEST_F(ErrorTest, AbsurdAndNegativeSizes) {
  const char *program =
      R"(func.func @main(%n: tensor<i64>) -> tensor<?x?xf32, #sym.dims<u0, u0>> {
    prim.bind_symbol "u0" = %n : tensor<i64>
    %0 = prim.full 1.0 : f32 to tensor<?x?xf32, #sym.dims<u0, u0>>
    return %0 : tensor<?x?xf32, #sym.dims<u0, u0>>
  })";
  auto failure = [&](int64_t n) {
    return error(program, {ints("i64", {}, {n})});
  };
  EXPECT_NE(failure(int64_t(1) << 40).find("too large to be interpreted"),
            std::string::npos);
  EXPECT_NE(failure(100000).find("too large to be interpreted"),
            std::string::npos);
  EXPECT_NE(failure(-1).find("size 'u0' is negative: -1"), std::string::npos);
}

TEST_F(ErrorTest, UnboundSymbol) {
  EXPECT_NE(error(R"(func.func @main() -> tensor<i64> {
    %0 = prim.symbol_value <u7 + 1> : tensor<i64>
    return %0 : tensor<i64>
  })")
                .find("symbol 'u7' has no value"),
            std::string::npos);
}

TEST_F(ErrorTest, OpWithoutRule) {
  EXPECT_NE(error(R"(func.func @main() {
    capture.assert #sym.expr<1>, "x"
    return
  })")
                .find("the interpreter has no rule"),
            std::string::npos);
}

} // namespace
} // namespace adze::interp
