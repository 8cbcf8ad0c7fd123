//===- KernelFrame.cpp - The function of a kernel and its arguments -------===//

#include "passes/Lower/KernelFrame.h"

#include "dialects/Prim/Prim.h"
#include "passes/Lower/ExprEmitter.h"
#include "passes/Lower/RuntimeCalls.h"

using namespace mlir;

namespace adze {

std::string KernelFrame::loweredName(kernel::FuncOp kernel) {
  return ("adze_" + kernel.getSymName()).str();
}

static LLVM::LLVMFuncOp createFunction(OpBuilder &builder,
                                       kernel::FuncOp kernel) {
  MLIRContext *context = builder.getContext();
  auto pointer = LLVM::LLVMPointerType::get(context);
  Type i64 = builder.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                          {pointer, i64, i64});
  return LLVM::LLVMFuncOp::create(builder, kernel.getLoc(),
                                  KernelFrame::loweredName(kernel), type,
                                  LLVM::Linkage::Internal);
}

KernelFrame::KernelFrame(OpBuilder &builder, kernel::FuncOp kernel)
    : kernel(kernel), func(createFunction(builder, kernel)),
      entry(builder.getContext()) {
  Block *block = func.addEntryBlock(builder);
  // A jump keeps the entry block apart, so that it can grow at its end.
  Block *body = builder.createBlock(&func.getBody());
  entry.setInsertionPointToEnd(block);
  auto jump = LLVM::BrOp::create(entry, kernel.getLoc(), ValueRange(), body);
  entry.setInsertionPoint(jump);
  int64_t slot = 0;
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto loadPointer = [&]() -> Value {
    return LLVM::IntToPtrOp::create(entry, kernel.getLoc(), pointer,
                                    loadSlot(entry, slot++));
  };
  callAddress = loadPointer();
  Block &region = kernel.getBody().front();
  for (size_t i = 0; i < region.getNumArguments(); ++i)
    operands.push_back(loadPointer());
  for (size_t i = 0; i < region.getTerminator()->getNumOperands(); ++i)
    results.push_back(loadPointer());
  for (Attribute name : kernel.getSymbols())
    symbols[cast<StringAttr>(name).getValue()] = loadSlot(entry, slot++);
  siteBase = loadSlot(entry, slot++);
  builder.setInsertionPointToEnd(body);
}

Value KernelFrame::loadSlot(OpBuilder &builder, int64_t slot) {
  Location loc = kernel.getLoc();
  Type i64 = builder.getI64Type();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value address =
      LLVM::GEPOp::create(builder, loc, pointer, i64, func.getArgument(0),
                          ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(int32_t(slot))));
  return LLVM::LoadOp::create(builder, loc, i64, address);
}

Value KernelFrame::evaluate(sym::Expr expr) {
  Value &value = evaluated[expr];
  if (!value)
    value = emitExpr(entry, kernel.getLoc(), expr,
                     [&](StringRef name) { return symbols.lookup(name); });
  return value;
}

SmallVector<Value> KernelFrame::sizes(Value tensor) {
  return llvm::map_to_vector(sym::shapeOf(tensor),
                             [&](sym::Expr size) { return evaluate(size); });
}

SmallVector<Operation *> KernelFrame::failingOps(Region &region) {
  SmallVector<Operation *> ops;
  region.walk([&](Operation *op) {
    bool fails = isa<prim::IndexOp, prim::GatherOp, prim::IndexPutOp,
                     prim::ScatterOp, prim::IDivOp>(op);
    if (auto rem = dyn_cast<prim::RemOp>(op))
      fails = isa<IntegerType>(
          cast<RankedTensorType>(rem.getType()).getElementType());
    if (fails)
      ops.push_back(op);
  });
  return ops;
}

void KernelFrame::fail(OpBuilder &builder, unsigned site, Value a, Value b) {
  Location loc = kernel.getLoc();
  Value offset = arith::ConstantIntOp::create(builder, loc, site, 64);
  Value number = arith::AddIOp::create(builder, loc, siteBase, offset);
  callRuntime(builder, loc, "adze_rt_fail", {}, {callAddress, number, a, b});
}

/// Elements that are worth a task of their own.
static constexpr int64_t taskElements = 1 << 15;

void KernelFrame::finish(OpBuilder &builder, sym::Expr iterations,
                         sym::Expr work) {
  LLVM::ReturnOp::create(builder, kernel.getLoc(), ValueRange());
  MLIRContext *context = builder.getContext();
  sym::Expr one = sym::constant(context, 1);
  sym::Expr grain =
      sym::floorDiv(sym::constant(context, taskElements), sym::max(work, one));
  func->setAttr(domainName, iterations);
  func->setAttr(grainName, sym::max(grain, one));
}

} // namespace adze
