//===- ClassLoss.cpp - Losses whose target names classes ------------------===//

#include "passes/Normalize/Families/Formulas.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

/// Classes lie along dim 1 of a batch, along dim 0 of a single sample.
static int64_t classDimOf(PrimBuilder &b, Value x) {
  return b.rankOf(x) > 1 ? 1 : 0;
}

/// A vector over classes, aligned with the class dim of `x`.
static Value alongClasses(PrimBuilder &b, Value weight, Value x) {
  sym::Shape shape(b.rankOf(x), b.expr(1));
  shape[classDimOf(b, x)] = sym::product(b.getContext(), b.shapeOf(weight));
  return b.reshape(weight, shape);
}

namespace {
/// The arguments of losses by class index.
struct Classified {
  Value target;  // i64, ignored ones replaced by 0
  Value isValid; // bool: not ignored
  Value weight;  // of each target, 0 if ignored
};
} // namespace

static FailureOr<Classified> classify(CallContext &c, Value input,
                                      Value target) {
  PrimBuilder &b = c.b;
  int64_t rank = b.rankOf(input);
  if (rank == 0 || b.rankOf(target) != rank - 1 ||
      !isInteger(b.elementOf(target)))
    return c.emitInvalid(
        "expected class indices of a rank of one less than the input's");
  target = b.convert(target, b.getBuilder().getI64Type());
  Value ignored = b.symbolValue(c.size("ignore_index"));
  Value isValid = b.compare(Comparison::ne, target, ignored);
  target = b.where(isValid, target, b.fullLike(target, 0));
  Value weight = b.convert(isValid, b.elementOf(input));
  if (auto weights = c.optTensor("weight")) {
    if (b.rankOf(*weights) != 1)
      return c.emitInvalid("expected a weight for each class");
    Value chosen =
        b.indexSelect(b.convert(*weights, b.elementOf(input)), 0, target);
    weight = b.where(isValid, chosen, b.fullLike(chosen, 0));
  }
  return Classified{target, isValid, weight};
}

/// Minus the weighted element of each target's class; 0 if ignored.
static Value pickedLoss(PrimBuilder &b, Value input,
                        const Classified &classes) {
  int64_t classDim = classDimOf(b, input);
  Value index = b.unsqueeze(classes.target, classDim);
  Value picked = b.squeeze(b.gather(input, classDim, index), classDim);
  Value loss = b.mul(b.neg(picked), classes.weight);
  return b.where(classes.isValid, loss, b.fullLike(loss, 0));
}

namespace {
struct Reduced {
  Value loss, totalWeight;
};
} // namespace

/// A mean divides by the sum of the weights.
static Reduced reduceWeighted(CallContext &c, Value loss, Value weight) {
  PrimBuilder &b = c.b;
  int64_t reduction = c.integer("reduction");
  Type element = b.elementOf(loss), opmath = opmathType(element);
  if (reduction == 0)
    return {loss, b.scalar(0, element)};
  Value total = b.sum(b.convert(weight, opmath), allDims(weight));
  Value sum = b.sum(b.convert(loss, opmath), allDims(loss));
  if (reduction == 1)
    sum = b.div(sum, total);
  return {b.convert(sum, element), b.convert(total, element)};
}

//===----------------------------------------------------------------------===//
// nll_loss
//===----------------------------------------------------------------------===//

static FailureOr<Reduced> nllLoss(CallContext &c, Value input, Value target) {
  FailureOr<Classified> classes = classify(c, input, target);
  if (failed(classes))
    return failure();
  return reduceWeighted(c, pickedLoss(c.b, input, *classes), classes->weight);
}

static LogicalResult decomposeNllLoss(CallContext &c) {
  FailureOr<Reduced> result = nllLoss(c, c.tensor("self"), c.tensor("target"));
  return failed(result) ? failure() : c.setResult(0, result->loss);
}

static LogicalResult decomposeNllLossForward(CallContext &c) {
  FailureOr<Reduced> result = nllLoss(c, c.tensor("self"), c.tensor("target"));
  return failed(result) ? failure()
                        : c.setResults({result->loss, result->totalWeight});
}

//===----------------------------------------------------------------------===//
// cross_entropy_loss
//===----------------------------------------------------------------------===//

