//===- BatchNorm.cpp - batch_norm and instance_norm -----------------------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

/// Mean and biased variance per channel (dim 1), and what follows from them.
struct Statistics {
  Value mean, variance, rstd;
};

struct BatchNorm {
  Value input; // in the type that is computed in
  Type element, opmath;
  Shape shape;
  SmallVector<int64_t> reduced; // all dims but the channels
};

static FailureOr<BatchNorm> readInput(CallContext &c) {
  BatchNorm norm;
  Value input = c.tensor("input");
  norm.element = c.b.elementOf(input);
  norm.opmath = opmathType(norm.element);
  norm.shape = c.b.shapeOf(input);
  if (norm.shape.size() == 1)
    return c.emitUnsupported("an input of rank 1");
  if (norm.shape.empty())
    return c.emitInvalid(
        "expected an input of rank 2 or more, but found rank " +
        Twine(norm.shape.size()));
  if (!isFloat(norm.element))
    return c.emitUnsupported("an input that is no float tensor");
  for (StringRef name : {"weight", "bias", "running_mean", "running_var"})
    if (auto value = c.optTensor(name); value && c.b.rankOf(*value) != 1)
      return c.emitInvalid("argument '" + name + "': expected rank 1");
  norm.input = c.b.convert(input, norm.opmath);
  norm.reduced = dimRange(0, norm.shape.size());
  norm.reduced.erase(norm.reduced.begin() + 1);
  return norm;
}

static Value reciprocalRoot(CallContext &c, Value variance) {
  return c.b.rsqrt(c.b.add(variance, c.number("eps")));
}

static Statistics batchStatistics(CallContext &c, const BatchNorm &norm) {
  Statistics stats;
  stats.mean = c.b.mean(norm.input, norm.reduced);
  Value centered =
      c.b.sub(norm.input, alignTo(c.b, stats.mean, 1, norm.shape.size()));
  stats.variance = c.b.mean(c.b.mul(centered, centered), norm.reduced);
  stats.rstd = reciprocalRoot(c, stats.variance);
  return stats;
}

static FailureOr<Statistics> runningStatistics(CallContext &c,
                                               const BatchNorm &norm) {
  if (c.isNone("running_mean") || c.isNone("running_var"))
    return c.emitInvalid("expected running statistics outside of training");
  Statistics stats;
  stats.mean = c.b.convert(c.tensor("running_mean"), norm.opmath);
  stats.variance = c.b.convert(c.tensor("running_var"), norm.opmath);
  stats.rstd = reciprocalRoot(c, stats.variance);
  return stats;
}

/// x * scale + shift, with both computed per channel.
static Value applyStatistics(CallContext &c, const BatchNorm &norm,
                             const Statistics &stats) {
  int64_t rank = norm.shape.size();
  Value scale = stats.rstd;
  if (auto weight = c.optTensor("weight"))
    scale = c.b.mul(scale, c.b.convert(*weight, norm.opmath));
  Value shift = c.b.neg(c.b.mul(stats.mean, scale));
  if (auto bias = c.optTensor("bias"))
    shift = c.b.add(shift, c.b.convert(*bias, norm.opmath));
  Value scaled = c.b.mul(norm.input, alignTo(c.b, scale, 1, rank));
  return c.b.convert(c.b.add(scaled, alignTo(c.b, shift, 1, rank)),
                     norm.element);
}

/// (x - mean) * rstd * weight + bias: does not cancel where the mean is large.
static Value applyCentered(CallContext &c, const BatchNorm &norm,
                           const Statistics &stats) {
  int64_t rank = norm.shape.size();
  Value scale = stats.rstd;
  if (auto weight = c.optTensor("weight"))
    scale = c.b.mul(scale, c.b.convert(*weight, norm.opmath));
  Value centered = c.b.sub(norm.input, alignTo(c.b, stats.mean, 1, rank));
  Value result = c.b.mul(centered, alignTo(c.b, scale, 1, rank));
  if (auto bias = c.optTensor("bias"))
    result =
        c.b.add(result, alignTo(c.b, c.b.convert(*bias, norm.opmath), 1, rank));
  return c.b.convert(result, norm.element);
}

/// (1 - momentum) * running + momentum * fresh
static Value blend(CallContext &c, Value running, Value fresh) {
  double momentum = c.number("momentum");
  Type element = c.b.elementOf(running);
  return c.compute(element, {running}, [&](ArrayRef<Value> x) {
    Value update = c.b.convert(fresh, c.b.elementOf(x[0]));
    return c.b.add(c.b.mul(x[0], 1 - momentum), c.b.mul(update, momentum));
  });
}

