//===- SchemaParser.cpp - The text of one operator schema -----------------===//
//
// "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor".
//
//===----------------------------------------------------------------------===//

#include "adze/Frontend/AtenSchema.h"
#include "adze/Frontend/Error.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace adze::frontend {

namespace {

class SchemaParser {
public:
  explicit SchemaParser(llvm::StringRef text) : text(text), rest(text) {}

  llvm::Expected<OpSchema> parse();

private:
  // Each returns false where the text is not as expected.
  bool parseArguments(OpSchema &schema);
  bool parseArgument(SchemaArgument &argument);
  bool parseReturns(OpSchema &schema);
  bool parseReturn(SchemaReturn &result);
  bool parseType(SchemaType &type, AliasInfo &alias);
  bool parseAlias(AliasInfo &alias);
  bool parseBase(SchemaBase &base);
  bool parseSuffixes(SchemaType &type);
  bool parseDefault(const SchemaType &type, Argument &value);
  bool parseLiteral(const SchemaType &type, Argument &value);
  bool parseQuoted(Argument &value);
  bool parseNumber(const SchemaType &type, Argument &value);
  llvm::StringRef takeWord();

  llvm::StringRef text, rest;
};

} // namespace

llvm::StringRef SchemaParser::takeWord() {
  llvm::StringRef word =
      rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  rest = rest.drop_front(word.size());
  return word;
}

bool SchemaParser::parseBase(SchemaBase &base) {
  llvm::StringRef word = takeWord();
  // Types that no exported program can hold a value of: classes, dicts.
  while (rest.consume_front("."))
    takeWord();
  if (word == "Dict") {
    size_t end = rest.find(')');
    if (end == llvm::StringRef::npos)
      return false;
    rest = rest.drop_front(end + 1);
  }
  base = llvm::StringSwitch<SchemaBase>(word)
             .Case("Tensor", SchemaBase::Tensor)
             .Cases({"Scalar", "number"}, SchemaBase::Scalar)
             .Case("int", SchemaBase::Int)
             .Case("SymInt", SchemaBase::SymInt)
             .Case("float", SchemaBase::Float)
             .Case("bool", SchemaBase::Bool)
             .Case("SymBool", SchemaBase::SymBool)
             .Case("str", SchemaBase::Str)
             .Case("complex", SchemaBase::Complex)
             .Case("ScalarType", SchemaBase::ScalarType)
             .Case("Layout", SchemaBase::Layout)
             .Case("Device", SchemaBase::Device)
             .Case("MemoryFormat", SchemaBase::MemoryFormat)
             .Case("Generator", SchemaBase::Generator)
             .Case("Storage", SchemaBase::Storage)
             .Default(SchemaBase::Any);
  return !word.empty();
}

/// "(a)", "(a!)", "(a -> *)", "(a! -> *)".
bool SchemaParser::parseAlias(AliasInfo &alias) {
  if (!rest.consume_front("("))
    return true;
  alias.set = takeWord();
  alias.isWrite = rest.consume_front("!");
  rest.consume_front(" -> *");
  return rest.consume_front(")");
}

/// "?", "[]", "[2]", in the order of the schema: "Tensor?[]", "int[1]?".
bool SchemaParser::parseSuffixes(SchemaType &type) {
  while (true) {
    if (rest.consume_front("?")) {
      type.isOptional = true;
      continue;
    }
    if (!rest.consume_front("["))
      return true;
    type.elementsAreOptional = type.isOptional;
    type.isOptional = false;
    type.isList = true;
    if (!rest.starts_with("]") && rest.consumeInteger(10, type.fixedSize))
      return false;
    if (!rest.consume_front("]"))
      return false;
  }
}

/// The alias annotation stands between base and suffixes.
bool SchemaParser::parseType(SchemaType &type, AliasInfo &alias) {
  if (!parseBase(type.base))
    return false;
  return parseAlias(alias) && parseSuffixes(type);
}

/// Registry text spells the c10 numbers of enums, arguments hold the schema's.
static int64_t fileScalarType(int64_t c10) {
  if (c10 == 11)
    return 12; // bool
  if (c10 == 15)
    return 13; // bfloat16
  return c10 + 1;
}

static int64_t fileMemoryFormat(int64_t c10) {
  switch (c10) {
  case 0:
    return int64_t(MemoryFormat::Contiguous);
  case 1:
    return int64_t(MemoryFormat::Preserve);
  case 2:
    return int64_t(MemoryFormat::ChannelsLast);
  case 3:
    return int64_t(MemoryFormat::ChannelsLast3d);
  default:
    return int64_t(MemoryFormat::Unknown);
  }
}

