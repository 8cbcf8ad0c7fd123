//===- SpecialFunctions.cpp - Special functions in double ----------------===//

#include "SpecialFunctions.h"

#include <boost/math/special_functions/airy.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <cmath>
#include <limits>

namespace adze::interp::special {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
static constexpr double pi = 3.14159265358979323846;

namespace policies = boost::math::policies;
using Quiet =
    policies::policy<policies::domain_error<policies::ignore_error>,
                     policies::pole_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::underflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>,
                     policies::rounding_error<policies::ignore_error>,
                     policies::promote_double<false>>;
static constexpr Quiet quiet;

//===----------------------------------------------------------------------===//
// Gamma functions
//===----------------------------------------------------------------------===//

double lgamma(double x) { return std::isinf(x) ? infinity : ::lgamma(x); }

double digamma(double x) {
  if (x == 0)
    return std::copysign(infinity, -x);
  if (x == infinity)
    return infinity;
  bool pole = std::isnan(x) || (x < 0 && x == std::trunc(x));
  return pole ? nan : boost::math::digamma(x, quiet);
}

double igamma(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0)
    return nan;
  if (a == 0)
    return x > 0 ? 1 : nan;
  if (x == 0)
    return 0;
  if (std::isinf(a))
    return std::isinf(x) ? nan : 0;
  return std::isinf(x) ? 1 : boost::math::gamma_p(a, x, quiet);
}

double igammac(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0)
    return nan;
  if (a == 0)
    return x > 0 ? 0 : nan;
  if (x == 0)
    return 1;
  if (std::isinf(a))
    return std::isinf(x) ? nan : 1;
  return std::isinf(x) ? 0 : boost::math::gamma_q(a, x, quiet);
}

/// Euler-Maclaurin after ten terms of the sum.
static double hurwitz(double x, double q) {
  static constexpr double bernoulli[] = {
      1. / 6,       -1. / 30, 1. / 42,      -1. / 30,     5. / 66,
      -691. / 2730, 7. / 6,   -3617. / 510, 43867. / 798, -174611. / 330};
  double sum = 0, a = q;
  for (int i = 0; i < 10; ++i, a += 1)
    sum += std::pow(a, -x);
  double power = std::pow(a, -x);
  sum += power * a / (x - 1) + power / 2;
  double factor = x, factorial = 2;
  for (int k = 1; k <= 10; ++k) {
    power /= a;
    sum += bernoulli[k - 1] * factor * power / factorial;
    power /= a;
    factor *= (x + 2 * k - 1) * (x + 2 * k);
    factorial *= (2 * k + 1.0) * (2 * k + 2.0);
  }
  return sum;
}

double zeta(double x, double q) {
  if (x == 1)
    return infinity;
  if (!(x > 1) || std::isnan(q))
    return nan;
  if (q <= 0) {
    if (q == std::floor(q))
      return infinity;
    if (x != std::floor(x))
      return nan;
  }
  double sum = 0; // terms of negative base, where x is an integer
  for (; q < 1; q += 1)
    sum += std::pow(q, -x);
  return sum + hurwitz(x, q);
}

double polygamma(double order, double x) {
  double n = std::trunc(order);
  if (n == 0)
    return digamma(x);
  if (!(n > 0))
    return nan;
  double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  return sign * std::tgamma(n + 1) * zeta(n + 1, x);
}

//===----------------------------------------------------------------------===//
// Error functions
//===----------------------------------------------------------------------===//

double erfinv(double x) {
  if (std::fabs(x) == 1)
    return std::copysign(infinity, x);
  return std::fabs(x) < 1 ? boost::math::erf_inv(x, quiet) : nan;
}

double ndtri(double p) {
  if (p == 0 || p == 1)
    return p == 0 ? -infinity : infinity;
  if (!(p > 0 && p < 1))
    return nan;
  return -std::sqrt(2.0) * boost::math::erfc_inv(2 * p, quiet);
}

/// exp(x * x) * erfc(x); the continued fraction holds where erfc underflows.
double erfcx(double x) {
  if (std::isnan(x))
    return x;
  if (x < 12)
    return x < -26.7 ? infinity
                     : double(std::exp((long double)x * x) *
                              std::erfc((long double)x));
  double fraction = x;
  for (int k = 60; k > 0; --k)
    fraction = x + k / 2.0 / fraction;
  return 1 / (fraction * std::sqrt(pi));
}

double logNdtr(double x) {
  double t = x / std::sqrt(2.0);
  if (x < -1)
    return std::log(erfcx(-t) / 2) - t * t;
  return std::log1p(-std::erfc(t) / 2);
}

//===----------------------------------------------------------------------===//
// Bessel functions
//===----------------------------------------------------------------------===//

