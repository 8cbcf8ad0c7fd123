//===- LinearAlgebraTest.cpp - Solvers and factorisations -----------------===//

#include "KernelRunner.h"

#include <algorithm>
#include <utility>

using namespace adze::test;

namespace {

using Matrix = std::vector<double>;

constexpr double Tolerance = 1e-11;

double at(const Matrix &a, int64_t columns, int64_t i, int64_t j) {
  return a[static_cast<size_t>(i * columns + j)];
}

Matrix multiply(const Matrix &a, const Matrix &b, int64_t m, int64_t k,
                int64_t n) {
  Matrix c(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m * n; ++i)
    for (int64_t l = 0; l < k; ++l)
      c[static_cast<size_t>(i)] += at(a, k, i / n, l) * at(b, n, l, i % n);
  return c;
}

Matrix transpose(const Matrix &a, int64_t m, int64_t n) {
  Matrix t(a.size());
  for (int64_t i = 0; i < m * n; ++i)
    t[static_cast<size_t>(i)] = at(a, n, i % m, i / m);
  return t;
}

Matrix identity(int64_t n) {
  Matrix a(static_cast<size_t>(n * n));
  for (int64_t i = 0; i < n; ++i)
    a[static_cast<size_t>(i * n + i)] = 1;
  return a;
}

void near(const Matrix &found, const Matrix &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], Tolerance) << i;
}

Matrix triangle(const Matrix &a, int64_t n, bool upper, bool unit = false) {
  Matrix t = a;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double &value = t[static_cast<size_t>(i * n + j)];
      if (i == j)
        value = unit ? 1 : value + std::copysign(2, value);
      else if (upper ? j < i : j > i)
        value = 0;
    }
  return t;
}

TEST(Lu, FactorsAreThePermutedMatrix) {
  for (auto [m, n] : {std::pair<int64_t, int64_t>{4, 4}, {5, 3}, {3, 5}}) {
    Matrix a = randomValues<double>(m * n, 3), lu(a.size());
    std::vector<int32_t> pivots(static_cast<size_t>(std::min(m, n)));
    int32_t info = -1;
    runKernel(adze_rt_lu_f64, 1, a, lu, pivots, &info, m, n);
    EXPECT_EQ(info, 0);
    int64_t k = std::min(m, n);
    Matrix l(static_cast<size_t>(m * k)), u(static_cast<size_t>(k * n));
    for (int64_t i = 0; i < m * k; ++i)
      l[static_cast<size_t>(i)] = i / k == i % k  ? 1
                                  : i / k > i % k ? at(lu, n, i / k, i % k)
                                                  : 0;
    for (int64_t i = 0; i < k * n; ++i)
      u[static_cast<size_t>(i)] = i / n <= i % n ? at(lu, n, i / n, i % n) : 0;
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = 0; j < n; ++j)
        std::swap(a[static_cast<size_t>(i * n + j)],
                  a[static_cast<size_t>(
                      (pivots[static_cast<size_t>(i)] - 1) * n + j)]);
    near(multiply(l, u, m, k, n), a);
    for (double factor : l)
      EXPECT_LE(std::fabs(factor), 1) << "no pivoting";
  }
}

TEST(Lu, SolvesInvertsAndGivesDeterminants) {
  constexpr int64_t n = 6, batch = 3;
  Matrix a = randomValues<double>(batch * n * n, 5);
  Matrix b = randomValues<double>(batch * n * 2, 6), x(b.size());
  Matrix inverse(a.size()), det(batch), sign(batch), log(batch);
  std::vector<int32_t> info(batch, -1);
  runKernel(adze_rt_solve_f64, batch, a, b, x, info, n, 2);
  runKernel(adze_rt_inverse_f64, batch, a, inverse, nullptr, n);
  runKernel(adze_rt_det_f64, batch, a, det, n);
  runKernel(adze_rt_slogdet_f64, batch, a, sign, log, n);
  for (int64_t i = 0; i < batch; ++i) {
    auto part = [&](const Matrix &all, int64_t size) {
      return Matrix(all.begin() + i * size, all.begin() + (i + 1) * size);
    };
    near(multiply(part(a, n * n), part(x, n * 2), n, n, 2), part(b, n * 2));
    near(multiply(part(a, n * n), part(inverse, n * n), n, n, n), identity(n));
    size_t at = static_cast<size_t>(i);
    EXPECT_NEAR(sign[at] * std::exp(log[at]), det[at], 1e-10);
  }
  EXPECT_EQ(info, std::vector<int32_t>(batch, 0));
}

