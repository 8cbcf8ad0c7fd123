//===- Scalar.cpp - A number that a program passes to an operator ---------===//

#include "passes/Normalize/Scalar.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;

namespace adze::normalize {

Scalar Scalar::ofExpr(sym::Expr expr) {
  if (auto value = sym::asConstant(expr))
    return ofInt(*value);
  Scalar scalar;
  scalar.kind = Kind::Symbolic;
  scalar.expr = expr;
  scalar.re = std::nan("");
  return scalar;
}

static std::optional<Scalar> complexOf(DictionaryAttr parts) {
  auto re = parts.getAs<FloatAttr>("re"), im = parts.getAs<FloatAttr>("im");
  if (!re || !im)
    return std::nullopt;
  return Scalar::ofComplex(re.getValueAsDouble(), im.getValueAsDouble());
}

std::optional<Scalar> Scalar::fromAttribute(Attribute attribute) {
  if (auto flag = dyn_cast_or_null<BoolAttr>(attribute))
    return ofBool(flag.getValue());
  if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
    return ofInt(number.getValue().getSExtValue());
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
    return ofFloat(number.getValueAsDouble());
  if (auto expr = dyn_cast_or_null<sym::ExprAttr>(attribute))
    return ofExpr(expr);
  if (auto parts = dyn_cast_or_null<DictionaryAttr>(attribute))
    return complexOf(parts);
  return std::nullopt;
}

Type Scalar::elementType(MLIRContext *context) const {
  if (isBool())
    return IntegerType::get(context, 1);
  if (isInteger())
    return IntegerType::get(context, 64);
  if (isComplex())
    return ComplexType::get(Float64Type::get(context));
  return Float64Type::get(context);
}

} // namespace adze::normalize
