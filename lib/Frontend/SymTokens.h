//===- SymTokens.h - Tokens of symbolic expressions -----------------------===//

#ifndef ADZE_LIB_FRONTEND_SYMTOKENS_H
#define ADZE_LIB_FRONTEND_SYMTOKENS_H

#include "llvm/ADT/StringRef.h"

namespace adze::frontend {

/// Python's tokens, as far as sizes are written with them.
struct SymToken {
  enum Kind : uint8_t { End, Name, Number, String, Punctuation, Bad };
  Kind kind = End;
  llvm::StringRef text; // of a String without its quotes
  size_t begin = 0;
};

class SymLexer {
public:
  explicit SymLexer(llvm::StringRef text) : text(text) { advance(); }

  const SymToken &peek() const { return current; }
  bool isAt(llvm::StringRef punctuation) const {
    return current.kind == SymToken::Punctuation && current.text == punctuation;
  }
  bool isAtName(llvm::StringRef name) const {
    return current.kind == SymToken::Name && current.text == name;
  }
  /// Steps over the token if it is this one.
  bool consume(llvm::StringRef punctuation);
  void advance();

private:
  void set(SymToken::Kind kind, size_t size);

  llvm::StringRef text;
  size_t at = 0;
  SymToken current;
};

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_SYMTOKENS_H
