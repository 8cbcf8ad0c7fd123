//===- ConvolutionKernel.h - Positions in images of channels ----*- C++ -*-===//
//
// What the kernels of convolutions have in common: sizes, the part of the
// filter that meets the image, and addresses of pixels. Images are
// channels_last and have two spatial dims, or one: signals.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_LOWER_CONVOLUTIONKERNEL_H
#define ADZE_PASSES_LOWER_CONVOLUTIONKERNEL_H

#include "passes/Lower/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace adze {

/// True for what the kernels below compute: one or two spatial dims,
/// channels_last, a packed filter, operands in memory.
bool suitsConvolutionKernel(prim::ConvolutionOp op);
bool isDepthwise(prim::ConvolutionOp op);

class ConvolutionFrame {
public:
  ConvolutionFrame(mlir::OpBuilder &builder, kernel::FuncOp kernel,
                   prim::ConvolutionOp op, int64_t vectorBits);

  struct Dim {
    int64_t stride, low, dilation, filter;
    bool isPadded;
    sym::Expr input, output;
  };
  /// A row of output pixels.
  struct Row {
    mlir::Value image, height; // of the output
    mlir::Value filterBegin,
        filterEnd; // rows of the filter that meet the image
  };

  Row rowAt(mlir::Value image, mlir::Value height);
  /// Address of the pixels that filter row `kh` meets.
  mlir::Value inputRow(const Row &row, mlir::Value kh);
  /// Output columns `width + i`, those beyond the last being the last again.
  llvm::SmallVector<mlir::Value> columnsFrom(mlir::Value width, int64_t count);
  /// Indices of a pixel of the result, without that of the channel.
  Indices indicesOf(const Row &row, mlir::Value column);
  /// Column of the input that output column `width` and filter column 0 meet.
  mlir::Value inputColumn(mlir::Value width);
  /// True (i1) if the filter lies within the image for columns first to last.
  mlir::Value isInside(mlir::Value first, mlir::Value last);
  /// The address of a pixel, or of zeros where there is none.
  mlir::Value pixelOrZeros(mlir::Value rowAddress, mlir::Value column,
                           mlir::Value channel);
  mlir::Value pixel(mlir::Value rowAddress, mlir::Value column,
                    mlir::Value channel);
  mlir::Value advance(mlir::Value address, mlir::Value elements);
  /// Reserves `count` zeros; to be called before any loop.
  void makeZeros(int64_t count);
  /// Sums that depend on a condition.
  TileEmitter::Sums either(mlir::Value condition,
                           llvm::function_ref<TileEmitter::Sums()> ifTrue,
                           llvm::function_ref<TileEmitter::Sums()> ifFalse);
  /// Loops over rows of the filter with sums.
  TileEmitter::Sums overFilterRows(
      const Row &row, mlir::ValueRange sums,
      llvm::function_ref<TileEmitter::Sums(mlir::Value kh, mlir::ValueRange)>
          body);
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
  Dim rows, columns; // vertical, horizontal
  int64_t channels, outputs;
  sym::Expr images;
  mlir::Value input, filter, zeros;
};

void buildDirectConvolution(mlir::OpBuilder &builder, kernel::FuncOp kernel,
                            prim::ConvolutionOp op, int64_t vectorBits);
void buildDepthwiseConvolution(mlir::OpBuilder &builder, kernel::FuncOp kernel,
                               prim::ConvolutionOp op, int64_t vectorBits);

} // namespace adze

#endif // ADZE_PASSES_LOWER_CONVOLUTIONKERNEL_H
