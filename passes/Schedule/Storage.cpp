//===- Storage.cpp - Bytes of tensors, and values that share them ---------===//

#include "passes/Schedule/Storage.h"

using namespace mlir;

namespace adze {

int64_t elementBytes(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * elementBytes(complex.getElementType());
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

sym::Expr tensorBytes(RankedTensorType type) {
  MLIRContext *context = type.getContext();
  return sym::mul(sym::product(context, sym::shapeOf(type)),
                  sym::constant(context, elementBytes(type.getElementType())));
}

bool isView(Operation *op) {
  return isa_and_nonnull<prim::ReshapeOp, prim::CheckShapeOp>(op);
}

Value storageOf(Value value) {
  while (isView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

} // namespace adze
