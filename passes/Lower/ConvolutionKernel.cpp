//===- ConvolutionKernel.cpp - Positions in images of channels ------------===//

#include "passes/Lower/ConvolutionKernel.h"

#include "passes/Lower/KernelBuilders.h"

using namespace mlir;

namespace adze {

bool isDepthwise(prim::ConvolutionOp op) {
  auto packing = op->getAttrOfType<kernel::PackingAttr>("kernel.packing");
  return packing && packing.getKind() == kernel::PackingKind::depthwise_filter;
}

bool suitsConvolutionKernel(prim::ConvolutionOp op) {
  return op->hasAttr("kernel.packing") && op.getStride().size() <= 2 &&
         !op.getTransposed() &&
         op.getLayout() == prim::ImageLayout::channels_last &&
         isa<BlockArgument>(op.getInput()) &&
         isa<BlockArgument>(op.getFilter());
}

bool buildConvolutionKernel(OpBuilder &builder, kernel::FuncOp kernel,
                            int64_t vectorBits) {
  auto ops = kernel.getBody().getOps<prim::ConvolutionOp>();
  if (ops.empty() || !suitsConvolutionKernel(*ops.begin()))
    return false;
  OpBuilder::InsertionGuard guard(builder);
  auto build = isDepthwise(*ops.begin()) ? buildDepthwiseConvolution
                                         : buildDirectConvolution;
  build(builder, kernel, *ops.begin(), vectorBits);
  return true;
}

static ConvolutionFrame::Dim dimOf(prim::ConvolutionOp op, size_t i) {
  ConvolutionFrame::Dim dim;
  dim.stride = op.getStride()[i];
  dim.low = op.getLow()[i];
  dim.dilation = op.getDilation()[i];
  dim.filter = *sym::asConstant(sym::shapeOf(op.getFilter())[1 + i]);
  dim.isPadded = op.getLow()[i] != 0 || op.getHigh()[i] != 0;
  dim.input = sym::shapeOf(op.getInput())[1 + i];
  dim.output = sym::shapeOf(op.getResult())[1 + i];
  return dim;
}

/// A signal is an image of one row.
static ConvolutionFrame::Dim rowsOf(prim::ConvolutionOp op) {
  if (op.getStride().size() == 2)
    return dimOf(op, 0);
  sym::Expr one = sym::constant(op.getContext(), 1);
  return {/*stride=*/1, /*low=*/0,          /*dilation=*/1,
          /*filter=*/1, /*isPadded=*/false, one,
          one};
}

ConvolutionFrame::ConvolutionFrame(OpBuilder &builder, kernel::FuncOp kernel,
                                   prim::ConvolutionOp op, int64_t vectorBits)
    : builder(builder), loc(kernel.getLoc()), op(op), frame(builder, kernel),
      emitter(builder, frame), b(emitter.index()),
      element(cast<RankedTensorType>(op.getType()).getElementType()),
      rows(rowsOf(op)), columns(dimOf(op, op.getStride().size() - 1)),
      channels(*sym::asConstant(sym::shapeOf(op.getInput()).back())),
      outputs(*sym::asConstant(sym::shapeOf(op.getResult()).back())),
      images(sym::shapeOf(op.getInput()).front()),
      input(frame.operand(cast<BlockArgument>(op.getInput()))),
      filter(frame.operand(cast<BlockArgument>(op.getFilter()))) {}

Value ConvolutionFrame::advance(Value address, Value elements) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::GEPOp::create(builder, loc, pointer, memoryType(element),
                             address,
                             ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(elements)));
}

/// Filter row kh meets image row height * stride - low + kh * dilation.
ConvolutionFrame::Row ConvolutionFrame::rowAt(Value image, Value height) {
  Row row{image, height, b.constant(0), b.constant(rows.filter)};
  if (!rows.isPadded)
    return row;
  Value above =
      b.sub(b.constant(rows.low), b.mul(height, b.constant(rows.stride)));
  Value below = b.add(above, frame.evaluate(rows.input));
  auto steps = [&](Value distance) {
    Value positive = b.max(distance, b.constant(0));
    Value up = b.add(positive, b.constant(rows.dilation - 1));
    return b.min(b.div(up, b.constant(rows.dilation)), b.constant(rows.filter));
  };
  row.filterBegin = steps(above);
  row.filterEnd = steps(below);
  return row;
}

