//===- SymShape.cpp - Tensor types with symbolic sizes --------------------===//

#include "dialects/Sym/Sym.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace adze::sym {

Shape constantShape(MLIRContext *context, ArrayRef<int64_t> sizes) {
  return llvm::map_to_vector(
      sizes, [&](int64_t size) { return constant(context, size); });
}

Shape shapeOf(RankedTensorType type) {
  if (auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding()))
    return Shape(dims.getExprs());
  assert(type.hasStaticShape() && "dynamic dim without a symbolic size");
  return constantShape(type.getContext(), type.getShape());
}

RankedTensorType tensorType(ArrayRef<Expr> shape, Type element) {
  SmallVector<int64_t> sizes;
  bool symbolic = false;
  for (Expr size : shape) {
    auto value = asConstant(size);
    symbolic |= !value;
    sizes.push_back(value.value_or(ShapedType::kDynamic));
  }
  Attribute encoding;
  if (symbolic)
    encoding = DimsAttr::get(element.getContext(), shape);
  return RankedTensorType::get(sizes, element, encoding);
}

std::optional<SmallVector<int64_t>> constantSizes(ArrayRef<Expr> shape) {
  SmallVector<int64_t> sizes;
  for (Expr size : shape) {
    auto value = asConstant(size);
    if (!value)
      return std::nullopt;
    sizes.push_back(*value);
  }
  return sizes;
}

LogicalResult
DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                         function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getExprs().size())
    return emitError() << "expects " << shape.size()
                       << " symbolic sizes, but found " << getExprs().size();
  for (auto [size, expr] : llvm::zip(shape, getExprs()))
    if (asConstant(expr).value_or(ShapedType::kDynamic) != size)
      return emitError() << "symbolic size '" << toString(expr)
                         << "' does not fit the size in the type";
  return success();
}

} // namespace adze::sym
