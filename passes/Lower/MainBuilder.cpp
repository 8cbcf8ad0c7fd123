//===- MainBuilder.cpp - The function that runs a program -----------------===//

#include "passes/Lower/MainBuilder.h"

#include "passes/Lower/RuntimeCalls.h"
#include "passes/Schedule/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace adze {

MainBuilder::MainBuilder(ModuleOp module, func::FuncOp func)
    : module(module), func(func), layout(func), builder(module.getContext()),
      loc(func.getLoc()), entry(module.getContext()) {}

void MainBuilder::createFunction() {
  builder.setInsertionPointToEnd(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), {pointer});
  main = LLVM::LLVMFuncOp::create(builder, loc, mainName, type);
  Block *first = main.addEntryBlock(builder);
  Block *body = appendBlock();
  exit = appendBlock();
  entry.setInsertionPointToEnd(first);
  auto jump = LLVM::BrOp::create(entry, loc, ValueRange(), body);
  entry.setInsertionPoint(jump);
  builder.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(
      builder, loc,
      arith::ConstantIntOp::create(builder, loc, 1, 32).getResult());
  builder.setInsertionPointToEnd(body);
  call = main.getArgument(0);
}

void MainBuilder::placeArguments() {
  for (BlockArgument argument : func.getArguments()) {
    const ArgumentPlace &place = layout.place(argument.getArgNumber());
    if (place.kind == ArgumentPlace::RngKey) {
      // Seed, and the number of this call.
      auto pointer = LLVM::LLVMPointerType::get(module.getContext());
      Value where = LLVM::GEPOp::create(
          builder, loc, pointer, builder.getI64Type(), call,
          ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(int32_t(Seed))));
      Value seed =
          LLVM::LoadOp::create(builder, loc, builder.getI64Type(), where);
      Value number = callRuntime(builder, loc, "adze_rt_rng_reserve",
                                 builder.getI64Type(), {call, integer(1)});
      addresses[argument] = slotArray({seed, number});
      continue;
    }
    int64_t field = place.kind == ArgumentPlace::Input    ? Inputs
                    : place.kind == ArgumentPlace::Weight ? Weights
                                                          : States;
    addresses[argument] = loadFrom(loadField(field), place.number);
  }
}

LogicalResult MainBuilder::build() {
  createFunction();
  placeArguments();
  if (failed(lowerBlock(func.getBody().front())))
    return failure();
  module->setAttr(errorSitesName, builder.getArrayAttr(sites));
  return success();
}

LogicalResult MainBuilder::lowerBlock(Block &block) {
  for (Operation &op : block)
    if (failed(lowerOp(&op)))
      return failure();
  return success();
}

LogicalResult MainBuilder::lowerOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](kernel::LaunchOp launch) { return lowerLaunch(launch); })
      .Case([&](prim::NonzeroOp nonzero) { return lowerNonzero(nonzero); })
      .Case([&](prim::UniqueOp unique) { return lowerUnique(unique); })
      .Case([&](prim::CondOp cond) { return lowerCond(cond); })
      .Case([&](prim::WhileOp loop) { return lowerWhile(loop); })
      .Case([&](prim::ScanOp scan) { return lowerScan(scan); })
      .Case([&](prim::ReshapeOp) { return success(); })
      .Case([&](prim::YieldOp) { return success(); })
      .Case([&](prim::CheckShapeOp check) {
        return lowerCheckShape(check), success();
      })
      .Case([&](prim::BindSymbolOp bind) {
        return lowerBindSymbol(bind), success();
      })
      .Case([&](prim::AssertOp check) { return lowerAssert(check), success(); })
      .Case([&](prim::AssertExprOp check) {
        return lowerAssertExpr(check), success();
      })
      .Case(
          [&](func::ReturnOp result) { return lowerReturn(result), success(); })
      .Default([&](Operation *other) {
        return other->emitError("'")
               << other->getName() << "' can not run in native code";
      });
}

/// Copies to a result slot what was not computed there.
void MainBuilder::lowerReturn(Operation *op) {
  for (auto [slot, value] : llvm::enumerate(op->getOperands())) {
    Value storage = storageOf(value);
    auto launch = storage.getDefiningOp<kernel::LaunchOp>();
    if (launch && launch.getBuffers()) {
      auto number = cast<OpResult>(storage).getResultNumber();
      auto buffer = cast<kernel::BufferAttr>((*launch.getBuffers())[number]);
      if (buffer.getSpace() == kernel::Space::result &&
          sym::isConstant(buffer.getOffset(), slot))
        continue;
    }
    auto number = sym::constant(module.getContext(), slot);
    auto bytes = tensorBytes(cast<RankedTensorType>(value.getType()));
    auto buffer = kernel::BufferAttr::get(module.getContext(),
                                          kernel::Space::result, number, bytes);
    Value to = allocate(value, buffer);
    copy(to, address(value), bytesOf(value));
  }
  LLVM::ReturnOp::create(
      builder, loc,
      arith::ConstantIntOp::create(builder, loc, 0, 32).getResult());
}

//===----------------------------------------------------------------------===//
// Checks and symbols
//===----------------------------------------------------------------------===//

void MainBuilder::lowerAssert(prim::AssertOp op) {
  Value byte = LLVM::LoadOp::create(builder, loc, builder.getI8Type(),
                                    address(op.getCondition()));
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 8);
  Value holds =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, byte, zero);
  failUnless(holds, op.getLoc(), op.getMessage(), integer(0), integer(0));
}

void MainBuilder::lowerAssertExpr(prim::AssertExprOp op) {
  Value value = evaluate(op.getCondition());
  Value holds = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                     value, integer(0));
  failUnless(holds, op.getLoc(), op.getMessage(), integer(0), integer(0));
}

void MainBuilder::lowerCheckShape(prim::CheckShapeOp op) {
  sym::Shape from = sym::shapeOf(op.getOperand()),
             to = sym::shapeOf(op.getResult());
  for (auto [found, expected] : llvm::zip(from, to)) {
    if (found == expected)
      continue;
    Value a = evaluate(found), b = evaluate(expected);
    Value equal =
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, a, b);
    failUnless(equal, op.getLoc(), "size {0} does not match size {1}", a, b);
  }
}

void MainBuilder::lowerBindSymbol(prim::BindSymbolOp op) {
  auto type = cast<IntegerType>(
      cast<RankedTensorType>(op.getValue().getType()).getElementType());
  Type memory =
      IntegerType::get(module.getContext(), std::max(8u, type.getWidth()));
  Value value =
      LLVM::LoadOp::create(builder, loc, memory, address(op.getValue()));
  if (memory != builder.getI64Type()) {
    bool isUnsigned = type.isUnsigned() || type.getWidth() == 1;
    value =
        isUnsigned
            ? arith::ExtUIOp::create(builder, loc, builder.getI64Type(), value)
                  .getResult()
            : arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value)
                  .getResult();
  }
  LLVM::StoreOp::create(builder, loc, value, symbolAddress(op.getSymbol()));
}

} // namespace adze
