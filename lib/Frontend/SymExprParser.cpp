//===- SymExprParser.cpp - Sizes as sympy writes them ---------------------===//
//
// Two spellings: srepr, "Add(Symbol('s0', integer=True), Integer(1))", and str,
// "s0 + 1". Both are Python expressions, so that one grammar reads them.
//
//===----------------------------------------------------------------------===//

#include "SymParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <climits>

namespace adze::frontend {

namespace {

/// A function of sympy or of torch's own functions over it.
struct SymFunction {
  llvm::StringLiteral name;
  SymOp op;
  int minArgs, maxArgs;
  llvm::StringLiteral text; // of the resulting node
};

class SymExprParser : public SymParser {
public:
  explicit SymExprParser(llvm::StringRef text) : SymParser(text) {}

private:
  bool parseNamed(SymAst &result) override;
  bool parseSymbol(SymAst &result);
  bool parseLiteral(llvm::StringRef constructor, SymAst &result);
  bool parseFloat(SymAst &result);
  bool parsePiecewise(SymAst &result);
  bool parseCall(llvm::StringRef name, SymAst &result);
  bool skipAttributes();
};

} // namespace

static constexpr int any = INT_MAX;

static constexpr SymFunction functions[] = {
    {"Add", SymOp::Add, 1, any, ""},
    {"Mul", SymOp::Mul, 1, any, ""},
    {"Pow", SymOp::Pow, 2, 2, ""},
    {"PowByNatural", SymOp::Pow, 2, 2, ""},
    {"FloorDiv", SymOp::FloorDiv, 2, 2, ""},
    {"CleanDiv", SymOp::CleanDiv, 2, 2, ""},
    {"CeilDiv", SymOp::CeilDiv, 2, 2, ""},
    {"Mod", SymOp::Mod, 2, 2, ""},
    {"PythonMod", SymOp::PythonMod, 2, 2, ""},
    {"ModularIndexing", SymOp::ModularIndexing, 3, 3, ""},
    {"IntTrueDiv", SymOp::TrueDiv, 2, 2, ""},
    {"FloatTrueDiv", SymOp::TrueDiv, 2, 2, ""},
    {"LShift", SymOp::LShift, 2, 2, ""},
    {"RShift", SymOp::RShift, 2, 2, ""},
    {"Max", SymOp::Max, 1, any, ""},
    {"Min", SymOp::Min, 1, any, ""},
    {"Where", SymOp::Where, 3, 3, ""},
    {"BitwiseFn_bitwise_and", SymOp::BitAnd, 2, 2, ""},
    {"BitwiseFn_bitwise_or", SymOp::BitOr, 2, 2, ""},
    {"BitwiseFn_bitwise_xor", SymOp::BitXor, 2, 2, ""},
    {"CeilToInt", SymOp::ToInt, 1, 1, "ceil"},
    {"FloorToInt", SymOp::ToInt, 1, 1, "floor"},
    {"TruncToInt", SymOp::ToInt, 1, 1, "trunc"},
    {"RoundToInt", SymOp::ToInt, 1, 1, "round"},
    {"ceiling", SymOp::ToInt, 1, 1, "ceil"},
    {"floor", SymOp::ToInt, 1, 1, "floor"},
    {"ToFloat", SymOp::ToFloat, 1, 1, ""},
    {"OpaqueUnaryFn_sqrt", SymOp::Sqrt, 1, 1, ""},
    {"FloatPow", SymOp::FloatPow, 2, 2, ""},
    {"Equality", SymOp::Eq, 2, 2, ""},
    {"Eq", SymOp::Eq, 2, 2, ""},
    {"Unequality", SymOp::Ne, 2, 2, ""},
    {"Ne", SymOp::Ne, 2, 2, ""},
    {"StrictLessThan", SymOp::Lt, 2, 2, ""},
    {"Lt", SymOp::Lt, 2, 2, ""},
    {"LessThan", SymOp::Le, 2, 2, ""},
    {"Le", SymOp::Le, 2, 2, ""},
    {"StrictGreaterThan", SymOp::Gt, 2, 2, ""},
    {"Gt", SymOp::Gt, 2, 2, ""},
    {"GreaterThan", SymOp::Ge, 2, 2, ""},
    {"Ge", SymOp::Ge, 2, 2, ""},
    {"And", SymOp::And, 1, any, ""},
    {"Or", SymOp::Or, 1, any, ""},
    {"Not", SymOp::Not, 1, 1, ""},
};

/// ", integer=True, positive=True)": assumptions vary between uses of one
/// symbol and mean nothing here.
bool SymExprParser::skipAttributes() {
  while (tokens().consume(",")) {
    if (tokens().peek().kind != SymToken::Name)
      return fail("expected the name of an attribute");
    tokens().advance();
    if (!expect("="))
      return false;
    tokens().advance();
  }
  return expect(")");
}

bool SymExprParser::parseSymbol(SymAst &result) {
  if (!expect("("))
    return false;
  if (tokens().peek().kind != SymToken::String || tokens().peek().text.empty())
    return fail("expected the name of a symbol");
  result.op = SymOp::Symbol;
  result.text = tokens().peek().text.str();
  tokens().advance();
  return skipAttributes();
}

/// Float('2.5', precision=53).
bool SymExprParser::parseFloat(SymAst &result) {
  if (!expect("("))
    return false;
  if (tokens().peek().text.getAsDouble(result.real))
    return fail("expected a number");
  result.op = SymOp::Float;
  tokens().advance();
  return skipAttributes();
}

/// Integer(n), Rational(p, q).
bool SymExprParser::parseLiteral(llvm::StringRef constructor, SymAst &result) {
  std::vector<SymAst> args;
  bool isRational = constructor == "Rational";
  if (!parseArguments(args))
    return false;
  if (args.size() != (isRational ? 2 : 1) ||
      llvm::any_of(args,
                   [](const SymAst &arg) { return arg.op != SymOp::Integer; }))
    return fail("expected integers in " + constructor);
  result = args[0];
  if (!isRational)
    return true;
  if (args[1].integer <= 0)
    return fail("expected a positive denominator");
  result.op = SymOp::Rational;
  result.denominator = args[1].integer;
  return true;
}

/// Piecewise(ExprCondPair(v, c), ...) -> Where(c, v, ...); the last condition
/// is true.
bool SymExprParser::parsePiecewise(SymAst &result) {
  std::vector<SymAst> pairs;
  if (!parseArguments(pairs))
    return false;
  bool isWellFormed =
      !pairs.empty() && llvm::all_of(pairs, [](const SymAst &p) {
        return p.op == SymOp::Call && p.text == "ExprCondPair" &&
               p.args.size() == 2;
      });
  if (!isWellFormed || pairs.back().args[1].op != SymOp::True)
    return fail("expected pairs of value and condition, the last one true");
  constexpr size_t maxPieces = 64;
  if (pairs.size() > maxPieces)
    return fail("more than " + llvm::Twine(maxPieces) + " pieces");
  result = pairs.back().args[0];
  for (SymAst &pair : llvm::reverse(llvm::MutableArrayRef(pairs).drop_back()))
    result =
        makeSym(SymOp::Where, {std::move(pair.args[1]), std::move(pair.args[0]),
                               std::move(result)});
  return true;
}

bool SymExprParser::parseCall(llvm::StringRef name, SymAst &result) {
  std::vector<SymAst> args;
  if (!parseArguments(args))
    return false;
  if (name == "Identity" && args.size() == 1) {
    result = SymAst(args[0]);
    return true;
  }
  const auto *known = llvm::find_if(
      functions, [&](const SymFunction &entry) { return entry.name == name; });
  int count = static_cast<int>(args.size());
  if (known == std::end(functions)) {
    result = makeSym(SymOp::Call, std::move(args));
    result.text = name.str();
    return true;
  }
  if (count < known->minArgs || count > known->maxArgs)
    return fail(name + " has " + llvm::Twine(count) + " arguments");
  result = makeSym(known->op, std::move(args));
  result.text = known->text.str();
  return true;
}

bool SymExprParser::parseNamed(SymAst &result) {
  llvm::StringRef name = tokens().peek().text;
  tokens().advance();
  if (tokens().isAt("(")) {
    if (name == "Symbol")
      return parseSymbol(result);
    if (name == "Integer" || name == "Rational")
      return parseLiteral(name, result);
    if (name == "Float")
      return parseFloat(result);
    if (name == "Piecewise")
      return parsePiecewise(result);
    return parseCall(name, result);
  }
  result.op = llvm::StringSwitch<SymOp>(name)
                  .Cases({"true", "True"}, SymOp::True)
                  .Cases({"false", "False"}, SymOp::False)
                  .Cases({"int_oo", "oo"}, SymOp::Infinity)
                  .Default(SymOp::Symbol);
  if (result.op == SymOp::Symbol)
    result.text = name.str();
  return true;
}

llvm::Expected<SymAst> parseSymExpr(llvm::StringRef text) {
  return SymExprParser(text).parse();
}

} // namespace adze::frontend
