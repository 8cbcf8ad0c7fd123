//===- Special.cpp - Special functions ------------------------------------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;
using prim::SpecialBinaryKind;
using prim::SpecialUnaryKind;

//===----------------------------------------------------------------------===//
// Functions that are one prim op
//===----------------------------------------------------------------------===//

/// Some operators say `x` for their argument.
static StringRef operandName(CallContext &c) {
  return c.has("x") ? "x" : "self";
}

template <SpecialUnaryKind kind>
static LogicalResult decomposeSpecial(CallContext &c) {
  return setElementwiseFloat(
      c, {operandName(c)}, [&](Operands x) { return c.b.special(kind, x[0]); });
}

static Value special2(PrimBuilder &b, SpecialBinaryKind kind, Value x,
                      Value y) {
  b.broadcastTogether(x, y);
  return prim::SpecialBinaryOp::create(b.getBuilder(), b.getLoc(), x.getType(),
                                       kind, x, y);
}

template <SpecialBinaryKind kind>
static LogicalResult decomposeSpecial2(CallContext &c) {
  return setElementwiseFloat(c, {"self", "other"}, [&](Operands x) {
    return special2(c.b, kind, x[0], x[1]);
  });
}

template <SpecialBinaryKind kind>
static LogicalResult decomposePolynomial(CallContext &c) {
  return setElementwiseFloat(c, {"x", "n"}, [&](Operands x) {
    return special2(c.b, kind, x[0], x[1]);
  });
}

/// The polynomial of 2x - 1.
template <SpecialBinaryKind kind>
static LogicalResult decomposeShiftedPolynomial(CallContext &c) {
  return setElementwiseFloat(c, {"x", "n"}, [&](Operands x) {
    Value shifted = c.b.sub(c.b.add(x[0], x[0]), 1);
    return special2(c.b, kind, shifted, x[1]);
  });
}

//===----------------------------------------------------------------------===//
// The gamma function's relatives
//===----------------------------------------------------------------------===//

static LogicalResult decomposePolygamma(CallContext &c) {
  int64_t order = c.integer("n");
  if (order < 0)
    return c.emitInvalid("expected an order that is not negative, but found " +
                         Twine(order));
  return setElementwiseFloat(c, {"self"}, [&](Operands x) -> Value {
    if (order == 0)
      return c.b.special(SpecialUnaryKind::digamma, x[0]);
    Value n = c.b.scalar(double(order), c.b.elementOf(x[0]));
    return special2(c.b, SpecialBinaryKind::polygamma, n, x[0]);
  });
}