bool SchemaParser::parseNumber(const SchemaType &type, Argument &value) {
  llvm::StringRef number = rest.take_while([](char c) {
    return llvm::isAlnum(c) || c == '.' || c == '-' || c == '+';
  });
  rest = rest.drop_front(number.size());
  value.kind = ArgKind::Int;
  if (!number.getAsInteger(10, value.integer)) {
    if (type.base == SchemaBase::ScalarType) {
      value.kind = ArgKind::ScalarType;
      value.integer = fileScalarType(value.integer);
    } else if (type.base == SchemaBase::MemoryFormat) {
      value.kind = ArgKind::MemoryFormat;
      value.integer = fileMemoryFormat(value.integer);
    } else if (type.base == SchemaBase::Float) {
      value.kind = ArgKind::Float;
      value.real = static_cast<double>(value.integer);
    }
    return true;
  }
  value.kind = ArgKind::Float;
  return !number.getAsDouble(value.real);
}

/// Escapes occur only in names of padding characters nobody uses.
bool SchemaParser::parseQuoted(Argument &value) {
  size_t end = 1;
  while (end < rest.size() && rest[end] != '"')
    end += rest[end] == '\\' ? 2 : 1;
  if (end >= rest.size())
    return false;
  value.kind = ArgKind::String;
  value.text = rest.slice(1, end);
  rest = rest.drop_front(end + 1);
  return true;
}

bool SchemaParser::parseLiteral(const SchemaType &type, Argument &value) {
  if (rest.starts_with("\""))
    return parseQuoted(value);
  if (rest.consume_front("None"))
    return true;
  if (rest.consume_front("True")) {
    value.kind = ArgKind::Bool;
    value.integer = 1;
    return true;
  }
  if (rest.consume_front("False")) {
    value.kind = ArgKind::Bool;
    return true;
  }
  return parseNumber(type, value);
}

static ArgKind listKind(SchemaBase base) {
  switch (base) {
  case SchemaBase::Float:
    return ArgKind::Floats;
  case SchemaBase::Bool:
    return ArgKind::Bools;
  case SchemaBase::Tensor:
    return ArgKind::Tensors;
  case SchemaBase::Str:
    return ArgKind::Strings;
  default:
    return ArgKind::Ints;
  }
}

/// A lone number for int[2] is repeated.
bool SchemaParser::parseDefault(const SchemaType &type, Argument &value) {
  if (!rest.consume_front("[")) {
    if (!parseLiteral(type, value))
      return false;
    if (!type.isList || value.isNone())
      return true;
    Argument item = value;
    value = Argument();
    value.kind = listKind(type.base);
    value.items.assign(std::max<int64_t>(type.fixedSize, 1), item);
    return true;
  }
  value.kind = listKind(type.base);
  while (!rest.consume_front("]")) {
    rest.consume_front(", ");
    if (!parseLiteral(type, value.items.emplace_back()))
      return false;
  }
  return true;
}

bool SchemaParser::parseArgument(SchemaArgument &argument) {
  if (!parseType(argument.type, argument.alias) || !rest.consume_front(" "))
    return false;
  argument.name = takeWord();
  if (argument.name.empty())
    return false;
  return !rest.consume_front("=") ||
         parseDefault(argument.type, argument.defaultValue.emplace());
}

bool SchemaParser::parseArguments(OpSchema &schema) {
  bool isKeywordOnly = false;
  while (!rest.consume_front(")")) {
    if (!rest.consume_front(", ") && (!schema.arguments.empty()))
      return false;
    if (!isKeywordOnly && rest.consume_front("*")) {
      isKeywordOnly = true;
      rest.consume_front(", ");
    }
    SchemaArgument &argument = schema.arguments.emplace_back();
    argument.isKeywordOnly = isKeywordOnly;
    if (!parseArgument(argument))
      return false;
  }
  return true;
}

bool SchemaParser::parseReturn(SchemaReturn &result) {
  if (!parseType(result.type, result.alias))
    return false;
  if (rest.consume_front(" "))
    result.name = takeWord();
  return true;
}

bool SchemaParser::parseReturns(OpSchema &schema) {
  if (!rest.consume_front("("))
    return parseReturn(schema.returns.emplace_back()) && rest.empty();
  while (!rest.consume_front(")")) {
    if (!rest.consume_front(", ") && !schema.returns.empty())
      return false;
    if (!parseReturn(schema.returns.emplace_back()))
      return false;
  }
  return rest.empty();
}

llvm::Expected<OpSchema> SchemaParser::parse() {
  OpSchema schema;
  schema.name = rest.take_front(rest.find('('));
  rest = rest.drop_front(schema.name.size());
  if (schema.name.contains("::") && rest.consume_front("(") &&
      parseArguments(schema) && rest.consume_front(" -> ") &&
      parseReturns(schema))
    return schema;
  return inputFault("", "cannot parse the schema '" + text + "' at '" +
                            rest.take_front(20) + "'");
}

llvm::Expected<OpSchema> parseSchema(llvm::StringRef text) {
  return SchemaParser(text).parse();
}

} // namespace adze::frontend
