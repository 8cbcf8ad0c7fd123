//===- Helpers.cpp - Pieces that several families are made of -------------===//

#include "passes/Normalize/Families/Helpers.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;

namespace adze::normalize {

using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Type indexType(PrimBuilder &b) { return b.getBuilder().getI64Type(); }

Value arange(PrimBuilder &b, Expr size) {
  return b.iota({size}, 0, indexType(b));
}

Value sizeValue(PrimBuilder &b, Expr size) { return b.symbolValue(size); }

Value divideIndex(PrimBuilder &b, Value index, Expr divisor) {
  return b.binary<prim::IDivOp>(index, sizeValue(b, divisor));
}

Value remainderIndex(PrimBuilder &b, Value index, Expr divisor) {
  return b.binary<prim::RemOp>(index, sizeValue(b, divisor));
}

Value clampIndex(PrimBuilder &b, Value index, Expr size) {
  Value low = b.max(index, b.scalarInt(0, indexType(b)));
  return b.min(low, sizeValue(b, sym::sub(size, b.expr(1))));
}

Value asIndex(PrimBuilder &b, Value value) {
  return b.convert(value, indexType(b));
}

Value fromEnd(PrimBuilder &b, Value index, Expr size) {
  Value counted = b.add(index, sizeValue(b, size));
  Value isMeant = b.logicalAnd(b.compare(prim::Comparison::lt, index, 0.0),
                               b.compare(prim::Comparison::ge, counted, 0.0));
  return b.where(isMeant, counted, index);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value alignTo(PrimBuilder &b, Value value, int64_t dim, int64_t rank) {
  Shape own = b.shapeOf(value), shape(rank, b.expr(1));
  for (auto [i, size] : llvm::enumerate(own))
    shape[dim + i] = size;
  return b.reshape(value, shape);
}

Value splitDim(PrimBuilder &b, Value value, int64_t dim, ArrayRef<Expr> parts) {
  Shape shape = b.shapeOf(value);
  shape.erase(shape.begin() + dim);
  shape.insert(shape.begin() + dim, parts.begin(), parts.end());
  return b.reshape(value, shape);
}

Value joinDims(PrimBuilder &b, Value value, int64_t dim, int64_t count) {
  Shape shape = b.shapeOf(value);
  Expr size = sym::product(b.getContext(), ArrayRef(shape).slice(dim, count));
  shape.erase(shape.begin() + dim, shape.begin() + dim + count);
  shape.insert(shape.begin() + dim, size);
  return b.reshape(value, shape);
}

Value moveDim(PrimBuilder &b, Value value, int64_t from, int64_t to) {
  if (from == to)
    return value;
  SmallVector<int64_t> permutation = dimRange(0, b.rankOf(value));
  permutation.erase(permutation.begin() + from);
  permutation.insert(permutation.begin() + to, from);
  return b.transpose(value, permutation);
}

Value takeDiagonal(PrimBuilder &b, Value value, int64_t dim1, int64_t dim2) {
  Value steps = arange(b, b.shapeOf(value)[dim1]);
  return index(b, value, {steps, steps}, {dim1, dim2}, b.rankOf(value) - 2);
}

Value identity(PrimBuilder &b, Expr size, Type element) {
  Shape shape = {size, size};
  Value equal = b.compare(prim::Comparison::eq, b.iota(shape, 0, indexType(b)),
                          b.iota(shape, 1, indexType(b)));
  return b.convert(equal, element);
}

void broadcastBatches(PrimBuilder &b, Value &lhs, Value &rhs, int64_t keep) {
  Shape left = b.shapeOf(lhs), right = b.shapeOf(rhs);
  Shape batch = b.broadcastShape(ArrayRef(left).drop_back(keep),
                                 ArrayRef(right).drop_back(keep));
  auto extend = [&](Value value, const Shape &own) {
    Shape shape = batch;
    llvm::append_range(shape, ArrayRef(own).take_back(keep));
    return b.broadcast(value, shape);
  };
  lhs = extend(lhs, left);
  rhs = extend(rhs, right);
}

SmallVector<int64_t> dimRange(int64_t first, int64_t count) {
  return llvm::to_vector(llvm::seq<int64_t>(first, first + count));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value conjugate(PrimBuilder &b, Value value) {
  if (!isComplex(b.elementOf(value)))
    return value;
  Value re = prim::RealOp::create(b.getBuilder(), b.getLoc(), value);
  Value im = prim::ImagOp::create(b.getBuilder(), b.getLoc(), value);
  return prim::ComplexOp::create(b.getBuilder(), b.getLoc(), re, b.neg(im));
}

Value clampFloat(PrimBuilder &b, Value value, double low, Value high) {
  return b.min(b.max(value, b.scalar(low, b.elementOf(value))), high);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value scatter(PrimBuilder &b, prim::ScatterKind kind, Value operand,
              Value index, Value values, int64_t dim) {
  return prim::ScatterOp::create(b.getBuilder(), b.getLoc(), operand.getType(),
                                 kind, operand, index, values, dim);
}

Value index(PrimBuilder &b, Value operand, ValueRange indices,
            ArrayRef<int64_t> dims, int64_t position) {
  return prim::IndexOp::create(b.getBuilder(), b.getLoc(), operand, indices,
                               dims, position);
}

Value indexPut(PrimBuilder &b, prim::ScatterKind kind, Value operand,
               Value values, ValueRange indices, ArrayRef<int64_t> dims,
               int64_t position) {
  return prim::IndexPutOp::create(b.getBuilder(), b.getLoc(), operand.getType(),
                                  kind, operand, values, indices, dims,
                                  position);
}

Value cumulative(PrimBuilder &b, prim::ScanKind kind, Value operand,
                 int64_t dim) {
  return prim::CumulativeOp::create(b.getBuilder(), b.getLoc(),
                                    operand.getType(), kind, operand, dim);
}

Value searchSorted(PrimBuilder &b, Value sequence, Value values, bool right) {
  return prim::SearchsortedOp::create(b.getBuilder(), b.getLoc(), sequence,
                                      values, right);
}

void assertAll(PrimBuilder &b, Value condition, StringRef message) {
  Value all = b.reduce(prim::Reduction::all, condition,
                       dimRange(0, b.rankOf(condition)));
  prim::AssertOp::create(b.getBuilder(), b.getLoc(), all, message);
}

FailureOr<SmallVector<int64_t>> perDim(CallContext &c, StringRef name,
                                       size_t count) {
  SmallVector<int64_t> list = c.integers(name, count);
  if (list.size() == 1)
    list.assign(count, list[0]);
  if (list.size() == count)
    return list;
  (void)c.emitInvalid("argument '" + name + "': expected 1 or " + Twine(count) +
                      " numbers, but found " + Twine(list.size()));
  return failure();
}

} // namespace adze::normalize