/// exp(-|x|) I_order(|x|): the asymptotic series where exp would overflow.
static double scaledI(int order, double x) {
  x = std::fabs(x);
  if (std::isnan(x) || x < 600)
    return std::exp(-x) * boost::math::cyl_bessel_i(order, x, quiet);
  double mu = 4.0 * order * order, term = 1, sum = 1;
  for (int k = 1; k < 10; ++k) {
    term *= -(mu - (2.0 * k - 1) * (2.0 * k - 1)) / (k * 8 * x);
    sum += term;
  }
  return std::isinf(x) ? 0 : sum / std::sqrt(2 * pi * x);
}

// Where torch's formulas give inf * 0 at infinity, NaN is right here as well.

double i0(double x) {
  if (!std::isfinite(x))
    return nan;
  return std::fabs(x) > 713.98 ? infinity
                               : boost::math::cyl_bessel_i(0, x, quiet);
}
double i0e(double x) { return std::isnan(x) ? x : scaledI(0, x); }
double i1(double x) {
  if (!std::isfinite(x))
    return nan;
  return std::fabs(x) > 713.98 ? std::copysign(infinity, x)
                               : boost::math::cyl_bessel_i(1, x, quiet);
}
double i1e(double x) {
  return std::isnan(x) ? x : std::copysign(scaledI(1, x), x);
}

double besselJ0(double x) { return std::isinf(x) ? nan : ::j0(x); }
double besselJ1(double x) { return std::isinf(x) ? nan : ::j1(x); }
double besselY0(double x) { return x < 0 || std::isinf(x) ? nan : ::y0(x); }
double besselY1(double x) { return x < 0 || std::isinf(x) ? nan : ::y1(x); }

static double modifiedK(int order, double x) {
  if (x == 0)
    return infinity;
  if (std::isinf(x) && x > 0)
    return 0;
  return x > 0 ? boost::math::cyl_bessel_k(order, x, quiet) : nan;
}

/// exp(x) K_order(x).
static double scaledK(int order, double x) {
  if (!(x > 600))
    return modifiedK(order, x) * std::exp(x);
  double mu = 4.0 * order * order, term = 1, sum = 1;
  for (int k = 1; k < 10; ++k) {
    term *= (mu - (2.0 * k - 1) * (2.0 * k - 1)) / (k * 8 * x);
    sum += term;
  }
  return std::sqrt(pi / (2 * x)) * sum;
}

double modifiedBesselK0(double x) { return modifiedK(0, x); }
double modifiedBesselK1(double x) { return modifiedK(1, x); }
double scaledModifiedBesselK0(double x) { return scaledK(0, x); }
double scaledModifiedBesselK1(double x) { return scaledK(1, x); }

double sphericalBesselJ0(double x) {
  if (std::isinf(x))
    return 0;
  return x == 0 ? 1 : std::sin(x) / x;
}

double airyAi(double x) {
  if (!std::isfinite(x))
    return nan;
  return x > 103.892 ? 0 : boost::math::airy_ai(x, quiet);
}

//===----------------------------------------------------------------------===//
// Orthogonal polynomials by their recurrences
//===----------------------------------------------------------------------===//

/// p(k + 1) = next(k, p(k), p(k - 1)), from p(0) = 1 and p(1) = first.
template <typename Next>
static double recurrence(double degree, double first, Next &&next) {
  if (!(degree > -1) || std::isinf(degree))
    return degree > 0 ? nan : 0;
  double previous = 1, current = first;
  if (degree < 1)
    return previous;
  for (double k = 1; k + 1 <= degree && !std::isnan(current); ++k) {
    double following = next(k, current, previous);
    previous = current;
    current = following;
  }
  return current;
}

static double chebyshev(double x, double degree, double first) {
  return recurrence(degree, first, [x](double, double p, double before) {
    return 2 * x * p - before;
  });
}

double chebyshevT(double x, double degree) { return chebyshev(x, degree, x); }
double chebyshevU(double x, double degree) {
  return chebyshev(x, degree, 2 * x);
}
double chebyshevV(double x, double degree) {
  return chebyshev(x, degree, 2 * x - 1);
}
double chebyshevW(double x, double degree) {
  return chebyshev(x, degree, 2 * x + 1);
}

double hermiteH(double x, double degree) {
  return recurrence(degree, 2 * x, [x](double k, double p, double before) {
    return 2 * x * p - 2 * k * before;
  });
}
double hermiteHe(double x, double degree) {
  return recurrence(degree, x, [x](double k, double p, double before) {
    return x * p - k * before;
  });
}
double laguerreL(double x, double degree) {
  return recurrence(degree, 1 - x, [x](double k, double p, double before) {
    return ((2 * k + 1 - x) * p - k * before) / (k + 1);
  });
}
double legendreP(double x, double degree) {
  return recurrence(degree, x, [x](double k, double p, double before) {
    return ((2 * k + 1) * x * p - k * before) / (k + 1);
  });
}

} // namespace adze::interp::special
