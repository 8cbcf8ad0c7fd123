//===- LinearSolve.cpp - inverse, solve, determinants, lu, cholesky -------===//

#include "passes/Normalize/Families/LinearAlgebra.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using prim::Comparison;
using sym::Expr;
using sym::Shape;

static constexpr StringLiteral singularMessage =
    "linalg: the matrix is singular";

//===----------------------------------------------------------------------===//
// Inverse
//===----------------------------------------------------------------------===//

static LogicalResult setInverse(CallContext &c, Value matrix, bool check) {
  if (failed(checkMatrices(c, matrix, /*square=*/true, /*allowComplex=*/true)))
    return failure();
  LuFactors factors = factorLu(c.b, matrix);
  if (check)
    assertNoError(c.b, factors.info, singularMessage);
  (void)c.setResult(0, solveByLu(c.b, factors, identityLike(c.b, matrix)));
  return c.numResults() > 1 ? c.setResult(1, factors.info) : success();
}

static LogicalResult decomposeInverse(CallContext &c) {
  return setInverse(c, c.tensor(c.has("A") ? "A" : "self"), /*check=*/true);
}

static LogicalResult decomposeInverseEx(CallContext &c) {
  return setInverse(c, c.tensor("A"), c.flag("check_errors"));
}

/// Joins the first `ind` dims to rows and the others to columns, inverts.
static LogicalResult decomposeTensorInverse(CallContext &c) {
  Value self = c.tensor("self");
  int64_t ind = c.integer("ind"), rank = c.b.rankOf(self);
  if (ind < 1 || ind >= rank)
    return c.emitInvalid("expected a number of dims within the rank");
  Value matrix = joinDims(c.b, joinDims(c.b, self, ind, rank - ind), 0, ind);
  Shape shape = c.b.shapeOf(self), result(shape.begin() + ind, shape.end());
  result.append(shape.begin(), shape.begin() + ind);
  if (failed(setInverse(c, matrix, /*check=*/true)))
    return failure();
  return c.setResult(0, c.b.reshape(c.result(0), result));
}

//===----------------------------------------------------------------------===//
// Solve
//===----------------------------------------------------------------------===//

/// A right-hand side of rank 1, or of the sizes of A without the last.
static bool isVectorCase(CallContext &c, Value a, Value rhs) {
  if (c.b.rankOf(rhs) == 1)
    return true;
  if (c.b.rankOf(rhs) != c.b.rankOf(a) - 1)
    return false;
  return ArrayRef(c.b.shapeOf(rhs)) == ArrayRef(c.b.shapeOf(a)).drop_back();
}

struct Solution {
  Value result;
  LuFactors factors;
};

static FailureOr<Solution> solve(CallContext &c, Value a, Value rhs,
                                 bool left) {
  if (failed(checkMatrices(c, a, /*square=*/true, /*allowComplex=*/true)))
    return failure();
  if (c.b.elementOf(rhs) != c.b.elementOf(a) || c.b.rankOf(rhs) == 0)
    return c.emitInvalid("expected operands of one element type");
  bool isVector = left && isVectorCase(c, a, rhs);
  if (isVector)
    rhs = c.b.unsqueeze(rhs, c.b.rankOf(rhs));
  if (!left)
    rhs = transposed(c.b, rhs);
  Value matrix = left ? a : transposed(c.b, a);
  Solution solution;
  solution.factors = factorLu(c.b, matrix);
  LuFactors wide = solution.factors;
  broadcastBatches(c.b, wide.lu, rhs, 2);
  wide.pivots =
      c.b.broadcast(wide.pivots, ArrayRef(c.b.shapeOf(wide.lu)).drop_back());
  Value result = solveByLu(c.b, wide, rhs);
  if (!left)
    result = transposed(c.b, result);
  solution.result =
      isVector ? c.b.squeeze(result, c.b.rankOf(result) - 1) : result;
  return solution;
}

static LogicalResult decomposeSolve(CallContext &c) {
  FailureOr<Solution> s =
      solve(c, c.tensor("A"), c.tensor("B"), c.flag("left"));
  if (failed(s))
    return failure();
  assertNoError(c.b, s->factors.info, singularMessage);
  return c.setResult(0, s->result);
}

static FailureOr<Solution> solveChecked(CallContext &c) {
  FailureOr<Solution> s =
      solve(c, c.tensor("A"), c.tensor("B"), c.flag("left"));
  if (succeeded(s) && c.flag("check_errors"))
    assertNoError(c.b, s->factors.info, singularMessage);
  return s;
}

static LogicalResult decomposeSolveEx(CallContext &c) {
  FailureOr<Solution> s = solveChecked(c);
  return failed(s) ? failure() : c.setResults({s->result, s->factors.info});
}

