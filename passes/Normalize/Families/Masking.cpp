//===- Masking.cpp - Masks, nonzero, repeat_interleave --------------------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

static Value asMask(CallContext &c, Value value) {
  return c.b.convert(value, c.b.getBuilder().getI1Type());
}

//===----------------------------------------------------------------------===//
// masked_fill, masked_scatter, masked_select
//===----------------------------------------------------------------------===//

/// The value takes the element type of the tensor.
static LogicalResult decomposeMaskedFill(CallContext &c) {
  Value self = c.tensor("self"), value = c.tensor("value");
  if (c.b.rankOf(value) != 0)
    return c.emitInvalid("expected a value of rank 0");
  Value number = c.convert(value, c.b.elementOf(self));
  return c.setResult(0, c.b.where(asMask(c, c.tensor("mask")), number, self));
}

/// The k-th true element takes the k-th element of the source.
static LogicalResult decomposeMaskedScatter(CallContext &c) {
  Value self = c.tensor("self"), mask = asMask(c, c.tensor("mask"));
  Value source = flatten(c.b, c.tensor("source"));
  if (c.b.elementOf(source) != c.b.elementOf(self))
    return c.emitInvalid("expected a source of the element type of the tensor");
  c.b.broadcastTogether(self, mask);
  Value flags = flatten(c.b, mask);
  if (sym::isConstant(c.b.shapeOf(source)[0], 0) ||
      sym::isConstant(c.b.shapeOf(flags)[0], 0))
    return c.setResult(0, self);
  Value ordinals = cumulative(c.b, prim::ScanKind::sum, asIndex(c.b, flags), 0);
  Value places = c.b.sub(ordinals, c.b.scalarInt(1, indexType(c.b)));
  Value taken =
      c.b.indexSelect(source, 0, c.b.max(places, c.b.fullLike(places, 0)));
  Value result = c.b.where(mask, c.b.reshape(taken, c.b.shapeOf(self)), self);
  return c.setResult(0, result);
}

/// The first `size` places where a mask is true, and whether there is one:
/// `[size, rank]` and `[size, 1]`. The mask has rank 1 or more.
static std::pair<Value, Value> firstPlaces(PrimBuilder &b, Value mask,
                                           Expr size) {
  Shape shape = b.shapeOf(mask);
  Value counts =
      cumulative(b, prim::ScanKind::sum, asIndex(b, flatten(b, mask)), 0);
  Value ordinals = b.add(arange(b, size), b.scalarInt(1, indexType(b)));
  Value places = searchSorted(b, counts, ordinals, /*right=*/false);
  Expr total = sym::product(b.getContext(), shape);
  Value isFound = b.compare(prim::Comparison::lt, places, sizeValue(b, total));
  SmallVector<Value> columns(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    columns[i] = b.unsqueeze(remainderIndex(b, places, shape[i]), 1);
    places = divideIndex(b, places, shape[i]);
  }
  return {b.concat(columns, 1), b.unsqueeze(isFound, 1)};
}

/// Where a mask is true, if the program says how often that is.
static FailureOr<Value> knownPlaces(CallContext &c, Value mask) {
  Shape recorded = c.resultShape(0);
  if (recorded.empty() || c.b.rankOf(mask) == 0)
    return c.emitUnsupported(
        "a number of elements that depends on data and has no symbol");
  Value count = c.b.sum(asIndex(c.b, flatten(c.b, mask)), {0});
  assertAll(
      c.b,
      c.b.compare(prim::Comparison::eq, count, sizeValue(c.b, recorded[0])),
      "the number of selected elements is not the one that was recorded");
  return firstPlaces(c.b, mask, recorded[0]).first;
}

/// Where a mask is true: `[symbol, rank]`. The call defines the symbol.
static FailureOr<Value> placesOf(CallContext &c, Value mask) {
  mask = asMask(c, mask);
  if (llvm::is_contained(c.b.shapeOf(mask), c.b.expr(0)))
    return c.b.fullInt({c.b.expr(0), c.b.expr(c.b.rankOf(mask))}, 0,
                       indexType(c.b));
  if (c.numDefinedSymbols() != 1)
    return knownPlaces(c, mask);
  StringRef symbol = c.definedSymbol(0);
  Expr count = sym::symbol(c.getContext(), symbol);
  auto type =
      sym::tensorType({count, c.b.expr(c.b.rankOf(mask))}, indexType(c.b));
  Value places =
      prim::NonzeroOp::create(c.b.getBuilder(), c.getLoc(), type, mask, symbol);
  return places;
}

static LogicalResult decomposeMaskedSelect(CallContext &c) {
  Value self = c.tensor("self"), mask = asMask(c, c.tensor("mask"));
  c.b.broadcastTogether(self, mask);
  FailureOr<Value> places = placesOf(c, flatten(c.b, mask));
  if (failed(places))
    return failure();
  return c.setResult(
      0, c.b.indexSelect(flatten(c.b, self), 0, c.b.squeeze(*places, 1)));
}

//===----------------------------------------------------------------------===//
// nonzero
//===----------------------------------------------------------------------===//

