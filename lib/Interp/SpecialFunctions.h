//===- SpecialFunctions.h - Special functions in double --------*- C++ -*-===//
//
// What torch.special computes, corner values included. Never throws.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_LIB_INTERP_SPECIALFUNCTIONS_H
#define ADZE_LIB_INTERP_SPECIALFUNCTIONS_H

namespace adze::interp::special {

double lgamma(double x);
double digamma(double x);
double erfinv(double x);
double i0(double x);
double i0e(double x);
double i1(double x);
double i1e(double x);
double ndtri(double p);
double logNdtr(double x);
double erfcx(double x);
double besselJ0(double x);
double besselJ1(double x);
double besselY0(double x);
double besselY1(double x);
double modifiedBesselK0(double x);
double modifiedBesselK1(double x);
double scaledModifiedBesselK0(double x);
double scaledModifiedBesselK1(double x);
double sphericalBesselJ0(double x);
double airyAi(double x);

/// Hurwitz: the sum over k of 1 / (k + q)^x.
double zeta(double x, double q);
double polygamma(double order, double x);
/// Regularised incomplete gamma functions, lower and upper.
double igamma(double a, double x);
double igammac(double a, double x);

/// The degree is truncated to an integer; a negative one gives 0.
double chebyshevT(double x, double degree);
double chebyshevU(double x, double degree);
double chebyshevV(double x, double degree);
double chebyshevW(double x, double degree);
double hermiteH(double x, double degree);
double hermiteHe(double x, double degree);
double laguerreL(double x, double degree);
double legendreP(double x, double degree);

} // namespace adze::interp::special

#endif // ADZE_LIB_INTERP_SPECIALFUNCTIONS_H
