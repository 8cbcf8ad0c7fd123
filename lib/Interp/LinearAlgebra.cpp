//===- LinearAlgebra.cpp - Factorisations of matrices --------------------===//
//
// Textbook algorithms in double, batch by batch. Signs are LAPACK's where it
// fixes them (LU, Cholesky, QR); eigenvectors and singular vectors are
// determined up to a sign only.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include <cmath>
#include <numeric>

using namespace mlir;

namespace adze::interp {

namespace {
/// A row-major matrix that somebody else owns.
template <typename T> struct Matrix {
  T *data;
  int64_t rows, columns;
  T &operator()(int64_t i, int64_t j) const { return data[i * columns + j]; }
};

/// A matrix of its own.
struct OwnMatrix {
  OwnMatrix(int64_t rows, int64_t columns)
      : values(rows * columns), rows(rows), columns(columns) {}
  double &operator()(int64_t i, int64_t j) { return values[i * columns + j]; }
  std::vector<double> values;
  int64_t rows, columns;
};
} // namespace

static int64_t batchesOf(const Tensor &tensor) {
  return *product(tensor.sizes().drop_back(2));
}

/// The `batch`-th matrix of a tensor that may be written to.
template <typename T> static Matrix<T> matrixOf(Tensor &tensor, int64_t batch) {
  int64_t rows = tensor.size(tensor.rank() - 2);
  int64_t columns = tensor.size(tensor.rank() - 1);
  return {tensor.mutableData<T>() + batch * rows * columns, rows, columns};
}

static void roundAll(Evaluator &evaluator, Tensor &tensor) {
  Store store(evaluator, tensor.element());
  visitWide(tensor.element(), [&]<typename T>() {
    T *data = tensor.mutableData<T>();
    for (int64_t i = 0; i < tensor.count(); ++i)
      data[i] = store(data[i]);
  });
}

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

static double weight(double x) { return std::fabs(x); }
static double weight(Complex x) {
  return std::fabs(x.real()) + std::fabs(x.imag());
}

/// Factors in place; gives the number of the first zero pivot, or 0.
template <typename T> static int64_t factorLu(Matrix<T> a, int64_t *pivots) {
  int64_t info = 0;
  for (int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
    int64_t best = k;
    for (int64_t i = k + 1; i < a.rows; ++i)
      if (weight(a(i, k)) > weight(a(best, k)))
        best = i;
    pivots[k] = best + 1;
    for (int64_t j = 0; j < a.columns && best != k; ++j)
      std::swap(a(k, j), a(best, j));
    if (a(k, k) == T()) {
      info = info ? info : k + 1;
      continue;
    }
    for (int64_t i = k + 1; i < a.rows; ++i) {
      a(i, k) /= a(k, k);
      for (int64_t j = k + 1; j < a.columns; ++j)
        a(i, j) -= a(i, k) * a(k, j);
    }
  }
  return info;
}

static LogicalResult lu(prim::LuOp op, Evaluator &evaluator, Operands operands,
                        Results &results) {
  Tensor factors = operands[0];
  auto pivots = evaluator.allocate(op.getPivots().getType());
  auto info = evaluator.allocate(op.getInfo().getType());
  if (failed(pivots) || failed(info))
    return failure();
  int64_t rank = factors.rank();
  int64_t k = std::min(factors.size(rank - 1), factors.size(rank - 2));
  if (pivots->count() != batchesOf(factors) * k ||
      info->count() != batchesOf(factors))
    return evaluator.fail("results do not fit matrices of sizes " +
                          toString(factors.sizes()));
  visitWide(factors.element(), [&]<typename T>() {
    if constexpr (!std::is_same_v<T, int64_t>)
      for (int64_t b = 0; b < batchesOf(factors); ++b)
        info->mutableData<int64_t>()[b] = factorLu(
            matrixOf<T>(factors, b), pivots->mutableData<int64_t>() + b * k);
  });
  roundAll(evaluator, factors);
  llvm::append_values(results, factors, *pivots, *info);
  return success();
}

//===----------------------------------------------------------------------===//
// Triangular systems
//===----------------------------------------------------------------------===//

/// Solves op(A) X = B in place of B. `at(i, j)` is op(A), which is upper
/// triangular if `upper` is set.
template <typename T, typename At>
static void solveTriangular(At &&at, Matrix<T> x, bool upper, bool unit) {
  int64_t n = x.rows;
  for (int64_t step = 0; step < n; ++step) {
    int64_t i = upper ? n - 1 - step : step;
    for (int64_t c = 0; c < x.columns; ++c) {
      T sum = x(i, c);
      for (int64_t j = upper ? i + 1 : 0; j < (upper ? n : i); ++j)
        sum -= at(i, j) * x(j, c);
      x(i, c) = unit ? sum : sum / at(i, i);
    }
  }
}

static LogicalResult triangularSolve(prim::TriangularSolveOp op,
                                     Evaluator &evaluator, Operands operands,
                                     Results &results) {
  const Tensor &matrix = operands[0];
  Tensor solution = operands[1];
  int64_t n = matrix.size(matrix.rank() - 1);
  if (matrix.sizes().drop_back() != solution.sizes().drop_back() ||
      matrix.size(matrix.rank() - 2) != n)
    return evaluator.fail("can not solve " + toString(matrix.sizes()) +
                          " for " + toString(solution.sizes()));
  visitWide(matrix.element(), [&]<typename T>() {
    if constexpr (!std::is_same_v<T, int64_t>)
      for (int64_t b = 0; b < batchesOf(matrix); ++b) {
        const T *a = matrix.data<T>() + b * n * n;
        bool transpose = op.getTranspose();
        solveTriangular(
            [=](int64_t i, int64_t j) {
              return transpose ? a[j * n + i] : a[i * n + j];
            },
            matrixOf<T>(solution, b), op.getUpper() != transpose,
            op.getUnitDiagonal());
      }
  });
  roundAll(evaluator, solution);
  results.push_back(solution);
  return success();
}

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

/// Factors in place; gives the order of the first minor that is not positive.
static int64_t factorCholesky(Matrix<double> a) {
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = i + 1; j < a.rows; ++j)
      a(i, j) = 0;
  for (int64_t j = 0; j < a.rows; ++j) {
    for (int64_t k = 0; k < j; ++k)
      a(j, j) -= a(j, k) * a(j, k);
    if (!(a(j, j) > 0))
      return j + 1;
    a(j, j) = std::sqrt(a(j, j));
    for (int64_t i = j + 1; i < a.rows; ++i) {
      for (int64_t k = 0; k < j; ++k)
        a(i, j) -= a(i, k) * a(j, k);
      a(i, j) /= a(j, j);
    }
  }
  return 0;
}

