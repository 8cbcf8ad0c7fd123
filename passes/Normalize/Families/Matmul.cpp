//===- Matmul.cpp - Products of matrices and vectors ----------------------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Shared
//===----------------------------------------------------------------------===//

/// Fails, with a report, unless the tensor has this rank.
static LogicalResult expectRank(CallContext &c, Value value, int64_t rank,
                                StringRef name) {
  if (c.b.rankOf(value) == rank)
    return success();
  return c.emitInvalid("argument '" + name + "': expected rank " + Twine(rank) +
                       ", but found " + Twine(c.b.rankOf(value)));
}

/// Products of tensors of rank 2 or more; the batches broadcast.
static Value multiply(PrimBuilder &b, Value lhs, Value rhs) {
  if (b.rankOf(rhs) > 2)
    broadcastBatches(b, lhs, rhs, 2);
  return b.matmul(lhs, rhs);
}

/// matmul of any ranks but 0: a vector is a row at the left, a column at the
/// right.
static Value multiplyAny(PrimBuilder &b, Value lhs, Value rhs) {
  bool row = b.rankOf(lhs) == 1, column = b.rankOf(rhs) == 1;
  if (row)
    lhs = b.unsqueeze(lhs, 0);
  if (column)
    rhs = b.unsqueeze(rhs, 1);
  Value result = multiply(b, lhs, rhs);
  if (row)
    result = b.squeeze(result, b.rankOf(result) - 2);
  if (column)
    result = b.squeeze(result, b.rankOf(result) - 1);
  return result;
}

static LogicalResult checkProduct(CallContext &c, Value lhs, Value rhs) {
  if (c.b.rankOf(lhs) == 0 || c.b.rankOf(rhs) == 0)
    return c.emitInvalid("expected tensors of rank 1 or more");
  if (c.b.elementOf(lhs) != c.b.elementOf(rhs))
    return c.emitInvalid("expected operands of one element type");
  Shape left = c.b.shapeOf(lhs), right = c.b.shapeOf(rhs);
  auto inner = sym::asConstant(left.back());
  auto other =
      sym::asConstant(right.size() == 1 ? right[0] : right[right.size() - 2]);
  if (inner && other && *inner != *other)
    return c.emitInvalid("expected inner sizes that are equal, but found " +
                         Twine(*inner) + " and " + Twine(*other));
  return success();
}

static LogicalResult setProduct(CallContext &c, Value lhs, Value rhs) {
  if (failed(checkProduct(c, lhs, rhs)))
    return failure();
  return c.setResult(0, multiplyAny(c.b, lhs, rhs));
}

/// beta * addend + alpha * product; the addend is not looked at for beta = 0.
static LogicalResult setScaledSum(CallContext &c, Value addend, Value product) {
  Scalar alpha = c.scalar("alpha"), beta = c.scalar("beta");
  Type element = c.b.elementOf(product);
  auto scaled = [&](Value value, const Scalar &factor) {
    return factor.is(1)
               ? value
               : c.b.mul(value, c.constant(factor, c.b.elementOf(value)));
  };
  return c.setResult(
      0, c.compute(element, {product, addend}, [&](ArrayRef<Value> x) {
        Value result = scaled(x[0], alpha);
        return beta.is(0) ? result : c.b.add(result, scaled(x[1], beta));
      }));
}

//===----------------------------------------------------------------------===//
// linear, matmul
//===----------------------------------------------------------------------===//

/// input[..., K] x weight[N, K]^T + bias[N]
static LogicalResult decomposeLinear(CallContext &c) {
  Value input = c.tensor("input"), weight = c.tensor("weight");
  if (c.b.rankOf(input) == 0 || c.b.rankOf(weight) == 0 ||
      c.b.rankOf(weight) > 2)
    return c.emitUnsupported("a weight that is no matrix");
  bool isVector = c.b.rankOf(input) == 1, single = c.b.rankOf(weight) == 1;
  if (isVector)
    input = c.b.unsqueeze(input, 0);
  if (single)
    weight = c.b.unsqueeze(weight, 0);
  Value result =
      c.b.matmul(input, weight, /*transposeLhs=*/false, /*transposeRhs=*/true);
  if (single)
    result = c.b.squeeze(result, c.b.rankOf(result) - 1);
  if (isVector)
    result = c.b.squeeze(result, 0);
  if (auto bias = c.optTensor("bias"))
    result = c.compute(c.b.elementOf(result), {result, *bias},
                       [&](ArrayRef<Value> x) { return c.b.add(x[0], x[1]); });
  return c.setResult(0, result);
}

