//===- ConvolutionKernel.cpp - Rows, tiles and addresses of pixels --------===//

#include "passes/Lower/ConvolutionKernel.h"

#include "passes/Lower/KernelBuilders.h"

using namespace mlir;

namespace adze {

bool suitsConvolutionKernel(prim::ConvolutionOp op) {
  auto filter = cast<RankedTensorType>(op.getFilter().getType());
  auto isNegative = [](int64_t low) { return low < 0; };
  return op.getLayout() == prim::ImageLayout::channels_last &&
         isa<BlockArgument>(op.getInput()) &&
         isa<BlockArgument>(op.getFilter()) && filter.hasStaticShape() &&
         filter.getNumElements() > 0 &&
         isTileElement(filter.getElementType()) &&
         !(op.getTransposed() && llvm::any_of(op.getLow(), isNegative));
}

bool buildConvolutionKernel(OpBuilder &builder, kernel::FuncOp kernel,
                            int64_t vectorBits) {
  auto ops = kernel.getBody().getOps<prim::ConvolutionOp>();
  if (ops.empty() || !suitsConvolutionKernel(*ops.begin()))
    return false;
  OpBuilder::InsertionGuard guard(builder);
  prim::ConvolutionOp op = *ops.begin();
  auto filter = cast<RankedTensorType>(op.getFilter().getType());
  auto build = isDepthwiseFilter(filter.getShape(), op.getGroups())
                   ? buildDepthwiseConvolution
                   : buildDirectConvolution;
  build(builder, kernel, op, vectorBits);
  return true;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static ConvolutionFrame::Dim dimOf(prim::ConvolutionOp op, size_t i) {
  ConvolutionFrame::Dim dim;
  dim.stride = op.getStride()[i];
  dim.low = op.getLow()[i];
  dim.dilation = op.getDilation()[i];
  dim.filter = *sym::asConstant(sym::shapeOf(op.getFilter())[i]);
  dim.isTransposed = op.getTransposed();
  dim.isPadded =
      dim.isTransposed || op.getLow()[i] != 0 || op.getHigh()[i] != 0;
  dim.input = sym::shapeOf(op.getInput())[1 + i];
  dim.output = sym::shapeOf(op.getResult())[1 + i];
  return dim;
}

ConvolutionFrame::ConvolutionFrame(OpBuilder &builder, kernel::FuncOp kernel,
                                   prim::ConvolutionOp op, int64_t vectorBits)
    : builder(builder), loc(kernel.getLoc()), op(op), frame(builder, kernel),
      emitter(builder, frame), b(emitter.index()),
      element(cast<RankedTensorType>(op.getType()).getElementType()),
      columns(dimOf(op, op.getStride().size() - 1)), groups(op.getGroups()),
      images(sym::shapeOf(op.getInput()).front()),
      input(frame.operand(cast<BlockArgument>(op.getInput()))),
      filter(frame.operand(cast<BlockArgument>(op.getFilter()))) {
  for (size_t i = 0; i + 1 < op.getStride().size(); ++i)
    outer.push_back(dimOf(op, i));
  sym::Shape sizes = sym::shapeOf(op.getFilter());
  groupInputs = *sym::asConstant(sizes[sizes.size() - 2]);
  groupOutputs = *sym::asConstant(sizes.back()) / groups;
}

int64_t ConvolutionFrame::tapCount() {
  int64_t count = columns.filter;
  for (const Dim &dim : outer)
    count *= dim.filter;
  return count;
}

Value ConvolutionFrame::advance(Value address, Value elements) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::GEPOp::create(builder, loc, pointer, memoryType(element),
                             address,
                             ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(elements)));
}

//===----------------------------------------------------------------------===//
// Rows of pixels
//===----------------------------------------------------------------------===//

sym::Expr ConvolutionFrame::rowCount() {
  sym::Expr count = expr(1);
  for (const Dim &dim : outer)
    count = sym::mul(count, dim.output);
  return count;
}

ConvolutionFrame::Row ConvolutionFrame::rowAt(Value image, Value number) {
  auto sizes = llvm::map_to_vector(
      outer, [&](const Dim &dim) { return frame.evaluate(dim.output); });
  Row row{image, {}, {}, b.constant(0)};
  for (auto [dim, index] :
       llvm::zip(outer, emitter.delinearize(sizes, Index{number}))) {
    row.positions.push_back(index.base);
    row.taps.push_back(tapsAt(dim, index.base));
  }
  return row;
}

