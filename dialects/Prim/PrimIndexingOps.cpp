//===- PrimIndexingOps.cpp - Gathers and scatters -------------------------===//

#include "dialects/Prim/PrimVerify.h"

using namespace mlir;
using namespace adze;
using namespace adze::prim;
using sym::Expr;
using sym::Shape;

#define GET_OP_CLASSES
#include "dialects/Prim/PrimIndexingOps.cpp.inc"

/// The sizes that `index` gives; fails if an argument is out of range.
static FailureOr<Shape> indexedShape(Value operand, ValueRange indices,
                                     ArrayRef<int64_t> dims, int64_t position) {
  Shape shape = sym::shapeOf(operand), rest;
  if (indices.empty() || indices.size() != dims.size())
    return failure();
  for (auto [i, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(dims, int64_t(i)))
      rest.push_back(size);
  bool distinct = rest.size() + dims.size() == shape.size();
  if (!distinct || position < 0 || position > int64_t(rest.size()))
    return failure();
  Shape taken = sym::shapeOf(indices[0]);
  rest.insert(rest.begin() + position, taken.begin(), taken.end());
  return rest;
}

LogicalResult
IndexOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                          ValueRange operands, DictionaryAttr attributes,
                          OpaqueProperties properties, RegionRange regions,
                          SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto shape = indexedShape(operands[0], adaptor.getIndices(),
                            adaptor.getDims(), adaptor.getPosition());
  if (failed(shape)) // (C1), (C3)
    return emitOptionalError(
        loc, "expects one distinct dim within the rank for "
             "each index tensor, and a position among the others");
  types.push_back(
      sym::tensorType(*shape, tensorTypeOf(operands[0]).getElementType()));
  return success();
}

static LogicalResult verifyIndices(Operation *op, ValueRange indices) {
  // (C2)
  for (Value index : indices)
    if (index.getType() != indices[0].getType())
      return op->emitOpError("expects index tensors of one type, but found ")
             << indices[0].getType() << " and " << index.getType();
  return success();
}

LogicalResult IndexOp::verify() { return verifyIndices(*this, getIndices()); }

LogicalResult IndexPutOp::verify() {
  auto shape =
      indexedShape(getOperand(), getIndices(), getDims(), getPosition());
  if (failed(shape)) // (C1), (C3)
    return emitOpError(
        "expects one distinct dim within the rank for each index "
        "tensor, and a position among the others");
  if (failed(verifyIndices(*this, getIndices())))
    return failure();
  // (C4)
  return verifyInferred(*this, getValues(), *shape,
                        tensorTypeOf(getOperand()).getElementType());
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                         ValueRange operands, DictionaryAttr,
                                         OpaqueProperties, RegionRange,
                                         SmallVectorImpl<Type> &types) {
  types.push_back(tensorTypeOf(operands[1])
                      .clone(tensorTypeOf(operands[0]).getElementType()));
  return success();
}

LogicalResult GatherOp::verify() {
  Shape shape = sym::shapeOf(getOperand()), index = sym::shapeOf(getIndex());
  // (C1)
  if (shape.size() != index.size())
    return emitOpError("expects operand and index of one rank, but found ")
           << shape.size() << " and " << index.size();
  if (failed(verifyDim(*this, getDim(), shape.size())))
    return failure();
  // (C2)
  for (size_t i = 0; i < shape.size(); ++i) {
    auto taken = sym::asConstant(index[i]), size = sym::asConstant(shape[i]);
    if (i != getDim() && taken && size && *taken > *size)
      return emitOpError("expects at most size ")
             << *size << " of dim " << i << ", but found " << *taken;
  }
  return success();
}

LogicalResult ScatterOp::verify() {
  Shape shape = sym::shapeOf(getOperand()), index = sym::shapeOf(getIndex());
  // (C1)
  if (shape.size() != index.size())
    return emitOpError("expects operand and index of one rank, but found ")
           << shape.size() << " and " << index.size();
  if (failed(verifyDim(*this, getDim(), shape.size())))
    return failure();
  // (C2)
  return verifyInferred(*this, getValues(), index,
                        tensorTypeOf(getOperand()).getElementType());
}

LogicalResult NonzeroOp::verify() {
  // (C1)
  MLIRContext *context = getContext();
  Shape expected{sym::symbol(context, getSymbol()),
                 sym::constant(context, tensorTypeOf(getOperand()).getRank())};
  if (sym::shapeOf(getResult()) != expected)
    return emitOpError("expects a result of sizes ")
           << sym::toString(expected) << ", but found "
           << sym::toString(sym::shapeOf(getResult()));
  return success();
}

LogicalResult UniqueOp::verify() {
  Shape shape = sym::shapeOf(getOperand());
  // (C1)
  if (shape.size() != 1)
    return emitOpError("expects an operand of rank 1, but found rank ")
           << shape.size();
  // (C2)
  Shape expected{sym::symbol(getContext(), getSymbol())};
  if (sym::shapeOf(getValues()) != expected ||
      sym::shapeOf(getCounts()) != expected ||
      sym::shapeOf(getInverse()) != shape)
    return emitOpError("expects values and counts of sizes ")
           << sym::toString(expected) << " and an inverse of sizes "
           << sym::toString(shape);
  // (C3)
  return verifySameElementType(*this, getOperand(), getValues());
}
