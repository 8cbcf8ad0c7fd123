//===- CheckProgram.cpp - Is a decoded program consistent? ----------------===//

#include "CheckProgram.h"
#include "Metadata.h"

#include "adze/Frontend/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace adze::frontend {

namespace {

/// Checks the names of one graph.
class GraphChecker {
public:
  explicit GraphChecker(Graph &graph, llvm::StringRef where)
      : graph(graph), where(where) {}

  llvm::Error check();

private:
  llvm::Error define(Argument &argument, const llvm::Twine &definer);
  llvm::Error use(Argument &argument, const llvm::Twine &user);
  llvm::Error checkNode(Node &node);
  llvm::Error fault(const llvm::Twine &message) const;

  Graph &graph;
  llvm::StringRef where; // "" or " in graph 'true_graph_0'"
  llvm::StringSet<> defined;
};

} // namespace

llvm::Error GraphChecker::fault(const llvm::Twine &message) const {
  return inputFault("", message + where);
}

llvm::Error GraphChecker::define(Argument &argument,
                                 const llvm::Twine &definer) {
  for (Argument &item : argument.items)
    if (llvm::Error error = define(item, definer))
      return error;
  if (!argument.isValue())
    return llvm::Error::success();
  if (!defined.insert(argument.text).second)
    return fault(definer + " defines '" + argument.text +
                 "', which is defined already");
  if (!graph.lookup(argument.text))
    return fault(definer + " defines '" + argument.text +
                 "', which the file does not describe");
  return use(argument, definer);
}

static std::optional<ArgKind> kindOf(ValueKind kind) {
  switch (kind) {
  case ValueKind::Tensor:
    return ArgKind::Tensor;
  case ValueKind::SymInt:
    return ArgKind::SymInt;
  case ValueKind::SymFloat:
    return ArgKind::SymFloat;
  case ValueKind::SymBool:
    return ArgKind::SymBool;
  case ValueKind::CustomObj:
    return ArgKind::CustomObj;
  }
  return std::nullopt;
}

llvm::Error GraphChecker::use(Argument &argument, const llvm::Twine &user) {
  for (Argument &item : argument.items)
    if (llvm::Error error = use(item, user))
      return error;
  // A custom object may also be named by its key among the constants.
  if (!argument.isValue() || argument.kind == ArgKind::CustomObj)
    return llvm::Error::success();
  if (!defined.contains(argument.text))
    return fault(user + " uses '" + argument.text +
                 "', which no input and no earlier node defines");
  ArgKind found = *kindOf(graph.lookup(argument.text)->kind);
  // A list of mixed values is written as a list of tensors.
  if (argument.kind == ArgKind::Tensor)
    argument.kind = found;
  if (argument.kind != found)
    return fault(user + " uses '" + argument.text + "' with " +
                 getUnionKey(argument.kind) + ", but it is described as " +
                 getUnionKey(found));
  return llvm::Error::success();
}

llvm::Error GraphChecker::checkNode(Node &node) {
  std::string name = describeNode(node);
  for (NamedArgument &input : node.inputs) {
    if (llvm::Error error = use(input.value, name))
      return error;
    if (input.value.kind != ArgKind::Graph)
      continue;
    std::string inside = " in graph '" + input.value.text.str() + "'";
    GraphChecker inner(*input.value.graph, inside);
    if (llvm::Error error = inner.check())
      return error;
  }
  for (Argument &output : node.outputs)
    if (llvm::Error error = define(output, name))
      return error;
  return llvm::Error::success();
}

llvm::Error GraphChecker::check() {
  for (Argument &input : graph.inputs)
    if (llvm::Error error = define(input, "the list of graph inputs"))
      return error;
  for (Node &node : graph.nodes)
    if (llvm::Error error = checkNode(node))
      return error;
  for (Argument &output : graph.outputs)
    if (llvm::Error error = use(output, "the list of graph outputs"))
      return error;
  return llvm::Error::success();
}

static llvm::Error checkCount(const llvm::Twine &what, size_t expected,
                              const llvm::Twine &of, size_t found) {
  if (expected == found)
    return llvm::Error::success();
  return inputFault("", what + " lists " + llvm::Twine(found) +
                            ", but the graph has " + llvm::Twine(expected) +
                            " " + of);
}

static llvm::Error checkInputNames(const ExportedProgram &program) {
  for (auto [index, spec] : llvm::enumerate(program.inputSpecs)) {
    const Argument &input = program.graph.inputs[index];
    if (spec.kind != InputKind::ConstantInput && spec.arg.isValue() &&
        spec.arg.text != input.text)
      return inputFault("", "input spec " + llvm::Twine(index) + " is about '" +
                                spec.arg.text + "', but graph input " +
                                llvm::Twine(index) + " is '" + input.text +
                                "'");
  }
  return llvm::Error::success();
}

static llvm::Error checkOutputNames(const ExportedProgram &program) {
  for (auto [index, spec] : llvm::enumerate(program.outputSpecs)) {
    const Argument &output = program.graph.outputs[index];
    if (spec.arg.isValue() && spec.arg.text != output.text)
      return inputFault("", "output spec " + llvm::Twine(index) +
                                " is about '" + spec.arg.text +
                                "', but graph output " + llvm::Twine(index) +
                                " is '" + output.text + "'");
  }
  return llvm::Error::success();
}

static llvm::Error checkLeaves(const llvm::Twine &name, const Treespec &spec,
                               size_t expected) {
  size_t leaves = spec.numLeaves();
  if (leaves == expected)
    return llvm::Error::success();
  return inputFault("", name + " has " + llvm::Twine(leaves) +
                            " leaves, but the signature has " +
                            llvm::Twine(expected) + " user values");
}

static llvm::Error checkSignature(const ExportedProgram &program) {
  if (llvm::Error error = checkCount("input_specs", program.graph.inputs.size(),
                                     "inputs", program.inputSpecs.size()))
    return error;
  if (llvm::Error error =
          checkCount("output_specs", program.graph.outputs.size(), "outputs",
                     program.outputSpecs.size()))
    return error;
  if (llvm::Error error = checkInputNames(program))
    return error;
  if (llvm::Error error = checkOutputNames(program))
    return error;
  size_t inputs = llvm::count_if(program.inputSpecs, [](const auto &spec) {
    return spec.kind == InputKind::UserInput ||
           spec.kind == InputKind::ConstantInput;
  });
  if (llvm::Error error = checkLeaves("in_spec", program.inSpec, inputs))
    return error;
  size_t outputs = llvm::count_if(program.outputSpecs, [](const auto &spec) {
    return spec.kind == OutputKind::UserOutput ||
           spec.kind == OutputKind::LossOutput;
  });
  return checkLeaves("out_spec", program.outSpec, outputs);
}

llvm::Error checkProgram(ExportedProgram &program) {
  if (llvm::Error error = checkSignature(program))
    return error;
  return GraphChecker(program.graph, "").check();
}

} // namespace adze::frontend
