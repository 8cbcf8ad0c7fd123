//===- KernelBuilders.h - From kernel.func to loops -------------*- C++ -*-===//
//
// Each builder appends one llvm.func, with scf, arith, math, vector and llvm
// ops in it, to the module that the builder inserts in.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_LOWER_KERNELBUILDERS_H
#define ADZE_PASSES_LOWER_KERNELBUILDERS_H

#include "dialects/Kernel/Kernel.h"

#include "mlir/IR/Builders.h"

namespace adze {

/// Rows of elements; takes every kernel whose ops have elements to emit.
void buildLoopKernel(mlir::OpBuilder &builder, kernel::FuncOp kernel);
/// Cumulative operations: sequential along one dim, parallel over the others.
void buildScanKernel(mlir::OpBuilder &builder, kernel::FuncOp kernel);
/// scatter and index_put: a copy, then one write after the other.
void buildScatterKernel(mlir::OpBuilder &builder, kernel::FuncOp kernel);
/// A matrix product and what follows it, in tiles. False, with nothing done,
/// for one that has no tiles: integers, or a transposed rhs that is not packed.
bool buildGemmKernel(mlir::OpBuilder &builder, kernel::FuncOp kernel,
                     int64_t vectorBits);
/// A convolution and what follows it, in tiles. False, with nothing done, for
/// one that is not laid out for them (see suitsConvolutionKernel).
bool buildConvolutionKernel(mlir::OpBuilder &builder, kernel::FuncOp kernel,
                            int64_t vectorBits);
/// Attention and what follows it. False, with nothing done, for one that has
/// no kernel (see suitsAttentionKernel): optimize expands these.
bool buildAttentionKernel(mlir::OpBuilder &builder, kernel::FuncOp kernel,
                          int64_t vectorBits);

} // namespace adze

#endif // ADZE_PASSES_LOWER_KERNELBUILDERS_H
