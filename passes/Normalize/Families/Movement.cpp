//===- Movement.cpp - cat, repeat, roll, flip, meshgrid -------------------===//

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// Joins tensors of one rank along a dim: common element type, equal sizes.
static LogicalResult join(CallContext &c, SmallVector<Value> values,
                          int64_t dim) {
  if (values.empty())
    return c.emitInvalid("expected at least one tensor");
  Type element = c.promote(values);
  Shape shape = c.b.shapeOf(values[0]);
  for (Value &value : values) {
    if (c.b.rankOf(value) != int64_t(shape.size()) ||
        dim >= int64_t(shape.size()))
      return c.emitInvalid("expected tensors of one rank");
    shape[dim] = c.b.shapeOf(value)[dim];
    for (auto [i, size] : llvm::enumerate(c.b.shapeOf(value)))
      c.requireEqual(size, shape[i], "expected equal sizes of dim " + Twine(i));
    if (c.failed())
      return failure();
    value = c.b.checkShape(c.convert(value, element), shape);
  }
  return c.setResult(0, c.b.concat(values, dim));
}

/// torch.cat leaves out tensors of shape [0], whatever the others' rank.
static SmallVector<Value> withoutLegacyEmpty(CallContext &c,
                                             ArrayRef<Value> values) {
  SmallVector<Value> result;
  for (Value value : values)
    if (c.b.rankOf(value) != 1 || !sym::isConstant(c.b.shapeOf(value)[0], 0))
      result.push_back(value);
  return result;
}

static LogicalResult decomposeCat(CallContext &c) {
  auto values = c.tensors("tensors");
  auto joined = withoutLegacyEmpty(c, values);
  if (joined.empty())
    return c.setResult(0, c.b.full(c.resultShape(0), 0, c.resultElement(0)));
  int64_t dim = c.dim("dim", c.b.rankOf(joined[0]));
  if (c.b.rankOf(joined[0]) == 0)
    return c.emitInvalid("expected tensors of at least rank 1");
  Type element = c.promote(values);
  for (Value &value : joined)
    value = c.convert(value, element);
  return join(c, joined, dim);
}

static LogicalResult decomposeStack(CallContext &c) {
  auto values = c.tensors("tensors");
  if (values.empty())
    return c.emitInvalid("expected at least one tensor");
  int64_t rank = c.b.rankOf(values[0]), dim = c.dim("dim", rank + 1);
  Type element = c.promote(values);
  for (Value &value : values) {
    if (c.b.rankOf(value) != rank)
      return c.emitInvalid("expected tensors of one rank");
    value = c.b.unsqueeze(c.convert(value, element), dim);
  }
  return join(c, values, dim);
}

/// Gives every tensor at least the rank by leading or trailing dims of size 1.
static SmallVector<Value> atLeast(CallContext &c, int64_t rank, bool column) {
  auto values = c.tensors("tensors");
  Type element = values.empty() ? Type() : c.promote(values);
  for (Value &value : values) {
    value = c.convert(value, element);
    while (c.b.rankOf(value) < rank) {
      bool append = column || c.b.rankOf(value) == 2;
      value = c.b.unsqueeze(value, append ? c.b.rankOf(value) : 0);
    }
  }
  return values;
}

static LogicalResult decomposeHstack(CallContext &c) {
  auto values = atLeast(c, 1, false);
  return join(c, values, !values.empty() && c.b.rankOf(values[0]) == 1 ? 0 : 1);
}
static LogicalResult decomposeVstack(CallContext &c) {
  return join(c, atLeast(c, 2, false), 0);
}
static LogicalResult decomposeDstack(CallContext &c) {
  return join(c, atLeast(c, 3, false), 2);
}
static LogicalResult decomposeColumnStack(CallContext &c) {
  return join(c, atLeast(c, 2, true), 1);
}

static LogicalResult decomposeBlockDiag(CallContext &c) {
  auto values = atLeast(c, 2, false);
  if (values.empty())
    return c.emitInvalid("expected at least one tensor");
  Shape shape(2, c.b.expr(0));
  for (Value value : values) {
    if (c.b.rankOf(value) != 2)
      return c.emitInvalid("expected tensors of at most rank 2");
    for (int dim : {0, 1})
      shape[dim] = sym::add(shape[dim], c.b.shapeOf(value)[dim]);
  }
  Value zero = c.b.scalar(0, c.b.elementOf(values[0])), result;
  Shape done(2, c.b.expr(0));
  for (Value value : values) {
    Shape low = {c.b.expr(0), done[1]}, high = {c.b.expr(0), c.b.expr(0)};
    done[1] = sym::add(done[1], c.b.shapeOf(value)[1]);
    high[1] = sym::sub(shape[1], done[1]);
    Value rows = c.b.checkShape(c.b.pad(value, zero, low, high),
                                {c.b.shapeOf(value)[0], shape[1]});
    result = result ? c.b.concat({result, rows}, 0) : rows;
  }
  return c.setResult(0, result);
}