/// A phase of a transposed convolution has each `stride`-th column.
Value ConvolutionFrame::pixelCount(const Row &row) {
  Value width = frame.evaluate(columns.output);
  if (!columns.isTransposed)
    return width;
  Value up = b.add(b.sub(width, row.phase), b.constant(columns.stride - 1));
  return b.div(up, b.constant(columns.stride));
}

std::optional<int64_t> ConvolutionFrame::knownPixelCount() {
  auto width = sym::asConstant(columns.output);
  if (!width || !columns.isTransposed)
    return width;
  // Phases differ by one pixel else.
  return *width % columns.stride == 0
             ? std::optional<int64_t>(*width / columns.stride)
             : std::nullopt;
}

int64_t ConvolutionFrame::pixelsPerTile(int64_t most) {
  auto width = sym::asConstant(columns.output);
  if (!width)
    return most;
  int64_t phases = columns.isTransposed ? columns.stride : 1;
  return balancedRows(llvm::divideCeil(*width, phases), most);
}

bool ConvolutionFrame::isOneTile(int64_t pixels) {
  auto known = knownPixelCount();
  return known && *known <= pixels;
}

void ConvolutionFrame::forPixels(
    Row row, int64_t step, function_ref<void(const Row &, Value pixel)> body) {
  auto runPhase = [&](Value phase) {
    row.phase = phase;
    forEach(b.constant(0), pixelCount(row), step,
            [&](Value pixel) { body(row, pixel); });
  };
  if (columns.isTransposed && columns.stride > 1)
    return forEach(b.constant(0), b.constant(columns.stride), 1, runPhase);
  runPhase(b.constant(0));
}

SmallVector<Value> ConvolutionFrame::pixelsFrom(const Row &row, Value first,
                                                int64_t count) {
  auto known = knownPixelCount();
  Value last = b.sub(pixelCount(row), b.constant(1));
  SmallVector<Value> numbers;
  for (int64_t i = 0; i < count; ++i) {
    Value number = b.add(first, b.constant(i));
    numbers.push_back(i == 0 || (known && *known % count == 0)
                          ? number
                          : b.min(number, last));
  }
  return numbers;
}

Indices ConvolutionFrame::indicesOf(const Row &row, Value pixel) {
  Indices indices{Index{row.image}};
  for (Value position : row.positions)
    indices.push_back(Index{position});
  Value column = pixel;
  if (columns.isTransposed)
    column = b.add(b.mul(pixel, b.constant(columns.stride)), row.phase);
  indices.push_back(Index{column});
  return indices;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Value ConvolutionFrame::inputRow(const Row &row, ArrayRef<Value> taps) {
  Value number = row.image;
  for (auto [dim, position, tap] : llvm::zip(outer, row.positions, taps))
    number = b.add(b.mul(number, frame.evaluate(dim.input)),
                   inputAt(dim, position, tap));
  Value size =
      b.mul(frame.evaluate(columns.input), b.constant(groupInputs * groups));
  return advance(input, b.mul(number, size));
}

Value ConvolutionFrame::isInside(const Row &row, Value first, Value last) {
  Value left = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                     inputColumn(row, first, b.constant(0)),
                                     b.constant(0));
  Value right = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt,
      inputColumn(row, last, b.constant(columns.filter - 1)),
      frame.evaluate(columns.input));
  return arith::AndIOp::create(builder, loc, left, right);
}

Value ConvolutionFrame::pixel(Value rowAddress, Value column, Value channel) {
  Value channels = b.constant(groupInputs * groups);
  return advance(rowAddress, b.add(b.mul(column, channels), channel));
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

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

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

TileEmitter::Sums ConvolutionFrame::overTapsFrom(ArrayRef<Taps> dims,
                                                 SmallVector<Value> &taps,
                                                 ValueRange sums,
                                                 TapBody body) {
  if (taps.size() == dims.size())
    return body(taps, sums);
  const Taps &dim = dims[taps.size()];
  auto loop = scf::ForOp::create(builder, loc, dim.begin, dim.end,
                                 b.constant(dim.step), sums);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ElementEmitter::Scope scope(emitter);
  taps.push_back(loop.getInductionVar());
  scf::YieldOp::create(
      builder, loc, overTapsFrom(dims, taps, loop.getRegionIterArgs(), body));
  taps.pop_back();
  return TileEmitter::Sums(loop.getResults());
}

TileEmitter::Sums ConvolutionFrame::overTaps(ArrayRef<Taps> dims,
                                             ValueRange sums, TapBody body) {
  SmallVector<Value> taps;
  return overTapsFrom(dims, taps, sums, body);
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
