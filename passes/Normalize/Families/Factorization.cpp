//===- Factorization.cpp - cholesky, qr, eigh, svd and what uses them -----===//

#include "passes/Normalize/Families/LinearAlgebra.h"

#include <limits>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using prim::Comparison;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

static LogicalResult decomposeCholesky(CallContext &c) {
  Value matrix = c.tensor("self");
  bool upper = c.flag("upper");
  if (failed(checkMatrices(c, matrix, /*square=*/true)))
    return failure();
  Shape batch = c.b.shapeOf(matrix);
  batch.pop_back_n(2);
  auto info = sym::tensorType(batch, c.b.getBuilder().getI32Type());
  auto op =
      prim::CholeskyOp::create(c.b.getBuilder(), c.getLoc(), matrix.getType(),
                               info, upper ? transposed(c.b, matrix) : matrix);
  bool checks = c.isNone("check_errors") || c.flag("check_errors");
  if (checks)
    assertNoError(c.b, op.getInfo(),
                  "linalg.cholesky: the matrix is not positive-definite");
  Value factor = op.getResult();
  return c.setResults({upper ? transposed(c.b, factor) : factor, op.getInfo()});
}

/// X with L L^T X = B (or U^T U X = B).
static Value solveCholesky(PrimBuilder &b, Value factor, Value rhs,
                           bool upper) {
  Value inner =
      solveTriangular(b, factor, rhs, {.upper = upper, .transpose = upper});
  return solveTriangular(b, factor, inner,
                         {.upper = upper, .transpose = !upper});
}

static LogicalResult decomposeCholeskySolve(CallContext &c) {
  Value rhs = c.tensor("self"), factor = c.tensor("input2");
  if (failed(checkMatrices(c, factor, /*square=*/true)) ||
      failed(checkMatrices(c, rhs, /*square=*/false)))
    return failure();
  broadcastBatches(c.b, factor, rhs, 2);
  return c.setResult(0, solveCholesky(c.b, factor, rhs, c.flag("upper")));
}

static LogicalResult decomposeCholeskyInverse(CallContext &c) {
  Value factor = c.tensor("self");
  if (failed(checkMatrices(c, factor, /*square=*/true)))
    return failure();
  Value rhs = identityLike(c.b, factor);
  return c.setResult(0, solveCholesky(c.b, factor, rhs, c.flag("upper")));
}

//===----------------------------------------------------------------------===//
// QR
//===----------------------------------------------------------------------===//

static std::pair<Value, Value> factorQr(PrimBuilder &b, Value matrix,
                                        bool complete) {
  Shape shape = b.shapeOf(matrix), q = shape, r = shape;
  size_t rank = shape.size();
  Expr k =
      complete ? shape[rank - 2] : sym::min(shape[rank - 2], shape[rank - 1]);
  q[rank - 1] = k;
  r[rank - 2] = k;
  Type element = b.elementOf(matrix);
  auto op = prim::QrOp::create(b.getBuilder(), b.getLoc(),
                               sym::tensorType(q, element),
                               sym::tensorType(r, element), matrix);
  return {op.getQ(), op.getR()};
}

static LogicalResult decomposeLinalgQr(CallContext &c) {
  Value matrix = c.tensor("A");
  StringRef mode = c.text("mode");
  if (failed(checkMatrices(c, matrix, /*square=*/false)))
    return failure();
  if (mode != "reduced" && mode != "complete" && mode != "r")
    return c.emitInvalid("mode '" + mode + "'");
  auto [q, r] = factorQr(c.b, matrix, mode == "complete");
  if (mode == "r")
    q = c.b.full({c.b.expr(0)}, 0, c.b.elementOf(matrix));
  return c.setResults({q, r});
}

static LogicalResult decomposeQr(CallContext &c) {
  Value matrix = c.tensor("self");
  if (failed(checkMatrices(c, matrix, /*square=*/false)))
    return failure();
  auto [q, r] = factorQr(c.b, matrix, !c.flag("some"));
  return c.setResults({q, r});
}

//===----------------------------------------------------------------------===//
// Eigenvalues of symmetric matrices
//===----------------------------------------------------------------------===//

static FailureOr<EighFactors> runEigh(CallContext &c, Value matrix) {
  if (failed(checkMatrices(c, matrix, /*square=*/true)))
    return failure();
  bool upper = c.text("UPLO").upper() == "U";
  return factorEigh(c.b, upper ? transposed(c.b, matrix) : matrix);
}