static LogicalResult cholesky(prim::CholeskyOp op, Evaluator &evaluator,
                              Operands operands, Results &results) {
  Tensor factor = operands[0];
  auto info = evaluator.allocate(op.getInfo().getType());
  if (failed(info))
    return failure();
  for (int64_t b = 0; b < batchesOf(factor) && b < info->count(); ++b)
    info->mutableData<int64_t>()[b] =
        factorCholesky(matrixOf<double>(factor, b));
  roundAll(evaluator, factor);
  llvm::append_values(results, factor, *info);
  return success();
}

//===----------------------------------------------------------------------===//
// QR
//===----------------------------------------------------------------------===//

/// Turns `a` into R and multiplies the reflections onto `q`, the identity.
static void factorQr(OwnMatrix &a, OwnMatrix &q) {
  for (int64_t k = 0; k < std::min(a.rows - 1, a.columns); ++k) {
    double below = 0;
    for (int64_t i = k + 1; i < a.rows; ++i)
      below += a(i, k) * a(i, k);
    if (below == 0) // LAPACK reflects nothing then
      continue;
    double beta = -std::copysign(std::sqrt(a(k, k) * a(k, k) + below), a(k, k));
    double tau = (beta - a(k, k)) / beta, head = a(k, k) - beta;
    std::vector<double> v(a.rows, 0);
    v[k] = 1;
    for (int64_t i = k + 1; i < a.rows; ++i)
      v[i] = a(i, k) / head;
    for (int64_t j = 0; j < a.columns; ++j) { // A = (1 - tau v v^T) A
      double sum = 0;
      for (int64_t i = k; i < a.rows; ++i)
        sum += v[i] * a(i, j);
      for (int64_t i = k; i < a.rows; ++i)
        a(i, j) -= tau * sum * v[i];
    }
    for (int64_t i = 0; i < q.rows; ++i) { // Q = Q (1 - tau v v^T)
      double sum = 0;
      for (int64_t j = k; j < q.columns; ++j)
        sum += q(i, j) * v[j];
      for (int64_t j = k; j < q.columns; ++j)
        q(i, j) -= tau * sum * v[j];
    }
  }
}

