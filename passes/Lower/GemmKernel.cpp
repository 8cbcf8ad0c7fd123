//===- GemmKernel.cpp - Matrix products -----------------------------------===//
//
// An iteration computes one panel of columns for a group of rows, tile by
// tile. The rhs is packed in panels, or row-major; the lhs is row-major, or
// transposed.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/KernelBuilders.h"
#include "passes/Lower/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace adze {
namespace {

/// Tiles that an iteration computes one below the other.
constexpr int64_t tilesPerGroup = 8;

class GemmKernel {
public:
  GemmKernel(OpBuilder &builder, kernel::FuncOp kernel, prim::MatmulOp matmul,
             int64_t vectorBits)
      : builder(builder), kernel(kernel), matmul(matmul),
        frame(builder, kernel), emitter(builder, frame), b(emitter.index()),
        element(cast<RankedTensorType>(matmul.getType()).getElementType()),
        packing(matmul->getAttrOfType<kernel::PackingAttr>("kernel.packing")),
        tile(packing ? tileForPanel(element, vectorBits, packing.getPanel())
                     : tileFor(element, vectorBits)),
        tiles(emitter, matmul.getResult(), tile) {
    measure();
  }

  void build();

private:
  void measure();
  void buildIteration(Value iteration);
  void buildGroup(Value group);
  void buildRows(Value begin, Value end, int64_t rows, const Columns &columns);
  void buildTile(Value row, int64_t count, const Columns &columns);
  TileEmitter::Sums sumUp(ArrayRef<Value> rowOffsets, const Columns &columns);
  Value rhsVector(int64_t v, Value k, const Columns &columns);
  Indices rowIndices(Value row);
  bool isPacked() const { return bool(packing); }

  OpBuilder &builder;
  kernel::FuncOp kernel;
  prim::MatmulOp matmul;
  KernelFrame frame;
  ElementEmitter emitter;
  IndexBuilder &b;
  Type element;
  kernel::PackingAttr packing;
  Tile tile;
  TileEmitter tiles;

  /// Sizes of the leading dims that stay apart, and of one product.
  sym::Shape batch;
  sym::Expr rowCount, columnCount, innerCount;
  /// Dims of the result that `rowCount` stands for.
  sym::Shape rowDims;
  int64_t groupRows = 0;

  // Of the current iteration.
  Value batchNumber, panel, lhs, rhs;
};
} // namespace

/// A rhs for all batches makes one tall matrix of the lhs, unless that is
/// transposed.
void GemmKernel::measure() {
  sym::Shape result = sym::shapeOf(matmul.getResult());
  columnCount = result.pop_back_val();
  sym::Shape lhsShape = sym::shapeOf(matmul.getLhs());
  innerCount = lhsShape[lhsShape.size() - (matmul.getTransposeLhs() ? 2 : 1)];
  bool isShared =
      cast<RankedTensorType>(matmul.getRhs().getType()).getRank() == 2;
  rowDims = result;
  if (!isShared || matmul.getTransposeLhs()) {
    batch.assign(result.begin(), result.end() - 1);
    rowDims = {result.back()};
  }
  rowCount = sym::product(builder.getContext(), rowDims);
  if (auto known = sym::asConstant(rowCount))
    tile.rows = balancedRows(*known, tile.rows);
  groupRows = tile.rows * tilesPerGroup;
}

//===----------------------------------------------------------------------===//
// One tile
//===----------------------------------------------------------------------===//

Value GemmKernel::rhsVector(int64_t v, Value k, const Columns &columns) {
  if (isPacked()) {
    Value offset =
        b.add(b.mul(k, b.constant(tile.width())), b.constant(v * tile.lanes));
    return tiles.loadVector(rhs, offset, element, {});
  }
  Value row = b.mul(k, frame.evaluate(columnCount));
  Value column = b.add(columns.first, b.constant(v * tile.lanes));
  return tiles.loadVector(rhs, b.add(row, column), element, columns.masks[v]);
}

TileEmitter::Sums GemmKernel::sumUp(ArrayRef<Value> rowOffsets,
                                    const Columns &columns) {
  Value step =
      matmul.getTransposeLhs() ? frame.evaluate(rowCount) : b.constant(1);
  return tiles.sumUp(
      rowOffsets.size(), columns.masks.size(), frame.evaluate(innerCount),
      [&](int64_t row, Value k) {
        return tiles.loadScalar(lhs, b.add(rowOffsets[row], b.mul(k, step)),
                                element);
      },
      [&](int64_t v, Value k) { return rhsVector(v, k, columns); });
}

/// The indices of a row of the result.
Indices GemmKernel::rowIndices(Value row) {
  auto sizesOf = [&](const sym::Shape &shape) {
    return llvm::map_to_vector(
        shape, [&](sym::Expr size) { return frame.evaluate(size); });
  };
  Indices indices;
  if (!batch.empty())
    indices = emitter.delinearize(sizesOf(batch), Index{batchNumber});
  llvm::append_range(indices,
                     emitter.delinearize(sizesOf(rowDims), Index{row}));
  return indices;
}

