//===- Checks.cpp - Assertions and numbers that depend on data ------------===//

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::ExprKind;

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

static void assertExpr(CallContext &c, Expr condition, StringRef message) {
  if (sym::asConstant(condition).value_or(0) == 0)
    prim::AssertExprOp::create(c.b.getBuilder(), c.getLoc(), condition,
                               message);
}

/// The dep token of functional assertions orders them; here order is kept.
static void passToken(CallContext &c) {
  if (c.numResults() > 0 && c.has("dep_token"))
    (void)c.setResult(0, c.tensor("dep_token"));
}

static LogicalResult decomposeAssertScalar(CallContext &c) {
  Scalar value = c.scalar("self");
  Expr condition = value.kind == Scalar::Kind::Symbolic
                       ? value.expr
                       : c.b.expr(value.re != 0);
  assertExpr(c, condition, c.text("assert_msg"));
  passToken(c);
  return success();
}

static LogicalResult decomposeAssertAsync(CallContext &c) {
  Value value = c.reshape(c.tensor("self"), {});
  StringRef message = c.text("assert_msg");
  prim::AssertOp::create(c.b.getBuilder(), c.getLoc(),
                         c.b.convert(value, c.b.getBuilder().getI1Type()),
                         message.empty() ? "expected a tensor with a true value"
                                         : message);
  passToken(c);
  return success();
}

static LogicalResult decomposeConstrainRange(CallContext &c) {
  Expr size = c.size("size");
  if (auto min = c.optSize("min"))
    c.require(sym::make(ExprKind::Le, {*min, size}),
              "the value is below its declared range");
  if (auto max = c.optSize("max"))
    c.require(sym::make(ExprKind::Le, {size, *max}),
              "the value is above its declared range");
  return success();
}

static LogicalResult decomposeConstrainSize(CallContext &c) {
  c.require(sym::make(ExprKind::Le, {c.b.expr(0), c.size("size")}),
            "a size is negative");
  return decomposeConstrainRange(c);
}

static LogicalResult decomposeAssertMetadata(CallContext &c) {
  Value a = c.tensor("a");
  if (auto dtype = c.dtype("dtype"); dtype && *dtype != c.b.elementOf(a))
    return c.emitInvalid(
        "the element type is not the one that the program expects");
  if (c.isNone("size"))
    return success();
  sym::Shape expected = c.sizes("size"), found = c.b.shapeOf(a);
  if (expected.size() != found.size())
    return c.emitInvalid("expected a tensor of rank " + Twine(expected.size()));
  for (auto [want, have] : llvm::zip(expected, found))
    c.requireEqual(want, have, "the tensor has not the expected sizes");
  return success();
}

//===----------------------------------------------------------------------===//
// Data to symbols
//===----------------------------------------------------------------------===//

static LogicalResult decomposeItem(CallContext &c) {
  if (c.numDefinedSymbols() == 0)
    return success();
  Value value = c.reshape(c.tensor("self"), {});
  if (isBool(c.b.elementOf(value)))
    value = c.b.convert(value, c.b.getBuilder().getI64Type());
  return c.bindSymbol(0, value);
}

/// Gives a number that no later call can refer to, or nothing.
static LogicalResult decomposeNothing(CallContext &c) {
  if (c.numResults() > 0 || c.numDefinedSymbols() > 0)
    return c.emitUnsupported("a result that depends on more than sizes");
  return success();
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

void normalize::registerChecksDecompositions(DecompositionTable &table) {
  table.add("aten._assert_scalar.default", decomposeAssertScalar);
  table.add("aten._functional_assert_scalar.default", decomposeAssertScalar);
  table.add("aten._assert_async.default", decomposeAssertAsync);
  table.add("aten._assert_async.msg", decomposeAssertAsync);
  table.add("aten._functional_assert_async.msg", decomposeAssertAsync);
  table.add("aten.sym_constrain_range.default", decomposeConstrainRange);
  table.add("aten.sym_constrain_range_for_size.default",
            decomposeConstrainSize);
  table.add("aten._assert_tensor_metadata.default", decomposeAssertMetadata);
  table.add("aten.item.default", decomposeItem);
  table.add("aten._local_scalar_dense.default", decomposeItem);
  for (StringRef name :
       {"aten.is_same_size.default", "aten._has_same_storage_numel.default",
        "aten.is_nonzero.default", "aten.equal.default", "aten._print.default"})
    table.add(name, decomposeNothing);
}
