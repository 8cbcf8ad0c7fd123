//===- Outline.h - A report for people and for programs -------------------===//
//
// What inspect and explain print is put together once and printed as indented
// text or as JSON, with keys in the order in which they were added.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_LIB_DRIVER_OUTLINE_H
#define ADZE_LIB_DRIVER_OUTLINE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>
#include <string>
#include <variant>

namespace adze {

class Outline {
public:
  using Scalar = std::variant<bool, int64_t, std::string>;

  Outline &set(llvm::StringRef key, const llvm::Twine &text) {
    return add(key, Scalar(text.str()));
  }
  Outline &set(llvm::StringRef key, int64_t number) {
    return add(key, Scalar(number));
  }
  Outline &setFlag(llvm::StringRef key, bool flag) {
    return add(key, Scalar(flag));
  }

  /// A nested object, and a list whose entries are made by item().
  Outline &object(llvm::StringRef key);
  Outline &list(llvm::StringRef key);
  /// An object in a list; text shows it on one line, beginning with `head`.
  Outline &item(const llvm::Twine &head);

  void print(bool asJson, llvm::raw_ostream &out) const;

private:
  enum class Kind : uint8_t { Object, List, Scalar };

  Outline &add(llvm::StringRef key, Scalar value);
  Outline &addChild(Kind kind, std::string key);
  void printText(llvm::raw_ostream &out, unsigned indent) const;
  void printItem(llvm::raw_ostream &out) const;
  void printJson(llvm::json::OStream &json) const;

  Kind kind = Kind::Object;
  std::string key; // of an item: what its line begins with
  Scalar scalar;
  std::deque<Outline> children; // addresses stay
};

} // namespace adze

#endif // ADZE_LIB_DRIVER_OUTLINE_H