Value ConvolutionFrame::inputRow(const Row &row, Value kh) {
  Value height =
      b.add(b.mul(row.height, b.constant(rows.stride)),
            b.sub(b.mul(kh, b.constant(rows.dilation)), b.constant(rows.low)));
  Value number = b.add(b.mul(row.image, frame.evaluate(rows.input)), height);
  return advance(input, b.mul(number, b.mul(frame.evaluate(columns.input),
                                            b.constant(channels))));
}

SmallVector<Value> ConvolutionFrame::columnsFrom(Value width, int64_t count) {
  auto known = sym::asConstant(columns.output);
  Value last = b.sub(frame.evaluate(columns.output), b.constant(1));
  SmallVector<Value> numbers;
  for (int64_t i = 0; i < count; ++i) {
    Value number = b.add(width, b.constant(i));
    numbers.push_back(i == 0 || (known && *known % count == 0)
                          ? number
                          : b.min(number, last));
  }
  return numbers;
}

Indices ConvolutionFrame::indicesOf(const Row &row, Value column) {
  Indices indices{Index{row.image}};
  if (op.getStride().size() == 2)
    indices.push_back(Index{row.height});
  indices.push_back(Index{column});
  return indices;
}

Value ConvolutionFrame::inputColumn(Value width) {
  return b.sub(b.mul(width, b.constant(columns.stride)),
               b.constant(columns.low));
}

Value ConvolutionFrame::isInside(Value first, Value last) {
  Value reach = b.constant((columns.filter - 1) * columns.dilation);
  Value left = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                     inputColumn(first), b.constant(0));
  Value right = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      b.add(inputColumn(last), reach),
                                      frame.evaluate(columns.input));
  return arith::AndIOp::create(builder, loc, left, right);
}

Value ConvolutionFrame::pixel(Value rowAddress, Value column, Value channel) {
  return advance(rowAddress,
                 b.add(b.mul(column, b.constant(channels)), channel));
}

Value ConvolutionFrame::pixelOrZeros(Value rowAddress, Value column,
                                     Value channel) {
  Value address = pixel(rowAddress, column, channel);
  if (!zeros)
    return address;
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       column, frame.evaluate(columns.input));
  return arith::SelectOp::create(builder, loc, exists, address, zeros);
}

void ConvolutionFrame::makeZeros(int64_t count) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Type memory = memoryType(element);
  zeros = LLVM::AllocaOp::create(builder, loc, pointer, memory,
                                 b.constant(count), /*alignment=*/64);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 8);
  int64_t bytes = count * memory.getIntOrFloatBitWidth() / 8;
  LLVM::MemsetOp::create(builder, loc, zeros, zero, b.constant(bytes),
                         /*isVolatile=*/false);
}

TileEmitter::Sums
ConvolutionFrame::either(Value condition,
                         function_ref<TileEmitter::Sums()> ifTrue,
                         function_ref<TileEmitter::Sums()> ifFalse) {
  OpBuilder::InsertionGuard guard(builder);
  // Built apart, as the types of the results are known only then.
  Block *block = builder.getInsertionBlock();
  Operation *marker =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/true);
  auto probe = cast<scf::IfOp>(marker);
  auto fill = [&](Block *target, function_ref<TileEmitter::Sums()> body) {
    ElementEmitter::Scope scope(emitter);
    Operation *yield = target->getTerminator();
    builder.setInsertionPoint(yield);
    yield->setOperands(body());
    return SmallVector<Type>(yield->getOperandTypes());
  };
  auto types = fill(probe.thenBlock(), ifTrue);
  fill(probe.elseBlock(), ifFalse);
  builder.setInsertionPoint(block, std::next(Block::iterator(marker)));
  auto branch =
      scf::IfOp::create(builder, loc, types, condition, /*addThenBlock=*/false,
                        /*addElseBlock=*/false);
  branch.getThenRegion().takeBody(probe.getThenRegion());
  branch.getElseRegion().takeBody(probe.getElseRegion());
  marker->erase();
  return TileEmitter::Sums(branch.getResults());
}

TileEmitter::Sums ConvolutionFrame::overFilterRows(
    const Row &row, ValueRange sums,
    function_ref<TileEmitter::Sums(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(builder, loc, row.filterBegin, row.filterEnd,
                                 b.constant(1), sums);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ElementEmitter::Scope scope(emitter);
  scf::YieldOp::create(builder, loc,
                       body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return TileEmitter::Sums(loop.getResults());
}

void ConvolutionFrame::forEach(Value begin, Value end, int64_t step,
                               function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(builder, loc, begin, end, b.constant(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ElementEmitter::Scope scope(emitter);
  body(loop.getInductionVar());
}

} // namespace adze
