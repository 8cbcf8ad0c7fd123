//===- MatrixFunctions.cpp - Powers, exponentials, conditions -------------===//

#include "passes/Normalize/Families/LinearAlgebra.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using prim::Comparison;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// By repeated squaring; a negative power is that of the inverse.
static LogicalResult decomposeMatrixPower(CallContext &c) {
  Value self = c.tensor("self");
  int64_t n = c.integer("n");
  if (c.b.rankOf(self) < 2 || n == std::numeric_limits<int64_t>::min())
    return c.emitInvalid("expected square matrices");
  if (n < 0) {
    if (failed(checkMatrices(c, self, /*square=*/true, /*allowComplex=*/true)))
      return failure();
    LuFactors f = factorLu(c.b, self);
    assertNoError(c.b, f.info, "linalg: the matrix is singular");
    self = solveByLu(c.b, f, identityLike(c.b, self));
    n = -n;
  }
  Value result, square = self;
  for (; n > 0; n >>= 1) {
    if (n & 1)
      result = result ? c.b.matmul(result, square) : square;
    if (n > 1)
      square = c.b.matmul(square, square);
  }
  return c.setResult(0, result ? result : identityLike(c.b, self));
}

/// 1, x, x^2, ... in a new last dim.
static LogicalResult decomposeVander(CallContext &c) {
  Value x = c.b.convert(c.tensor("x"), c.resultElement(0));
  if (c.b.rankOf(x) == 0)
    x = c.b.unsqueeze(x, 0);
  int64_t rank = c.b.rankOf(x);
  Expr count = c.optSize("N").value_or(c.b.shapeOf(x).back());
  Shape shape = c.b.shapeOf(x);
  shape.push_back(sym::sub(count, c.b.expr(1)));
  if (auto rest = sym::asConstant(shape.back()); rest && *rest < 1)
    return c.emitUnsupported("fewer than two columns");
  Value factors = c.b.broadcast(c.b.unsqueeze(x, rank), shape);
  Value powers = cumulative(c.b, prim::ScanKind::prod, factors, rank);
  shape.back() = c.b.expr(1);
  return c.setResult(
      0, c.b.concat({c.b.full(shape, 1, c.b.elementOf(x)), powers}, rank));
}

//===----------------------------------------------------------------------===//
// Exponential
//===----------------------------------------------------------------------===//

/// The Taylor polynomial of degree 18, by Horner's rule. Its error is below the
/// rounding of f64 for a norm of at most 1.
static Value taylorExponential(PrimBuilder &b, Value matrix) {
  Value unit = identityLike(b, matrix), result = unit;
  for (int degree = 18; degree > 0; --degree)
    result = b.add(unit, b.div(b.matmul(matrix, result), degree));
  return result;
}

/// How often each matrix is halved until its norm is at most 1, as i64.
static Value halvings(PrimBuilder &b, Value matrix) {
  int64_t rank = b.rankOf(matrix);
  Value norm = vectorNorm(b, matrix, 1, {rank - 2}, /*keepDims=*/false);
  norm = b.reduce(prim::Reduction::max, norm, {rank - 2});
  Value exponent = b.unary<prim::CeilOp>(b.unary<prim::Log2Op>(norm));
  exponent = clampFloat(b, exponent, 0, b.scalar(64, b.elementOf(norm)));
  return asIndex(b, exponent);
}

/// Squares matrix k as often as times[k] says, batch by batch.
static Value squareRepeatedly(PrimBuilder &b, Value matrix, Value times) {
  OpBuilder &builder = b.getBuilder();
  int64_t rank = b.rankOf(matrix);
  Value most = b.reduce(prim::Reduction::max, flatten(b, times), {0});
  Value zero = b.scalarInt(0, indexType(b));
  SmallVector<Type> types = {zero.getType(), matrix.getType()};
  auto loop = prim::WhileOp::create(builder, b.getLoc(), types,
                                    ValueRange{zero, matrix});
  auto block = [&](Region &region) {
    Block *result = region.empty() ? &region.emplaceBlock() : &region.front();
    for (Type type : types)
      result->addArgument(type, b.getLoc());
    return result;
  };
  OpBuilder::InsertionGuard guard(builder);
  Block *condition = block(loop.getCondition()), *body = block(loop.getBody());
  builder.setInsertionPointToStart(condition);
  Value goesOn = b.compare(Comparison::lt, condition->getArgument(0), most);
  prim::YieldOp::create(builder, b.getLoc(), goesOn);
  builder.setInsertionPointToStart(body);
  Value step = body->getArgument(0), current = body->getArgument(1);
  Value isDue = b.compare(Comparison::lt, step, times);
  isDue = b.unsqueeze(b.unsqueeze(isDue, rank - 2), rank - 2);
  Value next = b.where(isDue, b.matmul(current, current), current);
  next = b.checkShape(next, b.shapeOf(matrix));
  Value following = b.add(step, b.scalarInt(1, indexType(b)));
  prim::YieldOp::create(builder, b.getLoc(), ValueRange{following, next});
  return loop.getResult(1);
}

