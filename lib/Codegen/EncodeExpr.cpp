//===- EncodeExpr.cpp - Size expressions as postfix code ------------------===//

#include "adze/Codegen/ProgramInterface.h"

#include "adze/Support/Diagnostics.h"

namespace adze {

using sym::Expr;
using sym::ExprKind;

namespace {
class Encoder {
public:
  using Lookup = llvm::function_ref<std::optional<int64_t>(llvm::StringRef)>;
  explicit Encoder(Lookup lookup) : lookup(lookup) {}

  /// False if there is no code for it.
  bool encode(Expr expr);
  std::vector<int64_t> words;
  int64_t deepest = 0;

private:
  bool encodeLeaf(Expr expr);
  bool encodeFold(Expr expr, int64_t opcode);
  bool encodeRounding(Expr expr);
  bool encodeTruncatedQuotient(Expr a, Expr b);
  void push(std::initializer_list<int64_t> leaf) {
    words.insert(words.end(), leaf);
    deepest = std::max(deepest, ++depth);
  }
  void apply(int64_t opcode, int operands) {
    words.push_back(opcode);
    depth -= operands - 1;
  }

  Lookup lookup;
  int64_t depth = 0;
};
} // namespace

bool Encoder::encodeLeaf(Expr expr) {
  if (expr.getKind() == ExprKind::Const)
    return push({ADZE_EXPR_CONST, expr.getValue()}), true;
  std::optional<int64_t> number = lookup(expr.getSymbol().getValue());
  if (!number)
    return false;
  return push({ADZE_EXPR_SYMBOL, *number}), true;
}

/// a op b op c ...
bool Encoder::encodeFold(Expr expr, int64_t opcode) {
  for (auto [i, operand] : llvm::enumerate(expr.getOperands())) {
    if (!encode(operand))
      return false;
    if (i > 0)
      apply(opcode, 2);
  }
  return true;
}

/// Python's int(a / b): towards zero.
bool Encoder::encodeTruncatedQuotient(Expr a, Expr b) {
  auto encodePair = [&](int64_t opcode) {
    if (!encode(a) || !encode(b))
      return false;
    return apply(opcode, 2), true;
  };
  if (!encodePair(ADZE_EXPR_MUL))
    return false;
  push({ADZE_EXPR_CONST, 0});
  apply(ADZE_EXPR_LT, 2);
  if (!encodePair(ADZE_EXPR_CEILDIV) || !encodePair(ADZE_EXPR_FLOORDIV))
    return false;
  return apply(ADZE_EXPR_SELECT, 3), true;
}

/// Of floats only a quotient of integers that is made an integer again has
/// integer code.
bool Encoder::encodeRounding(Expr expr) {
  Expr value = expr.getOperands().front();
  if (!sym::isFloat(value))
    return encode(value);
  if (value.getKind() == ExprKind::ToFloat)
    return encode(value.getOperands().front());
  if (value.getKind() != ExprKind::TrueDiv || expr.getKind() == ExprKind::Round)
    return false;
  auto integer = [](Expr operand) {
    return operand.getKind() == ExprKind::ToFloat
               ? operand.getOperands().front()
               : operand;
  };
  Expr a = integer(value.getOperands()[0]), b = integer(value.getOperands()[1]);
  if (expr.getKind() == ExprKind::Trunc)
    return encodeTruncatedQuotient(a, b);
  if (!encode(a) || !encode(b))
    return false;
  apply(expr.getKind() == ExprKind::Floor ? ADZE_EXPR_FLOORDIV
                                          : ADZE_EXPR_CEILDIV,
        2);
  return true;
}

static int64_t foldOpcode(ExprKind kind) {
  switch (kind) {
  case ExprKind::Add:
    return ADZE_EXPR_ADD;
  case ExprKind::Mul:
    return ADZE_EXPR_MUL;
  case ExprKind::FloorDiv:
    return ADZE_EXPR_FLOORDIV;
  case ExprKind::Mod:
    return ADZE_EXPR_MOD;
  case ExprKind::Max:
    return ADZE_EXPR_MAX;
  case ExprKind::Min:
    return ADZE_EXPR_MIN;
  case ExprKind::Pow:
    return ADZE_EXPR_POW;
  case ExprKind::Eq:
    return ADZE_EXPR_EQ;
  case ExprKind::Ne:
    return ADZE_EXPR_NE;
  case ExprKind::Lt:
    return ADZE_EXPR_LT;
  case ExprKind::Le:
    return ADZE_EXPR_LE;
  case ExprKind::And:
    return ADZE_EXPR_AND;
  case ExprKind::Or:
    return ADZE_EXPR_OR;
  default:
    return -1;
  }
}

bool Encoder::encode(Expr expr) {
  switch (expr.getKind()) {
  case ExprKind::Const:
  case ExprKind::Symbol:
    return encodeLeaf(expr);
  case ExprKind::Trunc:
  case ExprKind::Floor:
  case ExprKind::Ceil:
  case ExprKind::Round:
    return encodeRounding(expr);
  case ExprKind::Not:
    if (!encode(expr.getOperands().front()))
      return false;
    return apply(ADZE_EXPR_NOT, 1), true;
  case ExprKind::Where:
    for (Expr operand : expr.getOperands())
      if (!encode(operand))
        return false;
    return apply(ADZE_EXPR_SELECT, 3), true;
  default:
    int64_t opcode = foldOpcode(expr.getKind());
    return opcode >= 0 && !sym::isFloat(expr) && encodeFold(expr, opcode);
  }
}

llvm::Expected<std::vector<int64_t>>
encodeExpr(Expr expr,
           llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> lookup) {
  Encoder encoder(lookup);
  if (!encoder.encode(expr))
    return makeError(DiagId::UnsupportedFeature,
                     "size expression '" + sym::toString(expr) +
                         "' cannot be evaluated by the runtime: it is no "
                         "integer arithmetic over "
                         "the sizes of inputs");
  if (encoder.deepest > ADZE_EXPR_STACK)
    return makeError(DiagId::UnsupportedFeature, "size expression '" +
                                                     sym::toString(expr) +
                                                     "' is nested too deeply");
  return std::move(encoder.words);
}

} // namespace adze
