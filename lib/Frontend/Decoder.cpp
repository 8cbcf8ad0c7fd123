//===- Decoder.cpp - Reads structs out of a JSON tree ---------------------===//

#include "Decoder.h"

#include "adze/Frontend/Error.h"

#include <limits>

namespace adze::frontend {

std::string Decoder::pathText() const {
  llvm::SmallVector<const Scope *, 16> steps;
  for (const Scope *step = top; step; step = step->parent)
    steps.push_back(step);
  std::string text;
  for (const Scope *step : llvm::reverse(steps)) {
    if (!step->key.empty())
      text += (text.empty() ? "" : ".") + step->key.str();
    if (step->index >= 0)
      text += "[" + std::to_string(step->index) + "]";
    if (!step->label.empty())
      text += " (" + step->label.str() + ") ";
  }
  return text;
}

bool Decoder::fail(const llvm::Twine &why) {
  if (message.empty()) {
    std::string path = llvm::StringRef(pathText()).rtrim().str();
    message = path.empty() ? why.str() : path + ": " + why.str();
  }
  return false;
}

bool Decoder::failExpected(const char *what, const JsonValue &found) {
  return fail(llvm::Twine("expected ") + what + ", but found " +
              found.describe());
}

llvm::Error Decoder::takeError() const { return inputFault("", message); }

bool Decoder::readInt(const JsonValue &json, int64_t &value) {
  if (!json.isInt())
    return failExpected("an integer of 64 bits", json);
  value = json.asInt();
  return true;
}

bool Decoder::readOptionalInt(const JsonValue &json,
                              std::optional<int64_t> &value) {
  int64_t integer = 0;
  if (json.isNull())
    return true;
  if (!readInt(json, integer))
    return false;
  value = integer;
  return true;
}

/// Numbers that are not finite are written as strings.
static std::optional<double> parseNonFinite(llvm::StringRef text) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == "Infinity")
    return infinity;
  if (text == "-Infinity")
    return -infinity;
  if (text == "NaN")
    return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

bool Decoder::readFloat(const JsonValue &json, double &value) {
  switch (json.kind()) {
  case JsonValue::Kind::Float:
    value = json.asFloat();
    return true;
  case JsonValue::Kind::Int:
    value = static_cast<double>(json.asInt());
    return true;
  case JsonValue::Kind::Unsigned:
    value = static_cast<double>(json.asUnsigned());
    return true;
  case JsonValue::Kind::String:
    if (std::optional<double> special = parseNonFinite(json.asString())) {
      value = *special;
      return true;
    }
    [[fallthrough]];
  default:
    return failExpected("a number", json);
  }
}

bool Decoder::readBool(const JsonValue &json, bool &value) {
  if (json.kind() != JsonValue::Kind::Bool)
    return failExpected("true or false", json);
  value = json.asBool();
  return true;
}

bool Decoder::readText(const JsonValue &json, llvm::StringRef &value) {
  if (!json.isString())
    return failExpected("a string", json);
  value = save(json.asString());
  return true;
}

const JsonMember *Decoder::readUnion(const JsonValue &json) {
  if (!json.isObject()) {
    failExpected("an object with one key", json);
    return nullptr;
  }
  const JsonMember *found = nullptr;
  for (const JsonMember &member : json.items()) {
    if (member.value.isNull())
      continue;
    if (found) {
      fail("expected one key, but found '" + found->key + "' and '" +
           member.key + "'");
      return nullptr;
    }
    found = &member;
  }
  if (!found)
    fail("expected an object with one key, but it has none");
  return found;
}

} // namespace adze::frontend
