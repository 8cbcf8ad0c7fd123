//===- GuardsCode.cpp - Conditions on inputs, in Python -------------------===//
//
// "(L['x'].size()[0] % 4) == 0": torch records relations between sizes of
// inputs in this form only.
//
//===----------------------------------------------------------------------===//

#include "SymParser.h"

#include "llvm/ADT/StringSwitch.h"

namespace adze::frontend {

namespace {

class GuardParser : public SymParser {
public:
  explicit GuardParser(llvm::StringRef text) : SymParser(text) {}

private:
  bool parseNamed(SymAst &result) override;
  bool parseInput(SymAst &result);
  bool parsePath(std::string &path);
  bool parseIndex(int64_t &index);
  bool parseFunction(llvm::StringRef name, SymAst &result);
};

} // namespace

/// An integer in brackets.
bool GuardParser::parseIndex(int64_t &index) {
  if (!expect("["))
    return false;
  if (!parseInteger(tokens().peek().text, index))
    return false;
  tokens().advance();
  return expect("]");
}

/// ['x'][1].field, as far as no method follows.
bool GuardParser::parsePath(std::string &path) {
  while (tokens().isAt("[")) {
    tokens().advance();
    const SymToken &key = tokens().peek();
    if (key.kind == SymToken::String)
      path += "['" + key.text.str() + "']";
    else if (key.kind == SymToken::Number)
      path += "[" + key.text.str() + "]";
    else
      return fail("expected a key or an index");
    tokens().advance();
    if (!expect("]"))
      return false;
  }
  return true;
}

/// L['x'][0].size()[1], or L['n'] alone for an input that is a number.
bool GuardParser::parseInput(SymAst &result) {
  std::string path = "L";
  if (!parsePath(path))
    return false;
  while (tokens().consume(".")) {
    llvm::StringRef member = tokens().peek().text;
    if (tokens().peek().kind != SymToken::Name)
      return fail("expected a member");
    tokens().advance();
    if (!tokens().isAt("(")) {
      path += "." + member.str();
      if (!parsePath(path))
        return false;
      continue;
    }
    if (member != "size")
      return fail("unknown property '" + member + "'");
    result.op = SymOp::InputSize;
    result.text = path;
    return expect("(") && expect(")") && parseIndex(result.integer);
  }
  result.op = SymOp::InputValue;
  result.text = path;
  return true;
}

bool GuardParser::parseFunction(llvm::StringRef name, SymAst &result) {
  std::vector<SymAst> args;
  if (!parseArguments(args))
    return false;
  bool isMax = name == "max" || name == "Max";
  if ((!isMax && name != "min" && name != "Min") || args.empty())
    return fail("unknown function '" + name + "'");
  result = makeSym(isMax ? SymOp::Max : SymOp::Min, std::move(args));
  return true;
}

bool GuardParser::parseNamed(SymAst &result) {
  llvm::StringRef name = tokens().peek().text;
  tokens().advance();
  if (name == "L")
    return parseInput(result);
  if (tokens().isAt("("))
    return parseFunction(name, result);
  if (name != "True" && name != "False")
    return fail("unknown name '" + name + "'");
  result.op = name == "True" ? SymOp::True : SymOp::False;
  return true;
}

llvm::Expected<SymAst> parseGuard(llvm::StringRef text) {
  return GuardParser(text).parse();
}

} // namespace adze::frontend
