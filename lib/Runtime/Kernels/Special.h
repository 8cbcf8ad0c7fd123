/*===- Special.h - Special functions that libm lacks ---------------------===*\
 *
 * Scalar functions for generated code and for the interpreter, with PyTorch's
 * values at poles and outside the domain. Accurate to a few units of 1e-15
 * relative unless noted; float results are computed in double and rounded.
 *
\*===----------------------------------------------------------------------===*/
#ifndef ADZE_LIB_RUNTIME_KERNELS_SPECIAL_H
#define ADZE_LIB_RUNTIME_KERNELS_SPECIAL_H

/* The lists would be taken for expressions. */
/* clang-format off */

/* One argument: each as double adze_rt_NAME(double) and
 * float adze_rt_NAMEf(float). */
#define ADZE_FOR_SPECIAL_UNARY(X)                                              \
  X(digamma) X(erfinv) X(erfcx) X(ndtri) X(log_ndtr)                           \
  X(i0) X(i0e) X(i1) X(i1e) X(k0) X(k0e) X(k1) X(k1e)                          \
  X(spherical_bessel_j0)

/* Two arguments. zeta is Hurwitz's; igamma and igammac are the regularised
 * incomplete gamma functions (a, x); polygamma takes the order first. */
#define ADZE_FOR_SPECIAL_BINARY(X) X(zeta) X(polygamma) X(igamma) X(igammac)

/* Orthogonal polynomials of (x, n); n is cut to an integer, the value is 0 for
 * negative n. The shifted ones are those of 2 x - 1. */
#define ADZE_FOR_POLYNOMIALS(X)                                                \
  X(chebyshev_t) X(chebyshev_u) X(chebyshev_v) X(chebyshev_w)                  \
  X(shifted_chebyshev_t) X(shifted_chebyshev_u)                                \
  X(shifted_chebyshev_v) X(shifted_chebyshev_w)                                \
  X(hermite_h) X(hermite_he) X(laguerre_l) X(legendre_p)

/* clang-format on */

#ifdef __cplusplus
extern "C" {
#endif

#define ADZE_DECLARE(NAME)                                                     \
  double adze_rt_##NAME(double x);                                             \
  float adze_rt_##NAME##f(float x);
ADZE_FOR_SPECIAL_UNARY(ADZE_DECLARE)
#undef ADZE_DECLARE

#define ADZE_DECLARE(NAME)                                                     \
  double adze_rt_##NAME(double a, double x);                                   \
  float adze_rt_##NAME##f(float a, float x);
ADZE_FOR_SPECIAL_BINARY(ADZE_DECLARE)
#undef ADZE_DECLARE

#define ADZE_DECLARE(NAME)                                                     \
  double adze_rt_##NAME(double x, double n);                                   \
  float adze_rt_##NAME##f(float x, float n);
ADZE_FOR_POLYNOMIALS(ADZE_DECLARE)
#undef ADZE_DECLARE

#ifdef __cplusplus
}
#endif
#endif
