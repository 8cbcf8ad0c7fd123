//===- Arithmetic.cpp - add, sub, mul, ... --------------------------------===//

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;

static LogicalResult decomposeAdd(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  Scalar alpha = c.scalar("alpha");
  return c.setResult(0, c.elementwise({self, other}, [&](ArrayRef<Value> x) {
    Value scaled = alpha.is(1) ? x[1] : c.b.mul(x[1], c.constant(alpha, c.b.elementOf(x[1])));
    return c.b.add(x[0], scaled);
  }));
}

void normalize::registerArithmeticDecompositions(DecompositionTable &table) {
  table.add("aten.add.Tensor", decomposeAdd);
  table.add("aten.add.Scalar", decomposeAdd);
}
