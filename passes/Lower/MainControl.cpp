//===- MainControl.cpp - cond, while and scan as native control flow ------===//
//
// Results and carried values have buffers of their own, which regions copy
// their yields to.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/MainBuilder.h"
#include "passes/Schedule/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace adze {

//===----------------------------------------------------------------------===//
// cond
//===----------------------------------------------------------------------===//

static Value stackSlot(OpBuilder &entry, Location loc, Type type) {
  auto pointer = LLVM::LLVMPointerType::get(entry.getContext());
  Value one = arith::ConstantIntOp::create(entry, loc, 1, 64);
  return LLVM::AllocaOp::create(entry, loc, pointer, type, one, 8);
}

/// Computes a branch, defines the symbols that depend on it, and leaves the
/// addresses of its results in their stack slots.
LogicalResult MainBuilder::lowerBranch(prim::CondOp op, Region &region,
                                       ArrayAttr sizes) {
  if (failed(lowerBlock(region.front())))
    return failure();
  for (auto [name, size] : llvm::zip(op.getDefines(), sizes))
    LLVM::StoreOp::create(builder, loc, evaluate(cast<sym::ExprAttr>(size)),
                          symbolAddress(cast<StringAttr>(name).getValue()));
  for (auto [result, yielded] : llvm::zip(
           op.getResults(), region.front().getTerminator()->getOperands())) {
    Value buffer = allocateBytes(bytesOf(yielded));
    copy(buffer, address(yielded), bytesOf(yielded));
    LLVM::StoreOp::create(builder, loc, buffer, addresses[result]);
  }
  return success();
}

LogicalResult MainBuilder::lowerCond(prim::CondOp op) {
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  for (Value result : op.getResults())
    addresses[result] = stackSlot(entry, loc, pointer);
  Value byte = LLVM::LoadOp::create(builder, loc, builder.getI8Type(),
                                    address(op.getCondition()));
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 8);
  Value holds =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, byte, zero);
  Block *onTrue = appendBlock(), *onFalse = appendBlock(),
        *after = appendBlock();
  LLVM::CondBrOp::create(builder, loc, holds, onTrue, ValueRange(), onFalse,
                         ValueRange());
  builder.setInsertionPointToEnd(onTrue);
  if (failed(lowerBranch(op, op.getThenRegion(), op.getThenSizes())))
    return failure();
  LLVM::BrOp::create(builder, loc, ValueRange(), after);
  builder.setInsertionPointToEnd(onFalse);
  if (failed(lowerBranch(op, op.getElseRegion(), op.getElseSizes())))
    return failure();
  LLVM::BrOp::create(builder, loc, ValueRange(), after);
  builder.setInsertionPointToEnd(after);
  for (Value result : op.getResults())
    addresses[result] =
        LLVM::LoadOp::create(builder, loc, pointer, addresses[result]);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Copies what a body yields to the carried buffers. A yield that is another
/// carried value must be read before its buffer is written: by way of shadows.
LogicalResult MainBuilder::carry(ValueRange yielded, ArrayRef<Value> buffers) {
  for (auto [value, buffer] : llvm::zip(yielded, buffers))
    if (address(value) != buffer)
      copy(buffer, address(value), bytesOf(value));
  return success();
}

/// True if a yield is a carried value of the same body at another position.
static bool swapsCarried(Block &body, size_t carried) {
  auto yielded = body.getTerminator()->getOperands().take_front(carried);
  for (auto [i, value] : llvm::enumerate(yielded)) {
    auto argument = dyn_cast<BlockArgument>(storageOf(value));
    if (argument && argument.getOwner() == &body &&
        argument.getArgNumber() < carried && argument.getArgNumber() != i)
      return true;
  }
  return false;
}

