//===- SymEvaluate.cpp - Values, bounds and substitution ------------------===//

#include "dialects/Sym/Sym.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace adze::sym {

using Lookup = llvm::function_ref<std::optional<int64_t>(StringRef)>;

static double toDouble(Number number) {
  if (auto *value = std::get_if<int64_t>(&number))
    return static_cast<double>(*value);
  return std::get<double>(number);
}

//===----------------------------------------------------------------------===//
// Integer arithmetic; nullopt on overflow and division by zero
//===----------------------------------------------------------------------===//

static std::optional<int64_t> floorDivide(int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == INT64_MIN))
    return std::nullopt;
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

static std::optional<int64_t> floorModulo(int64_t a, int64_t b) {
  if (b == 0)
    return std::nullopt;
  if (b == -1)
    return 0;
  int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b
                                                      : remainder;
}

static std::optional<int64_t> powInteger(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return std::nullopt;
  int64_t result = 1;
  for (; exponent > 0; --exponent) {
    if (result == 0 || (result == 1 && base == 1))
      return result;
    if (llvm::MulOverflow(result, base, result))
      return std::nullopt;
  }
  return result;
}

static std::optional<Number> applyInteger(ExprKind kind, int64_t a, int64_t b) {
  int64_t result;
  switch (kind) {
  case ExprKind::Add:
    return llvm::AddOverflow(a, b, result) ? std::nullopt
                                           : std::optional<Number>(result);
  case ExprKind::Mul:
    return llvm::MulOverflow(a, b, result) ? std::nullopt
                                           : std::optional<Number>(result);
  case ExprKind::FloorDiv:
    return floorDivide(a, b);
  case ExprKind::Mod:
    return floorModulo(a, b);
  case ExprKind::Pow:
    return powInteger(a, b);
  case ExprKind::Max:
    return std::max(a, b);
  case ExprKind::Min:
    return std::min(a, b);
  default:
    return std::nullopt;
  }
}

static std::optional<Number> applyFloat(ExprKind kind, double a, double b) {
  switch (kind) {
  case ExprKind::Add:
    return a + b;
  case ExprKind::Mul:
    return a * b;
  case ExprKind::Pow:
    return std::pow(a, b);
  case ExprKind::Max:
    return std::max(a, b);
  case ExprKind::Min:
    return std::min(a, b);
  case ExprKind::FloorDiv:
    return b == 0 ? std::nullopt : std::optional<Number>(std::floor(a / b));
  case ExprKind::TrueDiv:
    return b == 0 ? std::nullopt : std::optional<Number>(a / b);
  default:
    return std::nullopt;
  }
}

template <typename T>
static std::optional<Number> applyRelation(ExprKind kind, T a, T b) {
  switch (kind) {
  case ExprKind::Eq:
    return int64_t(a == b);
  case ExprKind::Ne:
    return int64_t(a != b);
  case ExprKind::Lt:
    return int64_t(a < b);
  case ExprKind::Le:
    return int64_t(a <= b);
  case ExprKind::And:
    return int64_t(a != 0 && b != 0);
  case ExprKind::Or:
    return int64_t(a != 0 || b != 0);
  default:
    return std::nullopt;
  }
}

static std::optional<Number> applyBinary(ExprKind kind, Number a, Number b) {
  auto *x = std::get_if<int64_t>(&a), *y = std::get_if<int64_t>(&b);
  bool integers = x && y && kind != ExprKind::TrueDiv;
  if (kind >= ExprKind::Eq && kind <= ExprKind::Or)
    return integers ? applyRelation(kind, *x, *y)
                    : applyRelation(kind, toDouble(a), toDouble(b));
  return integers ? applyInteger(kind, *x, *y)
                  : applyFloat(kind, toDouble(a), toDouble(b));
}

static std::optional<Number> toInteger(double value) {
  if (!(value >= -9.2e18 && value <= 9.2e18))
    return std::nullopt;
  return static_cast<int64_t>(value);
}

static std::optional<Number> applyUnary(ExprKind kind, Number a) {
  switch (kind) {
  case ExprKind::Not:
    return int64_t(toDouble(a) == 0);
  case ExprKind::ToFloat:
    return toDouble(a);
  case ExprKind::Sqrt:
    return std::sqrt(toDouble(a));
  case ExprKind::Trunc:
    return toInteger(std::trunc(toDouble(a)));
  case ExprKind::Floor:
    return toInteger(std::floor(toDouble(a)));
  case ExprKind::Ceil:
    return toInteger(std::ceil(toDouble(a)));
  case ExprKind::Round:
    return toInteger(std::nearbyint(toDouble(a)));
  default:
    return std::nullopt;
  }
}

static std::optional<Number> evaluateLeaf(Expr expr, Lookup lookup) {
  switch (expr.getKind()) {
  case ExprKind::Const:
    return expr.getValue();
  case ExprKind::FloatConst:
    return llvm::bit_cast<double>(expr.getValue());
  default:
    if (auto value = lookup(expr.getSymbol()))
      return *value;
    return std::nullopt;
  }
}

