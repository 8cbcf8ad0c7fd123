//===- RuntimeCalls.cpp - Calls of functions outside of the module --------===//

#include "passes/Lower/RuntimeCalls.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace adze {

LLVM::LLVMFuncOp declareRuntime(OpBuilder &builder, StringRef name, Type result,
                                TypeRange arguments) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto module = isa<ModuleOp>(parent) ? cast<ModuleOp>(parent)
                                      : parent->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  if (!result)
    result = LLVM::LLVMVoidType::get(builder.getContext());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(result, SmallVector<Type>(arguments));
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
}

Value callRuntime(OpBuilder &builder, Location loc, StringRef name, Type result,
                  ValueRange arguments) {
  auto func = declareRuntime(builder, name, result, arguments.getTypes());
  auto call = LLVM::CallOp::create(builder, loc, func, arguments);
  return result ? call.getResult() : Value();
}

} // namespace adze