static LogicalResult qr(prim::QrOp op, Evaluator &evaluator, Operands operands,
                        Results &results) {
  auto q = evaluator.allocate(op.getQ().getType());
  auto r = evaluator.allocate(op.getR().getType());
  if (failed(q) || failed(r))
    return failure();
  Tensor operand = operands[0];
  int64_t rank = operand.rank(), m = operand.size(rank - 2);
  int64_t n = operand.size(rank - 1), k = r->size(rank - 2);
  if (k > m || q->size(rank - 1) != k || q->size(rank - 2) != m ||
      r->size(rank - 1) != n || (k != m && k != std::min(m, n)))
    return evaluator.fail("can not factor " + toString(operand.sizes()) +
                          " as " + toString(q->sizes()) + " times " +
                          toString(r->sizes()));
  for (int64_t b = 0; b < batchesOf(operand); ++b) {
    OwnMatrix a(m, n), full(m, m);
    a.values.assign(operand.data<double>() + b * m * n,
                    operand.data<double>() + (b + 1) * m * n);
    for (int64_t i = 0; i < m; ++i)
      full(i, i) = 1;
    factorQr(a, full);
    auto qOut = matrixOf<double>(*q, b), rOut = matrixOf<double>(*r, b);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < k; ++j)
        qOut(i, j) = full(i, j);
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = i; j < n; ++j)
        rOut(i, j) = a(i, j);
  }
  roundAll(evaluator, *q);
  roundAll(evaluator, *r);
  llvm::append_values(results, *q, *r);
  return success();
}

//===----------------------------------------------------------------------===//
// Eigenvalues and singular values by Jacobi rotations
//===----------------------------------------------------------------------===//

namespace {
struct Rotation {
  double c = 1, s = 0;
};
} // namespace

/// The rotation that makes [[p, q], [q, r]] diagonal.
static Rotation diagonalise(double p, double q, double r) {
  if (q == 0)
    return {};
  double theta = (r - p) / (2 * q);
  double t =
      std::copysign(1 / (std::fabs(theta) + std::hypot(theta, 1)), theta);
  double c = 1 / std::hypot(t, 1);
  return {c, t * c};
}

/// Columns i and j become c i - s j and s i + c j.
static void rotateColumns(OwnMatrix &a, int64_t i, int64_t j,
                          Rotation rotation) {
  for (int64_t row = 0; row < a.rows; ++row) {
    double x = a(row, i), y = a(row, j);
    a(row, i) = rotation.c * x - rotation.s * y;
    a(row, j) = rotation.s * x + rotation.c * y;
  }
}

static OwnMatrix identity(int64_t n) {
  OwnMatrix result(n, n);
  for (int64_t i = 0; i < n; ++i)
    result(i, i) = 1;
  return result;
}

static constexpr int maxSweeps = 60;

