//===- Outline.cpp - A report for people and for programs -----------------===//

#include "Outline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace adze {

Outline &Outline::addChild(Kind childKind, std::string childKey) {
  Outline &child = children.emplace_back();
  child.kind = childKind;
  child.key = std::move(childKey);
  return child;
}

Outline &Outline::add(llvm::StringRef childKey, Scalar value) {
  addChild(Kind::Scalar, childKey.str()).scalar = std::move(value);
  return *this;
}

Outline &Outline::object(llvm::StringRef childKey) {
  return addChild(Kind::Object, childKey.str());
}

Outline &Outline::list(llvm::StringRef childKey) {
  return addChild(Kind::List, childKey.str());
}

Outline &Outline::item(const llvm::Twine &head) {
  return addChild(Kind::Object, head.str());
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printScalar(const Outline::Scalar &scalar, llvm::raw_ostream &out) {
  if (const auto *text = std::get_if<std::string>(&scalar))
    out << *text;
  else if (const auto *number = std::get_if<int64_t>(&scalar))
    out << *number;
  else
    out << (std::get<bool>(scalar) ? "yes" : "no");
}

/// What the head of an item says already is not said again behind it.
static bool isSaidBy(llvm::StringRef head, const Outline::Scalar &scalar) {
  if (const auto *text = std::get_if<std::string>(&scalar))
    return head.contains(*text);
  if (const auto *number = std::get_if<int64_t>(&scalar))
    return llvm::any_of(llvm::split(head, ' '), [&](llvm::StringRef word) {
      return word.trim(",:") == std::to_string(*number);
    });
  return false;
}

/// "x: float32[8, 32]  (mutated: yes, bytes: 1024)"
void Outline::printItem(llvm::raw_ostream &out) const {
  out << key;
  llvm::ListSeparator separator;
  bool isOpen = false;
  for (const Outline &child : children) {
    if (child.kind != Kind::Scalar || isSaidBy(key, child.scalar))
      continue;
    out << (isOpen ? "" : "  (") << separator << child.key << ": ";
    printScalar(child.scalar, out);
    isOpen = true;
  }
  out << (isOpen ? ")\n" : "\n");
}

void Outline::printText(llvm::raw_ostream &out, unsigned indent) const {
  for (const Outline &child : children) {
    if (child.kind == Kind::Scalar) {
      out.indent(indent) << child.key << ": ";
      printScalar(child.scalar, out);
      out << '\n';
    } else if (kind == Kind::List) {
      out.indent(indent);
      child.printItem(out);
      for (const Outline &nested : child.children)
        if (nested.kind != Kind::Scalar)
          nested.printText(out, indent + 2);
    } else if (!child.children.empty()) {
      out.indent(indent) << child.key << ":\n";
      child.printText(out, indent + 2);
    }
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

void Outline::printJson(llvm::json::OStream &json) const {
  if (kind == Kind::List) {
    json.array([&] {
      for (const Outline &child : children)
        child.printJson(json);
    });
    return;
  }
  if (kind == Kind::Scalar) {
    if (const auto *text = std::get_if<std::string>(&scalar))
      json.value(llvm::json::fixUTF8(*text));
    else if (const auto *number = std::get_if<int64_t>(&scalar))
      json.value(*number);
    else
      json.value(std::get<bool>(scalar));
    return;
  }
  json.object([&] {
    for (const Outline &child : children) {
      json.attributeBegin(child.key);
      child.printJson(json);
      json.attributeEnd();
    }
  });
}

void Outline::print(bool asJson, llvm::raw_ostream &out) const {
  if (!asJson)
    return printText(out, 0);
  llvm::json::OStream json(out, 1);
  printJson(json);
  out << '\n';
}

} // namespace adze
