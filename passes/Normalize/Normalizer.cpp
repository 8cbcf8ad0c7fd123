//===- Normalizer.cpp - Walks a capture graph and builds prim -------------===//

#include "passes/Normalize/Normalizer.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace adze::normalize {

using capture::DescriptorAttr;
using capture::descriptorName;
using capture::Role;

Normalizer::Normalizer(capture::GraphOp graph, OpBuilder &builder)
    : graph(graph), builder(builder), memory(builder) {
  readSymbolRanges();
}

void Normalizer::readSymbolRanges() {
  auto symbols = graph->getAttrOfType<ArrayAttr>("adze.symbols");
  if (!symbols)
    return;
  auto bound = [](DictionaryAttr entry,
                  StringRef name) -> std::optional<int64_t> {
    auto value = entry.getAs<IntegerAttr>(name);
    return value ? std::optional(value.getInt()) : std::nullopt;
  };
  for (auto entry : symbols.getAsRange<DictionaryAttr>())
    if (auto name = entry.getAs<StringAttr>("name"))
      ranges[name.getValue()] = {bound(entry, "min"), bound(entry, "max")};
}

//===----------------------------------------------------------------------===//
// Environment of the calls
//===----------------------------------------------------------------------===//

FailureOr<Value> Normalizer::read(Value captured) {
  Alias *alias = memory.lookup(captured);
  assert(alias && "a value is used before it is visited");
  return memory.read(alias, captured.getLoc());
}

LogicalResult Normalizer::write(Value captured, Value value) {
  std::string reason;
  return memory.write(memory.lookup(captured), value, captured.getLoc(),
                      reason);
}

Value Normalizer::rngKey() {
  if (key)
    return key;
  auto type = RankedTensorType::get({2}, builder.getI64Type());
  unsigned index = function.getNumArguments();
  auto descriptor =
      DescriptorAttr::get(builder.getContext(), Role::rng_key,
                          builder.getStringAttr("rng_key"), 0, true);
  auto attrs = builder.getDictionaryAttr(
      builder.getNamedAttr(descriptorName, descriptor));
  (void)function.insertArgument(index, type, attrs, graph.getLoc());
  return key = function.getArgument(index);
}

sym::Range Normalizer::rangeOf(StringRef symbol) {
  return ranges.lookup(symbol);
}

bool Normalizer::isWholeMemory(Value captured) {
  Alias *alias = memory.lookup(captured);
  auto strides = alias ? stridesOf(*alias) : std::nullopt;
  return strides && !alias->isAmbiguous &&
         isContiguous(sym::shapeOf(captured), *strides) &&
         sym::product(captured.getContext(), sym::shapeOf(captured)) ==
             sym::product(captured.getContext(),
                          sym::shapeOf(alias->storage->current));
}

std::optional<int64_t> Normalizer::nextStream() {
  if (loopDepth > 0)
    return std::nullopt;
  return streams++;
}

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

func::FuncOp Normalizer::createFunction() {
  builder.setInsertionPoint(graph);
  auto func = func::FuncOp::create(builder, graph.getLoc(), graph.getName(),
                                   graph.getFunctionType());
  for (NamedAttribute attr : graph->getDiscardableAttrs())
    func->setAttr(attr.getName(), attr.getValue());
  if (ArrayAttr attrs = graph.getArgAttrsAttr())
    func.setArgAttrsAttr(attrs);
  // From here on every argument has a value of its own.
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    func.removeArgAttr(i, builder.getStringAttr("adze.storage"));
    func.removeArgAttr(i, builder.getStringAttr("adze.same_as"));
  }
  if (ArrayAttr attrs = graph.getResAttrsAttr())
    func.setResAttrsAttr(attrs);
  Block *entry = func.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  return func;
}

FailureOr<func::FuncOp> Normalizer::run() {
  function = createFunction();
  Block &body = graph.getBody().front();
  bindArguments();
  readInputStrides();
  if (failed(visitBlock(body)) || failed(checkSharedStorages()) ||
      failed(finish())) {
    function.erase();
    return failure();
  }
  return function;
}

/// The earlier argument that is the same tensor under another name (attribute
/// `adze.same_as`).
std::optional<unsigned> Normalizer::twinOf(unsigned argument) {
  auto same = graph.getArgAttrOfType<IntegerAttr>(argument, "adze.same_as");
  ArrayRef<Type> types = graph.getArgumentTypes();
  if (!same || same.getValue().uge(argument) ||
      types[same.getInt()] != types[argument])
    return std::nullopt;
  return same.getInt();
}

