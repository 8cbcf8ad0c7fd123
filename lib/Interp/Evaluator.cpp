//===- Evaluator.cpp - Evaluates prim ops one after the other ------------===//

#include "adze/Interp/Evaluator.h"

#include "SymbolSolver.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;

namespace adze::interp {

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

char CallError::ID;

void CallError::log(llvm::raw_ostream &os) const {
  os << op;
  if (!source.empty())
    os << " at " << source;
  os << ": " << message;
}

std::string sourceOf(Location loc) {
  std::string text;
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text = (file.getFilename().strref() + ":" + Twine(file.getLine())).str();
    if (file.getColumn() != 0)
      text += ":" + std::to_string(file.getColumn());
    return WalkResult::interrupt();
  });
  return text;
}

/// The call of the traced program that an op computes a part of; else the op.
static StringRef operatorOf(Operation *op) {
  StringRef name;
  op->getLoc()->walk([&](Location part) {
    auto named = dyn_cast<NameLoc>(part);
    if (!named || !named.getName().strref().starts_with("aten."))
      return WalkResult::advance();
    name = named.getName();
    return WalkResult::interrupt();
  });
  return name.empty() ? op->getName().getStringRef() : name;
}

LogicalResult Evaluator::fail(const Twine &message, CallError::Kind kind) {
  if (error) // the first one is the cause
    return failure();
  error.emplace();
  error->kind = kind;
  error->message = message.str();
  if (current) {
    error->op = operatorOf(current).str();
    error->source = sourceOf(current->getLoc());
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Sizes and symbols
//===----------------------------------------------------------------------===//

std::optional<int64_t> Evaluator::lookupSymbol(StringRef name) const {
  auto found = symbols.find(name);
  return found == symbols.end() ? std::nullopt : std::optional(found->second);
}

FailureOr<sym::Number> Evaluator::evaluateNumber(sym::Expr expr) {
  auto value = sym::evaluateNumber(
      expr, [&](StringRef name) { return lookupSymbol(name); });
  if (value)
    return *value;
  std::string unbound;
  sym::walkSymbols(expr, [&](StringRef name) {
    if (!lookupSymbol(name))
      unbound = name.str();
  });
  if (!unbound.empty())
    return fail("symbol '" + unbound + "' has no value");
  return fail("'" + sym::toString(expr) +
              "' divides by zero or exceeds 64 bits");
}

FailureOr<int64_t> Evaluator::evaluate(sym::Expr expr) {
  auto number = evaluateNumber(expr);
  if (failed(number))
    return failure();
  if (auto *value = std::get_if<int64_t>(&*number))
    return *value;
  return fail("'" + sym::toString(expr) + "' is no integer");
}

FailureOr<Sizes> Evaluator::evaluateAll(ArrayAttr exprs) {
  Sizes values;
  for (auto expr : exprs.getAsRange<sym::ExprAttr>()) {
    auto value = evaluate(expr);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return values;
}

FailureOr<Sizes> Evaluator::sizesOf(Type type) {
  Sizes sizes;
  for (sym::Expr expr : sym::shapeOf(cast<RankedTensorType>(type))) {
    auto size = evaluate(expr);
    if (failed(size))
      return failure();
    if (*size < 0)
      return fail("size '" + sym::toString(expr) +
                  "' is negative: " + Twine(*size));
    sizes.push_back(*size);
  }
  return sizes;
}

FailureOr<Tensor> Evaluator::allocate(Type element, ArrayRef<int64_t> sizes) {
  auto count = product(sizes);
  if (!count || *count > options.maxElements)
    return fail("a tensor of sizes " + toString(sizes) +
                    " is too large to be interpreted",
                CallError::Unsupported);
  return Tensor(element, sizes);
}

FailureOr<Tensor> Evaluator::allocate(Type type) {
  auto sizes = sizesOf(type);
  if (failed(sizes))
    return failure();
  return allocate(cast<RankedTensorType>(type).getElementType(), *sizes);
}

LogicalResult Evaluator::checkType(const Tensor &tensor, Type type,
                                   StringRef what) {
  auto expected = cast<RankedTensorType>(type);
  auto sizes = sizesOf(type);
  if (failed(sizes))
    return failure();
  if (tensor.element() == expected.getElementType() &&
      tensor.sizes() == ArrayRef<int64_t>(*sizes))
    return success();
  std::string text;
  llvm::raw_string_ostream(text)
      << expected.getElementType() << toString(*sizes);
  return fail("expects " + what + " of type " + text + ", but found " +
              tensor.describe());
}

LogicalResult Evaluator::bindArguments(Block &entry, ArrayRef<Tensor> args) {
  if (args.size() != entry.getNumArguments())
    return fail("expects " + Twine(entry.getNumArguments()) +
                " arguments, but found " + Twine(args.size()));
  SmallVector<SizeEquation> equations;
  for (auto [i, argument] : llvm::enumerate(entry.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.getRank() != args[i].rank())
      return fail("expects a tensor of another rank as argument " + Twine(i) +
                  ", but found " + args[i].describe());
    for (auto [expr, size] : llvm::zip(sym::shapeOf(type), args[i].sizes()))
      equations.push_back({expr, size});
  }
  solveSymbols(equations, symbols);
  for (auto [i, argument] : llvm::enumerate(entry.getArguments()))
    if (failed(checkType(args[i], argument.getType(),
                         ("argument " + Twine(i)).str())))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

llvm::Expected<Tensors> Evaluator::run(Region &body, ArrayRef<Tensor> args) {
  current = body.getParentOp();
  FailureOr<Tensors> results = failure();
  if (succeeded(bindArguments(body.front(), args)))
    results = runBlock(body.front(), args);
  if (succeeded(results))
    return std::move(*results);
  assert(error && "failed without a reason");
  return llvm::Error(std::make_unique<CallError>(std::move(*error)));
}

FailureOr<Tensors> Evaluator::runRegion(Region &region, ArrayRef<Tensor> args) {
  Operation *parent = current;
  auto results = runBlock(region.front(), args);
  current = parent;
  return results;
}

FailureOr<Tensors> Evaluator::runBlock(Block &block, ArrayRef<Tensor> args) {
  for (auto [argument, tensor] : llvm::zip_equal(block.getArguments(), args))
    values[argument] = tensor;
  for (Operation &op : block.without_terminator()) {
    current = &op;
    if (failed(runOp(op)))
      return failure();
  }
  current = block.getTerminator();
  auto results = operandsOf(*current);
  for (Value value : lastUsesAt(*current))
    values.erase(value);
  return results;
}

FailureOr<Tensors> Evaluator::operandsOf(Operation &op) {
  Tensors operands;
  for (Value operand : op.getOperands()) {
    auto found = values.find(operand);
    if (found == values.end())
      return fail("an operand has no value");
    operands.push_back(found->second);
  }
  return operands;
}

LogicalResult Evaluator::runOp(Operation &op) {
  auto rule = dyn_cast<prim::ReferenceEvalInterface>(op);
  if (!rule)
    return fail("the interpreter has no rule for this operation",
                CallError::Unsupported);
  auto operands = operandsOf(op);
  if (failed(operands))
    return failure();
  SmallVector<Tensor> results;
  if (failed(rule.evaluate(*this, *operands, results)))
    return fail("failed without a reason");
  Tensors checked(results.begin(), results.end());
  if (failed(setResults(op, checked)))
    return failure();
  for (Value value : lastUsesAt(op))
    values.erase(value);
  return success();
}

LogicalResult Evaluator::setResults(Operation &op, Tensors &results) {
  if (results.size() != op.getNumResults())
    return fail("the rule gave " + Twine(results.size()) + " results");
  for (auto [result, tensor] : llvm::zip_equal(op.getResults(), results)) {
    if (failed(checkType(tensor, result.getType(), "a result")))
      return failure();
    values[result] = tensor;
  }
  return success();
}

const SmallVector<Value> &Evaluator::lastUsesAt(Operation &op) {
  Block *block = op.getBlock();
  if (!planned.insert(block).second)
    return lastUses[&op];
  auto plan = [&](Value value, Operation *last) {
    for (Operation *user : value.getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (!last || last->isBeforeInBlock(here))
        last = here;
    }
    lastUses[last ? last : &block->front()].push_back(value);
  };
  for (Value argument : block->getArguments())
    plan(argument, nullptr);
  for (Operation &each : *block)
    for (Value result : each.getResults())
      plan(result, &each);
  return lastUses[&op];
}

} // namespace adze::interp
