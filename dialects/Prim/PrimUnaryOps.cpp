//===- PrimUnaryOps.cpp - Elementwise ops of one operand ------------------===//

#include "dialects/Prim/PrimVerify.h"

using namespace mlir;
using namespace adze;
using namespace adze::prim;

#define GET_OP_CLASSES
#include "dialects/Prim/PrimUnaryOps.cpp.inc"

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  // A conversion to the same type is the operand.
  if (getOperand().getType() == getType())
    return getOperand();
  return {};
}

static int64_t elementBits(Value value) {
  Type element = tensorTypeOf(value).getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return element.isInteger(1) ? 8 : element.getIntOrFloatBitWidth();
}

LogicalResult BitcastOp::verify() {
  // (C2)
  int64_t from = elementBits(getOperand()), to = elementBits(getResult());
  if (from != to)
    return emitOpError("expects element types of equal width, but found ")
           << from << " and " << to << " bits";
  return success();
}

static LogicalResult inferPart(ValueRange operands,
                               SmallVectorImpl<Type> &types) {
  auto type = tensorTypeOf(operands[0]);
  auto complex = dyn_cast<ComplexType>(type.getElementType());
  if (!complex)
    return failure();
  types.push_back(type.clone(complex.getElementType()));
  return success();
}

LogicalResult RealOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  return inferPart(operands, types);
}

LogicalResult ImagOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  return inferPart(operands, types);
}
