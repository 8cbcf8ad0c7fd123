//===- ImportControlFlow.cpp - Higher-order operators ---------------------===//
//
// Those that only mark a region of calls are inlined; control flow, autocast
// and grad mode become regions; all others become calls that a later stage
// reports.
//
//===----------------------------------------------------------------------===//

#include "ImportContext.h"
#include "Metadata.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace adze::frontend {

//===----------------------------------------------------------------------===//
// Operands, regions, results
//===----------------------------------------------------------------------===//

const Argument *ControlFlowImporter::argument(size_t index, ArgKind kind) {
  if (index < node.inputs.size()) {
    const Argument &value = node.inputs[index].value;
    if (value.kind == kind || (isList(kind) && isList(value.kind)))
      return &value;
  }
  (void)scope.failNode(node, "expected argument " + llvm::Twine(index) +
                                 " to be given as " + getUnionKey(kind));
  return nullptr;
}

ControlFlowImporter::Operands ControlFlowImporter::spread(size_t begin) const {
  Operands operands;
  for (const NamedArgument &input : llvm::drop_begin(node.inputs, begin))
    operands.push_back(&input.value);
  return operands;
}

ControlFlowImporter::Operands ControlFlowImporter::items(const Argument &list) {
  Operands operands;
  for (const Argument &item : list.items)
    operands.push_back(&item);
  return operands;
}

/// Numbers among the operands are not passed: the subgraph describes its inputs
/// by the symbols of the program, and has literals inlined.
FailureOr<SmallVector<Value>>
ControlFlowImporter::tensorsOf(ArrayRef<const Argument *> operands) {
  SmallVector<Value> values;
  for (const Argument *operand : operands) {
    if (operand->kind == ArgKind::CustomObj)
      return scope.failNode(node, "custom object '" + operand->text +
                                      "' is not supported");
    if (operand->kind == ArgKind::Tensor)
      values.push_back(scope.tensors.lookup(operand->text));
  }
  return values;
}

FailureOr<SmallVector<Type>> ControlFlowImporter::resultTypes() {
  SmallVector<Type> types;
  auto add = [&](const Argument &output) -> LogicalResult {
    if (output.kind != ArgKind::Tensor)
      return success();
    std::string why;
    types.push_back(scope.typeOf(output.text, why));
    return types.back() ? success() : scope.failNode(node, why);
  };
  for (const Argument &output : node.outputs) {
    if (failed(add(output)))
      return failure();
    for (const Argument &item : output.items)
      if (failed(add(item)))
        return failure();
  }
  return types;
}

LogicalResult ControlFlowImporter::nameResults(ValueRange results) {
  size_t next = 0;
  auto name = [&](const Argument &output) {
    if (output.kind != ArgKind::Tensor)
      return;
    if (next < results.size())
      scope.tensors[output.text] = results[next];
    ++next;
  };
  for (const Argument &output : node.outputs) {
    name(output);
    llvm::for_each(output.items, name);
  }
  if (next == results.size())
    return success();
  return scope.failNode(node, "has " + llvm::Twine(next) +
                                  " tensors as results, but its graph has " +
                                  llvm::Twine(results.size()));
}

SmallVector<StringRef> ControlFlowImporter::bindResults() {
  SmallVector<StringRef> binds;
  FailureOr<SmallVector<Type>> types = resultTypes();
  if (succeeded(types))
    for (Type type : *types)
      for (sym::Expr size : sym::shapeOf(cast<RankedTensorType>(type)))
        llvm::append_range(binds, defineSymbols(shared, size));
  return binds;
}

FailureOr<SmallVector<Type>>
ControlFlowImporter::inputTypes(GraphImporter &inner, const Graph &graph) {
  SmallVector<Type> types;
  for (const Argument &input : graph.inputs) {
    if (input.kind != ArgKind::Tensor)
      continue;
    std::string why;
    types.push_back(inner.typeOf(input.text, why));
    if (!types.back())
      return scope.failNode(node, why);
  }
  return types;
}

LogicalResult ControlFlowImporter::fillRegion(Region &region,
                                              const Graph &graph,
                                              TypeRange operands,
                                              TypeRange results) {
  OpBuilder::InsertionGuard guard(scope.builder);
  Location location = importLocation(shared.context, node);
  GraphImporter inner(shared, graph, scope.builder);
  Block *block = scope.builder.createBlock(&region);
  FailureOr<SmallVector<Type>> inputs = inputTypes(inner, graph);
  if (failed(inputs) ||
      failed(scope.checkTypes(node, "operands", operands, *inputs)))
    return failure();
  for (Type type : *inputs)
    block->addArgument(type, location);
  if (failed(inner.bindInputs(block->getArguments())) ||
      failed(inner.importNodes()))
    return failure();
  FailureOr<SmallVector<Value>> outputs = inner.tensorOutputs();
  if (failed(outputs))
    return failure();
  capture::ReturnOp::create(scope.builder, location, *outputs);
  return scope.checkTypes(node, "results", results,
                          ValueRange(*outputs).getTypes());
}

