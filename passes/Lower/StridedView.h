//===- StridedView.h - Values that lie in a buffer in another order -*- C++
//-*-===//

#ifndef ADZE_PASSES_LOWER_STRIDEDVIEW_H
#define ADZE_PASSES_LOWER_STRIDEDVIEW_H

#include "passes/Lower/KernelFrame.h"

namespace adze {

/// Where the elements of a value lie in the buffer of an operand. Distances
/// are in elements.
struct StridedView {
  mlir::Value address; // of the buffer
  mlir::Value offset;  // of the first element
  llvm::SmallVector<mlir::Value> strides;
};

/// The view that ops with isStridedView (passes/Fuse/OpClass.h) make of an
/// operand of the kernel.
StridedView stridedView(KernelFrame &frame, IndexBuilder &b, mlir::Value value);

} // namespace adze

#endif // ADZE_PASSES_LOWER_STRIDEDVIEW_H
