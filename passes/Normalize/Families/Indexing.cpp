//===- Indexing.cpp - index, index_put, gather, take ----------------------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using prim::ScatterKind;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// A list of optional index tensors
//===----------------------------------------------------------------------===//

/// Index tensors of one shape, which dims they index, and where that shape
/// stands among the other dims.
struct IndexList {
  SmallVector<Value> indices;
  SmallVector<int64_t> dims;
  int64_t position = 0;
};

static bool isMask(CallContext &c, Value index) {
  Type element = c.b.elementOf(index);
  return isBool(element) ||
         (isUnsigned(element) && element.getIntOrFloatBitWidth() == 8);
}

static Value asMask(CallContext &c, Value mask) {
  return c.b.convert(mask, c.b.getBuilder().getI1Type());
}

/// One index tensor for each dim of a mask, of the true elements. Each mask
/// of the call defines one more of its symbols.
static FailureOr<SmallVector<Value>> indicesOfMask(CallContext &c, Value mask,
                                                   size_t &symbols) {
  if (symbols >= c.numDefinedSymbols())
    return c.emitUnsupported(
        "a mask as index, whose number of elements has no symbol");
  StringRef symbol = c.definedSymbol(symbols++);
  Expr count = sym::symbol(c.getContext(), symbol);
  int64_t rank = c.b.rankOf(mask);
  auto type = sym::tensorType({count, c.b.expr(rank)}, indexType(c.b));
  Value places = prim::NonzeroOp::create(c.b.getBuilder(), c.getLoc(), type,
                                         asMask(c, mask), symbol);
  SmallVector<Value> result;
  for (int64_t i = 0; i < rank; ++i)
    result.push_back(
        c.b.squeeze(c.b.slice(places, 1, c.b.expr(i), c.b.expr(1)), 1));
  return result;
}

/// The dims that are indexed stand together if nothing is between them.
static int64_t positionOf(ArrayRef<int64_t> dims) {
  for (size_t i = 1; i < dims.size(); ++i)
    if (dims[i] != dims[i - 1] + 1)
      return 0;
  return dims.front();
}

static void broadcastIndices(CallContext &c, SmallVector<Value> &indices) {
  Shape shape;
  for (Value index : indices)
    shape = c.b.broadcastShape(shape, c.b.shapeOf(index));
  for (Value &index : indices)
    index = c.b.broadcast(index, shape);
}

/// Empty if no dim is indexed.
static FailureOr<IndexList> readIndices(CallContext &c, Value self,
                                        StringRef name) {
  IndexList list;
  size_t symbols = 0;
  int64_t dim = 0, rank = c.b.rankOf(self);
  for (std::optional<Value> given : c.optTensors(name)) {
    if (!given) {
      ++dim;
      continue;
    }
    SmallVector<Value> own = {*given};
    bool isOfMask = isMask(c, *given); // whose places are never negative
    if (isOfMask) {
      FailureOr<SmallVector<Value>> places = indicesOfMask(c, *given, symbols);
      if (failed(places))
        return failure();
      own = *places;
    }
    for (Value index : own) {
      if (!isInteger(c.b.elementOf(index)))
        return c.emitInvalid("expected integer or bool indices");
      index = asIndex(c.b, index);
      if (!isOfMask && dim < rank)
        index = fromEnd(c.b, index, c.b.shapeOf(self)[dim]);
      list.indices.push_back(index);
      list.dims.push_back(dim++);
    }
  }
  if (dim > rank)
    return c.emitInvalid("expected at most " + Twine(rank) +
                         " indices, but found " + Twine(dim));
  if (list.indices.empty())
    return list;
  broadcastIndices(c, list.indices);
  list.position = positionOf(list.dims);
  return list;
}

//===----------------------------------------------------------------------===//
// index, index_put
//===----------------------------------------------------------------------===//

static LogicalResult decomposeIndex(CallContext &c) {
  Value self = c.tensor("self");
  FailureOr<IndexList> list = readIndices(c, self, "indices");
  if (failed(list))
    return failure();
  if (list->indices.empty())
    return c.setResult(0, self);
  return c.setResult(
      0, index(c.b, self, list->indices, list->dims, list->position));
}

/// The sizes that `index` would give.
static Shape indexedShape(CallContext &c, Value self, const IndexList &list) {
  Shape shape, own = c.b.shapeOf(self);
  for (auto [i, size] : llvm::enumerate(own))
    if (!llvm::is_contained(list.dims, int64_t(i)))
      shape.push_back(size);
  Shape taken = c.b.shapeOf(list.indices[0]);
  shape.insert(shape.begin() + list.position, taken.begin(), taken.end());
  return shape;
}

/// Gives values the sizes; leading dims of size 1 too many are dropped.
static FailureOr<Value> fitValues(CallContext &c, Value values,
                                  ArrayRef<Expr> shape) {
  while (c.b.rankOf(values) > int64_t(shape.size())) {
    if (!sym::isConstant(c.b.shapeOf(values)[0], 1))
      return c.emitInvalid(
          "expected values that broadcast to the indexed sizes");
    values = c.b.squeeze(values, 0);
  }
  return c.b.broadcast(values, shape);
}