void Normalizer::bindArguments() {
  for (auto [i, captured] :
       llvm::enumerate(graph.getBody().front().getArguments())) {
    Value value = function.getArgument(i);
    auto twin = twinOf(i);
    Alias *alias = twin ? memory.makeTwin(*argumentAliases[*twin], value)
                        : memory.makeFresh(value, unsigned(i));
    argumentAliases.push_back(alias);
    memory.bind(captured, alias);
  }
}

/// Inputs that lie otherwise in memory than row by row.
void Normalizer::readInputStrides() {
  auto inputs = graph->getAttrOfType<ArrayAttr>("adze.inputs");
  if (!inputs)
    return;
  for (auto input : inputs.getAsRange<DictionaryAttr>()) {
    auto argument = input.getAs<IntegerAttr>("argument");
    auto list = input.getAs<ArrayAttr>("strides");
    if (!argument || !list || argument.getValue().uge(argumentAliases.size()))
      continue;
    Storage &storage = *argumentAliases[argument.getInt()]->storage;
    sym::Shape shape = sym::shapeOf(storage.current);
    auto strides = llvm::to_vector(list.getAsRange<sym::ExprAttr>());
    storage.isContiguous =
        strides.size() == shape.size() && isContiguous(shape, strides);
  }
}

LogicalResult Normalizer::visitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(visit(op)))
      return failure();
  return success();
}

LogicalResult Normalizer::visit(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](capture::CallOp call) { return visitCall(call); })
      .Case([&](capture::AssertOp assertion) { return visitAssert(assertion); })
      .Case([&](capture::GraphBreakOp stop) { return visitGraphBreak(stop); })
      .Case([&](capture::GradModeOp mode) {
        return visitInline(op, mode.getBody());
      })
      .Case([&](capture::AutocastOp mode) { return visitAutocast(mode); })
      .Case([&](capture::CondOp cond) { return visitCond(cond); })
      .Case([&](capture::WhileOp loop) { return visitWhile(loop); })
      .Case([&](capture::ScanOp scan) { return visitScan(scan); })
      .Default([](Operation *other) {
        return other->emitError("'")
               << other->getName() << "' is not an op of a capture graph";
      });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static Role mutationRole(Role argument) {
  switch (argument) {
  case Role::parameter:
    return Role::parameter_mutation;
  case Role::user_input:
    return Role::input_mutation;
  default:
    return Role::buffer_mutation;
  }
}

static std::string nameOfArgument(capture::GraphOp graph, unsigned argument) {
  auto descriptor =
      graph.getArgAttrOfType<DescriptorAttr>(argument, descriptorName);
  return descriptor ? ("'" + descriptor.getName().getValue() + "'").str()
                    : "argument " + std::to_string(argument);
}

/// Whether a functional program gives the new value of an argument as a result.
static bool isReplaced(capture::GraphOp graph, unsigned argument) {
  auto own = graph.getArgAttrOfType<DescriptorAttr>(argument, descriptorName);
  return llvm::any_of(llvm::seq(graph.getNumResults()), [&](unsigned i) {
    auto result = graph.getResultAttrOfType<DescriptorAttr>(i, descriptorName);
    return own && result && result.getName() == own.getName() &&
           (result.getRole() == Role::buffer_mutation ||
            result.getRole() == Role::parameter_mutation);
  });
}

/// Weights that overlap (attribute `adze.storage`): a write to one of them
/// would have to be seen by the others that are used. It is, if both are names
/// of one tensor and an operator writes it; a result replaces one name only,
/// and of one name twice (older versions of torch) only the first would be
/// written.
LogicalResult Normalizer::checkSharedStorages() {
  Block &body = graph.getBody().front();
  auto memoryOf = [&](unsigned argument) {
    return graph.getArgAttrOfType<IntegerAttr>(argument, "adze.storage");
  };
  for (unsigned i = 0; i < argumentAliases.size(); ++i) {
    const Storage *own = argumentAliases[i]->storage;
    bool hasResult = isReplaced(graph, i);
    if (!memoryOf(i) || (own->version == 0 && !hasResult))
      continue;
    std::string name = nameOfArgument(graph, i);
    for (unsigned k = 0; k < argumentAliases.size(); ++k) {
      std::string other = nameOfArgument(graph, k);
      bool isUsed = !body.getArgument(k).use_empty() || isReplaced(graph, k);
      bool isTwin =
          argumentAliases[k]->storage == own && !hasResult && other != name;
      if (k != i && memoryOf(k) == memoryOf(i) && isUsed && !isTwin)
        return graph.emitError("unsupported write: the program writes ")
               << name << ", which shares memory with " << other;
    }
  }
  return success();
}

