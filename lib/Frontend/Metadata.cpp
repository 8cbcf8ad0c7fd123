//===- Metadata.cpp - What diagnostics need of a node's metadata ----------===//

#include "Metadata.h"

namespace adze::frontend {

llvm::StringRef lastFrame(llvm::StringRef stackTrace) {
  size_t begin = stackTrace.rfind("File \"");
  if (begin == llvm::StringRef::npos)
    return {};
  return stackTrace.substr(begin).split('\n').first;
}

SourceLocation parseFrame(llvm::StringRef frame) {
  SourceLocation location;
  if (!frame.consume_front("File \""))
    return location;
  size_t quote = frame.find("\", line ");
  if (quote == llvm::StringRef::npos)
    return location;
  llvm::StringRef rest = frame.substr(quote + 8);
  if (rest.consumeInteger(10, location.line))
    return location;
  location.file = frame.take_front(quote);
  if (rest.consume_front(", in "))
    location.function = rest.rtrim();
  return location;
}

/// Splits at the last `separator` outside of brackets; returns what follows it.
static llvm::StringRef afterLast(llvm::StringRef text, char separator) {
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')' || text[i] == ']')
      ++depth;
    else if (text[i] == '(' || text[i] == '[')
      --depth;
    else if (text[i] == separator && depth == 0)
      return text.substr(i + 1);
  }
  return text;
}

llvm::StringRef lastModulePath(llvm::StringRef moduleStack) {
  llvm::StringRef entry = afterLast(moduleStack, ';');
  llvm::StringRef type = afterLast(entry, ',');
  if (type.size() == entry.size())
    return {};
  return afterLast(entry.drop_back(type.size() + 1), ',');
}

std::string describeNode(const Node &node) {
  std::string text = "node '" + node.name.str() + "' (" + node.target.str();
  if (!node.location.file.empty())
    text += " at " + node.location.file.str() + ":" +
            std::to_string(node.location.line);
  return text + ")";
}

} // namespace adze::frontend