/// One mask that covers the leading dims, with no symbol for its number of
/// elements: the k-th true element takes the k-th value.
static FailureOr<Value> putByMask(CallContext &c, Value self, Value mask,
                                  Value values, bool accumulate) {
  int64_t rank = c.b.rankOf(mask), rest = c.b.rankOf(self) - rank;
  if (rest < 0)
    return c.emitInvalid("expected a mask of at most the rank of the tensor");
  mask = asMask(c, mask);
  Value aligned = alignTo(c.b, mask, 0, rank + rest);
  bool hasRows =
      c.b.rankOf(values) > rest &&
      !sym::isConstant(c.b.shapeOf(values)[c.b.rankOf(values) - rest - 1], 1);
  if (hasRows) {
    if (c.b.rankOf(values) != rest + 1)
      return c.emitUnsupported("values of this rank for a mask");
    Value ordinals = cumulative(c.b, prim::ScanKind::sum,
                                asIndex(c.b, flatten(c.b, mask)), 0);
    Value places = c.b.sub(ordinals, c.b.scalarInt(1, indexType(c.b)));
    places = c.b.reshape(c.b.max(places, c.b.fullLike(places, 0)),
                         c.b.shapeOf(mask));
    values = c.b.indexSelect(values, 0, places);
  }
  FailureOr<Value> fitted = fitValues(c, values, c.b.shapeOf(self));
  if (failed(fitted))
    return failure();
  return c.b.where(aligned, accumulate ? c.b.add(self, *fitted) : *fitted,
                   self);
}

static LogicalResult decomposeIndexPut(CallContext &c) {
  Value self = c.tensor("self");
  bool accumulate = c.flag("accumulate");
  Value values = c.b.convert(c.tensor("values"), c.b.elementOf(self));
  auto given = c.optTensors("indices");
  if (given.size() == 1 && given[0] && isMask(c, *given[0])) {
    FailureOr<Value> result = putByMask(c, self, *given[0], values, accumulate);
    return failed(result) ? failure() : c.setResult(0, *result);
  }
  FailureOr<IndexList> list = readIndices(c, self, "indices");
  if (failed(list))
    return failure();
  bool whole = list->indices.empty();
  FailureOr<Value> fitted = fitValues(
      c, values, whole ? c.b.shapeOf(self) : indexedShape(c, self, *list));
  if (failed(fitted))
    return failure();
  if (whole)
    return c.setResult(0, accumulate ? c.b.add(self, *fitted) : *fitted);
  auto kind = accumulate ? ScatterKind::add : ScatterKind::set;
  return c.setResult(0, indexPut(c.b, kind, self, *fitted, list->indices,
                                 list->dims, list->position));
}

/// Where the mask is false the indices do not count.
static void maskIndices(CallContext &c, Value mask, IndexList &list) {
  for (Value &index : list.indices)
    index = c.b.where(mask, index, c.b.scalarInt(0, indexType(c.b)));
  broadcastIndices(c, list.indices);
}

/// self[indices] where the mask is true, else a number.
static LogicalResult decomposeMaskedIndex(CallContext &c) {
  Value self = c.tensor("self"), mask = asMask(c, c.tensor("mask"));
  FailureOr<IndexList> list = readIndices(c, self, "indices");
  if (failed(list))
    return failure();
  if (list->indices.empty())
    return c.emitUnsupported("no indices");
  Value fill = c.constant(c.scalar("fill"), c.b.elementOf(self));
  bool isEmpty = llvm::any_of(
      c.b.shapeOf(self), [](Expr size) { return sym::isConstant(size, 0); });
  if (isEmpty)
    return c.setResult(0, c.b.broadcast(fill, c.resultShape(0)));
  maskIndices(c, mask, *list);
  Value taken = index(c.b, self, list->indices, list->dims, list->position);
  Value aligned =
      alignTo(c.b, c.b.broadcast(mask, c.b.shapeOf(list->indices[0])),
              list->position, c.b.rankOf(taken));
  return c.setResult(0, c.b.where(aligned, taken, fill));
}

static LogicalResult decomposeMaskedIndexPut(CallContext &c) {
  Value self = c.tensor("self"), mask = asMask(c, c.tensor("mask"));
  FailureOr<IndexList> list = readIndices(c, self, "indices");
  if (failed(list))
    return failure();
  if (list->indices.empty())
    return c.emitUnsupported("no indices");
  bool isEmpty = llvm::any_of(
      c.b.shapeOf(self), [](Expr size) { return sym::isConstant(size, 0); });
  if (isEmpty)
    return c.setResult(0, self);
  maskIndices(c, mask, *list);
  Shape shape = indexedShape(c, self, *list);
  FailureOr<Value> values = fitValues(c, c.tensor("values"), shape);
  if (failed(values))
    return failure();
  Value aligned =
      alignTo(c.b, c.b.broadcast(mask, c.b.shapeOf(list->indices[0])),
              list->position, shape.size());
  Value kept = c.b.where(aligned, *values, c.b.scalar(0, c.b.elementOf(self)));
  return c.setResult(0, indexPut(c.b, ScatterKind::add, self, kept,
                                 list->indices, list->dims, list->position));
}

