//===- Creation.cpp - zeros, full, arange, linspace, eye, tril ------------===//

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using prim::Comparison;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// One number everywhere
//===----------------------------------------------------------------------===//

/// A tensor of the recorded type, filled with a number.
static LogicalResult fillRecorded(CallContext &c, const Scalar &value) {
  return c.setResult(0, c.b.broadcast(c.constant(value, c.resultElement(0)),
                                      c.resultShape(0)));
}

/// Memory that nobody has written is zero here.
static LogicalResult decomposeZeros(CallContext &c) {
  return fillRecorded(c, Scalar::ofInt(0));
}
static LogicalResult decomposeOnes(CallContext &c) {
  return fillRecorded(c, Scalar::ofInt(1));
}
static LogicalResult decomposeFull(CallContext &c) {
  return fillRecorded(c, c.scalar("fill_value"));
}
static LogicalResult decomposeScalarTensor(CallContext &c) {
  return fillRecorded(c, c.scalar("s"));
}
static LogicalResult decomposeFillScalar(CallContext &c) {
  return fillRecorded(c, c.scalar("value"));
}

static LogicalResult decomposeFillTensor(CallContext &c) {
  Value value = c.convert(c.tensor("value"), c.resultElement(0));
  if (c.b.rankOf(value) != 0)
    return c.emitInvalid("expected a value of rank 0");
  return c.setResult(0, c.b.broadcast(value, c.resultShape(0)));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// The type in which the kernels of factories count.
static Type countingType(CallContext &c, Type element) {
  OpBuilder &builder = c.b.getBuilder();
  return isIntegral(element) ? Type(builder.getI64Type())
                             : builder.getF64Type();
}

static LogicalResult decomposeArange(CallContext &c) {
  Type element = c.resultElement(0), type = countingType(c, element);
  if (isComplex(element) || c.resultType(0).getRank() != 1)
    return c.emitUnsupported("a range of this type");
  Scalar start = c.optScalar("start").value_or(Scalar::ofInt(0));
  Scalar step = c.optScalar("step").value_or(Scalar::ofInt(1));
  Value result = c.b.iota(c.resultShape(0), 0, type);
  if (!step.is(1))
    result = c.b.mul(result, c.constant(step, type));
  if (!start.is(0))
    result = c.b.add(result, c.constant(start, type));
  return c.setResult(0, c.b.convert(result, element));
}

/// A number, or a tensor of rank 0, in an element type.
static Value endpoint(CallContext &c, StringRef name, Type type) {
  return c.b.reshape(c.convert(c.tensor(name), type), {});
}

/// From both ends to the middle, as torch does.
static Value linspace(CallContext &c, Type type) {
  Expr steps = c.resultShape(0)[0];
  Value start = endpoint(c, "start", type), end = endpoint(c, "end", type);
  if (sym::isConstant(steps, 1))
    return c.b.reshape(start, {steps});
  Value last =
      c.b.convert(c.b.symbolValue(sym::add(steps, c.b.expr(-1))), type);
  Value step = c.b.div(c.b.sub(end, start), last);
  Value index = c.b.iota({steps}, 0, type);
  Value fromStart = c.b.add(start, c.b.mul(step, index));
  Value fromEnd = c.b.sub(end, c.b.mul(step, c.b.sub(last, index)));
  Value half =
      c.b.convert(c.b.symbolValue(sym::floorDiv(steps, c.b.expr(2))), type);
  return c.b.where(c.b.compare(Comparison::lt, index, half), fromStart,
                   fromEnd);
}

static bool isRange(CallContext &c) {
  if (!isComplex(c.resultElement(0)) && c.resultType(0).getRank() == 1)
    return true;
  (void)c.emitUnsupported("a range of this type");
  return false;
}

static LogicalResult decomposeLinspace(CallContext &c) {
  if (!isRange(c))
    return failure();
  Type element = c.resultElement(0);
  Type type = isIntegral(element)
                  ? countingType(c, c.b.getBuilder().getF64Type())
                  : opmathType(element);
  return c.setResult(0, c.b.convert(linspace(c, type), element));
}

static LogicalResult decomposeLogspace(CallContext &c) {
  if (!isRange(c))
    return failure();
  Type element = c.resultElement(0);
  Type type = isIntegral(element)
                  ? countingType(c, c.b.getBuilder().getF64Type())
                  : opmathType(element);
  Value base = c.b.scalar(c.number("base"), type);
  return c.setResult(
      0,
      c.b.convert(c.b.binary<prim::PowOp>(base, linspace(c, type)), element));
}

//===----------------------------------------------------------------------===//
// Triangles and diagonals
//===----------------------------------------------------------------------===//

/// Column minus row for each element of the last two dims.
static Value diagonalNumber(CallContext &c, ArrayRef<Expr> shape) {
  Type i64 = c.b.getBuilder().getI64Type();
  Shape matrix(shape.take_back(2));
  return c.b.sub(c.b.iota(matrix, 1, i64), c.b.iota(matrix, 0, i64));
}

static LogicalResult keepWhere(CallContext &c, Comparison comparison) {
  Value self = c.tensor("self");
  if (c.b.rankOf(self) < 2)
    return c.emitInvalid("expected a tensor of at least rank 2");
  Value diagonal = c.b.symbolValue(c.size("diagonal"));
  Value keep =
      c.b.compare(comparison, diagonalNumber(c, c.b.shapeOf(self)), diagonal);
  return c.setResult(0, c.b.where(keep, self, c.b.fullLike(self, 0)));
}

static LogicalResult decomposeTril(CallContext &c) {
  return keepWhere(c, Comparison::le);
}
static LogicalResult decomposeTriu(CallContext &c) {
  return keepWhere(c, Comparison::ge);
}

static LogicalResult decomposeEye(CallContext &c) {
  if (c.resultType(0).getRank() != 2)
    return c.emitInvalid("expected a result of rank 2");
  Value isDiagonal =
      c.b.compare(Comparison::eq, diagonalNumber(c, c.resultShape(0)), 0);
  return c.setResult(0, c.b.convert(isDiagonal, c.resultElement(0)));
}

/// Rows and columns of all elements of a triangle, in row-major order.
static LogicalResult triangleIndices(CallContext &c, bool lower) {
  int64_t rows = c.integer("row"), columns = c.integer("col"),
          offset = c.integer("offset");
  constexpr int64_t limit = 1 << 22;
  if (rows < 0 || columns < 0 || (columns && rows > limit / columns))
    return c.emitUnsupported("a triangle of this size");
  SmallVector<int64_t> row, column;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      if (lower ? j - i <= offset : j - i >= offset) {
        row.push_back(i);
        column.push_back(j);
      }
  OpBuilder &builder = c.b.getBuilder();
  auto type =
      RankedTensorType::get({2, int64_t(row.size())}, builder.getI64Type());
  row.append(column);
  Value table = prim::ConstantOp::create(
      builder, c.getLoc(),
      DenseElementsAttr::get(type, ArrayRef<int64_t>(row)));
  return c.setResult(0, c.b.convert(table, c.resultElement(0)));
}

static LogicalResult decomposeTrilIndices(CallContext &c) {
  return triangleIndices(c, true);
}
static LogicalResult decomposeTriuIndices(CallContext &c) {
  return triangleIndices(c, false);
}

/// Puts the last dim on a diagonal of new matrices, whose dims come last.
static Value embedDiagonal(CallContext &c, Value value, int64_t offset) {
  int64_t rank = c.b.rankOf(value);
  Shape none(rank, c.b.expr(0)), low = none, high = none;
  (offset < 0 ? low : high).back() = c.b.expr(std::abs(offset));
  Value padded = c.b.pad(value, c.b.scalar(0, c.b.elementOf(value)), low, high);
  Shape square = c.b.shapeOf(padded);
  square.push_back(square.back());
  Value spread = c.b.broadcast(c.b.unsqueeze(padded, rank), square);
  Value keep =
      c.b.compare(Comparison::eq, diagonalNumber(c, square), double(offset));
  return c.b.where(keep, spread, c.b.fullLike(spread, 0));
}

static LogicalResult decomposeDiagEmbed(CallContext &c) {
  Value self = c.tensor("self");
  int64_t rank = c.b.rankOf(self) + 1;
  if (rank < 2)
    return c.emitInvalid("expected a tensor of at least rank 1");
  int64_t dim1 = c.dim("dim1", rank), dim2 = c.dim("dim2", rank);
  if (dim1 == dim2)
    return c.emitInvalid("expected two different dims");
  Value matrices = embedDiagonal(c, self, c.integer("offset"));
  SmallVector<int64_t> permutation(rank, -1);
  permutation[dim1] = rank - 2;
  permutation[dim2] = rank - 1;
  int64_t next = 0;
  for (int64_t &dim : permutation)
    if (dim < 0)
      dim = next++;
  return c.setResult(0, c.b.transpose(matrices, permutation));
}

/// The diagonal of a matrix by one index per element.
static Value takeDiagonal(CallContext &c, Value matrix, int64_t offset) {
  Shape shape = c.b.shapeOf(matrix);
  Expr down = c.b.expr(std::max<int64_t>(-offset, 0)),
       right = c.b.expr(std::max<int64_t>(offset, 0));
  Expr length =
      c.maxOf(c.minOf(sym::sub(shape[0], down), sym::sub(shape[1], right)),
              c.b.expr(0));
  Value index = c.b.iota({length}, 0, c.b.getBuilder().getI64Type());
  Value rows = c.b.add(index, c.b.symbolValue(down)),
        columns = c.b.add(index, c.b.symbolValue(right));
  return prim::IndexOp::create(c.b.getBuilder(), c.getLoc(), matrix,
                               ValueRange{rows, columns},
                               ArrayRef<int64_t>{0, 1}, 0);
}

static LogicalResult decomposeDiag(CallContext &c) {
  Value self = c.tensor("self");
  int64_t rank = c.b.rankOf(self), offset = c.integer("diagonal");
  if (rank != 1 && rank != 2)
    return c.emitInvalid("expected a tensor of rank 1 or 2");
  return c.setResult(0, rank == 1 ? embedDiagonal(c, self, offset)
                                  : takeDiagonal(c, self, offset));
}

static LogicalResult decomposeVander(CallContext &c) {
  Value x = c.tensor("x");
  if (c.b.rankOf(x) != 1)
    return c.emitInvalid("expected a tensor of rank 1");
  Type element = c.resultElement(0);
  Shape shape = c.resultShape(0);
  Value power = c.b.iota({shape[1]}, 0, c.b.getBuilder().getI64Type());
  if (!c.flag("increasing"))
    power = c.b.reverse(power, {0});
  Value base = c.b.broadcast(c.b.unsqueeze(c.convert(x, element), 1), shape);
  return c.setResult(
      0, c.b.binary<prim::PowOp>(base, c.b.convert(power, element)));
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static void addFills(DecompositionTable &table) {
  for (StringRef name :
       {"aten.zeros.default", "aten.zeros_like.default",
        "aten.new_zeros.default", "aten.zero.default",
        "aten.empty.memory_format", "aten.empty_like.default",
        "aten.empty_strided.default", "aten.empty_permuted.default",
        "aten.new_empty.default", "aten.new_empty_strided.default",
        "aten._efficientzerotensor.default", "aten._make_dep_token.default"})
    table.add(name, decomposeZeros);
  for (StringRef name :
       {"aten.ones.default", "aten.ones_like.default", "aten.new_ones.default"})
    table.add(name, decomposeOnes);
  for (StringRef name :
       {"aten.full.default", "aten.full_like.default", "aten.new_full.default"})
    table.add(name, decomposeFull);
  table.add("aten.scalar_tensor.default", decomposeScalarTensor);
  table.add("aten.fill.Scalar", decomposeFillScalar);
  table.add("aten.fill.Tensor", decomposeFillTensor);
}

void normalize::registerCreationDecompositions(DecompositionTable &table) {
  addFills(table);
  for (StringRef name :
       {"aten.arange.default", "aten.arange.start", "aten.arange.start_step",
        "aten.range.default", "aten.range.step"})
    table.add(name, decomposeArange);
  for (StringRef overload :
       {"default", "Scalar_Tensor", "Tensor_Scalar", "Tensor_Tensor"}) {
    table.add(("aten.linspace." + overload).str(), decomposeLinspace);
    table.add(("aten.logspace." + overload).str(), decomposeLogspace);
  }
  table.add("aten.tril.default", decomposeTril);
  table.add("aten.triu.default", decomposeTriu);
  table.add("aten.eye.default", decomposeEye);
  table.add("aten.eye.m", decomposeEye);
  table.add("aten.tril_indices.default", decomposeTrilIndices);
  table.add("aten.triu_indices.default", decomposeTriuIndices);
  table.add("aten.diag_embed.default", decomposeDiagEmbed);
  table.add("aten.diag.default", decomposeDiag);
  table.add("aten.vander.default", decomposeVander);
}
