//===- Json.cpp - Reading small JSON files --------------------------------===//

#include "adze/Support/Json.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"

namespace adze {

/// The parser recurses, so that nesting must be bounded beforehand. Brackets
/// inside strings do not count.
static bool nestsDeeperThan(llvm::StringRef text, int64_t limit) {
  int64_t depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{') && ++depth > limit)
      return true;
    else if (!inString && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}

llvm::Expected<llvm::json::Value>
parseJson(llvm::StringRef text, llvm::StringRef shownAs, DiagId malformed) {
  if (nestsDeeperThan(text, 200))
    return makeError(malformed, "'" + shownAs + "' nests too deeply for JSON");
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return makeError(malformed, "'" + shownAs + "' is no valid JSON: " +
                                    llvm::toString(value.takeError()));
  return value;
}

llvm::Expected<llvm::json::Value> readJson(llvm::StringRef path,
                                           DiagId malformed) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return makeFileError(DiagId::CannotRead, path, buffer.getError());
  return parseJson((*buffer)->getBuffer(), path, malformed);
}

} // namespace adze
