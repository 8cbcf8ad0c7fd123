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
  // (C2)
  Shape two{sym::constant(getContext(), 2)}, key = sym::shapeOf(getKey());
  if (key != two)
    return emitOpError("expects a key of sizes [2], but found ")
           << sym::toString(key);
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

/// The sizes before the matrix, then others.
static Shape batchAnd(Value operand, ArrayRef<sym::Expr> last) {
  Shape shape = sym::shapeOf(operand);
  shape.resize(shape.size() - 2);
  shape.append(last.begin(), last.end());
  return shape;
}

namespace {
/// The sizes M, N and min(M, N) of the matrices of an operand.
struct MatrixSizes {
  explicit MatrixSizes(Value operand) {
    Shape shape = sym::shapeOf(operand);
    rows = shape[shape.size() - 2];
    columns = shape.back();
    least = sym::min(rows, columns);
  }
  sym::Expr rows, columns, least;
};
} // namespace

LogicalResult LuOp::verify() {
  // (C1)
  if (failed(verifyMatrices(*this, getOperand(), false)))
    return failure();
  // (C2)
  Type element = tensorTypeOf(getOperand()).getElementType();
  Type index = IntegerType::get(getContext(), 32);
  MatrixSizes sizes(getOperand());
  if (failed(verifyInferred(*this, getLu(), sym::shapeOf(getOperand()),
                            element)) ||
      failed(verifyInferred(*this, getPivots(),
                            batchAnd(getOperand(), sizes.least), index)))
    return failure();
  return verifyInferred(*this, getInfo(), batchAnd(getOperand(), {}), index);
}

LogicalResult QrOp::verify() {
  // (C1)
  if (failed(verifyMatrices(*this, getOperand(), false)) ||
      failed(verifyMatrices(*this, getR(), false)))
    return failure();
  // (C2)
  Type element = tensorTypeOf(getOperand()).getElementType();
  MatrixSizes sizes(getOperand());
  Shape r = sym::shapeOf(getR());
  sym::Expr k = r[r.size() - 2];
  if (!mayBeEqual(k, sizes.least))
    k = sizes.rows;
  if (failed(verifyInferred(*this, getQ(),
                            batchAnd(getOperand(), {sizes.rows, k}), element)))
    return failure();
  return verifyInferred(*this, getR(),
                        batchAnd(getOperand(), {k, sizes.columns}), element);
}

LogicalResult SvdOp::verify() {
  // (C1)
  if (failed(verifyMatrices(*this, getOperand(), false)))
    return failure();
  // (C2)
  Type element = tensorTypeOf(getOperand()).getElementType();
  MatrixSizes sizes(getOperand());
  if (failed(verifyInferred(*this, getU(),
                            batchAnd(getOperand(), {sizes.rows, sizes.least}),
                            element)) ||
      failed(verifyInferred(*this, getS(), batchAnd(getOperand(), sizes.least),
                            element)))
    return failure();
  return verifyInferred(*this, getVt(),
                        batchAnd(getOperand(), {sizes.least, sizes.columns}),
                        element);
}

LogicalResult CholeskyOp::verify() {
  // (C1)
  if (failed(verifyMatrices(*this, getOperand(), true)))
    return failure();
  // (C2)
  Type element = tensorTypeOf(getOperand()).getElementType();
  if (failed(verifyInferred(*this, getResult(), sym::shapeOf(getOperand()),
                            element)))
    return failure();
  return verifyInferred(*this, getInfo(), batchAnd(getOperand(), {}),
                        IntegerType::get(getContext(), 32));
}

LogicalResult EighOp::verify() {
  // (C1)
  if (failed(verifyMatrices(*this, getOperand(), true)))
    return failure();
  // (C2)
  Type element = tensorTypeOf(getOperand()).getElementType();
  MatrixSizes sizes(getOperand());
  if (failed(verifyInferred(*this, getValues(),
                            batchAnd(getOperand(), sizes.columns), element)))
    return failure();
  return verifyInferred(*this, getVectors(), sym::shapeOf(getOperand()),
                        element);
}

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
