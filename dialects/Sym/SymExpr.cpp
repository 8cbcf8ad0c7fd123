//===- SymExpr.cpp - Canonical construction of expressions ----------------===//
//
// Sums are kept as sorted lists of (coefficient * monomial), products as a
// coefficient and a sorted list of factors. That makes structural equality
// decide equality of polynomials, which is what broadcasting, reshapes and
// memory planning ask for.
//
//===----------------------------------------------------------------------===//

#include "dialects/Sym/Sym.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace adze::sym {

static Expr build(MLIRContext *context, ExprKind kind, int64_t value,
                  StringRef symbol, ArrayRef<Expr> operands) {
  return ExprAttr::get(context, kind, value, StringAttr::get(context, symbol),
                       operands);
}

static Expr buildOp(ExprKind kind, ArrayRef<Expr> operands) {
  return build(operands.front().getContext(), kind, 0, "", operands);
}

Expr constant(MLIRContext *context, int64_t value) {
  return build(context, ExprKind::Const, value, "", {});
}

Expr floatConstant(MLIRContext *context, double value) {
  return build(context, ExprKind::FloatConst, llvm::bit_cast<int64_t>(value),
               "", {});
}

Expr symbol(MLIRContext *context, StringRef name) {
  return build(context, ExprKind::Symbol, 0, name, {});
}

std::optional<int64_t> asConstant(Expr expr) {
  if (expr && expr.getKind() == ExprKind::Const)
    return expr.getValue();
  return std::nullopt;
}

bool isFloat(Expr expr) {
  switch (expr.getKind()) {
  case ExprKind::FloatConst:
  case ExprKind::ToFloat:
  case ExprKind::TrueDiv:
  case ExprKind::Sqrt:
    return true;
  case ExprKind::Add:
  case ExprKind::Mul:
  case ExprKind::Max:
  case ExprKind::Min:
  case ExprKind::Pow:
    return llvm::any_of(expr.getOperands(), isFloat);
  case ExprKind::Where:
    return isFloat(expr.getOperands()[1]) || isFloat(expr.getOperands()[2]);
  default:
    return false;
  }
}

