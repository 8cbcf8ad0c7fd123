//===- ConvolutionDirect.cpp - Convolutions as products of matrices -------===//
//
// The rows of the tile are neighbouring pixels of the result, its columns
// output channels. An iteration computes one row of pixels for one panel of
// channels. Where the filter lies within the image, the positions (kw, channel)
// of a filter row are contiguous in memory. The filter is packed in panels, or
// row-major: its last dim is that of the output channels.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/ConvolutionKernel.h"

using namespace mlir;

namespace adze {
namespace {

class DirectConvolution {
public:
  DirectConvolution(OpBuilder &builder, kernel::FuncOp kernel,
                    prim::ConvolutionOp op, int64_t vectorBits)
      : c(builder, kernel, op, vectorBits), b(c.b),
        packing(op->getAttrOfType<kernel::PackingAttr>("kernel.packing")),
        tile(packing ? tileForPanel(c.element, vectorBits, packing.getPanel())
                     : tileFor(c.element, vectorBits)),
        tiles(c.emitter, op.getResult(), tile) {
    tile.rows = c.pixelsPerTile(tile.rows);
  }

  void build();

private:
  using Sums = TileEmitter::Sums;
  using Row = ConvolutionFrame::Row;
  void buildIteration(Value iteration);
  void buildTile(const Row &row, Value first, const Columns &columns);
  Sums sumContiguous(const Row &row, ArrayRef<Value> pixels,
                     const Columns &columns);
  Sums sumPixels(const Row &row, ArrayRef<Value> pixels,
                 const Columns &columns);
  Sums sumPixel(const Row &row, ArrayRef<Value> taps, ArrayRef<Value> pixels,
                ValueRange sums, const Columns &columns);
  Value filterVector(Value filterRow, int64_t v, const Columns &columns);
  /// The row of the filter where the input channels of a tap begin.
  Value filterRow(ArrayRef<Value> taps) {
    return b.mul(c.tapNumber(taps), b.constant(c.groupInputs));
  }

