//===- ConvolutionDepthwise.cpp - Each channel by a filter of its own -----===//
//
// Channels lie in vectors, the rows of the tile are neighbouring pixels. An
// iteration computes one row of pixels for one panel of channels.
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
    tile.rows = pixelsOfTile;
    if (auto known = sym::asConstant(c.columns.output))
      tile.rows = balancedRows(*known, pixelsOfTile);
  }

  void build();

private:
  using Sums = TileEmitter::Sums;
  void buildIteration(Value iteration);
  void buildTile(const ConvolutionFrame::Row &row, Value width,
                 const Columns &columns);
  Sums sumUp(const ConvolutionFrame::Row &row, ArrayRef<Value> pixels,
             const Columns &columns, bool isInside);

  ConvolutionFrame c;
  IndexBuilder &b;
  Tile tile;
  TileEmitter tiles;
};
} // namespace

DepthwiseConvolution::Sums
DepthwiseConvolution::sumUp(const ConvolutionFrame::Row &row,
                            ArrayRef<Value> pixels, const Columns &columns,
                            bool isInside) {
  int64_t vectors = columns.masks.size();
  return c.overFilterRows(
      row, tiles.zeros(pixels.size(), vectors),
      [&](Value kh, ValueRange carried) {
        Sums sums(carried);
        Value address = c.inputRow(row, kh);
        for (int64_t kw = 0; kw < c.columns.filter; ++kw) {
          Value position =
              b.add(b.mul(kh, b.constant(c.columns.filter)), b.constant(kw));
          Value filterRow =
              b.add(b.mul(position, b.constant(c.channels)), columns.first);
          for (int64_t v = 0; v < vectors; ++v) {
            Value distance = b.constant(v * tile.lanes);
            Value weights =
                tiles.loadVector(c.filter, b.add(filterRow, distance),
                                 c.element, columns.masks[v]);
            for (size_t i = 0; i < pixels.size(); ++i) {
              Value column = b.add(c.inputColumn(pixels[i]),
                                   b.constant(kw * c.columns.dilation));
              Value pixel =
                  isInside ? c.pixel(address, column, columns.first)
                           : c.pixelOrZeros(address, column, columns.first);
              Value x = tiles.loadVector(pixel, distance, c.element,
                                         columns.masks[v]);
              Value &sum = sums[i * vectors + v];
              sum = tiles.multiplyAdd(x, weights, sum);
            }
          }
        }
        return sums;
      });
}

void DepthwiseConvolution::buildTile(const ConvolutionFrame::Row &row,
                                     Value width, const Columns &columns) {
  SmallVector<Value> pixels = c.columnsFrom(width, tile.rows);
  Sums sums;
  if (c.columns.isPadded)
    sums = c.either(
        c.isInside(pixels.front(), pixels.back()),
        [&] { return sumUp(row, pixels, columns, /*isInside=*/true); },
        [&] { return sumUp(row, pixels, columns, /*isInside=*/false); });
  else
    sums = sumUp(row, pixels, columns, /*isInside=*/true);
  auto indices = llvm::map_to_vector(
      pixels, [&](Value pixel) { return c.indicesOf(row, pixel); });
  tiles.store(sums, indices, columns);
}

void DepthwiseConvolution::buildIteration(Value iteration) {
  Value panels = b.constant(llvm::divideCeil(c.channels, tile.width()));
  Value height = c.frame.evaluate(c.rows.output);
  Value panel = b.rem(iteration, panels);
  Value rest = b.div(iteration, panels);
  auto row = c.rowAt(b.div(rest, height), b.rem(rest, height));
  Value first = b.mul(panel, b.constant(tile.width()));
  tiles.forColumns(first, c.expr(c.channels), [&](const Columns &columns) {
    c.forEach(b.constant(0), c.frame.evaluate(c.columns.output), tile.rows,
              [&](Value width) { buildTile(row, width, columns); });
  });
}

void DepthwiseConvolution::build() {
  if (c.columns.isPadded)
    c.makeZeros(tile.width());
  c.forEach(c.frame.begin(), c.frame.end(), 1,
            [&](Value iteration) { buildIteration(iteration); });
  int64_t panels = llvm::divideCeil(c.channels, tile.width());
  int64_t taps = c.rows.filter * c.columns.filter;
  c.frame.finish(c.builder,
                 sym::mul(c.images, sym::mul(c.expr(panels), c.rows.output)),
                 sym::mul(c.columns.output, c.expr(taps * tile.vectors)));
}

void buildDepthwiseConvolution(OpBuilder &builder, kernel::FuncOp kernel,
                               prim::ConvolutionOp op, int64_t vectorBits) {
  DepthwiseConvolution(builder, kernel, op, vectorBits).build();
}

} // namespace adze
