//===- FilterLayout.h - Filters as kernels read them ------------*- C++ -*-===//

#ifndef ADZE_PASSES_OPTIMIZE_FILTERLAYOUT_H
#define ADZE_PASSES_OPTIMIZE_FILTERLAYOUT_H

#include "dialects/Prim/PrimBuilder.h"

namespace adze {

/// The filter of a channels-first convolution as a channels-last one reads it:
/// [spatial..., C/groups, O].
mlir::Value layFilterOut(prim::PrimBuilder &b, prim::ConvolutionOp op);

/// The value that `layFilterOut` made the filter of this channels-last
/// convolution of; null if something else made it.
mlir::Value storedFilter(prim::ConvolutionOp op);

} // namespace adze

#endif // ADZE_PASSES_OPTIMIZE_FILTERLAYOUT_H
