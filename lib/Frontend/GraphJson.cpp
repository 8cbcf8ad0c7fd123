//===- GraphJson.cpp - Graphs and nodes from JSON -------------------------===//

#include "Decoder.h"
#include "Metadata.h"

#include "llvm/ADT/STLExtras.h"

namespace adze::frontend {

bool Decoder::readNamedArgument(const JsonValue &json,
                                NamedArgument &argument) {
  constexpr int64_t keyword = 2;
  int64_t kind = 0;
  if (!readMember(json, "name", argument.name, asText()))
    return false;
  // The first fault is reported under the argument's name.
  Scope scope(*this, "arg");
  scope.label = argument.name;
  const JsonValue *value = json.lookup("arg");
  if (!value)
    return fail("is missing");
  if (!readArgument(*value, argument.value) ||
      !readOptionalMember(json, "kind", kind, asInt()))
    return false;
  argument.isKeyword = kind == keyword;
  return true;
}

bool Decoder::readMetadata(const JsonValue &json, Node &node) {
  if (const JsonValue *trace = json.lookup("stack_trace");
      trace && trace->isString()) {
    node.location = parseFrame(trace->asString());
    node.location.file = save(node.location.file);
    node.location.function = save(node.location.function);
  }
  if (const JsonValue *stack = json.lookup("nn_module_stack");
      stack && stack->isString())
    node.modulePath = save(stack->asString());
  return true;
}

bool Decoder::readNode(const JsonValue &json, Node &node) {
  if (!readMember(json, "target", node.target, asText()))
    return false;
  top->label = node.target;
  auto argument = [&](const JsonValue &json, Argument &argument) {
    return readArgument(json, argument);
  };
  return readOptionalMember(json, "name", node.name, asText()) &&
         readMember(json, "inputs", node.inputs,
                    [&](const JsonValue &json, auto &list) {
                      return readList(
                          json, list,
                          [&](const JsonValue &json, NamedArgument &argument) {
                            return readNamedArgument(json, argument);
                          });
                    }) &&
         readMember(json, "outputs", node.outputs,
                    [&](const JsonValue &json, auto &list) {
                      return countArguments(json) &&
                             readList(json, list, argument);
                    }) &&
         readOptionalMember(json, "metadata", node,
                            [&](const JsonValue &json, Node &node) {
                              return readMetadata(json, node);
                            }) &&
         readOptionalMember(json, "is_hop_single_tensor_return",
                            node.isHopSingleTensorReturn,
                            [&](const JsonValue &json, auto &flag) {
                              return readBool(json, flag.emplace());
                            });
}

bool Decoder::readValue(const JsonValue &json, ValueKind kind,
                        ValueMeta &meta) {
  meta.kind = kind;
  if (kind == ValueKind::Tensor)
    return readTensorMeta(json, meta.tensor);
  if (kind == ValueKind::CustomObj)
    return readMember(json, "class_fqn", meta.classFqn, asText());
  return readScalar(json, kind, meta.scalar);
}

bool Decoder::readValues(const JsonValue &graphJson, llvm::StringRef map,
                         ValueKind kind, Graph &graph) {
  const JsonValue *values = graphJson.lookup(map);
  if (!values || values->isNull())
    return true;
  Scope scope(*this, map);
  if (!values->isObject())
    return failExpected("an object", *values);
  for (const JsonMember &member : values->items()) {
    Scope inner(*this, member.key);
    auto [entry, isNew] = graph.values.try_emplace(member.key);
    if (!isNew)
      return fail("a value of this name is described twice");
    if (!readValue(member.value, kind, entry->second))
      return false;
  }
  return true;
}

bool Decoder::readGraph(const JsonValue &json, Graph &graph) {
  auto arguments = [&](const JsonValue &json, std::vector<Argument> &list) {
    return countArguments(json) &&
           readList(json, list, [&](const JsonValue &json, Argument &argument) {
             return readArgument(json, argument);
           });
  };
  auto nodes = [&](const JsonValue &json, std::vector<Node> &list) {
    return readList(json, list, [&](const JsonValue &json, Node &node) {
      return readNode(json, node);
    });
  };
  return readMember(json, "inputs", graph.inputs, arguments) &&
         readMember(json, "outputs", graph.outputs, arguments) &&
         readMember(json, "nodes", graph.nodes, nodes) &&
         readValues(json, "tensor_values", ValueKind::Tensor, graph) &&
         readValues(json, "sym_int_values", ValueKind::SymInt, graph) &&
         readValues(json, "sym_bool_values", ValueKind::SymBool, graph) &&
         readValues(json, "sym_float_values", ValueKind::SymFloat, graph) &&
         readValues(json, "custom_obj_values", ValueKind::CustomObj, graph) &&
         readOptionalMember(json, "is_single_tensor_return",
                            graph.isSingleTensorReturn, asBool());
}

} // namespace adze::frontend
