//===- Neural.cpp - Softmax, norms and attention -------------------------===//

#include "Contraction.h"

#include <cmath>

using namespace mlir;

namespace adze::interp {

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

namespace {
/// The largest number of a line and the sum of exp(x - largest).
struct ExponentialSum {
  ExponentialSum(const double *line, int64_t length, int64_t step) {
    for (int64_t i = 0; i < length; ++i) {
      double x = line[i * step];
      if (std::isnan(x) || x > largest)
        largest = x;
    }
    for (int64_t i = 0; i < length; ++i)
      sum += std::exp(line[i * step] - largest);
  }
  double largest = -HUGE_VAL, sum = 0;
};
} // namespace

template <typename OpT, bool Logarithm>
static LogicalResult softmax(OpT op, Evaluator &evaluator, Operands operands,
                             Results &results) {
  Tensor result = operands[0];
  Store store(evaluator, result.element());
  Lines lines(result.sizes(), op.getDim());
  double *data = result.template mutableData<double>();
  lines.forEach([&](int64_t start) {
    ExponentialSum total(data + start, lines.length, lines.inner);
    for (int64_t i = 0; i < lines.length; ++i) {
      double &at = data[start + i * lines.inner];
      double shifted = at - total.largest;
      at = store(Logarithm ? shifted - std::log(total.sum)
                           : std::exp(shifted) / total.sum);
    }
  });
  results.push_back(result);
  return success();
}

//===----------------------------------------------------------------------===//
// Norms over the last dims
//===----------------------------------------------------------------------===//

/// The product of the last `axes` sizes.
static int64_t rowLength(const Tensor &operand, int64_t axes) {
  return *product(operand.sizes().take_back(axes));
}

/// A weight or bias has as many elements as a row.
static LogicalResult checkParameters(Evaluator &evaluator, Operands operands,
                                     int64_t length) {
  for (const Tensor &parameter : operands.drop_front())
    if (parameter.count() != length)
      return evaluator.fail("expects parameters of " + Twine(length) +
                            " elements, but found " + parameter.describe());
  return success();
}

static LogicalResult layerNorm(prim::LayerNormOp op, Evaluator &evaluator,
                               Operands operands, Results &results) {
  Tensor result = operands[0];
  auto mean = evaluator.allocate(op.getMean().getType());
  auto rstd = evaluator.allocate(op.getRstd().getType());
  int64_t length = rowLength(result, op.getAxes());
  if (failed(mean) || failed(rstd) ||
      failed(checkParameters(evaluator, operands, length)))
    return failure();
  bool hasWeight = bool(op.getWeight()), hasBias = bool(op.getBias());
  const double *weight = hasWeight ? operands[1].data<double>() : nullptr;
  const double *bias =
      hasBias ? operands[hasWeight ? 2 : 1].data<double>() : nullptr;
  Store store(evaluator, result.element()),
      storeMean(evaluator, mean->element());
  double *data = result.mutableData<double>();
  for (int64_t row = 0; row < mean->count(); ++row) {
    double *x = data + row * length, sum = 0, squares = 0;
    for (int64_t i = 0; i < length; ++i)
      sum += x[i];
    double average = sum / length;
    for (int64_t i = 0; i < length; ++i)
      squares += (x[i] - average) * (x[i] - average);
    double scale =
        1 / std::sqrt(squares / length + op.getEps().convertToDouble());
    for (int64_t i = 0; i < length; ++i)
      x[i] = store((x[i] - average) * scale * (weight ? weight[i] : 1) +
                   (bias ? bias[i] : 0));
    mean->mutableData<double>()[row] = storeMean(average);
    rstd->mutableData<double>()[row] = storeMean(scale);
  }
  llvm::append_values(results, result, *mean, *rstd);
  return success();
}

static LogicalResult rmsNorm(prim::RmsNormOp op, Evaluator &evaluator,
                             Operands operands, Results &results) {
  Tensor result = operands[0];
  int64_t length = rowLength(result, op.getAxes());
  if (failed(checkParameters(evaluator, operands, length)))
    return failure();
  const double *weight = op.getWeight() ? operands[1].data<double>() : nullptr;
  Store store(evaluator, result.element());
  double *data = result.mutableData<double>();
  for (int64_t start = 0; start < result.count(); start += length) {
    double *x = data + start, squares = 0;
    for (int64_t i = 0; i < length; ++i)
      squares += x[i] * x[i];
    double scale =
        1 / std::sqrt(squares / length + op.getEps().convertToDouble());
    for (int64_t i = 0; i < length; ++i)
      x[i] = store(x[i] * scale * (weight ? weight[i] : 1));
  }
  results.push_back(result);
  return success();
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

namespace {
struct Attention {
  int64_t length, keys, inner, values; // L, S, E, Ev
  double scale;
  bool causal;
};
} // namespace

/// The mask broadcast to [batch..., L, S], as numbers to add.
static FailureOr<Tensor> additiveMask(Evaluator &evaluator, const Tensor &mask,
                                      ArrayRef<int64_t> scores) {
  Sizes strides = rowMajorStrides(mask.sizes());
  for (auto [dim, size] : llvm::enumerate(mask.sizes())) {
    if (size != 1 && size != scores[dim])
      return evaluator.fail("can not broadcast a mask of sizes " +
                            toString(mask.sizes()) + " to " + toString(scores));
    if (size == 1)
      strides[dim] = 0;
  }
  auto full = stridedCopy(evaluator, mask, scores, strides);
  if (failed(full) || full->isFloat())
    return full;
  auto numbers =
      evaluator.allocate(Float64Type::get(mask.element().getContext()), scores);
  if (failed(numbers))
    return failure();
  for (int64_t i = 0; i < full->count(); ++i)
    numbers->mutableData<double>()[i] =
        full->data<int64_t>()[i] ? 0 : -HUGE_VAL;
  return numbers;
}

/// One row of scores becomes weights that add up to 1, or zeros if it sees no
/// key.
static void normalise(double *scores, int64_t count) {
  ExponentialSum total(scores, count, 1);
  for (int64_t i = 0; i < count; ++i)
    scores[i] = total.largest == -HUGE_VAL
                    ? 0
                    : std::exp(scores[i] - total.largest) / total.sum;
}

/// out[L, Ev] = softmax(scale * q k^T + mask) v, for one matrix.
static void attend(const Attention &a, const double *q, const double *k,
                   const double *v, const double *mask, double *out) {
  std::vector<double> scores(a.keys);
  for (int64_t i = 0; i < a.length; ++i) {
    for (int64_t j = 0; j < a.keys; ++j) {
      double sum = 0;
      for (int64_t e = 0; e < a.inner; ++e)
        sum += q[i * a.inner + e] * k[j * a.inner + e];
      bool seen = !a.causal || j <= i;
      scores[j] =
          seen ? sum * a.scale + (mask ? mask[i * a.keys + j] : 0) : -HUGE_VAL;
    }
    normalise(scores.data(), a.keys);
    multiplyAdd(scores.data(), v, out + i * a.values, 1, a.keys, a.values);
  }
}

static LogicalResult attention(prim::AttentionOp op, Evaluator &evaluator,
                               Operands operands, Results &results) {
  const Tensor &q = operands[0], &k = operands[1], &v = operands[2];
  int64_t rank = q.rank();
  Attention a{q.size(rank - 2),
              k.size(rank - 2),
              q.size(rank - 1),
              v.size(rank - 1),
              op.getScale().convertToDouble(),
              op.getCausal()};
  auto batch = q.sizes().drop_back(2);
  if (k.sizes().drop_back(2) != batch || v.sizes().drop_back(2) != batch ||
      k.size(rank - 1) != a.inner || v.size(rank - 2) != a.keys)
    return evaluator.fail("query, key and value of sizes " +
                          toString(q.sizes()) + ", " + toString(k.sizes()) +
                          " and " + toString(v.sizes()) + " do not fit");
  auto result = evaluator.allocate(op.getType());
  Sizes scores(q.sizes());
  scores.back() = a.keys;
  FailureOr<Tensor> mask = Tensor();
  if (op.getMask())
    mask = additiveMask(evaluator, operands[3], scores);
  if (failed(result) || failed(mask))
    return failure();
  const double *added = op.getMask() ? mask->data<double>() : nullptr;
  double *out = result->mutableData<double>();
  for (int64_t b = 0; b < *product(batch); ++b)
    attend(a, q.data<double>() + b * a.length * a.inner,
           k.data<double>() + b * a.keys * a.inner,
           v.data<double>() + b * a.keys * a.values,
           added ? added + b * a.length * a.keys : nullptr,
           out + b * a.length * a.values);
  Store store(evaluator, result->element());
  for (int64_t i = 0; i < result->count(); ++i)
    out[i] = store(out[i]);
  results.push_back(*result);
  return success();
}

void addNeuralRules(MLIRContext *context) {
  addRule<prim::SoftmaxOp, softmax<prim::SoftmaxOp, false>>(context);
  addRule<prim::LogSoftmaxOp, softmax<prim::LogSoftmaxOp, true>>(context);
  addRule<prim::LayerNormOp, layerNorm>(context);
  addRule<prim::RmsNormOp, rmsNorm>(context);
  addRule<prim::AttentionOp, attention>(context);
}

} // namespace adze::interp
