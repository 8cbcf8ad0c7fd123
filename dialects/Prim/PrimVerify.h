//===- PrimVerify.h - Checks that several verifiers share -------*- C++ -*-===//

#ifndef ADZE_DIALECTS_PRIM_PRIMVERIFY_H
#define ADZE_DIALECTS_PRIM_PRIMVERIFY_H

#include "dialects/Prim/Prim.h"

namespace adze::prim {

inline mlir::RankedTensorType tensorTypeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// Two sizes that can not be shown to be different.
inline bool mayBeEqual(sym::Expr a, sym::Expr b) {
  auto x = sym::asConstant(a), y = sym::asConstant(b);
  return !x || !y || *x == *y;
}

inline llvm::LogicalResult verifyDim(mlir::Operation *op, int64_t dim,
                                     int64_t rank) {
  if (dim >= 0 && dim < rank)
    return mlir::success();
  return op->emitOpError("expects a dim within rank ")
         << rank << ", but found " << dim;
}

/// Sorted, distinct dims within the rank.
inline llvm::LogicalResult
verifyDims(mlir::Operation *op, llvm::ArrayRef<int64_t> dims, int64_t rank) {
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (failed(verifyDim(op, dim, rank)))
      return mlir::failure();
    if (dim <= previous)
      return op->emitOpError("expects dims in ascending order, but found ")
             << dim << " after " << previous;
    previous = dim;
  }
  return mlir::success();
}

inline llvm::LogicalResult
verifyRankZero(mlir::Operation *op, llvm::StringRef what, mlir::Value value) {
  int64_t rank = tensorTypeOf(value).getRank();
  if (rank == 0)
    return mlir::success();
  return op->emitOpError("expects a ")
         << what << " of rank 0, but found rank " << rank;
}

/// The recorded type must have the inferred sizes where both are constant,
/// and the inferred element type.
llvm::LogicalResult verifyInferred(mlir::Operation *op, mlir::Value result,
                                   llvm::ArrayRef<sym::Expr> shape,
                                   mlir::Type element);

llvm::LogicalResult verifySameElementType(mlir::Operation *op, mlir::Value a,
                                          mlir::Value b);

} // namespace adze::prim

#endif // ADZE_DIALECTS_PRIM_PRIMVERIFY_H
