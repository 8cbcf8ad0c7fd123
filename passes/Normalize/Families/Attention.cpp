//===- Attention.cpp - Scaled dot-product attention -----------------------===//

#include "passes/Normalize/Families/Helpers.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

struct AttentionArguments {
  Value query, key, value;
  std::optional<Value> mask;
  double scale = 1;
  bool causal = false;
};

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Every head of keys serves several heads of queries.
static Value repeatHeads(CallContext &c, Value value, Expr heads) {
  int64_t dim = c.b.rankOf(value) - 3;
  Expr own = c.b.shapeOf(value)[dim];
  Expr times = sym::floorDiv(heads, own);
  Value expanded = c.b.unsqueeze(value, dim + 1);
  Shape shape = c.b.shapeOf(expanded);
  shape[dim + 1] = times;
  return joinDims(c.b, c.b.broadcast(expanded, shape), dim, 2);
}

/// All operands get the leading dims of their common broadcast shape.
static void broadcastOperands(CallContext &c, AttentionArguments &a) {
  broadcastBatches(c.b, a.query, a.key, 2);
  broadcastBatches(c.b, a.query, a.value, 2);
  broadcastBatches(c.b, a.query, a.key, 2);
}

/// 1 / sqrt(E) by default; for a symbolic E the query is scaled instead.
static void readScale(CallContext &c, AttentionArguments &a) {
  if (auto scale = c.optNumber("scale")) {
    a.scale = *scale;
    return;
  }
  Expr width = c.b.shapeOf(a.query).back();
  if (auto size = sym::asConstant(width)) {
    a.scale = 1 / std::sqrt(double(*size));
    return;
  }
  a.query = c.elementwise({a.query}, [&](ArrayRef<Value> x) {
    return c.b.mul(x[0], c.b.rsqrt(c.b.convert(sizeValue(c.b, width),
                                               c.b.elementOf(x[0]))));
  });
}

/// Gives the mask the rank of the query by leading dims of size 1.
static LogicalResult readMask(CallContext &c, StringRef name,
                              AttentionArguments &a) {
  a.mask = c.optTensor(name);
  if (!a.mask)
    return success();
  int64_t missing = c.b.rankOf(a.query) - c.b.rankOf(*a.mask);
  if (missing < 0)
    return c.emitInvalid("expected a mask of at most the rank of the query");
  Shape shape = c.b.shapeOf(*a.mask);
  shape.insert(shape.begin(), missing, c.b.expr(1));
  a.mask = c.b.reshape(*a.mask, shape);
  if (!isBool(c.b.elementOf(*a.mask)) && !isFloat(c.b.elementOf(*a.mask)))
    return c.emitInvalid("expected a mask of bool or float elements");
  return success();
}

static FailureOr<AttentionArguments> readArguments(CallContext &c,
                                                   StringRef maskName) {
  AttentionArguments a;
  a.query = c.tensor("query");
  a.key = c.tensor("key");
  a.value = c.tensor("value");
  int64_t rank = c.b.rankOf(a.query);
  for (Value operand : {a.query, a.key, a.value})
    if (c.b.rankOf(operand) < 2 ||
        c.b.elementOf(operand) != c.b.elementOf(a.query))
      return c.emitInvalid("expected query, key and value of one element type "
                           "and rank 2 or more");
  if (!isFloat(c.b.elementOf(a.query)))
    return c.emitUnsupported("operands that are no float tensors");
  a.causal = c.flag("is_causal");
  if (c.has("enable_gqa") && c.flag("enable_gqa")) {
    if (rank < 3 || c.b.rankOf(a.key) < 3 || c.b.rankOf(a.value) < 3)
      return c.emitInvalid("expected operands with a dim for heads");
    Expr heads = c.b.shapeOf(a.query)[rank - 3];
    a.key = repeatHeads(c, a.key, heads);
    a.value = repeatHeads(c, a.value, heads);
  }
  broadcastOperands(c, a);
  readScale(c, a);
  if (failed(readMask(c, maskName, a)))
    return failure();
  return a;
}

//===----------------------------------------------------------------------===//
// Whole
//===----------------------------------------------------------------------===//

static Value attend(CallContext &c, AttentionArguments a) {
  bool isMatrix = c.b.rankOf(a.query) == 2;
  auto batched = [&](Value value) {
    return isMatrix ? c.b.unsqueeze(value, 0) : value;
  };
  Shape shape = c.b.shapeOf(batched(a.query));
  shape.back() = c.b.shapeOf(a.value).back();
  auto type = sym::tensorType(shape, c.b.elementOf(a.query));
  Value result = prim::AttentionOp::create(
      c.b.getBuilder(), c.getLoc(), type, batched(a.query), batched(a.key),
      batched(a.value), a.mask ? batched(*a.mask) : Value(),
      llvm::APFloat(a.scale), a.causal);
  return isMatrix ? c.b.squeeze(result, 0) : result;
}

//===----------------------------------------------------------------------===//
// In pieces: where the scores are needed
//===----------------------------------------------------------------------===//

