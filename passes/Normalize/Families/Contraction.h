//===- Contraction.h - Sums of products over labelled dims ------*- C++ -*-===//
//
// What einsum, tensordot and bilinear have in common.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_NORMALIZE_FAMILIES_CONTRACTION_H
#define ADZE_PASSES_NORMALIZE_FAMILIES_CONTRACTION_H

#include "passes/Normalize/Families/Helpers.h"

namespace adze::normalize {

/// A tensor whose dims have labels: dims with equal labels run together.
struct Labelled {
  mlir::Value value;
  llvm::SmallVector<int> labels;
};

/// Multiplies all factors and sums over the labels that are not in `output`.
/// A label of the output must occur in a factor. There is at least one factor,
/// all of one element type; a size of 1 stands for any.
mlir::Value contract(PrimBuilder &b, llvm::ArrayRef<Labelled> factors,
                     llvm::ArrayRef<int> output);

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_FAMILIES_CONTRACTION_H