//===----------------------------------------------------------------------===//
// Repeating
//===----------------------------------------------------------------------===//

/// Repeats whole dims: [a, b] by [m, n] is [m, a, n, b] flattened.
static LogicalResult repeat(CallContext &c, Shape counts) {
  Value self = c.tensor("self");
  Shape shape = c.b.shapeOf(self);
  if (counts.size() < shape.size())
    return c.emitInvalid("expected a count for each dim");
  shape.insert(shape.begin(), counts.size() - shape.size(), c.b.expr(1));
  Shape split, expanded, joined;
  for (auto [count, size] : llvm::zip(counts, shape)) {
    split.append({c.b.expr(1), size});
    expanded.append({count, size});
    joined.push_back(sym::mul(count, size));
  }
  Value spread = c.b.broadcast(c.b.reshape(self, split), expanded);
  return c.setResult(0, c.b.reshape(spread, joined));
}

static LogicalResult decomposeRepeat(CallContext &c) {
  return repeat(c, c.sizes("repeats"));
}

static LogicalResult decomposeTile(CallContext &c) {
  Shape counts = c.sizes("dims");
  size_t rank = c.b.rankOf(c.tensor("self"));
  if (counts.size() < rank)
    counts.insert(counts.begin(), rank - counts.size(), c.b.expr(1));
  return repeat(c, counts);
}

/// Repeats every slice: [a] by n is [a, n] flattened.
static LogicalResult decomposeRepeatInterleave(CallContext &c) {
  Value self = c.tensor("self");
  if (c.isNone("dim"))
    self = c.b.reshape(self, {sym::product(c.getContext(), c.b.shapeOf(self))});
  int64_t dim = c.isNone("dim") ? 0 : c.dim("dim", c.b.rankOf(self));
  if (c.b.rankOf(self) == 0)
    self = c.b.unsqueeze(self, 0);
  Expr count = c.size("repeats");
  Shape shape = c.b.shapeOf(self), expanded = shape;
  expanded.insert(expanded.begin() + dim + 1, count);
  shape[dim] = sym::mul(shape[dim], count);
  Value spread = c.b.broadcast(c.b.unsqueeze(self, dim + 1), expanded);
  return c.setResult(0, c.b.reshape(spread, shape));
}

//===----------------------------------------------------------------------===//
// Reordering
//===----------------------------------------------------------------------===//

static Value rolled(CallContext &c, Value value, int64_t dim, Expr shift) {
  Expr size = c.b.shapeOf(value)[dim];
  if (sym::isConstant(size, 0))
    return value;
  Expr start = sym::mod(sym::neg(shift), c.maxOf(size, c.b.expr(1)));
  if (sym::isConstant(start, 0))
    return value;
  Value tail = c.b.slice(value, dim, start, sym::sub(size, start));
  Value joined =
      c.b.concat({tail, c.b.slice(value, dim, c.b.expr(0), start)}, dim);
  return c.b.checkShape(joined, c.b.shapeOf(value));
}

static LogicalResult decomposeRoll(CallContext &c) {
  Value self = c.tensor("self");
  Shape shifts = c.sizes("shifts");
  if (c.integers("dims").empty()) {
    if (shifts.size() != 1)
      return c.emitInvalid("expected one shift");
    Shape shape = c.b.shapeOf(self);
    Value flat = c.b.reshape(self, {sym::product(c.getContext(), shape)});
    return c.setResult(0, c.b.reshape(rolled(c, flat, 0, shifts[0]), shape));
  }
  // A dim may occur twice.
  auto dims = c.integers("dims");
  if (shifts.size() != dims.size())
    return c.emitInvalid("expected one shift for each dim");
  for (auto [shift, dim] : llvm::zip(shifts, dims)) {
    int64_t wrapped = c.wrapDim(dim, c.b.rankOf(self));
    self = c.b.rankOf(self) ? rolled(c, self, wrapped, shift) : self;
  }
  return c.setResult(0, self);
}

static LogicalResult decomposeFlip(CallContext &c) {
  Value self = c.tensor("self");
  auto dims = c.dims("dims", c.b.rankOf(self), /*sort=*/true);
  bool nothing = dims.empty() || c.b.rankOf(self) == 0;
  return c.setResult(0, nothing ? self : c.b.reverse(self, dims));
}

