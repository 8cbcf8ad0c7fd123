//===- Indexing.cpp - Gathers and scatters -------------------------------===//

#include "Rules.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace adze::interp {

static LogicalResult checkIndex(Evaluator &evaluator, int64_t index,
                                int64_t size, int64_t dim) {
  if (index < 0 || index >= size)
    return evaluator.fail("index " + Twine(index) +
                          " is out of range for size " + Twine(size) +
                          " of dim " + Twine(dim));
  return success();
}

static FailureOr<Tensor> combined(Evaluator &evaluator, Tensor result,
                                  prim::ScatterKind kind,
                                  ArrayRef<int64_t> places,
                                  const Tensor &values);

//===----------------------------------------------------------------------===//
// index, index_put
//===----------------------------------------------------------------------===//

namespace {
/// The sizes that indexing gives, and the element of the operand for each of
/// its elements.
struct Indexed {
  Sizes sizes;
  std::vector<int64_t> places;
};
} // namespace

/// For each position of the index tensors: the offset along the indexed dims.
static FailureOr<std::vector<int64_t>> offsetsOf(Evaluator &evaluator,
                                                 const Tensor &operand,
                                                 Operands indices,
                                                 ArrayRef<int64_t> dims) {
  Sizes strides = rowMajorStrides(operand.sizes());
  std::vector<int64_t> offsets(indices[0].count(), 0);
  for (auto [index, dim] : llvm::zip_equal(indices, dims))
    for (int64_t i = 0; i < index.count(); ++i) {
      int64_t at = index.data<int64_t>()[i];
      if (failed(checkIndex(evaluator, at, operand.size(dim), dim)))
        return failure();
      offsets[i] += at * strides[dim];
    }
  return offsets;
}

static FailureOr<Indexed> placesOf(Evaluator &evaluator, const Tensor &operand,
                                   Operands indices, ArrayRef<int64_t> dims,
                                   int64_t position) {
  auto offsets = offsetsOf(evaluator, operand, indices, dims);
  if (failed(offsets))
    return failure();
  Sizes strides = rowMajorStrides(operand.sizes()), rest, restStrides;
  for (int64_t dim = 0; dim < operand.rank(); ++dim)
    if (!llvm::is_contained(dims, dim)) {
      rest.push_back(operand.size(dim));
      restStrides.push_back(strides[dim]);
    }
  auto before = ArrayRef<int64_t>(rest).take_front(position);
  auto after = ArrayRef<int64_t>(rest).drop_front(position);
  auto stepsBefore = ArrayRef<int64_t>(restStrides).take_front(position);
  auto stepsAfter = ArrayRef<int64_t>(restStrides).drop_front(position);
  Indexed indexed;
  indexed.sizes.assign(before.begin(), before.end());
  llvm::append_range(indexed.sizes, indices[0].sizes());
  llvm::append_range(indexed.sizes, after);
  if (failed(evaluator.allocate(indices[0].element(), indexed.sizes)))
    return failure();
  forEachOffset(before, stepsBefore, 0, [&](int64_t start) {
    for (int64_t offset : *offsets)
      forEachOffset(after, stepsAfter, start + offset,
                    [&](int64_t at) { indexed.places.push_back(at); });
  });
  return indexed;
}

static LogicalResult take(Evaluator &evaluator, const Tensor &operand,
                          ArrayRef<int64_t> sizes, ArrayRef<int64_t> places,
                          Results &results) {
  auto result = evaluator.allocate(operand.element(), sizes);
  if (failed(result))
    return failure();
  visitWide(operand.element(), [&]<typename T>() {
    const T *in = operand.data<T>();
    T *out = result->mutableData<T>();
    for (int64_t place : places)
      *out++ = in[place];
  });
  results.push_back(*result);
  return success();
}

static LogicalResult index(prim::IndexOp op, Evaluator &evaluator,
                           Operands operands, Results &results) {
  auto indexed = placesOf(evaluator, operands[0], operands.drop_front(),
                          op.getDims(), op.getPosition());
  if (failed(indexed))
    return failure();
  return take(evaluator, operands[0], indexed->sizes, indexed->places, results);
}

