//===- Dense.cpp - Dense matrix algorithms in double ----------------------===//

#include "lib/Runtime/Kernels/Dense.h"

#include <cmath>
#include <cstring>
#include <utility>

using namespace adze::rt;

static double dot(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// a -= factor * b
static void subtract(double *a, const double *b, double factor, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    a[i] -= factor * b[i];
}

static void swapRows(double *a, double *b, int64_t n) {
  for (int64_t i = 0; i < n && a != b; ++i)
    std::swap(a[i], b[i]);
}

//===- LU and triangles -----------------------------------------------------//

static int64_t largestInColumn(const double *a, int64_t m, int64_t n,
                               int64_t column) {
  int64_t best = column;
  for (int64_t i = column + 1; i < m; ++i)
    if (std::fabs(a[i * n + column]) > std::fabs(a[best * n + column]))
      best = i;
  return best;
}

int32_t dense::lu(double *a, int64_t m, int64_t n, int32_t *pivots) {
  int32_t info = 0;
  for (int64_t k = 0; k < m && k < n; ++k) {
    int64_t pivot = largestInColumn(a, m, n, k);
    pivots[k] = static_cast<int32_t>(pivot + 1);
    swapRows(a + k * n, a + pivot * n, n);
    double head = a[k * n + k];
    if (head == 0) {
      info = info ? info : static_cast<int32_t>(k + 1);
      continue;
    }
    for (int64_t i = k + 1; i < m; ++i) {
      double factor = a[i * n + k] /= head;
      if (factor != 0)
        subtract(a + i * n + k + 1, a + k * n + k + 1, factor, n - k - 1);
    }
  }
  return info;
}

void dense::triangularSolve(const double *a, int64_t n, double *b,
                            int64_t columns, Triangle triangle) {
  bool downwards = triangle.upper == triangle.transposed;
  for (int64_t step = 0; step < n; ++step) {
    int64_t i = downwards ? step : n - 1 - step;
    double *row = b + i * columns;
    for (int64_t j = downwards ? 0 : i + 1; j < (downwards ? i : n); ++j) {
      double factor = triangle.transposed ? a[j * n + i] : a[i * n + j];
      subtract(row, b + j * columns, factor, columns);
    }
    for (int64_t c = 0; c < columns && !triangle.unit; ++c)
      row[c] /= a[i * n + i];
  }
}

void dense::luSolve(const double *lu, const int32_t *pivots, int64_t n,
                    double *b, int64_t columns) {
  for (int64_t i = 0; i < n; ++i)
    swapRows(b + i * columns, b + (pivots[i] - 1) * columns, columns);
  triangularSolve(lu, n, b, columns, {false, true, false});
  triangularSolve(lu, n, b, columns, {true, false, false});
}

int32_t dense::cholesky(double *a, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j)
      a[i * n + j] =
          (a[i * n + j] - dot(a + i * n, a + j * n, j)) / a[j * n + j];
    double rest = a[i * n + i] - dot(a + i * n, a + i * n, i);
    if (!(rest > 0))
      return static_cast<int32_t>(i + 1);
    a[i * n + i] = std::sqrt(rest);
    for (int64_t j = i + 1; j < n; ++j)
      a[i * n + j] = 0;
  }
  return 0;
}

//===- QR -------------------------------------------------------------------//

/// Householder vector of column k below its diagonal: v with v[k] = 1, stored
/// under the diagonal; returns tau, 0 if there is nothing to reflect.
static double reflector(double *a, int64_t m, int64_t n, int64_t k) {
  double tail = 0;
  for (int64_t i = k + 1; i < m; ++i)
    tail = std::hypot(tail, a[i * n + k]);
  double alpha = a[k * n + k];
  if (tail == 0)
    return 0;
  double beta = -std::copysign(std::hypot(alpha, tail), alpha);
  for (int64_t i = k + 1; i < m; ++i)
    a[i * n + k] /= alpha - beta;
  a[k * n + k] = beta;
  return (beta - alpha) / beta;
}

/// Applies reflector k of `a` to columns [from, width) of b (m x width).
static void reflect(const double *a, int64_t m, int64_t n, int64_t k,
                    double tau, double *b, int64_t width, int64_t from) {
  for (int64_t c = from; c < width && tau != 0; ++c) {
    double sum = b[k * width + c];
    for (int64_t i = k + 1; i < m; ++i)
      sum += a[i * n + k] * b[i * width + c];
    b[k * width + c] -= tau * sum;
    for (int64_t i = k + 1; i < m; ++i)
      b[i * width + c] -= tau * sum * a[i * n + k];
  }
}