static LogicalResult flipDim(CallContext &c, int64_t dim) {
  Value self = c.tensor("self");
  if (dim >= c.b.rankOf(self))
    return c.emitInvalid("expected a tensor of at least rank " +
                         Twine(dim + 1));
  return c.setResult(0, c.b.reverse(self, {dim}));
}

static LogicalResult decomposeFliplr(CallContext &c) { return flipDim(c, 1); }
static LogicalResult decomposeFlipud(CallContext &c) { return flipDim(c, 0); }

static LogicalResult decomposeRot90(CallContext &c) {
  Value self = c.tensor("self");
  auto dims = c.dims("dims", c.b.rankOf(self));
  if (dims.size() != 2 || c.b.rankOf(self) < 2 || c.failed())
    return c.emitInvalid("expected two different dims");
  switch (((c.integer("k") % 4) + 4) % 4) {
  case 1:
    return c.setResult(
        0, c.b.swapDims(c.b.reverse(self, {dims[1]}), dims[0], dims[1]));
  case 2:
    return c.setResult(0, c.b.reverse(self, dims));
  case 3:
    return c.setResult(
        0, c.b.swapDims(c.b.reverse(self, {dims[0]}), dims[0], dims[1]));
  default:
    return c.setResult(0, self);
  }
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

static LogicalResult decomposeBroadcastTensors(CallContext &c) {
  for (auto [i, value] : llvm::enumerate(c.tensors("tensors"))) {
    if (c.b.rankOf(value) > c.resultType(i).getRank())
      return c.emitInvalid("expected results of at least the tensors' rank");
    (void)c.setResult(i, c.b.broadcast(value, c.resultShape(i)));
  }
  return success();
}

static LogicalResult decomposeMeshgrid(CallContext &c) {
  auto values = c.tensors("tensors");
  bool swap = c.text("indexing") == "xy" && values.size() > 1;
  Shape shape;
  for (Value value : values)
    shape.push_back(sym::product(c.getContext(), c.b.shapeOf(value)));
  if (swap)
    std::swap(shape[0], shape[1]);
  for (auto [i, value] : llvm::enumerate(values)) {
    size_t dim = swap && i < 2 ? 1 - i : i;
    Shape line(values.size(), c.b.expr(1));
    line[dim] = shape[dim];
    (void)c.setResult(i, c.b.broadcast(c.b.reshape(value, line), shape));
  }
  return success();
}

/// All tuples of elements, the last tensor running fastest.
static LogicalResult decomposeCartesianProd(CallContext &c) {
  auto values = c.tensors("tensors");
  if (values.size() == 1)
    return c.setResult(0, values[0]);
  Shape shape;
  for (Value value : values)
    shape.push_back(sym::product(c.getContext(), c.b.shapeOf(value)));
  Shape column = {sym::product(c.getContext(), shape), c.b.expr(1)};
  for (auto [i, value] : llvm::enumerate(values)) {
    Shape line(values.size(), c.b.expr(1));
    line[i] = shape[i];
    value = c.b.reshape(c.b.broadcast(c.b.reshape(value, line), shape), column);
  }
  return join(c, values, 1);
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

void normalize::registerMovementDecompositions(DecompositionTable &table) {
  for (StringRef name :
       {"aten.cat.default", "aten.concat.default", "aten.concatenate.default"})
    table.add(name, decomposeCat);
  table.add("aten.stack.default", decomposeStack);
  table.add("aten.hstack.default", decomposeHstack);
  table.add("aten.vstack.default", decomposeVstack);
  table.add("aten.row_stack.default", decomposeVstack);
  table.add("aten.dstack.default", decomposeDstack);
  table.add("aten.column_stack.default", decomposeColumnStack);
  table.add("aten.block_diag.default", decomposeBlockDiag);
  table.add("aten.repeat.default", decomposeRepeat);
  table.add("aten.tile.default", decomposeTile);
  table.add("aten.repeat_interleave.self_int", decomposeRepeatInterleave);
  table.add("aten.roll.default", decomposeRoll);
  table.add("aten.flip.default", decomposeFlip);
  table.add("aten.fliplr.default", decomposeFliplr);
  table.add("aten.flipud.default", decomposeFlipud);
  table.add("aten.rot90.default", decomposeRot90);
  table.add("aten.broadcast_tensors.default", decomposeBroadcastTensors);
  table.add("aten.meshgrid.default", decomposeMeshgrid);
  table.add("aten.meshgrid.indexing", decomposeMeshgrid);
  table.add("aten.cartesian_prod.default", decomposeCartesianProd);
}
