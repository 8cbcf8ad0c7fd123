//===- Pooling.cpp - Reductions of windows -------------------------------===//

#include "Rules.h"

#include <cmath>

using namespace mlir;

namespace adze::interp {

namespace {
/// The windows over the pooled dims of a tensor seen as [planes, pooled dims].
struct Windows {
  ArrayRef<int64_t> window, stride, low, dilation;
  Sizes in, out; // pooled sizes

  /// Calls visit(offset) for each element of a plane in the window at an
  /// output position, in row-major order.
  template <typename Visit>
  void forEach(ArrayRef<int64_t> position, Visit &&visit) const {
    Sizes zero(window.size(), 0), tap(window.size(), 0);
    forEachOffset(window, zero, 0, [&](int64_t) {
      int64_t offset = 0;
      bool inside = true;
      for (size_t d = 0; d < window.size(); ++d) {
        int64_t at = position[d] * stride[d] - low[d] + tap[d] * dilation[d];
        inside &= at >= 0 && at < in[d];
        offset = offset * in[d] + at;
      }
      if (inside)
        visit(offset);
      for (size_t d = window.size(); d-- > 0 && ++tap[d] == window[d];)
        tap[d] = 0;
    });
  }
};
} // namespace

/// Calls compute(input plane number, position, output element number).
template <typename Compute>
static void forEachWindow(const Windows &windows, int64_t planes,
                          Compute &&compute) {
  int64_t positions = *product(windows.out);
  for (int64_t plane = 0; plane < planes; ++plane)
    for (int64_t p = 0; p < positions; ++p) {
      Sizes position(windows.out.size());
      int64_t rest = p;
      for (size_t d = position.size(); d-- > 0; rest /= windows.out[d])
        position[d] = rest % windows.out[d];
      compute(plane, position, plane * positions + p);
    }
}

template <typename OpT>
static Windows windowsOf(OpT op, ArrayRef<int64_t> in, ArrayRef<int64_t> out) {
  size_t pooled = op.getWindow().size();
  return {op.getWindow(),
          op.getStride(),
          op.getLow(),
          op.getDilation(),
          Sizes(in.take_back(pooled)),
          Sizes(out.take_back(pooled))};
}

static double better(double a, double b, bool larger) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  return larger ? std::max(a, b) : std::min(a, b);
}

static LogicalResult poolFirst(prim::PoolOp op, Evaluator &evaluator,
                               const Tensor &operand, Tensor &result) {
  auto integer = dyn_cast<IntegerType>(operand.element());
  Windows windows = windowsOf(op, operand.sizes(), result.sizes());
  int64_t plane = *product(windows.in);
  Store store(evaluator, operand.element());
  bool sum = op.getKind() == prim::Reduction::sum;
  bool larger = op.getKind() == prim::Reduction::max;
  int64_t planes = *product(operand.sizes().drop_back(windows.window.size()));
  auto reduce = [&]<typename T>(T initial, auto &&take) {
    const T *in = operand.data<T>();
    T *out = result.mutableData<T>();
    forEachWindow(windows, planes,
                  [&](int64_t p, ArrayRef<int64_t> position, int64_t at) {
                    T sofar = initial;
                    windows.forEach(position, [&](int64_t offset) {
                      sofar = take(sofar, in[p * plane + offset]);
                    });
                    out[at] = store(sofar);
                  });
  };
  if (!integer) {
    double initial = sum ? 0 : larger ? -HUGE_VAL : HUGE_VAL;
    reduce.operator()<double>(initial, [&](double a, double b) {
      return sum ? a + b : better(a, b, larger);
    });
    return success();
  }
  IntFormat format(integer);
  int64_t initial = sum ? 0 : larger ? format.least() : format.largest();
  reduce.operator()<int64_t>(initial, [&](int64_t a, int64_t b) {
    if (sum)
      return int64_t(uint64_t(a) + uint64_t(b));
    return format.less(a, b) == larger ? b : a;
  });
  return success();
}

/// Moves the channels, which come last, before the pooled dims; or back.
static FailureOr<Tensor> moveChannels(Evaluator &evaluator,
                                      const Tensor &tensor, int64_t pooled,
                                      bool before) {
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(tensor.rank()));
  auto begin = permutation.end() - pooled - 1;
  if (before)
    std::rotate(begin, permutation.end() - 1, permutation.end());
  else
    std::rotate(begin, begin + 1, permutation.end());
  return transposed(evaluator, tensor, permutation);
}

static LogicalResult pool(prim::PoolOp op, Evaluator &evaluator,
                          Operands operands, Results &results) {
  auto sizes = evaluator.sizesOf(op.getType());
  if (failed(sizes))
    return failure();
  int64_t pooled = op.getWindow().size();
  bool last = op.getLayout() == prim::ImageLayout::channels_last;
  FailureOr<Tensor> operand = operands[0];
  if (last) {
    operand = moveChannels(evaluator, *operand, pooled, true);
    std::rotate(sizes->end() - pooled - 1, sizes->end() - 1, sizes->end());
  }
  auto result = evaluator.allocate(operands[0].element(), *sizes);
  if (failed(operand) || failed(result) ||
      failed(poolFirst(op, evaluator, *operand, *result)))
    return failure();
  if (last)
    result = moveChannels(evaluator, *result, pooled, false);
  if (failed(result))
    return failure();
  results.push_back(*result);
  return success();
}

static LogicalResult argPool(prim::ArgPoolOp op, Evaluator &evaluator,
                             Operands operands, Results &results) {
  const Tensor &operand = operands[0];
  auto result = evaluator.allocate(op.getType());
  if (failed(result))
    return failure();
  Windows windows = windowsOf(op, operand.sizes(), result->sizes());
  int64_t plane = *product(windows.in);
  int64_t planes = *product(operand.sizes().drop_back(windows.window.size()));
  int64_t *out = result->mutableData<int64_t>();
  bool empty = false;
  auto search = [&]<typename T>(auto &&isBetter) {
    forEachWindow(windows, planes,
                  [&](int64_t p, ArrayRef<int64_t> position, int64_t at) {
                    const T *in = operand.data<T>() + p * plane;
                    int64_t best = -1;
                    windows.forEach(position, [&](int64_t offset) {
                      if (best < 0 || isBetter(in[offset], in[best]))
                        best = offset;
                    });
                    empty |= best < 0;
                    out[at] = best;
                  });
  };
  if (auto integer = dyn_cast<IntegerType>(operand.element()))
    search.operator()<int64_t>(
        [format = IntFormat(integer)](int64_t a, int64_t b) {
          return format.less(b, a);
        });
  else
    search.operator()<double>([](double a, double b) {
      return std::isnan(a) ? !std::isnan(b) : a > b;
    });
  if (empty)
    return evaluator.fail("a window holds no element");
  results.push_back(*result);
  return success();
}

void addPoolingRules(MLIRContext *context) {
  addRule<prim::PoolOp, pool>(context);
  addRule<prim::ArgPoolOp, argPool>(context);
}

} // namespace adze::interp