/// The logarithm of the multivariate gamma function of dimension p.
static LogicalResult decomposeMvlgamma(CallContext &c) {
  int64_t p = c.integer("p");
  if (p < 1 || p > 1000)
    return c.emitUnsupported("a dimension of " + Twine(p));
  return setElementwiseFloat(c, {"self"}, [&](Operands x) {
    Value sum =
        c.b.fullLike(x[0], double(p) * double(p - 1) / 4 * std::log(M_PI));
    for (int64_t i = 0; i < p; ++i)
      sum = c.b.add(sum, c.b.special(SpecialUnaryKind::lgamma,
                                     c.b.sub(x[0], double(i) / 2)));
    return sum;
  });
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

static LogicalResult decomposeXlogy(CallContext &c) {
  return setElementwiseFloat(
      c, {"self", "other"}, [&](Operands x) { return xLogY(c.b, x[0], x[1]); });
}

static LogicalResult decomposeXlog1py(CallContext &c) {
  return setElementwiseFloat(c, {"self", "other"}, [&](Operands x) {
    return timesLog(c.b, x[0], x[1], -1, [&](Value y) -> Value {
      return c.b.unary<prim::Log1pOp>(y);
    });
  });
}

/// -x log(x); minus infinity below 0.
static LogicalResult decomposeEntr(CallContext &c) {
  return setElementwiseFloat(c, {"self"}, [&](Operands x) {
    PrimBuilder &b = c.b;
    Value value = b.neg(b.mul(x[0], b.log(x[0])));
    value = b.where(b.compare(Comparison::eq, x[0], 0.0), b.fullLike(x[0], 0),
                    value);
    return b.where(b.compare(Comparison::lt, x[0], 0.0),
                   b.fullLike(x[0], -INFINITY), value);
  });
}

/// log(x / (1 - x)), with x kept away from 0 and 1 by eps.
static LogicalResult decomposeLogit(CallContext &c) {
  double eps = c.optNumber("eps").value_or(-1);
  return setElementwiseFloat(c, {"self"}, [&](Operands x) {
    PrimBuilder &b = c.b;
    Value p = x[0];
    Type element = b.elementOf(p);
    if (eps >= 0)
      p = b.min(b.max(p, b.scalar(eps, element)), b.scalar(1 - eps, element));
    return b.log(b.div(p, b.sub(b.fullLike(p, 1), p)));
  });
}

/// log(base^x + base^y) by the larger operand; `tail(d)` is
/// log(1 + base^d) in that base.
static Value logAddExp(PrimBuilder &b, Value x, Value y,
                       function_ref<Value(Value)> tail) {
  Value larger = b.max(x, y);
  Value distance = b.neg(b.unary<prim::AbsOp>(b.sub(x, y)));
  Value sum = b.add(larger, tail(distance));
  // Equal infinities have no distance.
  Value isSame =
      b.logicalAnd(isInfinite(b, x), b.compare(Comparison::eq, x, y));
  return b.where(isSame, x, sum);
}

static LogicalResult decomposeLogaddexp(CallContext &c) {
  return setElementwiseFloat(c, {"self", "other"}, [&](Operands x) {
    return logAddExp(c.b, x[0], x[1], [&](Value distance) -> Value {
      return c.b.unary<prim::Log1pOp>(c.b.exp(distance));
    });
  });
}

static LogicalResult decomposeLogaddexp2(CallContext &c) {
  return setElementwiseFloat(c, {"self", "other"}, [&](Operands x) {
    return logAddExp(c.b, x[0], x[1], [&](Value distance) -> Value {
      Value natural =
          c.b.unary<prim::Log1pOp>(c.b.unary<prim::Exp2Op>(distance));
      return c.b.mul(natural, M_LOG2E);
    });
  });
}

/// The normal distribution function.
static LogicalResult decomposeNdtr(CallContext &c) {
  return setElementwiseFloat(c, {"self"}, [&](Operands x) {
    Value erf = c.b.unary<prim::ErfOp>(c.b.mul(x[0], M_SQRT1_2));
    return c.b.mul(c.b.add(erf, 1), 0.5);
  });
}

//===----------------------------------------------------------------------===//
// Functions of two numbers
//===----------------------------------------------------------------------===//

static LogicalResult decomposeAtan2(CallContext &c) {
  return setElementwiseFloat(c, {"self", "other"}, [&](Operands x) {
    return c.b.binary<prim::Atan2Op>(x[0], x[1]);
  });
}

static LogicalResult decomposeCopysign(CallContext &c) {
  return setElementwiseFloat(c, {"self", "other"}, [&](Operands x) {
    return c.b.binary<prim::CopysignOp>(x[0], x[1]);
  });
}

/// In the type itself: the next number of a wider type is another one.
static LogicalResult decomposeNextafter(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  Type type = c.promote({self, other});
  if (!isFloat(type))
    return c.emitInvalid("expected floats, but found integers");
  return c.setResult(0, c.b.binary<prim::NextafterOp>(c.convert(self, type),
                                                      c.convert(other, type)));
}

/// The length of the vector (x, y) without overflow.
static LogicalResult decomposeHypot(CallContext &c) {
  return setElementwise(c, {"self", "other"}, [&](Operands x) -> Value {
    PrimBuilder &b = c.b;
    Value re = x[0], im = x[1];
    b.broadcastTogether(re, im);
    return magnitude(
        b, prim::ComplexOp::create(b.getBuilder(), b.getLoc(), re, im));
  });
}

/// Euclid's algorithm, for all elements until the last one is done.
static Value gcd(PrimBuilder &b, Value x, Value y) {
  b.broadcastTogether(x, y);
  x = magnitude(b, x), y = magnitude(b, y);
  OpBuilder &builder = b.getBuilder();
  SmallVector<Type> types{x.getType(), y.getType()};
  auto loop =
      prim::WhileOp::create(builder, b.getLoc(), types, ValueRange{x, y});
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locs(2, b.getLoc());
  Block *condition = builder.createBlock(&loop.getCondition(), {}, types, locs);
  Value unfinished = b.compare(Comparison::ne, condition->getArgument(1), 0.0);
  Value any = b.reduce(prim::Reduction::any, unfinished, allDims(unfinished));
  prim::YieldOp::create(builder, b.getLoc(), any);
  Block *body = builder.createBlock(&loop.getBody(), {}, types, locs);
  Value large = body->getArgument(0), small = body->getArgument(1);
  Value isDone = b.compare(Comparison::eq, small, 0.0);
  Value remainder = b.binary<prim::RemOp>(
      large, b.where(isDone, b.fullLike(small, 1), small));
  Value nextLarge = b.where(isDone, large, small);
  Value nextSmall = b.where(isDone, small, remainder);
  prim::YieldOp::create(builder, b.getLoc(), ValueRange{nextLarge, nextSmall});
  return loop.getResult(0);
}

static LogicalResult setOfIntegers(CallContext &c,
                                   function_ref<Value(Operands)> body) {
  if (!isInteger(c.promote({c.tensor("self"), c.tensor("other")})))
    return c.emitInvalid("expected integers");
  return setElementwise(c, {"self", "other"}, body);
}

static LogicalResult decomposeGcd(CallContext &c) {
  return setOfIntegers(c, [&](Operands x) { return gcd(c.b, x[0], x[1]); });
}

static LogicalResult decomposeLcm(CallContext &c) {
  return setOfIntegers(c, [&](Operands x) {
    PrimBuilder &b = c.b;
    Value divisor = gcd(b, x[0], x[1]);
    Value isZero = b.compare(Comparison::eq, divisor, 0.0);
    divisor = b.where(isZero, b.fullLike(divisor, 1), divisor);
    Value product = b.mul(b.binary<prim::IDivOp>(x[0], divisor), x[1]);
    return magnitude(b, product);
  });
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

template <SpecialUnaryKind kind>
static void addSpecial(DecompositionTable &table,
                       std::initializer_list<StringRef> names) {
  for (StringRef name : names)
    table.add(("aten." + name + ".default").str(), decomposeSpecial<kind>);
}

static void addPair(DecompositionTable &table, StringRef name,
                    Decomposition function) {
  for (StringRef overload : {"default", "self_scalar", "other_scalar"})
    table.add((name + "." + overload).str(), function);
}

static void addPolynomial(DecompositionTable &table, StringRef name,
                          Decomposition function) {
  for (StringRef overload : {"default", "x_scalar", "n_scalar"})
    table.add((name + "." + overload).str(), function);
}

static void registerUnarySpecials(DecompositionTable &table) {
  addSpecial<SpecialUnaryKind::lgamma>(table, {"lgamma", "special_gammaln"});
  addSpecial<SpecialUnaryKind::digamma>(
      table, {"digamma", "special_digamma", "special_psi"});
  addSpecial<SpecialUnaryKind::erfinv>(table, {"erfinv", "special_erfinv"});
  addSpecial<SpecialUnaryKind::i0>(
      table, {"i0", "special_i0", "special_modified_bessel_i0"});
  addSpecial<SpecialUnaryKind::i0e>(table, {"special_i0e"});
  addSpecial<SpecialUnaryKind::i1>(
      table, {"special_i1", "special_modified_bessel_i1"});
  addSpecial<SpecialUnaryKind::i1e>(table, {"special_i1e"});
  addSpecial<SpecialUnaryKind::ndtri>(table, {"special_ndtri"});
  addSpecial<SpecialUnaryKind::log_ndtr>(table, {"special_log_ndtr"});
  addSpecial<SpecialUnaryKind::erfcx>(table, {"special_erfcx"});
  addSpecial<SpecialUnaryKind::bessel_j0>(table, {"special_bessel_j0"});
  addSpecial<SpecialUnaryKind::bessel_j1>(table, {"special_bessel_j1"});
  addSpecial<SpecialUnaryKind::bessel_y0>(table, {"special_bessel_y0"});
  addSpecial<SpecialUnaryKind::bessel_y1>(table, {"special_bessel_y1"});
  addSpecial<SpecialUnaryKind::modified_bessel_k0>(
      table, {"special_modified_bessel_k0"});
  addSpecial<SpecialUnaryKind::modified_bessel_k1>(
      table, {"special_modified_bessel_k1"});
  addSpecial<SpecialUnaryKind::scaled_modified_bessel_k0>(
      table, {"special_scaled_modified_bessel_k0"});
  addSpecial<SpecialUnaryKind::scaled_modified_bessel_k1>(
      table, {"special_scaled_modified_bessel_k1"});
  addSpecial<SpecialUnaryKind::spherical_bessel_j0>(
      table, {"special_spherical_bessel_j0"});
}

template <SpecialBinaryKind kind>
static void addChebyshev(DecompositionTable &table, StringRef letter) {
  std::string name = ("chebyshev_polynomial_" + letter).str();
  addPolynomial(table, "aten.special_" + name, decomposePolynomial<kind>);
  addPolynomial(table, "aten.special_shifted_" + name,
                decomposeShiftedPolynomial<kind>);
}

static void registerPolynomials(DecompositionTable &table) {
  addChebyshev<SpecialBinaryKind::chebyshev_polynomial_t>(table, "t");
  addChebyshev<SpecialBinaryKind::chebyshev_polynomial_u>(table, "u");
  addChebyshev<SpecialBinaryKind::chebyshev_polynomial_v>(table, "v");
  addChebyshev<SpecialBinaryKind::chebyshev_polynomial_w>(table, "w");
  addPolynomial(table, "aten.special_hermite_polynomial_h",
                decomposePolynomial<SpecialBinaryKind::hermite_polynomial_h>);
  addPolynomial(table, "aten.special_hermite_polynomial_he",
                decomposePolynomial<SpecialBinaryKind::hermite_polynomial_he>);
  addPolynomial(table, "aten.special_laguerre_polynomial_l",
                decomposePolynomial<SpecialBinaryKind::laguerre_polynomial_l>);
  addPolynomial(table, "aten.special_legendre_polynomial_p",
                decomposePolynomial<SpecialBinaryKind::legendre_polynomial_p>);
}

static void registerBinarySpecials(DecompositionTable &table) {
  addPair(table, "aten.special_zeta",
          decomposeSpecial2<SpecialBinaryKind::zeta>);
  for (StringRef name :
       {"aten.igamma.default", "aten.special_gammainc.default"})
    table.add(name, decomposeSpecial2<SpecialBinaryKind::igamma>);
  for (StringRef name :
       {"aten.igammac.default", "aten.special_gammaincc.default"})
    table.add(name, decomposeSpecial2<SpecialBinaryKind::igammac>);
  table.add("aten.atan2.default", decomposeAtan2);
  table.add("aten.arctan2.default", decomposeAtan2);
  table.add("aten.copysign.Tensor", decomposeCopysign);
  table.add("aten.copysign.Scalar", decomposeCopysign);
  table.add("aten.nextafter.default", decomposeNextafter);
  table.add("aten.hypot.default", decomposeHypot);
  table.add("aten.gcd.default", decomposeGcd);
  table.add("aten.lcm.default", decomposeLcm);
  table.add("aten.logaddexp.default", decomposeLogaddexp);
  table.add("aten.logaddexp2.default", decomposeLogaddexp2);
}

void normalize::registerSpecialDecompositions(DecompositionTable &table) {
  registerUnarySpecials(table);
  registerBinarySpecials(table);
  registerPolynomials(table);
  table.add("aten.polygamma.default", decomposePolygamma);
  table.add("aten.special_polygamma.default", decomposePolygamma);
  table.add("aten.mvlgamma.default", decomposeMvlgamma);
  table.add("aten.special_multigammaln.default", decomposeMvlgamma);
  for (StringRef overload : {"Tensor", "Scalar_Self", "Scalar_Other"})
    table.add(("aten.xlogy." + overload).str(), decomposeXlogy);
  addPair(table, "aten.special_xlogy", decomposeXlogy);
  addPair(table, "aten.special_xlog1py", decomposeXlog1py);
  table.add("aten.special_entr.default", decomposeEntr);
  table.add("aten.logit.default", decomposeLogit);
  table.add("aten.special_logit.default", decomposeLogit);
  table.add("aten.special_ndtr.default", decomposeNdtr);
}
