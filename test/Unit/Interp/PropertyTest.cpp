//===- PropertyTest.cpp - Rules against naive formulas -------------------===//

#include "InterpFixture.h"

#include <cmath>
#include <random>

namespace adze::interp {
namespace {

class PropertyTest : public InterpFixture {
protected:
  Tensor normal(llvm::ArrayRef<int64_t> sizes,
                llvm::StringRef element = "f64") {
    std::normal_distribution<double> draw;
    Tensor tensor(type(element), sizes);
    for (int64_t i = 0; i < tensor.count(); ++i)
      tensor.mutableData<double>()[i] = double(float(draw(random)));
    return tensor;
  }

  static void expectNear(const std::vector<double> &a,
                         const std::vector<double> &b,
                         double tolerance = 1e-12) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i)
      EXPECT_NEAR(a[i], b[i], tolerance) << i;
  }

  std::mt19937_64 random{11};
};

TEST_F(PropertyTest, MatmulIsTheSumOfProducts) {
  for (auto [m, k, n] : {std::tuple<int64_t, int64_t, int64_t>{1, 1, 1},
                         {3, 7, 5},
                         {17, 2, 9},
                         {2, 0, 3}}) {
    Tensor a = normal({m, k}), b = normal({k, n});
    auto dims = [](int64_t x, int64_t y) {
      return "tensor<" + std::to_string(x) + "x" + std::to_string(y) + "xf64>";
    };
    std::string types = dims(m, k) + ", " + dims(k, n);
    auto c = run("func.func @main(%a: " + dims(m, k) + ", %b: " + dims(k, n) +
                     ") -> " + dims(m, n) +
                     " {\n %0 = prim.matmul %a, %b : " + types + " to " +
                     dims(m, n) + "\n return %0 : " + dims(m, n) + "\n}",
                 {a, b});
    std::vector<double> expected(m * n, 0);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        for (int64_t l = 0; l < k; ++l)
          expected[i * n + j] +=
              a.data<double>()[i * k + l] * b.data<double>()[l * n + j];
    expectNear(list<double>(c[0]), expected);
  }
}

TEST_F(PropertyTest, HalfPrecisionSumsRoundOnce) {
  // 2048 + 1 is lost in f16 if every step is rounded.
  std::vector<double> values(4097, 1);
  auto sum = run(R"(func.func @main(%x: tensor<4097xf16>) -> tensor<f16> {
    %0 = prim.reduce sum %x dims = [0] : tensor<4097xf16> to tensor<f16>
    return %0 : tensor<f16>
  })",
                 {floats("f16", {4097}, values)});
  EXPECT_EQ(sum[0].item<double>(), 4096);
}

TEST_F(PropertyTest, Float64ModeDoesNotRound) {
  const char *program = R"(func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
    %0 = prim.exp %x : tensor<1xf32>
    %1 = prim.log %0 : tensor<1xf32>
    return %1 : tensor<1xf32>
  })";
  Tensor x = floats("f32", {1}, {0.1});
  InterpretOptions exact;
  exact.float64 = true;
  EXPECT_NEAR(run(program, {x}, exact)[0].item<double>(), 0.1, 1e-16);
  EXPECT_GT(std::fabs(run(program, {x})[0].item<double>() - 0.1), 1e-10);
}

TEST_F(PropertyTest, InverseTransformGivesBackTheSignal) {
  const char *program =
      R"(func.func @main(%x: tensor<2x30xcomplex<f64>>) -> tensor<2x30xcomplex<f64>> {
    %0 = prim.fft %x dim = 1 : tensor<2x30xcomplex<f64>>
    %1 = prim.fft %0 dim = 1 inverse : tensor<2x30xcomplex<f64>>
    return %1 : tensor<2x30xcomplex<f64>>
  })";
  Tensor x(type("complex<f64>"), {2, 30});
  std::normal_distribution<double> draw;
  for (int64_t i = 0; i < x.count(); ++i)
    x.mutableData<Complex>()[i] = {draw(random), draw(random)};
  auto y = list<Complex>(run(program, {x})[0]);
  for (int64_t i = 0; i < x.count(); ++i)
    EXPECT_LT(std::abs(y[i] / 30.0 - x.data<Complex>()[i]), 1e-13);
}

TEST_F(PropertyTest, EighDiagonalisesTheSymmetricMatrix) {
  Tensor a = normal({6, 6});
  auto results = run(
      R"(func.func @main(%a: tensor<6x6xf64>) -> (tensor<6xf64>, tensor<6x6xf64>) {
    %w, %v = prim.eigh %a : tensor<6x6xf64> to tensor<6xf64>, tensor<6x6xf64>
    return %w, %v : tensor<6xf64>, tensor<6x6xf64>
  })",
      {a});
  auto w = list<double>(results[0]), v = list<double>(results[1]);
  EXPECT_TRUE(std::is_sorted(w.begin(), w.end()));
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k) {
      double product = 0;
      for (int j = 0; j < 6; ++j) // the lower triangle counts
        product += a.data<double>()[std::max(i, j) * 6 + std::min(i, j)] *
                   v[j * 6 + k];
      EXPECT_NEAR(product, w[k] * v[i * 6 + k], 1e-12);
    }
}

