//===- PrimBuilder.cpp - Building prim ops with broadcasting --------------===//

#include "dialects/Prim/PrimBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace adze::prim {

using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

Attribute numberAttr(Type element, double value) {
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Type part = complex.getElementType();
    return ArrayAttr::get(element.getContext(),
                          {numberAttr(part, value), numberAttr(part, 0)});
  }
  if (auto type = dyn_cast<FloatType>(element)) {
    APFloat number(value);
    bool inexact;
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &inexact);
    return FloatAttr::get(type, number);
  }
  return numberAttrInt(element,
                       element.isInteger(1) ? value != 0 : int64_t(value));
}

Attribute numberAttrInt(Type element, int64_t value) {
  auto type = dyn_cast<IntegerType>(element);
  if (!type)
    return numberAttr(element, double(value));
  APInt number(64, uint64_t(value));
  return IntegerAttr::get(type, number.sextOrTrunc(type.getWidth()));
}

Value PrimBuilder::scalar(double value, Type element) {
  return full({}, value, element);
}

Value PrimBuilder::scalarInt(int64_t value, Type element) {
  return fullInt({}, value, element);
}

Value PrimBuilder::full(ArrayRef<Expr> shape, double value, Type element) {
  return FullOp::create(builder, loc, sym::tensorType(shape, element),
                        numberAttr(element, value));
}

Value PrimBuilder::fullInt(ArrayRef<Expr> shape, int64_t value, Type element) {
  return FullOp::create(builder, loc, sym::tensorType(shape, element),
                        numberAttrInt(element, value));
}

Value PrimBuilder::fullLike(Value like, double value) {
  return full(shapeOf(like), value, elementOf(like));
}

Value PrimBuilder::iota(ArrayRef<Expr> shape, int64_t dim, Type element) {
  return IotaOp::create(builder, loc, sym::tensorType(shape, element), dim);
}

Value PrimBuilder::symbolValue(Expr expr) {
  if (auto value = sym::asConstant(expr))
    return scalarInt(*value, builder.getI64Type());
  Type element =
      sym::isFloat(expr) ? Type(builder.getF64Type()) : builder.getI64Type();
  return SymbolValueOp::create(builder, loc, RankedTensorType::get({}, element),
                               expr);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Shape PrimBuilder::broadcastShape(ArrayRef<Expr> a, ArrayRef<Expr> b) const {
  if (a.size() < b.size())
    std::swap(a, b);
  Shape result(a);
  size_t offset = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i)
    // A constant is preferred to a symbol that must equal it.
    if (sym::isConstant(a[offset + i], 1) ||
        (!sym::asConstant(a[offset + i]) && sym::asConstant(b[i]) &&
         !sym::isConstant(b[i], 1)))
      result[offset + i] = b[i];
  return result;
}

void PrimBuilder::broadcastTogether(Value &a, Value &b) {
  Shape shape = broadcastShape(shapeOf(a), shapeOf(b));
  a = broadcast(a, shape);
  b = broadcast(b, shape);
}

Value PrimBuilder::compare(Comparison predicate, Value a, Value b) {
  broadcastTogether(a, b);
  return CompareOp::create(builder, loc, predicate, a, b);
}

Value PrimBuilder::isNan(Value a) { return compare(Comparison::ne, a, a); }

Value PrimBuilder::where(Value condition, Value onTrue, Value onFalse) {
  broadcastTogether(onTrue, onFalse);
  broadcastTogether(condition, onTrue);
  onFalse = broadcast(onFalse, shapeOf(onTrue));
  return WhereOp::create(builder, loc, onTrue.getType(), condition, onTrue,
                         onFalse);
}

Value PrimBuilder::convert(Value operand, Type element) {
  if (elementOf(operand) == element)
    return operand;
  return ConvertOp::create(builder, loc, typeOf(operand).clone(element),
                           operand);
}

Value PrimBuilder::special(SpecialUnaryKind kind, Value operand) {
  return SpecialUnaryOp::create(builder, loc, operand.getType(), kind, operand);
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

Value PrimBuilder::reshape(Value operand, ArrayRef<Expr> shape) {
  auto type = sym::tensorType(shape, elementOf(operand));
  return builder.createOrFold<ReshapeOp>(loc, type, operand);
}

Value PrimBuilder::checkShape(Value operand, ArrayRef<Expr> shape) {
  auto type = sym::tensorType(shape, elementOf(operand));
  return builder.createOrFold<CheckShapeOp>(loc, type, operand);
}

Value PrimBuilder::broadcast(Value operand, ArrayRef<Expr> shape) {
  Shape checked = shapeOf(operand);
  size_t offset = shape.size() - checked.size();
  for (size_t i = 0; i < checked.size(); ++i)
    if (!sym::isConstant(checked[i], 1))
      checked[i] = shape[offset + i];
  operand = checkShape(operand, checked);
  auto type = sym::tensorType(shape, elementOf(operand));
  return builder.createOrFold<BroadcastOp>(loc, type, operand);
}

Value PrimBuilder::transpose(Value operand, ArrayRef<int64_t> permutation) {
  return builder.createOrFold<TransposeOp>(loc, operand, permutation);
}

Value PrimBuilder::swapDims(Value operand, int64_t a, int64_t b) {
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rankOf(operand)));
  std::swap(permutation[a], permutation[b]);
  return transpose(operand, permutation);
}

