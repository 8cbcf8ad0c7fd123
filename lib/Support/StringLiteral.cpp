//===- StringLiteral.cpp - Strings as Python writes them ------------------===//

#include "adze/Support/StringLiteral.h"

#include "llvm/ADT/StringExtras.h"

namespace adze {

/// Characters with an escape of their own, and its letter.
static constexpr std::pair<char, char> escapes[] = {
    {'\\', '\\'}, {'\'', '\''}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}};

static void writeEscaped(char c, std::string &out) {
  for (auto [plain, letter] : escapes)
    if (c == plain) {
      out += {'\\', letter};
      return;
    }
  bool isControl = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  if (isControl)
    out += "\\x" + llvm::toHex(llvm::StringRef(&c, 1), /*LowerCase=*/true);
  else
    out += c;
}

std::string toStringLiteral(llvm::StringRef text) {
  std::string out = "'";
  for (char c : text)
    writeEscaped(c, out);
  return out + "'";
}

/// Takes what follows a backslash off `rest`.
static std::optional<char> readEscaped(llvm::StringRef &rest) {
  if (rest.empty())
    return std::nullopt;
  char letter = rest.front();
  rest = rest.drop_front();
  for (auto [plain, known] : escapes)
    if (letter == known)
      return plain;
  unsigned code;
  if (letter != 'x' || rest.size() < 2 ||
      rest.take_front(2).getAsInteger(16, code))
    return std::nullopt;
  rest = rest.drop_front(2);
  return static_cast<char>(code);
}

std::optional<std::string> parseStringLiteral(llvm::StringRef literal) {
  if (literal.size() < 2 || !literal.consume_front("'") ||
      !literal.consume_back("'"))
    return std::nullopt;
  std::string text;
  while (!literal.empty()) {
    char c = literal.front();
    literal = literal.drop_front();
    if (c == '\\') {
      std::optional<char> plain = readEscaped(literal);
      if (!plain)
        return std::nullopt;
      c = *plain;
    }
    text += c;
  }
  return text;
}

} // namespace adze
