//===- Slicing.cpp - slice, select, split, diagonal, unfold ---------------===//

#include "passes/Normalize/Families/Slicing.h"

#include "passes/Normalize/DecompositionTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// slice, narrow, select
//===----------------------------------------------------------------------===//

/// Reports a tensor of rank 0, which has no dim to take anything from.
static bool hasDims(CallContext &c, Value value) {
  if (c.b.rankOf(value) > 0)
    return true;
  (void)c.emitInvalid("expected a tensor of at least rank 1");
  return false;
}

DimSlice normalize::sliceArguments(CallContext &c, Value self) {
  Shape shape = c.b.shapeOf(self);
  int64_t dim = c.dim("dim", shape.size()),
          step = std::max<int64_t>(c.integer("step"), 1);
  Expr zero = c.b.expr(0), size = shape[dim];
  Expr start = c.wrapBound(c.optSize("start").value_or(zero), size);
  Expr end = c.wrapBound(c.optSize("end").value_or(size), size);
  Expr length =
      sym::ceilDiv(c.maxOf(sym::sub(end, start), zero), c.b.expr(step));
  return {dim, start, length, step};
}

static LogicalResult decomposeSlice(CallContext &c) {
  Value self = c.tensor("self");
  if (!hasDims(c, self))
    return failure();
  return c.setResult(0, takeSlice(c, self, sliceArguments(c, self)));
}

static LogicalResult decomposeNarrow(CallContext &c) {
  Value self = c.tensor("self");
  if (!hasDims(c, self))
    return failure();
  int64_t dim = c.dim("dim", c.b.rankOf(self));
  Expr size = c.b.shapeOf(self)[dim], length = c.size("length");
  Expr start = c.wrapBound(c.size("start"), size);
  if (!c.isKnownLessEqual(sym::add(start, length), size))
    c.require(sym::make(sym::ExprKind::Le, {sym::add(start, length), size}),
              "the range reaches beyond the dim");
  return c.setResult(0, c.b.slice(self, dim, start, length));
}

DimSlice normalize::selectArguments(CallContext &c, Value self) {
  int64_t dim = c.dim("dim", c.b.rankOf(self));
  Expr index = c.wrapIndex(c.size("index"), c.b.shapeOf(self)[dim]);
  return {dim, index, c.b.expr(1)};
}

static LogicalResult decomposeSelect(CallContext &c) {
  Value self = c.tensor("self");
  if (!hasDims(c, self))
    return failure();
  DimSlice slice = selectArguments(c, self);
  if (c.failed())
    return failure();
  return c.setResult(0, c.b.squeeze(takeSlice(c, self, slice), slice.dim));
}

//===----------------------------------------------------------------------===//
// split, chunk, unbind
//===----------------------------------------------------------------------===//

/// Cuts a dim into the pieces whose sizes the results record.
static LogicalResult splitAlong(CallContext &c, int64_t dim) {
  Value self = c.tensor("self");
  if (!hasDims(c, self) || dim >= c.b.rankOf(self))
    return c.emitInvalid("expected a tensor with dim " + Twine(dim));
  Expr start = c.b.expr(0), size = c.b.shapeOf(self)[dim];
  for (size_t i = 0; i < c.numResults(); ++i) {
    if (c.resultType(i).getRank() != c.b.rankOf(self))
      return c.emitInvalid("expected pieces of the rank of the tensor");
    Expr length = c.resultShape(i)[dim];
    if (sym::asConstant(start) && sym::asConstant(size) &&
        sym::asConstant(length) &&
        *sym::asConstant(start) + *sym::asConstant(length) >
            *sym::asConstant(size))
      return c.emitInvalid("the pieces are larger than the tensor");
    (void)c.setResult(i, c.b.slice(self, dim, start, length));
    start = sym::add(start, length);
  }
  c.requireEqual(start, size, "the pieces do not add up to the tensor");
  return success();
}

static LogicalResult decomposeSplit(CallContext &c) {
  return splitAlong(c, c.dim("dim", c.b.rankOf(c.tensor("self"))));
}

static LogicalResult decomposeHsplit(CallContext &c) {
  return splitAlong(c, c.b.rankOf(c.tensor("self")) == 1 ? 0 : 1);
}

static LogicalResult decomposeVsplit(CallContext &c) {
  return splitAlong(c, 0);
}
static LogicalResult decomposeDsplit(CallContext &c) {
  return splitAlong(c, 2);
}

/// Cuts at the given indices as slices do; pieces may overlap or be empty.
static LogicalResult decomposeTensorSplitIndices(CallContext &c) {
  Value self = c.tensor("self");
  if (!hasDims(c, self))
    return failure();
  int64_t dim = c.dim("dim", c.b.rankOf(self));
  Expr size = c.b.shapeOf(self)[dim], start = c.b.expr(0);
  Shape bounds = c.sizes("indices");
  bounds.push_back(size);
  for (auto [i, bound] : llvm::enumerate(bounds)) {
    Expr from = c.wrapBound(start, size), end = c.wrapBound(bound, size);
    Expr length = c.maxOf(sym::sub(end, from), c.b.expr(0));
    (void)c.setResult(i, c.b.slice(self, dim, from, length));
    start = bound;
  }
  return success();
}

