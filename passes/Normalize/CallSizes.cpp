//===- CallSizes.cpp - Symbolic sizes of a call ---------------------------===//

#include "passes/Normalize/CallContext.h"

using namespace mlir;

namespace adze::normalize {

using sym::Expr;
using sym::ExprKind;

bool CallContext::isKnownLessEqual(Expr a, Expr b) {
  auto bounds = sym::boundsOf(sym::sub(b, a), [&](StringRef symbol) {
    return environment.rangeOf(symbol);
  });
  return bounds.min && *bounds.min >= 0;
}

Expr CallContext::minOf(Expr a, Expr b) {
  if (isKnownLessEqual(a, b))
    return a;
  return isKnownLessEqual(b, a) ? b : sym::min(a, b);
}

Expr CallContext::maxOf(Expr a, Expr b) {
  if (isKnownLessEqual(a, b))
    return b;
  return isKnownLessEqual(b, a) ? a : sym::max(a, b);
}

void CallContext::require(Expr condition, const Twine &message) {
  if (auto value = sym::asConstant(condition)) {
    if (*value == 0)
      (void)emitInvalid(message);
    return;
  }
  prim::AssertExprOp::create(b.getBuilder(), getLoc(), condition,
                             (callee() + ": " + message).str());
}

void CallContext::requireEqual(Expr a, Expr b, const Twine &message) {
  if (a != b)
    require(sym::make(ExprKind::Eq, {a, b}), message);
}

Expr CallContext::wrapBound(Expr bound, Expr size) {
  // Larger than every size: the default end of a slice.
  if (auto value = sym::asConstant(bound); value && *value > (int64_t(1) << 60))
    return size;
  Expr zero = b.expr(0);
  Expr fromEnd = maxOf(sym::add(bound, size), zero),
       fromStart = minOf(bound, size);
  if (isKnownNonNegative(bound))
    return fromStart;
  if (isKnownLessEqual(bound, b.expr(-1)))
    return fromEnd;
  return sym::make(ExprKind::Where, {sym::make(ExprKind::Lt, {bound, zero}),
                                     fromEnd, fromStart});
}

Expr CallContext::wrapIndex(Expr index, Expr size) {
  Expr zero = b.expr(0), wrapped = sym::add(index, size);
  if (isKnownNonNegative(index))
    wrapped = index;
  else if (!isKnownLessEqual(index, b.expr(-1)))
    wrapped =
        sym::make(ExprKind::Where,
                  {sym::make(ExprKind::Lt, {index, zero}), wrapped, index});
  if (!isKnownNonNegative(wrapped))
    require(sym::make(ExprKind::Le, {zero, wrapped}), "index out of range");
  if (!isKnownLessEqual(wrapped, sym::add(size, b.expr(-1))))
    require(sym::make(ExprKind::Lt, {wrapped, size}), "index out of range");
  return wrapped;
}

Value CallContext::reshape(Value value, ArrayRef<Expr> shape) {
  Expr from = sym::product(getContext(), b.shapeOf(value));
  Expr to = sym::product(getContext(), shape);
  requireEqual(from, to,
               "expected as many elements as before, " + sym::toString(from) +
                   ", but found " + sym::toString(to));
  // What can not be reshaped is reported already.
  if (sym::asConstant(from) && sym::asConstant(to) && from != to)
    return b.full(shape, 0, b.elementOf(value));
  return b.reshape(value, shape);
}

} // namespace adze::normalize