/// One-sided Jacobi: rotates columns of `a` until they are orthogonal; the
/// rotations are collected in `v`.
static void orthogonalise(OwnMatrix &a, OwnMatrix &v) {
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < maxSweeps; ++sweep) {
    rotated = false;
    for (int64_t i = 0; i < a.columns; ++i)
      for (int64_t j = i + 1; j < a.columns; ++j) {
        double p = 0, q = 0, r = 0;
        for (int64_t row = 0; row < a.rows; ++row) {
          p += a(row, i) * a(row, i);
          q += a(row, i) * a(row, j);
          r += a(row, j) * a(row, j);
        }
        if (!(std::fabs(q) > 1e-17 * std::sqrt(p * r)))
          continue;
        rotated |= std::fabs(q) > 1e-15 * std::sqrt(p * r);
        Rotation rotation = diagonalise(p, q, r);
        rotateColumns(a, i, j, rotation);
        rotateColumns(v, i, j, rotation);
      }
  }
}

static std::vector<int64_t> orderOf(ArrayRef<double> values, bool descending) {
  std::vector<int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](int64_t a, int64_t b) {
    bool before = values[a] < values[b], after = values[b] < values[a];
    return before == after ? a < b : before != descending;
  });
  return order;
}

/// Two-sided Jacobi: `a` (symmetric) becomes diagonal, `v` its eigenvectors.
static void diagonaliseSymmetric(OwnMatrix &a, OwnMatrix &v) {
  int64_t n = a.rows;
  for (int sweep = 0; sweep < maxSweeps; ++sweep) {
    double off = 0, all = 0;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        all += a(i, j) * a(i, j);
        off += i == j ? 0 : a(i, j) * a(i, j);
      }
    if (!(off > 1e-34 * all))
      return;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = i + 1; j < n; ++j) {
        Rotation rotation = diagonalise(a(i, i), a(i, j), a(j, j));
        rotateColumns(a, i, j, rotation);
        for (int64_t k = 0; k < n; ++k) { // rows likewise
          double x = a(i, k), y = a(j, k);
          a(i, k) = rotation.c * x - rotation.s * y;
          a(j, k) = rotation.s * x + rotation.c * y;
        }
        rotateColumns(v, i, j, rotation);
      }
  }
}

static LogicalResult eigh(prim::EighOp op, Evaluator &evaluator,
                          Operands operands, Results &results) {
  auto values = evaluator.allocate(op.getValues().getType());
  Tensor vectors = operands[0];
  if (failed(values))
    return failure();
  int64_t n = vectors.size(vectors.rank() - 1);
  if (values->count() != batchesOf(vectors) * n ||
      vectors.size(vectors.rank() - 2) != n)
    return evaluator.fail("expects square matrices, but found sizes " +
                          toString(vectors.sizes()));
  for (int64_t b = 0; b < batchesOf(vectors); ++b) {
    auto out = matrixOf<double>(vectors, b);
    OwnMatrix a(n, n), v = identity(n);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        a(i, j) = out(std::max(i, j), std::min(i, j));
    diagonaliseSymmetric(a, v);
    std::vector<double> diagonal;
    for (int64_t i = 0; i < n; ++i)
      diagonal.push_back(a(i, i));
    for (auto [k, source] : llvm::enumerate(orderOf(diagonal, false))) {
      values->mutableData<double>()[b * n + k] = diagonal[source];
      for (int64_t i = 0; i < n; ++i)
        out(i, k) = v(i, source);
    }
  }
  roundAll(evaluator, *values);
  roundAll(evaluator, vectors);
  llvm::append_values(results, *values, vectors);
  return success();
}