static LogicalResult decomposeUnbind(CallContext &c) {
  Value self = c.tensor("self");
  if (!hasDims(c, self))
    return failure();
  int64_t dim = c.dim("dim", c.b.rankOf(self));
  Expr size = c.b.shapeOf(self)[dim];
  c.requireEqual(size, c.b.expr(c.numResults()),
                 "expected one result for each slice");
  if (c.failed())
    return failure();
  for (size_t i = 0; i < c.numResults(); ++i)
    (void)c.setResult(
        i, c.b.squeeze(c.b.slice(self, dim, c.b.expr(i), c.b.expr(1)), dim));
  return success();
}

//===----------------------------------------------------------------------===//
// diagonal
//===----------------------------------------------------------------------===//

FailureOr<DiagonalPath> normalize::diagonalArguments(CallContext &c,
                                                     Value self) {
  int64_t rank = c.b.rankOf(self), offset = c.integer("offset");
  int64_t dim1 = c.dim("dim1", rank), dim2 = c.dim("dim2", rank);
  if (rank < 2 || dim1 == dim2)
    return c.emitInvalid("expected two different dims");
  DiagonalPath path;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim1 && i != dim2)
      path.permutation.push_back(i);
  path.permutation.append({dim1, dim2});
  Shape shape = c.b.shapeOf(self);
  for (int64_t dim : path.permutation)
    path.matrix.push_back(shape[dim]);
  Expr rows = shape[dim1], columns = shape[dim2], zero = c.b.expr(0);
  auto width = sym::asConstant(columns);
  if (!width)
    return c.emitUnsupported(
        "a diagonal of a matrix whose number of columns is symbolic");
  path.flat = Shape(ArrayRef(path.matrix).drop_back(2));
  path.flat.push_back(sym::mul(rows, columns));
  Expr down = c.b.expr(std::max<int64_t>(-offset, 0)),
       right = c.b.expr(std::max<int64_t>(offset, 0));
  Expr length =
      c.maxOf(c.minOf(sym::sub(rows, down), sym::sub(columns, right)), zero);
  Expr start = sym::isConstant(length, 0)
                   ? zero
                   : sym::add(sym::mul(down, columns), right);
  path.slice = {rank - 2, start, length, *width + 1};
  return path;
}

static LogicalResult decomposeDiagonal(CallContext &c) {
  Value self = c.tensor("self");
  auto path = diagonalArguments(c, self);
  if (failed(path))
    return failure();
  Value flat = c.b.reshape(c.b.transpose(self, path->permutation), path->flat);
  return c.setResult(0, takeSlice(c, flat, path->slice));
}

//===----------------------------------------------------------------------===//
// unfold, as_strided
//===----------------------------------------------------------------------===//

/// Indices start + step * i + j of windows, [count, size].
static Value windowIndices(CallContext &c, Expr count, Expr size,
                           int64_t step) {
  Type i64 = c.b.getBuilder().getI64Type();
  Value first = c.b.mul(c.b.iota({count, size}, 0, i64), double(step));
  return c.b.add(first, c.b.iota({count, size}, 1, i64));
}

static LogicalResult decomposeUnfold(CallContext &c) {
  Value self = c.tensor("self");
  int64_t rank = c.b.rankOf(self), size = c.integer("size"),
          step = c.integer("step");
  if (rank == 0)
    return c.setResult(0, c.b.reshape(self, {c.b.expr(1)}));
  if (size < 0 || step < 1)
    return c.emitInvalid("expected a positive size and step");
  int64_t dim = c.dim("dimension", rank);
  Expr extent = sym::sub(c.b.shapeOf(self)[dim], c.b.expr(size));
  Expr count = sym::add(sym::floorDiv(extent, c.b.expr(step)), c.b.expr(1));
  if (auto known = sym::asConstant(count); known && *known < 1)
    return c.emitInvalid("the window is larger than the dim");
  Value windows =
      c.b.indexSelect(self, dim, windowIndices(c, count, c.b.expr(size), step));
  SmallVector<int64_t> permutation; // the window goes to the end
  for (int64_t i = 0; i <= rank; ++i)
    if (i != dim + 1)
      permutation.push_back(i);
  permutation.push_back(dim + 1);
  return c.setResult(0, c.b.transpose(windows, permutation));
}

/// The position in memory of each element of a strided tensor.
static Value stridedIndices(CallContext &c, ArrayRef<Expr> sizes,
                            ArrayRef<Expr> strides, Expr offset) {
  Type i64 = c.b.getBuilder().getI64Type();
  Value index = c.b.broadcast(c.b.symbolValue(offset), sizes);
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    Value stride = c.b.symbolValue(strides[dim]);
    index = c.b.add(index, c.b.mul(c.b.iota(sizes, dim, i64), stride));
  }
  return index;
}