static LogicalResult indexPut(prim::IndexPutOp op, Evaluator &evaluator,
                              Operands operands, Results &results) {
  auto indexed = placesOf(evaluator, operands[0], operands.drop_front(2),
                          op.getDims(), op.getPosition());
  if (failed(indexed))
    return failure();
  if (operands[1].sizes() != ArrayRef<int64_t>(indexed->sizes))
    return evaluator.fail("expects values of sizes " +
                          toString(indexed->sizes) + ", but found " +
                          toString(operands[1].sizes()));
  auto result = combined(evaluator, operands[0], op.getKind(), indexed->places,
                         operands[1]);
  if (failed(result))
    return failure();
  results.push_back(*result);
  return success();
}

//===----------------------------------------------------------------------===//
// gather, scatter
//===----------------------------------------------------------------------===//

/// The element of the operand that each element of the index stands for.
static FailureOr<std::vector<int64_t>> placesAlong(Evaluator &evaluator,
                                                   const Tensor &operand,
                                                   const Tensor &index,
                                                   int64_t dim) {
  Sizes strides = rowMajorStrides(operand.sizes());
  for (int64_t d = 0; d < operand.rank(); ++d)
    if (d != dim && index.size(d) > operand.size(d))
      return evaluator.fail("an index of sizes " + toString(index.sizes()) +
                            " exceeds an operand of sizes " +
                            toString(operand.sizes()) + " in dim " + Twine(d));
  int64_t step = strides[dim];
  strides[dim] = 0;
  std::vector<int64_t> places;
  places.reserve(index.count());
  const int64_t *next = index.data<int64_t>();
  LogicalResult status = success();
  forEachOffset(index.sizes(), strides, 0, [&](int64_t offset) {
    int64_t at = *next++;
    if (failed(checkIndex(evaluator, at, operand.size(dim), dim)))
      status = failure();
    else
      places.push_back(offset + at * step);
  });
  if (failed(status))
    return failure();
  return places;
}

static LogicalResult gather(prim::GatherOp op, Evaluator &evaluator,
                            Operands operands, Results &results) {
  auto places = placesAlong(evaluator, operands[0], operands[1], op.getDim());
  if (failed(places))
    return failure();
  return take(evaluator, operands[0], operands[1].sizes(), *places, results);
}

static LogicalResult scatter(prim::ScatterOp op, Evaluator &evaluator,
                             Operands operands, Results &results) {
  if (operands[1].sizes() != operands[2].sizes())
    return evaluator.fail("expects values of sizes " +
                          toString(operands[1].sizes()) + ", but found " +
                          toString(operands[2].sizes()));
  auto places = placesAlong(evaluator, operands[0], operands[1], op.getDim());
  if (failed(places))
    return failure();
  auto result =
      combined(evaluator, operands[0], op.getKind(), *places, operands[2]);
  if (failed(result))
    return failure();
  results.push_back(*result);
  return success();
}

//===----------------------------------------------------------------------===//
// Combining former elements with values
//===----------------------------------------------------------------------===//

static double combine(prim::ScatterKind kind, double a, double b, bool) {
  switch (kind) {
  case prim::ScatterKind::set:
    return b;
  case prim::ScatterKind::add:
    return a + b;
  case prim::ScatterKind::mul:
    return a * b;
  case prim::ScatterKind::max:
    return std::isnan(a) || a > b ? a : b;
  case prim::ScatterKind::min:
    return std::isnan(a) || a < b ? a : b;
  }
  llvm_unreachable("no such kind");
}

static Complex combine(prim::ScatterKind kind, Complex a, Complex b, bool) {
  if (kind == prim::ScatterKind::set)
    return b;
  return kind == prim::ScatterKind::mul ? a * b : a + b;
}

static int64_t combine(prim::ScatterKind kind, int64_t a, int64_t b,
                       bool isUnsigned) {
  bool less = isUnsigned ? uint64_t(a) < uint64_t(b) : a < b;
  switch (kind) {
  case prim::ScatterKind::set:
    return b;
  case prim::ScatterKind::add:
    return int64_t(uint64_t(a) + uint64_t(b));
  case prim::ScatterKind::mul:
    return int64_t(uint64_t(a) * uint64_t(b));
  case prim::ScatterKind::max:
    return less ? b : a;
  case prim::ScatterKind::min:
    return less ? a : b;
  }
  llvm_unreachable("no such kind");
}

