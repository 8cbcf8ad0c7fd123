//===- LinearAlgebra.cpp - Solving and factoring matrices -----------------===//

#include "passes/Normalize/Families/LinearAlgebra.h"

using namespace mlir;

namespace adze::normalize {

using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

LuFactors factorLu(PrimBuilder &b, Value matrix) {
  Shape shape = b.shapeOf(matrix), batch(shape.begin(), shape.end() - 2),
        pivots = batch;
  pivots.push_back(sym::min(shape[shape.size() - 2], shape.back()));
  Type i32 = b.getBuilder().getI32Type();
  auto op = prim::LuOp::create(b.getBuilder(), b.getLoc(), matrix.getType(),
                               sym::tensorType(pivots, i32),
                               sym::tensorType(batch, i32), matrix);
  return {op.getLu(), op.getPivots(), op.getInfo()};
}

/// One row swap: `order [batch..., rows]`, `step` the row, `pivot [batch...]`.
static Value swapRows(PrimBuilder &b, Value order, Value step, Value pivot) {
  int64_t last = b.rankOf(order) - 1;
  Shape one = b.shapeOf(order);
  one[last] = b.expr(1);
  Value from = b.broadcast(step, one), to = b.unsqueeze(pivot, last);
  Value atFrom = b.gather(order, last, from), atTo = b.gather(order, last, to);
  Value rows = b.iota(b.shapeOf(order), last, indexType(b));
  Value result =
      b.where(b.compare(prim::Comparison::eq, rows, from), atTo, order);
  return b.where(b.compare(prim::Comparison::eq, rows, to), atFrom, result);
}

Value permutationOf(PrimBuilder &b, Value pivots, Expr rows) {
  int64_t last = b.rankOf(pivots) - 1;
  Value swaps = moveDim(
      b, b.sub(asIndex(b, pivots), b.scalarInt(1, indexType(b))), last, 0);
  Shape shape = b.shapeOf(pivots);
  Value steps = arange(b, shape[last]);
  shape[last] = rows;
  Value start = b.iota(shape, last, indexType(b));
  OpBuilder &builder = b.getBuilder();
  auto scan =
      prim::ScanOp::create(builder, b.getLoc(), TypeRange(start.getType()),
                           ValueRange(start), ValueRange{steps, swaps});
  Block *body = scan.getBody().empty() ? &scan.getBody().emplaceBlock()
                                       : &scan.getBody().front();
  Shape batch(shape.begin(), shape.end() - 1);
  body->addArgument(start.getType(), b.getLoc());
  body->addArgument(sym::tensorType({}, indexType(b)), b.getLoc());
  body->addArgument(sym::tensorType(batch, indexType(b)), b.getLoc());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(body);
  Value next = swapRows(b, body->getArgument(0), body->getArgument(1),
                        body->getArgument(2));
  prim::YieldOp::create(builder, b.getLoc(), b.checkShape(next, shape));
  return scan.getResult(0);
}

Value permuteRows(PrimBuilder &b, Value matrix, Value order) {
  int64_t rank = b.rankOf(matrix);
  Value index = b.broadcast(b.unsqueeze(order, rank - 1), b.shapeOf(matrix));
  return b.gather(matrix, rank - 2, index);
}

Value solveTriangular(PrimBuilder &b, Value matrix, Value rhs, Triangle t) {
  return prim::TriangularSolveOp::create(b.getBuilder(), b.getLoc(),
                                         rhs.getType(), matrix, rhs, t.upper,
                                         t.transpose, t.unit);
}

Value solveByLu(PrimBuilder &b, const LuFactors &factors, Value rhs) {
  Expr rows = b.shapeOf(factors.lu).back();
  Value permuted = permuteRows(b, rhs, permutationOf(b, factors.pivots, rows));
  Value inner = solveTriangular(b, factors.lu, permuted, {.unit = true});
  return solveTriangular(b, factors.lu, inner, {.upper = true});
}

//===----------------------------------------------------------------------===//
// Pieces of matrices
//===----------------------------------------------------------------------===//

Value identityLike(PrimBuilder &b, Value matrix) {
  Shape shape = b.shapeOf(matrix);
  return b.broadcast(identity(b, shape.back(), b.elementOf(matrix)), shape);
}

Value transposed(PrimBuilder &b, Value matrix) {
  int64_t rank = b.rankOf(matrix);
  return b.swapDims(matrix, rank - 2, rank - 1);
}

Value diagonalOf(PrimBuilder &b, Value matrix) {
  int64_t rank = b.rankOf(matrix);
  Shape shape = b.shapeOf(matrix);
  Value steps = arange(b, sym::min(shape[rank - 2], shape[rank - 1]));
  return index(b, matrix, {steps, steps}, {rank - 2, rank - 1}, rank - 2);
}

static Value triangle(PrimBuilder &b, Value matrix, prim::Comparison keeps,
                      int64_t offset) {
  int64_t rank = b.rankOf(matrix);
  Shape shape = b.shapeOf(matrix), plane = {shape[rank - 2], shape[rank - 1]};
  Value row = b.iota(plane, 0, indexType(b)),
        column = b.iota(plane, 1, indexType(b));
  Value bound = b.add(row, b.scalarInt(offset, indexType(b)));
  return b.where(b.compare(keeps, column, bound), matrix,
                 b.scalar(0, b.elementOf(matrix)));
}

Value lowerTriangle(PrimBuilder &b, Value matrix, int64_t offset) {
  return triangle(b, matrix, prim::Comparison::le, offset);
}

Value upperTriangle(PrimBuilder &b, Value matrix, int64_t offset) {
  return triangle(b, matrix, prim::Comparison::ge, offset);
}

//===----------------------------------------------------------------------===//
// Singular values and eigenvalues
//===----------------------------------------------------------------------===//

SvdFactors factorSvd(PrimBuilder &b, Value matrix) {
  Shape shape = b.shapeOf(matrix), batch(shape.begin(), shape.end() - 2);
  Expr rows = shape[shape.size() - 2], columns = shape.back(),
       k = sym::min(rows, columns);
  Type element = b.elementOf(matrix);
  auto type = [&](ArrayRef<Expr> sizes) {
    Shape all = batch;
    all.append(sizes.begin(), sizes.end());
    return sym::tensorType(all, element);
  };
  auto op = prim::SvdOp::create(b.getBuilder(), b.getLoc(), type({rows, k}),
                                type({k}), type({k, columns}), matrix);
  return {op.getU(), op.getS(), op.getVt()};
}

EighFactors factorEigh(PrimBuilder &b, Value matrix) {
  Shape shape = b.shapeOf(matrix);
  auto values =
      sym::tensorType(ArrayRef(shape).drop_back(), b.elementOf(matrix));
  auto op = prim::EighOp::create(b.getBuilder(), b.getLoc(), values,
                                 matrix.getType(), matrix);
  return {op.getValues(), op.getVectors()};
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void assertNoError(PrimBuilder &b, Value info, StringRef message) {
  assertAll(b, b.compare(prim::Comparison::eq, info, 0.0), message);
}

LogicalResult checkMatrices(CallContext &c, Value value, bool square,
                            bool allowComplex) {
  Shape shape = c.b.shapeOf(value);
  if (shape.size() < 2)
    return c.emitInvalid("expected matrices, but found rank " +
                         Twine(shape.size()));
  auto rows = sym::asConstant(shape[shape.size() - 2]),
       columns = sym::asConstant(shape.back());
  if (square && rows && columns && *rows != *columns)
    return c.emitInvalid("expected square matrices, but found sizes " +
                         sym::toString(shape));
  Type element = c.b.elementOf(value);
  if (isComplex(element) && !allowComplex)
    return c.emitUnsupported("complex matrices");
  if (isReducedFloat(element) || isIntegral(element))
    return c.emitUnsupported("matrices of these elements");
  return success();
}

} // namespace adze::normalize
