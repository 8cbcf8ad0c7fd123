//===- ViewStrides.cpp - Is it a view or a copy in torch? -----------------===//
//
// `reshape` and `contiguous` give a view if the strides allow it. The strides
// follow from the chain of an alias, as all fresh tensors are contiguous.
//
//===----------------------------------------------------------------------===//

#include "passes/Normalize/Functionalizer.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using adze::sym::Expr;
using adze::sym::Shape;

namespace adze::normalize {

static Shape contiguousStrides(ArrayRef<Expr> shape, MLIRContext *context) {
  Shape strides(shape.size());
  Expr stride = sym::constant(context, 1);
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride = sym::mul(stride, shape[i]);
  }
  return strides;
}

bool isContiguous(ArrayRef<Expr> shape, ArrayRef<Expr> strides) {
  if (shape.empty())
    return true;
  Shape expected = contiguousStrides(shape, shape[0].getContext());
  for (size_t i = 0; i < shape.size(); ++i)
    if (!sym::isConstant(shape[i], 1) && strides[i] != expected[i])
      return false;
  return true;
}

/// Runs of dims that lie in memory like one dim: (size, innermost stride).
static SmallVector<std::pair<Expr, Expr>> memoryRuns(ArrayRef<Expr> shape,
                                                     ArrayRef<Expr> strides) {
  SmallVector<std::pair<Expr, Expr>> runs; // innermost first
  for (size_t i = shape.size(); i-- > 0;) {
    if (sym::isConstant(shape[i], 1))
      continue;
    if (!runs.empty() &&
        sym::mul(runs.back().first, runs.back().second) == strides[i])
      runs.back().first = sym::mul(runs.back().first, shape[i]);
    else
      runs.emplace_back(shape[i], strides[i]);
  }
  return runs;
}

/// The strides of a view of another shape, if there is such a view.
static std::optional<Shape> viewStrides(ArrayRef<Expr> shape,
                                        ArrayRef<Expr> strides,
                                        ArrayRef<Expr> newShape,
                                        MLIRContext *context) {
  auto runs = memoryRuns(shape, strides);
  Shape result(newShape.size(), sym::constant(context, 1));
  size_t run = 0;
  Expr taken = sym::constant(context, 1);
  for (size_t i = newShape.size(); i-- > 0;) {
    if (sym::isConstant(newShape[i], 1))
      continue;
    if (run == runs.size())
      return std::nullopt;
    result[i] = sym::mul(runs[run].second, taken);
    taken = sym::mul(taken, newShape[i]);
    if (taken == runs[run].first) {
      ++run;
      taken = sym::constant(context, 1);
    }
  }
  return run == runs.size() && sym::isConstant(taken, 1) ? std::optional(result)
                                                         : std::nullopt;
}

bool isViewable(ArrayRef<Expr> shape, ArrayRef<Expr> strides,
                ArrayRef<Expr> newShape) {
  MLIRContext *context = !shape.empty()      ? shape[0].getContext()
                         : !newShape.empty() ? newShape[0].getContext()
                                             : nullptr;
  return !context || viewStrides(shape, strides, newShape, context).has_value();
}

static Shape broadcastStrides(prim::BroadcastOp op, ArrayRef<Expr> strides) {
  Shape from = sym::shapeOf(op.getOperand()), to = sym::shapeOf(op.getResult());
  size_t offset = to.size() - from.size();
  Shape result(to.size(), sym::constant(op.getContext(), 0));
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] == to[offset + i])
      result[offset + i] = strides[i];
  return result;
}

static Shape sliceStrides(prim::SliceOp op, Shape strides) {
  for (auto [stride, factor] : llvm::zip(strides, op.getStrides()))
    stride = sym::mul(stride, sym::constant(op.getContext(), factor));
  return strides;
}

static std::optional<Shape> stridesAfter(Operation *step,
                                         const Shape &strides) {
  if (auto op = dyn_cast<prim::TransposeOp>(step))
    return llvm::map_to_vector(op.getPermutation(),
                               [&](int64_t dim) { return strides[dim]; });
  if (auto op = dyn_cast<prim::SliceOp>(step))
    return sliceStrides(op, strides);
  if (auto op = dyn_cast<prim::BroadcastOp>(step))
    return broadcastStrides(op, strides);
  if (auto op = dyn_cast<prim::ReshapeOp>(step))
    return viewStrides(sym::shapeOf(op.getOperand()), strides,
                       sym::shapeOf(op.getResult()), op.getContext());
  if (isa<prim::CheckShapeOp>(step))
    return strides;
  return std::nullopt;
}

/// The first element of a slice, counted from that of its operand.
static Expr sliceOffset(prim::SliceOp op, ArrayRef<Expr> strides) {
  Expr offset = sym::constant(op.getContext(), 0);
  for (auto [start, stride] :
       llvm::zip(op.getStarts().getAsRange<sym::ExprAttr>(), strides))
    offset = sym::add(offset, sym::mul(start, stride));
  return offset;
}

std::optional<Placement> placementOf(const Alias &alias) {
  if (!alias.isReplayable || !alias.storage->isContiguous)
    return std::nullopt;
  Value base =
      alias.chain.empty() ? alias.value : alias.chain.front()->getOperand(0);
  MLIRContext *context = base.getContext();
  Placement place = {contiguousStrides(sym::shapeOf(base), context),
                     sym::constant(context, 0)};
  for (Operation *step : alias.chain) {
    if (auto slice = dyn_cast<prim::SliceOp>(step))
      place.offset = sym::add(place.offset, sliceOffset(slice, place.strides));
    std::optional<Shape> strides = stridesAfter(step, place.strides);
    if (!strides)
      return std::nullopt;
    place.strides = *strides;
  }
  return place;
}

std::optional<Shape> stridesOf(const Alias &alias) {
  auto place = placementOf(alias);
  return place ? std::optional(place->strides) : std::nullopt;
}

} // namespace adze::normalize