LogicalResult MainBuilder::lowerWhile(prim::WhileOp op) {
  Block &condition = op.getCondition().front(), &body = op.getBody().front();
  SmallVector<Value> buffers, shadows;
  bool swaps = swapsCarried(body, op.getInits().size());
  for (auto [i, init] : llvm::enumerate(op.getInits())) {
    buffers.push_back(allocateBytes(bytesOf(init)));
    if (swaps)
      shadows.push_back(allocateBytes(bytesOf(init)));
    copy(buffers.back(), address(init), bytesOf(init));
    addresses[condition.getArgument(i)] = buffers.back();
    addresses[body.getArgument(i)] = buffers.back();
    addresses[op.getResult(i)] = buffers.back();
  }
  Block *header = appendBlock(), *inside = appendBlock(),
        *after = appendBlock();
  LLVM::BrOp::create(builder, loc, ValueRange(), header);
  builder.setInsertionPointToEnd(header);
  if (failed(lowerBlock(condition)))
    return failure();
  Value flag = address(condition.getTerminator()->getOperand(0));
  Value byte = LLVM::LoadOp::create(builder, loc, builder.getI8Type(), flag);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 8);
  Value holds =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, byte, zero);
  LLVM::CondBrOp::create(builder, loc, holds, inside, ValueRange(), after,
                         ValueRange());
  builder.setInsertionPointToEnd(inside);
  if (failed(lowerBlock(body)) ||
      failed(carry(body.getTerminator()->getOperands(),
                   swaps ? shadows : buffers)))
    return failure();
  for (auto [shadow, buffer, init] : llvm::zip(shadows, buffers, op.getInits()))
    copy(buffer, shadow, bytesOf(init));
  LLVM::BrOp::create(builder, loc, ValueRange(), header);
  builder.setInsertionPointToEnd(after);
  return success();
}

LogicalResult MainBuilder::lowerScan(prim::ScanOp op) {
  Block &body = op.getBody().front();
  size_t carried = op.getInits().size();
  bool swaps = swapsCarried(body, carried);
  SmallVector<Value> buffers, shadows;
  for (auto [i, init] : llvm::enumerate(op.getInits())) {
    buffers.push_back(allocateBytes(bytesOf(init)));
    if (swaps)
      shadows.push_back(allocateBytes(bytesOf(init)));
    copy(buffers.back(), address(init), bytesOf(init));
    addresses[body.getArgument(i)] = buffers.back();
    addresses[op.getResult(i)] = buffers.back();
  }
  for (Value result : op.getResults().drop_front(carried))
    addresses[result] = allocateBytes(bytesOf(result));
  Value count = evaluate(sym::shapeOf(op.getSequences()[0])[0]);
  Value counter = stackSlot(entry, loc, builder.getI64Type());
  LLVM::StoreOp::create(builder, loc, integer(0), counter);
  Block *header = appendBlock(), *inside = appendBlock(),
        *after = appendBlock();
  LLVM::BrOp::create(builder, loc, ValueRange(), header);
  builder.setInsertionPointToEnd(header);
  Value step =
      LLVM::LoadOp::create(builder, loc, builder.getI64Type(), counter);
  Value more =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::slt, step, count);
  LLVM::CondBrOp::create(builder, loc, more, inside, ValueRange(), after,
                         ValueRange());
  builder.setInsertionPointToEnd(inside);
  auto sliceAt = [&](Value whole, Value slice) {
    return offsetAddress(
        address(whole),
        arith::MulIOp::create(builder, loc, step, bytesOf(slice)));
  };
  for (auto [i, sequence] : llvm::enumerate(op.getSequences()))
    addresses[body.getArgument(carried + i)] =
        sliceAt(sequence, body.getArgument(carried + i));
  if (failed(lowerBlock(body)))
    return failure();
  auto yielded = body.getTerminator()->getOperands();
  for (auto [result, value] : llvm::zip(op.getResults().drop_front(carried),
                                        yielded.drop_front(carried)))
    copy(sliceAt(result, value), address(value), bytesOf(value));
  if (failed(carry(yielded.take_front(carried), swaps ? shadows : buffers)))
    return failure();
  for (auto [shadow, buffer, init] : llvm::zip(shadows, buffers, op.getInits()))
    copy(buffer, shadow, bytesOf(init));
  LLVM::StoreOp::create(builder, loc,
                        arith::AddIOp::create(builder, loc, step, integer(1)),
                        counter);
  LLVM::BrOp::create(builder, loc, ValueRange(), header);
  builder.setInsertionPointToEnd(after);
  return success();
}

} // namespace adze
