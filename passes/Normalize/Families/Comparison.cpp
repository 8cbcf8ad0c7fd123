//===- Comparison.cpp - Comparisons, extrema, logic, bits, where ----------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Numbers are rounded to the common type, unlike in arithmetic.
template <Comparison predicate>
static LogicalResult decomposeCompare(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  bool ordered = predicate != Comparison::eq && predicate != Comparison::ne;
  if (ordered && refuseComplex(c, {self, other}))
    return failure();
  Type type = c.promote({self, other});
  return c.setResult(
      0, c.b.compare(predicate, c.convert(self, type), c.convert(other, type)));
}

static LogicalResult decomposeIsnan(CallContext &c) {
  return c.setResult(0, c.b.isNan(c.tensor("self")));
}

static LogicalResult decomposeIsinf(CallContext &c) {
  return c.setResult(0, isInfinite(c.b, c.tensor("self")));
}

static LogicalResult decomposeIsfinite(CallContext &c) {
  return c.setResult(0, isFinite(c.b, c.tensor("self")));
}

static LogicalResult setEqualTo(CallContext &c, double infinity) {
  Value self = c.tensor("self");
  if (refuseComplex(c, {self}))
    return failure();
  if (!isFloat(c.b.elementOf(self)))
    return c.setResult(0, boolLike(c.b, self, false));
  return c.setResult(0, c.b.compare(Comparison::eq, self, infinity));
}

static LogicalResult decomposeIsposinf(CallContext &c) {
  return setEqualTo(c, INFINITY);
}

static LogicalResult decomposeIsneginf(CallContext &c) {
  return setEqualTo(c, -INFINITY);
}

static LogicalResult decomposeIsreal(CallContext &c) {
  Value self = c.tensor("self");
  if (!isComplex(c.b.elementOf(self)))
    return c.setResult(0, boolLike(c.b, self, true));
  Value im = prim::ImagOp::create(c.b.getBuilder(), c.getLoc(), self);
  return c.setResult(0, c.b.compare(Comparison::eq, im, 0.0));
}

/// The operands have one type here, and every step rounds to its type.
static LogicalResult decomposeIsclose(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self"), other = c.tensor("other");
  double rtol = c.number("rtol"), atol = c.number("atol");
  Value close = b.compare(Comparison::eq, self, other);
  if (c.flag("equal_nan"))
    close = b.logicalOr(close, b.logicalAnd(b.isNan(self), b.isNan(other)));
  if (rtol == 0 && atol == 0)
    return c.setResult(0, close);
  Type type = floatTypeFor(b.elementOf(self));
  self = b.convert(self, type), other = b.convert(other, type);
  Value allowed = b.add(magnitude(b, b.mul(other, rtol)), atol);
  Value error = magnitude(b, b.sub(self, other));
  Value near = b.logicalAnd(isFinite(b, error),
                            b.compare(Comparison::le, error, allowed));
  return c.setResult(0, b.logicalOr(close, near));
}

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

static LogicalResult decomposeMaximum(CallContext &c) {
  return setElementwise(c, {"self", "other"},
                        [&](Operands x) { return maximum(c.b, x[0], x[1]); });
}

static LogicalResult decomposeMinimum(CallContext &c) {
  return setElementwise(c, {"self", "other"},
                        [&](Operands x) { return minimum(c.b, x[0], x[1]); });
}

/// The other operand where one is NaN.
static Value ignoringNan(PrimBuilder &b, Value x, Value y, Value extremum) {
  if (!isFloat(b.elementOf(x)))
    return extremum;
  return b.where(b.isNan(x), y, b.where(b.isNan(y), x, extremum));
}

static LogicalResult decomposeFmax(CallContext &c) {
  return setElementwise(c, {"self", "other"}, [&](Operands x) {
    return ignoringNan(c.b, x[0], x[1], maximum(c.b, x[0], x[1]));
  });
}

static LogicalResult decomposeFmin(CallContext &c) {
  return setElementwise(c, {"self", "other"}, [&](Operands x) {
    return ignoringNan(c.b, x[0], x[1], minimum(c.b, x[0], x[1]));
  });
}

/// A number is NaN or not; of a tensor nobody knows.
static bool mayBeNan(CallContext &c, StringRef name) {
  return c.capturedTensor(name) || std::isnan(c.scalar(name).re);
}

/// Raises to the lower bound first, so that the upper bound wins.
static LogicalResult setClamped(CallContext &c, StringRef low, StringRef high) {
  SmallVector<Value> operands{c.tensor("self")};
  bool hasLow = !low.empty() && c.has(low),
       hasHigh = !high.empty() && c.has(high);
  if (hasLow)
    operands.push_back(c.tensor(low));
  if (hasHigh)
    operands.push_back(c.tensor(high));
  bool lowMayBeNan = hasLow && mayBeNan(c, low);
  bool highMayBeNan = hasHigh && mayBeNan(c, high);
  if (refuseComplex(c, operands))
    return failure();
  return c.setResult(0, c.elementwise(operands, [&](Operands x) {
    Value result = x[0];
    if (hasLow)
      result = clampMin(c.b, result, x[1], lowMayBeNan);
    return hasHigh ? clampMax(c.b, result, x.back(), highMayBeNan) : result;
  }));
}

static LogicalResult decomposeClamp(CallContext &c) {
  return setClamped(c, "min", "max");
}

static LogicalResult decomposeClampMin(CallContext &c) {
  return setClamped(c, "min", "");
}

static LogicalResult decomposeClampMax(CallContext &c) {
  return setClamped(c, "", "max");
}

static LogicalResult decomposeHeaviside(CallContext &c) {
  return setElementwise(c, {"self", "values"}, [&](Operands x) {
    Value step = c.b.convert(c.b.compare(Comparison::gt, x[0], 0.0),
                             c.b.elementOf(x[0]));
    return c.b.where(c.b.compare(Comparison::eq, x[0], 0.0), x[1], step);
  });
}

