//===- Activation.cpp - Activation functions, softmax ---------------------===//

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;

static LogicalResult decomposeRelu(CallContext &c) {
  Value self = c.tensor("self");
  return c.setResult(0, c.b.max(self, c.b.fullLike(self, 0)));
}

/// softmax.int, whose dtype converts before the computation.
static LogicalResult decomposeSoftmax(CallContext &c) {
  Value self = c.b.convert(c.tensor("self"), c.resultElement(0));
  if (c.b.rankOf(self) == 0)
    return c.setResult(0, c.b.fullLike(self, 1));
  int64_t dim = c.dim("dim", c.b.rankOf(self));
  return c.setResult(0, prim::SoftmaxOp::create(c.b.getBuilder(), c.getLoc(), self, dim));
}

void normalize::registerActivationDecompositions(DecompositionTable &table) {
  table.add("aten.relu.default", decomposeRelu);
  table.add("aten.softmax.int", decomposeSoftmax);
}
