//===- Unique.cpp - Distinct elements and slices --------------------------===//

#include "passes/Normalize/Families/Formulas.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

static Value noIndices(PrimBuilder &b) {
  return b.fullInt({b.expr(0)}, 0, b.getBuilder().getI64Type());
}

static Value asElementsOf(PrimBuilder &b, Value values, Value self) {
  return b.convert(values, b.elementOf(self));
}

static LogicalResult checkSymbol(CallContext &c) {
  if (c.numDefinedSymbols() == 1)
    return success();
  return c.emitUnsupported(
      "a number of distinct elements that no symbol stands for");
}

//===----------------------------------------------------------------------===//
// Of all elements
//===----------------------------------------------------------------------===//

/// Results that nobody wants have size 0.
static LogicalResult setUnique(CallContext &c, bool consecutive) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}) || failed(checkSymbol(c)))
    return failure();
  StringRef symbol = c.definedSymbol(0);
  Value row = flatten(b, withoutBool(b, self));
  sym::Shape distinct{sym::symbol(c.getContext(), symbol)};
  Type index = b.getBuilder().getI64Type();
  auto unique = prim::UniqueOp::create(
      b.getBuilder(), c.getLoc(), sym::tensorType(distinct, b.elementOf(row)),
      sym::tensorType(b.shapeOf(row), index), sym::tensorType(distinct, index),
      row, symbol, consecutive);
  Value inverse = b.reshape(unique.getInverse(), b.shapeOf(self));
  return c.setResults(
      {asElementsOf(b, unique.getValues(), self),
       c.flag("return_inverse") ? inverse : noIndices(b),
       c.flag("return_counts") ? unique.getCounts() : noIndices(b)});
}

static LogicalResult decomposeUnique(CallContext &c) {
  return setUnique(c, false);
}

//===----------------------------------------------------------------------===//
// Of slices along a dim
//===----------------------------------------------------------------------===//

/// Slices as rows [n, m].
static Value slicesAsRows(PrimBuilder &b, Value x, int64_t dim) {
  SmallVector<int64_t> order = allDims(x);
  order.erase(order.begin() + dim);
  order.insert(order.begin(), dim);
  Value front = b.transpose(x, order);
  sym::Shape shape = b.shapeOf(front);
  return b.reshape(
      front,
      {shape[0], sym::product(b.getContext(), ArrayRef(shape).drop_front())});
}

/// Rows [k, m] as k slices of the sizes that x has.
static Value rowsAsSlices(PrimBuilder &b, Value rows, Value x, int64_t dim) {
  sym::Shape shape = b.shapeOf(x);
  shape.erase(shape.begin() + dim);
  shape.insert(shape.begin(), b.shapeOf(rows)[0]);
  Value slices = b.reshape(rows, shape);
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(1, b.rankOf(x)));
  order.insert(order.begin() + dim, 0);
  return b.transpose(slices, order);
}

/// The order that sorts rows by their first element, then the next, ...: the
/// least important column is sorted first, and sorting is stable.
static Value lexicographicOrder(PrimBuilder &b, Value rows, int64_t columns) {
  sym::Shape shape = b.shapeOf(rows);
  Value order = b.iota({shape[0]}, 0, b.getBuilder().getI64Type());
  for (int64_t i = columns - 1; i >= 0; --i) {
    Value column = b.squeeze(b.slice(rows, 1, b.expr(i), b.expr(1)), 1);
    auto sort = prim::SortOp::create(b.getBuilder(), b.getLoc(),
                                     b.gather(column, 0, order), 0,
                                     /*descending=*/false);
    order = b.gather(order, 0, sort.getIndices());
  }
  return order;
}

/// Whether each row differs from the one before it.
static Value startsRun(PrimBuilder &b, Value rows) {
  sym::Expr count = b.shapeOf(rows)[0], rest = sym::sub(count, b.expr(1));
  Value differs = b.compare(Comparison::ne, b.slice(rows, 0, b.expr(1), rest),
                            b.slice(rows, 0, b.expr(0), rest));
  Value first = b.fullInt({b.expr(1)}, 1, b.getBuilder().getI1Type());
  Value starts =
      b.concat({first, b.reduce(prim::Reduction::any, differs, 1)}, 0);
  return b.checkShape(starts, {count});
}