LogicalResult
ControlFlowImporter::inlineGraph(const Graph &graph,
                                 ArrayRef<const Argument *> operands) {
  FailureOr<SmallVector<Value>> values = tensorsOf(operands);
  GraphImporter inner(shared, graph, scope.builder);
  FailureOr<SmallVector<Type>> expected = inputTypes(inner, graph);
  if (failed(values) || failed(expected) ||
      failed(scope.checkTypes(node, "operands", ValueRange(*values).getTypes(),
                              *expected)) ||
      failed(inner.bindInputs(*values)) || failed(inner.importNodes()))
    return failure();
  FailureOr<SmallVector<Value>> outputs = inner.tensorOutputs();
  return failed(outputs) ? failure() : nameResults(*outputs);
}

//===----------------------------------------------------------------------===//
// Operators that only mark
//===----------------------------------------------------------------------===//

LogicalResult ControlFlowImporter::importInlined(size_t graphIndex,
                                                 bool operandsAreSpread) {
  const Argument *graph = argument(graphIndex, ArgKind::Graph);
  if (!graph)
    return failure();
  if (operandsAreSpread)
    return inlineGraph(*graph->graph, spread(graphIndex + 1));
  const Argument *list = argument(graphIndex + 1, ArgKind::Tensors);
  return list ? inlineGraph(*graph->graph, items(*list)) : failure();
}

/// (graph, identifier, operands), spread or, in old files, in one list.
LogicalResult ControlFlowImporter::importInvoke() {
  const Argument *graph = argument(0, ArgKind::Graph);
  if (!graph)
    return failure();
  bool isOneList = node.inputs.size() == 3 && isList(node.inputs[2].value.kind);
  return inlineGraph(*graph->graph,
                     isOneList ? items(node.inputs[2].value) : spread(2));
}