/// variance * n / (n - 1)
static Value unbiased(CallContext &c, Value variance, Value input,
                      ArrayRef<int64_t> dims) {
  Value count = c.b.sizeProduct(input, dims, c.b.elementOf(variance));
  return c.b.mul(variance, c.b.div(count, c.b.sub(count, 1)));
}

struct Running {
  Value mean, variance;
};

/// The running statistics after a training step; null where there are none.
static Running updatedStatistics(CallContext &c, const BatchNorm &norm,
                                 const Statistics &stats) {
  Running result;
  if (auto mean = c.optTensor("running_mean"))
    result.mean = blend(c, *mean, stats.mean);
  if (auto variance = c.optTensor("running_var"))
    result.variance = blend(
        c, *variance, unbiased(c, stats.variance, norm.input, norm.reduced));
  return result;
}

static LogicalResult writeStatistics(CallContext &c, const Running &running) {
  if (running.mean && failed(c.write("running_mean", running.mean)))
    return c.emitUnsupported("a write to these running statistics");
  if (running.variance && failed(c.write("running_var", running.variance)))
    return c.emitUnsupported("a write to these running statistics");
  return success();
}

//===----------------------------------------------------------------------===//
// Kinds of batch norm
//===----------------------------------------------------------------------===//

/// What a batch norm gives besides its result.
struct BatchNormResults {
  Value result;
  Statistics stats;
  Running running;
};

static FailureOr<BatchNormResults> runBatchNorm(CallContext &c, bool training) {
  FailureOr<BatchNorm> norm = readInput(c);
  if (failed(norm))
    return failure();
  BatchNormResults results;
  if (training) {
    results.stats = batchStatistics(c, *norm);
    results.result = applyCentered(c, *norm, results.stats);
    results.running = updatedStatistics(c, *norm, results.stats);
    return results;
  }
  FailureOr<Statistics> stats = runningStatistics(c, *norm);
  if (failed(stats))
    return failure();
  results.stats = *stats;
  results.result = applyStatistics(c, *norm, *stats);
  return results;
}

/// A saved statistic as recorded: outside of training it is empty.
static Value savedAs(CallContext &c, size_t i, Value value) {
  if (c.resultType(i).getRank() == 1 && sym::isConstant(c.resultShape(i)[0], 0))
    return c.b.full(c.resultShape(i), 0, c.resultElement(i));
  return c.b.convert(value, c.resultElement(i));
}

static LogicalResult decomposeBatchNorm(CallContext &c) {
  Value input = c.tensor("input");
  if (c.b.rankOf(input) == 1 && sym::isConstant(c.b.shapeOf(input)[0], 0))
    return c.setResult(0, input);
  FailureOr<BatchNormResults> results = runBatchNorm(c, c.flag("training"));
  if (failed(results) || failed(writeStatistics(c, results->running)))
    return failure();
  return c.setResult(0, results->result);
}

static LogicalResult setSaved(CallContext &c, const BatchNormResults &results) {
  (void)c.setResult(0, results.result);
  (void)c.setResult(1, savedAs(c, 1, results.stats.mean));
  return c.setResult(2, savedAs(c, 2, results.stats.rstd));
}

/// native_batch_norm, _native_batch_norm_legit
static LogicalResult decomposeNativeBatchNorm(CallContext &c) {
  FailureOr<BatchNormResults> results = runBatchNorm(c, c.flag("training"));
  if (failed(results) || failed(writeStatistics(c, results->running)))
    return failure();
  return setSaved(c, *results);
}

static LogicalResult decomposeNoTraining(CallContext &c) {
  FailureOr<BatchNormResults> results = runBatchNorm(c, /*training=*/false);
  return failed(results) ? failure() : setSaved(c, *results);
}

/// Gives the new running statistics instead of writing them.
static LogicalResult setFunctional(CallContext &c, size_t first,
                                   const BatchNormResults &results) {
  Value mean =
      results.running.mean ? results.running.mean : c.tensor("running_mean");
  Value variance = results.running.variance ? results.running.variance
                                            : c.tensor("running_var");
  (void)c.setResult(first, mean);
  return c.setResult(first + 1, variance);
}

static LogicalResult decomposeFunctional(CallContext &c) {
  FailureOr<BatchNormResults> results = runBatchNorm(c, c.flag("training"));
  if (failed(results) || failed(setSaved(c, *results)))
    return failure();
  return setFunctional(c, 3, *results);
}