/// Sums are not rounded before the end, as those of a reduction.
static FailureOr<Tensor> combined(Evaluator &evaluator, Tensor result,
                                  prim::ScatterKind kind,
                                  ArrayRef<int64_t> places,
                                  const Tensor &values) {
  auto integer = dyn_cast<IntegerType>(result.element());
  bool isUnsigned = integer && IntFormat(integer).isUnsigned;
  bool isBool = integer && integer.getWidth() == 1;
  if (isBool && kind == prim::ScatterKind::add)
    kind = prim::ScatterKind::max; // or
  Store store(evaluator, result.element());
  visitWide(result.element(), [&]<typename T>() {
    const T *in = values.data<T>();
    T *out = result.mutableData<T>();
    for (auto [place, value] :
         llvm::zip(places, ArrayRef<T>(in, values.count())))
      out[place] = combine(kind, out[place], value, isUnsigned);
    for (int64_t place : places)
      out[place] = store(out[place]);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// nonzero, unique
//===----------------------------------------------------------------------===//

static LogicalResult nonzero(prim::NonzeroOp op, Evaluator &evaluator,
                             Operands operands, Results &results) {
  const Tensor &operand = operands[0];
  const int64_t *in = operand.data<int64_t>();
  int64_t count = std::accumulate(in, in + operand.count(), int64_t(0));
  evaluator.bindSymbol(op.getSymbol(), count);
  auto result = evaluator.allocate(op.getType());
  if (failed(result))
    return failure();
  int64_t *out = result->mutableData<int64_t>();
  for (int64_t i = 0; i < operand.count(); ++i) {
    if (!in[i])
      continue;
    int64_t rest = i;
    for (int64_t dim = operand.rank(); dim-- > 0; rest /= operand.size(dim))
      out[dim] = rest % operand.size(dim);
    out += operand.rank();
  }
  results.push_back(*result);
  return success();
}

/// Numbers the runs of equal elements in the given order.
template <typename T>
static void numberRuns(const T *in, ArrayRef<int64_t> order,
                       std::vector<T> &values, std::vector<int64_t> &counts,
                       int64_t *inverse) {
  for (int64_t i : order) {
    if (values.empty() || values.back() != in[i]) { // NaN differs from NaN
      values.push_back(in[i]);
      counts.push_back(0);
    }
    ++counts.back();
    inverse[i] = int64_t(values.size()) - 1;
  }
}

template <typename T>
static std::vector<int64_t> sortedOrder(const Tensor &operand) {
  std::vector<int64_t> order(operand.count());
  std::iota(order.begin(), order.end(), 0);
  const T *in = operand.data<T>();
  auto integer = dyn_cast<IntegerType>(operand.element());
  auto precedes = [&](T a, T b) {
    if constexpr (std::is_same_v<T, double>)
      return std::isnan(b) ? !std::isnan(a) : a < b;
    else
      return IntFormat(integer).less(a, b);
  };
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return precedes(in[a], in[b]) || (!precedes(in[b], in[a]) && a < b);
  });
  return order;
}

template <typename T>
static LogicalResult uniqueOf(prim::UniqueOp op, Evaluator &evaluator,
                              const Tensor &operand, Results &results) {
  auto inverse = evaluator.allocate(IntegerType::get(op.getContext(), 64),
                                    operand.sizes());
  if (failed(inverse))
    return failure();
  std::vector<int64_t> order(operand.count());
  std::iota(order.begin(), order.end(), 0);
  if (!op.getConsecutive())
    order = sortedOrder<T>(operand);
  std::vector<T> found;
  std::vector<int64_t> occurrences;
  numberRuns(operand.data<T>(), order, found, occurrences,
             inverse->mutableData<int64_t>());
  evaluator.bindSymbol(op.getSymbol(), int64_t(found.size()));
  auto values = evaluator.allocate(op.getValues().getType());
  auto counts = evaluator.allocate(op.getCounts().getType());
  if (failed(values) || failed(counts))
    return failure();
  llvm::copy(found, values->template mutableData<T>());
  llvm::copy(occurrences, counts->template mutableData<int64_t>());
  llvm::append_values(results, *values, *inverse, *counts);
  return success();
}

static LogicalResult unique(prim::UniqueOp op, Evaluator &evaluator,
                            Operands operands, Results &results) {
  if (operands[0].isFloat())
    return uniqueOf<double>(op, evaluator, operands[0], results);
  return uniqueOf<int64_t>(op, evaluator, operands[0], results);
}

void addIndexingRules(MLIRContext *context) {
  addRule<prim::IndexOp, index>(context);
  addRule<prim::IndexPutOp, indexPut>(context);
  addRule<prim::GatherOp, gather>(context);
  addRule<prim::ScatterOp, scatter>(context);
  addRule<prim::NonzeroOp, nonzero>(context);
  addRule<prim::UniqueOp, unique>(context);
}

} // namespace adze::interp
