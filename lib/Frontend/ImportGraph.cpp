//===- ImportGraph.cpp - The nodes of a graph -----------------------------===//

#include "ImportContext.h"
#include "Metadata.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace adze::frontend {

/// The place in the model's source, named by the path of the module.
Location importLocation(MLIRContext *context, const Node &node) {
  Location place = UnknownLoc::get(context);
  if (!node.location.file.empty())
    place =
        FileLineColLoc::get(context, node.location.file, node.location.line, 1);
  if (node.modulePath.empty())
    return place;
  return NameLoc::get(StringAttr::get(context, node.modulePath), place);
}

SmallVector<StringRef> defineSymbols(ImportContext &context, sym::Expr expr) {
  SmallVector<StringRef> fresh;
  sym::walkSymbols(expr, [&](StringRef name) {
    if (isUnbackedSymbol(name) && context.definedSymbols.insert(name).second)
      fresh.push_back(name);
  });
  return fresh;
}

LogicalResult GraphImporter::failNode(const Node &node,
                                      const llvm::Twine &message) {
  return shared.fail(describeNode(node) + ": " + message);
}

RankedTensorType GraphImporter::typeOf(StringRef name, std::string &why) {
  RankedTensorType type =
      shared.symbols.convert(graph.lookup(name)->tensor, why);
  if (!type)
    why = "tensor '" + name.str() + "': " + why;
  return type;
}

sym::Expr GraphImporter::exprOf(StringRef name, std::string &why) {
  const ValueMeta &meta = *graph.lookup(name);
  return shared.symbols.convert(meta.scalar, meta.kind, why);
}

LogicalResult GraphImporter::bindInputs(ValueRange values) {
  size_t next = 0;
  for (const Argument &input : graph.inputs) {
    if (input.kind == ArgKind::CustomObj)
      return shared.fail("input '" + input.text +
                         "' is a custom object, which is not supported");
    if (input.kind != ArgKind::Tensor)
      continue;
    if (next == values.size())
      return shared.fail("a subgraph has more inputs than operands");
    tensors[input.text] = values[next++];
  }
  if (next != values.size())
    return shared.fail("a subgraph has fewer inputs than operands");
  return success();
}

FailureOr<SmallVector<Value>> GraphImporter::tensorOutputs() {
  SmallVector<Value> values;
  for (const Argument &output : graph.outputs)
    if (output.kind == ArgKind::Tensor)
      values.push_back(tensors.lookup(output.text));
  return values;
}

static bool isCompatible(Type a, Type b) {
  auto left = cast<RankedTensorType>(a), right = cast<RankedTensorType>(b);
  return left.getElementType() == right.getElementType() &&
         succeeded(verifyCompatibleShape(left, right));
}

LogicalResult GraphImporter::checkTypes(const Node &node,
                                        const llvm::Twine &what,
                                        TypeRange outside, TypeRange inside) {
  if (outside.size() != inside.size())
    return failNode(
        node, "has " + llvm::Twine(outside.size()) + " tensors as " + what +
                  ", but its subgraph has " + llvm::Twine(inside.size()));
  for (auto [a, b] : llvm::zip_equal(outside, inside))
    if (!isCompatible(a, b))
      return failNode(node, "the types of its " + what +
                                " differ from those of its subgraph");
  return success();
}

bool GraphImporter::isFolded(const Node &node) {
  if (node.outputs.empty())
    return false;
  return llvm::all_of(node.outputs, [&](const Argument &output) {
    if (output.kind != ArgKind::SymInt && output.kind != ArgKind::SymFloat &&
        output.kind != ArgKind::SymBool)
      return false;
    std::string why;
    sym::Expr expr = exprOf(output.text, why);
    bool isKnown = true;
    if (expr)
      sym::walkSymbols(expr, [&](StringRef name) {
        isKnown &=
            !isUnbackedSymbol(name) || shared.definedSymbols.contains(name);
      });
    // What cannot be expressed is reported if something uses it.
    return isKnown;
  });
}

/// Operators on numbers, which have no operands that are tensors.
static bool isNumberOperator(StringRef target) {
  return target.starts_with("_operator.") || target.starts_with("math.") ||
         target.starts_with("torch.sym_") ||
         target.starts_with("torch._sym_") || target == "round";
}

/// _assert_scalar(condition, message).
LogicalResult GraphImporter::importAssert(const Node &node) {
  const Argument *condition = node.lookup("self");
  const Argument *message = node.lookup("assert_msg");
  if (!condition || !message || message->kind != ArgKind::String)
    return failNode(node, "expected a condition and a message");
  std::string why;
  sym::Expr expr;
  if (condition->kind == ArgKind::Bool || condition->kind == ArgKind::Int)
    expr = sym::constant(shared.context, condition->integer != 0);
  else if (condition->kind == ArgKind::SymBool ||
           condition->kind == ArgKind::SymInt)
    expr = exprOf(condition->text, why);
  if (!expr)
    return failNode(node, why.empty() ? "expected a condition" : why);
  if (!sym::isConstant(expr, 1))
    capture::AssertOp::create(builder, importLocation(shared.context, node),
                              expr, message->text);
  return success();
}

static std::optional<int64_t> bound(const Node &node, StringRef name) {
  const Argument *value = node.lookup(name);
  if (!value || value->kind != ArgKind::Int)
    return std::nullopt;
  return value->integer;
}

/// sym_constrain_range(size, min, max), and ..._for_size, where min defaults
/// to 0.
LogicalResult GraphImporter::importRangeAssert(const Node &node) {
  const Argument *size = node.lookup("size");
  if (!size || size->kind != ArgKind::SymInt)
    return success();
  std::string why;
  sym::Expr expr = exprOf(size->text, why);
  if (!expr)
    return failNode(node, why);
  std::optional<int64_t> min = bound(node, "min"), max = bound(node, "max");
  if (!min && node.target.contains("for_size"))
    min = 0;
  auto check = [&](sym::Expr condition) {
    if (!sym::isConstant(condition, 1))
      capture::AssertOp::create(builder, importLocation(shared.context, node),
                                condition,
                                "expected " + sym::toString(condition));
  };
  if (min)
    check(sym::make(sym::ExprKind::Le,
                    {sym::constant(shared.context, *min), expr}));
  if (max)
    check(sym::make(sym::ExprKind::Le,
                    {expr, sym::constant(shared.context, *max)}));
  return success();
}

LogicalResult GraphImporter::importNode(const Node &node) {
  StringRef target = node.target;
  if (target == "torch.ops.aten._assert_scalar.default")
    return importAssert(node);
  if (target.starts_with("torch.ops.aten.sym_constrain_range"))
    return importRangeAssert(node);
  if (isFolded(node))
    return success();
  if (isNumberOperator(target))
    return failNode(node, "its value is not described by known symbols");
  if (target.consume_front("torch.ops.higher_order."))
    return ControlFlowImporter(*this, node).import(target);
  return CallImporter(*this, node).import();
}

LogicalResult GraphImporter::importNodes() {
  for (const Node &node : graph.nodes)
    if (failed(importNode(node)))
      return failure();
  return success();
}

} // namespace adze::frontend
