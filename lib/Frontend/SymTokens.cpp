//===- SymTokens.cpp - Tokens of symbolic expressions ---------------------===//

#include "SymTokens.h"

#include "llvm/ADT/StringExtras.h"

namespace adze::frontend {

bool SymLexer::consume(llvm::StringRef punctuation) {
  if (!isAt(punctuation))
    return false;
  advance();
  return true;
}

void SymLexer::set(SymToken::Kind kind, size_t size) {
  current = {kind, text.substr(at, size), at};
  at += size;
}

static size_t numberLength(llvm::StringRef text) {
  size_t length = 0;
  while (length < text.size() &&
         (llvm::isDigit(text[length]) || text[length] == '.'))
    ++length;
  // An exponent, with its sign.
  if (length < text.size() && llvm::toLower(text[length]) == 'e') {
    size_t digits = length + 1;
    if (digits < text.size() && (text[digits] == '-' || text[digits] == '+'))
      ++digits;
    size_t end = digits;
    while (end < text.size() && llvm::isDigit(text[end]))
      ++end;
    if (end > digits)
      length = end;
  }
  return length;
}

static size_t nameLength(llvm::StringRef text) {
  size_t length = 0;
  while (length < text.size() &&
         (llvm::isAlnum(text[length]) || text[length] == '_'))
    ++length;
  return length;
}

void SymLexer::advance() {
  at = std::min(text.find_first_not_of(" \t\n", at), text.size());
  llvm::StringRef rest = text.substr(at);
  if (rest.empty())
    return set(SymToken::End, 0);
  char first = rest.front();
  if (llvm::isDigit(first) ||
      (first == '.' && rest.size() > 1 && llvm::isDigit(rest[1])))
    return set(SymToken::Number, numberLength(rest));
  if (llvm::isAlpha(first) || first == '_')
    return set(SymToken::Name, nameLength(rest));
  if (first == '\'' || first == '"') {
    size_t end = rest.find(first, 1);
    if (end == llvm::StringRef::npos)
      return set(SymToken::Bad, 1);
    current = {SymToken::String, rest.slice(1, end), at};
    at += end + 1;
    return;
  }
  for (llvm::StringRef two : {"**", "//", "==", "!=", "<=", ">=", "<<", ">>"})
    if (rest.starts_with(two))
      return set(SymToken::Punctuation, 2);
  if (llvm::StringRef("+-*/%()[]<>~&|^,=.").contains(first))
    return set(SymToken::Punctuation, 1);
  set(SymToken::Bad, 1);
}

} // namespace adze::frontend
