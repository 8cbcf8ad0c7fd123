//===- PrimReductionOps.cpp - Reductions, scans, sorting ------------------===//

#include "dialects/Prim/PrimVerify.h"

using namespace mlir;
using namespace adze;
using namespace adze::prim;
using sym::Shape;

#define GET_OP_CLASSES
#include "dialects/Prim/PrimReductionOps.cpp.inc"

static int64_t rankOf(Value value) { return tensorTypeOf(value).getRank(); }

static RankedTensorType withoutDims(Value operand, ArrayRef<int64_t> dims,
                                    Type element) {
  Shape kept;
  for (auto [i, size] : llvm::enumerate(sym::shapeOf(operand)))
    if (!llvm::is_contained(dims, int64_t(i)))
      kept.push_back(size);
  return sym::tensorType(kept, element);
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                         ValueRange operands,
                                         DictionaryAttr attributes,
                                         OpaqueProperties properties,
                                         RegionRange regions,
                                         SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  types.push_back(withoutDims(operands[0], adaptor.getDims(),
                              tensorTypeOf(operands[0]).getElementType()));
  return success();
}

LogicalResult ReduceOp::verify() {
  // (C1)
  if (failed(verifyDims(*this, getDims(), rankOf(getOperand()))))
    return failure();
  // (C2)
  Type element = tensorTypeOf(getOperand()).getElementType();
  bool logical = getKind() == Reduction::any || getKind() == Reduction::all;
  if (logical && !element.isInteger(1))
    return emitOpError("expects bool elements, but found ") << element;
  bool ordered = getKind() == Reduction::max || getKind() == Reduction::min;
  if (ordered && isa<ComplexType>(element))
    return emitOpError("expects real elements, but found ") << element;
  return success();
}

LogicalResult
ArgReduceOp::inferReturnTypes(MLIRContext *context, std::optional<Location>,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  int64_t dim = adaptor.getDim();
  types.push_back(withoutDims(operands[0], dim, IntegerType::get(context, 64)));
  return success();
}

LogicalResult ArgReduceOp::verify() {
  // (C1)
  if (getKind() != Reduction::max && getKind() != Reduction::min)
    return emitOpError("expects `max` or `min`, but found `")
           << stringifyReduction(getKind()) << "`";
  return verifyDim(*this, getDim(), rankOf(getOperand()));
}

LogicalResult CumulativeOp::verify() {
  return verifyDim(*this, getDim(), rankOf(getOperand()));
}

static RankedTensorType indexTypeLike(MLIRContext *context, Value operand) {
  return tensorTypeOf(operand).clone(IntegerType::get(context, 64));
}

LogicalResult ArgCumulativeOp::inferReturnTypes(MLIRContext *context,
                                                std::optional<Location>,
                                                ValueRange operands,
                                                DictionaryAttr,
                                                OpaqueProperties, RegionRange,
                                                SmallVectorImpl<Type> &types) {
  types.push_back(indexTypeLike(context, operands[0]));
  return success();
}

LogicalResult ArgCumulativeOp::verify() {
  // (C1)
  if (getKind() != ScanKind::max && getKind() != ScanKind::min)
    return emitOpError("expects `max` or `min`, but found `")
           << stringifyScanKind(getKind()) << "`";
  return verifyDim(*this, getDim(), rankOf(getOperand()));
}

LogicalResult SortOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(operands[0].getType());
  types.push_back(indexTypeLike(context, operands[0]));
  return success();
}

LogicalResult SortOp::verify() {
  return verifyDim(*this, getDim(), rankOf(getOperand()));
}

LogicalResult TopkOp::verify() {
  // (C1)
  if (failed(verifyDim(*this, getDim(), rankOf(getOperand()))))
    return failure();
  // (C2)
  Shape shape = sym::shapeOf(getOperand());
  Shape found = sym::shapeOf(getValues());
  if (found.size() == shape.size())
    shape[getDim()] = found[getDim()];
  Type element = tensorTypeOf(getOperand()).getElementType();
  if (failed(verifyInferred(*this, getValues(), shape, element)))
    return failure();
  return verifyInferred(*this, getIndices(), shape,
                        IntegerType::get(getContext(), 64));
}

LogicalResult SearchsortedOp::inferReturnTypes(MLIRContext *context,
                                               std::optional<Location>,
                                               ValueRange operands,
                                               DictionaryAttr, OpaqueProperties,
                                               RegionRange,
                                               SmallVectorImpl<Type> &types) {
  types.push_back(indexTypeLike(context, operands[1]));
  return success();
}

LogicalResult SearchsortedOp::verify() {
  // (C2)
  if (failed(verifySameElementType(*this, getSequence(), getValues())))
    return failure();
  // (C1)
  Shape sequence = sym::shapeOf(getSequence());
  Shape values = sym::shapeOf(getValues());
  if (sequence.empty() ||
      (sequence.size() > 1 && sequence.size() != values.size()))
    return emitOpError("expects sequences of rank 1 or of the values' rank");
  for (size_t i = 0; i + 1 < sequence.size(); ++i)
    if (!mayBeEqual(sequence[i], values[i]))
      return emitOpError("expects equal leading sizes, but found ")
             << sym::toString(sequence) << " and " << sym::toString(values);
  return success();
}