static LogicalResult decomposeSolveExWithFactors(CallContext &c) {
  FailureOr<Solution> s = solveChecked(c);
  if (failed(s))
    return failure();
  return c.setResults(
      {s->result, s->factors.lu, s->factors.pivots, s->factors.info});
}

/// The dims of self that stand for unknowns may be moved to the end first.
static LogicalResult decomposeTensorSolve(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  int64_t rank = c.b.rankOf(self);
  SmallVector<int64_t> order = dimRange(0, rank), moved = c.dims("dims", rank);
  for (int64_t dim : moved) {
    llvm::erase(order, dim);
    order.push_back(dim);
  }
  self = c.b.transpose(self, order);
  int64_t rows = c.b.rankOf(other);
  if (rows < 1 || rows >= rank)
    return c.emitInvalid(
        "expected a right-hand side of a rank below that of the tensor");
  Shape unknowns = Shape(ArrayRef(c.b.shapeOf(self)).drop_front(rows));
  Value matrix = joinDims(c.b, joinDims(c.b, self, rows, rank - rows), 0, rows);
  FailureOr<Solution> s = solve(c, matrix, flatten(c.b, other), /*left=*/true);
  if (failed(s))
    return failure();
  assertNoError(c.b, s->factors.info, singularMessage);
  return c.setResult(0, c.b.reshape(s->result, unknowns));
}

/// triangular_solve: rhs first; linalg_solve_triangular: the matrix first.
static LogicalResult solveTriangle(CallContext &c, Value matrix, Value rhs,
                                   Triangle t, bool left) {
  if (failed(
          checkMatrices(c, matrix, /*square=*/true, /*allowComplex=*/true)) ||
      failed(checkMatrices(c, rhs, /*square=*/false, /*allowComplex=*/true)))
    return failure();
  if (c.b.elementOf(matrix) != c.b.elementOf(rhs))
    return c.emitInvalid("expected operands of one element type");
  if (!left) { // X A = B is A^T X^T = B^T
    rhs = transposed(c.b, rhs);
    t.transpose = !t.transpose;
  }
  broadcastBatches(c.b, matrix, rhs, 2);
  Value result = solveTriangular(c.b, matrix, rhs, t);
  return c.setResult(0, left ? result : transposed(c.b, result));
}

static LogicalResult decomposeTriangularSolve(CallContext &c) {
  Triangle t = {c.flag("upper"), c.flag("transpose"), c.flag("unitriangular")};
  Value matrix = c.tensor("A"), rhs = c.tensor("self");
  if (failed(solveTriangle(c, matrix, rhs, t, /*left=*/true)))
    return failure();
  broadcastBatches(c.b, matrix, rhs, 2);
  return c.setResult(1, matrix);
}

static LogicalResult decomposeSolveTriangular(CallContext &c) {
  Triangle t = {c.flag("upper"), false, c.flag("unitriangular")};
  return solveTriangle(c, c.tensor("self"), c.tensor("B"), t, c.flag("left"));
}

//===----------------------------------------------------------------------===//
// Determinants
//===----------------------------------------------------------------------===//

/// 1 or -1 for an even or odd number of row swaps.
static Value swapSign(PrimBuilder &b, Value pivots, Type element) {
  int64_t last = b.rankOf(pivots) - 1;
  Value rows = b.add(b.iota(b.shapeOf(pivots), last, indexType(b)),
                     b.scalarInt(1, indexType(b)));
  Value isSwap = b.compare(Comparison::ne, asIndex(b, pivots), rows);
  Value swaps = b.sum(asIndex(b, isSwap), {last});
  Value odd = b.convert(
      b.binary<prim::AndOp>(swaps, b.scalarInt(1, indexType(b))), element);
  return b.sub(b.fullLike(odd, 1), b.add(odd, odd));
}

static LogicalResult decomposeDeterminant(CallContext &c) {
  Value matrix = c.tensor(c.has("A") ? "A" : "self");
  if (failed(checkMatrices(c, matrix, /*square=*/true, /*allowComplex=*/true)))
    return failure();
  LuFactors f = factorLu(c.b, matrix);
  Value diagonal = diagonalOf(c.b, f.lu);
  Value product =
      c.b.reduce(prim::Reduction::prod, diagonal, {c.b.rankOf(diagonal) - 1});
  Value sign = swapSign(c.b, f.pivots, c.b.elementOf(matrix));
  return c.setResults({c.b.mul(product, sign), f.lu, f.pivots});
}

struct LogDeterminant {
  Value sign, logarithm;
  LuFactors factors;
};