static LogicalResult decomposeAsStrided(CallContext &c) {
  if (!c.isWholeMemory("self"))
    return c.emitUnsupported(
        "as_strided of a tensor that is not all of its memory");
  Value self = c.tensor("self");
  Expr count = sym::product(c.getContext(), c.b.shapeOf(self));
  Value flat = c.b.reshape(self, {count});
  Shape sizes = c.sizes("size"), strides = c.sizes("stride");
  if (sizes.size() != strides.size())
    return c.emitInvalid("expected one stride for each size");
  Expr offset = c.optSize("storage_offset").value_or(c.b.expr(0));
  return c.setResult(
      0, c.b.indexSelect(flat, 0, stridedIndices(c, sizes, strides, offset)));
}

//===----------------------------------------------------------------------===//
// Writes into a part: *_scatter
//===----------------------------------------------------------------------===//

static Value putSlice(CallContext &c, Value into, Value part,
                      const DimSlice &slice) {
  Shape shape = c.b.shapeOf(into);
  shape[slice.dim] = slice.size;
  return c.b.updateSlice(into, c.b.broadcast(part, shape), slice.dim,
                         slice.start, slice.step);
}

static Value source(CallContext &c, Value self) {
  return c.convert(c.tensor("src"), c.b.elementOf(self));
}

static LogicalResult decomposeSliceScatter(CallContext &c) {
  Value self = c.tensor("self"), src = source(c, self);
  if (!hasDims(c, self) || c.b.rankOf(src) > c.b.rankOf(self))
    return c.emitInvalid("expected a source of at most the tensor's rank");
  return c.setResult(0, putSlice(c, self, src, sliceArguments(c, self)));
}

static LogicalResult decomposeSelectScatter(CallContext &c) {
  Value self = c.tensor("self"), src = source(c, self);
  if (!hasDims(c, self) || c.b.rankOf(src) + 1 != c.b.rankOf(self))
    return c.emitInvalid("expected a source of one rank less");
  DimSlice slice = selectArguments(c, self);
  if (c.failed())
    return failure();
  return c.setResult(0,
                     putSlice(c, self, c.b.unsqueeze(src, slice.dim), slice));
}

static SmallVector<int64_t> inverse(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> result(permutation.size());
  for (auto [i, dim] : llvm::enumerate(permutation))
    result[dim] = i;
  return result;
}

static LogicalResult decomposeDiagonalScatter(CallContext &c) {
  Value self = c.tensor("self"), src = source(c, self);
  auto path = diagonalArguments(c, self);
  if (failed(path))
    return failure();
  if (c.b.rankOf(src) + 1 != c.b.rankOf(self))
    return c.emitInvalid("expected a source of one rank less");
  Value flat = c.b.reshape(c.b.transpose(self, path->permutation), path->flat);
  flat = putSlice(c, flat, src, path->slice);
  Value matrix = c.b.reshape(flat, path->matrix);
  return c.setResult(0, c.b.transpose(matrix, inverse(path->permutation)));
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static void addSplits(DecompositionTable &table) {
  for (StringRef name : {"aten.split.Tensor", "aten.split.sizes",
                         "aten.split_with_sizes.default", "aten.chunk.default",
                         "aten.tensor_split.sections"})
    table.addView(name, decomposeSplit);
  for (StringRef name :
       {"aten.split_copy.Tensor", "aten.split_with_sizes_copy.default",
        "aten.unsafe_split.Tensor", "aten.unsafe_split_with_sizes.default",
        "aten.unsafe_chunk.default"})
    table.add(name, decomposeSplit);
  table.addView("aten.tensor_split.indices", decomposeTensorSplitIndices);
  for (StringRef overload : {"int", "array"}) {
    table.addView(("aten.hsplit." + overload).str(), decomposeHsplit);
    table.addView(("aten.vsplit." + overload).str(), decomposeVsplit);
    table.addView(("aten.dsplit." + overload).str(), decomposeDsplit);
  }
  table.addView("aten.unbind.int", decomposeUnbind);
  table.add("aten.unbind_copy.int", decomposeUnbind);
}

void normalize::registerSlicingDecompositions(DecompositionTable &table) {
  addSplits(table);
  table.addView("aten.slice.Tensor", decomposeSlice);
  table.add("aten.slice_copy.Tensor", decomposeSlice);
  table.addView("aten.narrow.default", decomposeNarrow);
  table.add("aten.narrow_copy.default", decomposeNarrow);
  table.addView("aten.select.int", decomposeSelect);
  table.add("aten.select_copy.int", decomposeSelect);
  table.addView("aten.diagonal.default", decomposeDiagonal);
  table.add("aten.diagonal_copy.default", decomposeDiagonal);
  table.addView("aten.linalg_diagonal.default", decomposeDiagonal);
  table.addView("aten.unfold.default", decomposeUnfold);
  table.add("aten.unfold_copy.default", decomposeUnfold);
  table.addView("aten.as_strided.default", decomposeAsStrided);
  table.add("aten.as_strided_copy.default", decomposeAsStrided);
  table.add("aten.slice_scatter.default", decomposeSliceScatter);
  table.add("aten.select_scatter.default", decomposeSelectScatter);
  table.add("aten.diagonal_scatter.default", decomposeDiagonalScatter);
}
