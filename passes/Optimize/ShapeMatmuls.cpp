//===- ShapeMatmuls.cpp - Operands as the kernels of products read them ---===//

#include "passes/Optimize/Passes.h"

#include "adze/Codegen/ProgramLayout.h"
#include "dialects/Prim/PrimBuilder.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_SHAPEMATMULS
#define GEN_PASS_DEF_PLACETRANSPOSES
#include "passes/Optimize/Passes.h.inc"

using prim::PrimBuilder;

/// reshape(x [rows, K] * w [K, N]) to [dims..., N] is reshape(x) [dims..., K] *
/// w: what follows the reshape can then follow the product in its kernel.
static void moveReshapeBefore(prim::ReshapeOp op) {
  auto matmul = op.getOperand().getDefiningOp<prim::MatmulOp>();
  if (!matmul || matmul.getTransposeLhs() ||
      PrimBuilder::rankOf(matmul.getRhs()) != 2)
    return;
  sym::Shape shape = sym::shapeOf(op.getResult()),
             product = sym::shapeOf(matmul.getResult());
  if (shape.size() < 2 || shape.back() != product.back())
    return;
  OpBuilder builder(matmul);
  PrimBuilder b(builder, matmul.getLoc());
  sym::Shape lhsShape = shape;
  lhsShape.back() = sym::shapeOf(matmul.getLhs()).back();
  Value lhs = b.reshape(matmul.getLhs(), lhsShape);
  auto moved = prim::MatmulOp::create(
      builder, matmul.getLoc(), op.getType(), lhs, matmul.getRhs(),
      /*transpose_lhs=*/false, matmul.getTransposeRhs());
  op.replaceAllUsesWith(moved.getResult());
  op.erase();
  if (matmul->use_empty())
    matmul.erase();
}

static bool swapsLastTwo(prim::TransposeOp op) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  int64_t rank = permutation.size();
  for (int64_t i = 0; i < rank; ++i)
    if (permutation[i] != (i == rank - 1   ? rank - 2
                           : i == rank - 2 ? rank - 1
                                           : i))
      return false;
  return rank >= 2;
}

/// The kernel reads a transposed lhs in place.
static void foldLhsTranspose(prim::MatmulOp op) {
  auto transpose = op.getLhs().getDefiningOp<prim::TransposeOp>();
  if (!transpose || !swapsLastTwo(transpose))
    return;
  op.getLhsMutable().assign(transpose.getOperand());
  op.setTransposeLhs(!op.getTransposeLhs());
  if (transpose->use_empty())
    transpose.erase();
}

/// It reads a rhs row by row.
static void materializeRhsTranspose(prim::MatmulOp op) {
  if (!op.getTransposeRhs() || op->hasAttr(packingName))
    return;
  OpBuilder builder(op);
  PrimBuilder b(builder, op.getLoc());
  int64_t rank = PrimBuilder::rankOf(op.getRhs());
  op.getRhsMutable().assign(b.swapDims(op.getRhs(), rank - 2, rank - 1));
  op.setTransposeRhs(false);
}

namespace {
struct ShapeMatmuls : impl::ShapeMatmulsBase<ShapeMatmuls> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([](prim::ReshapeOp op) { moveReshapeBefore(op); });
  }
};

struct PlaceTransposes : impl::PlaceTransposesBase<PlaceTransposes> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([](prim::MatmulOp op) {
      foldLhsTranspose(op);
      materializeRhsTranspose(op);
    });
  }
};
} // namespace
} // namespace adze
