//===- OutlineKernels.h - What a launch knows of its group ------*- C++ -*-===//

#ifndef ADZE_PASSES_SCHEDULE_OUTLINEKERNELS_H
#define ADZE_PASSES_SCHEDULE_OUTLINEKERNELS_H

#include "mlir/IR/Operation.h"

namespace adze {

/// Attribute of a launch: the locations of all ops of its group, in order.
/// Launches of one kernel come from different lines of the program.
inline constexpr llvm::StringLiteral locationsName = "kernel.locations";

} // namespace adze

#endif // ADZE_PASSES_SCHEDULE_OUTLINEKERNELS_H
