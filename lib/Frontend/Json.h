//===- Json.h - A JSON document as a compact tree -------------------------===//
//
// nlohmann/json does the parsing; the tree is our own because programs can be
// hundreds of megabytes of text, most of it metadata that is dropped on the
// way.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_LIB_FRONTEND_JSON_H
#define ADZE_LIB_FRONTEND_JSON_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace adze::frontend {

struct JsonMember;

class JsonValue {
public:
  /// Unsigned: an integer above the range of int64.
  enum class Kind : uint8_t {
    Null,
    Bool,
    Int,
    Unsigned,
    Float,
    String,
    Array,
    Object
  };

  JsonValue() : kindTag(Kind::Null), count(0), integer(0) {}
  static JsonValue makeBool(bool value);
  static JsonValue makeInt(int64_t value);
  static JsonValue makeUnsigned(uint64_t value);
  static JsonValue makeFloat(double value);
  static JsonValue makeString(llvm::StringRef ownedText);
  static JsonValue makeArray(llvm::ArrayRef<JsonMember> ownedItems);
  static JsonValue makeObject(llvm::ArrayRef<JsonMember> ownedMembers);

  Kind kind() const { return kindTag; }
  bool isNull() const { return kindTag == Kind::Null; }
  bool isString() const { return kindTag == Kind::String; }
  bool isArray() const { return kindTag == Kind::Array; }
  bool isObject() const { return kindTag == Kind::Object; }
  bool isInt() const { return kindTag == Kind::Int; }

  // Each may be called on a value of that kind only.
  bool asBool() const { return integer != 0; }
  int64_t asInt() const { return integer; }
  uint64_t asUnsigned() const { return static_cast<uint64_t>(integer); }
  double asFloat() const { return real; }
  llvm::StringRef asString() const { return {chars, count}; }
  /// Elements of an array (their keys are empty) or members of an object.
  llvm::ArrayRef<JsonMember> items() const;
  /// The member of an object; null where there is none, or it is no object.
  const JsonValue *lookup(llvm::StringRef key) const;

  /// "an object", "the number 3", "the string 'x'": for messages.
  std::string describe() const;

private:
  Kind kindTag;
  uint32_t count;
  union {
    int64_t integer;
    double real;
    const char *chars;
    const JsonMember *members;
  };
};

struct JsonMember {
  llvm::StringRef key;
  JsonValue value;
};

struct JsonDocument {
  llvm::BumpPtrAllocator allocator;
  JsonValue root;
};

/// The limits keep the memory for a hostile text below 1 GiB.
struct JsonOptions {
  unsigned maxDepth = 640;
  uint64_t maxBytes = uint64_t(224) << 20;
  uint64_t maxValues = uint64_t(8) << 20;
  uint64_t maxStrings = uint64_t(2) << 20; // that differ
  uint64_t maxStringBytes = uint64_t(16) << 20;
  /// Of the string members of a node's metadata, keep only what diagnostics
  /// need: the last frame of `stack_trace`, the last path of `nn_module_stack`.
  bool shortenMetadata = false;
};

/// Accepts the bare tokens NaN, Infinity and -Infinity of old files as strings.
llvm::Expected<std::unique_ptr<JsonDocument>>
parseJson(llvm::StringRef text, const JsonOptions &options = {});

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_JSON_H