/// Rows beyond the last are the last one again: they are computed and stored
/// twice with the same result.
void GemmKernel::buildTile(Value row, int64_t count, const Columns &columns) {
  auto known = sym::asConstant(rowCount);
  bool divides = known && *known % count == 0;
  Value last = b.sub(frame.evaluate(rowCount), b.constant(1));
  Value stride =
      matmul.getTransposeLhs() ? b.constant(1) : frame.evaluate(innerCount);
  SmallVector<Value> rowNumbers, offsets;
  for (int64_t i = 0; i < count; ++i) {
    Value number = b.add(row, b.constant(i));
    if (!divides && i > 0)
      number = b.min(number, last);
    rowNumbers.push_back(number);
    offsets.push_back(b.mul(number, stride));
  }
  auto sums = sumUp(offsets, columns);
  tiles.store(
      sums,
      llvm::map_to_vector(rowNumbers, [&](Value v) { return rowIndices(v); }),
      columns);
}

//===----------------------------------------------------------------------===//
// All tiles
//===----------------------------------------------------------------------===//

void GemmKernel::buildRows(Value begin, Value end, int64_t rows,
                           const Columns &columns) {
  auto loop = scf::ForOp::create(builder, kernel.getLoc(), begin, end,
                                 b.constant(rows));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ElementEmitter::Scope scope(emitter);
  buildTile(loop.getInductionVar(), rows, columns);
}

void GemmKernel::buildGroup(Value group) {
  Value first = b.mul(panel, b.constant(tile.width()));
  Value begin = b.mul(group, b.constant(groupRows));
  Value end =
      b.min(b.add(begin, b.constant(groupRows)), frame.evaluate(rowCount));
  bool isKnown = sym::asConstant(rowCount).has_value();
  tiles.forColumns(first, columnCount, [&](const Columns &columns) {
    if (isKnown)
      return buildRows(begin, end, tile.rows, columns);
    // Few rows are frequent where their number is dynamic.
    OpBuilder::InsertionGuard guard(builder);
    for (int64_t few : {1, 4}) {
      Value isFew = arith::CmpIOp::create(builder, kernel.getLoc(),
                                          arith::CmpIPredicate::sle,
                                          b.sub(end, begin), b.constant(few));
      auto branch = scf::IfOp::create(builder, kernel.getLoc(), isFew,
                                      /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
      buildRows(begin, end, few, columns);
      builder.setInsertionPointToStart(branch.elseBlock());
    }
    buildRows(begin, end, tile.rows, columns);
  });
}

void GemmKernel::buildIteration(Value iteration) {
  Value groups = frame.evaluate(
      sym::ceilDiv(rowCount, sym::constant(builder.getContext(), groupRows)));
  sym::Expr width = sym::constant(builder.getContext(), tile.width());
  Value panels = frame.evaluate(sym::ceilDiv(columnCount, width));
  Value rest = b.div(iteration, groups);
  panel = b.rem(rest, panels);
  batchNumber = b.div(rest, panels);
  Value inner = frame.evaluate(innerCount);
  auto at = [&](Value address, Value offset) -> Value {
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    return LLVM::GEPOp::create(builder, kernel.getLoc(), pointer,
                               memoryType(element), address,
                               ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(offset)));
  };
  lhs = frame.operand(cast<BlockArgument>(matmul.getLhs()));
  rhs = frame.operand(cast<BlockArgument>(matmul.getRhs()));
  if (!batch.empty()) {
    lhs = at(lhs, b.mul(batchNumber, b.mul(frame.evaluate(rowCount), inner)));
    if (cast<RankedTensorType>(matmul.getRhs().getType()).getRank() > 2)
      rhs = at(rhs,
               b.mul(batchNumber, b.mul(frame.evaluate(columnCount), inner)));
  }
  if (isPacked())
    rhs = at(rhs, b.mul(panel, b.mul(inner, b.constant(tile.width()))));
  buildGroup(b.rem(iteration, groups));
}

void GemmKernel::build() {
  MLIRContext *context = builder.getContext();
  auto loop = scf::ForOp::create(builder, kernel.getLoc(), frame.begin(),
                                 frame.end(), b.constant(1));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    ElementEmitter::Scope scope(emitter);
    buildIteration(loop.getInductionVar());
  }
  sym::Expr rows = sym::constant(context, groupRows),
            width = sym::constant(context, tile.width());
  sym::Expr iterations =
      sym::mul(sym::product(context, batch), sym::ceilDiv(columnCount, width));
  // A vector of products takes the time of one element of other kernels.
  sym::Expr work =
      sym::mul(innerCount, sym::mul(sym::min(rowCount, rows),
                                    sym::constant(context, tile.vectors)));
  frame.finish(builder, sym::mul(iterations, sym::ceilDiv(rowCount, rows)),
               work);
}

/// True if the kernel's result has the sizes of the product and comes of it
/// element by element, as FormGroups makes it.
static bool suits(prim::MatmulOp matmul) {
  return isTileElement(
             cast<RankedTensorType>(matmul.getType()).getElementType()) &&
         isa<BlockArgument>(matmul.getLhs()) &&
         isa<BlockArgument>(matmul.getRhs()) &&
         (!matmul.getTransposeRhs() || matmul->hasAttr("kernel.packing"));
}

bool buildGemmKernel(OpBuilder &builder, kernel::FuncOp kernel,
                     int64_t vectorBits) {
  auto products = kernel.getBody().getOps<prim::MatmulOp>();
  if (products.empty() || !suits(*products.begin()))
    return false;
  OpBuilder::InsertionGuard guard(builder);
  GemmKernel(builder, kernel, *products.begin(), vectorBits).build();
  return true;
}

} // namespace adze