//===----------------------------------------------------------------------===//
// Along one dim
//===----------------------------------------------------------------------===//

static LogicalResult decomposeIndexSelect(CallContext &c) {
  Value self = c.tensor("self"), where = asIndex(c.b, c.tensor("index"));
  if (c.b.rankOf(where) > 1)
    return c.emitInvalid("expected an index of rank 1");
  int64_t dim = c.dim("dim", c.b.rankOf(self));
  Value operand = atLeast1d(c.b, self);
  Value taken = c.b.indexSelect(operand, dim, atLeast1d(c.b, where));
  return c.setResult(0, c.b.rankOf(self) == 0 ? c.b.reshape(taken, {}) : taken);
}

static LogicalResult decomposeGather(CallContext &c) {
  Value self = c.tensor("self"), where = asIndex(c.b, c.tensor("index"));
  int64_t dim = c.dim("dim", c.b.rankOf(self));
  Value operand = atLeast1d(c.b, self), places = atLeast1d(c.b, where);
  bool isEmpty = llvm::is_contained(c.b.shapeOf(places), c.b.expr(0));
  if (isEmpty)
    return c.setResult(0, c.b.full(c.resultShape(0), 0, c.b.elementOf(self)));
  if (c.b.rankOf(operand) != c.b.rankOf(places))
    return c.emitInvalid("expected a tensor and an index of one rank");
  Value taken = c.b.gather(operand, dim, places);
  return c.setResult(0,
                     c.b.rankOf(where) == 0 ? c.b.reshape(taken, {}) : taken);
}

static LogicalResult decomposeTake(CallContext &c) {
  Value self = flatten(c.b, c.tensor("self")),
        where = asIndex(c.b, c.tensor("index"));
  where = fromEnd(c.b, where, c.b.shapeOf(self)[0]);
  return c.setResult(0, c.b.indexSelect(self, 0, where));
}

/// Both operands broadcast, but for the dim, whose indices count modulo its
/// size; without a dim both are flattened, and indices must be in range.
static LogicalResult decomposeTakeAlongDim(CallContext &c) {
  Value self = c.tensor("self"), where = asIndex(c.b, c.tensor("indices"));
  if (c.isNone("dim")) {
    self = flatten(c.b, self);
    return c.setResult(0, c.b.gather(self, 0, flatten(c.b, where)));
  }
  int64_t rank = c.b.rankOf(self), dim = c.dim("dim", rank);
  if (rank == 0 || c.b.rankOf(where) != rank)
    return c.emitInvalid(
        "expected a tensor and indices of one rank of at least 1");
  Shape own = c.b.shapeOf(self), other = c.b.shapeOf(where);
  Expr size = own[dim], taken = other[dim];
  own[dim] = other[dim] = c.b.expr(1);
  Shape shape = c.b.broadcastShape(own, other);
  shape[dim] = size;
  self = c.b.broadcast(self, shape);
  shape[dim] = taken;
  where = c.b.broadcast(where, shape);
  where = c.b.binary<prim::RemOp>(where, sizeValue(c.b, size));
  where = fromEnd(c.b, where, size);
  return c.setResult(0, c.b.gather(self, dim, where));
}

static LogicalResult decomposePut(CallContext &c) {
  Value self = c.tensor("self"),
        where = flatten(c.b, asIndex(c.b, c.tensor("index")));
  Value source = flatten(c.b, c.tensor("source"));
  if (c.b.elementOf(source) != c.b.elementOf(self))
    return c.emitInvalid("expected a source of the element type of the tensor");
  where = fromEnd(c.b, where, c.b.shapeOf(flatten(c.b, self))[0]);
  auto kind = c.flag("accumulate") ? ScatterKind::add : ScatterKind::set;
  Value values = c.b.checkShape(source, c.b.shapeOf(where));
  Value result = indexPut(c.b, kind, flatten(c.b, self), values, where, {0}, 0);
  return c.setResult(0, c.b.reshape(result, c.b.shapeOf(self)));
}

void normalize::registerIndexingDecompositions(DecompositionTable &table) {
  table.add("aten.index.Tensor", decomposeIndex);
  table.add("aten._unsafe_index.Tensor", decomposeIndex);
  table.add("aten.index_put.default", decomposeIndexPut);
  table.add("aten._index_put_impl.default", decomposeIndexPut);
  table.add("aten._unsafe_index_put.default", decomposeIndexPut);
  table.add("aten._unsafe_masked_index.default", decomposeMaskedIndex);
  table.add("aten._unsafe_masked_index_put_accumulate.default",
            decomposeMaskedIndexPut);
  table.add("aten.index_select.default", decomposeIndexSelect);
  table.add("aten.gather.default", decomposeGather);
  table.add("aten.take.default", decomposeTake);
  table.add("aten.take_along_dim.default", decomposeTakeAlongDim);
  table.add("aten.put.default", decomposePut);
}
