//===- Softmax.cpp - Softmax and its relatives ----------------------------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

/// OpT is softmax or log_softmax; rank 0 counts as one element.
template <typename OpT> static Value softmaxAlong(CallContext &c, Value x) {
  Value row = atLeast1d(c.b, x);
  int64_t dim = c.dim("dim", c.b.rankOf(row));
  Value result = OpT::create(c.b.getBuilder(), c.getLoc(), row, dim);
  return c.b.reshape(result, c.b.shapeOf(x));
}

/// With the argument `dtype`, which converts before the computation.
template <typename OpT> static LogicalResult decomposeSoftmax(CallContext &c) {
  Value self = c.tensor("self");
  self = c.b.convert(self, c.dtype("dtype").value_or(c.b.elementOf(self)));
  if (!isFloat(c.b.elementOf(self)))
    return c.emitInvalid("expected floats");
  return c.setResult(0, softmaxAlong<OpT>(c, self));
}

/// `_softmax`: half precision may give a f32 result.
template <typename OpT>
static LogicalResult decomposeInnerSoftmax(CallContext &c) {
  Value self = c.tensor("self");
  Type element = c.b.elementOf(self);
  if (!isFloat(element))
    return c.emitInvalid("expected floats");
  self = c.b.convert(self,
                     c.flag("half_to_float") ? opmathType(element) : element);
  return c.setResult(0, softmaxAlong<OpT>(c, self));
}

/// Rows of minus infinity only give zeros.
static LogicalResult decomposeSafeSoftmax(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  self = b.convert(self, c.dtype("dtype").value_or(b.elementOf(self)));
  if (!isFloat(b.elementOf(self)))
    return c.emitInvalid("expected floats");
  Value result = softmaxAlong<prim::SoftmaxOp>(c, self);
  SmallVector<int64_t> dims;
  if (b.rankOf(self) > 0)
    dims.push_back(c.dim("dim", b.rankOf(self)));
  Value isMasked = b.compare(Comparison::eq, self, -INFINITY);
  Value isEmpty =
      b.reduce(prim::Reduction::all, isMasked, dims, /*keepDims=*/true);
  return c.setResult(0, b.where(isEmpty, b.fullLike(result, 0), result));
}

/// True elements of the mask are left out.
static LogicalResult decomposeMaskedSoftmax(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self"), mask = toBool(b, c.tensor("mask"));
  if (!isFloat(b.elementOf(self)) || b.rankOf(self) == 0)
    return c.emitInvalid("expected floats of rank 1 or more");
  if (b.shapeOf(self) != b.shapeOf(mask))
    return c.emitUnsupported("a mask of other sizes than the tensor's");
  int64_t dim = c.wrapDim(c.optInteger("dim").value_or(-1), b.rankOf(self));
  Value masked = b.where(mask, b.fullLike(self, -INFINITY), self);
  Value result =
      prim::SoftmaxOp::create(b.getBuilder(), c.getLoc(), masked, dim);
  return c.setResult(0, b.where(mask, b.fullLike(result, 0), result));
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The dim a gradient sums over; none for rank 0.
static SmallVector<int64_t> gradientDims(CallContext &c, Value x) {
  if (c.b.rankOf(x) == 0)
    return {};
  return {c.dim("dim", c.b.rankOf(x))};
}

static LogicalResult setGradient(CallContext &c, CallContext::Body body) {
  Value grad = c.tensor("grad_output"), output = c.tensor("output");
  Type type = c.dtype("input_dtype").value_or(c.b.elementOf(grad));
  Type opmath = opmathType(c.b.elementOf(output));
  Value result = body({c.b.convert(grad, opmath), c.b.convert(output, opmath)});
  return c.setResult(0, c.b.convert(result, type));
}

static LogicalResult decomposeSoftmaxBackward(CallContext &c) {
  return setGradient(c, [&](Operands x) {
    Value sum =
        c.b.sum(c.b.mul(x[0], x[1]), gradientDims(c, x[1]), /*keepDims=*/true);
    return c.b.mul(c.b.sub(x[0], sum), x[1]);
  });
}

static LogicalResult decomposeLogSoftmaxBackward(CallContext &c) {
  return setGradient(c, [&](Operands x) {
    Value sum = c.b.sum(x[0], gradientDims(c, x[1]), /*keepDims=*/true);
    return c.b.sub(x[0], c.b.mul(c.b.exp(x[1]), sum));
  });
}

void normalize::registerSoftmaxDecompositions(DecompositionTable &table) {
  table.add("aten.softmax.int", decomposeSoftmax<prim::SoftmaxOp>);
  table.add("aten.special_softmax.default", decomposeSoftmax<prim::SoftmaxOp>);
  table.add("aten.log_softmax.int", decomposeSoftmax<prim::LogSoftmaxOp>);
  table.add("aten.special_log_softmax.default",
            decomposeSoftmax<prim::LogSoftmaxOp>);
  table.add("aten._softmax.default", decomposeInnerSoftmax<prim::SoftmaxOp>);
  table.add("aten._log_softmax.default",
            decomposeInnerSoftmax<prim::LogSoftmaxOp>);
  table.add("aten._safe_softmax.default", decomposeSafeSoftmax);
  table.add("aten._masked_softmax.default", decomposeMaskedSoftmax);
  table.add("aten._softmax_backward_data.default", decomposeSoftmaxBackward);
  table.add("aten._log_softmax_backward_data.default",
            decomposeLogSoftmaxBackward);
}
