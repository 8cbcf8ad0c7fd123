//===- ConvolutionDirect.cpp - Convolutions as products of matrices -------===//
//
// The rows of the tile are neighbouring pixels of the result, its columns
// output channels. An iteration computes one row of pixels for one panel of
// channels. Where the filter lies within the image, the positions (kw, channel)
// of a filter row are contiguous in memory.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/ConvolutionKernel.h"

using namespace mlir;

namespace adze {
namespace {

int64_t panelOf(prim::ConvolutionOp op) {
  return op->getAttrOfType<kernel::PackingAttr>("kernel.packing").getPanel();
}

class DirectConvolution {
public:
  DirectConvolution(OpBuilder &builder, kernel::FuncOp kernel,
                    prim::ConvolutionOp op, int64_t vectorBits)
      : c(builder, kernel, op, vectorBits), b(c.b), groups(op.getGroups()),
        groupInputs(c.channels / groups), groupOutputs(c.outputs / groups),
        tile(tileForPanel(c.element, vectorBits, panelOf(op))),
        tiles(c.emitter, op.getResult(), tile) {
    if (auto known = sym::asConstant(c.columns.output))
      tile.rows = balancedRows(*known, tile.rows);
  }

  void build();

private:
  using Sums = TileEmitter::Sums;
  void buildIteration(Value iteration);
  void buildTile(const ConvolutionFrame::Row &row, Value width,
                 const Columns &columns);
  Sums sumContiguous(const ConvolutionFrame::Row &row, ArrayRef<Value> pixels,
                     int64_t vectors);
  Sums sumPixels(const ConvolutionFrame::Row &row, ArrayRef<Value> pixels,
                 int64_t vectors);
  Sums sumPixel(Value address, Value kw, Value filterOffset,
                ArrayRef<Value> pixels, ValueRange sums, int64_t vectors);
  Value filterVector(Value offset, int64_t v, Value k) {
    Value at = b.mul(b.add(offset, k), b.constant(tile.width()));
    return tiles.loadVector(filter, b.add(at, b.constant(v * tile.lanes)),
                            c.element, {});
  }
  /// Filter row kh and column kw begin at this row of the panel.
  Value filterRow(Value kh, Value kw) {
    Value position = b.add(b.mul(kh, b.constant(c.columns.filter)), kw);
    return b.mul(position, b.constant(groupInputs));
  }

