//===- Reduction.cpp - Sums, means, products, any, all, variances ---------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;
using prim::Reduction;

/// The dims an operator reduces: `dim`, where None and [] mean all of them.
static SmallVector<int64_t> reducedDims(CallContext &c, Value self) {
  return c.dimsOrAll("dim", c.b.rankOf(self));
}

/// self in the type that sums of it have, or in that of the argument `dtype`.
static Value summand(CallContext &c) {
  Value self = c.tensor("self");
  auto dtype = c.dtype("dtype");
  return c.b.convert(self, dtype ? *dtype : sumType(c.b.elementOf(self)));
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

static LogicalResult decomposeSum(CallContext &c) {
  Value self = summand(c);
  return c.setResult(0, c.b.sum(self, reducedDims(c, self), c.flag("keepdim")));
}

static LogicalResult decomposeNansum(CallContext &c) {
  Value self = summand(c);
  if (isFloat(c.b.elementOf(self)))
    self = c.b.where(c.b.isNan(self), c.b.fullLike(self, 0), self);
  return c.setResult(0, c.b.sum(self, reducedDims(c, self), c.flag("keepdim")));
}

static LogicalResult decomposeProd(CallContext &c) {
  Value self = summand(c);
  auto dims = reducedDims(c, self);
  return c.setResult(
      0, c.b.reduce(Reduction::prod, self, dims, c.flag("keepdim")));
}

/// self in the type of `dtype`; a mean of integers is an error.
static FailureOr<Value> averaged(CallContext &c) {
  Value self = c.tensor("self");
  self = c.b.convert(self, c.dtype("dtype").value_or(c.b.elementOf(self)));
  if (isIntegral(c.b.elementOf(self)))
    return c.emitInvalid(
        "expected floats to take the mean of, but found integers");
  return self;
}

static LogicalResult decomposeMean(CallContext &c) {
  FailureOr<Value> self = averaged(c);
  if (failed(self))
    return failure();
  return c.setResult(
      0, roundedMean(c.b, *self, reducedDims(c, *self), c.flag("keepdim")));
}

/// The sum of all numbers that are not NaN over how many there are.
static LogicalResult decomposeNanmean(CallContext &c) {
  FailureOr<Value> self = averaged(c);
  if (failed(self) || refuseComplex(c, {*self}))
    return failure();
  PrimBuilder &b = c.b;
  Type element = b.elementOf(*self);
  auto dims = reducedDims(c, *self);
  Value isNan = b.isNan(*self);
  Value sum = b.sum(b.where(isNan, b.fullLike(*self, 0), *self), dims,
                    c.flag("keepdim"));
  Value present = b.convert(b.logicalNot(isNan), b.getBuilder().getI64Type());
  Value count = b.sum(present, dims, c.flag("keepdim"));
  return c.setResult(0, b.div(sum, b.convert(count, element)));
}

static LogicalResult decomposeCountNonzero(CallContext &c) {
  Value self = c.tensor("self");
  Value counted = c.b.convert(toBool(c.b, self), c.b.getBuilder().getI64Type());
  return c.setResult(0, c.b.sum(counted, reducedDims(c, self)));
}

//===----------------------------------------------------------------------===//
// Sums of another shape
//===----------------------------------------------------------------------===//

/// The sum of the main diagonal.
static LogicalResult decomposeTrace(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = summand(c);
  if (b.rankOf(self) != 2)
    return c.emitInvalid("expected a matrix, but found rank " +
                         Twine(b.rankOf(self)));
  Value isDiagonal =
      b.compare(Comparison::eq, indexAlong(b, self, 0), indexAlong(b, self, 1));
  Value diagonal = b.where(isDiagonal, self, b.fullLike(self, 0));
  return c.setResult(0, b.sum(diagonal, {0, 1}));
}

/// Undoes a broadcast: sums over dims that `size` lacks or says 1 of.
static LogicalResult decomposeSumToSize(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  sym::Shape shape = b.shapeOf(self), wanted = c.sizes("size");
  if (wanted.size() > shape.size())
    return c.emitInvalid("expected at most " + Twine(shape.size()) +
                         " sizes, but found " + Twine(wanted.size()));
  size_t leading = shape.size() - wanted.size();
  SmallVector<int64_t> dims;
  for (size_t i = 0; i < shape.size(); ++i)
    if (i < leading || (sym::isConstant(wanted[i - leading], 1) &&
                        !sym::isConstant(shape[i], 1)))
      dims.push_back(i);
  Value summed =
      dims.empty() ? self : b.convert(self, sumType(b.elementOf(self)));
  Value sum = b.sum(summed, dims, /*keepDims=*/true);
  sum = dropDims(b, sum, llvm::to_vector(llvm::seq<int64_t>(0, leading)));
  return c.setResult(0, b.checkShape(sum, wanted));
}

//===----------------------------------------------------------------------===//
// Any and all
//===----------------------------------------------------------------------===//

/// The result is bool, but uint8 for uint8.
static LogicalResult setLogical(CallContext &c, Reduction kind,
                                ArrayRef<int64_t> dims) {
  Value self = c.tensor("self");
  Value result = c.b.reduce(kind, toBool(c.b, self), dims, c.flag("keepdim"));
  Type element = c.b.elementOf(self);
  bool isByte = element.isInteger(8) && isUnsigned(element);
  return c.setResult(0, isByte ? c.b.convert(result, element) : result);
}

template <Reduction kind> static LogicalResult decomposeAnyAll(CallContext &c) {
  return setLogical(c, kind, reducedDims(c, c.tensor("self")));
}

/// Here the empty list means no dim.
template <Reduction kind>
static LogicalResult decomposeAnyAllDims(CallContext &c) {
  Value self = c.tensor("self");
  if (c.isNone("dim"))
    return setLogical(c, kind, allDims(self));
  SmallVector<int64_t> dims;
  if (c.b.rankOf(self) > 0)
    dims = c.dims("dim", c.b.rankOf(self), /*sort=*/true);
  return setLogical(c, kind, dims);
}

//===----------------------------------------------------------------------===//
// Variances
//===----------------------------------------------------------------------===//

/// How many elements the divisor of a variance leaves out.
static double correctionOf(CallContext &c) {
  if (c.has("correction"))
    return c.number("correction");
  return c.has("unbiased") ? double(c.flag("unbiased")) : 1;
}

/// The sum of squared distances from the mean.
static Value squaredDistances(PrimBuilder &b, Value x, ArrayRef<int64_t> dims) {
  Value centred = b.sub(x, b.mean(x, dims, /*keepDims=*/true));
  return b.sum(square(b, centred), dims, /*keepDims=*/true);
}

/// With the reduced dims kept. Over too few elements it is NaN or infinite.
static Value variance(PrimBuilder &b, Value x, ArrayRef<int64_t> dims,
                      double correction) {
  Value sum;
  if (isComplex(b.elementOf(x))) {
    Value re = prim::RealOp::create(b.getBuilder(), b.getLoc(), x);
    Value im = prim::ImagOp::create(b.getBuilder(), b.getLoc(), x);
    sum = b.add(squaredDistances(b, re, dims), squaredDistances(b, im, dims));
  } else {
    sum = squaredDistances(b, x, dims);
  }
  Value count = b.sub(b.sizeProduct(x, dims, b.elementOf(sum)), correction);
  return b.div(sum, clampMin(b, count, 0));
}

namespace {
struct Moments {
  Value variance, mean; // reduced dims are kept, if `keepdim` says so
};
} // namespace

/// Computed in f32 for half precision, not rounded yet.
static FailureOr<Moments> momentsOf(CallContext &c) {
  Value self = c.tensor("self");
  Type element = c.b.elementOf(self);
  if (isIntegral(element))
    return c.emitInvalid(
        "expected floats to take the variance of, but found integers");
  auto dims = reducedDims(c, self);
  self = c.b.convert(self, opmathType(element));
  Moments moments{variance(c.b, self, dims, correctionOf(c)),
                  c.b.mean(self, dims, /*keepDims=*/true)};
  if (!c.flag("keepdim")) {
    moments.variance = dropDims(c.b, moments.variance, dims);
    moments.mean = dropDims(c.b, moments.mean, dims);
  }
  return moments;
}

static LogicalResult setMoments(CallContext &c, bool isDeviation,
                                bool wantsMean) {
  FailureOr<Moments> moments = momentsOf(c);
  if (failed(moments))
    return failure();
  Value spread =
      isDeviation ? rootOrZero(c.b, moments->variance, 0.5) : moments->variance;
  Type element = c.b.elementOf(c.tensor("self"));
  (void)c.setResult(0, c.b.convert(spread, realPartType(element)));
  if (wantsMean)
    (void)c.setResult(1, c.b.convert(moments->mean, element));
  return success();
}

static LogicalResult decomposeVar(CallContext &c) {
  return setMoments(c, false, false);
}

static LogicalResult decomposeStd(CallContext &c) {
  return setMoments(c, true, false);
}

static LogicalResult decomposeVarMean(CallContext &c) {
  return setMoments(c, false, true);
}

static LogicalResult decomposeStdMean(CallContext &c) {
  return setMoments(c, true, true);
}

//===----------------------------------------------------------------------===//
// Logarithm of a sum
//===----------------------------------------------------------------------===//

static Value logSumExp(PrimBuilder &b, Value x, ArrayRef<int64_t> dims,
                       bool keepDims) {
  Value largest = b.reduce(Reduction::max, x, dims, /*keepDims=*/true);
  largest = b.where(isInfinite(b, largest), b.fullLike(largest, 0), largest);
  Value sum = b.sum(b.exp(b.sub(x, largest)), dims, /*keepDims=*/true);
  Value result = b.add(b.log(sum), largest);
  return keepDims ? result : dropDims(b, result, dims);
}

static LogicalResult decomposeLogsumexp(CallContext &c) {
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}))
    return failure();
  auto dims = reducedDims(c, self);
  return c.setResult(0, c.elementwiseFloat({self}, [&](Operands x) {
    return logSumExp(c.b, x[0], dims, c.flag("keepdim"));
  }));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

