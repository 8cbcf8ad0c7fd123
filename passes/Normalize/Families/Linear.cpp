//===- Linear.cpp - linear, matmul, ... -----------------------------------===//

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;

/// input[..., K] x weight[N, K]^T: leading dims are flattened into rows.
static LogicalResult decomposeLinear(CallContext &c) {
  Value input = c.tensor("input"), weight = c.tensor("weight");
  if (c.b.rankOf(input) == 0 || c.b.rankOf(weight) != 2)
    return c.emitUnsupported("a weight that is no matrix");
  sym::Shape shape = c.b.shapeOf(input);
  sym::Expr rows = sym::product(c.getContext(), ArrayRef(shape).drop_back());
  Value product = c.b.matmul(c.b.reshape(input, {rows, shape.back()}), weight,
                             /*transposeLhs=*/false, /*transposeRhs=*/true);
  shape.back() = c.b.shapeOf(weight)[0];
  Value result = c.b.reshape(product, shape);
  if (auto bias = c.optTensor("bias"))
    result = c.b.add(result, *bias);
  return c.setResult(0, result);
}

void normalize::registerLinearDecompositions(DecompositionTable &table) {
  table.add("aten.linear.default", decomposeLinear);
}
