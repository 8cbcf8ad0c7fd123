//===- LinearAlgebra.cpp - Solvers and factorisations of batches ----------===//

#include "lib/Runtime/Kernels/Dense.h"
#include "lib/Runtime/Kernels/Rows.h"

#include <cmath>

using namespace adze::rt;

template <typename T>
static void load(const T *from, int64_t count, double *to) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = from[i];
}

template <typename T>
static void store(const double *from, int64_t count, T *to) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = static_cast<T>(from[i]);
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

//===- LU -------------------------------------------------------------------//

template <typename T>
static void lu(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *a = args.pointer<const T>();
  auto *out = args.pointer<T>();
  auto *pivots = args.pointer<int32_t>();
  auto *info = args.pointer<int32_t>();
  int64_t m = args.integer(), n = args.integer();
  Scratch<double> work(args, m * n);
  for (int64_t row = begin; work && row < end; ++row) {
    load(a + row * m * n, m * n, work);
    int32_t status = dense::lu(work, m, n, pivots + row * least(m, n));
    store(+work, m * n, out + row * m * n);
    if (info)
      info[row] = status;
  }
}

template <typename T>
static void luSolve(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *factors = args.pointer<const T>();
  auto *pivots = args.pointer<const int32_t>();
  auto *b = args.pointer<const T>();
  auto *x = args.pointer<T>();
  int64_t n = args.integer(), columns = args.integer();
  Scratch<double> work(args, n * n), solution(args, n * columns);
  for (int64_t row = begin; work && solution && row < end; ++row) {
    load(factors + row * n * n, n * n, work);
    load(b + row * n * columns, n * columns, solution);
    dense::luSolve(work, pivots + row * n, n, solution, columns);
    store(+solution, n * columns, x + row * n * columns);
  }
}

namespace {
/// One square matrix at a time, factored.
template <typename T> struct Factored {
  Factored(const Args &args, int64_t n)
      : n(n), work(args, n * n), pivots(args, n) {}
  explicit operator bool() const { return work && pivots; }
  int32_t factor(const T *a) {
    load(a, n * n, work);
    return dense::lu(work, n, n, pivots);
  }
  void solve(double *b, int64_t columns) const {
    dense::luSolve(work, pivots, n, b, columns);
  }
  int64_t n;
  Scratch<double> work;
  Scratch<int32_t> pivots;
};
} // namespace

template <typename T>
static void solve(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *a = args.pointer<const T>();
  auto *b = args.pointer<const T>();
  auto *x = args.pointer<T>();
  auto *info = args.pointer<int32_t>();
  int64_t n = args.integer(), columns = args.integer();
  Factored<T> factors(args, n);
  Scratch<double> solution(args, n * columns);
  for (int64_t row = begin; factors && solution && row < end; ++row) {
    int32_t status = factors.factor(a + row * n * n);
    load(b + row * n * columns, n * columns, solution);
    factors.solve(solution, columns);
    store(+solution, n * columns, x + row * n * columns);
    if (info)
      info[row] = status;
  }
}

template <typename T>
static void inverse(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *a = args.pointer<const T>();
  auto *out = args.pointer<T>();
  auto *info = args.pointer<int32_t>();
  int64_t n = args.integer();
  Factored<T> factors(args, n);
  Scratch<double> solution(args, n * n);
  for (int64_t row = begin; factors && solution && row < end; ++row) {
    int32_t status = factors.factor(a + row * n * n);
    for (int64_t i = 0; i < n * n; ++i)
      solution[i] = i % (n + 1) == 0;
    factors.solve(solution, n);
    store(+solution, n * n, out + row * n * n);
    if (info)
      info[row] = status;
  }
}

namespace {
struct Determinant {
  double sign = 1, log = 0, value = 1;
};
} // namespace

template <typename T>
static Determinant determinant(Factored<T> &factors, const T *a) {
  Determinant det;
  factors.factor(a);
  for (int64_t i = 0; i < factors.n; ++i) {
    double pivot = factors.work[i * factors.n + i];
    double swap = factors.pivots[i] == i + 1 ? 1 : -1;
    det.value *= swap * pivot;
    det.sign *= pivot == 0 ? 0 : swap * std::copysign(1, pivot);
    det.log += std::log(std::fabs(pivot));
  }
  return det;
}

