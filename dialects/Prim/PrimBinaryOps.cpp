//===- PrimBinaryOps.cpp - Elementwise ops of several operands ------------===//

#include "dialects/Prim/PrimVerify.h"

using namespace mlir;
using namespace adze;
using namespace adze::prim;

#define GET_OP_CLASSES
#include "dialects/Prim/PrimBinaryOps.cpp.inc"

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &types) {
  types.push_back(
      tensorTypeOf(operands[0]).clone(IntegerType::get(context, 1)));
  return success();
}

LogicalResult CompareOp::verify() {
  bool complex = isa<ComplexType>(tensorTypeOf(getLhs()).getElementType());
  if (complex && getPredicate() != Comparison::eq &&
      getPredicate() != Comparison::ne)
    return emitOpError("expects `eq` or `ne` for complex operands, but found `")
           << stringifyComparison(getPredicate()) << "`";
  return success();
}

OpFoldResult WhereOp::fold(FoldAdaptor) {
  // where(c, x, x) -> x
  if (getOnTrue() == getOnFalse())
    return getOnTrue();
  return {};
}

LogicalResult ComplexOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location>,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &types) {
  auto type = tensorTypeOf(operands[0]);
  types.push_back(type.clone(ComplexType::get(type.getElementType())));
  return success();
}
