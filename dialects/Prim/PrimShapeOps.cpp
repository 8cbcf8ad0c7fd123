//===- PrimShapeOps.cpp - Creation, movement, symbols ---------------------===//

#include "dialects/Prim/PrimVerify.h"

using namespace mlir;
using namespace adze;
using namespace adze::prim;
using sym::Expr;
using sym::Shape;

#define GET_OP_CLASSES
#include "dialects/Prim/PrimShapeOps.cpp.inc"

static SmallVector<Expr> exprsOf(ArrayAttr array) {
  return llvm::map_to_vector(
      array, [](Attribute attr) { return cast<sym::ExprAttr>(attr); });
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

static bool isNumberOf(Attribute value, Type element) {
  if (auto complex = dyn_cast<ComplexType>(element)) {
    auto parts = dyn_cast<ArrayAttr>(value);
    return parts && parts.size() == 2 &&
           llvm::all_of(parts, [&](Attribute part) {
             return isNumberOf(part, complex.getElementType());
           });
  }
  auto typed = dyn_cast<TypedAttr>(value);
  return isa<IntegerAttr, FloatAttr>(value) && typed.getType() == element;
}

LogicalResult FullOp::verify() {
  // (C1)
  Type element = tensorTypeOf(getResult()).getElementType();
  if (!isNumberOf(getValue(), element))
    return emitOpError("expects a number of type ")
           << element << ", but found " << getValue();
  return success();
}

LogicalResult IotaOp::verify() {
  return verifyDim(*this, getDim(), tensorTypeOf(getResult()).getRank());
}

LogicalResult SymbolValueOp::verify() {
  return verifyRankZero(*this, "result", getResult());
}

LogicalResult BindSymbolOp::verify() {
  return verifyRankZero(*this, "value", getValue());
}

LogicalResult AssertOp::verify() {
  return verifyRankZero(*this, "condition", getCondition());
}

//===----------------------------------------------------------------------===//
// Reshape, check_shape, transpose, broadcast
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  if (failed(verifySameElementType(*this, getOperand(), getResult())))
    return failure();
  // (C2)
  Expr from = sym::product(getContext(), sym::shapeOf(getOperand()));
  Expr to = sym::product(getContext(), sym::shapeOf(getResult()));
  if (!mayBeEqual(from, to))
    return emitOpError("expects as many elements as before, ")
           << sym::toString(from) << ", but found " << sym::toString(to);
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  // reshape(reshape(x)) -> reshape(x)
  if (auto producer = getOperand().getDefiningOp<ReshapeOp>()) {
    setOperand(producer.getOperand());
    return getResult();
  }
  return {};
}

LogicalResult CheckShapeOp::verify() {
  Shape shape = sym::shapeOf(getOperand());
  return verifyInferred(*this, getResult(), shape,
                        tensorTypeOf(getOperand()).getElementType());
}

OpFoldResult CheckShapeOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return {};
}

static FailureOr<Shape> permuted(Value operand, ArrayRef<int64_t> permutation) {
  Shape shape = sym::shapeOf(operand), result;
  SmallVector<bool> seen(shape.size());
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= int64_t(shape.size()) || seen[dim])
      return failure();
    seen[dim] = true;
    result.push_back(shape[dim]);
  }
  if (result.size() != shape.size())
    return failure();
  return result;
}

LogicalResult
TransposeOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto shape = permuted(operands[0], adaptor.getPermutation());
  if (failed(shape))
    return emitOptionalError(loc,
                             "expects a permutation of the operand's dims");
  types.push_back(
      sym::tensorType(*shape, tensorTypeOf(operands[0]).getElementType()));
  return success();
}

LogicalResult TransposeOp::verify() {
  // (C1)
  if (failed(permuted(getOperand(), getPermutation())))
    return emitOpError("expects a permutation of the operand's dims");
  return success();
}

static bool isIdentity(ArrayRef<int64_t> permutation) {
  for (auto [i, dim] : llvm::enumerate(permutation))
    if (dim != int64_t(i))
      return false;
  return true;
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (isIdentity(getPermutation()) && getOperand().getType() == getType())
    return getOperand();
  // transpose(transpose(x)) -> transpose(x)
  auto producer = getOperand().getDefiningOp<TransposeOp>();
  if (!producer)
    return {};
  auto composed = llvm::map_to_vector(getPermutation(), [&](int64_t dim) {
    return producer.getPermutation()[dim];
  });
  setOperand(producer.getOperand());
  setPermutation(composed);
  return getResult();
}