/// The target holds a probability for each class.
static LogicalResult setSoftCrossEntropy(CallContext &c, Value logs,
                                         double smoothing) {
  PrimBuilder &b = c.b;
  int64_t classDim = classDimOf(b, logs);
  sym::Shape shape = b.shapeOf(logs);
  Type element = b.elementOf(logs);
  Value target = b.convert(c.tensor("target"), element);
  Value classes = b.convert(b.symbolValue(shape[classDim]), element);
  if (smoothing > 0)
    target = b.add(b.mul(target, 1 - smoothing),
                   b.div(b.scalar(smoothing, element), classes));
  Value products = b.mul(logs, target);
  if (auto weight = c.optTensor("weight"))
    products =
        b.mul(products, alongClasses(b, b.convert(*weight, element), logs));
  if (c.integer("reduction") == 0)
    return c.setResult(0, b.neg(b.sum(products, classDim)));
  Value sum = b.neg(b.sum(products, allDims(products)));
  if (c.integer("reduction") == 2)
    return c.setResult(0, sum);
  shape.erase(shape.begin() + classDim);
  Value samples = b.symbolValue(sym::product(c.getContext(), shape));
  return c.setResult(0, b.div(sum, b.convert(samples, element)));
}

/// The loss against all classes alike, of which smoothing takes a share.
static Value uniformLoss(CallContext &c, Value logs,
                         const Classified &classes) {
  PrimBuilder &b = c.b;
  if (auto weight = c.optTensor("weight"))
    logs = b.mul(logs,
                 alongClasses(b, b.convert(*weight, b.elementOf(logs)), logs));
  Value loss = b.neg(b.sum(logs, classDimOf(b, logs)));
  return b.where(classes.isValid, loss, b.fullLike(loss, 0));
}

static LogicalResult setSmoothedCrossEntropy(CallContext &c, Value logs,
                                             double smoothing) {
  PrimBuilder &b = c.b;
  Type element = b.elementOf(logs);
  FailureOr<Classified> classes = classify(c, logs, c.tensor("target"));
  if (failed(classes))
    return failure();
  Value hard =
      reduceWeighted(c, pickedLoss(b, logs, *classes), classes->weight).loss;
  Value smooth =
      reduceWeighted(c, uniformLoss(c, logs, *classes), classes->weight).loss;
  Value count =
      b.convert(b.symbolValue(b.shapeOf(logs)[classDimOf(b, logs)]), element);
  Value share = b.div(b.scalar(smoothing, element), count);
  return c.setResult(0,
                     b.add(b.mul(hard, 1 - smoothing), b.mul(smooth, share)));
}

static LogicalResult decomposeCrossEntropyLoss(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self"), target = c.tensor("target");
  double smoothing = c.number("label_smoothing");
  if (b.rankOf(self) == 0 || !isFloat(b.elementOf(self)))
    return c.emitInvalid("expected floats of rank 1 or more");
  Value logs = prim::LogSoftmaxOp::create(b.getBuilder(), c.getLoc(), self,
                                          classDimOf(b, self));
  if (isFloat(b.elementOf(target)))
    return setSoftCrossEntropy(c, logs, smoothing);
  if (smoothing > 0)
    return setSmoothedCrossEntropy(c, logs, smoothing);
  FailureOr<Reduced> result = nllLoss(c, logs, target);
  return failed(result) ? failure() : c.setResult(0, result->loss);
}

//===----------------------------------------------------------------------===//
// Margins between classes
//===----------------------------------------------------------------------===//

/// One class or [C] as a batch of one sample.
static Value asBatch(PrimBuilder &b, Value x) {
  x = atLeast1d(b, x);
  return b.rankOf(x) < 2 ? b.unsqueeze(x, 0) : x;
}

/// What a batch of losses becomes, for a single sample too.
static LogicalResult setBatchLoss(CallContext &c, Value loss, bool isBatch) {
  if (!isBatch)
    loss = c.b.squeeze(loss, 0);
  return setReducedLoss(c, loss);
}

/// max(0, margin - x[target] + x[i])^p over all other classes.
static LogicalResult decomposeMultiMarginLoss(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self"), target = c.tensor("target");
  double p = c.number("p"), margin = c.number("margin");
  bool isBatch = b.rankOf(self) == 2;
  if (b.rankOf(self) > 2 || !isFloat(b.elementOf(self)) || (p != 1 && p != 2))
    return c.emitUnsupported("an input of rank " + Twine(b.rankOf(self)) +
                             " or another power");
  auto weight = c.optTensor("weight");
  if (weight && b.rankOf(*weight) != 1)
    return c.emitInvalid("expected a weight of rank 1");
  Value x = asBatch(b, self);
  sym::Expr classes = b.shapeOf(x)[1];
  target = b.reshape(b.convert(target, b.getBuilder().getI64Type()),
                     {b.shapeOf(x)[0]});
  Value index = b.unsqueeze(target, 1);
  Value distance = b.add(b.sub(x, b.gather(x, 1, index)), margin);
  Value loss = powerOf(b, clampMin(b, distance, 0), p);
  if (weight)
    loss = b.mul(loss, b.unsqueeze(b.indexSelect(*weight, 0, target), 1));
  Value isOther = b.compare(Comparison::ne, indexAlong(b, x, 1), index);
  loss = b.sum(b.where(isOther, loss, b.fullLike(loss, 0)), 1);
  return setBatchLoss(
      c, b.div(loss, b.convert(b.symbolValue(classes), b.elementOf(x))),
      isBatch);
}

