//===- PrimScienceOps.cpp - Random, Fourier, linear algebra ---------------===//

#include "dialects/Prim/PrimVerify.h"

using namespace mlir;
using namespace adze;
using namespace adze::prim;
using sym::Shape;

#define GET_OP_CLASSES
#include "dialects/Prim/PrimScienceOps.cpp.inc"

LogicalResult RandomOp::verify() {
  // (C1)
  Type element = tensorTypeOf(getResult()).getElementType();
  bool bits = getDistribution() == Distribution::bits;
  if (bits != element.isInteger(64))
    return emitOpError("expects ")
           << (bits ? "i64" : "float") << " elements, but found " << element;
  return success();
}

LogicalResult FftOp::verify() {
  return verifyDim(*this, getDim(), tensorTypeOf(getOperand()).getRank());
}

static LogicalResult verifyMatrices(Operation *op, Value operand, bool square) {
  Shape shape = sym::shapeOf(operand);
  if (shape.size() < 2)
    return op->emitOpError("expects matrices, but found rank ") << shape.size();
  if (square && !mayBeEqual(shape[shape.size() - 1], shape[shape.size() - 2]))
    return op->emitOpError("expects square matrices, but found sizes ")
           << sym::toString(shape);
  return success();
}

LogicalResult LuOp::verify() { return verifyMatrices(*this, getOperand(), false); }
LogicalResult QrOp::verify() { return verifyMatrices(*this, getOperand(), false); }
LogicalResult SvdOp::verify() { return verifyMatrices(*this, getOperand(), false); }
LogicalResult CholeskyOp::verify() { return verifyMatrices(*this, getOperand(), true); }
LogicalResult EighOp::verify() { return verifyMatrices(*this, getOperand(), true); }

LogicalResult TriangularSolveOp::verify() {
  if (failed(verifyMatrices(*this, getMatrix(), true)) ||
      failed(verifyMatrices(*this, getRhs(), false)) ||
      failed(verifySameElementType(*this, getMatrix(), getRhs())))
    return failure();
  // (C1)
  Shape matrix = sym::shapeOf(getMatrix()), rhs = sym::shapeOf(getRhs());
  bool fits = matrix.size() == rhs.size();
  for (size_t i = 0; fits && i + 1 < matrix.size(); ++i)
    fits = mayBeEqual(matrix[i], rhs[i]);
  if (!fits)
    return emitOpError("expects sizes that fit, but found ")
           << sym::toString(matrix) << " and " << sym::toString(rhs);
  return success();
}
