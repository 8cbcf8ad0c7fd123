//===- SplitAtBreaks.cpp - Graphs between graph breaks --------------------===//
//
// The level of an op is the largest number of breaks on any path from the
// inputs to it. Ops of one level need only what earlier levels and the breaks
// among them gave, so they become one function:
//
//   graph of level 0, breaks of level 0, graph of level 1, ...
//
// Values that cross are arguments and results. Symbols do not cross: a name
// means the same everywhere. What depends on no input is computed where it is
// used, so that no constant crosses.
//
//===----------------------------------------------------------------------===//

#include "passes/Normalize/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>

using namespace mlir;

namespace adze::normalize {
#define GEN_PASS_DEF_SPLITATBREAKS
#include "passes/Normalize/Passes.h.inc"

using capture::DescriptorAttr;
using capture::Role;

bool isGraphBreak(Operation *op) {
  return op->walk([](capture::GraphBreakOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// What an op reads, and what ops inside of it read from outside.
static SetVector<Value> operandsOf(Operation &op) {
  SetVector<Value> values;
  values.insert(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), values);
  return values;
}

/// Calls `visit` for the symbols that an op, or one inside of it, names.
static void walkNames(Operation *op, function_ref<void(StringRef)> visit) {
  AttrTypeWalker walker;
  walker.addWalk([&](sym::ExprAttr expr) {
    sym::walkSymbols(expr, visit);
    return WalkResult::skip();
  });
  op->walk([&](Operation *inner) {
    walker.walk(inner->getAttrDictionary());
    for (Type type : inner->getResultTypes())
      walker.walk(type);
    if (auto bind = dyn_cast<prim::BindSymbolOp>(inner))
      visit(bind.getSymbol());
    if (auto stop = dyn_cast<capture::GraphBreakOp>(inner))
      llvm::for_each(stop.getBinds().getAsValueRange<StringAttr>(), visit);
  });
}

/// The symbols that are known before the program runs.
static llvm::StringSet<> inputSymbols(func::FuncOp func) {
  llvm::StringSet<> names;
  AttrTypeWalker walker;
  walker.addWalk([&](sym::ExprAttr expr) {
    sym::walkSymbols(expr, [&](StringRef name) { names.insert(name); });
    return WalkResult::skip();
  });
  for (Type type : func.getArgumentTypes())
    walker.walk(type);
  if (Attribute inputs = func->getAttr("adze.inputs"))
    walker.walk(inputs);
  return names;
}

/// Names of the weights and buffers that the program replaces.
static llvm::StringSet<> writtenNames(func::FuncOp func) {
  llvm::StringSet<> names;
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    if (auto result = func.getResultAttrOfType<DescriptorAttr>(
            i, capture::descriptorName);
        result && (result.getRole() == Role::buffer_mutation ||
                   result.getRole() == Role::parameter_mutation))
      names.insert(result.getName());
  return names;
}

namespace {

/// A function while it is filled.
struct Graph {
  func::FuncOp func;
  IRMapping mapping;
  SmallVector<Value> arguments; // what it is called with
};

/// Splits one function.
class Splitter {
public:
  Splitter(func::FuncOp func, SymbolTable &symbols)
      : func(func), body(func.getBody().front()), symbols(symbols),
        known(inputSymbols(func)), written(writtenNames(func)),
        builder(func.getContext()) {}

  void run();

private:
  unsigned levelOf(Operation &op);
  bool isConstant(Operation &op);
  void findLevels();
  void findMembers();
  bool isBreakOrReturn(Operation *user);
  bool isOutside(Operation *user, Operation *def);
  DictionaryAttr attributesOf(Value value);
  void import(Value value, Graph &graph);
  void clone(Operation *op, Graph &graph);
  void addGraph(ArrayRef<Operation *> ops);
  void addCall(ArrayRef<Value> results, Graph &graph);

  func::FuncOp func;
  Block &body;
  SymbolTable &symbols;
  llvm::StringSet<> known, written;
  OpBuilder builder;
  DenseMap<Operation *, unsigned> levels;
  llvm::StringMap<unsigned> symbolLevels;
  DenseSet<Operation *> breaks;
  /// What depends on no input, and the part of it that a break or the caller
  /// gets to see.
  DenseSet<Operation *> constants, seenConstants;
  std::map<unsigned, SmallVector<Operation *>> graphsByLevel, breaksByLevel;
  unsigned count = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

unsigned Splitter::levelOf(Operation &op) {
  unsigned level = 0;
  for (Value operand : operandsOf(op))
    if (Operation *def = operand.getDefiningOp())
      level = std::max(level, levels[def] + breaks.contains(def));
  walkNames(&op, [&](StringRef name) {
    level = std::max(level, symbolLevels.lookup(name));
  });
  return level;
}

bool Splitter::isConstant(Operation &op) {
  return op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
         llvm::all_of(op.getOperands(), [&](Value operand) {
           return constants.contains(operand.getDefiningOp());
         });
}

/// Whoever names a symbol first defines it, unless an input does.
void Splitter::findLevels() {
  for (Operation &op : body.without_terminator()) {
    unsigned level = levels[&op] = levelOf(op);
    bool isBreak = isGraphBreak(&op);
    if (isBreak) {
      breaks.insert(&op);
      breaksByLevel[level].push_back(&op);
    }
    walkNames(&op, [&](StringRef name) {
      if (!known.contains(name))
        symbolLevels.try_emplace(name, level + isBreak);
    });
    if (isConstant(op))
      constants.insert(&op);
  }
}

bool Splitter::isBreakOrReturn(Operation *user) {
  user = body.findAncestorOpInBlock(*user);
  return user == body.getTerminator() || breaks.contains(user);
}

void Splitter::findMembers() {
  for (Operation &op : llvm::reverse(body.without_terminator()))
    if (constants.contains(&op) &&
        llvm::any_of(op.getUsers(), [&](Operation *user) {
          return isBreakOrReturn(user) || seenConstants.contains(user);
        }))
      seenConstants.insert(&op);
  for (Operation &op : body.without_terminator())
    if (!breaks.contains(&op) &&
        (!constants.contains(&op) || seenConstants.contains(&op)))
      graphsByLevel[levels[&op]].push_back(&op);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// True if the graph of `def` has to hand its value to the user.
bool Splitter::isOutside(Operation *user, Operation *def) {
  if (isBreakOrReturn(user))
    return true;
  user = body.findAncestorOpInBlock(*user);
  return !constants.contains(def) && levels[user] != levels[def];
}

/// A weight that the program writes is no constant of a graph.
DictionaryAttr Splitter::attributesOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return builder.getDictionaryAttr({});
  unsigned number = argument.getArgNumber();
  NamedAttrList attrs(func.getArgAttrDict(number));
  auto descriptor =
      func.getArgAttrOfType<DescriptorAttr>(number, capture::descriptorName);
  if (descriptor && written.contains(descriptor.getName()))
    attrs.erase(capture::descriptorName);
  return attrs.getDictionary(builder.getContext());
}

void Splitter::import(Value value, Graph &graph) {
  if (graph.mapping.contains(value))
    return;
  if (Operation *def = value.getDefiningOp(); constants.contains(def))
    return clone(def, graph);
  unsigned number = graph.func.getNumArguments();
  (void)graph.func.insertArgument(number, value.getType(), attributesOf(value),
                                  value.getLoc());
  graph.mapping.map(value, graph.func.getArgument(number));
  graph.arguments.push_back(value);
}

void Splitter::clone(Operation *op, Graph &graph) {
  for (Value operand : operandsOf(*op))
    import(operand, graph);
  OpBuilder::atBlockEnd(&graph.func.getBody().front())
      .clone(*op, graph.mapping);
}

void Splitter::addCall(ArrayRef<Value> results, Graph &graph) {
  Operation *terminator = body.getTerminator();
  builder.setInsertionPoint(terminator);
  auto call = func::CallOp::create(builder, graph.func.getLoc(), graph.func,
                                   graph.arguments);
  for (auto [from, to] : llvm::zip(results, call.getResults())) {
    Value value = from;
    value.replaceUsesWithIf(to, [&](OpOperand &use) {
      return isOutside(use.getOwner(), value.getDefiningOp());
    });
  }
}

void Splitter::addGraph(ArrayRef<Operation *> ops) {
  OpBuilder detached(func.getContext());
  std::string name = (func.getName() + "_graph_" + Twine(count++)).str();
  Graph graph;
  graph.func = func::FuncOp::create(detached, ops.front()->getLoc(), name,
                                    builder.getFunctionType({}, {}));
  graph.func.setPrivate();
  if (Attribute list = func->getAttr("adze.symbols"))
    graph.func->setAttr("adze.symbols", list);
  symbols.insert(graph.func);
  Block *block = graph.func.addEntryBlock();
  SmallVector<Value> results, returned;
  for (Operation *op : ops) {
    clone(op, graph);
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return isOutside(user, op); }))
        results.push_back(result);
  }
  for (Value result : results)
    returned.push_back(graph.mapping.lookup(result));
  builder.setInsertionPointToEnd(block);
  func::ReturnOp::create(builder, func.getLoc(), returned);
  graph.func.setFunctionType(builder.getFunctionType(
      block->getArgumentTypes(), TypeRange(ValueRange(returned))));
  addCall(results, graph);
}

void Splitter::run() {
  findLevels();
  findMembers();
  SmallVector<Operation *> moved;
  for (Operation &op : body.without_terminator())
    if (!breaks.contains(&op))
      moved.push_back(&op);
  // No graph is above all breaks.
  unsigned last = breaksByLevel.rbegin()->first + 1;
  for (unsigned level = 0; level <= last; ++level) {
    if (graphsByLevel.count(level))
      addGraph(graphsByLevel[level]);
    for (Operation *stop : breaksByLevel[level])
      stop->moveBefore(body.getTerminator());
  }
  for (Operation *op : llvm::reverse(moved))
    op->erase();
}

namespace {
struct SplitAtBreaks : normalize::impl::SplitAtBreaksBase<SplitAtBreaks> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp func : functions)
      if (isGraphBreak(func))
        Splitter(func, symbols).run();
  }
};
} // namespace

} // namespace adze::normalize

using namespace adze;

SmallVector<func::FuncOp> normalize::findGraphs(ModuleOp module) {
  SmallVector<func::FuncOp> graphs;
  module.walk([&](func::CallOp call) {
    if (auto graph = module.lookupSymbol<func::FuncOp>(call.getCallee()))
      graphs.push_back(graph);
  });
  return graphs;
}

unsigned normalize::countBreaks(ModuleOp module) {
  unsigned count = 0;
  for (auto func : module.getOps<func::FuncOp>())
    count += llvm::count_if(func.getBody().getOps(),
                            [](Operation &op) { return isGraphBreak(&op); });
  return count;
}