namespace {
struct Labels {
  Value index;    // [N, C], -1 replaced by 0
  Value isListed; // [N, C]: before the first -1
  Value isTarget; // [N, C]: the class is among the listed ones
};
} // namespace

static Labels readLabels(PrimBuilder &b, Value target) {
  Value isLabel =
      b.convert(b.compare(Comparison::ge, target, 0.0), b.elementOf(target));
  Value prefix = prim::CumulativeOp::create(b.getBuilder(), b.getLoc(),
                                            prim::ScanKind::min, isLabel, 1);
  Labels labels;
  labels.isListed = toBool(b, prefix);
  labels.index = b.where(labels.isListed, target, b.fullLike(target, 0));
  Value classes = b.unsqueeze(indexAlong(b, target, 1), 1); // [1, 1, C]
  Value isSame =
      b.compare(Comparison::eq, b.unsqueeze(labels.index, 2), classes);
  Value isHit = b.logicalAnd(isSame, b.unsqueeze(labels.isListed, 2));
  labels.isTarget = b.reduce(prim::Reduction::any, isHit, 1);
  return labels;
}

/// Sums max(0, 1 - x[j] + x[i]) over listed j and all i that are no targets.
static Value labelMargins(PrimBuilder &b, Value x, const Labels &labels) {
  Value ofLabels = b.unsqueeze(b.gather(x, 1, labels.index), 2); // [N, J, 1]
  Value distance = b.add(b.sub(b.unsqueeze(x, 1), ofLabels), 1); // [N, J, I]
  Value isPair = b.logicalAnd(b.unsqueeze(labels.isListed, 2),
                              b.unsqueeze(b.logicalNot(labels.isTarget), 1));
  Value terms =
      b.where(isPair, clampMin(b, distance, 0), b.fullLike(distance, 0));
  Value classes = b.convert(b.symbolValue(b.shapeOf(x)[1]), b.elementOf(x));
  return b.div(b.sum(terms, {1, 2}), classes);
}

static LogicalResult setMultilabelMargin(CallContext &c, bool wantsTargets) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self"), target = c.tensor("target");
  if (b.rankOf(self) > 2 || b.rankOf(target) != b.rankOf(self) ||
      !isFloat(b.elementOf(self)) || !isInteger(b.elementOf(target)))
    return c.emitUnsupported("an input of rank " + Twine(b.rankOf(self)));
  Labels labels = readLabels(b, asBatch(b, target));
  Value loss = labelMargins(b, asBatch(b, self), labels);
  if (wantsTargets) {
    Value isTarget = b.convert(labels.isTarget, b.elementOf(self));
    (void)c.setResult(1, b.reshape(isTarget, b.shapeOf(target)));
  }
  return setBatchLoss(c, loss, b.rankOf(self) == 2);
}

static LogicalResult decomposeMultilabelMarginLoss(CallContext &c) {
  return setMultilabelMargin(c, false);
}

static LogicalResult decomposeMultilabelMarginLossForward(CallContext &c) {
  return setMultilabelMargin(c, true);
}

void normalize::registerClassLossDecompositions(DecompositionTable &table) {
  table.add("aten.nll_loss.default", decomposeNllLoss);
  table.add("aten.nll_loss_nd.default", decomposeNllLoss);
  table.add("aten.nll_loss2d.default", decomposeNllLoss);
  table.add("aten.nll_loss_forward.default", decomposeNllLossForward);
  table.add("aten.nll_loss2d_forward.default", decomposeNllLossForward);
  table.add("aten.cross_entropy_loss.default", decomposeCrossEntropyLoss);
  table.add("aten.multi_margin_loss.default", decomposeMultiMarginLoss);
  table.add("aten.multilabel_margin_loss.default",
            decomposeMultilabelMarginLoss);
  table.add("aten.multilabel_margin_loss_forward.default",
            decomposeMultilabelMarginLossForward);
}
