//===- SolveSymbols.cpp - How each symbol follows from the inputs ---------===//

#include "InterfaceBuilder.h"

#include "adze/Support/Diagnostics.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace adze {

using sym::Expr;
using sym::ExprKind;

namespace {
struct Linear {
  StringRef symbol;
  int64_t scale, shift;
};
} // namespace

/// scale * s + shift with a positive scale.
static std::optional<Linear> asLinear(Expr expr) {
  Linear linear{"", 1, 0};
  if (expr.getKind() == ExprKind::Add && expr.getOperands().size() == 2) {
    auto shift = sym::asConstant(expr.getOperands()[1]);
    if (!shift)
      return std::nullopt;
    linear.shift = *shift;
    expr = expr.getOperands()[0];
  }
  if (expr.getKind() == ExprKind::Mul && expr.getOperands().size() == 2) {
    auto scale = sym::asConstant(expr.getOperands()[0]);
    if (!scale || *scale <= 0)
      return std::nullopt;
    linear.scale = *scale;
    expr = expr.getOperands()[1];
  }
  if (expr.getKind() != ExprKind::Symbol)
    return std::nullopt;
  linear.symbol = expr.getSymbol();
  return linear;
}

bool InterfaceBuilder::solveFromDims(StringRef name, SymbolSpec &symbol,
                                     bool isPlain) {
  for (auto [i, input] : llvm::enumerate(program.inputs))
    for (auto [dim, expr] : llvm::enumerate(input.dims)) {
      auto linear = asLinear(expr);
      if (!linear || linear->symbol != name)
        continue;
      if (isPlain && (linear->scale != 1 || linear->shift != 0))
        continue;
      symbol.source = ADZE_SYMBOL_DIM;
      symbol.input = i;
      symbol.dim = dim;
      symbol.scale = linear->scale;
      symbol.shift = linear->shift;
      return true;
    }
  return false;
}

bool InterfaceBuilder::solveFromScalar(StringRef name, SymbolSpec &symbol) {
  for (auto [i, entry] : llvm::enumerate(inputEntries)) {
    auto expr = entry.getAs<sym::ExprAttr>("expr");
    if (!expr || program.inputs[i].isConstant ||
        expr.getKind() != ExprKind::Symbol ||
        expr.getSymbol().getValue() != name)
      continue;
    symbol.source = ADZE_SYMBOL_SCALAR;
    symbol.input = i;
    return true;
  }
  return false;
}

bool InterfaceBuilder::solveFromStride(StringRef name, SymbolSpec &symbol) {
  for (auto [i, input] : llvm::enumerate(program.inputs)) {
    if (!input.strides)
      continue;
    for (auto [dim, stride] : llvm::enumerate(*input.strides))
      if (stride.getKind() == ExprKind::Symbol &&
          stride.getSymbol().getValue() == name) {
        symbol.source = ADZE_SYMBOL_STRIDE;
        symbol.input = i;
        symbol.dim = dim;
        return true;
      }
  }
  return false;
}

/// What the program reads; a symbol may be declared and not used at all.
llvm::StringSet<> InterfaceBuilder::usedSymbols() {
  llvm::StringSet<> used;
  AttrTypeWalker walker;
  walker.addWalk([&](sym::ExprAttr expr) {
    sym::walkSymbols(expr, [&](StringRef name) { used.insert(name); });
    return WalkResult::skip();
  });
  func->walk([&](Operation *op) {
    walker.walk(op->getAttrDictionary());
    for (Type type : op->getResultTypes())
      walker.walk(type);
  });
  return used;
}

llvm::Error InterfaceBuilder::solveSymbols() {
  llvm::StringSet<> used = usedSymbols();
  for (StringRef name : layout.symbols()) {
    SymbolSpec symbol;
    symbol.name = name.str();
    bool isSolved = layout.isLate(name) ||
                    solveFromDims(name, symbol, /*isPlain=*/true) ||
                    solveFromScalar(name, symbol) ||
                    solveFromDims(name, symbol, /*isPlain=*/false) ||
                    solveFromStride(name, symbol);
    if (!isSolved && used.contains(name))
      return makeError(DiagId::UnsupportedFeature,
                       "the value of size symbol '" + name +
                           "' cannot be told from the inputs of the program");
    if (!isSolved) {
      symbol.source = ADZE_SYMBOL_EXPR;
      symbol.value =
          sym::constant(func.getContext(), boundsOf(name).min.value_or(0));
    }
    program.symbols.push_back(std::move(symbol));
  }
  return llvm::Error::success();
}

} // namespace adze
