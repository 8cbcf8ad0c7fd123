//===- OpClass.cpp - How an op takes part in fusion -----------------------===//

#include "passes/Fuse/OpClass.h"

#include "dialects/Kernel/TileShape.h"

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
  return isa<prim::MatmulOp, prim::ConvolutionOp, prim::AttentionOp>(op);
}

/// Heads of this many elements keep the scratch of a kernel below 256 KiB.
static constexpr int64_t largestHead = 1024;

static bool isHeadSize(sym::Expr size) {
  auto known = sym::asConstant(size);
  return known && *known > 0 && *known <= largestHead;
}

/// Float elements that are computed in f32.
static bool isComputedInF32(Type element) {
  return isTileElement(element) && !element.isF64();
}

static bool suitsMask(Value mask, const sym::Shape &scores) {
  Type element = cast<RankedTensorType>(mask.getType()).getElementType();
  if (!element.isInteger(1) && !isComputedInF32(element))
    return false;
  return llvm::all_of(llvm::zip(sym::shapeOf(mask), scores), [](auto sizes) {
    auto [size, full] = sizes;
    return sym::isConstant(size, 1) || size == full;
  });
}

bool suitsAttentionKernel(prim::AttentionOp op) {
  sym::Shape query = sym::shapeOf(op.getQuery()),
             key = sym::shapeOf(op.getKey()),
             value = sym::shapeOf(op.getValue());
  sym::Expr width = query.pop_back_val(), values = value.pop_back_val();
  bool sameWidth = key.pop_back_val() == width;
  sym::Shape scores = query;
  scores.push_back(key.back());
  if (op.getMask() && !suitsMask(op.getMask(), scores))
    return false;
  query.pop_back();
  bool sameKeys = key == value;
  key.pop_back();
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  return isComputedInF32(element) && isHeadSize(width) && isHeadSize(values) &&
         sameWidth && sameKeys && key == query;
}

static bool keepsLast(prim::TransposeOp op) {
  return op.getPermutation().back() + 1 == int64_t(op.getPermutation().size());
}

bool isStridedView(Operation *op) {
  if (auto transpose = dyn_cast<prim::TransposeOp>(op))
    return keepsLast(transpose);
  if (auto reshape = dyn_cast<prim::ReshapeOp>(op))
    return isUnitReshape(reshape);
  if (auto slice = dyn_cast<prim::SliceOp>(op))
    return slice.getStrides().back() == 1;
  if (auto broadcast = dyn_cast<prim::BroadcastOp>(op)) {
    sym::Shape from = sym::shapeOf(broadcast.getOperand());
    return !from.empty() &&
           from.back() == sym::shapeOf(op->getResult(0)).back();
  }
  return false;
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