//===----------------------------------------------------------------------===//
// Logic and bits
//===----------------------------------------------------------------------===//

template <typename OpT> static LogicalResult decomposeLogical(CallContext &c) {
  Value self = toBool(c.b, c.tensor("self")),
        other = toBool(c.b, c.tensor("other"));
  return c.setResult(0, c.b.binary<OpT>(self, other));
}

static LogicalResult decomposeLogicalNot(CallContext &c) {
  return c.setResult(0, c.b.logicalNot(toBool(c.b, c.tensor("self"))));
}

template <typename OpT> static LogicalResult decomposeBitwise(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  if (!isIntegral(c.promote({self, other})))
    return c.emitInvalid("expected integers or bool to combine bits of");
  return c.setResult(0, c.elementwise({self, other}, [&](Operands x) {
    return c.b.binary<OpT>(x[0], x[1]);
  }));
}

static LogicalResult decomposeBitwiseNot(CallContext &c) {
  Value self = c.tensor("self");
  if (!isIntegral(c.b.elementOf(self)))
    return c.emitInvalid("expected integers or bool to invert bits of");
  return c.setResult(0, c.b.unary<prim::NotOp>(self));
}

//===----------------------------------------------------------------------===//
// Where
//===----------------------------------------------------------------------===//

static LogicalResult decomposeWhere(CallContext &c) {
  Value condition = toBool(c.b, c.tensor("condition"));
  Value self = c.tensor("self"), other = c.tensor("other");
  Type type = c.promote({self, other});
  return c.setResult(
      0, c.b.where(condition, c.convert(self, type), c.convert(other, type)));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

template <Comparison predicate>
static void addComparison(DecompositionTable &table,
                          std::initializer_list<StringRef> names) {
  for (StringRef name : names)
    for (StringRef overload : {".Tensor", ".Scalar"})
      table.add(("aten." + name + overload).str(), decomposeCompare<predicate>);
}

/// The function and Python's operator, whose overloads have other names; those
/// of the shifts tell which operand is the number.
static void addBits(DecompositionTable &table, StringRef name,
                    StringRef operatorName, Decomposition function) {
  bool isShift = name.ends_with("shift");
  for (StringRef overload :
       {".Tensor", ".Scalar_Tensor", isShift ? ".Tensor_Scalar" : ".Scalar"})
    table.add(("aten." + name + overload).str(), function);
  for (StringRef overload : {".Tensor", ".Scalar"})
    table.add(("aten." + operatorName + overload).str(), function);
}

static void registerComparisons(DecompositionTable &table) {
  addComparison<Comparison::eq>(table, {"eq"});
  addComparison<Comparison::ne>(table, {"ne", "not_equal"});
  addComparison<Comparison::lt>(table, {"lt", "less"});
  addComparison<Comparison::le>(table, {"le", "less_equal"});
  addComparison<Comparison::gt>(table, {"gt", "greater"});
  addComparison<Comparison::ge>(table, {"ge", "greater_equal"});
  table.add("aten.isnan.default", decomposeIsnan);
  table.add("aten.isinf.default", decomposeIsinf);
  table.add("aten.isfinite.default", decomposeIsfinite);
  table.add("aten.isposinf.default", decomposeIsposinf);
  table.add("aten.isneginf.default", decomposeIsneginf);
  table.add("aten.isreal.default", decomposeIsreal);
  table.add("aten.isclose.default", decomposeIsclose);
}

static void registerExtrema(DecompositionTable &table) {
  table.add("aten.maximum.default", decomposeMaximum);
  table.add("aten.minimum.default", decomposeMinimum);
  table.add("aten.max.other", decomposeMaximum);
  table.add("aten.min.other", decomposeMinimum);
  table.add("aten.fmax.default", decomposeFmax);
  table.add("aten.fmin.default", decomposeFmin);
  for (StringRef overload : {".default", ".Tensor"}) {
    table.add(("aten.clamp" + overload).str(), decomposeClamp);
    table.add(("aten.clip" + overload).str(), decomposeClamp);
    table.add(("aten.clamp_min" + overload).str(), decomposeClampMin);
    table.add(("aten.clamp_max" + overload).str(), decomposeClampMax);
  }
  table.add("aten.heaviside.default", decomposeHeaviside);
}

static void registerLogic(DecompositionTable &table) {
  table.add("aten.logical_and.default", decomposeLogical<prim::AndOp>);
  table.add("aten.logical_or.default", decomposeLogical<prim::OrOp>);
  table.add("aten.logical_xor.default", decomposeLogical<prim::XorOp>);
  table.add("aten.logical_not.default", decomposeLogicalNot);
  addBits(table, "bitwise_and", "__and__", decomposeBitwise<prim::AndOp>);
  addBits(table, "bitwise_or", "__or__", decomposeBitwise<prim::OrOp>);
  addBits(table, "bitwise_xor", "__xor__", decomposeBitwise<prim::XorOp>);
  addBits(table, "bitwise_left_shift", "__lshift__",
          decomposeBitwise<prim::ShiftLeftOp>);
  addBits(table, "bitwise_right_shift", "__rshift__",
          decomposeBitwise<prim::ShiftRightOp>);
  table.add("aten.bitwise_not.default", decomposeBitwiseNot);
}

void normalize::registerComparisonDecompositions(DecompositionTable &table) {
  registerComparisons(table);
  registerExtrema(table);
  registerLogic(table);
  for (StringRef overload : {"self", "ScalarSelf", "ScalarOther", "Scalar"})
    table.add(("aten.where." + overload).str(), decomposeWhere);
}