static LogicalResult decomposeMatmul(CallContext &c) {
  return setProduct(c, c.tensor("self"), c.tensor("other"));
}

static LogicalResult decomposeMm(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("mat2");
  if (failed(expectRank(c, self, 2, "self")) ||
      failed(expectRank(c, other, 2, "mat2")))
    return failure();
  return setProduct(c, self, other);
}

static LogicalResult decomposeBmm(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("mat2");
  if (failed(expectRank(c, self, 3, "self")) ||
      failed(expectRank(c, other, 3, "mat2")))
    return failure();
  return setProduct(c, self, other);
}

/// The operands are converted first, so that nothing is rounded on the way.
static LogicalResult decomposeProductAs(CallContext &c) {
  Type element = c.resultElement(0);
  return setProduct(c, c.b.convert(c.tensor("self"), element),
                    c.b.convert(c.tensor("mat2"), element));
}

static LogicalResult decomposeMv(CallContext &c) {
  Value self = c.tensor("self"), vector = c.tensor("vec");
  if (failed(expectRank(c, self, 2, "self")) ||
      failed(expectRank(c, vector, 1, "vec")))
    return failure();
  return setProduct(c, self, vector);
}

static LogicalResult decomposeDot(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("tensor");
  if (failed(expectRank(c, self, 1, "self")) ||
      failed(expectRank(c, other, 1, "tensor")))
    return failure();
  return setProduct(c, self, other);
}

static LogicalResult decomposeVdot(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  if (failed(expectRank(c, self, 1, "self")) ||
      failed(expectRank(c, other, 1, "other")))
    return failure();
  return setProduct(c, conjugate(c.b, self), other);
}

//===----------------------------------------------------------------------===//
// Products with an addend
//===----------------------------------------------------------------------===//

static LogicalResult decomposeAddmm(CallContext &c) {
  Value lhs = c.tensor("mat1"), rhs = c.tensor("mat2");
  if (failed(expectRank(c, lhs, 2, "mat1")) ||
      failed(expectRank(c, rhs, 2, "mat2")) ||
      failed(checkProduct(c, lhs, rhs)))
    return failure();
  return setScaledSum(c, c.tensor("self"), multiply(c.b, lhs, rhs));
}

static LogicalResult decomposeBaddbmm(CallContext &c) {
  Value lhs = c.tensor("batch1"), rhs = c.tensor("batch2");
  if (failed(expectRank(c, lhs, 3, "batch1")) ||
      failed(expectRank(c, rhs, 3, "batch2")) ||
      failed(checkProduct(c, lhs, rhs)))
    return failure();
  return setScaledSum(c, c.tensor("self"), multiply(c.b, lhs, rhs));
}

/// The sum over batches is one product with a longer inner dim.
static LogicalResult decomposeAddbmm(CallContext &c) {
  Value lhs = c.tensor("batch1"), rhs = c.tensor("batch2");
  if (failed(expectRank(c, lhs, 3, "batch1")) ||
      failed(expectRank(c, rhs, 3, "batch2")) ||
      failed(checkProduct(c, lhs, rhs)))
    return failure();
  lhs = joinDims(c.b, moveDim(c.b, lhs, 0, 1), 1, 2);
  rhs = joinDims(c.b, rhs, 0, 2);
  return setScaledSum(c, c.tensor("self"), multiply(c.b, lhs, rhs));
}

static LogicalResult decomposeAddmv(CallContext &c) {
  Value lhs = c.tensor("mat"), rhs = c.tensor("vec");
  if (failed(expectRank(c, lhs, 2, "mat")) ||
      failed(expectRank(c, rhs, 1, "vec")) || failed(checkProduct(c, lhs, rhs)))
    return failure();
  return setScaledSum(c, c.tensor("self"), multiplyAny(c.b, lhs, rhs));
}

