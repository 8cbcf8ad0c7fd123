//===- ElementwiseUnary.cpp - Elementwise ops of one operand -------------===//

#include "Rules.h"
#include "SpecialFunctions.h"

#include <cmath>

using namespace mlir;

namespace adze::interp {

LogicalResult checkEqualSizes(Evaluator &evaluator, Operands operands) {
  for (const Tensor &operand : operands.drop_front())
    if (operand.sizes() != operands[0].sizes())
      return evaluator.fail("expects operands of equal sizes, but found " +
                            toString(operands[0].sizes()) + " and " +
                            toString(operand.sizes()));
  return success();
}

//===----------------------------------------------------------------------===//
// A function of one number, for the kinds of numbers it is defined for
//===----------------------------------------------------------------------===//

template <typename F, typename T>
static T applyFunction(T x, [[maybe_unused]] const Tensor &operand) {
  if constexpr (std::is_same_v<T, double>) {
    if constexpr (requires { F::real(x); })
      return F::real(x);
  } else if constexpr (std::is_same_v<T, Complex>) {
    if constexpr (requires { F::complex(x); })
      return F::complex(x);
  } else if constexpr (requires(IntFormat format) { F::integer(x, format); }) {
    return F::integer(x, IntFormat(cast<IntegerType>(operand.element())));
  }
  return T();
}

template <typename OpT, typename F>
static LogicalResult unary(OpT, Evaluator &evaluator, Operands operands,
                           Results &results) {
  Tensor result = operands[0];
  Store store(evaluator, result.element());
  visitWide(result.element(), [&]<typename T>() {
    T *data = result.mutableData<T>();
    for (int64_t i = 0; i < result.count(); ++i)
      data[i] = store(applyFunction<F, T>(data[i], operands[0]));
  });
  results.push_back(result);
  return success();
}

template <typename OpT, typename F> static void addUnary(MLIRContext *context) {
  addRule<OpT, unary<OpT, F>>(context);
}

template <double (*Function)(double)> struct Real {
  static double real(double x) { return Function(x); }
};

template <double (*Function)(double), Complex (*OfComplex)(const Complex &)>
struct RealOrComplex : Real<Function> {
  static Complex complex(Complex x) { return OfComplex(x); }
};

struct Negate {
  static double real(double x) { return -x; }
  static Complex complex(Complex x) { return -x; }
  static int64_t integer(int64_t x, IntFormat) { return int64_t(-uint64_t(x)); }
};

struct Absolute : Real<std::fabs> {
  static int64_t integer(int64_t x, IntFormat format) {
    return format.isUnsigned || x >= 0 ? x : int64_t(-uint64_t(x));
  }
};

struct Sign {
  static double real(double x) { return double(x > 0) - double(x < 0); }
  static int64_t integer(int64_t x, IntFormat format) {
    return format.isUnsigned ? x != 0 : int64_t(x > 0) - int64_t(x < 0);
  }
};

struct Invert {
  static int64_t integer(int64_t x, IntFormat) { return ~x; }
};

struct ReciprocalRoot {
  static double real(double x) { return 1 / std::sqrt(x); }
  static Complex complex(Complex x) { return 1.0 / std::sqrt(x); }
};

struct Sigmoid {
  static double real(double x) { return 1 / (1 + std::exp(-x)); }
  static Complex complex(Complex x) { return 1.0 / (1.0 + std::exp(-x)); }
};

static void addRoundings(MLIRContext *context) {
  addUnary<prim::NegOp, Negate>(context);
  addUnary<prim::AbsOp, Absolute>(context);
  addUnary<prim::SignOp, Sign>(context);
  addUnary<prim::NotOp, Invert>(context);
  addUnary<prim::CeilOp, Real<std::ceil>>(context);
  addUnary<prim::FloorOp, Real<std::floor>>(context);
  addUnary<prim::TruncOp, Real<std::trunc>>(context);
  addUnary<prim::RoundOp, Real<std::nearbyint>>(context);
}

static void addExponentials(MLIRContext *context) {
  addUnary<prim::SqrtOp, RealOrComplex<std::sqrt, std::sqrt<double>>>(context);
  addUnary<prim::RsqrtOp, ReciprocalRoot>(context);
  addUnary<prim::ExpOp, RealOrComplex<std::exp, std::exp<double>>>(context);
  addUnary<prim::Exp2Op, Real<std::exp2>>(context);
  addUnary<prim::Expm1Op, Real<std::expm1>>(context);
  addUnary<prim::LogOp, RealOrComplex<std::log, std::log<double>>>(context);
  addUnary<prim::Log2Op, Real<std::log2>>(context);
  addUnary<prim::Log10Op, Real<std::log10>>(context);
  addUnary<prim::Log1pOp, Real<std::log1p>>(context);
  addUnary<prim::SigmoidOp, Sigmoid>(context);
  addUnary<prim::ErfOp, Real<std::erf>>(context);
  addUnary<prim::ErfcOp, Real<std::erfc>>(context);
}

static void addTrigonometry(MLIRContext *context) {
  addUnary<prim::SinOp, RealOrComplex<std::sin, std::sin<double>>>(context);
  addUnary<prim::CosOp, RealOrComplex<std::cos, std::cos<double>>>(context);
  addUnary<prim::TanOp, RealOrComplex<std::tan, std::tan<double>>>(context);
  addUnary<prim::AsinOp, Real<std::asin>>(context);
  addUnary<prim::AcosOp, Real<std::acos>>(context);
  addUnary<prim::AtanOp, Real<std::atan>>(context);
  addUnary<prim::SinhOp, RealOrComplex<std::sinh, std::sinh<double>>>(context);
  addUnary<prim::CoshOp, RealOrComplex<std::cosh, std::cosh<double>>>(context);
  addUnary<prim::TanhOp, RealOrComplex<std::tanh, std::tanh<double>>>(context);
  addUnary<prim::AsinhOp, Real<std::asinh>>(context);
  addUnary<prim::AcoshOp, Real<std::acosh>>(context);
  addUnary<prim::AtanhOp, Real<std::atanh>>(context);
}

//===----------------------------------------------------------------------===//
// Special functions
//===----------------------------------------------------------------------===//

using UnaryFunction = double (*)(double);

/// In the order of prim::SpecialUnaryKind.
static constexpr UnaryFunction specialFunctions[] = {
    special::lgamma,
    special::digamma,
    special::erfinv,
    special::i0,
    special::i0e,
    special::i1,
    special::i1e,
    special::ndtri,
    special::logNdtr,
    special::erfcx,
    special::besselJ0,
    special::besselJ1,
    special::besselY0,
    special::besselY1,
    special::modifiedBesselK0,
    special::modifiedBesselK1,
    special::scaledModifiedBesselK0,
    special::scaledModifiedBesselK1,
    special::sphericalBesselJ0,
    special::airyAi,
};
static_assert(std::size(specialFunctions) ==
              prim::getMaxEnumValForSpecialUnaryKind() + 1);

static LogicalResult specialUnary(prim::SpecialUnaryOp op, Evaluator &evaluator,
                                  Operands operands, Results &results) {
  Tensor result = operands[0];
  Store store(evaluator, result.element());
  UnaryFunction function = specialFunctions[uint32_t(op.getKind())];
  double *data = result.mutableData<double>();
  for (int64_t i = 0; i < result.count(); ++i)
    data[i] = store(function(data[i]));
  results.push_back(result);
  return success();
}

void addUnaryRules(MLIRContext *context) {
  addRoundings(context);
  addExponentials(context);
  addTrigonometry(context);
  addRule<prim::SpecialUnaryOp, specialUnary>(context);
}

} // namespace adze::interp