static void addMoments(DecompositionTable &table, StringRef name,
                       Decomposition function) {
  for (StringRef overload : {"default", "dim", "correction"})
    table.add((name + "." + overload).str(), function);
}

void normalize::registerReductionDecompositions(DecompositionTable &table) {
  table.add("aten.sum.default", decomposeSum);
  table.add("aten.sum.dim_IntList", decomposeSum);
  table.add("aten.nansum.default", decomposeNansum);
  table.add("aten.trace.default", decomposeTrace);
  table.addMaybeView("aten.sum_to_size.default", decomposeSumToSize);
  table.add("aten.prod.default", decomposeProd);
  table.add("aten.prod.dim_int", decomposeProd);
  table.add("aten.mean.default", decomposeMean);
  table.add("aten.mean.dim", decomposeMean);
  table.add("aten.nanmean.default", decomposeNanmean);
  table.add("aten.count_nonzero.default", decomposeCountNonzero);
  table.add("aten.count_nonzero.dim_IntList", decomposeCountNonzero);
  for (StringRef overload : {".default", ".dim"}) {
    table.add(("aten.any" + overload).str(), decomposeAnyAll<Reduction::any>);
    table.add(("aten.all" + overload).str(), decomposeAnyAll<Reduction::all>);
  }
  table.add("aten.any.dims", decomposeAnyAllDims<Reduction::any>);
  table.add("aten.all.dims", decomposeAnyAllDims<Reduction::all>);
  addMoments(table, "aten.var", decomposeVar);
  addMoments(table, "aten.std", decomposeStd);
  addMoments(table, "aten.var_mean", decomposeVarMean);
  addMoments(table, "aten.std_mean", decomposeStdMean);
  table.add("aten.logsumexp.default", decomposeLogsumexp);
  table.add("aten.special_logsumexp.default", decomposeLogsumexp);
}