/// The fourth result is memory of other backends.
static Value reserve(CallContext &c) {
  return c.b.full(c.resultShape(3), 0, c.resultElement(3));
}

static LogicalResult decomposeWithUpdate(CallContext &c) {
  FailureOr<BatchNormResults> results = runBatchNorm(c, /*training=*/true);
  if (failed(results) || failed(writeStatistics(c, results->running)) ||
      failed(setSaved(c, *results)))
    return failure();
  return c.setResult(3, reserve(c));
}

static LogicalResult decomposeWithUpdateFunctional(CallContext &c) {
  FailureOr<BatchNormResults> results = runBatchNorm(c, /*training=*/true);
  if (failed(results) || failed(setSaved(c, *results)))
    return failure();
  (void)c.setResult(3, reserve(c));
  return setFunctional(c, 4, *results);
}

static LogicalResult decomposeNoUpdate(CallContext &c) {
  if (failed(decomposeNoTraining(c)))
    return failure();
  return c.setResult(3, reserve(c));
}

//===----------------------------------------------------------------------===//
// Instance norm
//===----------------------------------------------------------------------===//

/// Mean and variance of each channel of each image: `[N, C]`.
static Statistics instanceStatistics(CallContext &c, const BatchNorm &norm) {
  SmallVector<int64_t> spatial = dimRange(2, norm.shape.size() - 2);
  Value mean = c.b.mean(norm.input, spatial, /*keepDims=*/true);
  Value centered = c.b.sub(norm.input, mean);
  Value variance =
      c.b.mean(c.b.mul(centered, centered), spatial, /*keepDims=*/true);
  return {mean, variance, reciprocalRoot(c, variance)};
}

static Value applyInstance(CallContext &c, const BatchNorm &norm,
                           const Statistics &stats) {
  int64_t rank = norm.shape.size();
  Value result = c.b.mul(c.b.sub(norm.input, stats.mean), stats.rstd);
  if (auto weight = c.optTensor("weight"))
    result = c.b.mul(result,
                     alignTo(c.b, c.b.convert(*weight, norm.opmath), 1, rank));
  if (auto bias = c.optTensor("bias"))
    result =
        c.b.add(result, alignTo(c.b, c.b.convert(*bias, norm.opmath), 1, rank));
  return c.b.convert(result, norm.element);
}

/// Running statistics move towards the mean over all images.
static LogicalResult updateInstance(CallContext &c, const BatchNorm &norm,
                                    const Statistics &stats) {
  SmallVector<int64_t> spatial = dimRange(2, norm.shape.size() - 2);
  Running running;
  if (auto mean = c.optTensor("running_mean"))
    running.mean = blend(c, *mean, c.b.mean(stats.mean, norm.reduced));
  if (auto variance = c.optTensor("running_var")) {
    Value fresh = unbiased(c, stats.variance, norm.input, spatial);
    running.variance = blend(c, *variance, c.b.mean(fresh, norm.reduced));
  }
  return writeStatistics(c, running);
}

static LogicalResult decomposeInstanceNorm(CallContext &c) {
  FailureOr<BatchNorm> norm = readInput(c);
  if (failed(norm))
    return failure();
  if (!c.flag("use_input_stats")) {
    FailureOr<Statistics> stats = runningStatistics(c, *norm);
    return failed(stats) ? failure()
                         : c.setResult(0, applyStatistics(c, *norm, *stats));
  }
  Statistics stats = instanceStatistics(c, *norm);
  if (failed(updateInstance(c, *norm, stats)))
    return failure();
  return c.setResult(0, applyInstance(c, *norm, stats));
}

void normalize::registerBatchNormDecompositions(DecompositionTable &table) {
  table.add("aten.batch_norm.default", decomposeBatchNorm);
  table.add("aten.native_batch_norm.default", decomposeNativeBatchNorm);
  table.add("aten._native_batch_norm_legit.default", decomposeNativeBatchNorm);
  table.add("aten._native_batch_norm_legit.no_stats", decomposeNativeBatchNorm);
  table.add("aten._native_batch_norm_legit_no_training.default",
            decomposeNoTraining);
  table.add("aten._native_batch_norm_legit_functional.default",
            decomposeFunctional);
  table.add("aten._batch_norm_with_update.default", decomposeWithUpdate);
  table.add("aten._batch_norm_with_update_functional.default",
            decomposeWithUpdateFunctional);
  table.add("aten._batch_norm_no_update.default", decomposeNoUpdate);
  table.add("aten.instance_norm.default", decomposeInstanceNorm);
}
