//===- PrimInference.cpp - Checks of recorded against inferred types ------===//

#include "dialects/Prim/PrimVerify.h"

using namespace mlir;

namespace adze::prim {

LogicalResult verifyInferred(Operation *op, Value result,
                             ArrayRef<sym::Expr> shape, Type element) {
  auto type = tensorTypeOf(result);
  sym::Shape found = sym::shapeOf(type);
  bool fits = type.getElementType() == element && found.size() == shape.size();
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = mayBeEqual(found[i], shape[i]);
  if (fits)
    return success();
  return op->emitOpError("expects a result of type ")
         << sym::tensorType(shape, element) << ", but found " << type;
}

LogicalResult verifySameElementType(Operation *op, Value a, Value b) {
  Type x = tensorTypeOf(a).getElementType(),
       y = tensorTypeOf(b).getElementType();
  if (x == y)
    return success();
  return op->emitOpError("expects equal element types, but found ")
         << x << " and " << y;
}

} // namespace adze::prim