static FailureOr<LogDeterminant> logDeterminant(CallContext &c, Value matrix) {
  if (failed(checkMatrices(c, matrix, /*square=*/true)))
    return failure();
  LogDeterminant result;
  result.factors = factorLu(c.b, matrix);
  Value diagonal = diagonalOf(c.b, result.factors.lu);
  int64_t last = c.b.rankOf(diagonal) - 1;
  Value signs = c.b.unary<prim::SignOp>(diagonal);
  Value product = c.b.reduce(prim::Reduction::prod, signs, {last});
  result.sign = c.b.mul(
      product, swapSign(c.b, result.factors.pivots, c.b.elementOf(matrix)));
  result.logarithm = c.b.sum(c.b.log(c.b.unary<prim::AbsOp>(diagonal)), {last});
  return result;
}

static LogicalResult decomposeSlogdet(CallContext &c) {
  FailureOr<LogDeterminant> d =
      logDeterminant(c, c.tensor(c.has("A") ? "A" : "self"));
  if (failed(d))
    return failure();
  return c.setResults(
      {d->sign, d->logarithm, d->factors.lu, d->factors.pivots});
}

/// NaN for a negative determinant.
static LogicalResult decomposeLogdet(CallContext &c) {
  FailureOr<LogDeterminant> d = logDeterminant(c, c.tensor("self"));
  if (failed(d))
    return failure();
  Value isNegative = c.b.compare(Comparison::lt, d->sign, 0.0);
  Value nan = c.b.scalar(NAN, c.b.elementOf(d->logarithm));
  return c.setResult(0, c.b.where(isNegative, nan, d->logarithm));
}

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

static LogicalResult checkPivot(CallContext &c, Value matrix) {
  if (c.has("pivot") && !c.flag("pivot"))
    return c.emitUnsupported("a factorization without pivoting");
  return checkMatrices(c, matrix, /*square=*/false, /*allowComplex=*/true);
}

static LogicalResult decomposeLuFactor(CallContext &c) {
  Value matrix = c.tensor(c.has("A") ? "A" : "self");
  if (failed(checkPivot(c, matrix)))
    return failure();
  LuFactors f = factorLu(c.b, matrix);
  bool checks = c.isNone("check_errors") || c.flag("check_errors");
  if (checks)
    assertNoError(c.b, f.info, singularMessage);
  return c.setResults({f.lu, f.pivots, f.info});
}

/// P with one 1 in each column: row order[i] of column i.
static Value permutationMatrix(PrimBuilder &b, Value pivots, Expr rows,
                               Type element) {
  Value order = permutationOf(b, pivots, rows);
  int64_t rank = b.rankOf(order);
  Shape shape = b.shapeOf(order);
  shape.push_back(rows);
  Value row = b.iota(shape, rank - 1, indexType(b));
  Value isOne = b.compare(Comparison::eq, row, b.unsqueeze(order, rank - 1));
  return b.convert(isOne, element);
}

/// L with ones on the diagonal, U.
static std::pair<Value, Value> unpackTriangles(PrimBuilder &b, Value lu) {
  int64_t rank = b.rankOf(lu);
  Shape shape = b.shapeOf(lu);
  Expr k = sym::min(shape[rank - 2], shape[rank - 1]);
  Value left = b.slice(lu, rank - 1, b.expr(0), k);
  Value right = b.slice(lu, rank - 2, b.expr(0), k);
  Shape plane = b.shapeOf(left);
  Value isDiagonal =
      b.compare(Comparison::eq, b.iota(plane, rank - 2, indexType(b)),
                b.iota(plane, rank - 1, indexType(b)));
  Value lower = b.where(isDiagonal, b.scalar(1, b.elementOf(lu)),
                        lowerTriangle(b, left, -1));
  return {lower, upperTriangle(b, right, 0)};
}

static LogicalResult setUnpacked(CallContext &c, Value lu, Value pivots) {
  Expr rows = c.b.shapeOf(lu)[c.b.rankOf(lu) - 2];
  auto [lower, upper] = unpackTriangles(c.b, lu);
  Value p = permutationMatrix(c.b, pivots, rows, c.b.elementOf(lu));
  return c.setResults({p, lower, upper});
}

static LogicalResult decomposeLu(CallContext &c) {
  Value matrix = c.tensor("A");
  if (failed(checkPivot(c, matrix)))
    return failure();
  LuFactors f = factorLu(c.b, matrix);
  return setUnpacked(c, f.lu, f.pivots);
}

/// What is not asked for is empty.
static LogicalResult decomposeLuUnpack(CallContext &c) {
  Value lu = c.tensor("LU_data"), pivots = c.tensor("LU_pivots");
  if (failed(checkMatrices(c, lu, /*square=*/false, /*allowComplex=*/true)))
    return failure();
  if (c.b.rankOf(pivots) != c.b.rankOf(lu) - 1)
    return c.emitInvalid(
        "expected pivots of the rank of the matrices less one");
  (void)setUnpacked(c, lu, pivots);
  auto empty = [&](size_t i) {
    (void)c.setResult(i, c.b.full(c.resultShape(i), 0, c.resultElement(i)));
  };
  if (!c.flag("unpack_pivots"))
    empty(0);
  if (!c.flag("unpack_data")) {
    empty(1);
    empty(2);
  }
  return success();
}

