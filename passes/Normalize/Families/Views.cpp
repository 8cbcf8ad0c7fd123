//===- Views.cpp - reshape, permute, expand, casts ------------------------===//

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Other sizes, same order of elements
//===----------------------------------------------------------------------===//

/// The recorded sizes are those of the arguments with -1 resolved.
static LogicalResult decomposeReshape(CallContext &c) {
  return c.setResult(0, c.reshape(c.tensor("self"), c.resultShape(0)));
}

static LogicalResult decomposeExpand(CallContext &c) {
  Value self = c.tensor("self");
  if (c.b.rankOf(self) > c.resultType(0).getRank())
    return c.emitInvalid("expected a shape of at least the tensor's rank");
  Shape from = c.b.shapeOf(self), to = c.resultShape(0);
  size_t offset = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i)
    if (!sym::isConstant(from[i], 1))
      c.requireEqual(from[i], to[offset + i],
                     "can not expand a size that is not 1");
  if (c.failed())
    return failure();
  return c.setResult(0, c.b.broadcast(self, to));
}

static LogicalResult decomposeAtLeastSequence(CallContext &c) {
  for (auto [i, value] : llvm::enumerate(c.tensors("tensors")))
    (void)c.setResult(i, c.reshape(value, c.resultShape(i)));
  return success();
}

//===----------------------------------------------------------------------===//
// Other order of dims
//===----------------------------------------------------------------------===//

static LogicalResult decomposePermute(CallContext &c) {
  Value self = c.tensor("self");
  auto permutation = c.dims("dims", c.b.rankOf(self));
  if (int64_t(permutation.size()) != c.b.rankOf(self) || c.failed())
    return c.emitInvalid("expected each dim once");
  return c.setResult(0, c.b.transpose(self, permutation));
}

static LogicalResult swapDims(CallContext &c, StringRef first,
                              StringRef second) {
  Value self = c.tensor("self");
  int64_t rank = c.b.rankOf(self), a = c.dim(first, rank),
          b = c.dim(second, rank);
  return c.setResult(0, rank == 0 ? self : c.b.swapDims(self, a, b));
}

static LogicalResult decomposeTranspose(CallContext &c) {
  return swapDims(c, "dim0", "dim1");
}
static LogicalResult decomposeSwapaxes(CallContext &c) {
  return swapDims(c, "axis0", "axis1");
}

static LogicalResult decomposeReversedDims(CallContext &c) {
  Value self = c.tensor("self");
  auto permutation =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, c.b.rankOf(self))));
  return c.setResult(0, c.b.transpose(self, permutation));
}

static Value conjugate(CallContext &c, Value value) {
  if (!isComplex(c.b.elementOf(value)))
    return value;
  OpBuilder &builder = c.b.getBuilder();
  Value re = prim::RealOp::create(builder, c.getLoc(), value);
  Value im = prim::ImagOp::create(builder, c.getLoc(), value);
  return prim::ComplexOp::create(builder, c.getLoc(), re, c.b.neg(im));
}

static LogicalResult decomposeMatrixTranspose(CallContext &c) {
  Value self = c.tensor("self");
  int64_t rank = c.b.rankOf(self);
  if (rank == 1)
    return c.emitInvalid("expected a tensor of at least rank 2");
  return c.setResult(0,
                     rank == 0 ? self : c.b.swapDims(self, rank - 2, rank - 1));
}

static LogicalResult decomposeAdjoint(CallContext &c) {
  if (failed(decomposeMatrixTranspose(c)))
    return failure();
  return c.setResult(0, conjugate(c, c.result(0)));
}

static LogicalResult decomposeMovedim(CallContext &c) {
  Value self = c.tensor("self");
  int64_t rank = c.b.rankOf(self);
  auto source = c.dims("source", rank),
       destination = c.dims("destination", rank);
  if (rank == 0)
    return c.setResult(0, self);
  if (source.size() != destination.size() || c.failed())
    return c.emitInvalid("expected as many destinations as sources");
  SmallVector<int64_t> permutation(rank, -1), rest;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(source, dim))
      rest.push_back(dim);
  for (auto [from, to] : llvm::zip(source, destination))
    permutation[to] = from;
  auto next = rest.begin();
  for (int64_t &dim : permutation)
    if (dim < 0)
      dim = *next++;
  return c.setResult(0, c.b.transpose(self, permutation));
}

//===----------------------------------------------------------------------===//
// The tensor itself, or a copy
//===----------------------------------------------------------------------===//

static LogicalResult decomposeIdentity(CallContext &c) {
  return c.setResult(0, c.tensor("self"));
}

/// The recorded element type is that of the arguments, or the tensor's.
static LogicalResult decomposeTo(CallContext &c) {
  return c.setResult(0, c.convert(c.tensor("self"), c.resultElement(0)));
}

