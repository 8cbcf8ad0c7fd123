//===- MainMemory.cpp - Addresses, buffers and failures of main -----------===//

#include "passes/Lower/ExprEmitter.h"
#include "passes/Lower/MainBuilder.h"
#include "passes/Lower/RuntimeCalls.h"
#include "passes/Schedule/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace adze {

static LLVM::LLVMPointerType pointerType(OpBuilder &builder) {
  return LLVM::LLVMPointerType::get(builder.getContext());
}

Value MainBuilder::integer(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

Value MainBuilder::loadField(int64_t field) {
  Value where = LLVM::GEPOp::create(
      builder, loc, pointerType(builder), builder.getI64Type(), call,
      ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(int32_t(field))));
  return LLVM::LoadOp::create(builder, loc, pointerType(builder), where);
}

Value MainBuilder::loadFrom(Value table, int64_t number) {
  Value where = LLVM::GEPOp::create(
      builder, loc, pointerType(builder), pointerType(builder), table,
      ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(int32_t(number))));
  return LLVM::LoadOp::create(builder, loc, pointerType(builder), where);
}

Value MainBuilder::symbolAddress(StringRef name) {
  return LLVM::GEPOp::create(
      builder, loc, pointerType(builder), builder.getI64Type(),
      loadField(Symbols),
      ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(int32_t(layout.symbolNumber(name)))));
}

/// Symbols are read where they are needed: a late one has no value before.
Value MainBuilder::evaluate(sym::Expr expr) {
  return emitExpr(builder, loc, expr, [&](StringRef name) -> Value {
    return LLVM::LoadOp::create(builder, loc, builder.getI64Type(),
                                symbolAddress(name));
  });
}

Value MainBuilder::address(Value tensor) {
  return addresses.lookup(storageOf(tensor));
}

Value MainBuilder::bytesOf(Value tensor) {
  return evaluate(tensorBytes(cast<RankedTensorType>(tensor.getType())));
}

Value MainBuilder::offsetAddress(Value base, Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointerType(builder),
                             builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(bytes)));
}

Value MainBuilder::pointerToInt(Value pointer) {
  return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), pointer);
}

Value MainBuilder::allocateBytes(Value bytes) {
  Value memory = callRuntime(builder, loc, "adze_rt_alloc",
                             pointerType(builder), {call, bytes});
  Value null = LLVM::ZeroOp::create(builder, loc, pointerType(builder));
  returnIf(LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, memory,
                                null));
  return memory;
}

Value MainBuilder::allocate(Value result, kernel::BufferAttr buffer) {
  if (!buffer || buffer.getSpace() == kernel::Space::dynamic)
    return allocateBytes(bytesOf(result));
  if (buffer.getSpace() == kernel::Space::arena)
    return offsetAddress(loadField(Workspace), evaluate(buffer.getOffset()));
  Value memory =
      callRuntime(builder, loc, "adze_rt_output", pointerType(builder),
                  {call, evaluate(buffer.getOffset())});
  Value null = LLVM::ZeroOp::create(builder, loc, pointerType(builder));
  returnIf(LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, memory,
                                null));
  return memory;
}

void MainBuilder::copy(Value to, Value from, Value bytes) {
  LLVM::MemcpyOp::create(builder, loc, to, from, bytes, /*isVolatile=*/false);
}

Value MainBuilder::slotArray(ArrayRef<Value> slots) {
  auto type = LLVM::LLVMArrayType::get(builder.getI64Type(), slots.size());
  Value one = arith::ConstantIntOp::create(entry, loc, 1, 64);
  Value array =
      LLVM::AllocaOp::create(entry, loc, pointerType(builder), type, one, 16);
  for (auto [i, slot] : llvm::enumerate(slots)) {
    Value where = LLVM::GEPOp::create(
        builder, loc, pointerType(builder), builder.getI64Type(), array,
        ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(int32_t(i))));
    LLVM::StoreOp::create(builder, loc, slot, where);
  }
  return array;
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

Block *MainBuilder::appendBlock() {
  OpBuilder::InsertionGuard guard(builder);
  return builder.createBlock(&main.getBody());
}

void MainBuilder::returnIf(Value failed) {
  Block *next = appendBlock();
  LLVM::CondBrOp::create(builder, loc, failed, exit, ValueRange(), next,
                         ValueRange());
  builder.setInsertionPointToEnd(next);
}

void MainBuilder::returnIfFailed() {
  Value where = LLVM::GEPOp::create(
      builder, loc, pointerType(builder), builder.getI64Type(), call,
      ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(int32_t(Status))));
  Value status =
      LLVM::LoadOp::create(builder, loc, builder.getI64Type(), where);
  returnIf(LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, status,
                                integer(0)));
}

void MainBuilder::failUnless(Value condition, Location where, StringRef message,
                             Value a, Value b) {
  Block *bad = appendBlock(), *good = appendBlock();
  LLVM::CondBrOp::create(builder, loc, condition, good, ValueRange(), bad,
                         ValueRange());
  builder.setInsertionPointToEnd(bad);
  callRuntime(builder, loc, "adze_rt_fail", {},
              {call, integer(addSite(where, message)), a, b});
  LLVM::BrOp::create(builder, loc, ValueRange(), exit);
  builder.setInsertionPointToEnd(good);
}

/// "model.py:31" of the innermost file position, and the name of the ATen
/// operator that the location carries.
static std::pair<std::string, std::string> describe(Location loc) {
  std::string op, position;
  loc->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part); name && op.empty())
      op = name.getName().str();
    if (auto file = dyn_cast<FileLineColLoc>(part); file && position.empty())
      position =
          (file.getFilename().strref() + ":" + Twine(file.getLine())).str();
    return WalkResult::advance();
  });
  return {op, position};
}

int64_t MainBuilder::addSite(Location where, StringRef message) {
  auto [op, position] = describe(where);
  sites.push_back(builder.getDictionaryAttr({
      builder.getNamedAttr("op", builder.getStringAttr(op)),
      builder.getNamedAttr("location", builder.getStringAttr(position)),
      builder.getNamedAttr("message", builder.getStringAttr(message)),
  }));
  return sites.size() - 1;
}

} // namespace adze