static Value outerProduct(CallContext &c, Value column, Value row) {
  Type type = c.promote({column, row});
  return c.compute(type, {c.b.unsqueeze(column, 1), c.b.unsqueeze(row, 0)},
                   [&](ArrayRef<Value> x) { return c.b.mul(x[0], x[1]); });
}

static LogicalResult decomposeOuter(CallContext &c) {
  Value self = c.tensor("self"), row = c.tensor("vec2");
  if (failed(expectRank(c, self, 1, "self")) ||
      failed(expectRank(c, row, 1, "vec2")))
    return failure();
  return c.setResult(0, outerProduct(c, self, row));
}

static LogicalResult decomposeAddr(CallContext &c) {
  Value column = c.tensor("vec1"), row = c.tensor("vec2"),
        self = c.tensor("self");
  if (failed(expectRank(c, column, 1, "vec1")) ||
      failed(expectRank(c, row, 1, "vec2")))
    return failure();
  Type element = c.resultElement(0);
  Value product =
      outerProduct(c, c.b.convert(column, element), c.b.convert(row, element));
  return setScaledSum(c, self, product);
}

//===----------------------------------------------------------------------===//
// Products of several matrices
//===----------------------------------------------------------------------===//

/// From left to right; the first and the last may be vectors.
static LogicalResult decomposeChain(CallContext &c, StringRef name) {
  SmallVector<Value> factors = c.tensors(name);
  if (factors.empty())
    return c.emitInvalid("expected at least one matrix");
  Value result = factors[0];
  for (Value factor : ArrayRef(factors).drop_front()) {
    if (failed(checkProduct(c, result, factor)))
      return failure();
    result = multiplyAny(c.b, result, factor);
  }
  return c.setResult(0, result);
}

static LogicalResult decomposeMultiDot(CallContext &c) {
  return decomposeChain(c, "tensors");
}
static LogicalResult decomposeChainMatmul(CallContext &c) {
  return decomposeChain(c, "matrices");
}

/// Every element of self times all of other.
static LogicalResult decomposeKron(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  int64_t rank = std::max(c.b.rankOf(self), c.b.rankOf(other));
  Shape left = c.b.shapeOf(self), right = c.b.shapeOf(other), outer, inner,
        joined;
  left.insert(left.begin(), rank - left.size(), c.b.expr(1));
  right.insert(right.begin(), rank - right.size(), c.b.expr(1));
  for (auto [a, b] : llvm::zip(left, right)) {
    outer.append({a, c.b.expr(1)});
    inner.append({c.b.expr(1), b});
    joined.push_back(sym::mul(a, b));
  }
  Value product = c.elementwise({self, other}, [&](ArrayRef<Value> x) {
    return c.b.mul(c.b.reshape(x[0], outer), c.b.reshape(x[1], inner));
  });
  return c.setResult(0, c.b.reshape(product, joined));
}

void normalize::registerMatmulDecompositions(DecompositionTable &table) {
  table.add("aten.linear.default", decomposeLinear);
  table.add("aten.matmul.default", decomposeMatmul);
  table.add("aten.linalg_matmul.default", decomposeMatmul);
  table.add("aten.mm.default", decomposeMm);
  table.add("aten._int_mm.default", decomposeProductAs);
  table.add("aten.mm.dtype", decomposeProductAs);
  table.add("aten.bmm.default", decomposeBmm);
  table.add("aten.bmm.dtype", decomposeProductAs);
  table.add("aten.mv.default", decomposeMv);
  table.add("aten.dot.default", decomposeDot);
  table.add("aten.vdot.default", decomposeVdot);
  table.add("aten.addmm.default", decomposeAddmm);
  table.add("aten.baddbmm.default", decomposeBaddbmm);
  table.add("aten.addbmm.default", decomposeAddbmm);
  table.add("aten.addmv.default", decomposeAddmv);
  table.add("aten.outer.default", decomposeOuter);
  table.add("aten.ger.default", decomposeOuter);
  table.add("aten.addr.default", decomposeAddr);
  table.add("aten.linalg_multi_dot.default", decomposeMultiDot);
  table.add("aten.chain_matmul.default", decomposeChainMatmul);
  table.add("aten.kron.default", decomposeKron);
}