static LogicalResult decomposeEigh(CallContext &c) {
  FailureOr<EighFactors> f = runEigh(c, c.tensor(c.has("A") ? "A" : "self"));
  if (failed(f))
    return failure();
  bool wantsVectors = c.isNone("compute_v") || c.flag("compute_v");
  Value vectors = wantsVectors
                      ? f->vectors
                      : c.b.full(c.resultShape(1), 0, c.resultElement(1));
  return c.setResults({f->values, vectors});
}

static LogicalResult decomposeEigvalsh(CallContext &c) {
  FailureOr<EighFactors> f = runEigh(c, c.tensor("self"));
  return failed(f) ? failure() : c.setResult(0, f->values);
}

//===----------------------------------------------------------------------===//
// Singular values
//===----------------------------------------------------------------------===//

/// U and V^T of full size are those of reduced size for square matrices.
static LogicalResult checkReduced(CallContext &c, Value matrix, bool full) {
  if (failed(checkMatrices(c, matrix, /*square=*/false)))
    return failure();
  Shape shape = c.b.shapeOf(matrix);
  if (full && shape[shape.size() - 2] != shape.back())
    return c.emitUnsupported(
        "all singular vectors of a matrix that is not square");
  return success();
}

static LogicalResult decomposeLinalgSvd(CallContext &c) {
  Value matrix = c.tensor("A");
  bool wantsVectors = c.isNone("compute_uv") || c.flag("compute_uv");
  if (failed(checkReduced(c, matrix, wantsVectors && c.flag("full_matrices"))))
    return failure();
  SvdFactors f = factorSvd(c.b, matrix);
  if (wantsVectors)
    return c.setResults({f.u, f.s, f.vt});
  auto empty = [&](size_t i) {
    return c.b.full(c.resultShape(i), 0, c.resultElement(i));
  };
  return c.setResults({empty(0), f.s, empty(2)});
}

/// Gives V in place of V^T; zeros for vectors that are not asked for.
static LogicalResult decomposeSvd(CallContext &c) {
  Value matrix = c.tensor("self");
  bool wantsVectors = c.flag("compute_uv");
  if (failed(checkReduced(c, matrix, wantsVectors && !c.flag("some"))))
    return failure();
  SvdFactors f = factorSvd(c.b, matrix);
  if (wantsVectors)
    return c.setResults({f.u, f.s, transposed(c.b, f.vt)});
  auto zeros = [&](size_t i) {
    return c.b.full(c.resultShape(i), 0, c.resultElement(i));
  };
  return c.setResults({zeros(0), f.s, zeros(2)});
}

static LogicalResult decomposeSvdvals(CallContext &c) {
  Value matrix = c.tensor("A");
  if (failed(checkReduced(c, matrix, /*full=*/false)))
    return failure();
  return c.setResult(0, factorSvd(c.b, matrix).s);
}

//===----------------------------------------------------------------------===//
// Pseudoinverse and rank
//===----------------------------------------------------------------------===//

/// A tolerance: None, a number or a tensor of the batches.
static std::optional<Value> tolerance(CallContext &c, StringRef name,
                                      Type element) {
  if (c.isNone(name))
    return std::nullopt;
  return c.convert(c.tensor(name), element);
}

static double epsilonOf(Type element) {
  return element.isF64() ? std::numeric_limits<double>::epsilon()
                         : std::numeric_limits<float>::epsilon();
}

/// The relative tolerance by default: epsilon times the larger size, unless an
/// absolute one above 0 is given.
static Value relativeTolerance(CallContext &c, Value matrix,
                               std::optional<Value> absolute) {
  Type element = c.b.elementOf(matrix);
  if (auto given = tolerance(c, c.has("rcond") ? "rcond" : "rtol", element))
    return *given;
  Shape shape = c.b.shapeOf(matrix);
  Expr larger = sym::max(shape[shape.size() - 2], shape.back());
  Value standard =
      c.b.mul(c.b.convert(sizeValue(c.b, larger), element), epsilonOf(element));
  if (!absolute)
    return standard;
  Value isGiven = c.b.compare(Comparison::gt, *absolute, 0.0);
  return c.b.where(isGiven, c.b.scalar(0, element), standard);
}

/// max(atol, rtol * largest) with a last dim of size 1.
static Value cutoff(CallContext &c, Value matrix, Value sizes) {
  Type element = c.b.elementOf(matrix);
  int64_t last = c.b.rankOf(sizes) - 1;
  Value largest = c.b.reduce(prim::Reduction::max, sizes, {last});
  std::optional<Value> absolute =
      tolerance(c, c.has("tol") ? "tol" : "atol", element);
  Value bound = c.has("tol")
                    ? *absolute
                    : c.b.mul(relativeTolerance(c, matrix, absolute), largest);
  if (absolute && !c.has("tol"))
    bound = c.b.max(bound, *absolute);
  return c.b.unsqueeze(bound, c.b.rankOf(bound));
}

