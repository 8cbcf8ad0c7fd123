//===- Movement.cpp - Reshapes, permutations, slices and joins -----------===//

#include "Rules.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace adze::interp {

//===----------------------------------------------------------------------===//
// Reading with strides
//===----------------------------------------------------------------------===//

FailureOr<Tensor> stridedCopy(Evaluator &evaluator, const Tensor &source,
                              ArrayRef<int64_t> sizes,
                              ArrayRef<int64_t> strides, int64_t offset) {
  auto result = evaluator.allocate(source.element(), sizes);
  if (failed(result))
    return failure();
  visitWide(source.element(), [&]<typename T>() {
    const T *in = source.data<T>();
    T *out = result->mutableData<T>();
    forEachOffset(sizes, strides, offset, [&](int64_t at) { *out++ = in[at]; });
  });
  return result;
}

FailureOr<Tensor> transposed(Evaluator &evaluator, const Tensor &source,
                             ArrayRef<int64_t> permutation) {
  Sizes all = rowMajorStrides(source.sizes()), sizes, strides;
  for (int64_t dim : permutation) {
    sizes.push_back(source.size(dim));
    strides.push_back(all[dim]);
  }
  return stridedCopy(evaluator, source, sizes, strides);
}

static LogicalResult push(FailureOr<Tensor> tensor, Results &results) {
  if (failed(tensor))
    return failure();
  results.push_back(std::move(*tensor));
  return success();
}

static LogicalResult reshape(prim::ReshapeOp op, Evaluator &evaluator,
                             Operands operands, Results &results) {
  auto sizes = evaluator.sizesOf(op.getType());
  if (failed(sizes))
    return failure();
  if (product(*sizes) != operands[0].count())
    return evaluator.fail("can not reshape " + toString(operands[0].sizes()) +
                          " to " + toString(*sizes));
  results.push_back(operands[0].reshaped(*sizes));
  return success();
}

static LogicalResult transpose(prim::TransposeOp op, Evaluator &evaluator,
                               Operands operands, Results &results) {
  return push(transposed(evaluator, operands[0], op.getPermutation()), results);
}

static LogicalResult broadcast(prim::BroadcastOp op, Evaluator &evaluator,
                               Operands operands, Results &results) {
  const Tensor &operand = operands[0];
  auto sizes = evaluator.sizesOf(op.getType());
  if (failed(sizes))
    return failure();
  Sizes all = rowMajorStrides(operand.sizes()), strides(sizes->size(), 0);
  int64_t added = int64_t(sizes->size()) - operand.rank();
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    int64_t size = operand.size(dim);
    if (size != 1 && size != (*sizes)[added + dim])
      return evaluator.fail("can not broadcast " + toString(operand.sizes()) +
                            " to " + toString(*sizes));
    strides[added + dim] = size == 1 ? 0 : all[dim];
  }
  return push(stridedCopy(evaluator, operand, *sizes, strides), results);
}

