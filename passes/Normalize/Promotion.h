//===- Promotion.h - torch's element type rules -----------------*- C++ -*-===//

#ifndef ADZE_PASSES_NORMALIZE_PROMOTION_H
#define ADZE_PASSES_NORMALIZE_PROMOTION_H

#include "mlir/IR/BuiltinTypes.h"

namespace adze::normalize {

bool isBool(mlir::Type element);
/// An integer that is not bool.
bool isInteger(mlir::Type element);
bool isIntegral(mlir::Type element, bool includeBool = true);
bool isFloat(mlir::Type element);
bool isComplex(mlir::Type element);
/// f16, bf16 and float8.
bool isReducedFloat(mlir::Type element);
bool isUnsigned(mlir::Type element);

/// torch.promote_types; a null type is the neutral element.
mlir::Type promoteTypes(mlir::Type a, mlir::Type b);
/// The type CPU kernels compute in: f32 for f16 and bf16, else the type itself.
mlir::Type opmathType(mlir::Type element);
/// The type itself if it is float or complex, else the default type f32.
mlir::Type floatTypeFor(mlir::Type element);
/// What sums of this type have: i64 for bool and integers.
mlir::Type sumType(mlir::Type element);
/// The real type of the parts of a complex type; else the type itself.
mlir::Type realPartType(mlir::Type element);

/// What torch::result_type sees of one operand.
struct Promotable {
  mlir::Type element;
  bool hasDims = false;
  bool isWrappedNumber = false;
};

/// torch.result_type: an operand without dims, or a number, does not widen a
/// type of the same category.
mlir::Type resultType(llvm::ArrayRef<Promotable> operands);

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_PROMOTION_H
