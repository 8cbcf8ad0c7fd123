//===- InspectProgram.cpp - What an exported program is -------------------===//

#include "Inspect.h"
#include "adze/Driver/Call.h"
#include "adze/Frontend/Frontend.h"
#include "adze/Frontend/SymAst.h"
#include "adze/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

namespace adze {

using namespace frontend;

static DiagId getDiagId(const FrontendError &error) {
  return error.kind == FaultKind::Io ? DiagId::CannotRead : DiagId::BadArchive;
}

static std::string messageOf(const llvm::ErrorInfoBase &error) {
  return error.message();
}

llvm::Expected<LoadedProgram> loadProgram(llvm::StringRef path) {
  llvm::Expected<LoadedProgram> loaded = frontend::loadProgram(path);
  if (loaded)
    return loaded;
  DiagId id = DiagId::BadArchive;
  std::string message;
  llvm::handleAllErrors(
      loaded.takeError(),
      [&](const FrontendError &error) {
        id = getDiagId(error);
        message = messageOf(error);
      },
      [&](const llvm::ErrorInfoBase &error) { message = messageOf(error); });
  return makeError(id, message);
}

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

static std::string describeSize(const SymScalar &size) {
  if (size.isLiteral())
    return std::to_string(size.integer);
  llvm::Expected<SymAst> ast = parseSymExpr(size.expr);
  if (ast)
    return toString(*ast);
  llvm::consumeError(ast.takeError());
  return size.expr.str();
}

static std::string describe(const ValueMeta &meta) {
  switch (meta.kind) {
  case ValueKind::SymInt:
    return "int " + describeSize(meta.scalar);
  case ValueKind::SymFloat:
    return "float";
  case ValueKind::SymBool:
    return "bool";
  case ValueKind::CustomObj:
    return "object of class " + meta.classFqn.str();
  case ValueKind::Tensor:
    break;
  }
  std::string text = getName(meta.tensor.dtype).str() + "[";
  llvm::ListSeparator separator;
  for (const SymScalar &size : meta.tensor.sizes)
    text += llvm::StringRef(separator).str() + describeSize(size);
  return text + "]";
}

static std::string describe(const Argument &argument, const Graph &graph) {
  switch (argument.kind) {
  case ArgKind::None:
    return "None";
  case ArgKind::Int:
    return std::to_string(argument.integer);
  case ArgKind::Float:
    return std::to_string(argument.real);
  case ArgKind::Bool:
    return argument.integer ? "True" : "False";
  case ArgKind::String:
    return "'" + argument.text.str() + "'";
  default:
    break;
  }
  const ValueMeta *meta =
      argument.isValue() ? graph.lookup(argument.text) : nullptr;
  return meta ? describe(*meta) : getUnionKey(argument.kind).str();
}

static void addInputs(const ExportedProgram &program, Outline &report) {
  Outline &list = report.list("inputs");
  for (const InputSpec &spec : program.inputSpecs) {
    bool isConstant = spec.kind == InputKind::ConstantInput;
    if (spec.kind != InputKind::UserInput && !isConstant)
      continue;
    llvm::StringRef name = spec.arg.isValue() ? spec.arg.text : spec.target;
    std::string type = describe(spec.arg, program.graph);
    Outline &item = list.item(name + ": " + type);
    item.set("name", name).set("type", type);
    if (isConstant)
      item.setFlag("constant", true);
  }
}

static llvm::StringRef getText(OutputKind kind) {
  switch (kind) {
  case OutputKind::UserOutput:
    return "output";
  case OutputKind::LossOutput:
    return "loss";
  case OutputKind::BufferMutation:
    return "writes buffer";
  case OutputKind::ParameterMutation:
    return "writes parameter";
  case OutputKind::UserInputMutation:
    return "writes input";
  case OutputKind::GradientToParameter:
    return "gradient of parameter";
  case OutputKind::GradientToUserInput:
    return "gradient of input";
  case OutputKind::Token:
    return "token";
  }
  llvm_unreachable("no such kind");
}

static void addOutputs(const ExportedProgram &program, Outline &report) {
  Outline &list = report.list("outputs");
  for (const OutputSpec &spec : program.outputSpecs) {
    std::string type = describe(spec.arg, program.graph);
    llvm::StringRef kind = getText(spec.kind);
    llvm::StringRef target = spec.target;
    Outline &item =
        list.item(kind + (target.empty() ? "" : " ") + target + ": " + type);
    item.set("kind", kind).set("type", type);
    if (!target.empty())
      item.set("target", target);
  }
}

static void addWeights(const WeightStore &weights, Outline &report) {
  int64_t bytes = 0;
  for (const WeightStorage &storage : weights.storages())
    bytes += static_cast<int64_t>(storage.bytes.size());
  report.set("weights bytes", bytes);
  Outline &list = report.list("weights");
  for (const Weight &weight : weights.weights())
    list.item(weight.name + ": " + describeType(weight.dtype, weight.sizes))
        .set("name", weight.name)
        .set("type", describeType(weight.dtype, weight.sizes))
        .setFlag("parameter", weight.isParameter);
}

void inspectProgram(const LoadedProgram &loaded, Outline &report) {
  const ExportedProgram &program = *loaded.program;
  report.set("program", loaded.model)
      .set("torch", program.torchVersion)
      .set("schema", llvm::Twine(program.schemaMajor) + "." +
                         llvm::Twine(program.schemaMinor));
  addInputs(program, report);
  addOutputs(program, report);
  addGuards(loaded, report);
  addWeights(*loaded.weights, report);
}

//===----------------------------------------------------------------------===//
// Guards and graphs
//===----------------------------------------------------------------------===//

void addGuards(const LoadedProgram &loaded, Outline &report) {
  Outline &dims = report.list("dynamic sizes");
  for (const RangeConstraint &range : loaded.program->rangeConstraints) {
    std::string low = range.min ? std::to_string(*range.min) : "-inf";
    std::string high = range.max ? std::to_string(*range.max) : "inf";
    dims.item(low + " <= " + range.expr + " <= " + high)
        .set("size", range.expr)
        .set("min", low)
        .set("max", high);
  }
  Outline &guards = report.list("guards");
  for (llvm::StringRef guard : loaded.program->guardsCode)
    guards.item(guard).set("expression", guard);
}

namespace {

/// Graphs in the order in which they are met, the outermost first.
struct GraphList {
  std::vector<std::pair<std::string, const Graph *>> graphs;

  void add(std::string name, const Graph &graph) {
    graphs.emplace_back(name, &graph);
    for (const Node &node : graph.nodes)
      for (const NamedArgument &input : node.inputs)
        if (input.value.graph)
          add(name + "." + input.value.text.str(), *input.value.graph);
  }
};

} // namespace

/// "torch.ops.aten.add.Tensor" -> "aten.add.Tensor"
static llvm::StringRef shortName(llvm::StringRef target) {
  target.consume_front("torch.ops.");
  return target;
}

void addOperators(const LoadedProgram &loaded, Outline &report) {
  GraphList list;
  list.add("main", loaded.program->graph);
  Outline &graphs = report.list("graphs");
  for (const auto &[name, graph] : list.graphs) {
    std::map<std::string, int64_t> counts;
    for (const Node &node : graph->nodes)
      ++counts[shortName(node.target).str()];
    Outline &item = graphs.item(name);
    item.set("name", name)
        .set("calls", static_cast<int64_t>(graph->nodes.size()));
    Outline &operators = item.list("operators");
    for (const auto &[target, count] : counts)
      operators.item(llvm::Twine(count) + "  " + target)
          .set("name", target)
          .set("count", count);
  }
}

} // namespace adze
