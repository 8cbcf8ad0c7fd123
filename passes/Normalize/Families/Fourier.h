//===- Fourier.h - Discrete Fourier transforms ------------------*- C++ -*-===//

#ifndef ADZE_PASSES_NORMALIZE_FAMILIES_FOURIER_H
#define ADZE_PASSES_NORMALIZE_FAMILIES_FOURIER_H

#include "passes/Normalize/Families/Helpers.h"

namespace adze::normalize {

/// What a transform of n elements is multiplied by.
enum class FourierScale { None, ByRoot, ByCount };

/// Complex, of the same precision; integers count as f32.
mlir::Value asComplex(PrimBuilder &b, mlir::Value value);
/// Cuts off or appends zeros.
mlir::Value resizeDim(PrimBuilder &b, mlir::Value value, int64_t dim,
                      sym::Expr size);
mlir::Value scaleBy(PrimBuilder &b, mlir::Value value, FourierScale scale,
                    sym::Expr count);
/// The transform along one dim of a complex tensor, without scaling.
mlir::Value transform(PrimBuilder &b, mlir::Value value, int64_t dim,
                      bool inverse);
/// The first half, n / 2 + 1 elements.
mlir::Value firstHalf(PrimBuilder &b, mlir::Value value, int64_t dim);
/// The real inverse transform of n elements from the first half of a spectrum.
mlir::Value realInverse(PrimBuilder &b, mlir::Value half, int64_t dim,
                        sym::Expr size);

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_FAMILIES_FOURIER_H
