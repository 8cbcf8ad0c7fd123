//===- Spectral.cpp - Symmetric eigenvalues and singular values -----------===//

#include "lib/Runtime/Kernels/Dense.h"
#include "lib/Runtime/Kernels/Rows.h"

#include <algorithm>
#include <cmath>

using namespace adze::rt;

/// A sort must not see NaN.
static double orderable(double x) { return std::isnan(x) ? -INFINITY : x; }

//===- Eigenvalues ----------------------------------------------------------//

/// Copies one triangle of `from` to both of `to`.
template <typename T>
static void loadSymmetric(const T *from, int64_t n, bool upper, double *to) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j)
      to[i * n + j] = to[j * n + i] = from[upper ? j * n + i : i * n + j];
}

template <typename T>
static void eigh(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *a = args.pointer<const T>();
  auto *values = args.pointer<T>();
  auto *vectors = args.pointer<T>();
  int64_t n = args.integer();
  bool upper = args.integer();
  Scratch<double> work(args, n * n), v(args, n * n);
  Scratch<int64_t> order(args, n);
  for (int64_t row = begin; work && v && order && row < end; ++row) {
    double *diagonal = work;
    loadSymmetric(a + row * n * n, n, upper, diagonal);
    dense::eigenvectors(diagonal, n, v);
    for (int64_t i = 0; i < n; ++i)
      order[i] = i;
    std::sort(+order, order + n, [=](int64_t i, int64_t j) {
      return orderable(diagonal[i * n + i]) < orderable(diagonal[j * n + j]);
    });
    for (int64_t i = 0; i < n; ++i)
      values[row * n + i] = static_cast<T>(diagonal[order[i] * (n + 1)]);
    for (int64_t i = 0; vectors && i < n * n; ++i)
      vectors[row * n * n + i] = static_cast<T>(v[i / n * n + order[i % n]]);
  }
}

//===- Singular values ------------------------------------------------------//

namespace {

/// The decomposition of one matrix with `tall` >= `wide` sides: rows of
/// `left` are the vectors of the tall side, rows of `right` the others.
struct Decomposition {
  Decomposition(const Args &args, int64_t tall, int64_t wide)
      : tall(tall), wide(wide), left(args, tall * tall),
        right(args, wide * wide), lengths(args, wide), order(args, wide),
        copy(args, tall * wide), rotations(args, wide * wide) {}
  explicit operator bool() const {
    return left && right && lengths && order && copy && rotations;
  }
  double &at(int64_t tallIndex, int64_t wideIndex) {
    return copy[wideIndex * tall + tallIndex];
  }

  /// From what at() holds; `count` vectors of the tall side.
  void decompose(int64_t count) {
    dense::orthogonaliseRows(copy, wide, tall, rotations);
    sortLengths();
    int64_t rank = 0;
    for (int64_t i = 0; i < wide; ++i) {
      const double *from = copy + order[i] * tall;
      double length = lengths[order[i]];
      memcpy(right + i * wide, rotations + order[i] * wide,
             sizeof(double) * static_cast<size_t>(wide));
      // What is lost in rounding has no direction of its own.
      if (rank < i || !(length > lengths[order[0]] * 1e-15))
        continue;
      for (int64_t j = 0; j < tall; ++j)
        left[i * tall + j] = from[j] / length;
      ++rank;
    }
    dense::completeRows(left, tall, rank, count);
  }
  double value(int64_t i) const { return lengths[order[i]]; }

  int64_t tall, wide;
  Scratch<double> left, right, lengths;
  Scratch<int64_t> order;

private:
  void sortLengths() {
    double *length = lengths;
    for (int64_t i = 0; i < wide; ++i) {
      length[i] = 0;
      for (int64_t j = 0; j < tall; ++j)
        length[i] += copy[i * tall + j] * copy[i * tall + j];
      length[i] = std::sqrt(length[i]);
      order[i] = i;
    }
    std::sort(+order, order + wide, [=](int64_t i, int64_t j) {
      return orderable(length[i]) > orderable(length[j]);
    });
  }
  Scratch<double> copy, rotations;
};

} // namespace

template <typename T>
static void svd(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *a = args.pointer<const T>();
  auto *u = args.pointer<T>();
  auto *s = args.pointer<T>();
  auto *vh = args.pointer<T>();
  int64_t m = args.integer(), n = args.integer();
  bool full = args.integer(), swapped = m < n;
  int64_t wide = swapped ? m : n, tall = swapped ? n : m;
  int64_t ku = full ? m : wide, kv = full ? n : wide;
  Decomposition d(args, tall, wide);
  for (int64_t row = begin; d && row < end; ++row) {
    for (int64_t i = 0; i < m * n; ++i)
      d.at(swapped ? i % n : i / n, swapped ? i / n : i % n) =
          a[row * m * n + i];
    d.decompose(full ? tall : wide);
    double *left = swapped ? d.right : d.left;
    double *right = swapped ? d.left : d.right;
    for (int64_t i = 0; i < wide; ++i)
      s[row * wide + i] = static_cast<T>(d.value(i));
    for (int64_t i = 0; u && i < m * ku; ++i)
      u[row * m * ku + i] = static_cast<T>(left[i % ku * m + i / ku]);
    for (int64_t i = 0; vh && i < kv * n; ++i)
      vh[row * kv * n + i] = static_cast<T>(right[i]);
  }
}

void adze_rt_eigh_f32(const int64_t *args, int64_t begin, int64_t end) {
  eigh<float>(args, begin, end);
}
void adze_rt_eigh_f64(const int64_t *args, int64_t begin, int64_t end) {
  eigh<double>(args, begin, end);
}
void adze_rt_svd_f32(const int64_t *args, int64_t begin, int64_t end) {
  svd<float>(args, begin, end);
}
void adze_rt_svd_f64(const int64_t *args, int64_t begin, int64_t end) {
  svd<double>(args, begin, end);
}
