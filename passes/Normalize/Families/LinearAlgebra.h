//===- LinearAlgebra.h - Solving and factoring matrices ---------*- C++ -*-===//

#ifndef ADZE_PASSES_NORMALIZE_FAMILIES_LINEARALGEBRA_H
#define ADZE_PASSES_NORMALIZE_FAMILIES_LINEARALGEBRA_H

#include "passes/Normalize/Families/Helpers.h"

namespace adze::normalize {

struct LuFactors {
  mlir::Value lu, pivots, info;
};

LuFactors factorLu(PrimBuilder &b, mlir::Value matrix);
/// The order of the rows that row swaps lead to: `[batch..., rows]`.
mlir::Value permutationOf(PrimBuilder &b, mlir::Value pivots, sym::Expr rows);
/// Takes the rows of matrices in an order `[batch..., rows]`.
mlir::Value permuteRows(PrimBuilder &b, mlir::Value matrix, mlir::Value order);
struct Triangle {
  bool upper = false, transpose = false, unit = false;
};
mlir::Value solveTriangular(PrimBuilder &b, mlir::Value matrix, mlir::Value rhs,
                            Triangle triangle);
/// X with A X = B; batches are equal.
mlir::Value solveByLu(PrimBuilder &b, const LuFactors &factors,
                      mlir::Value rhs);
/// Unit matrices for the batches of a square matrix.
mlir::Value identityLike(PrimBuilder &b, mlir::Value matrix);
mlir::Value transposed(PrimBuilder &b, mlir::Value matrix);
/// The diagonals of matrices.
mlir::Value diagonalOf(PrimBuilder &b, mlir::Value matrix);
/// Keeps what is on or below (above) the diagonal with this offset.
mlir::Value lowerTriangle(PrimBuilder &b, mlir::Value matrix, int64_t offset);
mlir::Value upperTriangle(PrimBuilder &b, mlir::Value matrix, int64_t offset);
struct SvdFactors {
  mlir::Value u, s, vt;
};
/// Reduced: K = min(M, N).
SvdFactors factorSvd(PrimBuilder &b, mlir::Value matrix);
struct EighFactors {
  mlir::Value values, vectors;
};
EighFactors factorEigh(PrimBuilder &b, mlir::Value matrix);
/// Makes the call fail unless all entries are 0.
void assertNoError(PrimBuilder &b, mlir::Value info, llvm::StringRef message);

/// Fails, with a report, unless the tensor holds (square) matrices of floats.
mlir::LogicalResult checkMatrices(CallContext &c, mlir::Value value,
                                  bool square, bool allowComplex = false);

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_FAMILIES_LINEARALGEBRA_H
