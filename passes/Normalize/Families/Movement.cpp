//===- Movement.cpp - Views and movements ---------------------------------===//

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;

/// The recorded sizes are those of the argument with -1 resolved.
static LogicalResult decomposeToRecordedShape(CallContext &c) {
  return c.setResult(0, c.b.reshape(c.tensor("self"), c.resultShape(0)));
}

void normalize::registerMovementDecompositions(DecompositionTable &table) {
  table.addView("aten.view.default", decomposeToRecordedShape);
}
