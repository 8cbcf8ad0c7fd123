//===- Storage.h - Bytes of tensors, and values that share them -*- C++ -*-===//

#ifndef ADZE_PASSES_SCHEDULE_STORAGE_H
#define ADZE_PASSES_SCHEDULE_STORAGE_H

#include "dialects/Prim/Prim.h"

namespace adze {

/// Bytes of one element in memory; bool takes one.
int64_t elementBytes(mlir::Type element);

/// Bytes of a row-major tensor.
sym::Expr tensorBytes(mlir::RankedTensorType type);

/// The value whose memory a view (reshape, check_shape) shows; itself if it
/// is no view.
mlir::Value storageOf(mlir::Value value);

/// True if the op only gives a tensor other sizes: no memory, no code.
bool isView(mlir::Operation *op);

} // namespace adze

#endif // ADZE_PASSES_SCHEDULE_STORAGE_H
