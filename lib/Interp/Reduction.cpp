//===- Reduction.cpp - Reductions and cumulative operations --------------===//

#include "Rules.h"

#include <cmath>

using namespace mlir;

namespace adze::interp {

namespace {
/// What a reduction starts from and how it takes one more element, for one
/// element type. Nothing is rounded before the end; integers wrap there.
class Combiner {
public:
  explicit Combiner(Type element)
      : format(isa<IntegerType>(element)
                   ? cast<IntegerType>(element)
                   : IntegerType::get(element.getContext(), 64)) {}

  template <typename T> T initial(prim::Reduction kind) const {
    switch (kind) {
    case prim::Reduction::sum:
    case prim::Reduction::any:
      return T(0);
    case prim::Reduction::prod:
    case prim::Reduction::all:
      return T(1);
    case prim::Reduction::max:
      return least(T());
    case prim::Reduction::min:
      return largest(T());
    }
    llvm_unreachable("no such reduction");
  }

  template <typename T> T take(prim::Reduction kind, T sofar, T next) const {
    switch (kind) {
    case prim::Reduction::sum:
    case prim::Reduction::any:
      return add(sofar, next);
    case prim::Reduction::prod:
    case prim::Reduction::all:
      return multiply(sofar, next);
    case prim::Reduction::max:
      return isBetter(next, sofar, true) ? next : sofar;
    case prim::Reduction::min:
      return isBetter(next, sofar, false) ? next : sofar;
    }
    llvm_unreachable("no such reduction");
  }

  /// NaN is better than every number and never replaced.
  bool isBetter(double a, double b, bool larger) const {
    if (std::isnan(a) || std::isnan(b))
      return !std::isnan(b);
    return larger ? a > b : a < b;
  }
  bool isBetter(int64_t a, int64_t b, bool larger) const {
    return larger ? format.less(b, a) : format.less(a, b);
  }
  bool isBetter(Complex, Complex, bool) const { return false; }

private:
  template <typename T> T add(T a, T b) const { return a + b; }
  int64_t add(int64_t a, int64_t b) const {
    return format.isBool() ? a | b : int64_t(uint64_t(a) + uint64_t(b));
  }
  template <typename T> T multiply(T a, T b) const { return a * b; }
  int64_t multiply(int64_t a, int64_t b) const {
    return int64_t(uint64_t(a) * uint64_t(b));
  }
  double least(double) const { return -HUGE_VAL; }
  double largest(double) const { return HUGE_VAL; }
  int64_t least(int64_t) const { return format.least(); }
  int64_t largest(int64_t) const { return format.largest(); }
  Complex least(Complex) const { return {}; }
  Complex largest(Complex) const { return {}; }

  IntFormat format; // of integers only
};
} // namespace

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static LogicalResult reduce(prim::ReduceOp op, Evaluator &evaluator,
                            Operands operands, Results &results) {
  const Tensor &operand = operands[0];
  Sizes all = rowMajorStrides(operand.sizes());
  Sizes sizes, strides, innerSizes, innerStrides;
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    bool gone = llvm::is_contained(op.getDims(), dim);
    (gone ? innerSizes : sizes).push_back(operand.size(dim));
    (gone ? innerStrides : strides).push_back(all[dim]);
  }
  auto result = evaluator.allocate(operand.element(), sizes);
  if (failed(result))
    return failure();
  Store store(evaluator, operand.element());
  Combiner combiner(operand.element());
  visitWide(operand.element(), [&]<typename T>() {
    const T *in = operand.data<T>();
    T *out = result->mutableData<T>();
    forEachOffset(sizes, strides, 0, [&](int64_t start) {
      T sofar = combiner.initial<T>(op.getKind());
      forEachOffset(innerSizes, innerStrides, start, [&](int64_t at) {
        sofar = combiner.take(op.getKind(), sofar, in[at]);
      });
      *out++ = store(sofar);
    });
  });
  results.push_back(*result);
  return success();
}