/// The positions of true elements; their number defines the call's symbol.
static Value positionsOf(CallContext &c, Value flags) {
  StringRef symbol = c.definedSymbol(0);
  sym::Expr count = sym::symbol(c.getContext(), symbol);
  auto type =
      sym::tensorType({count, c.b.expr(1)}, c.b.getBuilder().getI64Type());
  Value found = prim::NonzeroOp::create(c.b.getBuilder(), c.getLoc(), type,
                                        flags, symbol);
  return c.b.squeeze(found, 1);
}

static Value scatter(PrimBuilder &b, prim::ScatterKind kind, sym::Expr size,
                     Value index, Value values) {
  Value empty = b.full({size}, 0, b.elementOf(values));
  return prim::ScatterOp::create(b.getBuilder(), b.getLoc(), kind, empty, index,
                                 values, 0);
}

/// Sets the results from rows in an order in which equal ones are neighbours;
/// `order` says where they come from (null: they were so from the start).
static LogicalResult setRuns(CallContext &c, Value rows, Value order,
                             int64_t dim) {
  PrimBuilder &b = c.b;
  Value starts = startsRun(b, rows);
  Value ones = b.convert(starts, b.getBuilder().getI64Type());
  Value sums = prim::CumulativeOp::create(b.getBuilder(), c.getLoc(),
                                          prim::ScanKind::sum, ones, 0);
  Value run = b.sub(sums, 1);
  Value positions = positionsOf(c, starts);
  Value distinct = b.indexSelect(rows, 0, positions);
  Value counts = scatter(b, prim::ScatterKind::add, b.shapeOf(positions)[0],
                         run, b.fullLike(run, 1));
  Value inverse =
      order ? scatter(b, prim::ScatterKind::set, b.shapeOf(run)[0], order, run)
            : run;
  Value self = c.tensor("self");
  Value values = asElementsOf(b, rowsAsSlices(b, distinct, self, dim), self);
  return c.setResults({values, inverse, counts});
}

/// Slices are sorted first unless only neighbours are compared. All results are
/// given, whoever wants them.
static LogicalResult setUniqueAlong(CallContext &c, bool consecutive) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  int64_t rank = b.rankOf(self), dim = c.dim("dim", rank);
  if (refuseComplex(c, {self}) || failed(checkSymbol(c)))
    return failure();
  if (rank == 0 || c.resultType(0).getRank() != rank)
    return c.emitUnsupported("distinct slices of rank " + Twine(rank) +
                             " that are recorded with another rank");
  Value rows = slicesAsRows(b, withoutBool(b, self), dim);
  sym::Shape shape = b.shapeOf(rows);
  if (sym::isConstant(shape[0], 0))
    return c.emitUnsupported("distinct slices of none");
  if (consecutive)
    return setRuns(c, rows, Value(), dim);
  auto columns = sym::asConstant(shape[1]);
  if (!columns || *columns > 64)
    return c.emitUnsupported("distinct slices of more than 64 elements");
  Value order = lexicographicOrder(b, rows, *columns);
  return setRuns(c, b.indexSelect(rows, 0, order), order, dim);
}

static LogicalResult decomposeUniqueDim(CallContext &c) {
  return setUniqueAlong(c, false);
}

static LogicalResult decomposeUniqueConsecutive(CallContext &c) {
  return c.has("dim") ? setUniqueAlong(c, true) : setUnique(c, true);
}

void normalize::registerUniqueDecompositions(DecompositionTable &table) {
  table.add("aten._unique.default", decomposeUnique);
  table.add("aten._unique2.default", decomposeUnique);
  table.add("aten.unique_dim.default", decomposeUniqueDim);
  table.add("aten.unique_consecutive.default", decomposeUniqueConsecutive);
}
