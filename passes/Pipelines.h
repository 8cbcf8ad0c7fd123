//===- Pipelines.h - All stages of the compiler -----------------*- C++ -*-===//
//
// The one place that knows the passes of all stages.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_PIPELINES_H
#define ADZE_PASSES_PIPELINES_H

#include "mlir/IR/DialectRegistry.h"

namespace adze {

/// The dialects that some stage reads or makes.
void registerAllStageDialects(mlir::DialectRegistry &registry);

/// Every pass under its own name, and every stage as a pipeline named
/// `adze-stage-NAME`, for adze-opt.
void registerAdzePasses();

} // namespace adze

#endif // ADZE_PASSES_PIPELINES_H