TEST(Lu, DeterminantOfKnownMatrices) {
  Matrix a{2, 1, 7, 4, 1, 2, 2, 4}, det(2), sign(2), log(2);
  int32_t pivots[4], info[2];
  Matrix lu(8);
  runKernel(adze_rt_det_f64, 2, a, det, 2);
  near(det, {1, 0});
  runKernel(adze_rt_slogdet_f64, 2, a, sign, log, 2);
  EXPECT_EQ(sign[1], 0);
  EXPECT_EQ(log[1], -INFINITY);
  runKernel(adze_rt_lu_f64, 2, a, lu, pivots, info, 2, 2);
  EXPECT_EQ(info[1], 2);
}

TEST(TriangularSolve, EveryTriangle) {
  constexpr int64_t n = 5;
  Matrix b = randomValues<double>(n * 3, 8), x(b.size());
  for (bool upper : {false, true})
    for (bool unit : {false, true})
      for (bool transposed : {false, true}) {
        // What the kernel must not read is left in `full`.
        Matrix full = randomValues<double>(n * n, 7);
        Matrix a = triangle(full, n, upper, unit);
        for (int64_t i = 0; i < n && !unit; ++i)
          full[static_cast<size_t>(i * n + i)] = at(a, n, i, i);
        runKernel(adze_rt_triangular_solve_f64, 1, full, b, x, n, 3, upper,
                  unit, transposed);
        near(multiply(transposed ? transpose(a, n, n) : a, x, n, n, 3), b);
      }
}

TEST(Cholesky, GivesTheAskedTriangle) {
  constexpr int64_t n = 5;
  Matrix l = triangle(randomValues<double>(n * n, 9), n, false);
  for (int64_t i = 0; i < n; ++i) {
    double &value = l[static_cast<size_t>(i * n + i)];
    value = std::fabs(value);
  }
  Matrix a = multiply(l, transpose(l, n, n), n, n, n), out(a.size());
  int32_t info = -1;
  Matrix lowerOnly = a, upperOnly = a;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      (i < j   ? lowerOnly
       : i > j ? upperOnly
               : a)[static_cast<size_t>(i * n + j)] *= i == j ? 1 : 99;
  runKernel(adze_rt_cholesky_f64, 1, lowerOnly, out, &info, n, 0);
  EXPECT_EQ(info, 0);
  near(out, l);
  runKernel(adze_rt_cholesky_f64, 1, upperOnly, out, &info, n, 1);
  near(out, transpose(l, n, n));
  a[static_cast<size_t>(2 * n + 2)] = -1;
  runKernel(adze_rt_cholesky_f64, 1, a, out, &info, n, 0);
  EXPECT_EQ(info, 3);
}

TEST(Qr, IsOrthogonalTimesTriangular) {
  for (auto [m, n] : {std::pair<int64_t, int64_t>{6, 4}, {4, 4}, {3, 5}})
    for (bool complete : {false, true}) {
      int64_t k = complete ? m : std::min(m, n);
      Matrix a = randomValues<double>(m * n, 11);
      Matrix q(static_cast<size_t>(m * k)), r(static_cast<size_t>(k * n));
      runKernel(adze_rt_qr_f64, 1, a, q, r, m, n, k);
      near(multiply(q, r, m, k, n), a);
      near(multiply(transpose(q, m, k), q, k, m, k), identity(k));
      for (int64_t i = 0; i < k * n; ++i)
        if (i / n > i % n) {
          EXPECT_EQ(r[static_cast<size_t>(i)], 0);
        }
    }
}

