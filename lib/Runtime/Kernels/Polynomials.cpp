//===- Polynomials.cpp - Orthogonal polynomials ---------------------------===//

#include "lib/Runtime/Kernels/Special.h"

#include <cmath>
#include <cstdint>

/// PyTorch gives NaN beyond this degree of Hermite polynomials.
static constexpr int64_t HermiteLimit = 512;

/// The degree, truncated as PyTorch does; -1 for all negative ones. Values of
/// higher degree than the cap are of no use to anybody, and would take for
/// ever.
static int64_t degree(double n) {
  if (!(n > -1))
    return -1;
  return n < 1e7 ? static_cast<int64_t>(n) : 10000000;
}

/// p[0] = 1, p[1] = first, p[k + 1] = step(k, p[k], p[k - 1])
template <typename Step>
static double recur(int64_t n, double first, Step step) {
  if (n < 0)
    return 0;
  double before = 1, value = first;
  for (int64_t k = 1; k < n; ++k) {
    double next = step(static_cast<double>(k), value, before);
    before = value;
    value = next;
  }
  return n == 0 ? 1 : value;
}

/// All four kinds share the recurrence 2 x p - q and differ in p[1]. For high
/// degrees inside (-1, 1) the angle form is quicker and as good.
static double chebyshev(double x, double n, double first, double byAngle) {
  int64_t count = degree(n);
  if (count > 8 && std::fabs(x) < 1 && std::isfinite(byAngle))
    return byAngle;
  return recur(count, first,
               [=](double, double p, double q) { return 2 * x * p - q; });
}

double adze_rt_chebyshev_t(double x, double n) {
  double angle = std::acos(x), k = std::trunc(n);
  return chebyshev(x, n, x, std::cos(k * angle));
}

double adze_rt_chebyshev_u(double x, double n) {
  double angle = std::acos(x), k = std::trunc(n);
  return chebyshev(x, n, 2 * x, std::sin((k + 1) * angle) / std::sin(angle));
}

double adze_rt_chebyshev_v(double x, double n) {
  double angle = std::acos(x), k = std::trunc(n);
  return chebyshev(x, n, 2 * x - 1,
                   std::cos((k + 0.5) * angle) / std::cos(angle / 2));
}

double adze_rt_chebyshev_w(double x, double n) {
  double angle = std::acos(x), k = std::trunc(n);
  return chebyshev(x, n, 2 * x + 1,
                   std::sin((k + 0.5) * angle) / std::sin(angle / 2));
}

double adze_rt_shifted_chebyshev_t(double x, double n) {
  return adze_rt_chebyshev_t(2 * x - 1, n);
}
double adze_rt_shifted_chebyshev_u(double x, double n) {
  return adze_rt_chebyshev_u(2 * x - 1, n);
}
double adze_rt_shifted_chebyshev_v(double x, double n) {
  return adze_rt_chebyshev_v(2 * x - 1, n);
}
double adze_rt_shifted_chebyshev_w(double x, double n) {
  return adze_rt_chebyshev_w(2 * x - 1, n);
}

double adze_rt_hermite_h(double x, double n) {
  int64_t count = degree(n);
  if (count > HermiteLimit)
    return __builtin_nan("");
  return recur(count, 2 * x, [=](double k, double p, double q) {
    return 2 * x * p - 2 * k * q;
  });
}

double adze_rt_hermite_he(double x, double n) {
  int64_t count = degree(n);
  if (count > HermiteLimit)
    return __builtin_nan("");
  return recur(count, x,
               [=](double k, double p, double q) { return x * p - k * q; });
}

double adze_rt_laguerre_l(double x, double n) {
  return recur(degree(n), 1 - x, [=](double k, double p, double q) {
    return ((2 * k + 1 - x) * p - k * q) / (k + 1);
  });
}

double adze_rt_legendre_p(double x, double n) {
  return recur(degree(n), x, [=](double k, double p, double q) {
    return ((2 * k + 1) * x * p - k * q) / (k + 1);
  });
}

#define ADZE_DEFINE(NAME)                                                      \
  float adze_rt_##NAME##f(float x, float n) {                                  \
    return static_cast<float>(                                                 \
        adze_rt_##NAME(static_cast<double>(x), static_cast<double>(n)));       \
  }
ADZE_FOR_POLYNOMIALS(ADZE_DEFINE)
