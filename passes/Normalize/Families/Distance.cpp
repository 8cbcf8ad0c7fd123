//===- Distance.cpp - cdist, pdist, cross, vecdot -------------------------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

/// The p-norm along the last dim, which may be empty.
static Value lastNorm(CallContext &c, Value difference, double p) {
  Value norm = vectorNorm(c.b, difference, p, {c.b.rankOf(difference) - 1},
                          /*keepDims=*/false);
  return std::isinf(p) ? c.b.max(norm, c.b.fullLike(norm, 0)) : norm;
}

/// Distances of all rows of x1 to all rows of x2.
static LogicalResult decomposeCdist(CallContext &c) {
  Value x1 = c.tensor("x1"), x2 = c.tensor("x2");
  double p = c.number("p");
  if (c.b.rankOf(x1) < 2 || c.b.rankOf(x2) < 2 || p < 0)
    return c.emitInvalid("expected matrices and a norm that is not negative");
  if (!isFloat(c.b.elementOf(x1)) || c.b.elementOf(x1) != c.b.elementOf(x2))
    return c.emitUnsupported("operands that are not floats of one type");
  Value rows = c.b.unsqueeze(x1, c.b.rankOf(x1) - 1);
  Value columns = c.b.unsqueeze(x2, c.b.rankOf(x2) - 2);
  return c.setResult(0, c.elementwise({rows, columns}, [&](ArrayRef<Value> x) {
    return lastNorm(c, c.b.sub(x[0], x[1]), p);
  }));
}

/// Distances of row i to row j for all i < j.
static LogicalResult decomposePdist(CallContext &c) {
  Value self = c.tensor("self");
  double p = c.number("p");
  if (c.b.rankOf(self) != 2 || p < 0)
    return c.emitInvalid("expected a matrix and a norm that is not negative");
  auto rows = sym::asConstant(c.b.shapeOf(self)[0]);
  if (!rows || *rows > 1024)
    return c.emitUnsupported(
        "a number of rows that is not constant or more than 1024");
  SmallVector<int64_t> first, second;
  for (int64_t i = 0; i < *rows; ++i)
    for (int64_t j = i + 1; j < *rows; ++j) {
      first.push_back(i);
      second.push_back(j);
    }
  if (first.empty())
    return c.setResult(0, c.b.full(c.resultShape(0), 0, c.b.elementOf(self)));
  auto constant = [&](ArrayRef<int64_t> values) -> Value {
    auto type = RankedTensorType::get({int64_t(values.size())}, indexType(c.b));
    return prim::ConstantOp::create(c.b.getBuilder(), c.getLoc(), type,
                                    DenseElementsAttr::get(type, values));
  };
  Value left = c.b.indexSelect(self, 0, constant(first));
  Value right = c.b.indexSelect(self, 0, constant(second));
  return c.setResult(0, c.elementwise({left, right}, [&](ArrayRef<Value> x) {
    return lastNorm(c, c.b.sub(x[0], x[1]), p);
  }));
}

/// a x b along one dim of size 3.
static LogicalResult crossProduct(CallContext &c, Value self, Value other,
                                  int64_t dim) {
  auto part = [&](Value value, int64_t i) {
    return c.b.slice(value, dim, c.b.expr(i), c.b.expr(1));
  };
  return c.setResult(0, c.elementwise({self, other}, [&](ArrayRef<Value> x) {
    Value left = x[0], right = x[1];
    c.b.broadcastTogether(left, right);
    SmallVector<Value> parts;
    for (int64_t i = 0; i < 3; ++i) {
      int64_t j = (i + 1) % 3, k = (i + 2) % 3;
      parts.push_back(c.b.sub(c.b.mul(part(left, j), part(right, k)),
                              c.b.mul(part(left, k), part(right, j))));
    }
    return c.b.concat(parts, dim);
  }));
}

static LogicalResult checkCross(CallContext &c, Value self, Value other,
                                int64_t dim) {
  if (c.b.rankOf(self) == 0 || c.b.rankOf(self) != c.b.rankOf(other))
    return c.emitInvalid("expected operands of one rank of at least 1");
  for (Value value : {self, other})
    if (!sym::isConstant(c.b.shapeOf(value)[dim], 3))
      return c.emitInvalid("expected a dim of size 3");
  return success();
}

/// Without a dim it is the first one of size 3.
static LogicalResult decomposeCross(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  int64_t rank = c.b.rankOf(self), dim = 0;
  if (c.has("dim"))
    dim = c.dim("dim", rank);
  else
    while (dim + 1 < rank && !sym::isConstant(c.b.shapeOf(self)[dim], 3))
      ++dim;
  if (failed(checkCross(c, self, other, dim)))
    return failure();
  return crossProduct(c, self, other, dim);
}

static LogicalResult decomposeLinalgCross(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  int64_t dim = c.dim("dim", c.b.rankOf(self));
  if (failed(checkCross(c, self, other, dim)))
    return failure();
  return crossProduct(c, self, other, dim);
}

static LogicalResult decomposeVecdot(CallContext &c) {
  Value x = c.tensor("x"), y = c.tensor("y");
  int64_t rank = std::max(c.b.rankOf(x), c.b.rankOf(y));
  if (rank == 0)
    return c.emitInvalid("expected tensors of rank 1 or more");
  int64_t dim = c.dim("dim", rank);
  return c.setResult(0, c.elementwise({x, y}, [&](ArrayRef<Value> v) {
    return c.b.sum(c.b.mul(conjugate(c.b, v[0]), v[1]), {dim});
  }));
}

void normalize::registerDistanceDecompositions(DecompositionTable &table) {
  table.add("aten.cdist.default", decomposeCdist);
  table.add("aten._cdist_forward.default", decomposeCdist);
  table.add("aten.pdist.default", decomposePdist);
  table.add("aten._pdist_forward.default", decomposePdist);
  table.add("aten.cross.default", decomposeCross);
  table.add("aten.linalg_cross.default", decomposeLinalgCross);
  table.add("aten.linalg_vecdot.default", decomposeVecdot);
}