/// exp(A) = exp(A / 2^k)^(2^k)
static LogicalResult decomposeMatrixExp(CallContext &c) {
  Value self = c.tensor("self");
  if (failed(checkMatrices(c, self, /*square=*/true)))
    return failure();
  if (llvm::is_contained(c.b.shapeOf(self), c.b.expr(0)))
    return c.setResult(0, self);
  Value times = halvings(c.b, self);
  Value scale =
      c.b.unary<prim::Exp2Op>(c.b.neg(c.b.convert(times, c.b.elementOf(self))));
  int64_t rank = c.b.rankOf(self);
  scale = c.b.unsqueeze(c.b.unsqueeze(scale, rank - 2), rank - 2);
  Value small = taylorExponential(c.b, c.b.mul(self, scale));
  return c.setResult(0, squareRepeatedly(c.b, small, times));
}

//===----------------------------------------------------------------------===//
// Condition numbers
//===----------------------------------------------------------------------===//

/// Which norm of a matrix: "fro", "nuc" or a number.
struct MatrixNorm {
  std::string name;
  double order = 0;
};

/// A norm of each matrix.
static FailureOr<Value> matrixNorm(CallContext &c, Value matrix,
                                   const MatrixNorm &norm) {
  int64_t rank = c.b.rankOf(matrix);
  if (norm.name == "fro")
    return vectorNorm(c.b, matrix, 2, {rank - 2, rank - 1}, /*keepDims=*/false);
  bool usesValues = norm.name == "nuc" || std::fabs(norm.order) == 2;
  auto kind = norm.order > 0 ? prim::Reduction::max : prim::Reduction::min;
  if (usesValues) {
    if (failed(checkMatrices(c, matrix, /*square=*/false)))
      return failure();
    Value values = factorSvd(c.b, matrix).s;
    if (norm.name == "nuc")
      return c.b.sum(values, {rank - 2});
    return c.b.reduce(kind, values, {rank - 2});
  }
  bool overRows = std::fabs(norm.order) == 1;
  if (!overRows && !std::isinf(norm.order))
    return c.emitInvalid(
        "expected an order of 1, 2, inf, their negatives, 'fro' or 'nuc'");
  Value sums = vectorNorm(c.b, matrix, 1, {overRows ? rank - 2 : rank - 1},
                          /*keepDims=*/false);
  return c.b.reduce(kind, sums, {rank - 2});
}

/// The ratio of the largest to the smallest singular value, or the norm times
/// that of the inverse.
static LogicalResult setCondition(CallContext &c, const MatrixNorm &norm) {
  Value self = c.tensor("self");
  if (failed(checkMatrices(c, self, /*square=*/false)))
    return failure();
  int64_t rank = c.b.rankOf(self);
  if (std::fabs(norm.order) == 2) {
    Value values = factorSvd(c.b, self).s;
    Value largest = c.b.reduce(prim::Reduction::max, values, {rank - 2});
    Value smallest = c.b.reduce(prim::Reduction::min, values, {rank - 2});
    return c.setResult(0, norm.order > 0 ? c.b.div(largest, smallest)
                                         : c.b.div(smallest, largest));
  }
  if (failed(checkMatrices(c, self, /*square=*/true)))
    return failure();
  LuFactors f = factorLu(c.b, self);
  Value inverse = solveByLu(c.b, f, identityLike(c.b, self));
  FailureOr<Value> first = matrixNorm(c, self, norm),
                   second = matrixNorm(c, inverse, norm);
  if (failed(first) || failed(second))
    return failure();
  Value isSingular = c.b.compare(Comparison::ne, f.info, 0.0);
  Value infinite = c.b.scalar(INFINITY, c.b.elementOf(self));
  return c.setResult(0,
                     c.b.where(isSingular, infinite, c.b.mul(*first, *second)));
}

static LogicalResult decomposeCondition(CallContext &c) {
  return setCondition(c, {"", c.isNone("p") ? 2.0 : c.scalar("p").re});
}

static LogicalResult decomposeConditionByName(CallContext &c) {
  return setCondition(c, {c.text("p").str(), 0});
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static LogicalResult decomposeCheckErrors(CallContext &c) {
  std::string message = (c.text("api_name") + ": the matrix is singular").str();
  assertNoError(c.b, c.tensor("info"), message);
  return success();
}

void normalize::registerMatrixFunctionsDecompositions(
    DecompositionTable &table) {
  table.add("aten.linalg_matrix_power.default", decomposeMatrixPower);
  table.add("aten.matrix_power.default", decomposeMatrixPower);
  table.add("aten.linalg_vander.default", decomposeVander);
  table.add("aten.linalg_matrix_exp.default", decomposeMatrixExp);
  table.add("aten.matrix_exp.default", decomposeMatrixExp);
  table.add("aten.linalg_cond.default", decomposeCondition);
  table.add("aten.linalg_cond.p_str", decomposeConditionByName);
  table.add("aten._linalg_check_errors.default", decomposeCheckErrors);
}