static LogicalResult reverse(prim::ReverseOp op, Evaluator &evaluator,
                             Operands operands, Results &results) {
  const Tensor &operand = operands[0];
  Sizes strides = rowMajorStrides(operand.sizes());
  int64_t offset = 0;
  for (int64_t dim : op.getDims()) {
    offset += strides[dim] * (operand.size(dim) - 1);
    strides[dim] = -strides[dim];
  }
  return push(stridedCopy(evaluator, operand, operand.sizes(), strides, offset),
              results);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

namespace {
/// Where the elements of a slice stand in the whole tensor.
struct Window {
  Sizes strides;
  int64_t offset = 0;
};
} // namespace

static FailureOr<Window> windowOf(Evaluator &evaluator, ArrayRef<int64_t> whole,
                                  ArrayRef<int64_t> part, ArrayAttr startExprs,
                                  ArrayRef<int64_t> strides) {
  auto starts = evaluator.evaluateAll(startExprs);
  if (failed(starts))
    return failure();
  Window window{rowMajorStrides(whole)};
  for (size_t i = 0; i < whole.size(); ++i) {
    int64_t start = (*starts)[i], last = 0;
    bool overflow = llvm::MulOverflow(part[i] - 1, strides[i], last) ||
                    llvm::AddOverflow(last, start, last);
    if (part[i] > 0 && (overflow || start < 0 || last >= whole[i]))
      return evaluator.fail("a slice of " + Twine(part[i]) + " from " +
                            Twine(start) + " by " + Twine(strides[i]) +
                            " reaches beyond size " + Twine(whole[i]) +
                            " of dim " + Twine(i));
    if (part[i] == 0)
      continue;
    window.offset += start * window.strides[i];
    if (part[i] > 1)
      window.strides[i] *= strides[i];
  }
  return window;
}

static LogicalResult slice(prim::SliceOp op, Evaluator &evaluator,
                           Operands operands, Results &results) {
  auto sizes = evaluator.sizesOf(op.getType());
  if (failed(sizes))
    return failure();
  auto window = windowOf(evaluator, operands[0].sizes(), *sizes, op.getStarts(),
                         op.getStrides());
  if (failed(window))
    return failure();
  return push(stridedCopy(evaluator, operands[0], *sizes, window->strides,
                          window->offset),
              results);
}

/// Overwrites the elements of a window by those of a tensor.
static void writeWindow(Tensor &whole, const Tensor &part,
                        const Window &window) {
  visitWide(whole.element(), [&]<typename T>() {
    const T *in = part.data<T>();
    T *out = whole.mutableData<T>();
    forEachOffset(part.sizes(), window.strides, window.offset,
                  [&](int64_t at) { out[at] = *in++; });
  });
}

static LogicalResult updateSlice(prim::UpdateSliceOp op, Evaluator &evaluator,
                                 Operands operands, Results &results) {
  auto window = windowOf(evaluator, operands[0].sizes(), operands[1].sizes(),
                         op.getStarts(), op.getStrides());
  if (failed(window))
    return failure();
  Tensor result = operands[0];
  writeWindow(result, operands[1], *window);
  results.push_back(result);
  return success();
}

//===----------------------------------------------------------------------===//
// Padding and joining
//===----------------------------------------------------------------------===//

static LogicalResult pad(prim::PadOp op, Evaluator &evaluator,
                         Operands operands, Results &results) {
  auto result = evaluator.allocate(op.getType());
  auto low = evaluator.evaluateAll(op.getLow());
  auto high = evaluator.evaluateAll(op.getHigh());
  if (failed(result) || failed(low) || failed(high))
    return failure();
  Window window{rowMajorStrides(result->sizes())};
  for (auto [i, before, after] : llvm::enumerate(*low, *high)) {
    if (before < 0 || after < 0 ||
        result->size(i) != operands[0].size(i) + before + after)
      return evaluator.fail("can not pad " + toString(operands[0].sizes()) +
                            " by " + toString(*low) + " and " +
                            toString(*high));
    window.offset += before * window.strides[i];
  }
  visitWide(result->element(), [&]<typename T>() {
    T *out = result->mutableData<T>();
    std::fill(out, out + result->count(), operands[1].item<T>());
  });
  writeWindow(*result, operands[0], window);
  results.push_back(*result);
  return success();
}

static LogicalResult concat(prim::ConcatOp op, Evaluator &evaluator,
                            Operands operands, Results &results) {
  auto result = evaluator.allocate(op.getType());
  if (failed(result))
    return failure();
  int64_t dim = op.getDim(), start = 0;
  Sizes strides = rowMajorStrides(result->sizes());
  for (const Tensor &operand : operands) {
    Sizes expected(result->sizes());
    expected[dim] = operand.size(dim);
    if (operand.sizes() != ArrayRef<int64_t>(expected) ||
        start + operand.size(dim) > result->size(dim))
      return evaluator.fail("can not join " + toString(operand.sizes()) +
                            " to a tensor of sizes " +
                            toString(result->sizes()));
    writeWindow(*result, operand, {strides, start * strides[dim]});
    start += operand.size(dim);
  }
  results.push_back(*result);
  return success();
}

void addMovementRules(MLIRContext *context) {
  addRule<prim::ReshapeOp, reshape>(context);
  addRule<prim::TransposeOp, transpose>(context);
  addRule<prim::BroadcastOp, broadcast>(context);
  addRule<prim::ReverseOp, reverse>(context);
  addRule<prim::SliceOp, slice>(context);
  addRule<prim::UpdateSliceOp, updateSlice>(context);
  addRule<prim::PadOp, pad>(context);
  addRule<prim::ConcatOp, concat>(context);
}

} // namespace adze::interp
