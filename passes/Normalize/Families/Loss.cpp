//===- Loss.cpp - Losses of two tensors, similarities ---------------------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

/// One kernel on two tensors, then `reduction`.
static LogicalResult setLoss(CallContext &c, StringRef first, StringRef second,
                             function_ref<Value(Value, Value)> body) {
  Value x = c.tensor(first), y = c.tensor(second);
  if (refuseComplex(c, {x, y}))
    return failure();
  return setReducedLoss(
      c, c.elementwise({x, y}, [&](Operands v) { return body(v[0], v[1]); }));
}

static LogicalResult setTargetLoss(CallContext &c,
                                   function_ref<Value(Value, Value)> body) {
  return setLoss(c, "self", "target", body);
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

static LogicalResult decomposeMseLoss(CallContext &c) {
  return setTargetLoss(
      c, [&](Value x, Value y) { return square(c.b, c.b.sub(x, y)); });
}

static Value absoluteDifference(PrimBuilder &b, Value x, Value y) {
  return b.unary<prim::AbsOp>(b.sub(x, y));
}

static LogicalResult decomposeL1Loss(CallContext &c) {
  return setTargetLoss(
      c, [&](Value x, Value y) { return absoluteDifference(c.b, x, y); });
}

static LogicalResult decomposeSmoothL1Loss(CallContext &c) {
  double beta = c.number("beta");
  if (beta == 0)
    return decomposeL1Loss(c);
  return setTargetLoss(c, [&](Value x, Value y) {
    Value z = absoluteDifference(c.b, x, y);
    Value curve = c.b.div(c.b.mul(c.b.mul(z, 0.5), z), beta);
    return c.b.where(c.b.compare(Comparison::lt, z, beta), curve,
                     c.b.sub(z, 0.5 * beta));
  });
}

static LogicalResult decomposeHuberLoss(CallContext &c) {
  double delta = c.number("delta");
  return setTargetLoss(c, [&](Value x, Value y) {
    Value z = absoluteDifference(c.b, x, y);
    Value curve = c.b.mul(c.b.mul(z, 0.5), z);
    Value line = c.b.mul(c.b.sub(z, 0.5 * delta), delta);
    return c.b.where(c.b.compare(Comparison::le, z, delta), curve, line);
  });
}

//===----------------------------------------------------------------------===//
// Likelihoods
//===----------------------------------------------------------------------===//

static LogicalResult decomposeKlDiv(CallContext &c) {
  bool isLog = c.flag("log_target");
  return setTargetLoss(c, [&](Value x, Value y) {
    if (isLog)
      return c.b.mul(c.b.exp(y), c.b.sub(y, x));
    return c.b.sub(xLogY(c.b, y, y), c.b.mul(y, x));
  });
}

static LogicalResult setWeightedLoss(CallContext &c, Value loss) {
  if (auto weight = c.optTensor("weight"))
    loss = c.elementwise({loss, *weight},
                         [&](Operands x) { return c.b.mul(x[0], x[1]); });
  return setReducedLoss(c, loss);
}

/// log(x) or log(1 - x), but at least -100, where the gradient is 0.
static Value boundedLog(PrimBuilder &b, Value x, bool ofRest) {
  Value isEnd = ofRest ? b.compare(Comparison::ge, x, 1.0)
                       : b.compare(Comparison::le, x, 0.0);
  Value safe = b.where(isEnd, b.fullLike(x, 0.5), x);
  Value log = ofRest ? b.unary<prim::Log1pOp>(b.neg(safe)) : b.log(safe);
  return b.where(isEnd, b.fullLike(x, -100), clampMin(b, log, -100));
}

/// The arguments must be probabilities; logarithms are at least -100.
static LogicalResult decomposeBinaryCrossEntropy(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self"), target = c.tensor("target");
  if (!isFloat(b.elementOf(self)))
    return c.emitInvalid("expected floats");
  Value fits = b.logicalAnd(b.compare(Comparison::ge, self, 0.0),
                            b.compare(Comparison::le, self, 1.0));
  fits = b.reduce(prim::Reduction::all, fits, allDims(fits));
  prim::AssertOp::create(b.getBuilder(), c.getLoc(), fits,
                         "expected input elements in the range from 0 to 1");
  Value loss = c.elementwise({self, target}, [&](Operands x) {
    Value yes = boundedLog(b, x[0], /*ofRest=*/false);
    Value no = boundedLog(b, x[0], /*ofRest=*/true);
    return b.sub(b.mul(b.sub(x[1], 1), no), b.mul(x[1], yes));
  });
  return setWeightedLoss(c, loss);
}

/// (1 - y) x - w log_sigmoid(x), with w = 1 where there is no `pos_weight`.
static LogicalResult decomposeBceWithLogits(CallContext &c) {
  PrimBuilder &b = c.b;
  SmallVector<Value> operands{c.tensor("self"), c.tensor("target")};
  if (auto weight = c.optTensor("pos_weight"))
    operands.push_back(*weight);
  if (refuseComplex(c, operands))
    return failure();
  Value loss = c.elementwise(operands, [&](Operands x) {
    Value tail = logSigmoid(b, x[0]);
    if (x.size() > 2)
      tail = b.mul(b.add(b.mul(b.sub(x[2], 1), x[1]), 1), tail);
    return b.sub(b.mul(b.sub(b.fullLike(x[1], 1), x[1]), x[0]), tail);
  });
  return setWeightedLoss(c, loss);
}

/// Stirling's formula for the logarithm of the factorial; 0 up to 1.
static Value logFactorial(PrimBuilder &b, Value x) {
  Value value = b.add(b.sub(b.mul(x, b.log(x)), x),
                      b.mul(b.log(b.mul(x, 2 * M_PI)), 0.5));
  return b.where(b.compare(Comparison::le, x, 1.0), b.fullLike(x, 0), value);
}

static LogicalResult decomposePoissonNllLoss(CallContext &c) {
  PrimBuilder &b = c.b;
  double eps = c.number("eps");
  return setLoss(c, "input", "target", [&](Value x, Value y) {
    Value loss = c.flag("log_input") ? b.sub(b.exp(x), b.mul(y, x))
                                     : b.sub(x, b.mul(y, b.log(b.add(x, eps))));
    return c.flag("full") ? b.add(loss, logFactorial(b, y)) : loss;
  });
}

//===----------------------------------------------------------------------===//
// Margins
//===----------------------------------------------------------------------===//

/// The margin is a float, which integers are converted for.
static LogicalResult decomposeHingeEmbeddingLoss(CallContext &c) {
  PrimBuilder &b = c.b;
  SmallVector<Value> operands{c.tensor("self"), c.tensor("target"),
                              c.wrap(Scalar::ofFloat(c.number("margin")))};
  if (refuseComplex(c, operands))
    return failure();
  return setReducedLoss(c, c.elementwise(operands, [&](Operands x) {
    Value zero = b.scalar(0, b.elementOf(x[0]));
    Value distance = clampMin(b, b.sub(x[2], x[0]), 0);
    Value ofOthers =
        b.where(b.compare(Comparison::ne, x[1], 1.0), distance, zero);
    Value ofSame = b.where(b.compare(Comparison::ne, x[1], -1.0), x[0], zero);
    return b.add(ofOthers, ofSame);
  }));
}

static LogicalResult decomposeMarginRankingLoss(CallContext &c) {
  PrimBuilder &b = c.b;
  SmallVector<Value> operands{c.tensor("input1"), c.tensor("input2"),
                              c.tensor("target")};
  if (refuseComplex(c, operands))
    return failure();
  Value margin = c.wrap(Scalar::ofFloat(c.number("margin")));
  Value order = c.elementwise(operands, [&](Operands x) {
    return b.mul(b.neg(x[2]), b.sub(x[0], x[1]));
  });
  return setReducedLoss(c, c.elementwise({order, margin}, [&](Operands x) {
    return clampMin(b, b.add(x[0], x[1]), 0);
  }));
}

static LogicalResult decomposeSoftMarginLoss(CallContext &c) {
  return setTargetLoss(c, [&](Value x, Value y) -> Value {
    return c.b.unary<prim::Log1pOp>(c.b.exp(c.b.mul(c.b.neg(y), x)));
  });
}

//===----------------------------------------------------------------------===//
// Similarities
//===----------------------------------------------------------------------===//

static LogicalResult decomposeCosineSimilarity(CallContext &c) {
  PrimBuilder &b = c.b;
  double eps = c.number("eps");
  Value x = c.tensor("x1"), y = c.tensor("x2");
  if (!isFloat(c.promote({x, y})))
    return c.emitUnsupported("numbers that are no floats");
  return c.setResult(0, c.elementwise({x, y}, [&](Operands v) {
    Value first = v[0], second = v[1];
    b.broadcastTogether(first, second);
    SmallVector<int64_t> dims;
    if (b.rankOf(first) > 0)
      dims.push_back(c.dim("dim", b.rankOf(first)));
    auto unit = [&](Value vector) {
      Value norm = vectorNorm(b, vector, 2, dims, /*keepDims=*/true);
      return b.div(vector, clampMin(b, norm, eps));
    };
    return b.sum(b.mul(unit(first), unit(second)), dims);
  }));
}

/// The norm along the last dim of x - y + eps, as floats.
static Value pairwiseDistance(CallContext &c, Value x, Value y, bool keepDim) {
  PrimBuilder &b = c.b;
  double order = c.number("p");
  Value eps = c.wrap(Scalar::ofFloat(c.number("eps")));
  Value difference =
      c.elementwise({x, y}, [&](Operands v) { return b.sub(v[0], v[1]); });
  return c.elementwise({difference, eps}, [&](Operands v) {
    Value shifted = b.add(v[0], v[1]);
    SmallVector<int64_t> dims;
    if (b.rankOf(shifted) > 0)
      dims.push_back(b.rankOf(shifted) - 1);
    return vectorNorm(b, shifted, order, dims, keepDim);
  });
}

static LogicalResult decomposePairwiseDistance(CallContext &c) {
  Value x = c.tensor("x1"), y = c.tensor("x2");
  if (refuseComplex(c, {x, y}))
    return failure();
  return c.setResult(0, pairwiseDistance(c, x, y, c.flag("keepdim")));
}

static LogicalResult decomposeTripletMarginLoss(CallContext &c) {
  PrimBuilder &b = c.b;
  double margin = c.number("margin");
  Value anchor = c.tensor("anchor"), positive = c.tensor("positive"),
        negative = c.tensor("negative");
  if (refuseComplex(c, {anchor, positive, negative}))
    return failure();
  Value near = pairwiseDistance(c, anchor, positive, /*keepDim=*/false);
  Value far = pairwiseDistance(c, anchor, negative, /*keepDim=*/false);
  if (c.flag("swap"))
    far = b.min(far, pairwiseDistance(c, positive, negative, false));
  return setReducedLoss(c, c.elementwise({near, far}, [&](Operands x) {
    return clampMin(b, b.add(b.sub(x[0], x[1]), margin), 0);
  }));
}

/// Squared lengths get a small number that keeps 0 away from the divisor.
static Value cosineAlong(PrimBuilder &b, Value x, Value y, int64_t dim) {
  constexpr double Epsilon = 1e-12;
  Value product = b.sum(b.mul(x, y), dim);
  Value first = b.add(b.sum(square(b, x), dim), Epsilon);
  Value second = b.add(b.sum(square(b, y), dim), Epsilon);
  return b.div(product, b.sqrt(b.mul(first, second)));
}

static LogicalResult decomposeCosineEmbeddingLoss(CallContext &c) {
  PrimBuilder &b = c.b;
  Value first = c.tensor("input1"), second = c.tensor("input2"),
        target = c.tensor("target");
  double margin = c.number("margin");
  int64_t dim = b.rankOf(target);
  if (!isFloat(c.promote({first, second})))
    return c.emitUnsupported("numbers that are no floats");
  if (dim > 1 || b.rankOf(first) != dim + 1 || b.rankOf(second) != dim + 1)
    return c.emitInvalid(
        "expected a target of rank 0 or 1, and inputs of one rank more");
  Value loss = c.elementwise({first, second}, [&](Operands x) {
    Value cosine = cosineAlong(b, x[0], x[1], dim);
    Value zero = b.fullLike(cosine, 0);
    Value same = b.sub(b.fullLike(cosine, 1), cosine);
    Value other = clampMin(b, b.sub(cosine, margin), 0);
    return b.add(b.where(b.compare(Comparison::eq, target, 1.0), same, zero),
                 b.where(b.compare(Comparison::eq, target, -1.0), other, zero));
  });
  return setReducedLoss(c, loss);
}

void normalize::registerLossDecompositions(DecompositionTable &table) {
  table.add("aten.mse_loss.default", decomposeMseLoss);
  table.add("aten.l1_loss.default", decomposeL1Loss);
  table.add("aten.smooth_l1_loss.default", decomposeSmoothL1Loss);
  table.add("aten.huber_loss.default", decomposeHuberLoss);
  table.add("aten.kl_div.default", decomposeKlDiv);
  table.add("aten.binary_cross_entropy.default", decomposeBinaryCrossEntropy);
  table.add("aten.binary_cross_entropy_with_logits.default",
            decomposeBceWithLogits);
  table.add("aten.poisson_nll_loss.default", decomposePoissonNllLoss);
  table.add("aten.hinge_embedding_loss.default", decomposeHingeEmbeddingLoss);
  table.add("aten.margin_ranking_loss.default", decomposeMarginRankingLoss);
  table.add("aten.soft_margin_loss.default", decomposeSoftMarginLoss);
  table.add("aten.cosine_similarity.default", decomposeCosineSimilarity);
  table.add("aten.pairwise_distance.default", decomposePairwiseDistance);
  table.add("aten.triplet_margin_loss.default", decomposeTripletMarginLoss);
  table.add("aten.cosine_embedding_loss.default", decomposeCosineEmbeddingLoss);
}
