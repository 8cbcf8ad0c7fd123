//===- Sorting.cpp - Sort, top-k and searches ----------------------------===//

#include "Rules.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace adze::interp {

/// NaN counts as larger than every number.
static bool precedes(double a, double b, const std::optional<IntFormat> &) {
  return std::isnan(b) ? !std::isnan(a) : a < b;
}
static bool precedes(int64_t a, int64_t b,
                     const std::optional<IntFormat> &format) {
  return format->less(a, b);
}

static std::optional<IntFormat> intFormat(const Tensor &tensor) {
  if (auto integer = dyn_cast<IntegerType>(tensor.element()))
    return IntFormat(integer);
  return std::nullopt;
}

/// Elements are real: calls the visitor with double or int64.
template <typename Visitor>
static void visitReal(const Tensor &tensor, Visitor &&visitor) {
  if (tensor.isFloat())
    visitor.template operator()<double>();
  else
    visitor.template operator()<int64_t>();
}

/// Sorts each line along `dim` stably and keeps the first elements, as many as
/// the values have.
template <typename T>
static void sortLines(const Tensor &operand, int64_t dim, bool descending,
                      Tensor &values, Tensor &indices) {
  auto format = intFormat(operand);
  Lines from(operand.sizes(), dim), to(values.sizes(), dim);
  const T *in = operand.data<T>();
  T *sorted = values.mutableData<T>();
  int64_t *order = indices.mutableData<int64_t>();
  std::vector<int64_t> line(from.length);
  for (int64_t o = 0; o < from.outer; ++o)
    for (int64_t i = 0; i < from.inner; ++i) {
      const T *first = in + o * from.length * from.inner + i;
      std::iota(line.begin(), line.end(), 0);
      llvm::sort(line, [&](int64_t a, int64_t b) {
        T x = first[a * from.inner], y = first[b * from.inner];
        bool before = precedes(x, y, format), after = precedes(y, x, format);
        return before == after ? a < b : before != descending; // stable
      });
      int64_t start = o * to.length * to.inner + i;
      for (int64_t k = 0; k < to.length; ++k) {
        sorted[start + k * to.inner] = first[line[k] * from.inner];
        order[start + k * to.inner] = line[k];
      }
    }
}

static LogicalResult sortInto(Evaluator &evaluator, const Tensor &operand,
                              int64_t dim, bool descending,
                              ArrayRef<int64_t> sizes, Results &results) {
  auto values = evaluator.allocate(operand.element(), sizes);
  auto indices = evaluator.allocate(
      IntegerType::get(operand.element().getContext(), 64), sizes);
  if (failed(values) || failed(indices))
    return failure();
  visitReal(operand, [&]<typename T>() {
    sortLines<T>(operand, dim, descending, *values, *indices);
  });
  results.push_back(*values);
  results.push_back(*indices);
  return success();
}

static LogicalResult sort(prim::SortOp op, Evaluator &evaluator,
                          Operands operands, Results &results) {
  return sortInto(evaluator, operands[0], op.getDim(), op.getDescending(),
                  operands[0].sizes(), results);
}

static LogicalResult topk(prim::TopkOp op, Evaluator &evaluator,
                          Operands operands, Results &results) {
  auto sizes = evaluator.sizesOf(op.getValues().getType());
  if (failed(sizes))
    return failure();
  int64_t wanted = (*sizes)[op.getDim()], found = operands[0].size(op.getDim());
  if (wanted > found)
    return evaluator.fail("can not take " + Twine(wanted) + " of " +
                          Twine(found) + " elements");
  return sortInto(evaluator, operands[0], op.getDim(), !op.getSmallest(),
                  *sizes, results);
}

/// The binary search of torch, which fixes where NaN goes.
template <typename T>
static int64_t search(const T *sequence, int64_t length, T value, bool right,
                      const std::optional<IntFormat> &format) {
  auto goesOn = [&](T middle) {
    if constexpr (std::is_same_v<T, double>)
      return right ? !(middle > value) : !(middle >= value);
    else
      return right ? !format->less(value, middle) : format->less(middle, value);
  };
  int64_t start = 0, end = length;
  while (start < end) {
    int64_t middle = start + (end - start) / 2;
    if (goesOn(sequence[middle]))
      start = middle + 1;
    else
      end = middle;
  }
  return start;
}

static LogicalResult searchsorted(prim::SearchsortedOp op, Evaluator &evaluator,
                                  Operands operands, Results &results) {
  const Tensor &sequence = operands[0], &values = operands[1];
  bool shared = sequence.rank() == 1;
  if (!shared && sequence.sizes().drop_back() != values.sizes().drop_back())
    return evaluator.fail("expects equal leading sizes, but found " +
                          toString(sequence.sizes()) + " and " +
                          toString(values.sizes()));
  auto result =
      evaluator.allocate(IntegerType::get(op.getContext(), 64), values.sizes());
  if (failed(result))
    return failure();
  int64_t length = sequence.sizes().back();
  int64_t row = values.rank() == 0 ? 1 : values.sizes().back();
  auto format = intFormat(sequence);
  visitReal(sequence, [&]<typename T>() {
    int64_t *out = result->mutableData<int64_t>();
    for (int64_t i = 0; i < values.count(); ++i)
      out[i] = search(sequence.data<T>() + (shared ? 0 : i / row * length),
                      length, values.data<T>()[i], op.getRight(), format);
  });
  results.push_back(*result);
  return success();
}

void addSortingRules(MLIRContext *context) {
  addRule<prim::SortOp, sort>(context);
  addRule<prim::TopkOp, topk>(context);
  addRule<prim::SearchsortedOp, searchsorted>(context);
}

} // namespace adze::interp
