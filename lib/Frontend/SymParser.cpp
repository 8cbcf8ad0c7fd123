//===- SymParser.cpp - Python expressions over sizes ----------------------===//

#include "SymParser.h"

#include "adze/Frontend/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace adze::frontend {

static constexpr unsigned maxDepth = 200;
static constexpr size_t maxLength = size_t(1) << 20;

SymAst makeSym(SymOp op, std::vector<SymAst> args) {
  SymAst ast;
  ast.op = op;
  ast.args = std::move(args);
  return ast;
}

SymAst makeSymInteger(int64_t value) {
  SymAst ast;
  ast.integer = value;
  return ast;
}

/// Chains of an associative operator stay flat: their length is not limited,
/// their depth is.
static SymAst joinFlat(SymOp op, SymAst left, SymAst right) {
  if (left.op != op)
    return makeSym(op, {std::move(left), std::move(right)});
  left.args.push_back(std::move(right));
  return left;
}

bool SymParser::fail(const llvm::Twine &why) {
  if (message.empty())
    message = (why + " at column " + llvm::Twine(lexer.peek().begin + 1)).str();
  return false;
}

bool SymParser::expect(llvm::StringRef punctuation) {
  if (lexer.consume(punctuation))
    return true;
  return fail("expected '" + punctuation + "'");
}

bool SymParser::parseInteger(llvm::StringRef digits, int64_t &value) {
  if (!digits.getAsInteger(10, value))
    return true;
  return fail("expected an integer of 64 bits");
}

bool SymParser::parseExpr(SymAst &result) {
  if (++depth > maxDepth)
    return fail("nested deeper than " + llvm::Twine(maxDepth) + " levels");
  bool parsed = parseOr(result);
  --depth;
  return parsed;
}

bool SymParser::parseArguments(std::vector<SymAst> &arguments) {
  if (!expect("("))
    return false;
  if (lexer.consume(")"))
    return true;
  do {
    if (!parseExpr(arguments.emplace_back()))
      return false;
  } while (lexer.consume(","));
  return expect(")");
}

bool SymParser::parseOr(SymAst &result) {
  if (!parseAnd(result))
    return false;
  while (lexer.isAtName("or")) {
    lexer.advance();
    SymAst right;
    if (!parseAnd(right))
      return false;
    result = joinFlat(SymOp::Or, std::move(result), std::move(right));
  }
  return true;
}

bool SymParser::parseAnd(SymAst &result) {
  if (!parseNot(result))
    return false;
  while (lexer.isAtName("and")) {
    lexer.advance();
    SymAst right;
    if (!parseNot(right))
      return false;
    result = joinFlat(SymOp::And, std::move(result), std::move(right));
  }
  return true;
}

bool SymParser::parseNot(SymAst &result) {
  bool isNegated = false;
  for (; lexer.isAtName("not"); lexer.advance())
    isNegated = !isNegated;
  if (!parseComparison(result))
    return false;
  if (isNegated)
    result = makeSym(SymOp::Not, {std::move(result)});
  return true;
}

/// a < b < c means a < b and b < c.
bool SymParser::parseComparison(SymAst &result) {
  static constexpr std::pair<llvm::StringLiteral, SymOp> relations[] = {
      {"==", SymOp::Eq}, {"!=", SymOp::Ne}, {"<", SymOp::Lt},
      {"<=", SymOp::Le}, {">", SymOp::Gt},  {">=", SymOp::Ge}};
  SymAst left;
  if (!parseBinary(left, 0))
    return false;
  bool isFirst = true;
  while (true) {
    const auto *relation = llvm::find_if(
        relations, [&](const auto &entry) { return lexer.isAt(entry.first); });
    if (relation == std::end(relations))
      break;
    lexer.advance();
    SymAst right;
    if (!parseBinary(right, 0))
      return false;
    SymAst compared = makeSym(relation->second, {std::move(left), right});
    left = std::move(right);
    result = isFirst
                 ? std::move(compared)
                 : joinFlat(SymOp::And, std::move(result), std::move(compared));
    isFirst = false;
  }
  if (isFirst)
    result = std::move(left);
  return true;
}

