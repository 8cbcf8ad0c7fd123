//===- OpClass.h - How an op takes part in fusion ---------------*- C++ -*-===//

#ifndef ADZE_PASSES_FUSE_OPCLASS_H
#define ADZE_PASSES_FUSE_OPCLASS_H

#include "dialects/Kernel/Kernel.h"
#include "dialects/Prim/Prim.h"

namespace adze {

enum class OpClass {
  Outside,     // control flow, checks, views: never in a group
  Creator,     // costs nothing to make again: copied into each group
  Elementwise, // result element i needs operand elements i only
  Movement,    // result element i needs one operand element elsewhere
  Reduction,   // result element i needs many operand elements
  Anchor       // has its own kernel builder
};

OpClass classOf(mlir::Operation *op);

/// The kernel builder of an anchor.
kernel::Kind kindOfAnchor(mlir::Operation *op);

/// True if an anchor's builder can apply elementwise ops to its result while
/// that is in registers.
bool takesEpilogue(mlir::Operation *op);

/// True for what the builder of attention computes; the rest is expanded. Sizes
/// that are only checked at run time, or that make the scratch of a kernel too
/// large, are of the rest.
bool suitsAttentionKernel(prim::AttentionOp op);

/// True if the op only says how its operand is strided, with the elements of
/// the last dim side by side: kernels of attention read through it.
bool isStridedView(mlir::Operation *op);

/// For a reduction over the last dim: its outer sizes, which form the rows.
std::optional<sym::Shape> rowsOf(mlir::Operation *op);

/// True if the reshape only inserts or removes dims of size 1.
bool isUnitReshape(prim::ReshapeOp op);

} // namespace adze

#endif // ADZE_PASSES_FUSE_OPCLASS_H
