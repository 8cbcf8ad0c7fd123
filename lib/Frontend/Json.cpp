//===- Json.cpp - A JSON document as a compact tree -----------------------===//

#include "Json.h"

#include "Metadata.h"

#include "adze/Frontend/Error.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

namespace adze::frontend {

JsonValue JsonValue::makeBool(bool value) {
  JsonValue result;
  result.kindTag = Kind::Bool;
  result.integer = value;
  return result;
}

JsonValue JsonValue::makeInt(int64_t value) {
  JsonValue result;
  result.kindTag = Kind::Int;
  result.integer = value;
  return result;
}

JsonValue JsonValue::makeUnsigned(uint64_t value) {
  JsonValue result;
  result.kindTag = Kind::Unsigned;
  result.integer = static_cast<int64_t>(value);
  return result;
}

JsonValue JsonValue::makeFloat(double value) {
  JsonValue result;
  result.kindTag = Kind::Float;
  result.real = value;
  return result;
}

JsonValue JsonValue::makeString(llvm::StringRef ownedText) {
  JsonValue result;
  result.kindTag = Kind::String;
  result.count = ownedText.size();
  result.chars = ownedText.data();
  return result;
}

JsonValue JsonValue::makeArray(llvm::ArrayRef<JsonMember> ownedItems) {
  JsonValue result;
  result.kindTag = Kind::Array;
  result.count = ownedItems.size();
  result.members = ownedItems.data();
  return result;
}

JsonValue JsonValue::makeObject(llvm::ArrayRef<JsonMember> ownedMembers) {
  JsonValue result = makeArray(ownedMembers);
  result.kindTag = Kind::Object;
  return result;
}

llvm::ArrayRef<JsonMember> JsonValue::items() const {
  return {members, members + count};
}

const JsonValue *JsonValue::lookup(llvm::StringRef key) const {
  if (!isObject())
    return nullptr;
  for (const JsonMember &member : items())
    if (member.key == key)
      return &member.value;
  return nullptr;
}

std::string JsonValue::describe() const {
  switch (kindTag) {
  case Kind::Null:
    return "null";
  case Kind::Bool:
    return asBool() ? "true" : "false";
  case Kind::Int:
    return "the integer " + std::to_string(asInt());
  case Kind::Unsigned:
    return "the integer " + std::to_string(asUnsigned());
  case Kind::Float: {
    std::string text = "the number ";
    llvm::raw_string_ostream(text) << llvm::format("%g", asFloat());
    return text;
  }
  case Kind::String:
    return ("the string '" + asString().take_front(40) +
            (asString().size() > 40 ? "...'" : "'"))
        .str();
  case Kind::Array:
    return "a list of " + std::to_string(count);
  case Kind::Object:
    return count == 1 ? ("an object with the key '" + members->key + "'").str()
                      : "an object of " + std::to_string(count) + " keys";
  }
  return "";
}

namespace {

using Text = nlohmann::json::string_t;

/// Builds the tree from nlohmann's events. Every event returns whether to go
/// on; `message` says why not.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
public:
  TreeBuilder(JsonDocument &document, const JsonOptions &options)
      : document(document), options(options), strings(document.allocator) {}

  std::string message;

