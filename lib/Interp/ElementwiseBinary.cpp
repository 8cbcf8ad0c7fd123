//===- ElementwiseBinary.cpp - Elementwise ops of several operands -------===//

#include "Rules.h"
#include "SpecialFunctions.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace adze::interp {

//===----------------------------------------------------------------------===//
// A function of two numbers
//===----------------------------------------------------------------------===//

/// The elements of two tensors combined by function(a, b), stored as `element`.
template <typename From, typename To, typename Function>
static FailureOr<Tensor> combine(Evaluator &evaluator, Operands operands,
                                 Type element, Function &&function) {
  auto result = evaluator.allocate(element, operands[0].sizes());
  if (failed(result) || failed(checkEqualSizes(evaluator, operands)))
    return failure();
  Store store(evaluator, element);
  const From *a = operands[0].data<From>(), *b = operands[1].data<From>();
  To *out = result->mutableData<To>();
  for (int64_t i = 0; i < result->count(); ++i)
    out[i] = store(To(function(a[i], b[i])));
  return result;
}

static LogicalResult push(FailureOr<Tensor> tensor, Results &results) {
  if (failed(tensor))
    return failure();
  results.push_back(std::move(*tensor));
  return success();
}

static IntFormat intFormat(const Tensor &tensor) {
  return IntFormat(cast<IntegerType>(tensor.element()));
}

/// F has real(a, b), complex(a, b) and integer(a, b, format) as far as the op
/// is defined for them.
template <typename OpT, typename F>
static LogicalResult binary(OpT, Evaluator &evaluator, Operands operands,
                            Results &results) {
  Type element = operands[0].element();
  FailureOr<Tensor> result = failure();
  if constexpr (requires(double x) { F::real(x, x); })
    if (operands[0].isFloat())
      result = combine<double, double>(evaluator, operands, element, F::real);
  if constexpr (requires(Complex x) { F::complex(x, x); })
    if (operands[0].isComplex())
      result =
          combine<Complex, Complex>(evaluator, operands, element, F::complex);
  if constexpr (requires(int64_t x, IntFormat f) { F::integer(x, x, f); })
    if (operands[0].isInteger()) {
      IntFormat format = intFormat(operands[0]);
      result = combine<int64_t, int64_t>(
          evaluator, operands, element,
          [&](int64_t a, int64_t b) { return F::integer(a, b, format); });
    }
  return push(std::move(result), results);
}

