//===- ArgumentJson.cpp - Arguments, sizes and tensor metadata from JSON --===//

#include "Decoder.h"

#include "llvm/ADT/STLExtras.h"

namespace adze::frontend {

namespace {
struct KindName {
  ArgKind kind;
  llvm::StringLiteral key;
  ArgKind element; // lists only
};
} // namespace

static constexpr KindName kindNames[] = {
    {ArgKind::None, "as_none", ArgKind::None},
    {ArgKind::Tensor, "as_tensor", ArgKind::None},
    {ArgKind::Int, "as_int", ArgKind::None},
    {ArgKind::Float, "as_float", ArgKind::None},
    {ArgKind::String, "as_string", ArgKind::None},
    {ArgKind::Bool, "as_bool", ArgKind::None},
    {ArgKind::Complex, "as_complex", ArgKind::None},
    {ArgKind::SymInt, "as_sym_int", ArgKind::None},
    {ArgKind::SymFloat, "as_sym_float", ArgKind::None},
    {ArgKind::SymBool, "as_sym_bool", ArgKind::None},
    {ArgKind::ScalarType, "as_scalar_type", ArgKind::None},
    {ArgKind::MemoryFormat, "as_memory_format", ArgKind::None},
    {ArgKind::Layout, "as_layout", ArgKind::None},
    {ArgKind::Device, "as_device", ArgKind::None},
    {ArgKind::Graph, "as_graph", ArgKind::None},
    {ArgKind::CustomObj, "as_custom_obj", ArgKind::None},
    {ArgKind::Operator, "as_operator", ArgKind::None},
    {ArgKind::Tensors, "as_tensors", ArgKind::Tensor},
    {ArgKind::Ints, "as_ints", ArgKind::Int},
    {ArgKind::Floats, "as_floats", ArgKind::Float},
    {ArgKind::Strings, "as_strings", ArgKind::String},
    {ArgKind::Bools, "as_bools", ArgKind::Bool},
    {ArgKind::SymInts, "as_sym_ints", ArgKind::SymInt},
    {ArgKind::SymFloats, "as_sym_floats", ArgKind::SymFloat},
    {ArgKind::SymBools, "as_sym_bools", ArgKind::SymBool},
    {ArgKind::OptionalTensors, "as_optional_tensors", ArgKind::None},
    {ArgKind::NestedTensors, "as_nested_tensors", ArgKind::Tensors},
    {ArgKind::IntLists, "as_int_lists", ArgKind::Ints},
    {ArgKind::FloatLists, "as_float_lists", ArgKind::Floats},
    {ArgKind::Dict, "as_string_to_argument", ArgKind::None},
};

llvm::StringRef getUnionKey(ArgKind kind) {
  return llvm::find_if(kindNames,
                       [&](const KindName &name) { return name.kind == kind; })
      ->key;
}

static constexpr int64_t maxRank = 64;

bool Decoder::readHint(const JsonValue &json, std::optional<double> &hint) {
  const JsonMember *member = readUnion(json);
  if (!member)
    return false;
  double value = 0;
  if (member->value.kind() == JsonValue::Kind::Bool)
    value = member->value.asBool();
  else if (!readFloat(member->value, value))
    return false;
  hint = value;
  return true;
}

bool Decoder::readScalar(const JsonValue &json, ValueKind kind,
                         SymScalar &scalar) {
  const JsonMember *member = readUnion(json);
  if (!member)
    return false;
  Scope scope(*this, member->key);
  const JsonValue &value = member->value;
  if (member->key == "as_expr") {
    return readMember(value, "expr_str", scalar.expr, asText()) &&
           (!scalar.expr.empty() || fail("expected an expression")) &&
           readOptionalMember(value, "hint", scalar.hint,
                              [&](const JsonValue &json, auto &hint) {
                                return readHint(json, hint);
                              });
  }
  if (kind == ValueKind::SymInt && member->key == "as_int")
    return readInt(value, scalar.integer);
  if (kind == ValueKind::SymFloat && member->key == "as_float")
    return readFloat(value, scalar.real);
  bool flag = false;
  if (kind == ValueKind::SymBool && member->key == "as_bool") {
    bool read = readBool(value, flag);
    scalar.integer = flag;
    return read;
  }
  return fail("unknown kind of symbolic value '" + member->key + "'");
}

bool Decoder::readDevice(const JsonValue &json, Device &device) {
  return readMember(json, "type", device.type, asText()) &&
         readOptionalMember(json, "index", device.index,
                            [&](const JsonValue &json, auto &index) {
                              return readOptionalInt(json, index);
                            });
}

bool Decoder::readDType(const JsonValue &json, DType &dtype) {
  int64_t number = 0;
  if (!readInt(json, number))
    return false;
  std::optional<DType> found = dtypeFromPt2(number);
  if (!found)
    return fail("element type number " + llvm::Twine(number) +
                " is not supported");
  dtype = *found;
  return true;
}

bool Decoder::readLayout(const JsonValue &json, Layout &layout) {
  int64_t number = 0;
  if (!readInt(json, number))
    return false;
  if (number < 0 || number > int64_t(Layout::Strided))
    return fail("expected a layout from 0 to 7, but found " +
                llvm::Twine(number));
  layout = static_cast<Layout>(number);
  return true;
}

bool Decoder::readSizes(const JsonValue &json,
                        llvm::SmallVectorImpl<SymScalar> &sizes) {
  if (json.isArray() && json.items().size() > maxRank)
    return fail("expected at most " + llvm::Twine(maxRank) +
                " dimensions, but found " + llvm::Twine(json.items().size()));
  return readList(json, sizes, [&](const JsonValue &json, SymScalar &size) {
    if (!readScalar(json, ValueKind::SymInt, size))
      return false;
    return size.integer >= 0 || fail("expected no negative value, but found " +
                                     llvm::Twine(size.integer));
  });
}

bool Decoder::readTensorMeta(const JsonValue &json, TensorMeta &meta) {
  auto sizes = [&](const JsonValue &json, auto &list) {
    return readSizes(json, list);
  };
  bool read =
      readMember(json, "dtype", meta.dtype,
                 [&](const JsonValue &json, DType &dtype) {
                   return readDType(json, dtype);
                 }) &&
      readMember(json, "sizes", meta.sizes, sizes) &&
      readMember(json, "strides", meta.strides, sizes) &&
      readOptionalMember(json, "requires_grad", meta.requiresGrad, asBool()) &&
      readOptionalMember(json, "device", meta.device,
                         [&](const JsonValue &json, Device &device) {
                           return readDevice(json, device);
                         }) &&
      readOptionalMember(json, "layout", meta.layout,
                         [&](const JsonValue &json, Layout &layout) {
                           return readLayout(json, layout);
                         }) &&
      readOptionalMember(json, "storage_offset", meta.storageOffset,
                         [&](const JsonValue &json, SymScalar &offset) {
                           return readScalar(json, ValueKind::SymInt, offset);
                         });
  if (!read)
    return false;
  if (meta.strides.size() != meta.sizes.size())
    return fail("has " + llvm::Twine(meta.sizes.size()) + " sizes, but " +
                llvm::Twine(meta.strides.size()) + " strides");
  return true;
}

bool Decoder::readArgument(const JsonValue &json, Argument &argument) {
  const JsonMember *member = readUnion(json);
  if (!member)
    return false;
  Scope scope(*this, member->key);
  return readPayload(member->key, member->value, argument);
}

bool Decoder::readPayload(llvm::StringRef key, const JsonValue &json,
                          Argument &argument) {
  if (key == "as_optional_tensor")
    return readOptionalTensor(json, argument);
  const KindName *known = llvm::find_if(
      kindNames, [&](const KindName &name) { return name.key == key; });
  if (known == std::end(kindNames))
    return fail("unknown kind of argument '" + key + "'");
  argument.kind = known->kind;
  if (isList(known->kind))
    return readItems(json, known->element, argument);
  return readScalarPayload(known->kind, json, argument);
}

bool Decoder::readScalarPayload(ArgKind kind, const JsonValue &json,
                                Argument &argument) {
  switch (kind) {
  case ArgKind::None:
    return true;
  case ArgKind::Tensor:
  case ArgKind::CustomObj:
    return readNamed(json, kind, argument);
  case ArgKind::String:
  case ArgKind::Operator:
    return readText(json, argument.text);
  case ArgKind::SymInt:
  case ArgKind::SymFloat:
  case ArgKind::SymBool:
    return readSymbolic(json, kind, argument);
  case ArgKind::ScalarType:
  case ArgKind::MemoryFormat:
  case ArgKind::Layout:
  case ArgKind::Device:
    return readEnum(json, kind, argument);
  case ArgKind::Graph:
    return readGraphArgument(json, argument);
  case ArgKind::Dict:
    return readDict(json, argument);
  default:
    return readNumber(json, kind, argument);
  }
}

bool Decoder::countArguments(const JsonValue &list) {
  constexpr uint64_t maxArguments = uint64_t(3) << 20;
  if (list.isArray())
    numArguments += list.items().size();
  return numArguments <= maxArguments ||
         fail("more than " + llvm::Twine(maxArguments) + " list items");
}

bool Decoder::readItems(const JsonValue &json, ArgKind element,
                        Argument &argument) {
  return countArguments(json) &&
         readList(json, argument.items,
                  [&](const JsonValue &json, Argument &item) {
                    if (argument.kind == ArgKind::OptionalTensors)
                      return readOptionalTensor(json, item);
                    item.kind = element;
                    if (element == ArgKind::Tensors)
                      return readItems(json, ArgKind::Tensor, item);
                    if (element == ArgKind::Ints)
                      return readItems(json, ArgKind::Int, item);
                    if (element == ArgKind::Floats)
                      return readItems(json, ArgKind::Float, item);
                    return readScalarPayload(element, json, item);
                  });
}

bool Decoder::readNamed(const JsonValue &json, ArgKind kind,
                        Argument &argument) {
  return readMember(json, "name", argument.text, asText()) &&
         (!argument.text.empty() || fail("expected a name")) &&
         (kind != ArgKind::CustomObj ||
          readMember(json, "class_fqn", argument.classFqn, asText()));
}

bool Decoder::readNumber(const JsonValue &json, ArgKind kind,
                         Argument &argument) {
  if (kind == ArgKind::Float)
    return readFloat(json, argument.real);
  if (kind == ArgKind::Complex) {
    auto number = [&](const JsonValue &json, double &value) {
      return readFloat(json, value);
    };
    return readMember(json, "real", argument.real, number) &&
           readMember(json, "imag", argument.imag, number);
  }
  if (kind == ArgKind::Bool) {
    bool flag = false;
    bool read = readBool(json, flag);
    argument.integer = flag;
    return read;
  }
  if (json.kind() == JsonValue::Kind::Unsigned) {
    argument.isUnsigned = true;
    argument.integer = static_cast<int64_t>(json.asUnsigned());
    return true;
  }
  return readInt(json, argument.integer);
}

/// {"as_name": x} keeps the symbolic kind, a literal becomes the plain kind.
bool Decoder::readSymbolic(const JsonValue &json, ArgKind kind,
                           Argument &argument) {
  const JsonMember *member = readUnion(json);
  if (!member)
    return false;
  if (member->key == "as_name")
    return readText(member->value, argument.text) &&
           (!argument.text.empty() || fail("expected a name"));
  if (kind == ArgKind::SymInt && member->key == "as_int")
    argument.kind = ArgKind::Int;
  else if (kind == ArgKind::SymFloat && member->key == "as_float")
    argument.kind = ArgKind::Float;
  else if (kind == ArgKind::SymBool && member->key == "as_bool")
    argument.kind = ArgKind::Bool;
  else
    return fail("unknown kind of symbolic argument '" + member->key + "'");
  return readNumber(member->value, argument.kind, argument);
}

bool Decoder::readOptionalTensor(const JsonValue &json, Argument &argument) {
  const JsonMember *member = readUnion(json);
  if (!member)
    return false;
  if (member->key == "as_none") {
    argument.kind = ArgKind::None;
    return true;
  }
  if (member->key != "as_tensor")
    return fail("unknown kind of optional tensor '" + member->key + "'");
  argument.kind = ArgKind::Tensor;
  return readNamed(member->value, ArgKind::Tensor, argument);
}

bool Decoder::readEnum(const JsonValue &json, ArgKind kind,
                       Argument &argument) {
  if (kind == ArgKind::Device) {
    Device device;
    bool read = readDevice(json, device);
    argument.text = device.type;
    argument.integer = device.index.value_or(-1);
    return read;
  }
  int64_t limit = kind == ArgKind::Layout         ? 7
                  : kind == ArgKind::MemoryFormat ? 4
                                                  : 255;
  if (!readInt(json, argument.integer))
    return false;
  return (argument.integer >= 0 && argument.integer <= limit) ||
         fail("expected a number from 0 to " + llvm::Twine(limit) +
              ", but found " + llvm::Twine(argument.integer));
}

static constexpr unsigned maxGraphDepth = 64;

bool Decoder::readGraphArgument(const JsonValue &json, Argument &argument) {
  if (graphDepth >= maxGraphDepth)
    return fail("graphs are nested deeper than " + llvm::Twine(maxGraphDepth) +
                " levels");
  ++graphDepth;
  auto graph = std::make_shared<Graph>();
  bool read = readMember(json, "name", argument.text, asText()) &&
              readMember(json, "graph", *graph,
                         [&](const JsonValue &json, Graph &graph) {
                           return readGraph(json, graph);
                         });
  --graphDepth;
  argument.graph = std::move(graph);
  return read;
}

bool Decoder::readDict(const JsonValue &json, Argument &argument) {
  if (!json.isObject())
    return failExpected("an object", json);
  for (const JsonMember &member : json.items()) {
    Scope scope(*this, member.key);
    argument.keys.push_back(save(member.key));
    if (!readArgument(member.value, argument.items.emplace_back()))
      return false;
  }
  return true;
}

} // namespace adze::frontend
