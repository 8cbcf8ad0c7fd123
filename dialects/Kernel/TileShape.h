//===- TileShape.h - Sizes of register tiles --------------------*- C++ -*-===//
//
// Weights are packed before the kernels that read them are built; both go by
// these sizes.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DIALECTS_KERNEL_TILESHAPE_H
#define ADZE_DIALECTS_KERNEL_TILESHAPE_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"

namespace adze {

/// A part of a matrix that stays in registers.
struct Tile {
  int64_t rows = 1;    // at most
  int64_t vectors = 2; // in a panel of columns
  int64_t lanes = 8;
  int64_t width() const { return vectors * lanes; }
};

/// The largest tile that the registers hold; f16 and bf16 are summed as
/// f32, i8 and i16 as i32.
Tile tileFor(mlir::Type element, int64_t vectorBits);
/// The same for panels of `panel` columns, a power of two: those of a weight
/// that may have been packed for another width.
Tile tileForPanel(mlir::Type element, int64_t vectorBits, int64_t panel);
/// True if a channels-last filter `[spatial..., C/groups, O]` has one input
/// and one output for each group.
bool isDepthwiseFilter(llvm::ArrayRef<int64_t> sizes, int64_t groups);
/// True for the element types that tiles are made of.
bool isTileElement(mlir::Type element);

} // namespace adze

#endif // ADZE_DIALECTS_KERNEL_TILESHAPE_H
