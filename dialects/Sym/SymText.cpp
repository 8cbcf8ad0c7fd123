//===- SymText.cpp - Parsing and printing of expressions ------------------===//
//
//   expr   := term ('+' term)*
//   term   := factor ('*' factor)*
//   factor := integer | float | name | name '(' expr (',' expr)* ')' | '(' expr
//   ')'
//
//===----------------------------------------------------------------------===//

#include "dialects/Sym/Sym.h"

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace adze::sym {

static constexpr std::pair<ExprKind, llvm::StringLiteral> operatorNames[] = {
    {ExprKind::FloorDiv, "floordiv"},
    {ExprKind::Mod, "mod"},
    {ExprKind::Max, "max"},
    {ExprKind::Min, "min"},
    {ExprKind::Pow, "pow"},
    {ExprKind::Eq, "eq"},
    {ExprKind::Ne, "ne"},
    {ExprKind::Lt, "lt"},
    {ExprKind::Le, "le"},
    {ExprKind::And, "and"},
    {ExprKind::Or, "or"},
    {ExprKind::Not, "not"},
    {ExprKind::ToFloat, "tofloat"},
    {ExprKind::TrueDiv, "truediv"},
    {ExprKind::Sqrt, "sqrt"},
    {ExprKind::Trunc, "trunc"},
    {ExprKind::Floor, "floor"},
    {ExprKind::Ceil, "ceil"},
    {ExprKind::Round, "round"},
    {ExprKind::Where, "where"},
    {ExprKind::Add, "add"},
    {ExprKind::Mul, "mul"},
};

StringRef spelling(ExprKind kind) {
  for (auto [candidate, name] : operatorNames)
    if (candidate == kind)
      return name;
  return "";
}

static std::optional<ExprKind> kindOf(StringRef name) {
  for (auto [kind, candidate] : operatorNames)
    if (candidate == name)
      return kind;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printJoined(Expr expr, StringRef separator, raw_ostream &os) {
  bool first = true;
  llvm::interleave(
      expr.getOperands(), os,
      [&](Expr operand) {
        // Sums and products of floats are not flattened: x + (y + z).
        bool nested = (expr.getKind() == ExprKind::Mul &&
                       operand.getKind() == ExprKind::Add) ||
                      (!first && operand.getKind() == expr.getKind() &&
                       (expr.getKind() == ExprKind::Add ||
                        expr.getKind() == ExprKind::Mul));
        first = false;
        os << (nested ? "(" : "");
        printExpr(operand, os);
        os << (nested ? ")" : "");
      },
      separator);
}

void printExpr(Expr expr, raw_ostream &os) {
  switch (expr.getKind()) {
  case ExprKind::Const:
    os << expr.getValue();
    return;
  case ExprKind::FloatConst:
    os << "float(" << expr.getValue() << ")";
    return;
  case ExprKind::Symbol:
    os << expr.getSymbol().strref();
    return;
  case ExprKind::Add:
    return printJoined(expr, " + ", os);
  case ExprKind::Mul:
    return printJoined(expr, " * ", os);
  default:
    os << spelling(expr.getKind()) << "(";
    printJoined(expr, ", ", os);
    os << ")";
  }
}

std::string toString(Expr expr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printExpr(expr, os);
  return text;
}

std::string toString(ArrayRef<Expr> shape) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os, [&](Expr size) { printExpr(size, os); });
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static FailureOr<Expr> parseCall(AsmParser &parser, StringRef name) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Expr> operands;
  auto parseOperand = [&]() -> ParseResult {
    auto operand = parseExpr(parser);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
    return success();
  };
  if (parser.parseCommaSeparatedList(parseOperand) || parser.parseRParen())
    return failure();
  if (name == "float" && operands.size() == 1 && asConstant(operands[0]))
    return floatConstant(parser.getContext(),
                         llvm::bit_cast<double>(*asConstant(operands[0])));
  auto kind = kindOf(name);
  if (!kind)
    return parser.emitError(loc) << "unknown operator '" << name << "'";
  bool unary = *kind == ExprKind::Not || *kind == ExprKind::ToFloat ||
               (*kind >= ExprKind::Sqrt && *kind <= ExprKind::Round);
  size_t least = unary ? 1 : *kind == ExprKind::Where ? 3 : 2;
  bool variadic = *kind == ExprKind::Max || *kind == ExprKind::Min;
  if (operands.size() < least || (!variadic && operands.size() > least))
    return parser.emitError(loc) << "'" << name << "' expects " << least
                                 << " operands, but found " << operands.size();
  return make(*kind, operands);
}

static FailureOr<Expr> parseFactor(AsmParser &parser) {
  int64_t value = 0;
  OptionalParseResult integer = parser.parseOptionalInteger(value);
  if (integer.has_value())
    return failed(*integer) ? FailureOr<Expr>(failure())
                            : constant(parser.getContext(), value);
  if (succeeded(parser.parseOptionalLParen())) {
    auto inner = parseExpr(parser);
    if (failed(inner) || parser.parseRParen())
      return failure();
    return inner;
  }
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  if (succeeded(parser.parseOptionalLParen()))
    return parseCall(parser, name);
  return symbol(parser.getContext(), name);
}

static FailureOr<Expr> parseTerm(AsmParser &parser) {
  auto result = parseFactor(parser);
  while (succeeded(result) && succeeded(parser.parseOptionalStar())) {
    auto next = parseFactor(parser);
    if (failed(next))
      return failure();
    result = mul(*result, *next);
  }
  return result;
}

FailureOr<Expr> parseExpr(AsmParser &parser) {
  auto result = parseTerm(parser);
  while (succeeded(result) && succeeded(parser.parseOptionalPlus())) {
    auto next = parseTerm(parser);
    if (failed(next))
      return failure();
    result = add(*result, *next);
  }
  return result;
}

Attribute ExprAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  auto expr = parseExpr(parser);
  if (failed(expr) || parser.parseGreater())
    return {};
  return *expr;
}

void ExprAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printExpr(*this, printer.getStream());
  printer << ">";
}

Attribute DimsAttr::parse(AsmParser &parser, Type) {
  SmallVector<Expr> exprs;
  auto parseOne = [&]() -> ParseResult {
    auto expr = parseExpr(parser);
    if (failed(expr))
      return failure();
    exprs.push_back(*expr);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseOne))
    return {};
  return DimsAttr::get(parser.getContext(), exprs);
}

void DimsAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getExprs(), printer.getStream(), [&](Expr expr) {
    printExpr(expr, printer.getStream());
  });
  printer << ">";
}

} // namespace adze::sym
