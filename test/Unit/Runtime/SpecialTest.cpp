//===- SpecialTest.cpp - Special functions against known values -----------===//

#include "lib/Runtime/Kernels/Special.h"

#include <cmath>
#include <gtest/gtest.h>

namespace {

void near(double found, double expected, double tolerance = 2e-14) {
  EXPECT_LE(std::fabs(found - expected), tolerance * std::fabs(expected))
      << found << " instead of " << expected;
}

/// Derivative by central differences, to tie functions to each other.
template <typename F> double slope(F f, double x) {
  double h = 1e-4;
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

TEST(Special, Digamma) {
  near(adze_rt_digamma(1), -0.57721566490153286061);
  near(adze_rt_digamma(0.5), -1.96351002602142347944);
  near(adze_rt_digamma(10), 2.25175258906672110765);
  near(adze_rt_digamma(-0.5), 0.03648997397857652056, 1e-12);
  near(adze_rt_digamma(1e6), std::log(1e6) - 0.5e-6 - 1e-12 / 12);
  EXPECT_EQ(adze_rt_digamma(0.0), -INFINITY);
  EXPECT_EQ(adze_rt_digamma(-0.0), INFINITY);
  EXPECT_TRUE(std::isnan(adze_rt_digamma(-3)));
  for (double x : {0.3, 2.2, 7.7, 30.0})
    near(slope([](double y) { return std::lgamma(y); }, x), adze_rt_digamma(x),
         1e-9);
}

TEST(Special, ZetaAndPolygamma) {
  near(adze_rt_zeta(2, 1), M_PI * M_PI / 6);
  near(adze_rt_zeta(4, 1), std::pow(M_PI, 4) / 90);
  near(adze_rt_zeta(3, 1), 1.20205690315959428540);
  near(adze_rt_zeta(2, 0.5), M_PI * M_PI / 2);
  EXPECT_EQ(adze_rt_zeta(1, 2), INFINITY);
  EXPECT_TRUE(std::isnan(adze_rt_zeta(0.5, 2)));
  EXPECT_EQ(adze_rt_zeta(2, -1), INFINITY);
  near(adze_rt_polygamma(1, 1), M_PI * M_PI / 6);
  near(adze_rt_polygamma(1, -0.5), M_PI * M_PI / 2 + 4, 1e-13);
  near(adze_rt_polygamma(2, 1), -2 * 1.20205690315959428540);
  near(adze_rt_polygamma(0, 1), adze_rt_digamma(1));
}

TEST(Special, IncompleteGamma) {
  for (double x : {0.1, 1.0, 3.0, 20.0}) {
    near(adze_rt_igamma(1, x), -std::expm1(-x));
    near(adze_rt_igammac(1, x), std::exp(-x), 1e-13);
    near(adze_rt_igamma(0.5, x), std::erf(std::sqrt(x)));
    near(adze_rt_igamma(7.5, x) + adze_rt_igammac(7.5, x), 1);
  }
  near(adze_rt_igamma(200, 200), 0.50940313, 1e-6);
  EXPECT_EQ(adze_rt_igamma(2, 0), 0);
  EXPECT_EQ(adze_rt_igamma(0, 2), 1);
  EXPECT_EQ(adze_rt_igammac(2, INFINITY), 0);
  EXPECT_TRUE(std::isnan(adze_rt_igamma(-1, 2)));
}

TEST(Special, InverseErrorFunction) {
  for (double y = -5; y <= 5; y += 0.37) {
    double x = std::erf(y);
    if (std::fabs(x) < 0.999999)
      near(adze_rt_erfinv(x), y, 1e-10);
    near(std::erf(adze_rt_erfinv(x)), x);
  }
  near(adze_rt_erfinv(0.5), 0.47693627620446987338);
  near(adze_rt_erfinv(1e-20), 1e-20 * std::sqrt(M_PI) / 2);
  EXPECT_EQ(adze_rt_erfinv(1), INFINITY);
  EXPECT_TRUE(std::isnan(adze_rt_erfinv(1.5)));
  EXPECT_EQ(adze_rt_erfinv(0.0), 0);
}

TEST(Special, NormalDistribution) {
  near(adze_rt_ndtri(0.975), 1.95996398454005423552);
  near(adze_rt_ndtri(0.025), -1.95996398454005423552);
  for (double p : {1e-300, 1e-100, 1e-9, 0.01})
    near(0.5 * std::erfc(-adze_rt_ndtri(p) / std::sqrt(2)), p, 1e-12);
  near(0.5 * std::erfc(-adze_rt_ndtri(0.3) / std::sqrt(2)), 0.3);
  EXPECT_EQ(adze_rt_ndtri(0), -INFINITY);
  EXPECT_NEAR(adze_rt_ndtri(0.5), 0, 1e-16);
  near(adze_rt_log_ndtr(-1.5), std::log(0.5 * std::erfc(1.5 / std::sqrt(2))));
  near(adze_rt_log_ndtr(-0.5), std::log(0.5 * std::erfc(0.5 / std::sqrt(2))));
  near(adze_rt_log_ndtr(-40), -804.608442, 1e-8);
  near(adze_rt_log_ndtr(10), -7.619853024160527e-24, 1e-12);
}

TEST(Special, ScaledErrorFunction) {
  near(adze_rt_erfcx(0), 1);
  near(adze_rt_erfcx(1), 0.42758357615580700441);
  near(adze_rt_erfcx(-1), 5.00898008076228346631);
  near(adze_rt_erfcx(10), 0.05614099274382258586);
  near(adze_rt_erfcx(2), 0.25539567631050574386);
  near(adze_rt_erfcx(std::nextafter(2, 0)), 0.25539567631050574386, 1e-13);
}

TEST(Special, BesselFunctions) {
  near(adze_rt_i0(1), 1.26606587775200833560);
  near(adze_rt_i1(1), 0.56515910399248502721);
  near(adze_rt_i1(-1), -0.56515910399248502721);
  near(adze_rt_k0(1), 0.42102443824070833334);
  near(adze_rt_k1(1), 0.60190723019723457474);
  near(adze_rt_k0(2), 0.11389387274953343565);
  near(adze_rt_k1(0.1), 9.85384478087060613484);
  EXPECT_EQ(adze_rt_k0(0), INFINITY);
  EXPECT_EQ(adze_rt_i0(0), 1);
  // The Wronskian ties all four together on both sides of every border.
  for (double x : {0.01, 0.5, 0.999, 1.001, 5.0, 29.9, 30.1, 100.0, 1e4})
    near(adze_rt_i0e(x) * adze_rt_k1e(x) + adze_rt_i1e(x) * adze_rt_k0e(x),
         1 / x);
  near(adze_rt_i0(700), adze_rt_i0e(700) * std::exp(700), 1e-12);
}

/// Both the recurrence and the angle form, against closed forms.
TEST(Special, OrthogonalPolynomials) {
  for (double x : {-1.0, -0.3, 0.0, 0.5, 1.0, 1.7}) {
    double t3 = 4 * x * x * x - 3 * x, u2 = 4 * x * x - 1;
    EXPECT_NEAR(adze_rt_chebyshev_t(x, 3), t3, 1e-13);
    EXPECT_NEAR(adze_rt_chebyshev_u(x, 2.9), u2, 1e-13);
    EXPECT_NEAR(adze_rt_chebyshev_v(x, 2), u2 - 2 * x, 1e-13);
    EXPECT_NEAR(adze_rt_chebyshev_w(x, 2), u2 + 2 * x, 1e-13);
    EXPECT_NEAR(adze_rt_hermite_h(x, 3), 8 * x * x * x - 12 * x, 1e-13);
    EXPECT_NEAR(adze_rt_hermite_he(x, 3), x * x * x - 3 * x, 1e-13);
    EXPECT_NEAR(adze_rt_laguerre_l(x, 2), 1 - 2 * x + x * x / 2, 1e-13);
    EXPECT_NEAR(adze_rt_legendre_p(x, 2), (3 * x * x - 1) / 2, 1e-13);
    double shifted = (x + 1) / 2;
    EXPECT_NEAR(adze_rt_shifted_chebyshev_t(shifted, 3), t3, 1e-12);
  }
  for (double x : {-0.9, 0.2, 0.7}) {
    // p[10] = 2 x p[9] - p[8]: the last by recurrence, the others by angle
    auto agrees = [x](auto p) {
      EXPECT_NEAR(p(x, 10), 2 * x * p(x, 9) - p(x, 8), 1e-12);
    };
    agrees(adze_rt_chebyshev_t);
    agrees(adze_rt_chebyshev_u);
    agrees(adze_rt_chebyshev_v);
    agrees(adze_rt_chebyshev_w);
  }
  EXPECT_EQ(adze_rt_legendre_p(0.5, -1), 0);
  EXPECT_EQ(adze_rt_legendre_p(0.5, 0), 1);
  EXPECT_EQ(adze_rt_chebyshev_t(-1, 101), -1);
  EXPECT_EQ(adze_rt_spherical_bessel_j0(0), 1);
  EXPECT_NEAR(adze_rt_spherical_bessel_j0(M_PI), 0, 1e-16);
}

TEST(Special, FloatVersionsRoundTheDoubleOnes) {
  EXPECT_EQ(adze_rt_digammaf(2.5f), static_cast<float>(adze_rt_digamma(2.5)));
  EXPECT_EQ(adze_rt_zetaf(2, 1), static_cast<float>(adze_rt_zeta(2, 1)));
}

} // namespace
