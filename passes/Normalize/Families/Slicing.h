//===- Slicing.h - The parts that views take of a tensor --------*- C++ -*-===//

#ifndef ADZE_PASSES_NORMALIZE_FAMILIES_SLICING_H
#define ADZE_PASSES_NORMALIZE_FAMILIES_SLICING_H

#include "passes/Normalize/CallContext.h"

namespace adze::normalize {

/// Elements start, start + step, ... of one dim.
struct DimSlice {
  int64_t dim;
  sym::Expr start, size;
  int64_t step = 1;
};

/// The arguments dim, start, end, step of slice and slice_scatter.
DimSlice sliceArguments(CallContext &c, mlir::Value self);
/// The arguments dim and index of select and select_scatter.
DimSlice selectArguments(CallContext &c, mlir::Value self);

inline mlir::Value takeSlice(CallContext &c, mlir::Value value,
                             const DimSlice &slice) {
  return c.b.slice(value, slice.dim, slice.start, slice.size, slice.step);
}

/// A diagonal as a chain of reshapes and slices of a matrix [..., N, M], which
/// is flattened; the diagonal is the last dim of the result.
struct DiagonalPath {
  llvm::SmallVector<int64_t> permutation; // moves the two dims to the end
  sym::Shape matrix, flat;                // shapes before and after flattening
  DimSlice slice;                         // of the flattened dim
};

/// The arguments offset, dim1, dim2. Fails for what strides can not describe.
mlir::FailureOr<DiagonalPath> diagonalArguments(CallContext &c,
                                                mlir::Value self);

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_FAMILIES_SLICING_H