LogicalResult BroadcastOp::verify() {
  if (failed(verifySameElementType(*this, getOperand(), getResult())))
    return failure();
  Shape from = sym::shapeOf(getOperand()), to = sym::shapeOf(getResult());
  // (C2)
  if (from.size() > to.size())
    return emitOpError("expects a result of at least rank ")
           << from.size() << ", but found rank " << to.size();
  // (C3)
  size_t offset = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i)
    if (!sym::isConstant(from[i], 1) && !mayBeEqual(from[i], to[offset + i]))
      return emitOpError("can not broadcast size ")
             << sym::toString(from[i]) << " to "
             << sym::toString(to[offset + i]);
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  // broadcast(broadcast(x)) -> broadcast(x)
  if (auto producer = getOperand().getDefiningOp<BroadcastOp>()) {
    setOperand(producer.getOperand());
    return getResult();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The checks of slice and update_slice: `part` is taken from `whole`.
static LogicalResult verifySlice(Operation *op, Value whole, Value part,
                                 ArrayAttr starts, ArrayRef<int64_t> strides) {
  if (failed(verifySameElementType(op, whole, part)))
    return failure();
  Shape outer = sym::shapeOf(whole), inner = sym::shapeOf(part);
  // (C1), (C2)
  if (inner.size() != outer.size() || starts.size() != outer.size() ||
      strides.size() != outer.size())
    return op->emitOpError("expects one size, start and stride for each of ")
           << outer.size() << " dims, but found " << inner.size() << ", "
           << starts.size() << " and " << strides.size();
  for (auto [i, stride] : llvm::enumerate(strides)) {
    // (C3)
    if (stride < 1)
      return op->emitOpError("expects positive strides, but found ") << stride;
    // (C4)
    auto start = sym::asConstant(cast<sym::ExprAttr>(starts[i]));
    auto size = sym::asConstant(inner[i]), bound = sym::asConstant(outer[i]);
    if (start && (*start < 0 || (size && bound && *size > 0 &&
                                 *start + (*size - 1) * stride >= *bound)))
      return op->emitOpError("reaches beyond size ")
             << sym::toString(outer[i]) << " of dim " << i;
  }
  return success();
}

LogicalResult SliceOp::verify() {
  return verifySlice(*this, getOperand(), getResult(), getStarts(),
                     getStrides());
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  bool whole = getOperand().getType() == getType() &&
               llvm::all_of(getStrides(), [](int64_t s) { return s == 1; }) &&
               llvm::all_of(exprsOf(getStarts()),
                            [](Expr e) { return sym::isConstant(e, 0); });
  return whole ? getOperand() : OpFoldResult();
}

LogicalResult UpdateSliceOp::verify() {
  return verifySlice(*this, getOperand(), getUpdate(), getStarts(),
                     getStrides());
}

//===----------------------------------------------------------------------===//
// Pad, concat, reverse
//===----------------------------------------------------------------------===//

LogicalResult
PadOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                        ValueRange operands, DictionaryAttr attributes,
                        OpaqueProperties properties, RegionRange regions,
                        SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  Shape shape = sym::shapeOf(operands[0]);
  auto low = exprsOf(adaptor.getLow()), high = exprsOf(adaptor.getHigh());
  // (C2)
  if (low.size() != shape.size() || high.size() != shape.size())
    return emitOptionalError(loc, "expects padding for each of ", shape.size(),
                             " dims");
  for (auto [size, before, after] : llvm::zip(shape, low, high))
    size = sym::add(sym::add(size, before), after);
  types.push_back(
      sym::tensorType(shape, tensorTypeOf(operands[0]).getElementType()));
  return success();
}

LogicalResult PadOp::verify() {
  // (C1)
  if (failed(verifySameElementType(*this, getOperand(), getValue())) ||
      failed(verifyRankZero(*this, "value", getValue())))
    return failure();
  // (C4)
  for (Expr amount : llvm::concat<Expr>(exprsOf(getLow()), exprsOf(getHigh())))
    if (sym::asConstant(amount).value_or(0) < 0)
      return emitOpError("expects padding that is not negative, but found ")
             << sym::toString(amount);
  return success();
}

LogicalResult
ConcatOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  int64_t dim = adaptor.getDim();
  // (C1), (C3)
  if (operands.empty())
    return emitOptionalError(loc, "expects at least one operand");
  Shape shape = sym::shapeOf(operands[0]);
  if (dim < 0 || dim >= int64_t(shape.size()))
    return emitOptionalError(loc, "expects a dim within rank ", shape.size(),
                             ", but found ", dim);
  for (Value operand : operands.drop_front()) {
    Shape next = sym::shapeOf(operand);
    // (C2)
    if (next.size() != shape.size())
      return emitOptionalError(loc, "expects operands of one rank");
    shape[dim] = sym::add(shape[dim], next[dim]);
  }
  types.push_back(
      sym::tensorType(shape, tensorTypeOf(operands[0]).getElementType()));
  return success();
}

LogicalResult ConcatOp::verify() {
  // (C1); types are inferred after this
  if (getOperands().empty())
    return emitOpError("expects at least one operand");
  Shape first = sym::shapeOf(getOperands()[0]);
  for (Value operand : getOperands().drop_front()) {
    if (failed(verifySameElementType(*this, getOperands()[0], operand)))
      return failure();
    Shape shape = sym::shapeOf(operand);
    // (C2); before the types are inferred, so the ranks may differ
    if (shape.size() != first.size())
      return emitOpError("expects operands of one rank");
    // (C4)
    for (auto [i, size] : llvm::enumerate(shape))
      if (i != getDim() && !mayBeEqual(size, first[i]))
        return emitOpError("expects equal sizes of dim ")
               << i << ", but found " << sym::toString(first[i]) << " and "
               << sym::toString(size);
  }
  return success();
}

LogicalResult ReverseOp::verify() {
  return verifyDims(*this, getDims(), tensorTypeOf(getOperand()).getRank());
}
