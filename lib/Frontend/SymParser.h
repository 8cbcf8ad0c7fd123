//===- SymParser.h - Python expressions over sizes ------------------------===//
//
// One grammar for both users: sympy text, where functions are called by name,
// and guards, where the leaves are L['x'].size()[0]. They differ in what a name
// may begin, which the derived class decides.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_LIB_FRONTEND_SYMPARSER_H
#define ADZE_LIB_FRONTEND_SYMPARSER_H

#include "SymTokens.h"

#include "adze/Frontend/SymAst.h"

namespace adze::frontend {

class SymParser {
public:
  virtual ~SymParser() = default;

  llvm::Expected<SymAst> parse();

protected:
  explicit SymParser(llvm::StringRef text) : text(text), lexer(text) {}

  // All parse functions return false after `fail`.
  bool parseExpr(SymAst &result);
  /// What starts with a name, an expression of the user's leaves or functions.
  virtual bool parseNamed(SymAst &result) = 0;
  bool parseArguments(std::vector<SymAst> &arguments);
  bool parseInteger(llvm::StringRef digits, int64_t &value);

  bool fail(const llvm::Twine &why);
  bool expect(llvm::StringRef punctuation);

  SymLexer &tokens() { return lexer; }

private:
  bool parseOr(SymAst &result);
  bool parseAnd(SymAst &result);
  bool parseNot(SymAst &result);
  bool parseComparison(SymAst &result);
  bool parseBinary(SymAst &result, unsigned level);
  bool parseUnary(SymAst &result);
  bool parsePower(SymAst &result);
  bool parsePrimary(SymAst &result);
  bool parseNumber(SymAst &result);

  llvm::StringRef text;
  SymLexer lexer;
  std::string message;
  unsigned depth = 0;
};

SymAst makeSym(SymOp op, std::vector<SymAst> args);
SymAst makeSymInteger(int64_t value);

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_SYMPARSER_H
