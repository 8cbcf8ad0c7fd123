//===- AttentionKernel.h - Attention in blocks of queries and keys -*- C++
//-*-===//
//
// An iteration takes a block of query rows of one batch. It goes through the
// keys block by block: scores in tiles, their exponentials relative to the
// largest score so far, and the sums of values that these weigh. When a larger
// score comes, the sums are scaled down. So the scratch has a constant size,
// on the stack, however many keys there are.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_LOWER_ATTENTIONKERNEL_H
#define ADZE_PASSES_LOWER_ATTENTIONKERNEL_H

#include "passes/Lower/StridedView.h"
#include "passes/Lower/Tile.h"

namespace adze {

class AttentionKernel {
public:
  AttentionKernel(mlir::OpBuilder &builder, kernel::FuncOp kernel,
                  prim::AttentionOp op, int64_t vectorBits);
  void build();

private:
  using Sums = TileEmitter::Sums;
  /// How the rows of a block are computed: tiles of several rows, or row by
  /// row where there are so few that packing keys would not pay.
  struct Plan {
    TileEmitter *tiles;
    Tile tile;
    bool isFew;
  };
  /// Keys from `first` on, `count` of them.
  struct Keys {
    mlir::Value first, count;
  };

  //===--- AttentionKernel.cpp: blocks, exponentials, weighted values -----===//

  void measure();
  void reserveScratch();
  void findOperands();
  void buildIteration(mlir::Value iteration);
  void buildBlock(const Plan &plan);
  void buildKeys(const Plan &plan, const Keys &keys);
  void copyQueries();
  void clearSums();
  void weigh(const Keys &keys);
  void weighRow(mlir::Value row, const Keys &keys);
  mlir::Value largestOf(mlir::Value row, const Keys &keys, mlir::Value limit);
  mlir::Value powersOf(mlir::Value row, const Keys &keys, mlir::Value limit,
                       mlir::Value shift);
  mlir::Value scoresOf(mlir::Value row, mlir::Value position,
                       mlir::Value limit);
  void addValues(const Plan &plan, const Keys &keys);
  void addValuesTo(const Plan &plan, mlir::Value row, const Keys &keys,
                   const Columns &columns);
  void finish(const Plan &plan);
  void storeRows(const Plan &plan, mlir::Value row, const Columns &columns);
  void forValueColumns(const Plan &plan,
                       llvm::function_ref<void(const Columns &)> body);
  Indices resultIndices(mlir::Value row);

  //===--- AttentionScores.cpp --------------------------------------------===//

  void buildScores(const Plan &plan, const Keys &keys);
  void packKeys(mlir::Value first);
  void packKeyVectors(mlir::Value first, int64_t v,
                      llvm::ArrayRef<mlir::Value> keys, mlir::Value depth,
                      int64_t count);
  void tileScores(const Plan &plan, mlir::Value row, const Keys &keys,
                  const Columns &columns);
  void buildFewScores(const Keys &keys);
  mlir::Value products(mlir::Value row, mlir::Value firstKey);
  mlir::Value scored(mlir::Value product, mlir::Value row, mlir::Value key,
                     mlir::Value mask);

  //===--- Helpers --------------------------------------------------------===//

  mlir::Value number(double value) {
    return emitter.number(builder.getF32Type(), value);
  }
  mlir::Value vectorOf(double value);
  mlir::Value advance(mlir::Value address, mlir::Value elements,
                      mlir::Type type);
  mlir::Value scratch(int64_t count);
  mlir::Value load(mlir::Value address, mlir::Value offset) {
    return tiles.loadVector(address, offset, builder.getF32Type(), {});
  }
  mlir::Value loadOne(mlir::Value address, mlir::Value offset) {
    return tiles.loadScalar(address, offset, builder.getF32Type());
  }
  void store(mlir::Value value, mlir::Value address, mlir::Value offset,
             mlir::Value mask = {});
  /// Lanes below `limit`, the first being at `position`.
  mlir::Value lanesBelow(mlir::Value limit, mlir::Value position);
  mlir::Value larger(mlir::Value a, mlir::Value b);
  /// Vectors that cover `count` elements; `mask` is that of the last one.
  void forVectors(int64_t count,
                  llvm::function_ref<void(mlir::Value offset, mlir::Value mask,
                                          int64_t lanes)>
                      body);
  void forEach(mlir::Value begin, mlir::Value end, int64_t step,
               llvm::function_ref<void(mlir::Value)> body);
  mlir::Value roundUp(mlir::Value count, int64_t step);
  /// The row of the whole that a row of the block is; those beyond the last
  /// are the last one again.
  mlir::Value rowNumber(mlir::Value row);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  prim::AttentionOp op;
  KernelFrame frame;
  ElementEmitter emitter;
  IndexBuilder &b;
  mlir::Type element;
  Tile tile, rowTile;
  TileEmitter tiles, rowTiles;

  sym::Shape batch;
  sym::Expr queryCount, keyCount;
  int64_t width, values; // elements of a key, of a value
  int64_t queryBlock = 0, keyBlock = 0, paddedValues = 0;

  StridedView query, key, value;
  /// Scratch: rows of queries, a panel of keys, scores and weights, sums of
  /// values; per row the largest score, its sums of weights, and the factor by
  /// which a block scales what was summed before.
  mlir::Value queries, panel, weights, sums, largest, totals, factors;

  // Of the current iteration.
  Indices batchIndices;
  mlir::Value queryAddress, keyAddress, valueAddress;
  mlir::Value firstRow, rowCount;
};

} // namespace adze

#endif // ADZE_PASSES_LOWER_ATTENTIONKERNEL_H