static LogicalResult argReduce(prim::ArgReduceOp op, Evaluator &evaluator,
                               Operands operands, Results &results) {
  const Tensor &operand = operands[0];
  int64_t dim = op.getDim();
  Sizes sizes(operand.sizes());
  sizes.erase(sizes.begin() + dim);
  auto result =
      evaluator.allocate(IntegerType::get(op.getContext(), 64), sizes);
  if (failed(result))
    return failure();
  if (operand.size(dim) == 0 && result->count() != 0)
    return evaluator.fail("expects at least one element along dim " +
                          Twine(dim));
  Combiner combiner(operand.element());
  bool larger = op.getKind() == prim::Reduction::max;
  Lines lines(operand.sizes(), dim);
  int64_t *out = result->mutableData<int64_t>();
  visitWide(operand.element(), [&]<typename T>() {
    const T *in = operand.data<T>();
    lines.forEach([&](int64_t start) {
      int64_t best = 0;
      for (int64_t i = 1; i < lines.length; ++i)
        if (combiner.isBetter(in[start + i * lines.inner],
                              in[start + best * lines.inner], larger))
          best = i;
      *out++ = best;
    });
  });
  results.push_back(*result);
  return success();
}

//===----------------------------------------------------------------------===//
// Cumulative operations
//===----------------------------------------------------------------------===//

static double logAddExp(double a, double b) {
  double larger = std::max(a, b), smaller = std::min(a, b);
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (std::isinf(larger) || larger == smaller)
    return std::isinf(larger) ? larger : larger + std::log(2.0);
  return larger + std::log1p(std::exp(smaller - larger));
}

static Complex logAddExp(Complex a, Complex b) {
  return a.real() > b.real() ? a + std::log(1.0 + std::exp(b - a))
                             : b + std::log(1.0 + std::exp(a - b));
}

static int64_t logAddExp(int64_t a, int64_t) { return a; }

static prim::Reduction reductionOf(prim::ScanKind kind) {
  switch (kind) {
  case prim::ScanKind::sum:
    return prim::Reduction::sum;
  case prim::ScanKind::prod:
    return prim::Reduction::prod;
  case prim::ScanKind::max:
    return prim::Reduction::max;
  default:
    return prim::Reduction::min;
  }
}

static LogicalResult cumulative(prim::CumulativeOp op, Evaluator &evaluator,
                                Operands operands, Results &results) {
  Tensor result = operands[0];
  Store store(evaluator, result.element());
  Combiner combiner(result.element());
  Lines lines(result.sizes(), op.getDim());
  prim::Reduction kind = reductionOf(op.getKind());
  bool exponential = op.getKind() == prim::ScanKind::logsumexp;
  visitWide(result.element(), [&]<typename T>() {
    T *data = result.mutableData<T>();
    lines.forEach([&](int64_t start) {
      T sofar{};
      for (int64_t i = 0; i < lines.length; ++i) {
        T &at = data[start + i * lines.inner];
        sofar = i == 0        ? at
                : exponential ? logAddExp(sofar, at)
                              : combiner.take(kind, sofar, at);
        at = store(sofar);
      }
    });
  });
  results.push_back(result);
  return success();
}

static LogicalResult argCumulative(prim::ArgCumulativeOp op,
                                   Evaluator &evaluator, Operands operands,
                                   Results &results) {
  const Tensor &operand = operands[0];
  auto result = evaluator.allocate(IntegerType::get(op.getContext(), 64),
                                   operand.sizes());
  if (failed(result))
    return failure();
  Combiner combiner(operand.element());
  bool larger = op.getKind() == prim::ScanKind::max;
  Lines lines(operand.sizes(), op.getDim());
  int64_t *out = result->mutableData<int64_t>();
  visitWide(operand.element(), [&]<typename T>() {
    const T *in = operand.data<T>();
    lines.forEach([&](int64_t start) {
      int64_t best = 0;
      for (int64_t i = 0; i < lines.length; ++i) {
        T next = in[start + i * lines.inner],
          sofar = in[start + best * lines.inner];
        // The last of equal ones counts, NaN being equal to NaN.
        if (!combiner.isBetter(sofar, next, larger))
          best = i;
        out[start + i * lines.inner] = best;
      }
    });
  });
  results.push_back(*result);
  return success();
}

void addReductionRules(MLIRContext *context) {
  addRule<prim::ReduceOp, reduce>(context);
  addRule<prim::ArgReduceOp, argReduce>(context);
  addRule<prim::CumulativeOp, cumulative>(context);
  addRule<prim::ArgCumulativeOp, argCumulative>(context);
}

} // namespace adze::interp
