//===- Contraction.cpp - Matrix products and convolutions ----------------===//
//
// Accumulated in the wide form and rounded once. Loops are ordered so that the
// innermost one runs along memory.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"

using namespace mlir;

namespace adze::interp {

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

/// The operand with its last two dims swapped if they are the other way round.
static FailureOr<Tensor> straight(Evaluator &evaluator, const Tensor &operand,
                                  bool swapped) {
  if (!swapped)
    return operand;
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(operand.rank()));
  std::swap(permutation[operand.rank() - 1], permutation[operand.rank() - 2]);
  return transposed(evaluator, operand, permutation);
}

static LogicalResult matmul(prim::MatmulOp op, Evaluator &evaluator,
                            Operands operands, Results &results) {
  auto lhs = straight(evaluator, operands[0], op.getTransposeLhs());
  auto rhs = straight(evaluator, operands[1], op.getTransposeRhs());
  if (failed(lhs) || failed(rhs))
    return failure();
  int64_t rank = lhs->rank();
  int64_t m = lhs->size(rank - 2), k = lhs->size(rank - 1),
          n = rhs->size(rhs->rank() - 1);
  bool isShared = rhs->rank() == 2; // by all batches
  if ((!isShared && lhs->sizes().drop_back(2) != rhs->sizes().drop_back(2)) ||
      rhs->size(rhs->rank() - 2) != k)
    return evaluator.fail("can not multiply matrices of sizes " +
                          toString(lhs->sizes()) + " and " +
                          toString(rhs->sizes()));
  Sizes sizes(lhs->sizes());
  sizes.back() = n;
  auto result = evaluator.allocate(lhs->element(), sizes);
  if (failed(result))
    return failure();
  Store store(evaluator, lhs->element());
  int64_t batches = *product(lhs->sizes().drop_back(2));
  visitWide(lhs->element(), [&]<typename T>() {
    T *out = result->mutableData<T>();
    for (int64_t b = 0; b < batches; ++b)
      multiplyAdd(lhs->data<T>() + b * m * k,
                  rhs->data<T>() + (isShared ? 0 : b * k * n), out + b * m * n,
                  m, k, n);
    for (int64_t i = 0; i < result->count(); ++i)
      out[i] = store(out[i]);
  });
  results.push_back(*result);
  return success();
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

namespace {
/// A convolution, channels first. Weight (o, c, tap) of a group stands at
/// o * outputStep + c * inputStep + tap.
struct Convolution {
  bool transposed;
  ArrayRef<int64_t> stride, low, dilation;
  int64_t groups, batch, inputs, outputs; // channels per group
  Sizes in, window, out;                  // spatial sizes
  int64_t inputStep, outputStep, groupStep;

  /// The input element that a tap of the filter meets at an output position,
  /// -1 if there is none.
  int64_t inputOffset(ArrayRef<int64_t> position, ArrayRef<int64_t> tap) const {
    int64_t offset = 0;
    for (size_t d = 0; d < in.size(); ++d) {
      int64_t at =
          transposed ? position[d] + low[d] - tap[d] * dilation[d]
                     : position[d] * stride[d] - low[d] + tap[d] * dilation[d];
      if (transposed) {
        if (at % stride[d] != 0)
          return -1;
        at /= stride[d];
      }
      if (at < 0 || at >= in[d])
        return -1;
      offset = offset * in[d] + at;
    }
    return offset;
  }
};
} // namespace

static Sizes unravel(int64_t index, ArrayRef<int64_t> sizes) {
  Sizes position(sizes.size());
  for (size_t d = sizes.size(); d-- > 0; index /= sizes[d])
    position[d] = index % sizes[d];
  return position;
}

static constexpr int64_t blockOfPositions = 256;

/// Output positions [begin, end) of one group of one image: for each tap and
/// channel one row of inputs, times the weights of all output channels.
template <typename T>
static void convolveBlock(const Convolution &conv, const T *image,
                          const T *filter, T *out, int64_t begin, int64_t end) {
  int64_t taps = *product(conv.window), plane = *product(conv.in);
  int64_t positions = *product(conv.out), count = end - begin;
  std::vector<int64_t> offsets(count);
  std::vector<T> row(count), sums(conv.outputs * count);
  for (int64_t tap = 0; tap < taps; ++tap) {
    Sizes tapIndex = unravel(tap, conv.window);
    for (int64_t p = 0; p < count; ++p)
      offsets[p] = conv.inputOffset(unravel(begin + p, conv.out), tapIndex);
    for (int64_t c = 0; c < conv.inputs; ++c) {
      for (int64_t p = 0; p < count; ++p)
        row[p] = offsets[p] < 0 ? T() : image[c * plane + offsets[p]];
      for (int64_t o = 0; o < conv.outputs; ++o)
        addScaled(filter[o * conv.outputStep + c * conv.inputStep + tap],
                  row.data(), sums.data() + o * count, count);
    }
  }
  for (int64_t o = 0; o < conv.outputs; ++o)
    std::copy_n(sums.data() + o * count, count, out + o * positions + begin);
}

template <typename T>
static void convolve(const Convolution &conv, const T *input, const T *filter,
                     T *out) {
  int64_t positions = *product(conv.out), plane = *product(conv.in);
  for (int64_t image = 0; image < conv.batch * conv.groups; ++image)
    for (int64_t begin = 0; begin < positions; begin += blockOfPositions)
      convolveBlock(conv, input + image * conv.inputs * plane,
                    filter + image % conv.groups * conv.groupStep,
                    out + image * conv.outputs * positions, begin,
                    std::min(begin + blockOfPositions, positions));
}

/// True for a filter [C, O/groups, spatial...] instead of [O, C/groups, ...].
static bool hasSwappedFilter(prim::ConvolutionOp op) {
  return op.getTransposed() &&
         op.getLayout() == prim::ImageLayout::channels_first;
}

static Convolution describe(prim::ConvolutionOp op, const Tensor &input,
                            const Tensor &filter, ArrayRef<int64_t> out) {
  Convolution conv;
  conv.transposed = op.getTransposed();
  conv.stride = op.getStride();
  conv.low = op.getLow();
  conv.dilation = op.getDilation();
  conv.groups = op.getGroups();
  conv.batch = input.size(0);
  conv.inputs = input.size(1) / conv.groups;
  conv.in = Sizes(input.sizes().drop_front(2));
  conv.window = Sizes(filter.sizes().drop_front(2));
  conv.out = Sizes(out.drop_front(2));
  conv.outputs = out[1] / conv.groups;
  int64_t taps = *product(conv.window);
  bool isSwapped = hasSwappedFilter(op);
  conv.inputStep = isSwapped ? filter.size(1) * taps : taps;
  conv.outputStep = isSwapped ? taps : filter.size(1) * taps;
  conv.groupStep =
      isSwapped ? conv.inputs * conv.inputStep : conv.outputs * conv.outputStep;
  return conv;
}

/// Moves the last dim (channels) to place 1, or back.
static FailureOr<Tensor> moveChannels(Evaluator &evaluator,
                                      const Tensor &tensor, bool first) {
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(tensor.rank()));
  auto begin = permutation.begin() + 1;
  if (first)
    std::rotate(begin, permutation.end() - 1, permutation.end());
  else
    std::rotate(begin, begin + 1, permutation.end());
  return transposed(evaluator, tensor, permutation);
}