/// (token, operator, its arguments): the order that tokens stand for is the
/// order of the calls.
LogicalResult ControlFlowImporter::importEffects() {
  const Argument *token = argument(0, ArgKind::Tensor);
  const Argument *target = argument(1, ArgKind::Operator);
  if (!token || !target || node.outputs.empty())
    return failure();
  std::vector<NamedArgument> inputs(node.inputs.begin() + 2, node.inputs.end());
  const OpSchema *schema = lookupSchemaOfTarget(target->text);
  for (auto [index, input] : llvm::enumerate(inputs))
    if (schema && input.name.empty() && index < schema->arguments.size())
      input.name = schema->arguments[index].name;
  if (node.outputs[0].kind == ArgKind::Tensor)
    scope.tensors[node.outputs[0].text] = scope.tensors.lookup(token->text);
  if (target->text.ends_with("higher_order.print"))
    return success();
  return CallImporter(scope, node)
      .import(target->text, inputs, llvm::ArrayRef(node.outputs).drop_front());
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static bool returnsNumbers(const Graph &graph) {
  return llvm::any_of(graph.outputs, [](const Argument &output) {
    return output.kind != ArgKind::Tensor && !output.isNone();
  });
}

/// (predicate, true graph, false graph, operands).
LogicalResult ControlFlowImporter::importCond() {
  const Argument *thenGraph = argument(1, ArgKind::Graph);
  const Argument *elseGraph = argument(2, ArgKind::Graph);
  const Argument *list = argument(3, ArgKind::Tensors);
  if (!thenGraph || !elseGraph || !list)
    return failure();
  if (returnsNumbers(*thenGraph->graph) || returnsNumbers(*elseGraph->graph))
    return scope.failNode(node, "branches that return numbers are not "
                                "supported");
  const Argument &predicate = node.inputs[0].value;
  Operands operands = items(*list);
  sym::ExprAttr condition;
  std::string why;
  if (predicate.kind == ArgKind::Tensor)
    operands.insert(operands.begin(), &predicate);
  else if (predicate.kind == ArgKind::Bool)
    condition = sym::constant(shared.context, predicate.integer);
  else if (predicate.kind == ArgKind::SymBool ||
           predicate.kind == ArgKind::SymInt)
    condition = scope.exprOf(predicate.text, why);
  if (predicate.kind != ArgKind::Tensor && !condition)
    return scope.failNode(node, "expected a predicate " + llvm::Twine(why));

  FailureOr<SmallVector<Value>> values = tensorsOf(operands);
  FailureOr<SmallVector<Type>> types = resultTypes();
  if (failed(values) || failed(types))
    return failure();
  auto op = capture::CondOp::create(
      scope.builder, importLocation(shared.context, node), *types, condition,
      scope.builder.getStrArrayAttr({}), *values);
  // The predicate is no operand of the branches.
  TypeRange passed = op.getOperandTypes();
  if (!condition)
    passed = passed.drop_front();
  if (failed(fillRegion(op.getThenBody(), *thenGraph->graph, passed, *types)) ||
      failed(fillRegion(op.getElseBody(), *elseGraph->graph, passed, *types)))
    return failure();
  op.setBindsAttr(scope.builder.getStrArrayAttr(bindResults()));
  return nameResults(op.getResults());
}

/// (condition graph, body graph, carried values, additional inputs).
LogicalResult ControlFlowImporter::importWhile() {
  const Argument *condition = argument(0, ArgKind::Graph);
  const Argument *body = argument(1, ArgKind::Graph);
  const Argument *carried = argument(2, ArgKind::Tensors);
  const Argument *additional = argument(3, ArgKind::Tensors);
  if (!condition || !body || !carried || !additional)
    return failure();
  Operands operands = items(*carried);
  llvm::append_range(operands, items(*additional));
  FailureOr<SmallVector<Value>> numCarried = tensorsOf(items(*carried));
  FailureOr<SmallVector<Value>> values = tensorsOf(operands);
  FailureOr<SmallVector<Type>> types = resultTypes();
  if (failed(numCarried) || failed(values) || failed(types))
    return failure();
  if (numCarried->size() != carried->items.size() ||
      returnsNumbers(*condition->graph) || returnsNumbers(*body->graph))
    return scope.failNode(node, "carried numbers are not supported");
  auto op = capture::WhileOp::create(
      scope.builder, importLocation(shared.context, node), *types,
      scope.builder.getI64IntegerAttr(carried->items.size()), *values);
  Type flag = RankedTensorType::get({}, scope.builder.getI1Type());
  if (failed(fillRegion(op.getCondition(), *condition->graph,
                        op.getOperandTypes(), flag)) ||
      failed(
          fillRegion(op.getBody(), *body->graph, op.getOperandTypes(), *types)))
    return failure();
  return nameResults(op.getResults());
}

/// (combine graph, initial values, sequences, additional inputs).
LogicalResult ControlFlowImporter::importScan() {
  const Argument *inits = argument(1, ArgKind::Tensors);
  const Argument *sequences = argument(2, ArgKind::Tensors);
  if (!inits || !sequences)
    return failure();
  return importLoop(inits->items.size(), sequences->items.size(), 1);
}

/// (graph, sequences, additional inputs).
LogicalResult ControlFlowImporter::importMap() {
  const Argument *sequences = argument(1, ArgKind::Tensors);
  return sequences ? importLoop(0, sequences->items.size(), 1) : failure();
}

LogicalResult ControlFlowImporter::importLoop(size_t inits, size_t sequences,
                                              size_t firstList) {
  const Argument *body = argument(0, ArgKind::Graph);
  Operands operands;
  for (size_t i = firstList; i < node.inputs.size(); ++i)
    if (isList(node.inputs[i].value.kind))
      llvm::append_range(operands, items(node.inputs[i].value));
  FailureOr<SmallVector<Value>> values = tensorsOf(operands);
  FailureOr<SmallVector<Type>> types = resultTypes();
  if (!body || failed(values) || failed(types))
    return failure();
  bool carriesNumbers = llvm::any_of(
      ArrayRef(operands).take_front(inits + sequences),
      [](const Argument *operand) { return operand->kind != ArgKind::Tensor; });
  if (carriesNumbers || returnsNumbers(*body->graph))
    return scope.failNode(node, "carried numbers are not supported");
  Builder &builder = scope.builder;
  auto op = capture::ScanOp::create(
      scope.builder, importLocation(shared.context, node), *types,
      builder.getI64IntegerAttr(inits), builder.getI64IntegerAttr(sequences),
      *values);
  auto slices = [&](TypeRange types, size_t begin, size_t end) {
    SmallVector<Type> sliced(types);
    for (size_t i = begin; i < std::min(end, sliced.size()); ++i)
      if (auto type = cast<RankedTensorType>(sliced[i]); type.getRank() > 0)
        sliced[i] = sym::tensorType(ArrayRef(sym::shapeOf(type)).drop_front(),
                                    type.getElementType());
    return sliced;
  };
  if (failed(fillRegion(op.getBody(), *body->graph,
                        slices(op.getOperandTypes(), inits, inits + sequences),
                        slices(*types, inits, types->size()))))
    return failure();
  return nameResults(op.getResults());
}

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

/// (enabled, graph, operands...).
LogicalResult ControlFlowImporter::importGradMode() {
  const Argument *enabled = argument(0, ArgKind::Bool);
  const Argument *graph = argument(1, ArgKind::Graph);
  FailureOr<SmallVector<Value>> values = tensorsOf(spread(2));
  FailureOr<SmallVector<Type>> types = resultTypes();
  if (!enabled || !graph || failed(values) || failed(types))
    return failure();
  auto op = capture::GradModeOp::create(
      scope.builder, importLocation(shared.context, node), *types,
      scope.builder.getBoolAttr(enabled->integer != 0), *values);
  if (failed(fillRegion(op.getBody(), *graph->graph, op.getOperandTypes(),
                        *types)))
    return failure();
  return nameResults(op.getResults());
}

/// (device type, dtype or None, enabled, cache, graph, operands...).
LogicalResult ControlFlowImporter::importAutocast() {
  const Argument *device = argument(0, ArgKind::String);
  const Argument *enabled = argument(2, ArgKind::Bool);
  const Argument *graph = argument(4, ArgKind::Graph);
  FailureOr<SmallVector<Value>> values = tensorsOf(spread(5));
  FailureOr<SmallVector<Type>> types = resultTypes();
  if (!device || !enabled || !graph || failed(values) || failed(types))
    return failure();
  // Autocast of one device leaves calls on all other devices alone.
  bool concerns = llvm::any_of(spread(5), [&](const Argument *operand) {
    return operand->kind == ArgKind::Tensor &&
           scope.graph.lookup(operand->text)->tensor.device.type ==
               device->text;
  });
  if (!concerns)
    return inlineGraph(*graph->graph, spread(5));
  const Argument &dtype = node.inputs[1].value;
  DType target = device->text == "cpu" ? DType::BFloat16 : DType::Float16;
  if (!dtype.isNone()) {
    if (!dtype.dtype())
      return scope.failNode(node, "expected an element type to cast to");
    target = *dtype.dtype();
  }
  auto op = capture::AutocastOp::create(
      scope.builder, importLocation(shared.context, node), *types,
      TypeAttr::get(elementType(shared.context, target)),
      scope.builder.getBoolAttr(enabled->integer != 0), *values);
  if (failed(fillRegion(op.getBody(), *graph->graph, op.getOperandTypes(),
                        *types)))
    return failure();
  return nameResults(op.getResults());
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// A call that names the operator, for the report, and keeps the graph whole.
LogicalResult ControlFlowImporter::importUnknown() {
  Argument tensors;
  tensors.kind = ArgKind::Tensors;
  for (const NamedArgument &input : node.inputs) {
    if (input.value.kind == ArgKind::Tensor)
      tensors.items.push_back(input.value);
    for (const Argument &item : input.value.items)
      if (item.kind == ArgKind::Tensor)
        tensors.items.push_back(item);
  }
  NamedArgument operands;
  operands.name = "operands";
  operands.value = std::move(tensors);
  return CallImporter(scope, node).import(node.target, operands, node.outputs);
}

LogicalResult ControlFlowImporter::import(StringRef name) {
  if (name == "cond")
    return importCond();
  if (name == "while_loop")
    return importWhile();
  if (name == "scan")
    return importScan();
  if (name == "map_impl")
    return importMap();
  if (name == "wrap_with_set_grad_enabled")
    return importGradMode();
  if (name == "wrap_with_autocast")
    return importAutocast();
  if (name == "with_effects")
    return importEffects();
  if (name == "invoke_subgraph")
    return importInvoke();
  if (name == "strict_mode" || name == "hints_wrapper" ||
      name == "run_const_graph")
    return importInlined(0, /*operandsAreSpread=*/false);
  if (name == "tag_activation_checkpoint" ||
      name == "wrap_activation_checkpoint" || name == "wrap")
    return importInlined(0, /*operandsAreSpread=*/true);
  if (name == "print")
    return success();
  return importUnknown();
}

} // namespace adze::frontend