/// LAPACK makes the diagonal negative where the column starts positive.
TEST(Qr, SignsAreLapacks) {
  Matrix a{3, 1, 4, 2}, q(4), r(4);
  runKernel(adze_rt_qr_f64, 1, a, q, r, 2, 2, 2);
  near(r, {-5, -2.2, 0, 0.4});
}

TEST(LinearAlgebra, FloatKernelsRoundOnce) {
  std::vector<float> a{4, 1, 2, 3}, b{1, 2}, x(2);
  runKernel(adze_rt_solve_f32, 1, a, b, x, nullptr, 2, 1);
  EXPECT_FLOAT_EQ(x[0], 0.1f);
  EXPECT_FLOAT_EQ(x[1], 0.6f);
}

TEST(Eigh, DiagonalisesEitherTriangle) {
  for (int64_t n : {1, 2, 7, 20}) {
    Matrix a = randomValues<double>(n * n, 13), symmetric = a;
    for (int64_t i = 0; i < n * n; ++i)
      symmetric[static_cast<size_t>(i)] =
          i / n >= i % n ? at(a, n, i / n, i % n) : at(a, n, i % n, i / n);
    Matrix values(static_cast<size_t>(n)), v(a.size());
    runKernel(adze_rt_eigh_f64, 1, a, values, v, n, 0);
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    Matrix scaled = v;
    for (int64_t i = 0; i < n * n; ++i)
      scaled[static_cast<size_t>(i)] *= values[static_cast<size_t>(i % n)];
    near(multiply(symmetric, v, n, n, n), scaled);
    near(multiply(transpose(v, n, n), v, n, n, n), identity(n));
    Matrix again(values.size());
    runKernel(adze_rt_eigh_f64, 1, transpose(a, n, n), again, nullptr, n, 1);
    near(again, values);
  }
}

void checkSvd(const Matrix &a, int64_t m, int64_t n, bool full) {
  int64_t k = std::min(m, n), ku = full ? m : k, kv = full ? n : k;
  Matrix u(static_cast<size_t>(m * ku)), s(static_cast<size_t>(k));
  Matrix vh(static_cast<size_t>(kv * n));
  runKernel(adze_rt_svd_f64, 1, a, u, s, vh, m, n, full);
  EXPECT_TRUE(std::is_sorted(s.rbegin(), s.rend()));
  Matrix us(static_cast<size_t>(m * kv));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < k; ++j)
      us[static_cast<size_t>(i * kv + j)] =
          at(u, ku, i, j) * s[static_cast<size_t>(j)];
  near(multiply(us, vh, m, kv, n), a);
  near(multiply(transpose(u, m, ku), u, ku, m, ku), identity(ku));
  near(multiply(vh, transpose(vh, kv, n), kv, n, kv), identity(kv));
}

TEST(Svd, OfEveryShape) {
  for (auto [m, n] :
       {std::pair<int64_t, int64_t>{5, 5}, {7, 3}, {3, 7}, {1, 4}})
    for (bool full : {false, true})
      checkSvd(randomValues<double>(m * n, 17), m, n, full);
}

TEST(Svd, OfMatricesThatLackRank) {
  for (bool full : {false, true}) {
    checkSvd(Matrix(12), 4, 3, full);
    Matrix twice = randomValues<double>(8, 19); // columns 0 and 1 repeat
    Matrix a;
    for (int64_t i = 0; i < 4; ++i)
      for (int64_t j : {0, 1, 0, 1})
        a.push_back(at(twice, 2, i, j));
    checkSvd(a, 4, 4, full);
  }
}

TEST(Svd, NanDoesNotHang) {
  Matrix a(16, NAN), u(16), s(4), vh(16);
  runKernel(adze_rt_svd_f64, 1, a, u, s, vh, 4, 4, 1);
  EXPECT_TRUE(std::isnan(s[0]));
  runKernel(adze_rt_eigh_f64, 1, a, s, vh, 4, 0);
  EXPECT_TRUE(std::isnan(s[0]));
}

} // namespace