/// The absolute values that decide about the rank.
static Value spectrumSizes(CallContext &c, Value matrix) {
  if (c.flag("hermitian"))
    return c.b.unary<prim::AbsOp>(factorEigh(c.b, matrix).values);
  return factorSvd(c.b, matrix).s;
}

static LogicalResult checkOperand(CallContext &c, Value matrix) {
  return checkMatrices(c, matrix,
                       /*square=*/c.has("hermitian") && c.flag("hermitian"));
}

/// Matrices without elements have no largest singular value: zeros are given.
static bool areEmpty(CallContext &c, Value matrix) {
  Shape shape = c.b.shapeOf(matrix);
  return llvm::is_contained(ArrayRef(shape).take_back(2), c.b.expr(0));
}

static LogicalResult setZeros(CallContext &c) {
  return c.setResult(0, c.b.full(c.resultShape(0), 0, c.resultElement(0)));
}

/// V S^-1 U^T, with the small singular values left out.
static LogicalResult decomposePinv(CallContext &c) {
  Value matrix = c.tensor("self");
  if (failed(checkOperand(c, matrix)))
    return failure();
  if (areEmpty(c, matrix))
    return setZeros(c);
  Type element = c.b.elementOf(matrix);
  Value left, right, values;
  if (c.has("hermitian") && c.flag("hermitian")) {
    EighFactors f = factorEigh(c.b, matrix);
    values = f.values;
    left = right = f.vectors;
  } else {
    SvdFactors f = factorSvd(c.b, matrix);
    values = f.s;
    left = transposed(c.b, f.vt);
    right = f.u;
  }
  Value sizes = c.b.unary<prim::AbsOp>(values);
  Value isLarge = c.b.compare(Comparison::gt, sizes, cutoff(c, matrix, sizes));
  Value inverse = c.b.div(c.b.scalar(1, element), values);
  inverse = c.b.where(isLarge, inverse, c.b.scalar(0, element));
  Value scaled = c.b.mul(left, c.b.unsqueeze(inverse, c.b.rankOf(inverse) - 1));
  broadcastBatches(c.b, scaled, right, 2);
  return c.setResult(0,
                     c.b.matmul(scaled, right, false, /*transposeRhs=*/true));
}

static LogicalResult decomposeMatrixRank(CallContext &c) {
  Value matrix = c.tensor("input"); // or self
  if (failed(checkOperand(c, matrix)))
    return failure();
  if (areEmpty(c, matrix))
    return setZeros(c);
  Value sizes = spectrumSizes(c, matrix);
  Value isLarge = c.b.compare(Comparison::gt, sizes, cutoff(c, matrix, sizes));
  return c.setResult(0,
                     c.b.sum(asIndex(c.b, isLarge), {c.b.rankOf(isLarge) - 1}));
}

void normalize::registerFactorizationDecompositions(DecompositionTable &table) {
  table.add("aten.cholesky.default", decomposeCholesky);
  table.add("aten.linalg_cholesky.default", decomposeCholesky);
  table.add("aten.linalg_cholesky_ex.default", decomposeCholesky);
  table.add("aten.cholesky_solve.default", decomposeCholeskySolve);
  table.add("aten.cholesky_inverse.default", decomposeCholeskyInverse);
  table.add("aten.linalg_qr.default", decomposeLinalgQr);
  table.add("aten.qr.default", decomposeQr);
  table.add("aten.linalg_eigh.default", decomposeEigh);
  table.add("aten._linalg_eigh.default", decomposeEigh);
  table.add("aten.linalg_eigvalsh.default", decomposeEigvalsh);
  table.add("aten.linalg_svd.default", decomposeLinalgSvd);
  table.add("aten._linalg_svd.default", decomposeLinalgSvd);
  table.add("aten.svd.default", decomposeSvd);
  table.add("aten.linalg_svdvals.default", decomposeSvdvals);
  for (StringRef overload :
       {"default", "atol_rtol_float", "atol_rtol_tensor", "rcond_tensor"})
    table.add(("aten.linalg_pinv." + overload).str(), decomposePinv);
  table.add("aten.pinverse.default", decomposePinv);
  for (StringRef overload :
       {"default", "tol_tensor", "atol_rtol_tensor", "atol_rtol_float"})
    table.add(("aten.linalg_matrix_rank." + overload).str(),
              decomposeMatrixRank);
}