/// Replaces column k of `u`, which is zero, by a unit vector orthogonal to
/// the columns before it.
static void completeColumn(OwnMatrix &u, int64_t k) {
  for (int64_t axis = 0; axis < u.rows; ++axis) {
    std::vector<double> x(u.rows, 0);
    x[axis] = 1;
    for (int pass = 0; pass < 2; ++pass) // twice, for accuracy
      for (int64_t j = 0; j < k; ++j) {
        double sum = 0;
        for (int64_t i = 0; i < u.rows; ++i)
          sum += u(i, j) * x[i];
        for (int64_t i = 0; i < u.rows; ++i)
          x[i] -= sum * u(i, j);
      }
    double norm =
        std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
    if (norm < 0.1 / std::sqrt(double(u.rows)))
      continue;
    for (int64_t i = 0; i < u.rows; ++i)
      u(i, k) = x[i] / norm;
    return;
  }
}

/// a [m, n] with m >= n: the columns of u times s times v^T, s descending.
static void factorSvd(OwnMatrix a, OwnMatrix &u, std::vector<double> &s,
                      OwnMatrix &v) {
  OwnMatrix rotations = identity(a.columns);
  orthogonalise(a, rotations);
  std::vector<double> norms;
  for (int64_t j = 0; j < a.columns; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < a.rows; ++i)
      sum += a(i, j) * a(i, j);
    norms.push_back(std::sqrt(sum));
  }
  double largest = norms.empty() ? 0 : *llvm::max_element(norms);
  for (auto [k, source] : llvm::enumerate(orderOf(norms, true))) {
    s.push_back(norms[source]);
    for (int64_t i = 0; i < a.columns; ++i)
      v(i, k) = rotations(i, source);
    bool vanishes = norms[source] <= 1e-15 * largest;
    for (int64_t i = 0; i < a.rows && !vanishes; ++i)
      u(i, k) = a(i, source) / norms[source];
    if (vanishes)
      completeColumn(u, k);
  }
}

static LogicalResult svd(prim::SvdOp op, Evaluator &evaluator,
                         Operands operands, Results &results) {
  auto u = evaluator.allocate(op.getU().getType());
  auto s = evaluator.allocate(op.getS().getType());
  auto vt = evaluator.allocate(op.getVt().getType());
  if (failed(u) || failed(s) || failed(vt))
    return failure();
  Tensor operand = operands[0];
  int64_t rank = operand.rank(), m = operand.size(rank - 2);
  int64_t n = operand.size(rank - 1), k = std::min(m, n);
  if (u->size(rank - 2) != m || u->size(rank - 1) != k ||
      vt->size(rank - 2) != k || vt->size(rank - 1) != n ||
      s->sizes().back() != k)
    return evaluator.fail("results do not fit matrices of sizes " +
                          toString(operand.sizes()));
  for (int64_t b = 0; b < batchesOf(operand); ++b) {
    auto a = matrixOf<double>(operand, b);
    bool wide = m < n; // then the transpose is factored
    OwnMatrix tall(wide ? n : m, k), left(wide ? n : m, k), right(k, k);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        (wide ? tall(j, i) : tall(i, j)) = a(i, j);
    std::vector<double> singular;
    factorSvd(tall, left, singular, right);
    auto uOut = matrixOf<double>(*u, b), vtOut = matrixOf<double>(*vt, b);
    for (int64_t j = 0; j < k; ++j) {
      for (int64_t i = 0; i < m; ++i)
        uOut(i, j) = wide ? right(i, j) : left(i, j);
      for (int64_t i = 0; i < n; ++i)
        vtOut(j, i) = wide ? left(i, j) : right(i, j);
    }
    llvm::copy(singular, s->mutableData<double>() + b * k);
  }
  for (Tensor *tensor : {&*u, &*s, &*vt})
    roundAll(evaluator, *tensor);
  llvm::append_values(results, *u, *s, *vt);
  return success();
}

void addLinearAlgebraRules(MLIRContext *context) {
  addRule<prim::LuOp, lu>(context);
  addRule<prim::TriangularSolveOp, triangularSolve>(context);
  addRule<prim::CholeskyOp, cholesky>(context);
  addRule<prim::QrOp, qr>(context);
  addRule<prim::EighOp, eigh>(context);
  addRule<prim::SvdOp, svd>(context);
}

} // namespace adze::interp