void dense::qr(double *a, int64_t m, int64_t n, double *q, int64_t k,
               double *tau) {
  int64_t count = m < n ? m : n;
  for (int64_t i = 0; i < count; ++i) {
    tau[i] = reflector(a, m, n, i);
    reflect(a, m, n, i, tau[i], a, n, i + 1);
  }
  for (int64_t i = 0; q && i < m; ++i)
    for (int64_t j = 0; j < k; ++j)
      q[i * k + j] = i == j;
  for (int64_t i = count - 1; q && i >= 0; --i)
    reflect(a, m, n, i, tau[i], q, k, i);
  for (int64_t i = 1; i < m; ++i)
    for (int64_t j = 0; j < i && j < n; ++j)
      a[i * n + j] = 0;
}

//===- Jacobi rotations -----------------------------------------------------//

namespace {
struct Rotation {
  double c, s;

  /// Makes the off-diagonal of [[p, r], [r, q]] zero.
  static Rotation of(double p, double q, double r) {
    double theta = (q - p) / (2 * r);
    double t = std::isinf(theta * theta)
                   ? 1 / (2 * theta)
                   : std::copysign(1, theta) /
                         (std::fabs(theta) + std::sqrt(1 + theta * theta));
    double c = 1 / std::sqrt(1 + t * t);
    return {c, t * c};
  }
  void apply(double &x, double &y) const {
    double a = c * x - s * y, b = s * x + c * y;
    x = a;
    y = b;
  }
  void apply(double *x, double *y, int64_t n, int64_t stride) const {
    for (int64_t i = 0; i < n; ++i)
      apply(x[i * stride], y[i * stride]);
  }
};
} // namespace

static constexpr int MaxSweeps = 60;
static constexpr double Tiny = 1e-16;

void dense::eigenvectors(double *a, int64_t n, double *v) {
  for (int64_t i = 0; i < n * n; ++i)
    v[i] = i % (n + 1) == 0;
  double norm = std::sqrt(dot(a, a, n * n));
  bool changed = true;
  for (int sweep = 0; sweep < MaxSweeps && changed; ++sweep) {
    changed = false;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        if (!(std::fabs(a[p * n + q]) > Tiny * norm / static_cast<double>(n)))
          continue;
        changed = true;
        Rotation r = Rotation::of(a[p * n + p], a[q * n + q], a[p * n + q]);
        r.apply(a + p, a + q, n, n);
        r.apply(a + p * n, a + q * n, n, 1);
        a[p * n + q] = a[q * n + p] = 0;
        r.apply(v + p, v + q, n, n);
      }
  }
}

void dense::orthogonaliseRows(double *a, int64_t n, int64_t m, double *v) {
  for (int64_t i = 0; i < n * n; ++i)
    v[i] = i % (n + 1) == 0;
  bool changed = true;
  for (int sweep = 0; sweep < MaxSweeps && changed; ++sweep) {
    changed = false;
    for (int64_t p = 0; p < n; ++p)
      for (int64_t q = p + 1; q < n; ++q) {
        double *x = a + p * m, *y = a + q * m;
        double xx = dot(x, x, m), yy = dot(y, y, m), xy = dot(x, y, m);
        if (!(std::fabs(xy) > 4 * Tiny * std::sqrt(xx) * std::sqrt(yy)))
          continue;
        changed = true;
        Rotation r = Rotation::of(xx, yy, xy);
        r.apply(x, y, m, 1);
        r.apply(v + p * n, v + q * n, n, 1);
      }
  }
}

void dense::completeRows(double *q, int64_t m, int64_t have, int64_t want) {
  for (int64_t axis = 0; have < want && axis < m; ++axis) {
    double *row = q + have * m;
    memset(row, 0, sizeof(double) * static_cast<size_t>(m));
    row[axis] = 1;
    // Twice is enough (Kahan).
    for (int pass = 0; pass < 2; ++pass)
      for (int64_t i = 0; i < have; ++i)
        subtract(row, q + i * m, dot(row, q + i * m, m), m);
    double length = std::sqrt(dot(row, row, m));
    // Some axis always keeps at least this much.
    if (length * length * static_cast<double>(2 * m) <
        static_cast<double>(want - have))
      continue;
    for (int64_t i = 0; i < m; ++i)
      row[i] /= length;
    ++have;
  }
}
