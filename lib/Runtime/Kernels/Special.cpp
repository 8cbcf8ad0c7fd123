//===- Special.cpp - Special functions that libm lacks --------------------===//
//
// Chosen for few constants rather than for speed: series of positive terms,
// trapezoidal sums that converge exponentially, and Newton steps.
//
//===----------------------------------------------------------------------===//

#include "lib/Runtime/Kernels/Special.h"

#include <cmath>
#include <cstdint>

static constexpr double Inf = __builtin_inf();
static constexpr double Nan = __builtin_nan("");
static constexpr double Pi = 3.14159265358979323846;
static constexpr double EulerGamma = 0.57721566490153286061;
static constexpr double Epsilon = 1.1102230246251565e-16;

/// e^(sign * x^2) without the error of rounding x^2.
static double expOfSquare(double x, double sign) {
  double square = x * x, rest = std::fma(x, x, -square);
  double value = std::exp(sign * square);
  return std::isfinite(square) ? value + value * sign * rest : value;
}

//===- Gamma family ---------------------------------------------------------//

/// Asymptotic series; x >= 12.
static double digammaLarge(double x) {
  static constexpr double terms[] = {1.0 / 12,   -1.0 / 120,    1.0 / 252,
                                     -1.0 / 240, 1.0 / 132,     -691.0 / 32760,
                                     1.0 / 12,   -3617.0 / 8160};
  double z = 1 / (x * x), sum = 0;
  for (int i = 7; i >= 0; --i)
    sum = (sum + terms[i]) * z;
  return std::log(x) - 0.5 / x - sum;
}

double adze_rt_digamma(double x) {
  if (x == 0)
    return std::copysign(Inf, -x);
  if (x < 0) {
    if (x == std::trunc(x))
      return Nan;
    double fraction = x - std::trunc(x);
    return adze_rt_digamma(1 - x) - Pi / std::tan(Pi * fraction);
  }
  double sum = 0;
  for (; x < 12; x += 1)
    sum -= 1 / x;
  return sum + digammaLarge(x);
}

/// Euler-Maclaurin from a on: (2 k)! / B(2 k) are the constants.
static double zetaTail(double x, double a, double sum, double last) {
  static constexpr double constants[] = {12.0,
                                         -720.0,
                                         30240.0,
                                         -1209600.0,
                                         47900160.0,
                                         -1.8924375803183791606e9,
                                         7.47242496e10,
                                         -2.950130727918164224e12,
                                         1.1646782814350067249e14,
                                         -4.5979787224074726105e15,
                                         1.8152105401943546773e17,
                                         -7.1661652561756670113e18};
  sum += last * a / (x - 1) - 0.5 * last;
  double factor = 1, k = 0;
  for (double constant : constants) {
    factor *= x + k;
    last /= a;
    double term = factor * last / constant;
    sum += term;
    if (std::fabs(term) < std::fabs(sum) * Epsilon)
      break;
    factor *= x + k + 1;
    last /= a;
    k += 2;
  }
  return sum;
}

double adze_rt_zeta(double x, double q) {
  if (x == 1)
    return Inf;
  if (!(x > 1))
    return Nan;
  if (q <= 0 && q == std::floor(q))
    return Inf;
  if (q <= 0 && x != std::floor(x))
    return Nan;
  double sum = std::pow(q, -x), a = q, last = sum;
  for (int i = 0; i < 9 || a <= 9; ++i) {
    a += 1;
    last = std::pow(a, -x);
    sum += last;
    if (a > 0 && last < sum * Epsilon)
      return sum;
  }
  return zetaTail(x, a, sum, last);
}

double adze_rt_polygamma(double n, double x) {
  if (n == 0)
    return adze_rt_digamma(x);
  if (n == 1 && x < 0.5) {
    double sine = std::sin(Pi * (x - std::floor(x)));
    return Pi * Pi / (sine * sine) - adze_rt_polygamma(1, 1 - x);
  }
  double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  return sign * std::tgamma(n + 1) * adze_rt_zeta(n + 1, x);
}

/// x^a e^-x / gamma(a)
static double igammaFactor(double a, double x) {
  return std::exp(a * std::log(x) - x - std::lgamma(a));
}

static constexpr int MaxTerms = 200000;

static double igammaSeries(double a, double x) {
  double term = 1 / a, sum = term;
  for (int k = 1; k < MaxTerms && term > sum * Epsilon; ++k) {
    term *= x / (a + k);
    sum += term;
  }
  return sum * igammaFactor(a, x);
}

