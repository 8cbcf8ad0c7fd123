//===- Contraction.h - The loop of matrix products -------------*- C++ -*-===//

#ifndef ADZE_LIB_INTERP_CONTRACTION_H
#define ADZE_LIB_INTERP_CONTRACTION_H

#include "Rules.h"

namespace adze::interp {

/// sums[i] += factor * row[i]; integers wrap.
template <typename T>
void addScaled(T factor, const T *row, T *sums, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, int64_t>)
      sums[i] =
          int64_t(uint64_t(sums[i]) + uint64_t(factor) * uint64_t(row[i]));
    else
      sums[i] += factor * row[i];
  }
}

/// out[m, n] += lhs[m, k] * rhs[k, n], all of them row-major.
template <typename T>
void multiplyAdd(const T *lhs, const T *rhs, T *out, int64_t m, int64_t k,
                 int64_t n) {
  constexpr int64_t rows = 8; // that share one pass over rhs
  for (int64_t first = 0; first < m; first += rows)
    for (int64_t j = 0; j < k; ++j)
      for (int64_t i = first; i < std::min(first + rows, m); ++i)
        addScaled(lhs[i * k + j], rhs + j * n, out + i * n, n);
}

} // namespace adze::interp

#endif // ADZE_LIB_INTERP_CONTRACTION_H