  ConvolutionFrame c;
  IndexBuilder &b;
  int64_t groups, groupInputs, groupOutputs;
  Tile tile;
  TileEmitter tiles;
  Value firstInput; // channel, of the current group
  Value filter;     // the current panel
};
} // namespace

DirectConvolution::Sums
DirectConvolution::sumContiguous(const ConvolutionFrame::Row &row,
                                 ArrayRef<Value> pixels, int64_t vectors) {
  return c.overFilterRows(
      row, tiles.zeros(pixels.size(), vectors), [&](Value kh, ValueRange sums) {
        Value address = c.inputRow(row, kh);
        Value offset = filterRow(kh, b.constant(0));
        SmallVector<Value> offsets =
            llvm::map_to_vector(pixels, [&](Value pixel) {
              return b.mul(c.inputColumn(pixel), b.constant(c.channels));
            });
        return tiles.accumulate(
            sums, vectors, b.constant(c.columns.filter * groupInputs),
            [&](int64_t i, Value k) {
              return tiles.loadScalar(address, b.add(offsets[i], k), c.element);
            },
            [&](int64_t v, Value k) { return filterVector(offset, v, k); });
      });
}

DirectConvolution::Sums DirectConvolution::sumPixel(Value address, Value kw,
                                                    Value filterOffset,
                                                    ArrayRef<Value> pixels,
                                                    ValueRange sums,
                                                    int64_t vectors) {
  SmallVector<Value> addresses = llvm::map_to_vector(pixels, [&](Value pixel) {
    Value column =
        b.add(c.inputColumn(pixel), b.mul(kw, b.constant(c.columns.dilation)));
    return c.pixelOrZeros(address, column, firstInput);
  });
  return tiles.accumulate(
      sums, vectors, b.constant(groupInputs),
      [&](int64_t i, Value k) {
        return tiles.loadScalar(addresses[i], k, c.element);
      },
      [&](int64_t v, Value k) { return filterVector(filterOffset, v, k); });
}

DirectConvolution::Sums
DirectConvolution::sumPixels(const ConvolutionFrame::Row &row,
                             ArrayRef<Value> pixels, int64_t vectors) {
  return c.overFilterRows(
      row, tiles.zeros(pixels.size(), vectors), [&](Value kh, ValueRange sums) {
        Value address = c.inputRow(row, kh);
        auto loop = scf::ForOp::create(c.builder, c.loc, b.constant(0),
                                       b.constant(c.columns.filter),
                                       b.constant(1), sums);
        OpBuilder::InsertionGuard guard(c.builder);
        c.builder.setInsertionPointToStart(loop.getBody());
        ElementEmitter::Scope scope(c.emitter);
        Value kw = loop.getInductionVar();
        scf::YieldOp::create(c.builder, c.loc,
                             sumPixel(address, kw, filterRow(kh, kw), pixels,
                                      loop.getRegionIterArgs(), vectors));
        return Sums(loop.getResults());
      });
}

void DirectConvolution::buildTile(const ConvolutionFrame::Row &row, Value width,
                                  const Columns &columns) {
  SmallVector<Value> pixels = c.columnsFrom(width, tile.rows);
  int64_t vectors = columns.masks.size();
  bool isContiguous =
      groups == 1 && (c.columns.dilation == 1 || c.columns.filter == 1);
  auto known = sym::asConstant(c.columns.output);
  bool hasOneTile = known && *known <= tile.rows;
  Sums sums;
  if (isContiguous && !c.columns.isPadded)
    sums = sumContiguous(row, pixels, vectors);
  else if (isContiguous && !hasOneTile)
    sums = c.either(
        c.isInside(pixels.front(), pixels.back()),
        [&] { return sumContiguous(row, pixels, vectors); },
        [&] { return sumPixels(row, pixels, vectors); });
  else
    sums = sumPixels(row, pixels, vectors);
  auto indices = llvm::map_to_vector(
      pixels, [&](Value pixel) { return c.indicesOf(row, pixel); });
  // Channels of the result count from the first of all groups.
  tiles.store(sums, indices, columns);
}

void DirectConvolution::buildIteration(Value iteration) {
  Value height = c.frame.evaluate(c.rows.output);
  Value panelsOfGroup =
      b.constant(llvm::divideCeil(groupOutputs, tile.width()));
  Value rest = b.div(iteration, height);
  Value panel = b.rem(rest, b.mul(panelsOfGroup, b.constant(groups)));
  Value image = b.div(rest, b.mul(panelsOfGroup, b.constant(groups)));
  Value group = b.div(panel, panelsOfGroup);
  firstInput = b.mul(group, b.constant(groupInputs));
  int64_t panelSize =
      c.rows.filter * c.columns.filter * groupInputs * tile.width();
  filter = c.advance(c.filter, b.mul(panel, b.constant(panelSize)));
  auto row = c.rowAt(image, b.rem(iteration, height));
  Value first = b.mul(b.rem(panel, panelsOfGroup), b.constant(tile.width()));
  Value groupOffset = b.mul(group, b.constant(groupOutputs));
  tiles.forColumns(first, c.expr(groupOutputs), [&](Columns columns) {
    columns.first = b.add(first, groupOffset);
    c.forEach(b.constant(0), c.frame.evaluate(c.columns.output), tile.rows,
              [&](Value width) { buildTile(row, width, columns); });
  });
}

void DirectConvolution::build() {
  if (c.columns.isPadded)
    c.makeZeros(groupInputs);
  c.forEach(c.frame.begin(), c.frame.end(), 1,
            [&](Value iteration) { buildIteration(iteration); });
  int64_t panels = llvm::divideCeil(groupOutputs, tile.width()) * groups;
  int64_t inner = c.rows.filter * c.columns.filter * groupInputs;
  c.frame.finish(c.builder,
                 sym::mul(c.images, sym::mul(c.expr(panels), c.rows.output)),
                 sym::mul(c.columns.output, c.expr(inner * tile.vectors)));
}

void buildDirectConvolution(OpBuilder &builder, kernel::FuncOp kernel,
                            prim::ConvolutionOp op, int64_t vectorBits) {
  DirectConvolution(builder, kernel, op, vectorBits).build();
}

} // namespace adze