/// Lentz's evaluation of the continued fraction of the upper function.
static double igammacFraction(double a, double x) {
  double b = x + 1 - a, c = 1e300, d = 1 / b, value = d;
  for (int k = 1; k < MaxTerms; ++k) {
    double numerator = -k * (k - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    value *= c * d;
    if (std::fabs(c * d - 1) < Epsilon)
      break;
  }
  return value * igammaFactor(a, x);
}

/// The values of both functions at the border of their domain: `lower` is
/// what igamma gives; false inside.
static bool igammaBorder(double a, double x, double &lower) {
  if (!(a >= 0) || !(x >= 0) || (a == 0 && x == 0) ||
      (std::isinf(a) && std::isinf(x)))
    lower = Nan;
  else if (a == 0 || std::isinf(x))
    lower = 1;
  else if (x == 0 || std::isinf(a))
    lower = 0;
  else
    return false;
  return true;
}

double adze_rt_igamma(double a, double x) {
  double border;
  if (igammaBorder(a, x, border))
    return border;
  return x > 1 && x > a ? 1 - igammacFraction(a, x) : igammaSeries(a, x);
}

double adze_rt_igammac(double a, double x) {
  double border;
  if (igammaBorder(a, x, border))
    return 1 - border;
  return x > 1 && x > a ? igammacFraction(a, x) : 1 - igammaSeries(a, x);
}

//===- Error function family ------------------------------------------------//

double adze_rt_erfcx(double x) {
  if (x < 2)
    return expOfSquare(x, 1) * std::erfc(x);
  if (x > 1e8)
    return 1 / (x * std::sqrt(Pi));
  // x + (1/2) / (x + (2/2) / (x + (3/2) / ...)), from far enough inside
  double value = x;
  for (int k = 160; k >= 1; --k)
    value = x + 0.5 * k / value;
  return 1 / (value * std::sqrt(Pi));
}

/// Giles' approximation, good to 1e-7.
static double erfinvEstimate(double x) {
  static constexpr double centre[] = {
      2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
      -4.39150654e-06, 0.00021858087,  -0.00125372503,
      -0.00417768164,  0.246640727,    1.50140941};
  static constexpr double tail[] = {
      -0.000200214257, 0.000100950558, 0.00134934322,
      -0.00367342844,  0.00573950773,  -0.0076224613,
      0.00943887047,   1.00167406,     2.83297682};
  double w = -std::log((1 - x) * (1 + x));
  const double *terms = w < 5 ? centre : tail;
  w = w < 5 ? w - 2.5 : std::sqrt(w) - 3;
  double value = 0;
  for (int i = 0; i < 9; ++i)
    value = value * w + terms[i];
  return value * x;
}

double adze_rt_erfinv(double x) {
  double size = std::fabs(x);
  if (!(size < 1))
    return size == 1 ? std::copysign(Inf, x) : Nan;
  double y = erfinvEstimate(size);
  for (int step = 0; step < 2; ++step) {
    double error = size < 0.5 ? std::erf(y) - size : (1 - size) - std::erfc(y);
    double newton = error / (2 / std::sqrt(Pi) * expOfSquare(y, -1));
    y -= newton / (1 + y * newton);
  }
  return std::copysign(y, x);
}

/// Of p <= 1/2, which gives x <= 0; from Hastings' approximation.
static double ndtriLower(double p) {
  double t = std::sqrt(-2 * std::log(p));
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  for (int step = 0; step < 3; ++step) {
    double error = 0.5 * std::erfc(-x / std::sqrt(2)) - p;
    double newton =
        error * std::sqrt(2 * Pi) * expOfSquare(x / std::sqrt(2), 1);
    if (!std::isfinite(newton))
      break;
    x -= newton / (1 + 0.5 * x * newton);
  }
  return x;
}

double adze_rt_ndtri(double p) {
  if (!(p >= 0 && p <= 1))
    return Nan;
  if (p == 0 || p == 1)
    return p == 0 ? -Inf : Inf;
  return p <= 0.5 ? ndtriLower(p) : -ndtriLower(1 - p);
}

double adze_rt_log_ndtr(double x) {
  double t = x / std::sqrt(2);
  if (x < -1)
    return std::log(adze_rt_erfcx(-t) / 2) - x * x / 2;
  return std::log1p(-std::erfc(t) / 2);
}

//===- Modified Bessel functions --------------------------------------------//

/// sum of (x^2 / 4)^k / (k! (k + order)!): positive terms only.
static double besselISeries(double x, int order) {
  double z = x * x / 4, term = 1, sum = 1;
  for (int k = 1; term > sum * Epsilon; ++k) {
    term *= z / (static_cast<double>(k) * (k + order));
    sum += term;
  }
  return order ? sum * x / 2 : sum;
}

/// e^-x I(x) for large x: the asymptotic series, until it stops falling.
static double besselIEvenLarge(double x, int order) {
  double mu = 4.0 * order * order, term = 1, sum = 1;
  for (int k = 1; k < 60; ++k) {
    double odd = 2 * k - 1;
    double next = -term * (mu - odd * odd) / (k * 8 * x);
    if (std::fabs(next) >= std::fabs(term) ||
        std::fabs(next) < std::fabs(sum) * Epsilon)
      break;
    term = next;
    sum += term;
  }
  return sum / std::sqrt(2 * Pi * x);
}

static double besselIScaled(double x, int order) {
  double size = std::fabs(x);
  if (std::isnan(x))
    return x;
  double value = size > 30 ? besselIEvenLarge(size, order)
                           : besselISeries(size, order) * std::exp(-size);
  return order && x < 0 ? -value : value;
}

static double besselI(double x, int order) {
  double size = std::fabs(x);
  if (size <= 30)
    return besselISeries(x, order);
  // In two steps: e^x alone may overflow first.
  double half = std::exp(size / 2);
  return besselIScaled(x, order) * half * half;
}

double adze_rt_i0(double x) { return besselI(x, 0); }
double adze_rt_i0e(double x) { return besselIScaled(x, 0); }
double adze_rt_i1(double x) { return besselI(x, 1); }
double adze_rt_i1e(double x) { return besselIScaled(x, 1); }

/// K by its series around 0; 0 < x <= 1.
static double besselKSmall(double x, int order) {
  double z = x * x / 4, logarithm = std::log(x / 2) + EulerGamma;
  double term = 1, sum = 0, harmonic = 0;
  for (int k = 0; k < 30; ++k) {
    // psi(k + 1) + psi(k + 2) + 2 gamma, halved, when the order is 1
    double shift = order ? harmonic + 0.5 / (k + 1) : harmonic;
    sum += term * (shift - logarithm);
    harmonic += 1.0 / (k + 1);
    term *= z / ((k + 1.0) * (k + 1 + order));
  }
  return order ? 1 / x - sum * x / 2 : sum;
}

/// e^x K(x) = integral of e^(-x (cosh t - 1)) cosh(order t) over t >= 0.
static double besselKScaledLarge(double x, int order) {
  double step = std::fmin(0.125, 0.5 / std::sqrt(x)), sum = 0.5;
  for (int k = 1;; ++k) {
    double t = k * step, sine = std::sinh(t / 2);
    double value = std::exp(-2 * x * sine * sine);
    sum += order ? value * std::cosh(t) : value;
    if (value < 1e-18)
      return sum * step;
  }
}

static double besselK(double x, int order, bool scaled) {
  if (!(x > 0))
    return x == 0 ? Inf : Nan;
  if (std::isinf(x))
    return 0;
  if (x <= 1)
    return besselKSmall(x, order) * (scaled ? std::exp(x) : 1);
  return besselKScaledLarge(x, order) * (scaled ? 1 : std::exp(-x));
}

double adze_rt_k0(double x) { return besselK(x, 0, false); }
double adze_rt_k0e(double x) { return besselK(x, 0, true); }
double adze_rt_k1(double x) { return besselK(x, 1, false); }
double adze_rt_k1e(double x) { return besselK(x, 1, true); }

double adze_rt_spherical_bessel_j0(double x) {
  if (std::isinf(x))
    return 0;
  return x == 0 ? 1 : std::sin(x) / x;
}

//===- Float ----------------------------------------------------------------//

#define ADZE_DEFINE(NAME)                                                      \
  float adze_rt_##NAME##f(float x) {                                           \
    return static_cast<float>(adze_rt_##NAME(static_cast<double>(x)));         \
  }
ADZE_FOR_SPECIAL_UNARY(ADZE_DEFINE)
#undef ADZE_DEFINE

#define ADZE_DEFINE(NAME)                                                      \
  float adze_rt_##NAME##f(float a, float x) {                                  \
    return static_cast<float>(                                                 \
        adze_rt_##NAME(static_cast<double>(a), static_cast<double>(x)));       \
  }
ADZE_FOR_SPECIAL_BINARY(ADZE_DEFINE)
