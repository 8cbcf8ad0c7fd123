//===- StridedView.cpp - Values in a buffer in another order --------------===//

#include "passes/Lower/StridedView.h"

#include "dialects/Prim/Prim.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace adze {

static StridedView viewOfBuffer(KernelFrame &frame, IndexBuilder &b,
                                BlockArgument argument) {
  auto sizes = frame.sizes(argument);
  StridedView view{frame.operand(argument), b.constant(0),
                   SmallVector<Value>(sizes.size())};
  Value stride = b.constant(1);
  for (size_t i = sizes.size(); i-- > 0;) {
    view.strides[i] = stride;
    if (i > 0)
      stride = b.mul(stride, sizes[i]);
  }
  return view;
}

/// New dims, and those of size 1, do not move.
static StridedView broadcastView(IndexBuilder &b, prim::BroadcastOp op,
                                 StridedView view) {
  sym::Shape from = sym::shapeOf(op.getOperand());
  for (auto [stride, size] : llvm::zip(view.strides, from))
    if (sym::isConstant(size, 1))
      stride = b.constant(0);
  size_t added = sym::shapeOf(op.getResult()).size() - from.size();
  view.strides.insert(view.strides.begin(), added, b.constant(0));
  return view;
}

/// Dims of size 1 come and go.
static StridedView reshapedView(IndexBuilder &b, prim::ReshapeOp op,
                                const StridedView &view) {
  SmallVector<Value> kept;
  for (auto [stride, size] :
       llvm::zip(view.strides, sym::shapeOf(op.getOperand())))
    if (!sym::isConstant(size, 1))
      kept.push_back(stride);
  StridedView result{view.address, view.offset, {}};
  auto *next = kept.begin();
  for (sym::Expr size : sym::shapeOf(op.getResult()))
    result.strides.push_back(sym::isConstant(size, 1) ? b.constant(0)
                                                      : *next++);
  return result;
}

static StridedView slicedView(KernelFrame &frame, IndexBuilder &b,
                              prim::SliceOp op, StridedView view) {
  for (auto [i, stride] : llvm::enumerate(view.strides)) {
    auto start = cast<sym::ExprAttr>(op.getStarts()[i]);
    view.offset = b.add(view.offset, b.mul(frame.evaluate(start), stride));
    stride = b.mul(stride, b.constant(op.getStrides()[i]));
  }
  return view;
}

StridedView stridedView(KernelFrame &frame, IndexBuilder &b, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return viewOfBuffer(frame, b, argument);
  Operation *op = value.getDefiningOp();
  StridedView view = stridedView(frame, b, op->getOperand(0));
  return llvm::TypeSwitch<Operation *, StridedView>(op)
      .Case([&](prim::TransposeOp transpose) {
        SmallVector<Value> strides;
        for (int64_t dim : transpose.getPermutation())
          strides.push_back(view.strides[dim]);
        return StridedView{view.address, view.offset, strides};
      })
      .Case([&](prim::BroadcastOp broadcast) {
        return broadcastView(b, broadcast, view);
      })
      .Case([&](prim::ReshapeOp reshape) {
        return reshapedView(b, reshape, view);
      })
      .Case([&](prim::SliceOp slice) {
        return slicedView(frame, b, slice, view);
      });
}

} // namespace adze
