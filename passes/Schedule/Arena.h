//===- Arena.h - Offsets for buffers that share one arena -------*- C++ -*-===//

#ifndef ADZE_PASSES_SCHEDULE_ARENA_H
#define ADZE_PASSES_SCHEDULE_ARENA_H

#include "dialects/Sym/Sym.h"
#include "passes/Schedule/Lifetimes.h"

namespace adze {

/// Alignment of every buffer, in bytes.
inline constexpr int64_t bufferAlignment = 64;

struct PlannedBuffer {
  sym::Expr bytes;
  Lifetime life;
  sym::Expr offset = {}; // set by planArena
  size_t position = 0;   // breaks ties; set by planArena
};

/// Sets the offsets and returns the size of the arena. Buffers of constant
/// size come first, largest first, each in the smallest gap that is free
/// during its life (best fit). Behind them, buffers of equal symbolic size
/// share a slot if their lives do not overlap.
sym::Expr planArena(mlir::MLIRContext *context,
                    llvm::MutableArrayRef<PlannedBuffer> buffers);

} // namespace adze

#endif // ADZE_PASSES_SCHEDULE_ARENA_H
