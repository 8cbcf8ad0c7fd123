//===- ConvolutionKernel.h - Positions in images of channels ----*- C++ -*-===//
//
// What the kernels of convolutions have in common: sizes, the part of the
// filter that meets the image, and addresses of pixels. Images are
// channels_last. The last spatial dim is that of columns; all others are outer
// dims, be there none (signals), one or more: a row of pixels lies at one
// position of each.
//
// A transposed convolution is computed without its zeros. Along each dim,
//   out + low = in * stride + tap * dilation,
// so that one output position meets every `tapStep`-th tap. Output columns of
// one phase, which are `stride` apart, meet the same taps and neighbouring
// input columns; a row is computed phase by phase.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_LOWER_CONVOLUTIONKERNEL_H
#define ADZE_PASSES_LOWER_CONVOLUTIONKERNEL_H

#include "passes/Lower/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace adze {

/// True for what the kernels below compute: channels_last, a filter of static
/// size, operands in memory.
bool suitsConvolutionKernel(prim::ConvolutionOp op);

class ConvolutionFrame {
public:
  ConvolutionFrame(mlir::OpBuilder &builder, kernel::FuncOp kernel,
                   prim::ConvolutionOp op, int64_t vectorBits);

  /// A spatial dim.
  struct Dim {
    int64_t stride, low, dilation, filter;
    bool isTransposed, isPadded;
    sym::Expr input, output;
    /// Distance of the taps that one output position meets.
    int64_t tapStep() const;
  };
  /// Taps of the filter along one dim: begin, begin + step, ... up to end.
  struct Taps {
    mlir::Value begin, end;
    int64_t step = 1;
  };
  /// A row of output pixels, or those of one phase.
  struct Row {
    mlir::Value image;
    llvm::SmallVector<mlir::Value> positions; // in the outer dims
    llvm::SmallVector<Taps> taps;             // that meet the image there
    mlir::Value phase;                        // the first column
  };

  /// The number of rows of an image.
  sym::Expr rowCount();
  Row rowAt(mlir::Value image, mlir::Value number);
  /// Runs `body` for the pixels of the row, `step` at a time from `pixel` on;
  /// for a transposed convolution phase by phase.
  void forPixels(Row row, int64_t step,
                 llvm::function_ref<void(const Row &, mlir::Value pixel)> body);
  /// `most`, or fewer if so all tiles of a row become equal.
  int64_t pixelsPerTile(int64_t most);
  /// True if a row has no more pixels than that.
  bool isOneTile(int64_t pixels);
  /// Pixels `first + i` of a row, those beyond the last being the last again.
  llvm::SmallVector<mlir::Value> pixelsFrom(const Row &row, mlir::Value first,
                                            int64_t count);
  /// Indices of a pixel of the result, without that of the channel.
  Indices indicesOf(const Row &row, mlir::Value pixel);

  /// Address of the input pixels that these taps of the outer dims meet.
  mlir::Value inputRow(const Row &row, llvm::ArrayRef<mlir::Value> taps);
  /// Taps of the columns that the pixels of a row meet, in the image or not.
  Taps columnTaps(const Row &row);
  /// The input column that a pixel and a tap meet.
  mlir::Value inputColumn(const Row &row, mlir::Value pixel, mlir::Value tap);
  /// True (i1) if all taps of these pixels lie within the image.
  mlir::Value isInside(const Row &row, mlir::Value first, mlir::Value last);
  /// The address of a pixel, or of zeros where there is none.
  mlir::Value pixelOrZeros(mlir::Value rowAddress, mlir::Value column,
                           mlir::Value channel);
  mlir::Value pixel(mlir::Value rowAddress, mlir::Value column,
                    mlir::Value channel);
  mlir::Value advance(mlir::Value address, mlir::Value elements);
  /// The number of a tap in the filter, from those in each dim.
  mlir::Value tapNumber(llvm::ArrayRef<mlir::Value> taps);
  /// The number of taps, of the columns or of all dims.
  int64_t tapCount();

  /// Reserves `count` zeros; to be called before any loop.
  void makeZeros(int64_t count);
  /// Sums that depend on a condition.
  TileEmitter::Sums either(mlir::Value condition,
                           llvm::function_ref<TileEmitter::Sums()> ifTrue,
                           llvm::function_ref<TileEmitter::Sums()> ifFalse);
  /// A nest of loops over taps with sums, in the order of the dims.
  using TapBody = llvm::function_ref<TileEmitter::Sums(
      llvm::ArrayRef<mlir::Value> taps, mlir::ValueRange sums)>;
  TileEmitter::Sums overTaps(llvm::ArrayRef<Taps> dims, mlir::ValueRange sums,
                             TapBody body);
  void forEach(mlir::Value begin, mlir::Value end, int64_t step,
               llvm::function_ref<void(mlir::Value)> body);
  sym::Expr expr(int64_t value) {
    return sym::constant(builder.getContext(), value);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  prim::ConvolutionOp op;
  KernelFrame frame;
  ElementEmitter emitter;
  IndexBuilder &b;
  mlir::Type element;
  llvm::SmallVector<Dim> outer;
  Dim columns;
  int64_t groups, groupInputs, groupOutputs; // channels of a group
  sym::Expr images;
  mlir::Value input, filter, zeros;

private:
  Taps tapsAt(const Dim &dim, mlir::Value output);
  Taps transposedTapsAt(const Dim &dim, mlir::Value output);
  mlir::Value firstTransposedTap(const Dim &dim, mlir::Value output,
                                 mlir::Value none);
  mlir::Value inputAt(const Dim &dim, mlir::Value output, mlir::Value tap);
  mlir::Value pixelCount(const Row &row);
  std::optional<int64_t> knownPixelCount();
  TileEmitter::Sums overTapsFrom(llvm::ArrayRef<Taps> dims,
                                 llvm::SmallVector<mlir::Value> &taps,
                                 mlir::ValueRange sums, TapBody body);
};

void buildDirectConvolution(mlir::OpBuilder &builder, kernel::FuncOp kernel,
                            prim::ConvolutionOp op, int64_t vectorBits);
void buildDepthwiseConvolution(mlir::OpBuilder &builder, kernel::FuncOp kernel,
                               prim::ConvolutionOp op, int64_t vectorBits);

} // namespace adze

#endif // ADZE_PASSES_LOWER_CONVOLUTIONKERNEL_H