  bool null() override { return add(JsonValue()); }
  bool boolean(bool value) override { return add(JsonValue::makeBool(value)); }
  bool number_integer(number_integer_t value) override {
    return add(JsonValue::makeInt(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(value <= uint64_t(INT64_MAX)
                   ? JsonValue::makeInt(static_cast<int64_t>(value))
                   : JsonValue::makeUnsigned(value));
  }
  bool number_float(number_float_t value, const Text &spelling) override {
    // nlohmann turns integers beyond 64 bits into doubles without a word.
    if (spelling.find_first_of(".eE") == Text::npos)
      return stop("integer " + spelling.substr(0, 40) +
                  " does not fit 64 bits");
    return add(JsonValue::makeFloat(value));
  }
  bool string(Text &value) override;
  bool binary(binary_t &) override { return stop("binary value"); }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(Text &value) override;
  bool parse_error(std::size_t position, const std::string &,
                   const nlohmann::detail::exception &error) override;

private:
  struct Frame {
    bool isArray;
    llvm::StringRef key; // under which the frame stands in its parent
    size_t begin;        // of its items in `pending`
  };

  bool stop(std::string why) {
    message = std::move(why);
    return false;
  }
  bool open(bool isArray);
  bool close();
  bool add(JsonValue value);
  bool inNodeMetadata() const;
  /// Names, targets and expressions repeat a lot: each text is kept once.
  bool save(llvm::StringRef &text);

  JsonDocument &document;
  const JsonOptions &options;
  llvm::UniqueStringSaver strings;
  llvm::SmallVector<Frame, 32> frames;
  std::vector<JsonMember> pending;
  llvm::StringRef lastKey;
  uint64_t numValues = 0, numStrings = 0;
};

} // namespace

bool TreeBuilder::open(bool isArray) {
  if (frames.size() >= options.maxDepth)
    return stop("nested deeper than " + std::to_string(options.maxDepth) +
                " levels");
  frames.push_back({isArray, lastKey, pending.size()});
  lastKey = {};
  return true;
}

bool TreeBuilder::close() {
  Frame frame = frames.pop_back_val();
  size_t count = pending.size() - frame.begin;
  JsonMember *items = document.allocator.Allocate<JsonMember>(count);
  std::uninitialized_copy(pending.begin() + frame.begin, pending.end(), items);
  pending.resize(frame.begin);
  llvm::ArrayRef<JsonMember> owned(items, count);
  lastKey = frame.key;
  return add(frame.isArray ? JsonValue::makeArray(owned)
                           : JsonValue::makeObject(owned));
}

bool TreeBuilder::add(JsonValue value) {
  if (++numValues > options.maxValues)
    return stop("more than " + std::to_string(options.maxValues) + " values");
  if (frames.empty())
    document.root = value;
  else
    pending.push_back({lastKey, value});
  lastKey = {};
  return true;
}

bool TreeBuilder::save(llvm::StringRef &text) {
  if (text.size() > options.maxStringBytes)
    return stop("string of " + std::to_string(text.size()) +
                " bytes exceeds the limit of " +
                std::to_string(options.maxStringBytes));
  size_t before = document.allocator.getBytesAllocated();
  text = strings.save(text);
  if (document.allocator.getBytesAllocated() == before ||
      ++numStrings <= options.maxStrings)
    return true;
  return stop("more than " + std::to_string(options.maxStrings) +
              " different strings");
}

bool TreeBuilder::key(Text &value) {
  lastKey = value;
  return save(lastKey);
}

/// The frames are: list "nodes", a node, its "metadata".
bool TreeBuilder::inNodeMetadata() const {
  size_t depth = frames.size();
  return depth >= 3 && frames[depth - 1].key == "metadata" &&
         frames[depth - 3].isArray && frames[depth - 3].key == "nodes";
}

bool TreeBuilder::string(Text &value) {
  llvm::StringRef text = value;
  if (options.shortenMetadata && inNodeMetadata()) {
    if (lastKey == "stack_trace")
      text = lastFrame(text);
    else if (lastKey == "nn_module_stack")
      text = lastModulePath(text);
    else
      return true;
  }
  return save(text) && add(JsonValue::makeString(text));
}

bool TreeBuilder::parse_error(std::size_t position, const std::string &,
                              const nlohmann::detail::exception &error) {
  // "[json.exception.parse_error.101] parse error at line 1, column 3: ...".
  llvm::StringRef what = error.what();
  size_t end = what.find("] ");
  if (end != llvm::StringRef::npos)
    what = what.substr(end + 2);
  return stop("not valid JSON at byte " + std::to_string(position) + ": " +
              what.take_front(200).str());
}

/// Puts quotes around NaN and Infinity outside of strings.
static std::string quoteNonFinite(llvm::StringRef text) {
  static constexpr llvm::StringLiteral tokens[] = {"NaN", "Infinity",
                                                   "-Infinity"};
  std::string result;
  result.reserve(text.size() + 64);
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (inString && text[i] == '\\' && i + 1 < text.size()) {
      result += text[i++];
    } else if (text[i] == '"') {
      inString = !inString;
    } else if (!inString && llvm::StringRef("NI-").contains(text[i])) {
      const auto *token = llvm::find_if(tokens, [&](llvm::StringRef token) {
        return text.substr(i).starts_with(token);
      });
      if (token != std::end(tokens)) {
        result += '"' + token->str() + '"';
        i += token->size() - 1;
        continue;
      }
    }
    result += text[i];
  }
  return result;
}

static bool runParser(llvm::StringRef text, TreeBuilder &builder) {
  try {
    return nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  } catch (const std::exception &error) {
    builder.message = error.what();
    return false;
  }
}

llvm::Expected<std::unique_ptr<JsonDocument>>
parseJson(llvm::StringRef text, const JsonOptions &options) {
  if (text.size() > options.maxBytes)
    return inputFault("", "JSON text of " + llvm::Twine(text.size()) +
                              " bytes exceeds the limit of " +
                              llvm::Twine(options.maxBytes));
  auto document = std::make_unique<JsonDocument>();
  TreeBuilder builder(*document, options);
  if (runParser(text, builder))
    return document;
  // Old files hold tokens that are no JSON; worth a second try only if present.
  bool hasTokens = text.size() <= options.maxBytes / 2 &&
                   (text.contains("NaN") || text.contains("Infinity"));
  if (hasTokens) {
    auto second = std::make_unique<JsonDocument>();
    TreeBuilder retry(*second, options);
    if (runParser(quoteNonFinite(text), retry))
      return second;
  }
  return inputFault("", builder.message);
}

} // namespace adze::frontend
