//===- SymbolSolver.cpp - Symbols from the sizes of arguments ------------===//

#include "SymbolSolver.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace adze::interp {

namespace {
/// slope * unknown + offset
struct Linear {
  int64_t slope, offset;
};
} // namespace

static std::optional<Linear> linearIn(sym::Expr expr, StringRef unknown,
                                      const llvm::StringMap<int64_t> &symbols);

static std::optional<Linear> combine(sym::ExprKind kind, Linear a, Linear b) {
  Linear result;
  if (kind == sym::ExprKind::Add) {
    if (llvm::AddOverflow(a.slope, b.slope, result.slope) ||
        llvm::AddOverflow(a.offset, b.offset, result.offset))
      return std::nullopt;
    return result;
  }
  if (a.slope != 0)
    std::swap(a, b);
  if (a.slope != 0 || llvm::MulOverflow(a.offset, b.slope, result.slope) ||
      llvm::MulOverflow(a.offset, b.offset, result.offset))
    return std::nullopt;
  return result;
}

static std::optional<Linear> linearIn(sym::Expr expr, StringRef unknown,
                                      const llvm::StringMap<int64_t> &symbols) {
  if (expr.getKind() == sym::ExprKind::Symbol && expr.getSymbol() == unknown)
    return Linear{1, 0};
  if (expr.getKind() != sym::ExprKind::Add &&
      expr.getKind() != sym::ExprKind::Mul) {
    auto value =
        sym::evaluate(expr, [&](StringRef name) -> std::optional<int64_t> {
          auto found = symbols.find(name);
          return found == symbols.end() ? std::nullopt
                                        : std::optional(found->second);
        });
    return value ? std::optional(Linear{0, *value}) : std::nullopt;
  }
  std::optional<Linear> result;
  for (sym::Expr operand : expr.getOperands()) {
    auto next = linearIn(operand, unknown, symbols);
    if (next && result)
      next = combine(expr.getKind(), *result, *next);
    if (!next)
      return std::nullopt;
    result = next;
  }
  return result;
}

/// The value of the only unknown symbol of an equation.
static bool solveOne(const SizeEquation &equation,
                     llvm::StringMap<int64_t> &symbols) {
  llvm::StringSet<> unknown;
  sym::walkSymbols(equation.expr, [&](StringRef name) {
    if (!symbols.contains(name))
      unknown.insert(name);
  });
  if (unknown.size() != 1)
    return false;
  StringRef name = unknown.begin()->getKey();
  auto linear = linearIn(equation.expr, name, symbols);
  int64_t rest;
  if (!linear || linear->slope == 0 ||
      llvm::SubOverflow(equation.value, linear->offset, rest) ||
      rest == INT64_MIN || rest % linear->slope != 0)
    return false;
  symbols[name] = rest / linear->slope;
  return true;
}

void solveSymbols(ArrayRef<SizeEquation> equations,
                  llvm::StringMap<int64_t> &symbols) {
  bool progress = true;
  while (progress) {
    progress = false;
    for (const SizeEquation &equation : equations)
      progress |= solveOne(equation, symbols);
  }
}

} // namespace adze::interp
