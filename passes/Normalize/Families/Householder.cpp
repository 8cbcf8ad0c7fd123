//===- Householder.cpp - Products of Householder reflections --------------===//

#include "passes/Normalize/Families/LinearAlgebra.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

/// Reflections I - tau v v^T, as LAPACK stores them: v below the diagonal, a 1
/// on it.
struct Reflections {
  Value vectors; // [batch..., M, K]
  Value factors; // [batch..., K]
};

static Reflections unpack(PrimBuilder &b, Value matrix, Value tau) {
  int64_t rank = b.rankOf(matrix);
  Value columns = b.slice(matrix, rank - 1, b.expr(0), b.shapeOf(tau).back());
  Shape shape = b.shapeOf(columns);
  Value isDiagonal =
      b.compare(prim::Comparison::eq, b.iota(shape, rank - 2, indexType(b)),
                b.iota(shape, rank - 1, indexType(b)));
  Value below = lowerTriangle(b, columns, -1);
  return {b.where(isDiagonal, b.scalar(1, b.elementOf(matrix)), below), tau};
}

/// operand - tau v (v^T operand)
static Value reflect(PrimBuilder &b, Value operand, Value vector,
                     Value factor) {
  int64_t rank = b.rankOf(operand);
  Value column = b.unsqueeze(vector, rank - 1);
  Value row = b.matmul(column, operand, /*transposeLhs=*/true);
  Value scaled =
      b.mul(column, b.unsqueeze(b.unsqueeze(factor, rank - 2), rank - 2));
  return b.sub(operand, b.mul(scaled, row));
}

/// Applies all reflections to `[batch..., M, N]`, the last one first, or the
/// first one first.
static Value applyAll(PrimBuilder &b, const Reflections &r, Value operand,
                      bool firstFirst) {
  if (sym::isConstant(b.shapeOf(r.factors).back(), 0))
    return operand;
  int64_t rank = b.rankOf(operand);
  Value vectors = moveDim(b, r.vectors, rank - 1, 0),
        factors = moveDim(b, r.factors, rank - 2, 0);
  if (!firstFirst) {
    vectors = b.reverse(vectors, {0});
    factors = b.reverse(factors, {0});
  }
  OpBuilder &builder = b.getBuilder();
  auto scan =
      prim::ScanOp::create(builder, b.getLoc(), TypeRange(operand.getType()),
                           ValueRange(operand), ValueRange{vectors, factors});
  Block *body = scan.getBody().empty() ? &scan.getBody().emplaceBlock()
                                       : &scan.getBody().front();
  auto sliceType = [&](Value sequence) {
    Shape shape = b.shapeOf(sequence);
    return sym::tensorType(ArrayRef(shape).drop_front(), b.elementOf(sequence));
  };
  body->addArgument(operand.getType(), b.getLoc());
  body->addArgument(sliceType(vectors), b.getLoc());
  body->addArgument(sliceType(factors), b.getLoc());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(body);
  Value next = reflect(b, body->getArgument(0), body->getArgument(1),
                       body->getArgument(2));
  prim::YieldOp::create(builder, b.getLoc(),
                        b.checkShape(next, b.shapeOf(operand)));
  return scan.getResult(0);
}

static LogicalResult checkReflections(CallContext &c, Value matrix, Value tau) {
  if (failed(checkMatrices(c, matrix, /*square=*/false)))
    return failure();
  Shape shape = c.b.shapeOf(matrix), factors = c.b.shapeOf(tau);
  if (factors.size() + 1 != shape.size() ||
      c.b.elementOf(tau) != c.b.elementOf(matrix))
    return c.emitInvalid("expected factors of the element type of the matrices "
                         "and one dim less");
  auto columns = sym::asConstant(shape.back()),
       count = sym::asConstant(factors.back());
  if (columns && count && *count > *columns)
    return c.emitInvalid("expected at most " + Twine(*columns) +
                         " factors, but found " + Twine(*count));
  return success();
}

/// The first columns of the product.
static LogicalResult decomposeHouseholderProduct(CallContext &c) {
  Value matrix = c.tensor("input"), tau = c.tensor("tau");
  if (failed(checkReflections(c, matrix, tau)))
    return failure();
  Shape shape = c.b.shapeOf(matrix);
  int64_t rank = shape.size();
  Value isDiagonal = c.b.compare(prim::Comparison::eq,
                                 c.b.iota(shape, rank - 2, indexType(c.b)),
                                 c.b.iota(shape, rank - 1, indexType(c.b)));
  Value unit = c.b.convert(isDiagonal, c.b.elementOf(matrix));
  return c.setResult(
      0, applyAll(c.b, unpack(c.b, matrix, tau), unit, /*firstFirst=*/false));
}

/// Q C, Q^T C, C Q or C Q^T.
static LogicalResult decomposeOrmqr(CallContext &c) {
  Value matrix = c.tensor("self"), tau = c.tensor("input2"),
        operand = c.tensor("input3");
  if (failed(checkReflections(c, matrix, tau)) ||
      failed(checkMatrices(c, operand, /*square=*/false)))
    return failure();
  if (c.b.rankOf(operand) != c.b.rankOf(matrix) ||
      c.b.elementOf(operand) != c.b.elementOf(matrix))
    return c.emitInvalid("expected operands of one rank and element type");
  bool left = c.flag("left");
  if (!left) // C Q is (Q^T C^T)^T
    operand = transposed(c.b, operand);
  bool transposes = c.flag("transpose") == left;
  Value result = applyAll(c.b, unpack(c.b, matrix, tau), operand,
                          /*firstFirst=*/transposes);
  return c.setResult(0, left ? result : transposed(c.b, result));
}

void normalize::registerHouseholderDecompositions(DecompositionTable &table) {
  table.add("aten.linalg_householder_product.default",
            decomposeHouseholderProduct);
  table.add("aten.orgqr.default", decomposeHouseholderProduct);
  table.add("aten.ormqr.default", decomposeOrmqr);
}
