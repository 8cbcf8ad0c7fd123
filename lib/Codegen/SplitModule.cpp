//===- SplitModule.cpp - One module for each kernel -----------------------===//

#include "SplitModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace adze {

namespace {
class Splitter {
public:
  Splitter(ModuleOp module, StringRef main) : module(module), table(module) {
    mainOp = table.lookup(main);
    for (Operation &op : module.getBody()->getOperations())
      collectUses(&op);
  }

  std::vector<ModulePart> run();

private:
  using Symbols = llvm::SetVector<Operation *>;

  void collectUses(Operation *op);
  bool isKernel(Operation *op) const;
  Symbols reachable(Operation *root) const;
  void copy(Operation *op, Operation *root, OpBuilder &builder);
  ModulePart makePart(Operation *root);

  ModuleOp module;
  SymbolTable table;
  Operation *mainOp = nullptr;
  llvm::DenseMap<Operation *, Symbols> uses; // what an op of the module names
  llvm::DenseSet<Operation *> usedElsewhere; // named by another op than main
};
} // namespace

void Splitter::collectUses(Operation *op) {
  Symbols &used = uses[op];
  auto known = SymbolTable::getSymbolUses(op);
  if (!known)
    return;
  for (SymbolTable::SymbolUse use : *known)
    if (Operation *target = table.lookup(use.getSymbolRef().getRootReference()))
      used.insert(target);
  for (Operation *target : used)
    if (op != mainOp)
      usedElsewhere.insert(target);
}

bool Splitter::isKernel(Operation *op) const {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
  return function && !function.isExternal() && op != mainOp &&
         !usedElsewhere.contains(op);
}

/// What goes into the part of `root`; kernels of others are named only.
Splitter::Symbols Splitter::reachable(Operation *root) const {
  Symbols found;
  found.insert(root);
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i] != root && isKernel(found[i]))
      continue;
    for (Operation *next : uses.lookup(found[i]))
      found.insert(next);
  }
  return found;
}

static void setLinkage(Operation *op, LLVM::Linkage linkage,
                       LLVM::Visibility visibility) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
    function.setLinkage(linkage);
    function.setVisibility_(visibility);
    function.setDsoLocal(true);
  } else if (auto global = dyn_cast<LLVM::GlobalOp>(op)) {
    global.setLinkage(linkage);
    global.setVisibility_(visibility);
    global.setDsoLocal(true);
  }
}

void Splitter::copy(Operation *op, Operation *root, OpBuilder &builder) {
  auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
  if (function && function.isExternal()) {
    Operation *copy = builder.clone(*op);
    if (function.getName().starts_with("adze_"))
      setLinkage(copy, LLVM::Linkage::External, LLVM::Visibility::Hidden);
    return;
  }
  bool isOthers = op != root && isKernel(op);
  Operation *copy =
      isOthers ? builder.insert(op->cloneWithoutRegions()) : builder.clone(*op);
  bool isVisible = op == root || isOthers;
  setLinkage(copy,
             isVisible ? LLVM::Linkage::External : LLVM::Linkage::Internal,
             isVisible ? LLVM::Visibility::Hidden : LLVM::Visibility::Default);
}

ModulePart Splitter::makePart(Operation *root) {
  Symbols symbols = reachable(root);
  OpBuilder builder(module.getContext());
  ModulePart part;
  part.name = cast<SymbolOpInterface>(root).getName().str();
  part.module = ModuleOp::create(builder, module.getLoc());
  builder.setInsertionPointToStart(part.module->getBody());
  for (Operation &op : module.getBody()->getOperations())
    if (symbols.contains(&op))
      copy(&op, root, builder);
  return part;
}

std::vector<ModulePart> Splitter::run() {
  std::vector<ModulePart> parts;
  if (!mainOp)
    return parts;
  Symbols needed = reachable(mainOp);
  parts.push_back(makePart(mainOp));
  for (Operation &op : module.getBody()->getOperations())
    if (needed.contains(&op) && isKernel(&op))
      parts.push_back(makePart(&op));
  return parts;
}

std::vector<ModulePart> splitModule(ModuleOp module, StringRef main) {
  return Splitter(module, main).run();
}

} // namespace adze