/// Python's levels, loosest first.
bool SymParser::parseBinary(SymAst &result, unsigned level) {
  struct Operator {
    llvm::StringLiteral text;
    SymOp op;
    unsigned level;
  };
  static constexpr Operator operators[] = {
      {"|", SymOp::BitOr, 0},     {"^", SymOp::BitXor, 1},
      {"&", SymOp::BitAnd, 2},    {"<<", SymOp::LShift, 3},
      {">>", SymOp::RShift, 3},   {"+", SymOp::Add, 4},
      {"-", SymOp::Sub, 4},       {"*", SymOp::Mul, 5},
      {"//", SymOp::FloorDiv, 5}, {"/", SymOp::Quotient, 5},
      {"%", SymOp::PythonMod, 5}};
  constexpr unsigned numLevels = 6;
  if (level == numLevels)
    return parseUnary(result);
  if (!parseBinary(result, level + 1))
    return false;
  while (true) {
    const auto *found = llvm::find_if(operators, [&](const Operator &entry) {
      return entry.level == level && lexer.isAt(entry.text);
    });
    if (found == std::end(operators))
      return true;
    lexer.advance();
    SymAst right;
    if (!parseBinary(right, level + 1))
      return false;
    if (found->op == SymOp::Add || found->op == SymOp::Mul)
      result = joinFlat(found->op, std::move(result), std::move(right));
    else if (++depth > maxDepth)
      return fail("nested deeper than " + llvm::Twine(maxDepth) + " levels");
    else
      result = makeSym(found->op, {std::move(result), std::move(right)});
  }
}

bool SymParser::parseUnary(SymAst &result) {
  bool isMinus = lexer.isAt("-"), isNot = lexer.isAt("~");
  if (!isMinus && !isNot && !lexer.isAt("+"))
    return parsePower(result);
  lexer.advance();
  if (++depth > maxDepth)
    return fail("nested deeper than " + llvm::Twine(maxDepth) + " levels");
  SymAst inner;
  bool parsed = parseUnary(inner);
  --depth;
  if (!parsed)
    return false;
  if (isMinus && inner.op == SymOp::Integer && inner.integer != INT64_MIN)
    result = makeSymInteger(-inner.integer);
  else if (isMinus || isNot)
    result = makeSym(isMinus ? SymOp::Neg : SymOp::Not, {std::move(inner)});
  else
    result = std::move(inner);
  return true;
}

/// Binds tighter than a sign on its left, looser than one on its right.
bool SymParser::parsePower(SymAst &result) {
  if (!parsePrimary(result) || !lexer.consume("**"))
    return message.empty();
  SymAst exponent;
  if (++depth > maxDepth)
    return fail("nested deeper than " + llvm::Twine(maxDepth) + " levels");
  bool parsed = parseUnary(exponent);
  --depth;
  if (!parsed)
    return false;
  result = makeSym(SymOp::Pow, {std::move(result), std::move(exponent)});
  return true;
}

bool SymParser::parseNumber(SymAst &result) {
  llvm::StringRef digits = lexer.peek().text;
  if (llvm::all_of(digits, llvm::isDigit)) {
    if (!parseInteger(digits, result.integer))
      return false;
  } else if (!digits.getAsDouble(result.real)) {
    result.op = SymOp::Float;
  } else {
    return fail("expected a number");
  }
  lexer.advance();
  return true;
}

bool SymParser::parsePrimary(SymAst &result) {
  if (lexer.peek().kind == SymToken::Number)
    return parseNumber(result);
  if (lexer.consume("("))
    return parseExpr(result) && expect(")");
  if (lexer.peek().kind == SymToken::Name)
    return parseNamed(result);
  return fail("expected an expression");
}

llvm::Expected<SymAst> SymParser::parse() {
  SymAst result;
  if (text.size() > maxLength)
    return inputFault("", "expression of " + llvm::Twine(text.size()) +
                              " bytes exceeds the limit of " +
                              llvm::Twine(maxLength));
  if (parseExpr(result) && lexer.peek().kind != SymToken::End)
    fail("expected the end of the expression");
  if (message.empty())
    return result;
  return inputFault("", "cannot parse '" + text.take_front(80) +
                            (text.size() > 80 ? "...': " : "': ") + message);
}

} // namespace adze::frontend
