//===- Helpers.h - Pieces that several families are made of -----*- C++ -*-===//

#ifndef ADZE_PASSES_NORMALIZE_FAMILIES_HELPERS_H
#define ADZE_PASSES_NORMALIZE_FAMILIES_HELPERS_H

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"
#include "passes/Normalize/Families/Formulas.h"

namespace adze::normalize {

using prim::PrimBuilder;

mlir::Type indexType(PrimBuilder &b);

/// 0, 1, ... size - 1 as a rank-1 i64 tensor.
mlir::Value arange(PrimBuilder &b, sym::Expr size);
/// A rank-0 i64 tensor of an integer expression.
mlir::Value sizeValue(PrimBuilder &b, sym::Expr size);
/// Integer division of non-negative numbers, remainder, clamping to [0, size).
mlir::Value divideIndex(PrimBuilder &b, mlir::Value index, sym::Expr divisor);
mlir::Value remainderIndex(PrimBuilder &b, mlir::Value index,
                           sym::Expr divisor);
mlir::Value clampIndex(PrimBuilder &b, mlir::Value index, sym::Expr size);
/// As i64.
mlir::Value asIndex(PrimBuilder &b, mlir::Value value);
/// Lets negative indices count from the end, for the few operators that do.
/// Those out of range stay as they are, so that errors name them.
mlir::Value fromEnd(PrimBuilder &b, mlir::Value index, sym::Expr size);

/// Gives a tensor the sizes of `rank` dims: its own stand at `dim`, 1
/// elsewhere.
mlir::Value alignTo(PrimBuilder &b, mlir::Value value, int64_t dim,
                    int64_t rank);
/// Replaces dim `dim` by several dims with the same number of elements.
mlir::Value splitDim(PrimBuilder &b, mlir::Value value, int64_t dim,
                     llvm::ArrayRef<sym::Expr> parts);
/// Joins `count` dims from `dim` on.
mlir::Value joinDims(PrimBuilder &b, mlir::Value value, int64_t dim,
                     int64_t count);
/// Moves the dim to another position, the others keep their order.
mlir::Value moveDim(PrimBuilder &b, mlir::Value value, int64_t from,
                    int64_t to);
/// The elements with equal index in two dims, which become one, the last.
mlir::Value takeDiagonal(PrimBuilder &b, mlir::Value value, int64_t dim1,
                         int64_t dim2);
/// The unit matrix.
mlir::Value identity(PrimBuilder &b, sym::Expr size, mlir::Type element);
/// Broadcasts the leading dims of both to a common shape; the last `keep` dims
/// stay.
void broadcastBatches(PrimBuilder &b, mlir::Value &lhs, mlir::Value &rhs,
                      int64_t keep);

/// The conjugate; the operand itself if it is real.
mlir::Value conjugate(PrimBuilder &b, mlir::Value value);
/// At least `low`, at most `high`.
mlir::Value clampFloat(PrimBuilder &b, mlir::Value value, double low,
                       mlir::Value high);

mlir::Value scatter(PrimBuilder &b, prim::ScatterKind kind, mlir::Value operand,
                    mlir::Value index, mlir::Value values, int64_t dim);
mlir::Value index(PrimBuilder &b, mlir::Value operand, mlir::ValueRange indices,
                  llvm::ArrayRef<int64_t> dims, int64_t position);
mlir::Value indexPut(PrimBuilder &b, prim::ScatterKind kind,
                     mlir::Value operand, mlir::Value values,
                     mlir::ValueRange indices, llvm::ArrayRef<int64_t> dims,
                     int64_t position);
mlir::Value cumulative(PrimBuilder &b, prim::ScanKind kind, mlir::Value operand,
                       int64_t dim);
mlir::Value searchSorted(PrimBuilder &b, mlir::Value sequence,
                         mlir::Value values, bool right);
/// Makes the call fail unless all elements are true.
void assertAll(PrimBuilder &b, mlir::Value condition, llvm::StringRef message);

/// The entries of an int list; one entry stands for `count` equal ones. Fails,
/// with a report, if there are neither 1 nor `count`.
mlir::FailureOr<llvm::SmallVector<int64_t>>
perDim(CallContext &c, llvm::StringRef name, size_t count);
/// The constants -> dims [first, first + count).
llvm::SmallVector<int64_t> dimRange(int64_t first, int64_t count);

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_FAMILIES_HELPERS_H