/// The order that undoes an order.
static Value inverseOrder(PrimBuilder &b, Value order) {
  int64_t last = b.rankOf(order) - 1;
  Value rows = b.iota(b.shapeOf(order), last, indexType(b));
  return scatter(b, prim::ScatterKind::set, b.fullLike(order, 0), order, rows,
                 last);
}

/// A^T X = B for A = P L U.
static Value solveAdjoint(PrimBuilder &b, const LuFactors &f, Value rhs) {
  Value inner =
      solveTriangular(b, f.lu, rhs, {.upper = true, .transpose = true});
  Value outer =
      solveTriangular(b, f.lu, inner, {.transpose = true, .unit = true});
  Value order = permutationOf(b, f.pivots, b.shapeOf(f.lu).back());
  return permuteRows(b, outer, inverseOrder(b, order));
}

static LogicalResult solveFactored(CallContext &c, LuFactors f, Value rhs,
                                   bool left, bool adjoint) {
  if (failed(checkMatrices(c, f.lu, /*square=*/true,
                           /*allowComplex=*/!adjoint && left)) ||
      failed(checkMatrices(c, rhs, /*square=*/false, /*allowComplex=*/true)))
    return failure();
  if (c.b.elementOf(f.lu) != c.b.elementOf(rhs) ||
      c.b.rankOf(f.pivots) != c.b.rankOf(f.lu) - 1)
    return c.emitInvalid(
        "expected operands of one element type, and pivots for them");
  if (!left) { // X A = B is A^T X^T = B^T
    rhs = transposed(c.b, rhs);
    adjoint = !adjoint;
  }
  broadcastBatches(c.b, f.lu, rhs, 2);
  Shape batch = c.b.shapeOf(f.lu);
  batch.pop_back();
  f.pivots = c.b.broadcast(f.pivots, batch);
  Value result = adjoint ? solveAdjoint(c.b, f, rhs) : solveByLu(c.b, f, rhs);
  return c.setResult(0, left ? result : transposed(c.b, result));
}

static LogicalResult decomposeLuSolve(CallContext &c) {
  LuFactors f = {c.tensor("LU_data"), c.tensor("LU_pivots"), Value()};
  return solveFactored(c, f, c.tensor("self"), /*left=*/true,
                       /*adjoint=*/false);
}

static LogicalResult decomposeLinalgLuSolve(CallContext &c) {
  LuFactors f = {c.tensor("LU"), c.tensor("pivots"), Value()};
  return solveFactored(c, f, c.tensor("B"), c.flag("left"), c.flag("adjoint"));
}

void normalize::registerLinearSolveDecompositions(DecompositionTable &table) {
  table.add("aten.inverse.default", decomposeInverse);
  table.add("aten.linalg_inv.default", decomposeInverse);
  table.add("aten.linalg_inv_ex.default", decomposeInverseEx);
  table.add("aten.linalg_tensorinv.default", decomposeTensorInverse);
  table.add("aten.linalg_solve.default", decomposeSolve);
  table.add("aten.linalg_solve_ex.default", decomposeSolveEx);
  table.add("aten._linalg_solve_ex.default", decomposeSolveExWithFactors);
  table.add("aten.linalg_tensorsolve.default", decomposeTensorSolve);
  table.add("aten.triangular_solve.default", decomposeTriangularSolve);
  table.add("aten.linalg_solve_triangular.default", decomposeSolveTriangular);
  table.add("aten.linalg_det.default", decomposeDeterminant);
  table.add("aten._linalg_det.default", decomposeDeterminant);
  table.add("aten.det.default", decomposeDeterminant);
  table.add("aten.linalg_slogdet.default", decomposeSlogdet);
  table.add("aten._linalg_slogdet.default", decomposeSlogdet);
  table.add("aten.slogdet.default", decomposeSlogdet);
  table.add("aten.logdet.default", decomposeLogdet);
  table.add("aten.linalg_lu_factor.default", decomposeLuFactor);
  table.add("aten.linalg_lu_factor_ex.default", decomposeLuFactor);
  table.add("aten._lu_with_info.default", decomposeLuFactor);
  table.add("aten.linalg_lu.default", decomposeLu);
  table.add("aten.lu_unpack.default", decomposeLuUnpack);
  table.add("aten.lu_solve.default", decomposeLuSolve);
  table.add("aten.linalg_lu_solve.default", decomposeLinalgLuSolve);
}