Value PrimBuilder::unsqueeze(Value operand, int64_t dim) {
  Shape shape = shapeOf(operand);
  shape.insert(shape.begin() + dim, expr(1));
  return reshape(operand, shape);
}

Value PrimBuilder::squeeze(Value operand, int64_t dim) {
  Shape shape = shapeOf(operand);
  shape.erase(shape.begin() + dim);
  return reshape(operand, shape);
}

/// Starts and strides that touch one dim only.
static std::pair<ArrayAttr, SmallVector<int64_t>>
sliceOfDim(OpBuilder &builder, int64_t rank, int64_t dim, Expr start,
           int64_t stride) {
  SmallVector<Attribute> starts(rank, sym::constant(builder.getContext(), 0));
  SmallVector<int64_t> strides(rank, 1);
  starts[dim] = start;
  strides[dim] = stride;
  return {builder.getArrayAttr(starts), strides};
}

Value PrimBuilder::slice(Value operand, int64_t dim, Expr start, Expr size,
                         int64_t stride) {
  auto [starts, strides] =
      sliceOfDim(builder, rankOf(operand), dim, start, stride);
  Shape shape = shapeOf(operand);
  shape[dim] = size;
  auto type = sym::tensorType(shape, elementOf(operand));
  return builder.createOrFold<SliceOp>(loc, type, operand, starts, strides);
}

Value PrimBuilder::updateSlice(Value operand, Value update, int64_t dim,
                               Expr start, int64_t stride) {
  auto [starts, strides] =
      sliceOfDim(builder, rankOf(operand), dim, start, stride);
  return UpdateSliceOp::create(builder, loc, operand.getType(), operand, update,
                               starts, strides);
}

static ArrayAttr exprArray(OpBuilder &builder, ArrayRef<Expr> exprs) {
  return builder.getArrayAttr(
      SmallVector<Attribute>(exprs.begin(), exprs.end()));
}

Value PrimBuilder::pad(Value operand, Value value, ArrayRef<Expr> low,
                       ArrayRef<Expr> high) {
  return PadOp::create(builder, loc, operand, value, exprArray(builder, low),
                       exprArray(builder, high));
}

Value PrimBuilder::concat(ValueRange operands, int64_t dim) {
  if (operands.size() == 1)
    return operands[0];
  return ConcatOp::create(builder, loc, operands, dim);
}

Value PrimBuilder::reverse(Value operand, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> sorted(dims);
  llvm::sort(sorted);
  return ReverseOp::create(builder, loc, operand, sorted);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value PrimBuilder::reduce(Reduction kind, Value operand, ArrayRef<int64_t> dims,
                          bool keepDims) {
  SmallVector<int64_t> sorted(dims);
  llvm::sort(sorted);
  Value result =
      sorted.empty()
          ? operand
          : ReduceOp::create(builder, loc, kind, operand, sorted).getResult();
  if (!keepDims)
    return result;
  Shape shape = shapeOf(operand);
  for (int64_t dim : sorted)
    shape[dim] = expr(1);
  return reshape(result, shape);
}

Value PrimBuilder::sizeProduct(Value operand, ArrayRef<int64_t> dims,
                               Type element) {
  Expr product = expr(1);
  Shape shape = shapeOf(operand);
  for (int64_t dim : dims)
    product = sym::mul(product, shape[dim]);
  return convert(symbolValue(product), element);
}

Value PrimBuilder::mean(Value operand, ArrayRef<int64_t> dims, bool keepDims) {
  Value count = sizeProduct(operand, dims, elementOf(operand));
  return div(sum(operand, dims, keepDims), count);
}

Value PrimBuilder::argReduce(Reduction kind, Value operand, int64_t dim,
                             bool keepDim) {
  Value result = ArgReduceOp::create(builder, loc, kind, operand, dim);
  return keepDim ? unsqueeze(result, dim) : result;
}

//===----------------------------------------------------------------------===//
// Contraction and indexing
//===----------------------------------------------------------------------===//

Value PrimBuilder::matmul(Value lhs, Value rhs, bool transposeLhs,
                          bool transposeRhs) {
  return MatmulOp::create(builder, loc, lhs, rhs, transposeLhs, transposeRhs);
}

Value PrimBuilder::indexSelect(Value operand, int64_t dim, Value index) {
  return IndexOp::create(builder, loc, operand, ValueRange(index),
                         ArrayRef<int64_t>(dim), dim);
}

Value PrimBuilder::gather(Value operand, int64_t dim, Value index) {
  return GatherOp::create(builder, loc, operand, index, dim);
}

} // namespace adze::prim
