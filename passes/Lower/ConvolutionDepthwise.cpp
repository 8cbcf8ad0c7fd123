//===- ConvolutionDepthwise.cpp - Each channel by a filter of its own -----===//
//
// Channels lie in vectors, the rows of the tile are neighbouring pixels. An
// iteration computes one row of pixels for one panel of channels. A packed
// filter and one that is not lie in memory alike.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/ConvolutionKernel.h"

using namespace mlir;

namespace adze {
namespace {

/// Pixels of a tile: their sums, and the filter's vectors, fit in registers.
constexpr int64_t pixelsOfTile = 4;

class DepthwiseConvolution {
public:
  DepthwiseConvolution(OpBuilder &builder, kernel::FuncOp kernel,
                       prim::ConvolutionOp op, int64_t vectorBits)
      : c(builder, kernel, op, vectorBits), b(c.b),
        tile(tileFor(c.element, vectorBits)),
        tiles(c.emitter, op.getResult(), tile) {
    tile.rows = c.pixelsPerTile(pixelsOfTile);
  }

  void build();

private:
  using Sums = TileEmitter::Sums;
  using Row = ConvolutionFrame::Row;
  void buildIteration(Value iteration);
  void buildTile(const Row &row, Value first, const Columns &columns);
  Sums sumUp(const Row &row, ArrayRef<Value> pixels, const Columns &columns,
             bool isInside);
  void addTap(const Row &row, ArrayRef<Value> taps, ArrayRef<Value> pixels,
              const Columns &columns, bool isInside, Sums &sums);

  ConvolutionFrame c;
  IndexBuilder &b;
  Tile tile;
  TileEmitter tiles;
};
} // namespace

void DepthwiseConvolution::addTap(const Row &row, ArrayRef<Value> taps,
                                  ArrayRef<Value> pixels,
                                  const Columns &columns, bool isInside,
                                  Sums &sums) {
  int64_t vectors = columns.masks.size();
  Value address = c.inputRow(row, taps.drop_back());
  Value filterRow =
      b.add(b.mul(c.tapNumber(taps), b.constant(c.groups)), columns.first);
  for (int64_t v = 0; v < vectors; ++v) {
    Value distance = b.constant(v * tile.lanes);
    Value weights = tiles.loadVector(c.filter, b.add(filterRow, distance),
                                     c.element, columns.masks[v]);
    for (size_t i = 0; i < pixels.size(); ++i) {
      Value column = c.inputColumn(row, pixels[i], taps.back());
      Value pixel = isInside ? c.pixel(address, column, columns.first)
                             : c.pixelOrZeros(address, column, columns.first);
      Value x = tiles.loadVector(pixel, distance, c.element, columns.masks[v]);
      Value &sum = sums[i * vectors + v];
      sum = tiles.multiplyAdd(x, weights, sum);
    }
  }
}

/// Taps of a filter row are unrolled, except for those of phases, which differ.
DepthwiseConvolution::Sums DepthwiseConvolution::sumUp(const Row &row,
                                                       ArrayRef<Value> pixels,
                                                       const Columns &columns,
                                                       bool isInside) {
  SmallVector<ConvolutionFrame::Taps> dims(row.taps);
  if (c.columns.isTransposed)
    dims.push_back(c.columnTaps(row));
  return c.overTaps(dims, tiles.zeros(pixels.size(), columns.masks.size()),
                    [&](ArrayRef<Value> outer, ValueRange carried) {
                      Sums sums(carried);
                      if (c.columns.isTransposed) {
                        addTap(row, outer, pixels, columns, isInside, sums);
                        return sums;
                      }
                      SmallVector<Value> taps(outer);
                      taps.emplace_back();
                      for (int64_t kw = 0; kw < c.columns.filter; ++kw) {
                        taps.back() = b.constant(kw);
                        addTap(row, taps, pixels, columns, isInside, sums);
                      }
                      return sums;
                    });
}

void DepthwiseConvolution::buildTile(const Row &row, Value first,
                                     const Columns &columns) {
  SmallVector<Value> pixels = c.pixelsFrom(row, first, tile.rows);
  Sums sums;
  if (c.columns.isPadded && !c.columns.isTransposed)
    sums = c.either(
        c.isInside(row, pixels.front(), pixels.back()),
        [&] { return sumUp(row, pixels, columns, /*isInside=*/true); },
        [&] { return sumUp(row, pixels, columns, /*isInside=*/false); });
  else
    sums = sumUp(row, pixels, columns, /*isInside=*/!c.columns.isPadded);
  auto indices = llvm::map_to_vector(
      pixels, [&](Value pixel) { return c.indicesOf(row, pixel); });
  tiles.store(sums, indices, columns);
}

void DepthwiseConvolution::buildIteration(Value iteration) {
  Value panels = b.constant(llvm::divideCeil(c.groups, tile.width()));
  Value rows = c.frame.evaluate(c.rowCount());
  Value panel = b.rem(iteration, panels);
  Value rest = b.div(iteration, panels);
  auto row = c.rowAt(b.div(rest, rows), b.rem(rest, rows));
  Value first = b.mul(panel, b.constant(tile.width()));
  tiles.forColumns(first, c.expr(c.groups), [&](const Columns &columns) {
    c.forPixels(row, tile.rows, [&](const Row &part, Value pixel) {
      buildTile(part, pixel, columns);
    });
  });
}

void DepthwiseConvolution::build() {
  if (c.columns.isPadded)
    c.makeZeros(tile.width());
  c.forEach(c.frame.begin(), c.frame.end(), 1,
            [&](Value iteration) { buildIteration(iteration); });
  int64_t panels = llvm::divideCeil(c.groups, tile.width());
  c.frame.finish(
      c.builder, sym::mul(c.images, sym::mul(c.expr(panels), c.rowCount())),
      sym::mul(c.columns.output, c.expr(c.tapCount() * tile.vectors)));
}

void buildDepthwiseConvolution(OpBuilder &builder, kernel::FuncOp kernel,
                               prim::ConvolutionOp op, int64_t vectorBits) {
  DepthwiseConvolution(builder, kernel, op, vectorBits).build();
}

} // namespace adze
