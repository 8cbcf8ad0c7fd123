//===- Formulas.h - Formulas that several families use ----------*- C++ -*-===//

#ifndef ADZE_PASSES_NORMALIZE_FAMILIES_FORMULAS_H
#define ADZE_PASSES_NORMALIZE_FAMILIES_FORMULAS_H

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"

namespace adze::normalize {

using Operands = llvm::ArrayRef<mlir::Value>;

//===----------------------------------------------------------------------===//
// Elementwise operators: result 0 is what `body` computes of the named
// arguments, converted to their common type
//===----------------------------------------------------------------------===//

/// For real elements; integers stay integers.
mlir::LogicalResult setElementwise(CallContext &c,
                                   llvm::ArrayRef<llvm::StringRef> names,
                                   CallContext::Body body);
/// For real elements; integers become f32.
mlir::LogicalResult setElementwiseFloat(CallContext &c,
                                        llvm::ArrayRef<llvm::StringRef> names,
                                        CallContext::Body body);
/// As the two above, but complex elements are allowed.
mlir::LogicalResult setElementwiseAny(CallContext &c,
                                      llvm::ArrayRef<llvm::StringRef> names,
                                      CallContext::Body body);
mlir::LogicalResult
setElementwiseFloatAny(CallContext &c, llvm::ArrayRef<llvm::StringRef> names,
                       CallContext::Body body);
/// Records that complex numbers are not supported; true if there are some.
bool refuseComplex(CallContext &c, llvm::ArrayRef<mlir::Value> operands);

//===----------------------------------------------------------------------===//
// Formulas of one element type
//===----------------------------------------------------------------------===//

/// The number as a rank-0 tensor of the element type of `like`.
mlir::Value numberLike(CallContext &c, const Scalar &number, mlir::Value like);
/// A bool tensor of one value with the shape of `like`.
mlir::Value boolLike(prim::PrimBuilder &b, mlir::Value like, bool value);
/// Whether each element is not zero; NaN is not.
mlir::Value toBool(prim::PrimBuilder &b, mlir::Value x);
/// The magnitude, which is real.
mlir::Value magnitude(prim::PrimBuilder &b, mlir::Value x);
mlir::Value isInfinite(prim::PrimBuilder &b, mlir::Value x);
mlir::Value isFinite(prim::PrimBuilder &b, mlir::Value x);
/// The larger or smaller operand, of any real type including bool.
mlir::Value maximum(prim::PrimBuilder &b, mlir::Value x, mlir::Value y);
mlir::Value minimum(prim::PrimBuilder &b, mlir::Value x, mlir::Value y);
//
// Where torch has a rule for the gradient at a corner, formulas keep to it by
// selecting: `max` and `min` would share a gradient among equal operands. What
// is not selected is kept finite, for its gradient is multiplied by 0.
//
/// Raises to a bound; NaN if one is NaN. At the bound x has the gradient.
mlir::Value clampMin(prim::PrimBuilder &b, mlir::Value x, mlir::Value bound,
                     bool boundMayBeNan);
mlir::Value clampMax(prim::PrimBuilder &b, mlir::Value x, mlir::Value bound,
                     bool boundMayBeNan);
mlir::Value clampMin(prim::PrimBuilder &b, mlir::Value x, double bound);
/// Clamps to an interval at the ends of which the gradient is 0.
mlir::Value clampOpen(prim::PrimBuilder &b, mlir::Value x, double low,
                      double high);
/// A power between 0 and 1 whose gradient at 0 is 0.
mlir::Value rootOrZero(prim::PrimBuilder &b, mlir::Value x, double exponent);
/// x * log(y), 0 where x is 0 and the logarithm is infinite: from `least` down.
mlir::Value timesLog(prim::PrimBuilder &b, mlir::Value x, mlir::Value y,
                     double least,
                     llvm::function_ref<mlir::Value(mlir::Value)> log);
mlir::Value square(prim::PrimBuilder &b, mlir::Value x);
/// x * log(y), 0 where x is 0.
mlir::Value xLogY(prim::PrimBuilder &b, mlir::Value x, mlir::Value y);
/// log(1 / (1 + exp(-x))) without overflow.
mlir::Value logSigmoid(prim::PrimBuilder &b, mlir::Value x);
/// x to a constant power, by multiplications and roots where torch does so.
mlir::Value powerOf(prim::PrimBuilder &b, mlir::Value x, double exponent);
/// `bool` as ui8, which every prim op takes; other types stay.
mlir::Value withoutBool(prim::PrimBuilder &b, mlir::Value x);

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

llvm::SmallVector<int64_t> allDims(mlir::Value x);
/// The vector norm over some dims, in the type of the magnitudes of x.
mlir::Value vectorNorm(prim::PrimBuilder &b, mlir::Value x, double order,
                       llvm::ArrayRef<int64_t> dims, bool keepDims);
/// Gives the dims that were reduced size 1, or takes such dims away.
mlir::Value dropDims(prim::PrimBuilder &b, mlir::Value x,
                     llvm::ArrayRef<int64_t> dims);
/// The whole tensor as a vector.
mlir::Value flatten(prim::PrimBuilder &b, mlir::Value x);
/// The mean of a float or complex tensor; half precision is rounded once.
mlir::Value roundedMean(prim::PrimBuilder &b, mlir::Value x,
                        llvm::ArrayRef<int64_t> dims, bool keepDims);
/// What `reduction` (0 none, 1 mean, 2 sum) of a loss makes of its elements.
mlir::LogicalResult setReducedLoss(CallContext &c, mlir::Value loss);

/// An index along one dim, counted as i64: [1, .., n, .., 1].
mlir::Value indexAlong(prim::PrimBuilder &b, mlir::Value like, int64_t dim);
/// A tensor of rank 1 where `x` has rank 0.
mlir::Value atLeast1d(prim::PrimBuilder &b, mlir::Value x);

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_FAMILIES_FORMULAS_H
