//===- OpClass.cpp - How an op takes part in fusion -----------------------===//

#include "passes/Fuse/OpClass.h"

using namespace mlir;

namespace adze {

static sym::Shape withoutUnits(Value value) {
  sym::Shape shape = sym::shapeOf(value);
  llvm::erase_if(shape,
                 [](sym::Expr size) { return sym::isConstant(size, 1); });
  return shape;
}

bool isUnitReshape(prim::ReshapeOp op) {
  return withoutUnits(op.getOperand()) == withoutUnits(op.getResult());
}

/// Reductions that the loop builder computes where they are needed.
static bool isReduction(Operation *op) {
  return isa<prim::ReduceOp, prim::ArgReduceOp, prim::PoolOp, prim::ArgPoolOp>(
      op);
}

static bool isMovement(Operation *op) {
  return isa<prim::BroadcastOp, prim::TransposeOp, prim::SliceOp, prim::PadOp,
             prim::ConcatOp, prim::ReverseOp, prim::UpdateSliceOp,
             prim::IndexOp, prim::GatherOp>(op);
}

static bool isAnchor(Operation *op) {
  return isa<prim::MatmulOp, prim::ConvolutionOp, prim::AttentionOp,
             prim::CumulativeOp, prim::ArgCumulativeOp, prim::ScatterOp,
             prim::IndexPutOp, prim::SortOp, prim::TopkOp, prim::SearchsortedOp,
             prim::RandomOp, prim::FftOp, prim::LuOp, prim::TriangularSolveOp,
             prim::CholeskyOp, prim::QrOp, prim::EighOp, prim::SvdOp>(op);
}

OpClass classOf(Operation *op) {
  if (isa<prim::ConstantOp, prim::FullOp, prim::IotaOp, prim::SymbolValueOp>(
          op))
    return OpClass::Creator;
  if (auto reshape = dyn_cast<prim::ReshapeOp>(op))
    return isUnitReshape(reshape) ? OpClass::Movement : OpClass::Outside;
  if (op->hasTrait<OpTrait::Elementwise>() &&
      isa<prim::PrimDialect>(op->getDialect()))
    return OpClass::Elementwise;
  if (isMovement(op))
    return OpClass::Movement;
  if (isReduction(op))
    return OpClass::Reduction;
  return isAnchor(op) ? OpClass::Anchor : OpClass::Outside;
}

kernel::Kind kindOfAnchor(Operation *op) {
  if (isa<prim::MatmulOp>(op))
    return kernel::Kind::gemm;
  if (isa<prim::ConvolutionOp>(op))
    return kernel::Kind::convolution;
  if (isa<prim::AttentionOp>(op))
    return kernel::Kind::attention;
  if (isa<prim::CumulativeOp, prim::ArgCumulativeOp>(op))
    return kernel::Kind::scan;
  if (isa<prim::ScatterOp, prim::IndexPutOp>(op))
    return kernel::Kind::scatter;
  return kernel::Kind::library;
}

bool takesEpilogue(Operation *op) {
  return isa<prim::MatmulOp, prim::ConvolutionOp>(op);
}

std::optional<sym::Shape> rowsOf(Operation *op) {
  auto lastDim = [](Value operand) {
    return cast<RankedTensorType>(operand.getType()).getRank() - 1;
  };
  Value operand;
  if (auto reduce = dyn_cast<prim::ReduceOp>(op)) {
    operand = reduce.getOperand();
    if (reduce.getDims() != ArrayRef<int64_t>(lastDim(operand)))
      return std::nullopt;
  } else if (auto reduce = dyn_cast<prim::ArgReduceOp>(op)) {
    operand = reduce.getOperand();
    if (int64_t(reduce.getDim()) != lastDim(operand))
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  sym::Shape shape = sym::shapeOf(operand);
  shape.pop_back();
  return shape;
}

} // namespace adze