template <typename OpT, typename F>
static void addBinary(MLIRContext *context) {
  addRule<OpT, binary<OpT, F>>(context);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

namespace {
struct Add {
  static double real(double a, double b) { return a + b; }
  static Complex complex(Complex a, Complex b) { return a + b; }
  static int64_t integer(int64_t a, int64_t b, IntFormat format) {
    return format.isBool() ? a | b : int64_t(uint64_t(a) + uint64_t(b));
  }
};

struct Subtract {
  static double real(double a, double b) { return a - b; }
  static Complex complex(Complex a, Complex b) { return a - b; }
  static int64_t integer(int64_t a, int64_t b, IntFormat) {
    return int64_t(uint64_t(a) - uint64_t(b));
  }
};

struct Multiply {
  static double real(double a, double b) { return a * b; }
  static Complex complex(Complex a, Complex b) { return a * b; }
  static int64_t integer(int64_t a, int64_t b, IntFormat) {
    return int64_t(uint64_t(a) * uint64_t(b));
  }
};

struct Divide {
  static double real(double a, double b) { return a / b; }
  static Complex complex(Complex a, Complex b) { return a / b; }
};

struct Power {
  static double real(double a, double b) { return std::pow(a, b); }
  static Complex complex(Complex a, Complex b) {
    if (b == Complex())
      return 1;
    if (a == Complex() && b.imag() == 0)
      return b.real() > 0 ? 0 : HUGE_VAL;
    return std::pow(a, b);
  }
  static int64_t integer(int64_t a, int64_t b, IntFormat format) {
    if (!format.isUnsigned && b < 0)
      return a == 1 ? 1 : a != -1 ? 0 : b % 2 == 0 ? 1 : -1;
    uint64_t result = 1, base = uint64_t(a);
    for (uint64_t rest = uint64_t(b); rest != 0; rest >>= 1, base *= base)
      if (rest & 1)
        result *= base;
    return int64_t(result);
  }
};

struct Atan2 {
  static double real(double a, double b) { return std::atan2(a, b); }
};

struct Maximum {
  static double real(double a, double b) {
    return std::isnan(a) || a > b || (a == b && !std::signbit(a)) ? a : b;
  }
  static int64_t integer(int64_t a, int64_t b, IntFormat format) {
    return format.less(a, b) ? b : a;
  }
};

struct Minimum {
  static double real(double a, double b) {
    return std::isnan(a) || a < b || (a == b && std::signbit(a)) ? a : b;
  }
  static int64_t integer(int64_t a, int64_t b, IntFormat format) {
    return format.less(b, a) ? b : a;
  }
};

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

struct BitAnd {
  static int64_t integer(int64_t a, int64_t b, IntFormat) { return a & b; }
};
struct BitOr {
  static int64_t integer(int64_t a, int64_t b, IntFormat) { return a | b; }
};
struct BitXor {
  static int64_t integer(int64_t a, int64_t b, IntFormat) { return a ^ b; }
};

struct ShiftLeft {
  static int64_t integer(int64_t a, int64_t b, IntFormat format) {
    return uint64_t(b) < format.width ? int64_t(uint64_t(a) << b) : 0;
  }
};

struct ShiftRight {
  static int64_t integer(int64_t a, int64_t b, IntFormat format) {
    if (uint64_t(b) < format.width)
      return format.isUnsigned ? int64_t(uint64_t(a) >> b) : a >> b;
    return !format.isUnsigned && a < 0 ? -1 : 0;
  }
};

struct CopySign {
  static double real(double a, double b) { return std::copysign(a, b); }
};
} // namespace

//===----------------------------------------------------------------------===//
// Division of integers
//===----------------------------------------------------------------------===//

static int64_t quotient(int64_t a, int64_t b, const IntFormat &format) {
  if (format.isUnsigned)
    return int64_t(uint64_t(a) / uint64_t(b));
  return b == -1 ? int64_t(-uint64_t(a)) : a / b;
}

static int64_t remainder(int64_t a, int64_t b, const IntFormat &format) {
  if (format.isUnsigned)
    return int64_t(uint64_t(a) % uint64_t(b));
  return b == -1 ? 0 : a % b;
}

/// An error that names the first element whose divisor is zero.
static LogicalResult checkDivisors(Evaluator &evaluator, Operands operands) {
  if (failed(checkEqualSizes(evaluator, operands)))
    return failure();
  for (int64_t i = 0; i < operands[1].count(); ++i)
    if (operands[1].data<int64_t>()[i] == 0)
      return evaluator.fail("integer division of " +
                            Twine(operands[0].data<int64_t>()[i]) +
                            " by zero at element " + Twine(i));
  return success();
}

template <int64_t (*Function)(int64_t, int64_t, const IntFormat &)>
static FailureOr<Tensor> divideIntegers(Evaluator &evaluator,
                                        Operands operands) {
  if (failed(checkDivisors(evaluator, operands)))
    return failure();
  IntFormat format = intFormat(operands[0]);
  return combine<int64_t, int64_t>(
      evaluator, operands, operands[0].element(),
      [&](int64_t a, int64_t b) { return Function(a, b, format); });
}

static LogicalResult idiv(prim::IDivOp, Evaluator &evaluator, Operands operands,
                          Results &results) {
  return push(divideIntegers<quotient>(evaluator, operands), results);
}

static LogicalResult rem(prim::RemOp, Evaluator &evaluator, Operands operands,
                         Results &results) {
  if (operands[0].isInteger())
    return push(divideIntegers<remainder>(evaluator, operands), results);
  double (*function)(double, double) = std::fmod;
  return push(combine<double, double>(evaluator, operands,
                                      operands[0].element(), function),
              results);
}

static LogicalResult nextafter(prim::NextafterOp, Evaluator &evaluator,
                               Operands operands, Results &results) {
  // Always in the type itself: there is no meaning to it in another one.
  FloatFormat format(cast<FloatType>(operands[0].element()));
  return push(combine<double, double>(evaluator, operands,
                                      operands[0].element(),
                                      [&](double a, double b) {
                                        return format.next(format.round(a), b);
                                      }),
              results);
}

//===----------------------------------------------------------------------===//
// Special functions
//===----------------------------------------------------------------------===//

using BinaryFunction = double (*)(double, double);

/// In the order of prim::SpecialBinaryKind.
static constexpr BinaryFunction specialFunctions[] = {
    special::zeta,       special::polygamma,  special::igamma,
    special::igammac,    special::chebyshevT, special::chebyshevU,
    special::chebyshevV, special::chebyshevW, special::hermiteH,
    special::hermiteHe,  special::laguerreL,  special::legendreP,
};
static_assert(std::size(specialFunctions) ==
              prim::getMaxEnumValForSpecialBinaryKind() + 1);

static LogicalResult specialBinary(prim::SpecialBinaryOp op,
                                   Evaluator &evaluator, Operands operands,
                                   Results &results) {
  return push(combine<double, double>(evaluator, operands,
                                      operands[0].element(),
                                      specialFunctions[uint32_t(op.getKind())]),
              results);
}

//===----------------------------------------------------------------------===//
// Comparison and choice
//===----------------------------------------------------------------------===//

template <typename T, typename Less>
static bool compare(prim::Comparison predicate, T a, T b, Less &&less) {
  switch (predicate) {
  case prim::Comparison::eq:
    return a == b;
  case prim::Comparison::ne:
    return a != b;
  case prim::Comparison::lt:
    return less(a, b);
  case prim::Comparison::gt:
    return less(b, a);
  case prim::Comparison::le:
    return a == b || less(a, b);
  case prim::Comparison::ge:
    return a == b || less(b, a);
  }
  llvm_unreachable("no such comparison");
}

static LogicalResult compareOp(prim::CompareOp op, Evaluator &evaluator,
                               Operands operands, Results &results) {
  Type boolean = IntegerType::get(op.getContext(), 1);
  auto comparison = [&]<typename T>(auto less) {
    return combine<T, int64_t>(evaluator, operands, boolean, [&](T a, T b) {
      return compare(op.getPredicate(), a, b, less);
    });
  };
  if (operands[0].isFloat())
    return push(comparison.operator()<double>(std::less<double>()), results);
  if (operands[0].isComplex())
    return push(
        comparison.operator()<Complex>([](Complex, Complex) { return false; }),
        results);
  IntFormat format = intFormat(operands[0]);
  return push(comparison.operator()<int64_t>(
                  [&](int64_t a, int64_t b) { return format.less(a, b); }),
              results);
}

static LogicalResult where(prim::WhereOp, Evaluator &evaluator,
                           Operands operands, Results &results) {
  if (failed(checkEqualSizes(evaluator, operands)))
    return failure();
  const int64_t *condition = operands[0].data<int64_t>();
  Tensor result = operands[2];
  visitWide(result.element(), [&]<typename T>() {
    const T *onTrue = operands[1].data<T>();
    T *out = result.mutableData<T>();
    for (int64_t i = 0; i < result.count(); ++i)
      if (condition[i])
        out[i] = onTrue[i];
  });
  results.push_back(result);
  return success();
}

void addBinaryRules(MLIRContext *context) {
  addBinary<prim::AddOp, Add>(context);
  addBinary<prim::SubOp, Subtract>(context);
  addBinary<prim::MulOp, Multiply>(context);
  addBinary<prim::DivOp, Divide>(context);
  addRule<prim::IDivOp, idiv>(context);
  addRule<prim::RemOp, rem>(context);
  addBinary<prim::PowOp, Power>(context);
  addBinary<prim::Atan2Op, Atan2>(context);
  addBinary<prim::MaxOp, Maximum>(context);
  addBinary<prim::MinOp, Minimum>(context);
  addBinary<prim::AndOp, BitAnd>(context);
  addBinary<prim::OrOp, BitOr>(context);
  addBinary<prim::XorOp, BitXor>(context);
  addBinary<prim::ShiftLeftOp, ShiftLeft>(context);
  addBinary<prim::ShiftRightOp, ShiftRight>(context);
  addRule<prim::NextafterOp, nextafter>(context);
  addBinary<prim::CopysignOp, CopySign>(context);
  addRule<prim::SpecialBinaryOp, specialBinary>(context);
  addRule<prim::CompareOp, compareOp>(context);
  addRule<prim::WhereOp, where>(context);
}

} // namespace adze::interp