static LogicalResult decomposeNonzero(CallContext &c) {
  FailureOr<Value> places = placesOf(c, c.tensor("self"));
  return failed(places) ? failure() : c.setResult(0, *places);
}

/// One result per dim; a tensor of rank 0 counts as one of rank 1.
static LogicalResult setColumns(CallContext &c, Value self) {
  if (c.b.rankOf(self) == 0)
    self = c.b.unsqueeze(self, 0);
  FailureOr<Value> places = placesOf(c, self);
  if (failed(places))
    return failure();
  for (int64_t i = 0; i < c.b.rankOf(self); ++i)
    (void)c.setResult(
        i, c.b.squeeze(c.b.slice(*places, 1, c.b.expr(i), c.b.expr(1)), 1));
  return success();
}

static LogicalResult decomposeNonzeroNumpy(CallContext &c) {
  return setColumns(c, c.tensor("self"));
}

static LogicalResult decomposeWhereTrue(CallContext &c) {
  return setColumns(c, c.tensor("condition"));
}

/// The first `size` places; rows without a place are filled with a number.
static LogicalResult decomposeNonzeroStatic(CallContext &c) {
  Value self = c.tensor("self");
  Expr size = c.size("size");
  if (c.b.rankOf(self) == 0) // no columns, whatever the number of rows
    return c.setResult(0, c.b.fullInt({size, c.b.expr(0)}, 0, indexType(c.b)));
  auto [places, isFound] = firstPlaces(c.b, asMask(c, self), size);
  Value fill = c.b.scalarInt(c.integer("fill_value"), indexType(c.b));
  return c.setResult(0, c.b.where(isFound, places, fill));
}

//===----------------------------------------------------------------------===//
// repeat_interleave
//===----------------------------------------------------------------------===//

/// The dim that is repeated; without one the tensor is flattened.
static std::pair<Value, int64_t> repeatedDim(CallContext &c, Value self) {
  if (c.isNone("dim") || c.b.rankOf(self) == 0)
    return {flatten(c.b, self), 0};
  return {self, c.dim("dim", c.b.rankOf(self))};
}

/// How many elements all repetitions make: recorded, given or a new symbol.
static FailureOr<Expr> repeatedSize(CallContext &c, Value repeats,
                                    int64_t dim) {
  if (c.numDefinedSymbols() == 1) {
    (void)c.bindSymbol(0, c.b.sum(repeats, {0}));
    return sym::symbol(c.getContext(), c.definedSymbol(0));
  }
  if (auto size = c.optSize("output_size"))
    return *size;
  return c.resultShape(0)[dim];
}

/// For each element of the result the index of the one that is repeated.
static FailureOr<Value> repeatedIndex(CallContext &c, Value repeats,
                                      int64_t dim) {
  FailureOr<Expr> size = repeatedSize(c, repeats, dim);
  if (failed(size))
    return failure();
  Value ends = cumulative(c.b, prim::ScanKind::sum, repeats, 0);
  return searchSorted(c.b, ends, arange(c.b, *size), /*right=*/true);
}

static LogicalResult decomposeRepeatInterleaveTensor(CallContext &c) {
  Value repeats = asIndex(c.b, c.tensor("repeats"));
  if (c.b.rankOf(repeats) != 1)
    return c.emitInvalid("expected repeats of rank 1");
  FailureOr<Value> index = repeatedIndex(c, repeats, 0);
  return failed(index) ? failure() : c.setResult(0, *index);
}

static LogicalResult decomposeRepeatInterleaveSelf(CallContext &c) {
  auto [self, dim] = repeatedDim(c, c.tensor("self"));
  Value repeats = asIndex(c.b, c.tensor("repeats"));
  if (c.b.rankOf(repeats) > 1)
    return c.emitInvalid("expected repeats of rank 0 or 1");
  repeats = c.b.broadcast(repeats, {c.b.shapeOf(self)[dim]});
  FailureOr<Value> index = repeatedIndex(c, repeats, dim);
  return failed(index) ? failure()
                       : c.setResult(0, c.b.indexSelect(self, dim, *index));
}

void normalize::registerMaskingDecompositions(DecompositionTable &table) {
  table.add("aten.masked_fill.Scalar", decomposeMaskedFill);
  table.add("aten.masked_fill.Tensor", decomposeMaskedFill);
  table.add("aten.masked_scatter.default", decomposeMaskedScatter);
  table.add("aten.masked_select.default", decomposeMaskedSelect);
  table.add("aten.nonzero.default", decomposeNonzero);
  table.add("aten.argwhere.default", decomposeNonzero);
  table.add("aten.nonzero_numpy.default", decomposeNonzeroNumpy);
  table.add("aten.where.default", decomposeWhereTrue);
  table.add("aten.nonzero_static.default", decomposeNonzeroStatic);
  table.add("aten.repeat_interleave.Tensor", decomposeRepeatInterleaveTensor);
  table.add("aten.repeat_interleave.self_Tensor",
            decomposeRepeatInterleaveSelf);
}