template <typename T>
static void slogdet(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *a = args.pointer<const T>();
  auto *sign = args.pointer<T>();
  auto *log = args.pointer<T>();
  int64_t n = args.integer();
  Factored<T> factors(args, n);
  for (int64_t row = begin; factors && row < end; ++row) {
    Determinant det = determinant(factors, a + row * n * n);
    sign[row] = static_cast<T>(det.sign);
    log[row] = static_cast<T>(det.log);
  }
}

template <typename T>
static void det(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *a = args.pointer<const T>();
  auto *out = args.pointer<T>();
  int64_t n = args.integer();
  Factored<T> factors(args, n);
  for (int64_t row = begin; factors && row < end; ++row)
    out[row] = static_cast<T>(determinant(factors, a + row * n * n).value);
}

//===- Triangles and Cholesky -----------------------------------------------//

template <typename T>
static void triangularSolve(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *a = args.pointer<const T>();
  auto *b = args.pointer<const T>();
  auto *x = args.pointer<T>();
  int64_t n = args.integer(), columns = args.integer();
  dense::Triangle triangle{args.integer() != 0, args.integer() != 0,
                           args.integer() != 0};
  Scratch<double> work(args, n * n), solution(args, n * columns);
  for (int64_t row = begin; work && solution && row < end; ++row) {
    load(a + row * n * n, n * n, work);
    load(b + row * n * columns, n * columns, solution);
    dense::triangularSolve(work, n, solution, columns, triangle);
    store(+solution, n * columns, x + row * n * columns);
  }
}

template <typename T>
static void cholesky(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *a = args.pointer<const T>();
  auto *out = args.pointer<T>();
  auto *info = args.pointer<int32_t>();
  int64_t n = args.integer();
  bool upper = args.integer();
  Scratch<double> work(args, n * n);
  for (int64_t row = begin; work && row < end; ++row) {
    const T *from = a + row * n * n;
    T *to = out + row * n * n;
    for (int64_t i = 0; i < n * n; ++i)
      work[i] = from[upper ? i % n * n + i / n : i];
    int32_t status = dense::cholesky(work, n);
    for (int64_t i = 0; i < n * n; ++i)
      to[i] = static_cast<T>(work[upper ? i % n * n + i / n : i]);
    if (info)
      info[row] = status;
  }
}

//===- QR -------------------------------------------------------------------//

template <typename T>
static void qr(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *a = args.pointer<const T>();
  auto *q = args.pointer<T>();
  auto *r = args.pointer<T>();
  int64_t m = args.integer(), n = args.integer(), k = args.integer();
  Scratch<double> work(args, m * n), basis(args, q ? m * k : 0), tau(args, m);
  for (int64_t row = begin; work && basis && tau && row < end; ++row) {
    load(a + row * m * n, m * n, work);
    dense::qr(work, m, n, q ? +basis : nullptr, k, tau);
    store(+work, k * n, r + row * k * n);
    if (q)
      store(+basis, m * k, q + row * m * k);
  }
}

#define ADZE_DEFINE_ONE(NAME, FUNCTION, T, TYPE)                               \
  void adze_rt_##NAME##_##T(const int64_t *args, int64_t begin, int64_t end) { \
    FUNCTION<TYPE>(args, begin, end);                                          \
  }
#define ADZE_DEFINE(T, TYPE)                                                   \
  ADZE_DEFINE_ONE(lu, lu, T, TYPE)                                             \
  ADZE_DEFINE_ONE(lu_solve, luSolve, T, TYPE)                                  \
  ADZE_DEFINE_ONE(solve, solve, T, TYPE)                                       \
  ADZE_DEFINE_ONE(inverse, inverse, T, TYPE)                                   \
  ADZE_DEFINE_ONE(slogdet, slogdet, T, TYPE)                                   \
  ADZE_DEFINE_ONE(det, det, T, TYPE)                                           \
  ADZE_DEFINE_ONE(triangular_solve, triangularSolve, T, TYPE)                  \
  ADZE_DEFINE_ONE(cholesky, cholesky, T, TYPE)                                 \
  ADZE_DEFINE_ONE(qr, qr, T, TYPE)
ADZE_DEFINE(f32, float)
ADZE_DEFINE(f64, double)
