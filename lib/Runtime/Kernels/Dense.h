//===- Dense.h - Dense matrix algorithms in double ------------------------===//
//
// The cores behind the linear algebra kernels; float matrices are computed in
// double and rounded. Matrices are row-major and dense.
//
//===----------------------------------------------------------------------===//
#ifndef ADZE_LIB_RUNTIME_KERNELS_DENSE_H
#define ADZE_LIB_RUNTIME_KERNELS_DENSE_H

#include <cstdint>

namespace adze::rt::dense {

/// In place, with partial pivoting; `pivots` as LAPACK's. Returns info.
int32_t lu(double *a, int64_t m, int64_t n, int32_t *pivots);
/// b (n x columns) becomes the solution.
void luSolve(const double *lu, const int32_t *pivots, int64_t n, double *b,
             int64_t columns);

struct Triangle {
  bool upper, unit, transposed;
};
/// b (n x columns) becomes the solution.
void triangularSolve(const double *a, int64_t n, double *b, int64_t columns,
                     Triangle triangle);

/// The lower factor of the symmetric matrix whose lower triangle `a` has, in
/// place; the rest becomes 0. Returns info.
int32_t cholesky(double *a, int64_t n);

/// a (m x n) becomes r; q (m x k), if not null, the first k columns of the
/// orthogonal factor. `work` holds m numbers. Signs as LAPACK's.
void qr(double *a, int64_t m, int64_t n, double *q, int64_t k, double *work);

/// Symmetric a (n x n, both triangles) becomes diagonal; the columns of v are
/// the eigenvectors. Not sorted.
void eigenvectors(double *a, int64_t n, double *v);

/// Rows of a (n x m): made orthogonal by rotations that are applied to the
/// rows of v (n x n, identity before) as well. Row i of a then has length
/// s_i; a = diag(s) u^T and v = v^T of the decomposition of a^T.
void orthogonaliseRows(double *a, int64_t n, int64_t m, double *v);

/// Rows [have, want) of q (want x m) become unit vectors orthogonal to all
/// rows before them.
void completeRows(double *q, int64_t m, int64_t have, int64_t want);

} // namespace adze::rt::dense

#endif
