//===- MoveDimsLast.cpp - Kernels that work along the last dim ------------===//

#include "passes/Optimize/Passes.h"

#include "dialects/Prim/PrimBuilder.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_MOVEDIMSLAST
#include "passes/Optimize/Passes.h.inc"

using prim::PrimBuilder;

/// Redoes the op on an operand whose dim stands last, and moves the dim of
/// each result back.
template <typename OpT>
static void moveLast(OpT op,
                     function_ref<OpT(PrimBuilder &, Value, int64_t)> rebuild) {
  int64_t dim = op.getDim();
  int64_t rank = PrimBuilder::rankOf(op.getOperand());
  if (dim == rank - 1)
    return;
  OpBuilder builder(op);
  PrimBuilder b(builder, op.getLoc());
  OpT moved = rebuild(b, b.swapDims(op.getOperand(), dim, rank - 1), rank - 1);
  for (auto [former, result] : llvm::zip(op->getResults(), moved->getResults()))
    former.replaceAllUsesWith(b.swapDims(result, dim, rank - 1));
  op.erase();
}

static Type swapped(Type type, int64_t a, int64_t b) {
  auto tensor = cast<RankedTensorType>(type);
  sym::Shape shape = sym::shapeOf(tensor);
  std::swap(shape[a], shape[b]);
  return sym::tensorType(shape, tensor.getElementType());
}

namespace {
struct MoveDimsLast : impl::MoveDimsLastBase<MoveDimsLast> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([](prim::SortOp op) {
      moveLast<prim::SortOp>(
          op, [&](PrimBuilder &b, Value operand, int64_t last) {
            return prim::SortOp::create(b.getBuilder(), b.getLoc(), operand,
                                        last, op.getDescending());
          });
    });
    getOperation().walk([](prim::FftOp op) {
      moveLast<prim::FftOp>(
          op, [&](PrimBuilder &b, Value operand, int64_t last) {
            return prim::FftOp::create(b.getBuilder(), b.getLoc(), operand,
                                       last, op.getInverse());
          });
    });
    getOperation().walk([](prim::TopkOp op) {
      moveLast<prim::TopkOp>(
          op, [&](PrimBuilder &b, Value operand, int64_t last) {
            int64_t dim = op.getDim();
            return prim::TopkOp::create(
                b.getBuilder(), b.getLoc(),
                swapped(op.getValues().getType(), dim, last),
                swapped(op.getIndices().getType(), dim, last), operand, last,
                op.getSmallest());
          });
    });
  }
};
} // namespace
} // namespace adze
