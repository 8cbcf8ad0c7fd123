//===- Reduce.h - Accumulators of reductions --------------------*- C++ -*-===//

#ifndef ADZE_PASSES_LOWER_REDUCE_H
#define ADZE_PASSES_LOWER_REDUCE_H

#include "passes/Lower/ElementEmitter.h"

namespace adze {

/// How a reduction starts, goes on, and joins its lanes.
class Accumulator {
public:
  Accumulator(ElementEmitter &emitter, prim::Reduction kind, mlir::Type element)
      : emitter(emitter), kind(kind), element(element) {}

  /// The neutral element as a scalar. Floats narrower than f32 are summed in
  /// f32; only `finish` rounds.
  Element init();
  Element combine(Element sum, Element next);
  /// One scalar of a vector of partial results.
  Element joinLanes(Element partial);
  Element finish(Element sum);

private:
  mlir::Value combineReal(mlir::Value a, mlir::Value b);
  mlir::Value joinReal(mlir::Value vector);
  mlir::Value initReal(mlir::Type registerType);

  ElementEmitter &emitter;
  prim::Reduction kind;
  mlir::Type element;
};

} // namespace adze

#endif // ADZE_PASSES_LOWER_REDUCE_H