  ConvolutionFrame c;
  IndexBuilder &b;
  kernel::PackingAttr packing;
  Tile tile;
  TileEmitter tiles;
  Value firstInput; // channel, of the current group
  Value filter;     // the current panel
};
} // namespace

Value DirectConvolution::filterVector(Value filterRow, int64_t v,
                                      const Columns &columns) {
  Value distance = b.constant(v * tile.lanes);
  if (packing) {
    Value offset = b.add(b.mul(filterRow, b.constant(tile.width())), distance);
    return tiles.loadVector(filter, offset, c.element, {});
  }
  Value offset = b.mul(filterRow, b.constant(c.groupOutputs * c.groups));
  Value column = b.add(columns.first, distance);
  return tiles.loadVector(filter, b.add(offset, column), c.element,
                          columns.masks[v]);
}

DirectConvolution::Sums
DirectConvolution::sumContiguous(const Row &row, ArrayRef<Value> pixels,
                                 const Columns &columns) {
  int64_t vectors = columns.masks.size();
  return c.overTaps(
      row.taps, tiles.zeros(pixels.size(), vectors),
      [&](ArrayRef<Value> outer, ValueRange sums) {
        SmallVector<Value> taps(outer);
        taps.push_back(b.constant(0));
        Value address = c.inputRow(row, outer), begin = filterRow(taps);
        SmallVector<Value> offsets =
            llvm::map_to_vector(pixels, [&](Value pixel) {
              return b.mul(c.inputColumn(row, pixel, taps.back()),
                           b.constant(c.groupInputs * c.groups));
            });
        return tiles.accumulate(
            sums, vectors, b.constant(c.columns.filter * c.groupInputs),
            [&](int64_t i, Value k) {
              return tiles.loadScalar(address, b.add(offsets[i], k), c.element);
            },
            [&](int64_t v, Value k) {
              return filterVector(b.add(begin, k), v, columns);
            });
      });
}

/// Adds one tap: all channels of the pixels that it meets.
DirectConvolution::Sums DirectConvolution::sumPixel(const Row &row,
                                                    ArrayRef<Value> taps,
                                                    ArrayRef<Value> pixels,
                                                    ValueRange sums,
                                                    const Columns &columns) {
  Value address = c.inputRow(row, taps.drop_back());
  SmallVector<Value> addresses = llvm::map_to_vector(pixels, [&](Value pixel) {
    return c.pixelOrZeros(address, c.inputColumn(row, pixel, taps.back()),
                          firstInput);
  });
  Value begin = filterRow(taps);
  return tiles.accumulate(
      sums, columns.masks.size(), b.constant(c.groupInputs),
      [&](int64_t i, Value k) {
        return tiles.loadScalar(addresses[i], k, c.element);
      },
      [&](int64_t v, Value k) {
        return filterVector(b.add(begin, k), v, columns);
      });
}

DirectConvolution::Sums DirectConvolution::sumPixels(const Row &row,
                                                     ArrayRef<Value> pixels,
                                                     const Columns &columns) {
  SmallVector<ConvolutionFrame::Taps> dims(row.taps);
  dims.push_back(c.columnTaps(row));
  return c.overTaps(dims, tiles.zeros(pixels.size(), columns.masks.size()),
                    [&](ArrayRef<Value> taps, ValueRange sums) {
                      return sumPixel(row, taps, pixels, sums, columns);
                    });
}

void DirectConvolution::buildTile(const Row &row, Value first,
                                  const Columns &columns) {
  SmallVector<Value> pixels = c.pixelsFrom(row, first, tile.rows);
  bool isContiguous = c.groups == 1 && !c.columns.isTransposed &&
                      (c.columns.dilation == 1 || c.columns.filter == 1);
  Sums sums;
  if (isContiguous && !c.columns.isPadded)
    sums = sumContiguous(row, pixels, columns);
  else if (isContiguous && !c.isOneTile(tile.rows))
    sums = c.either(
        c.isInside(row, pixels.front(), pixels.back()),
        [&] { return sumContiguous(row, pixels, columns); },
        [&] { return sumPixels(row, pixels, columns); });
  else
    sums = sumPixels(row, pixels, columns);
  auto indices = llvm::map_to_vector(
      pixels, [&](Value pixel) { return c.indicesOf(row, pixel); });
  // Channels of the result count from the first of all groups.
  tiles.store(sums, indices, columns);
}

void DirectConvolution::buildIteration(Value iteration) {
  Value rows = c.frame.evaluate(c.rowCount());
  Value panelsOfGroup =
      b.constant(llvm::divideCeil(c.groupOutputs, tile.width()));
  Value panels = b.mul(panelsOfGroup, b.constant(c.groups));
  Value rest = b.div(iteration, rows);
  Value panel = b.rem(rest, panels);
  Value image = b.div(rest, panels);
  Value group = b.div(panel, panelsOfGroup);
  firstInput = b.mul(group, b.constant(c.groupInputs));
  filter = c.filter;
  if (packing)
    filter = c.advance(
        filter,
        b.mul(panel, b.constant(c.tapCount() * c.groupInputs * tile.width())));
  auto row = c.rowAt(image, b.rem(iteration, rows));
  Value first = b.mul(b.rem(panel, panelsOfGroup), b.constant(tile.width()));
  Value groupOffset = b.mul(group, b.constant(c.groupOutputs));
  tiles.forColumns(first, c.expr(c.groupOutputs), [&](Columns columns) {
    columns.first = b.add(first, groupOffset);
    c.forPixels(row, tile.rows, [&](const Row &part, Value pixel) {
      buildTile(part, pixel, columns);
    });
  });
}

void DirectConvolution::build() {
  if (c.columns.isPadded)
    c.makeZeros(c.groupInputs);
  c.forEach(c.frame.begin(), c.frame.end(), 1,
            [&](Value iteration) { buildIteration(iteration); });
  int64_t panels = llvm::divideCeil(c.groupOutputs, tile.width()) * c.groups;
  int64_t inner = c.tapCount() * c.groupInputs;
  c.frame.finish(c.builder,
                 sym::mul(c.images, sym::mul(c.expr(panels), c.rowCount())),
                 sym::mul(c.columns.output, c.expr(inner * tile.vectors)));
}

void buildDirectConvolution(OpBuilder &builder, kernel::FuncOp kernel,
                            prim::ConvolutionOp op, int64_t vectorBits) {
  DirectConvolution(builder, kernel, op, vectorBits).build();
}

} // namespace adze