TEST_F(PropertyTest, SvdGivesBackTheMatrix) {
  for (auto [m, n] : {std::pair<int, int>{5, 3}, {3, 5}, {4, 4}}) {
    int k = std::min(m, n);
    auto dims = [](int x, int y) {
      return "tensor<" + std::to_string(x) + "x" + std::to_string(y) + "xf64>";
    };
    std::string results =
        dims(m, k) + ", tensor<" + std::to_string(k) + "xf64>, " + dims(k, n);
    Tensor a = normal({m, n});
    for (int j = 0; j < n; ++j) // a rank that is not full
      a.mutableData<double>()[n + j] = 2 * a.data<double>()[j];
    auto f =
        run("func.func @main(%a: " + dims(m, n) + ") -> (" + results +
                ") {\n %u, %s, %vt = prim.svd %a : " + dims(m, n) + " to " +
                results + "\n return %u, %s, %vt : " + results + "\n}",
            {a});
    auto u = list<double>(f[0]), s = list<double>(f[1]),
         vt = list<double>(f[2]);
    EXPECT_TRUE(std::is_sorted(s.rbegin(), s.rend()));
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int l = 0; l < k; ++l)
          sum += u[i * k + l] * s[l] * vt[l * n + j];
        EXPECT_NEAR(sum, a.data<double>()[i * n + j], 1e-12);
      }
    for (int p = 0; p < k; ++p)
      for (int q = 0; q < k; ++q) {
        double left = 0, right = 0;
        for (int i = 0; i < m; ++i)
          left += u[i * k + p] * u[i * k + q];
        for (int j = 0; j < n; ++j)
          right += vt[p * n + j] * vt[q * n + j];
        EXPECT_NEAR(left, p == q, 1e-12);
        EXPECT_NEAR(right, p == q, 1e-12);
      }
  }
}

TEST_F(PropertyTest, WhileCountsAndScanAccumulates) {
  auto results = run(
      R"(func.func @main(%n: tensor<i64>, %x: tensor<4xf32>) -> (tensor<i64>, tensor<f32>, tensor<4xf32>) {
    %one = prim.full 1 : i64 to tensor<i64>
    %zero = prim.full 0.0 : f32 to tensor<f32>
    %0 = prim.while %one : tensor<i64> to tensor<i64> {
    ^bb0(%i: tensor<i64>):
      %c = prim.compare lt %i, %n : tensor<i64>
      prim.yield %c : tensor<i1>
    } do {
    ^bb0(%i: tensor<i64>):
      %d = prim.add %i, %i : tensor<i64>
      prim.yield %d : tensor<i64>
    }
    %1:2 = prim.scan init(%zero : tensor<f32>) over(%x : tensor<4xf32>) to tensor<f32>, tensor<4xf32> {
    ^bb0(%sum: tensor<f32>, %e: tensor<f32>):
      %s = prim.add %sum, %e : tensor<f32>
      prim.yield %s, %s : tensor<f32>, tensor<f32>
    }
    return %0, %1#0, %1#1 : tensor<i64>, tensor<f32>, tensor<4xf32>
  })",
      {ints("i64", {}, {100}), floats("f32", {4}, {1, 2, 3, 4})});
  EXPECT_EQ(results[0].item<int64_t>(), 128);
  EXPECT_EQ(results[1].item<double>(), 10);
  EXPECT_EQ(list<double>(results[2]), (std::vector<double>{1, 3, 6, 10}));
}

TEST_F(PropertyTest, CondDefinesSizes) {
  const char *program =
      R"(func.func @main(%c: tensor<i1>, %x: tensor<?xf32, #sym.dims<s0>>) -> tensor<?xf32, #sym.dims<u0>> {
    %0 = prim.cond %c : tensor<i1> to tensor<?xf32, #sym.dims<u0>> {
      %1 = prim.concat %x, %x dim = 0 : tensor<?xf32, #sym.dims<s0>>, tensor<?xf32, #sym.dims<s0>> to tensor<?xf32, #sym.dims<2 * s0>>
      prim.yield %1 : tensor<?xf32, #sym.dims<2 * s0>>
    } else {
      prim.yield %x : tensor<?xf32, #sym.dims<s0>>
    } {defines = ["u0"], then_sizes = [#sym.expr<2 * s0>], else_sizes = [#sym.expr<s0>]}
    return %0 : tensor<?xf32, #sym.dims<u0>>
  })";
  Tensor x = floats("f32", {2}, {1, 2});
  EXPECT_EQ(list<double>(run(program, {ints("i1", {}, {1}), x})[0]),
            (std::vector<double>{1, 2, 1, 2}));
  EXPECT_EQ(list<double>(run(program, {ints("i1", {}, {0}), x})[0]),
            (std::vector<double>{1, 2}));
}

} // namespace
} // namespace adze::interp
