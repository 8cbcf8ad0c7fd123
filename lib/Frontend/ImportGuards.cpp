//===- ImportGuards.cpp - Conditions on the sizes of inputs ---------------===//

#include "ImportSignature.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace adze::frontend {

namespace {

class GuardImporter {
public:
  GuardImporter(ImportContext &shared, ArrayRef<std::string> leafPaths,
                Location location)
      : shared(shared), builder(shared.context), leafPaths(leafPaths),
        location(location) {
    for (auto [spec, input] : llvm::zip_equal(shared.program.inputSpecs,
                                              shared.program.graph.inputs))
      if (spec.kind == InputKind::UserInput ||
          spec.kind == InputKind::ConstantInput)
        leaves.push_back({&spec, &input});
  }

  void importCode(StringRef code);
  void importRange(const RangeConstraint &range);

  SmallVector<Attribute> guards;

private:
  struct Leaf {
    const InputSpec *spec;
    const Argument *input;
  };

  sym::Expr leafExpr(const SymAst &leaf);
  sym::Expr sizeOf(const Leaf &leaf, int64_t dim);
  sym::Expr valueOf(const Leaf &leaf);
  void add(sym::Expr condition, StringRef text, StringRef origin);

  ImportContext &shared;
  Builder builder;
  ArrayRef<std::string> leafPaths;
  Location location;
  SmallVector<Leaf> leaves;
};

} // namespace

void GuardImporter::add(sym::Expr condition, StringRef text, StringRef origin) {
  // Equal sizes share a symbol: such guards hold by construction.
  if (sym::isConstant(condition, 1))
    return;
  guards.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr("expr", condition),
       builder.getNamedAttr("origin", builder.getStringAttr(origin)),
       builder.getNamedAttr("text", builder.getStringAttr(text))}));
}

sym::Expr GuardImporter::sizeOf(const Leaf &leaf, int64_t dim) {
  if (leaf.input->kind != ArgKind::Tensor)
    return {};
  const TensorMeta &meta =
      shared.program.graph.lookup(leaf.input->text)->tensor;
  int64_t rank = meta.sizes.size();
  if (dim < -rank || dim >= rank)
    return {};
  std::string why;
  return shared.symbols.convert(meta.sizes[dim < 0 ? dim + rank : dim],
                                ValueKind::SymInt, why);
}

sym::Expr GuardImporter::valueOf(const Leaf &leaf) {
  const Argument &constant = leaf.spec->arg;
  if (leaf.spec->kind == InputKind::ConstantInput) {
    if (constant.kind == ArgKind::Float)
      return sym::floatConstant(shared.context, constant.real);
    if (constant.kind == ArgKind::Int || constant.kind == ArgKind::Bool)
      return sym::constant(shared.context, constant.integer);
    return {};
  }
  if (leaf.input->kind == ArgKind::Tensor || !leaf.input->isValue())
    return {};
  const ValueMeta &meta = *shared.program.graph.lookup(leaf.input->text);
  std::string why;
  return shared.symbols.convert(meta.scalar, meta.kind, why);
}

sym::Expr GuardImporter::leafExpr(const SymAst &leaf) {
  std::optional<size_t> index = findInputLeaf(leafPaths, leaf.text);
  if (!index || *index >= leaves.size())
    return {};
  return leaf.op == SymOp::InputSize ? sizeOf(leaves[*index], leaf.integer)
                                     : valueOf(leaves[*index]);
}

void GuardImporter::importCode(StringRef code) {
  std::string why;
  sym::Expr condition;
  llvm::Expected<SymAst> ast = parseGuard(code);
  if (ast)
    condition = convertAst(
        shared.context, *ast,
        [&](const SymAst &leaf) { return leafExpr(leaf); }, why);
  else
    why = llvm::toString(ast.takeError());
  if (condition)
    return add(condition, code, "guards_code");
  emitWarning(location) << "guard '" << code << "' cannot be checked: " << why;
}

/// The range of a symbol is part of the symbol; that of a derived size is a
/// condition.
void GuardImporter::importRange(const RangeConstraint &range) {
  std::string why;
  sym::Expr expr = shared.symbols.convert(range.expr, why);
  if (!expr || expr.getKind() == sym::ExprKind::Symbol)
    return;
  bool isKnown = true;
  sym::walkSymbols(expr, [&](StringRef name) {
    isKnown &= shared.definedSymbols.contains(name);
  });
  // Keys that occur nowhere in the program are legal, and say nothing.
  if (!isKnown)
    return;
  if (range.min)
    add(sym::make(sym::ExprKind::Le,
                  {sym::constant(shared.context, *range.min), expr}),
        (range.expr + " >= " + llvm::Twine(*range.min)).str(),
        "range_constraints");
  if (range.max)
    add(sym::make(sym::ExprKind::Le,
                  {expr, sym::constant(shared.context, *range.max)}),
        (range.expr + " <= " + llvm::Twine(*range.max)).str(),
        "range_constraints");
}

ArrayAttr importGuards(ImportContext &shared, ArrayRef<std::string> leafPaths,
                       Location location) {
  GuardImporter importer(shared, leafPaths, location);
  for (const RangeConstraint &range : shared.program.rangeConstraints)
    importer.importRange(range);
  for (StringRef code : shared.program.guardsCode)
    importer.importCode(code);
  return ArrayAttr::get(shared.context, importer.guards);
}

} // namespace adze::frontend
