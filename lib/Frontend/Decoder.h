//===- Decoder.h - Reads structs out of a JSON tree -----------------------===//
//
// The first mistake wins: it is kept together with the path to the value where
// it was found, and everything unwinds by returning false.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_LIB_FRONTEND_DECODER_H
#define ADZE_LIB_FRONTEND_DECODER_H

#include "Json.h"

#include "adze/Frontend/ExportedProgram.h"

namespace adze::frontend {

class Decoder {
public:
  explicit Decoder(ExportedProgram &program) : program(program) {}

  /// A step of the path to the current value; lives on the C++ stack.
  class Scope {
  public:
    Scope(Decoder &decoder, llvm::StringRef key, int64_t index = -1)
        : decoder(decoder), parent(decoder.top), key(key), index(index) {
      decoder.top = this;
    }
    ~Scope() { decoder.top = parent; }
    /// Names the thing at this step: "(torch.ops.aten.add.Tensor)".
    llvm::StringRef label;

  private:
    friend class Decoder;
    Decoder &decoder;
    Scope *parent;
    llvm::StringRef key;
    int64_t index;
  };

  /// Records the error; always false.
  bool fail(const llvm::Twine &message);
  bool failExpected(const char *what, const JsonValue &found);
  llvm::Error takeError() const;

  llvm::StringRef save(llvm::StringRef text) {
    return program.strings.save(text);
  }

  // Plain values.
  bool readInt(const JsonValue &json, int64_t &value);
  bool readFloat(const JsonValue &json, double &value);
  bool readBool(const JsonValue &json, bool &value);
  bool readText(const JsonValue &json, llvm::StringRef &value);
  bool readOptionalInt(const JsonValue &json, std::optional<int64_t> &value);

  /// The one key of a union whose value is not null.
  const JsonMember *readUnion(const JsonValue &json);

  /// Calls `read(member value, value)` on a member that must be there.
  template <typename Value, typename Read>
  bool readMember(const JsonValue &json, llvm::StringRef key, Value &value,
                  Read read) {
    const JsonValue *member = json.lookup(key);
    Scope scope(*this, key);
    if (!member)
      return json.isObject() ? fail("is missing")
                             : failExpected("an object", json);
    return read(*member, value);
  }
  /// The same; absent or null leaves `value` as it is.
  template <typename Value, typename Read>
  bool readOptionalMember(const JsonValue &json, llvm::StringRef key,
                          Value &value, Read read) {
    const JsonValue *member = json.lookup(key);
    if (!member || member->isNull())
      return true;
    Scope scope(*this, key);
    return read(*member, value);
  }
  template <typename List, typename Read>
  bool readList(const JsonValue &json, List &list, Read read) {
    if (!json.isArray())
      return failExpected("a list", json);
    list.reserve(json.items().size());
    int64_t index = 0;
    for (const JsonMember &item : json.items()) {
      Scope scope(*this, "", index++);
      if (!read(item.value, list.emplace_back()))
        return false;
    }
    return true;
  }

  // Readers as objects, for the templates above.
  auto asInt() {
    return [this](const JsonValue &json, int64_t &value) {
      return readInt(json, value);
    };
  }
  auto asText() {
    return [this](const JsonValue &json, llvm::StringRef &value) {
      return readText(json, value);
    };
  }
  auto asBool() {
    return [this](const JsonValue &json, bool &value) {
      return readBool(json, value);
    };
  }

  // Structs shared by several documents (ArgumentJson.cpp).
  bool readScalar(const JsonValue &json, ValueKind kind, SymScalar &scalar);
  bool readDevice(const JsonValue &json, Device &device);
  bool readTensorMeta(const JsonValue &json, TensorMeta &meta);
  bool readArgument(const JsonValue &json, Argument &argument);

  // GraphJson.cpp.
  bool readGraph(const JsonValue &json, Graph &graph);

private:
  bool readDType(const JsonValue &json, DType &dtype);
  bool readLayout(const JsonValue &json, Layout &layout);
  bool readSizes(const JsonValue &json,
                 llvm::SmallVectorImpl<SymScalar> &sizes);
  bool readHint(const JsonValue &json, std::optional<double> &hint);

  /// A list takes far more memory than its text: their number is limited.
  bool countArguments(const JsonValue &list);
  bool readPayload(llvm::StringRef key, const JsonValue &json,
                   Argument &argument);
  bool readScalarPayload(ArgKind kind, const JsonValue &json,
                         Argument &argument);
  bool readNamed(const JsonValue &json, ArgKind kind, Argument &argument);
  bool readNumber(const JsonValue &json, ArgKind kind, Argument &argument);
  bool readSymbolic(const JsonValue &json, ArgKind kind, Argument &argument);
  bool readOptionalTensor(const JsonValue &json, Argument &argument);
  bool readEnum(const JsonValue &json, ArgKind kind, Argument &argument);
  bool readGraphArgument(const JsonValue &json, Argument &argument);
  bool readDict(const JsonValue &json, Argument &argument);
  bool readItems(const JsonValue &json, ArgKind element, Argument &argument);

  bool readNode(const JsonValue &json, Node &node);
  bool readNamedArgument(const JsonValue &json, NamedArgument &argument);
  bool readMetadata(const JsonValue &json, Node &node);
  bool readValues(const JsonValue &graphJson, llvm::StringRef map,
                  ValueKind kind, Graph &graph);
  bool readValue(const JsonValue &json, ValueKind kind, ValueMeta &meta);

  std::string pathText() const;

  ExportedProgram &program;
  Scope *top = nullptr;
  unsigned graphDepth = 0;
  uint64_t numArguments = 0;
  std::string message;
};

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_DECODER_H