static Value causalMask(CallContext &c, Expr rows, Expr columns) {
  Shape shape = {rows, columns};
  return c.b.compare(prim::Comparison::ge, c.b.iota(shape, 0, indexType(c.b)),
                     c.b.iota(shape, 1, indexType(c.b)));
}

/// scale * q k^T + mask, in f32 for half precision.
static Value scores(CallContext &c, const AttentionArguments &a) {
  Type opmath = opmathType(c.b.elementOf(a.query));
  Value q = c.b.mul(c.b.convert(a.query, opmath), a.scale);
  Value result =
      c.b.matmul(q, c.b.convert(a.key, opmath), false, /*transposeRhs=*/true);
  Value lowest = c.b.scalar(-INFINITY, opmath);
  Shape shape = c.b.shapeOf(result);
  if (a.causal)
    result = c.b.where(causalMask(c, shape[shape.size() - 2], shape.back()),
                       result, lowest);
  if (!a.mask)
    return result;
  if (isBool(c.b.elementOf(*a.mask)))
    return c.b.where(*a.mask, result, lowest);
  return c.b.add(result, c.b.convert(*a.mask, opmath));
}

/// softmax that gives zeros for a row of minus infinity.
static Value safeSoftmax(CallContext &c, Value scores) {
  int64_t last = c.b.rankOf(scores) - 1;
  Value softmax = prim::SoftmaxOp::create(c.b.getBuilder(), c.getLoc(),
                                          scores.getType(), scores, last);
  Value best =
      c.b.reduce(prim::Reduction::max, scores, {last}, /*keepDims=*/true);
  Value blocked = c.b.compare(prim::Comparison::eq, best, -INFINITY);
  return c.b.where(blocked, c.b.scalar(0, c.b.elementOf(scores)), softmax);
}

/// Zeros each weight with probability p and scales the others up.
static Value dropWeights(CallContext &c, Value weights, double p) {
  Type element = c.b.elementOf(weights);
  if (p >= 1)
    return c.b.fullLike(weights, 0);
  Value draws =
      c.random(prim::Distribution::uniform, c.b.shapeOf(weights), element);
  Value kept = c.b.compare(prim::Comparison::ge, draws, p);
  return c.b.where(kept, c.b.mul(weights, 1 / (1 - p)), c.b.scalar(0, element));
}

static Value weightedValues(CallContext &c, const AttentionArguments &a,
                            Value weights) {
  Value values = c.b.convert(a.value, c.b.elementOf(weights));
  return c.b.convert(c.b.matmul(weights, values), c.b.elementOf(a.query));
}

static LogicalResult checkDropout(CallContext &c) {
  double p = c.number("dropout_p");
  if (p >= 0 && p <= 1)
    return success();
  return c.emitInvalid("expected a dropout probability between 0 and 1");
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static LogicalResult decomposeAttention(CallContext &c) {
  FailureOr<AttentionArguments> a = readArguments(c, "attn_mask");
  if (failed(a) || failed(checkDropout(c)))
    return failure();
  double p = c.number("dropout_p");
  if (p == 0)
    return c.setResult(0, attend(c, *a));
  Value weights = dropWeights(c, safeSoftmax(c, scores(c, *a)), p);
  return c.setResult(0, weightedValues(c, *a, weights));
}

/// The second result are the weights.
static LogicalResult decomposeAttentionMath(CallContext &c) {
  FailureOr<AttentionArguments> a = readArguments(c, "attn_mask");
  if (failed(a) || failed(checkDropout(c)))
    return failure();
  if (c.number("dropout_p") != 0 || c.has("dropout_mask"))
    return c.emitUnsupported("dropout");
  Value weights = safeSoftmax(c, scores(c, *a));
  return c.setResults({weightedValues(c, *a, weights),
                       c.b.convert(weights, c.resultElement(1))});
}

/// The second result is the logarithm of the sum of exponentials of each row.
static LogicalResult decomposeFlashForCpu(CallContext &c) {
  FailureOr<AttentionArguments> a = readArguments(c, "attn_mask");
  if (failed(a))
    return failure();
  if (c.number("dropout_p") != 0)
    return c.emitUnsupported("dropout");
  Value all = scores(c, *a);
  int64_t last = c.b.rankOf(all) - 1;
  Value best = c.b.reduce(prim::Reduction::max, all, {last}, /*keepDims=*/true);
  Value total = c.b.sum(c.b.exp(c.b.sub(all, best)), {last});
  Value logsumexp = c.b.add(c.b.log(total), c.b.squeeze(best, last));
  return c.setResults(
      {attend(c, *a), c.b.convert(logsumexp, c.resultElement(1))});
}

void normalize::registerAttentionDecompositions(DecompositionTable &table) {
  table.add("aten.scaled_dot_product_attention.default", decomposeAttention);
  table.add("aten._scaled_dot_product_attention_math.default",
            decomposeAttentionMath);
  table.add("aten._scaled_dot_product_flash_attention_for_cpu.default",
            decomposeFlashForCpu);
}
