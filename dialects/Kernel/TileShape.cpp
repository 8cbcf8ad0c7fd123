//===- TileShape.cpp - Sizes of register tiles ----------------------------===//

#include "dialects/Kernel/TileShape.h"

#include "mlir/IR/BuiltinTypes.h"

namespace adze {

bool isTileElement(mlir::Type element) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(element))
    return integer.getWidth() > 1;
  return element.isF16() || element.isBF16() || element.isF32() ||
         element.isF64();
}

bool isDepthwiseFilter(llvm::ArrayRef<int64_t> sizes, int64_t groups) {
  return groups > 1 && sizes[sizes.size() - 2] == 1 && sizes.back() == groups;
}

/// The sums, the vectors of one step and a broadcast element fill the 32 (16)
/// registers. More than 8 rows would collide in the cache where the distance
/// of rows is a multiple of 4 KiB.
Tile tileFor(mlir::Type element, int64_t vectorBits) {
  Tile tile;
  tile.lanes = vectorBits / (element.getIntOrFloatBitWidth() == 64 ? 64 : 32);
  tile.rows = vectorBits >= 512 ? 8 : 6;
  return tile;
}

Tile tileForPanel(mlir::Type element, int64_t vectorBits, int64_t panel) {
  Tile tile = tileFor(element, vectorBits);
  if (panel == tile.width())
    return tile;
  tile.lanes = std::min(tile.lanes, panel);
  tile.vectors = panel / tile.lanes;
  int64_t registers = vectorBits >= 512 ? 32 : 16;
  int64_t most = (registers - 1 - tile.vectors) / tile.vectors;
  tile.rows = std::max<int64_t>(1, std::min(tile.rows, most));
  return tile;
}

} // namespace adze