/// What the caller owns and the program has written.
void Normalizer::addMutationResults(SmallVectorImpl<Value> &values,
                                    SmallVectorImpl<Attribute> &attrs) {
  for (auto [i, captured] :
       llvm::enumerate(graph.getBody().front().getArguments())) {
    Storage &storage = *argumentAliases[i]->storage;
    auto descriptor =
        function.getArgAttrOfType<DescriptorAttr>(i, descriptorName);
    if (storage.version == 0 || !descriptor ||
        storage.argument != twinOf(i).value_or(i))
      continue;
    auto mutation = DescriptorAttr::get(
        builder.getContext(), mutationRole(descriptor.getRole()),
        descriptor.getName(), descriptor.getIndex(),
        descriptor.getPersistent());
    values.push_back(storage.current);
    attrs.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(descriptorName, mutation)));
  }
}

static bool isFixed(ArrayRef<sym::Expr> exprs) {
  return llvm::all_of(exprs,
                      [](sym::Expr expr) { return sym::asConstant(expr); });
}

/// Where a view begins in its base, if that is fixed and the layout that was
/// recorded is the one that its chain of views gives.
static std::optional<sym::Expr> fixedOffset(const Alias &alias, Type type,
                                            ArrayAttr recorded) {
  auto place = placementOf(alias);
  bool isKnown =
      place && recorded && isFixed(place->offset) && isFixed(place->strides) &&
      isFixed(sym::shapeOf(cast<RankedTensorType>(type))) &&
      isFixed(sym::shapeOf(alias.storage->current)) &&
      llvm::equal(recorded.getAsRange<sym::ExprAttr>(), place->strides);
  return isKnown ? std::optional(place->offset) : std::nullopt;
}

/// The first result that is all of the memory of a view, if another one is.
static std::optional<int64_t> siblingOf(const Functionalizer &memory,
                                        OperandRange results, int64_t view) {
  Alias *alias = memory.lookup(results[view]);
  for (auto [i, result] : llvm::enumerate(results)) {
    Alias *other = memory.lookup(result);
    if (other && other->storage == alias->storage && other->chain.empty() &&
        other->isReplayable && !other->isAmbiguous)
      return int64_t(i) != view ? std::optional(int64_t(i)) : std::nullopt;
  }
  return std::nullopt;
}

/// Marks an output that is a view: by `alias`, the number of the argument that
/// the caller owns, or by `alias_result`, that of another result; and by
/// `offset`, where it begins, if that is known.
void Normalizer::recordOutputAlias(int64_t result, NamedAttrList &fields) {
  OperandRange results = graph.getBody().front().getTerminator()->getOperands();
  Alias *alias = memory.lookup(results[result]);
  // A copy is right where it is not known whether torch gave a view.
  if (!alias || alias->isAmbiguous)
    return;
  auto offset = fixedOffset(*alias, graph.getResultTypes()[result],
                            dyn_cast_or_null<ArrayAttr>(fields.get("strides")));
  if (alias->storage->argument)
    fields.set("alias", builder.getI64IntegerAttr(*alias->storage->argument));
  else if (auto sibling = siblingOf(memory, results, result); sibling && offset)
    fields.set("alias_result", builder.getI64IntegerAttr(*sibling));
  else
    return;
  if (offset)
    fields.set("offset", *offset);
}

void Normalizer::recordOutputAliases() {
  auto outputs = function->getAttrOfType<ArrayAttr>("adze.outputs");
  if (!outputs)
    return;
  int64_t count = graph.getBody().front().getTerminator()->getNumOperands();
  SmallVector<Attribute> entries;
  for (Attribute entry : outputs) {
    NamedAttrList fields(cast<DictionaryAttr>(entry));
    auto result = dyn_cast_or_null<IntegerAttr>(fields.get("result"));
    if (result && result.getInt() >= 0 && result.getInt() < count)
      recordOutputAlias(result.getInt(), fields);
    entries.push_back(fields.getDictionary(builder.getContext()));
  }
  function->setAttr("adze.outputs", builder.getArrayAttr(entries));
}

LogicalResult Normalizer::finish() {
  Operation *terminator = graph.getBody().front().getTerminator();
  SmallVector<Value> values;
  for (auto [captured, type] :
       llvm::zip(terminator->getOperands(), graph.getResultTypes())) {
    FailureOr<Value> value = readShaped(captured, type);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  SmallVector<Attribute> attrs;
  if (ArrayAttr known = function.getResAttrsAttr())
    attrs.assign(known.begin(), known.end());
  attrs.resize(values.size(), builder.getDictionaryAttr({}));
  addMutationResults(values, attrs);
  recordOutputAliases();
  func::ReturnOp::create(builder, terminator->getLoc(), values);
  auto inputs = function.getFunctionType().getInputs();
  function.setFunctionType(
      builder.getFunctionType(inputs, TypeRange(ValueRange(values))));
  if (!attrs.empty())
    function.setResAttrsAttr(builder.getArrayAttr(attrs));
  return success();
}

} // namespace adze::normalize
