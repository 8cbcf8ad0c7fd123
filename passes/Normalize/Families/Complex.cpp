//===- Complex.cpp - Complex numbers --------------------------------------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

static Value realPart(PrimBuilder &b, Value x) {
  return prim::RealOp::create(b.getBuilder(), b.getLoc(), x);
}

static Value imaginaryPart(PrimBuilder &b, Value x) {
  return prim::ImagOp::create(b.getBuilder(), b.getLoc(), x);
}

/// Real and imaginary parts must be f32 or f64.
static LogicalResult setComplex(CallContext &c, Value re, Value im) {
  Type element = c.b.elementOf(re);
  if (!element.isF32() && !element.isF64())
    return c.emitUnsupported("complex numbers of half precision");
  c.b.broadcastTogether(re, im);
  return c.setResult(
      0, prim::ComplexOp::create(c.b.getBuilder(), c.getLoc(), re, im));
}

static LogicalResult decomposeComplex(CallContext &c) {
  return setComplex(c, c.tensor("real"), c.tensor("imag"));
}

static LogicalResult decomposePolar(CallContext &c) {
  Value abs = c.tensor("abs"), angle = c.tensor("angle");
  if (!isFloat(c.b.elementOf(angle)))
    return c.emitInvalid("expected an angle that is a float");
  Value re = c.b.mul(abs, c.b.unary<prim::CosOp>(angle));
  Value im = c.b.mul(abs, c.b.unary<prim::SinOp>(angle));
  return setComplex(c, re, im);
}

static LogicalResult decomposeReal(CallContext &c) {
  Value self = c.tensor("self");
  return c.setResult(0, isComplex(c.b.elementOf(self)) ? realPart(c.b, self)
                                                       : self);
}

static LogicalResult decomposeImag(CallContext &c) {
  Value self = c.tensor("self");
  if (!isComplex(c.b.elementOf(self)))
    return c.emitInvalid("expected complex numbers");
  return c.setResult(0, imaginaryPart(c.b, self));
}

static LogicalResult decomposeConj(CallContext &c) {
  Value self = c.tensor("self");
  if (!isComplex(c.b.elementOf(self)))
    return c.setResult(0, self);
  return setComplex(c, realPart(c.b, self), c.b.neg(imaginaryPart(c.b, self)));
}

/// There are no lazy conjugates or negatives here.
static LogicalResult decomposeResolved(CallContext &c) {
  return c.setResult(0, c.tensor("self"));
}

static LogicalResult decomposeNegView(CallContext &c) {
  return c.setResult(0, c.b.neg(c.tensor("self")));
}

/// The parts lie along a new last dim.
static LogicalResult decomposeViewAsReal(CallContext &c) {
  Value self = c.tensor("self");
  if (!isComplex(c.b.elementOf(self)))
    return c.emitInvalid("expected complex numbers");
  int64_t rank = c.b.rankOf(self);
  Value re = c.b.unsqueeze(realPart(c.b, self), rank);
  Value im = c.b.unsqueeze(imaginaryPart(c.b, self), rank);
  return c.setResult(0, c.b.concat({re, im}, rank));
}

static LogicalResult decomposeViewAsComplex(CallContext &c) {
  Value self = c.tensor("self");
  int64_t last = c.b.rankOf(self) - 1;
  if (last < 0 || !sym::isConstant(c.b.shapeOf(self)[last], 2))
    return c.emitInvalid("expected a last dim of size 2");
  auto part = [&](int64_t i) {
    return c.b.squeeze(c.b.slice(self, last, c.b.expr(i), c.b.expr(1)), last);
  };
  return setComplex(c, part(0), part(1));
}

/// 0 or pi for real numbers.
static Value angleOfReal(PrimBuilder &b, Value x) {
  Value isNegative = b.compare(Comparison::lt, x, 0.0);
  Value angle = b.where(isNegative, b.fullLike(x, M_PI), b.fullLike(x, 0));
  return b.where(b.isNan(x), x, angle);
}

static LogicalResult decomposeAngle(CallContext &c) {
  Value self = c.tensor("self");
  if (!isComplex(c.b.elementOf(self)))
    return c.setResult(0, c.elementwiseFloat({self}, [&](Operands x) {
      return angleOfReal(c.b, x[0]);
    }));
  return c.setResult(0, c.b.binary<prim::Atan2Op>(imaginaryPart(c.b, self),
                                                  realPart(c.b, self)));
}

void normalize::registerComplexDecompositions(DecompositionTable &table) {
  table.add("aten.complex.default", decomposeComplex);
  table.add("aten.polar.default", decomposePolar);
  table.add("aten.angle.default", decomposeAngle);
  table.addView("aten.real.default", decomposeReal);
  table.addView("aten.imag.default", decomposeImag);
  table.addView("aten.conj.default", decomposeConj);
  table.addView("aten._conj.default", decomposeConj);
  table.add("aten.conj_physical.default", decomposeConj);
  table.add("aten._conj_physical.default", decomposeConj);
  table.addView("aten._neg_view.default", decomposeNegView);
  table.addMaybeView("aten.resolve_conj.default", decomposeResolved);
  table.addMaybeView("aten.resolve_neg.default", decomposeResolved);
  table.addView("aten.positive.default", decomposeResolved);
  table.addView("aten.view_as_real.default", decomposeViewAsReal);
  table.addView("aten.view_as_complex.default", decomposeViewAsComplex);
  table.add("aten._conj_copy.default", decomposeConj);
  table.add("aten.view_as_real_copy.default", decomposeViewAsReal);
  table.add("aten.view_as_complex_copy.default", decomposeViewAsComplex);
}
