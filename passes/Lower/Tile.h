//===- Tile.h - Register tiles of matrix products ---------------*- C++ -*-===//
//
// What matrix products and convolutions have in common: a tile of the result
// stays in registers while the inner dim runs, then the ops that follow are
// applied to it and it is stored. Columns lie in vectors; rows are single
// elements of the other operand.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_LOWER_TILE_H
#define ADZE_PASSES_LOWER_TILE_H

#include "dialects/Kernel/TileShape.h"
#include "passes/Lower/ElementEmitter.h"

namespace adze {

/// Rows of a tile such that equal tiles cover `count` rows with little waste.
int64_t balancedRows(int64_t count, int64_t most);

/// A panel of columns: where it begins, and for each vector the lanes that
/// exist, null if all do.
struct Columns {
  mlir::Value first;
  llvm::SmallVector<mlir::Value> masks;
};

class TileEmitter {
public:
  /// `anchor` is the result of the op whose tiles these are.
  TileEmitter(ElementEmitter &emitter, mlir::Value anchor, Tile tile)
      : emitter(emitter), anchor(anchor), tile(tile) {}

  using LoadScalar =
      llvm::function_ref<mlir::Value(int64_t row, mlir::Value k)>;
  using LoadVector =
      llvm::function_ref<mlir::Value(int64_t vector, mlir::Value k)>;
  using Sums = llvm::SmallVector<mlir::Value>;

  /// rows x vectors sums, row by row.
  Sums zeros(int64_t rows, int64_t vectors);
  /// Adds scalar(row, k) * vector(v, k) for k in [0, count).
  Sums accumulate(mlir::ValueRange sums, int64_t vectors, mlir::Value count,
                  LoadScalar scalar, LoadVector vector);
  /// The same from zero. Few rows have too few sums to keep the units busy, so
  /// several steps have sums of their own.
  Sums sumUp(int64_t rows, int64_t vectors, mlir::Value count,
             LoadScalar scalar, LoadVector vector);
  /// Applies what follows the anchor to the sums and stores what the kernel
  /// yields. `rows` holds the indices of each row, without that of the column.
  void store(llvm::ArrayRef<mlir::Value> sums, llvm::ArrayRef<Indices> rows,
             const Columns &columns);

  /// Emits `body` for the panel that begins at column `first` of `count`, once
  /// for whole panels and once for the last one, where they differ.
  void forColumns(mlir::Value first, sym::Expr count,
                  llvm::function_ref<void(const Columns &)> body);

  /// One element, or a vector of them, at a distance in elements, as the sums
  /// have them; a vector is read under `mask` unless that is null.
  mlir::Value loadScalar(mlir::Value address, mlir::Value offset,
                         mlir::Type element);
  mlir::Value loadVector(mlir::Value address, mlir::Value offset,
                         mlir::Type element, mlir::Value mask);
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value sum);

private:
  /// accumulate() from zero, in chains of bounded length.
  Sums sumChains(int64_t rows, int64_t vectors, mlir::Value count,
                 LoadScalar scalar, LoadVector vector);
  mlir::Type sumType();
  mlir::Value widen(mlir::Value value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value toResult(mlir::Value sum);
  Sums joinSteps(llvm::ArrayRef<mlir::Value> sums, int64_t steps);
  Columns staticColumns(mlir::Value first, int64_t width);
  Columns dynamicColumns(mlir::Value first, mlir::Value count);
  void inBranch(mlir::Block *block, llvm::function_ref<void()> body);

  ElementEmitter &emitter;
  mlir::Value anchor;
  Tile tile;
};

} // namespace adze

#endif // ADZE_PASSES_LOWER_TILE_H
