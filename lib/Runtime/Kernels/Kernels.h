/*===- Kernels.h - Library kernels that generated code may call ----------===*\
 *
 * What is not worth generating. Two kinds of functions:
 *
 *   kernel   void f(const int64_t *args, int64_t begin, int64_t end)
 *            over independent rows (or elements) [begin, end); run it with
 *            adze_rt_parallel_for.
 *   routine  int64_t f(const int64_t *args)
 *            called once by main.
 *
 * args[0] is the adze_call; the comment of each function lists args[1] and on.
 * Pointers and numbers are 64-bit slots, doubles by their bits. All tensors
 * are dense and row-major, rows follow each other. Unless it says otherwise,
 * outputs must not overlap inputs. A kernel that gets no memory reports
 * ADZE_SITE_OUT_OF_MEMORY and leaves its rows undefined.
 *
 * Functions exist once per element type; T stands for the suffix.
 *
\*===----------------------------------------------------------------------===*/
#ifndef ADZE_LIB_RUNTIME_KERNELS_KERNELS_H
#define ADZE_LIB_RUNTIME_KERNELS_KERNELS_H

#include "lib/Runtime/Program.h"

/* Suffixes of the ordering functions; bool uses u8. */
#define ADZE_FOR_ORDERED_TYPES(X)                                              \
  X(f16)                                                                       \
  X(bf16) X(f32) X(f64) X(i8) X(i16) X(i32) X(i64) X(u8) X(u16) X(u32) X(u64)
#define ADZE_FOR_REAL_TYPES(X) X(f32) X(f64)

#define ADZE_KERNEL(NAME)                                                      \
  void NAME(const int64_t *args, int64_t begin, int64_t end);
#define ADZE_ROUTINE(NAME) int64_t NAME(const int64_t *args);

#ifdef __cplusplus
extern "C" {
#endif

/*===- Order (Sort.cpp, Search.cpp) ---------------------------------------===*/
/* NaN counts as the greatest value, equal to itself; the order of equal values
 * is that of their indices. */

#define ADZE_DECLARE(T)                                                        \
  /* rows: in, values (or 0), indices (i64, or 0), length, descending */       \
  ADZE_KERNEL(adze_rt_sort_##T)                                                \
  /* rows: in, values, indices (i64), length, k, largest. Sorted. */           \
  ADZE_KERNEL(adze_rt_topk_##T)                                                \
  /* values: sequences, values, out (i64), length of a sequence, values per    \
     sequence, right, 1 if all share the first sequence, sorter (i64, or 0) */ \
  ADZE_KERNEL(adze_rt_searchsorted_##T)                                        \
  /* in, values, inverse (i64, or 0), counts (i64, or 0), n: all with room for \
     n. Sorted unique values; each NaN is one of its own. Returns how many,    \
     or -1 without memory. */                                                  \
  ADZE_ROUTINE(adze_rt_unique_##T)                                             \
  /* As above for runs of equal neighbours, in their order. */                 \
  ADZE_ROUTINE(adze_rt_unique_consecutive_##T)
ADZE_FOR_ORDERED_TYPES(ADZE_DECLARE)
#undef ADZE_DECLARE

/* mask (bool), n: how many are true */
ADZE_ROUTINE(adze_rt_count_true)
/* mask (bool), n, rank, shape (address of rank i64), out (i64, [count, rank]):
 * the indices of all true elements, in order. Returns how many. */
ADZE_ROUTINE(adze_rt_nonzero)
/* mask (bool), n, in, out, bytes per element: the elements where it is true.
 * Returns how many. */
ADZE_ROUTINE(adze_rt_masked_select)

/*===- Fourier transforms (Fft.cpp) ---------------------------------------===*/

/* rows: in, out (may be in), n, inverse. Complex, any n, no scaling. */
ADZE_KERNEL(adze_rt_fft_c64)
ADZE_KERNEL(adze_rt_fft_c128)

/*===- Linear algebra (LinearAlgebra.cpp, Spectral.cpp)
 * ---------------------===*/
/* Rows are matrices of a batch. `info` (i32 each, or 0) is LAPACK's: 0, or the
 * 1-based index of the pivot that is zero or not positive. */

#define ADZE_DECLARE(T)                                                        \
  /* a, lu, pivots (i32, 1-based, [min(m, n)]), info, m, n */                  \
  ADZE_KERNEL(adze_rt_lu_##T)                                                  \
  /* lu, pivots, b, x (may be b), n, columns of b */                           \
  ADZE_KERNEL(adze_rt_lu_solve_##T)                                            \
  /* a, b, x, info, n, columns of b */                                         \
  ADZE_KERNEL(adze_rt_solve_##T)                                               \
  /* a, out, info, n */                                                        \
  ADZE_KERNEL(adze_rt_inverse_##T)                                             \
  /* a, sign, log of the absolute value, n */                                  \
  ADZE_KERNEL(adze_rt_slogdet_##T)                                             \
  /* a, determinant, n */                                                      \
  ADZE_KERNEL(adze_rt_det_##T)                                                 \
  /* a, b, x (may be b), n, columns of b, upper, unit diagonal, transposed */  \
  ADZE_KERNEL(adze_rt_triangular_solve_##T)                                    \
  /* a, out, info, n, upper: reads that triangle, zeroes the other */          \
  ADZE_KERNEL(adze_rt_cholesky_##T)                                            \
  /* a, q [m, k] (or 0), r [k, n], m, n, k: k is min(m, n), or m (complete) */ \
  ADZE_KERNEL(adze_rt_qr_##T)                                                  \
  /* a, values [n] ascending, vectors [n, n] in columns (or 0), n, upper:      \
     the triangle that is read */                                              \
  ADZE_KERNEL(adze_rt_eigh_##T)                                                \
  /* a, u [m, ku] (or 0), s [min], vh [kv, n] (or 0), m, n, full: ku = m and   \
     kv = n if full, else min(m, n) */                                         \
  ADZE_KERNEL(adze_rt_svd_##T)
ADZE_FOR_REAL_TYPES(ADZE_DECLARE)
#undef ADZE_DECLARE

/*===- Random numbers (Random.cpp); adze/Support/Philox.h defines them ----===*/

#define ADZE_DECLARE(T)                                                        \
  /* elements: out, key (address of i64 seed and call), stream: [0, 1) */      \
  ADZE_KERNEL(adze_rt_random_uniform_##T)                                      \
  /* the same arguments: mean 0, deviation 1 */                                \
  ADZE_KERNEL(adze_rt_random_normal_##T)
ADZE_FOR_REAL_TYPES(ADZE_DECLARE)
#undef ADZE_DECLARE
/* the same arguments, out i64: 63 random bits, not negative */
ADZE_KERNEL(adze_rt_random_bits_i64)

#ifdef __cplusplus
}
#endif
#endif