std::optional<Number> evaluateNumber(Expr expr, Lookup lookup) {
  ArrayRef<Expr> operands = expr.getOperands();
  if (operands.empty())
    return evaluateLeaf(expr, lookup);
  auto result = evaluateNumber(operands.front(), lookup);
  if (!result)
    return std::nullopt;
  if (expr.getKind() == ExprKind::Where)
    return evaluateNumber(operands[toDouble(*result) != 0 ? 1 : 2], lookup);
  if (operands.size() == 1)
    return applyUnary(expr.getKind(), *result);
  for (Expr operand : operands.drop_front()) {
    auto next = evaluateNumber(operand, lookup);
    if (!next)
      return std::nullopt;
    result = applyBinary(expr.getKind(), *result, *next);
    if (!result)
      return std::nullopt;
  }
  return result;
}

std::optional<int64_t> evaluate(Expr expr, Lookup lookup) {
  auto number = evaluateNumber(expr, lookup);
  if (!number || !std::holds_alternative<int64_t>(*number))
    return std::nullopt;
  return std::get<int64_t>(*number);
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

void walkSymbols(Expr expr, llvm::function_ref<void(StringRef)> visit) {
  if (expr.getKind() == ExprKind::Symbol)
    visit(expr.getSymbol());
  for (Expr operand : expr.getOperands())
    walkSymbols(operand, visit);
}

Expr substitute(Expr expr, llvm::function_ref<Expr(StringRef)> lookup) {
  if (expr.getKind() == ExprKind::Symbol) {
    Expr value = lookup(expr.getSymbol());
    return value ? value : expr;
  }
  if (expr.getOperands().empty())
    return expr;
  SmallVector<Expr> operands;
  for (Expr operand : expr.getOperands())
    operands.push_back(substitute(operand, lookup));
  return make(expr.getKind(), operands);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

using Bound = std::optional<int64_t>;

static Bound addBounds(Bound a, Bound b) {
  int64_t result;
  if (!a || !b || llvm::AddOverflow(*a, *b, result))
    return std::nullopt;
  return result;
}

/// Only products of non-negative ranges and scalings are bounded.
static Range mulRanges(Range a, Range b) {
  auto product = [](Bound x, Bound y) -> Bound {
    int64_t result;
    if (!x || !y || llvm::MulOverflow(*x, *y, result))
      return std::nullopt;
    return result;
  };
  if (a.min && a.min == a.max && *a.min < 0)
    return {product(a.min, b.max), product(a.min, b.min)};
  if (a.min && *a.min >= 0 && b.min && *b.min >= 0)
    return {product(a.min, b.min), product(a.max, b.max)};
  if (a.min && a.min == a.max)
    return {product(a.min, b.min), product(a.min, b.max)};
  return {};
}

static Range maxRanges(Range a, Range b) {
  Range result;
  if (a.min || b.min)
    result.min = !a.min ? *b.min : !b.min ? *a.min : std::max(*a.min, *b.min);
  if (a.max && b.max)
    result.max = std::max(*a.max, *b.max);
  return result;
}

static Range negateRange(Range a) { return mulRanges({-1, -1}, a); }

static Range floorDivRange(Range a, Range b) {
  if (!b.min || b.min != b.max || *b.min <= 0)
    return a.min && *a.min >= 0 && b.min && *b.min > 0 ? Range{0, a.max}
                                                       : Range{};
  Range result;
  if (a.min)
    result.min = floorDivide(*a.min, *b.min);
  if (a.max)
    result.max = floorDivide(*a.max, *b.min);
  return result;
}

static Range combineRanges(ExprKind kind, Range a, Range b) {
  switch (kind) {
  case ExprKind::Add:
    return {addBounds(a.min, b.min), addBounds(a.max, b.max)};
  case ExprKind::Mul:
    return mulRanges(a, b);
  case ExprKind::Max:
    return maxRanges(a, b);
  case ExprKind::Min:
    return negateRange(maxRanges(negateRange(a), negateRange(b)));
  case ExprKind::FloorDiv:
    return floorDivRange(a, b);
  case ExprKind::Mod:
    if (b.min && *b.min > 0)
      return {0, b.max ? Bound(*b.max - 1) : std::nullopt};
    return {};
  default:
    if (kind >= ExprKind::Eq && kind <= ExprKind::Not)
      return {0, 1};
    return {};
  }
}

Range boundsOf(Expr expr, llvm::function_ref<Range(StringRef)> lookup) {
  if (auto value = asConstant(expr))
    return {value, value};
  if (expr.getKind() == ExprKind::Symbol)
    return lookup(expr.getSymbol());
  if (isFloat(expr) || expr.getOperands().size() < 2)
    return {};
  Range result = boundsOf(expr.getOperands().front(), lookup);
  for (Expr operand : expr.getOperands().drop_front())
    result = combineRanges(expr.getKind(), result, boundsOf(operand, lookup));
  return result;
}

} // namespace adze::sym