/// From [spatial..., C/groups, O] to [O, C/groups, spatial...].
static FailureOr<Tensor> outputsFirst(Evaluator &evaluator,
                                      const Tensor &filter) {
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(filter.rank() - 2));
  permutation.insert(permutation.begin(),
                     {filter.rank() - 1, filter.rank() - 2});
  return transposed(evaluator, filter, permutation);
}

static FailureOr<Tensor>
convolveFirst(prim::ConvolutionOp op, Evaluator &evaluator, const Tensor &input,
              const Tensor &filter, ArrayRef<int64_t> sizes) {
  auto result = evaluator.allocate(input.element(), sizes);
  if (failed(result))
    return failure();
  Convolution conv = describe(op, input, filter, sizes);
  if (filter.size(hasSwappedFilter(op) ? 0 : 1) !=
      conv.inputs * (hasSwappedFilter(op) ? conv.groups : 1))
    return evaluator.fail("filters of sizes " + toString(filter.sizes()) +
                          " do not fit an input of sizes " +
                          toString(input.sizes()));
  Store store(evaluator, input.element());
  visitWide(input.element(), [&]<typename T>() {
    T *out = result->mutableData<T>();
    convolve(conv, input.data<T>(), filter.data<T>(), out);
    for (int64_t i = 0; i < result->count(); ++i)
      out[i] = store(out[i]);
  });
  return result;
}

static LogicalResult convolution(prim::ConvolutionOp op, Evaluator &evaluator,
                                 Operands operands, Results &results) {
  auto sizes = evaluator.sizesOf(op.getType());
  if (failed(sizes))
    return failure();
  FailureOr<Tensor> input = operands[0], filter = operands[1];
  bool last = op.getLayout() == prim::ImageLayout::channels_last;
  if (last) {
    input = moveChannels(evaluator, *input, true);
    filter = outputsFirst(evaluator, *filter);
    std::rotate(sizes->begin() + 1, sizes->end() - 1, sizes->end());
  }
  if (failed(input) || failed(filter))
    return failure();
  auto result = convolveFirst(op, evaluator, *input, *filter, *sizes);
  if (succeeded(result) && last)
    result = moveChannels(evaluator, *result, false);
  if (failed(result))
    return failure();
  results.push_back(*result);
  return success();
}

void addContractionRules(MLIRContext *context) {
  addRule<prim::MatmulOp, matmul>(context);
  addRule<prim::ConvolutionOp, convolution>(context);
}

} // namespace adze::interp