static LogicalResult decomposeCopy(CallContext &c) {
  Value self = c.tensor("self"),
        src = c.convert(c.tensor("src"), c.b.elementOf(self));
  if (c.b.rankOf(src) > c.b.rankOf(self))
    return c.emitInvalid("expected a source of at most the tensor's rank");
  return c.setResult(0, c.b.broadcast(src, c.b.shapeOf(self)));
}

//===----------------------------------------------------------------------===//
// The same bits, read in another way
//===----------------------------------------------------------------------===//

static LogicalResult decomposeViewDtype(CallContext &c) {
  Value self = c.tensor("self");
  Type from = c.b.elementOf(self), to = c.resultElement(0);
  if (from == to)
    return c.setResult(0, self);
  if (isComplex(from) || isComplex(to) || isBool(from) || isBool(to) ||
      from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth())
    return c.emitUnsupported("a view as an element type of another width");
  auto type = c.b.typeOf(self).clone(to);
  return c.setResult(
      0, prim::BitcastOp::create(c.b.getBuilder(), c.getLoc(), type, self));
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static void addReshapes(DecompositionTable &table) {
  for (StringRef name :
       {"aten.view.default", "aten.view_as.default",
        "aten._reshape_alias.default", "aten.unsqueeze.default",
        "aten.squeeze.default", "aten.squeeze.dim", "aten.squeeze.dims",
        "aten.unflatten.int", "aten.atleast_1d.default",
        "aten.atleast_2d.default", "aten.atleast_3d.default",
        "aten.resize_.default"})
    table.addView(name, decomposeReshape);
  for (StringRef name : {"aten.reshape.default", "aten.reshape_as.default",
                         "aten.flatten.using_ints", "aten.ravel.default"})
    table.addMaybeView(name, decomposeReshape);
  for (StringRef name :
       {"aten.view_copy.default", "aten._unsafe_view.default",
        "aten.unsqueeze_copy.default", "aten.squeeze_copy.default",
        "aten.squeeze_copy.dim", "aten.squeeze_copy.dims",
        "aten._reshape_copy.default", "aten._reshape_alias_copy.default"})
    table.add(name, decomposeReshape);
  for (StringRef name : {"aten.atleast_1d.Sequence", "aten.atleast_2d.Sequence",
                         "aten.atleast_3d.Sequence"})
    table.add(name, decomposeAtLeastSequence);
  table.addView("aten.expand.default", decomposeExpand);
  table.addView("aten.expand_as.default", decomposeExpand);
  table.addView("aten.broadcast_to.default", decomposeExpand);
  table.add("aten.expand_copy.default", decomposeExpand);
}

static void addPermutations(DecompositionTable &table) {
  table.addView("aten.permute.default", decomposePermute);
  table.add("aten.permute_copy.default", decomposePermute);
  table.addView("aten.transpose.int", decomposeTranspose);
  table.addView("aten.swapdims.default", decomposeTranspose);
  table.addView("aten.swapaxes.default", decomposeSwapaxes);
  table.add("aten.transpose_copy.int", decomposeTranspose);
  for (StringRef name : {"aten.t.default", "aten.numpy_T.default"})
    table.addView(name, decomposeReversedDims);
  table.add("aten.t_copy.default", decomposeReversedDims);
  table.addView("aten.mT.default", decomposeMatrixTranspose);
  for (StringRef name :
       {"aten.mH.default", "aten.adjoint.default", "aten.matrix_H.default"})
    table.addView(name, decomposeAdjoint);
  for (StringRef base : {"aten.movedim.", "aten.moveaxis."})
    for (StringRef overload : {"int", "intlist"})
      table.addView((base + overload).str(), decomposeMovedim);
}

static void addCopies(DecompositionTable &table) {
  for (StringRef name : {"aten.detach.default", "aten.alias.default",
                         "aten.lift_fresh.default", "aten.lift.default"})
    table.addView(name, decomposeIdentity);
  table.addMaybeView("aten.contiguous.default", decomposeIdentity);
  for (StringRef name : {"aten.clone.default", "aten.lift_fresh_copy.default",
                         "aten.alias_copy.default", "aten.detach_copy.default"})
    table.add(name, decomposeIdentity);
  for (StringRef name :
       {"aten.to.dtype", "aten.to.dtype_layout", "aten.to.device",
        "aten.to.other", "aten.type_as.default"})
    table.addMaybeView(name, decomposeTo);
  table.add("aten._to_copy.default", decomposeTo);
  table.add("aten.copy.default", decomposeCopy);
}

void normalize::registerViewsDecompositions(DecompositionTable &table) {
  addReshapes(table);
  addPermutations(table);
  addCopies(table);
  table.addView("aten.view.dtype", decomposeViewDtype);
}