int compare(Expr a, Expr b) {
  if (a == b)
    return 0;
  if (a.getKind() != b.getKind())
    return a.getKind() < b.getKind() ? -1 : 1;
  if (a.getValue() != b.getValue())
    return a.getValue() < b.getValue() ? -1 : 1;
  if (int order = a.getSymbol().strref().compare_numeric(b.getSymbol()))
    return order;
  if (a.getOperands().size() != b.getOperands().size())
    return a.getOperands().size() < b.getOperands().size() ? -1 : 1;
  for (auto [x, y] : llvm::zip(a.getOperands(), b.getOperands()))
    if (int order = compare(x, y))
      return order;
  return 0;
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

namespace {
/// coefficient * monomial; the monomial is null for a plain number.
struct Term {
  int64_t coefficient;
  Expr monomial;
};
} // namespace

static Term splitTerm(Expr expr) {
  if (auto value = asConstant(expr))
    return {*value, Expr()};
  if (expr.getKind() != ExprKind::Mul)
    return {1, expr};
  auto factor = asConstant(expr.getOperands().front());
  if (!factor)
    return {1, expr};
  ArrayRef<Expr> rest = expr.getOperands().drop_front();
  return {*factor,
          rest.size() == 1 ? rest.front() : buildOp(ExprKind::Mul, rest)};
}

static Expr joinTerm(MLIRContext *context, const Term &term) {
  if (!term.monomial)
    return constant(context, term.coefficient);
  if (term.coefficient == 1)
    return term.monomial;
  SmallVector<Expr> factors{constant(context, term.coefficient)};
  if (term.monomial.getKind() == ExprKind::Mul)
    llvm::append_range(factors, term.monomial.getOperands());
  else
    factors.push_back(term.monomial);
  return buildOp(ExprKind::Mul, factors);
}

static void collectTerms(Expr expr, SmallVectorImpl<Term> &terms) {
  if (expr.getKind() == ExprKind::Add)
    for (Expr operand : expr.getOperands())
      terms.push_back(splitTerm(operand));
  else
    terms.push_back(splitTerm(expr));
}

/// Adds up terms of equal monomials. False if a coefficient overflows.
static bool mergeTerms(SmallVectorImpl<Term> &terms) {
  SmallVector<Term> merged;
  for (const Term &term : terms) {
    auto same = llvm::find_if(
        merged, [&](const Term &m) { return m.monomial == term.monomial; });
    if (same == merged.end()) {
      merged.push_back(term);
      continue;
    }
    if (llvm::AddOverflow(same->coefficient, term.coefficient,
                          same->coefficient))
      return false;
  }
  llvm::erase_if(merged, [](const Term &m) { return m.coefficient == 0; });
  terms.assign(merged.begin(), merged.end());
  return true;
}

/// Monomials in the order of `compare`, the plain number last.
static bool termLess(const Term &a, const Term &b) {
  if (!a.monomial || !b.monomial)
    return a.monomial && !b.monomial;
  return compare(a.monomial, b.monomial) < 0;
}

static Expr sumOf(MLIRContext *context, SmallVectorImpl<Term> &terms) {
  llvm::sort(terms, termLess);
  if (terms.empty())
    return constant(context, 0);
  SmallVector<Expr> operands;
  for (const Term &term : terms)
    operands.push_back(joinTerm(context, term));
  return operands.size() == 1 ? operands.front()
                              : buildOp(ExprKind::Add, operands);
}

Expr add(Expr a, Expr b) {
  if (isFloat(a) || isFloat(b))
    return buildOp(ExprKind::Add, {a, b});
  SmallVector<Term> terms;
  collectTerms(a, terms);
  collectTerms(b, terms);
  if (!mergeTerms(terms))
    return buildOp(ExprKind::Add, {a, b});
  return sumOf(a.getContext(), terms);
}

static void collectFactors(Expr monomial, SmallVectorImpl<Expr> &factors) {
  if (!monomial)
    return;
  if (monomial.getKind() == ExprKind::Mul)
    llvm::append_range(factors, monomial.getOperands());
  else
    factors.push_back(monomial);
}

/// The product of two terms; fails on overflow.
static std::optional<Term> mulTerms(const Term &a, const Term &b) {
  Term result{0, Expr()};
  if (llvm::MulOverflow(a.coefficient, b.coefficient, result.coefficient))
    return std::nullopt;
  SmallVector<Expr> factors;
  collectFactors(a.monomial, factors);
  collectFactors(b.monomial, factors);
  llvm::sort(factors, [](Expr x, Expr y) { return compare(x, y) < 0; });
  if (factors.size() == 1)
    result.monomial = factors.front();
  else if (!factors.empty())
    result.monomial = buildOp(ExprKind::Mul, factors);
  return result;
}

Expr mul(Expr a, Expr b) {
  if (isFloat(a) || isFloat(b))
    return buildOp(ExprKind::Mul, {a, b});
  SmallVector<Term> left, right, terms;
  collectTerms(a, left);
  collectTerms(b, right);
  for (const Term &x : left)
    for (const Term &y : right) {
      auto term = mulTerms(x, y);
      if (!term)
        return buildOp(ExprKind::Mul, {a, b});
      terms.push_back(*term);
    }
  if (!mergeTerms(terms))
    return buildOp(ExprKind::Mul, {a, b});
  return sumOf(a.getContext(), terms);
}

Expr neg(Expr a) { return mul(constant(a.getContext(), -1), a); }
Expr sub(Expr a, Expr b) { return add(a, neg(b)); }

//===----------------------------------------------------------------------===//
// Division, extrema and the rest
//===----------------------------------------------------------------------===//

/// a / b if every term of `a` is a multiple of the single term `b`.
static std::optional<Expr> divideExactly(Expr a, Expr b) {
  if (b.getKind() == ExprKind::Add)
    return a == b ? std::optional<Expr>(constant(a.getContext(), 1))
                  : std::nullopt;
  Term divisor = splitTerm(b);
  if (divisor.coefficient == 0)
    return std::nullopt;
  SmallVector<Term> terms;
  collectTerms(a, terms);
  SmallVector<Expr> wanted;
  collectFactors(divisor.monomial, wanted);
  for (Term &term : terms) {
    if (term.coefficient == INT64_MIN || // whose quotient by -1 overflows
        term.coefficient % divisor.coefficient != 0)
      return std::nullopt;
    SmallVector<Expr> factors;
    collectFactors(term.monomial, factors);
    for (Expr factor : wanted) {
      auto *found = llvm::find(factors, factor);
      if (found == factors.end())
        return std::nullopt;
      factors.erase(found);
    }
    term.coefficient /= divisor.coefficient;
    term.monomial = factors.empty()       ? Expr()
                    : factors.size() == 1 ? factors.front()
                                          : buildOp(ExprKind::Mul, factors);
  }
  if (!mergeTerms(terms))
    return std::nullopt;
  return sumOf(a.getContext(), terms);
}

/// Folds an operator whose operands are all constant.
static Expr foldConstants(Expr expr) {
  if (!llvm::all_of(expr.getOperands(), [](Expr operand) {
        return operand.getKind() == ExprKind::Const ||
               operand.getKind() == ExprKind::FloatConst;
      }))
    return expr;
  auto none = [](StringRef) -> std::optional<int64_t> { return std::nullopt; };
  auto number = evaluateNumber(expr, none);
  if (!number)
    return expr;
  if (auto *value = std::get_if<int64_t>(&*number))
    return constant(expr.getContext(), *value);
  return floatConstant(expr.getContext(), std::get<double>(*number));
}

Expr floorDiv(Expr a, Expr b) {
  if (isConstant(b, 1))
    return a;
  if (auto quotient = divideExactly(a, b))
    return *quotient;
  return foldConstants(buildOp(ExprKind::FloorDiv, {a, b}));
}

Expr ceilDiv(Expr a, Expr b) { return neg(floorDiv(neg(a), b)); }

Expr mod(Expr a, Expr b) {
  if (isConstant(b, 1) || divideExactly(a, b))
    return constant(a.getContext(), 0);
  return foldConstants(buildOp(ExprKind::Mod, {a, b}));
}

/// max and min: flattened, sorted, without duplicates, constants folded.
static Expr extremum(ExprKind kind, Expr a, Expr b) {
  SmallVector<Expr> operands;
  for (Expr operand : {a, b})
    if (operand.getKind() == kind)
      llvm::append_range(operands, operand.getOperands());
    else
      operands.push_back(operand);
  llvm::sort(operands, [](Expr x, Expr y) { return compare(x, y) < 0; });
  operands.erase(llvm::unique(operands), operands.end());
  SmallVector<Expr> kept;
  for (Expr operand : operands) {
    if (!kept.empty() && asConstant(kept.back()) && asConstant(operand))
      kept.back() = foldConstants(buildOp(kind, {kept.back(), operand}));
    else
      kept.push_back(operand);
  }
  return kept.size() == 1 ? kept.front() : buildOp(kind, kept);
}

Expr max(Expr a, Expr b) { return extremum(ExprKind::Max, a, b); }
Expr min(Expr a, Expr b) { return extremum(ExprKind::Min, a, b); }

/// Relations whose two sides differ by a constant are decided here.
static Expr relation(ExprKind kind, Expr a, Expr b) {
  if (!isFloat(a) && !isFloat(b))
    if (auto difference = asConstant(sub(a, b))) {
      MLIRContext *context = a.getContext();
      Expr zero = constant(context, 0);
      return foldConstants(
          buildOp(kind, {constant(context, *difference), zero}));
    }
  return foldConstants(buildOp(kind, {a, b}));
}

static Expr power(Expr base, Expr exponent) {
  auto count = asConstant(exponent);
  if (!count || *count < 0 || *count > 8 || isFloat(base))
    return foldConstants(buildOp(ExprKind::Pow, {base, exponent}));
  Expr result = constant(base.getContext(), 1);
  for (int64_t i = 0; i < *count; ++i)
    result = mul(result, base);
  return result;
}

static Expr fold(ExprKind kind, ArrayRef<Expr> operands,
                 llvm::function_ref<Expr(Expr, Expr)> combine) {
  Expr result = operands.front();
  for (Expr operand : operands.drop_front())
    result = combine(result, operand);
  return result;
}

Expr make(ExprKind kind, ArrayRef<Expr> operands) {
  switch (kind) {
  case ExprKind::Add:
    return fold(kind, operands, add);
  case ExprKind::Mul:
    return fold(kind, operands, mul);
  case ExprKind::Max:
    return fold(kind, operands, max);
  case ExprKind::Min:
    return fold(kind, operands, min);
  case ExprKind::FloorDiv:
    return floorDiv(operands[0], operands[1]);
  case ExprKind::Mod:
    return mod(operands[0], operands[1]);
  case ExprKind::Pow:
    return power(operands[0], operands[1]);
  case ExprKind::Eq:
  case ExprKind::Ne:
  case ExprKind::Lt:
  case ExprKind::Le:
    return relation(kind, operands[0], operands[1]);
  default:
    return foldConstants(buildOp(kind, operands));
  }
}

Expr product(MLIRContext *context, ArrayRef<Expr> shape) {
  Expr result = constant(context, 1);
  for (Expr size : shape)
    result = mul(result, size);
  return result;
}

} // namespace adze::sym
