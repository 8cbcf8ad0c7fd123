//===- OutlineKernels.cpp - Equal groups become one kernel ----------------===//

#include "passes/Schedule/OutlineKernels.h"
#include "passes/Schedule/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "passes/Schedule/Passes.h.inc"

/// Equal operations have equal hashes; locations do not count.
static llvm::hash_code hashOf(kernel::GroupOp group) {
  llvm::hash_code hash = llvm::hash_value(unsigned(group.getKind()));
  for (Type type : group.getOperandTypes())
    hash = llvm::hash_combine(hash, type);
  for (Operation &op : group.getBody().front())
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     &op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  return hash;
}

static bool isSame(kernel::GroupOp group, kernel::FuncOp func) {
  return group.getKind() == func.getKind() &&
         OperationEquivalence::isRegionEquivalentTo(
             &group.getBody(), &func.getBody(),
             OperationEquivalence::IgnoreLocations);
}

/// The symbols in the types and attributes of a region, sorted by name.
static SmallVector<StringRef> symbolsIn(Region &region) {
  llvm::SetVector<StringRef> found;
  AttrTypeWalker walker;
  walker.addWalk([&](sym::ExprAttr expr) {
    sym::walkSymbols(expr, [&](StringRef name) { found.insert(name); });
    return WalkResult::skip();
  });
  for (BlockArgument argument : region.getArguments())
    walker.walk(argument.getType());
  region.walk([&](Operation *op) {
    walker.walk(op->getAttrDictionary());
    for (Type type : op->getResultTypes())
      walker.walk(type);
  });
  SmallVector<StringRef> names = found.takeVector();
  llvm::sort(names,
             [](StringRef a, StringRef b) { return a.compare_numeric(b) < 0; });
  return names;
}

/// What people look for in a profile: "gemm_gelu", "loop_reduce_exp".
static std::string nameOf(kernel::GroupOp group) {
  std::string name = kernel::stringifyKind(group.getKind()).str();
  llvm::StringSet<> seen;
  int parts = 0;
  for (Operation &op :
       llvm::reverse(group.getBody().front().without_terminator())) {
    StringRef mnemonic = op.getName().stripDialect();
    bool tells =
        !isa<prim::FullOp, prim::BroadcastOp, prim::ReshapeOp, prim::ConvertOp>(
            op);
    if (tells && parts < 3 && seen.insert(mnemonic).second && ++parts)
      name += ("_" + mnemonic).str();
  }
  return name;
}

namespace {
struct OutlineKernels : impl::OutlineKernelsBase<OutlineKernels> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<kernel::GroupOp> groups;
    getOperation().walk(
        [&](kernel::GroupOp group) { groups.push_back(group); });
    std::map<size_t, SmallVector<kernel::FuncOp>> kernels;
    for (kernel::GroupOp group : groups) {
      auto &candidates = kernels[size_t(hashOf(group))];
      auto *same = llvm::find_if(
          candidates, [&](kernel::FuncOp func) { return isSame(group, func); });
      kernel::FuncOp func = same != candidates.end() ? *same : outline(group);
      if (same == candidates.end())
        candidates.push_back(func);
      launch(group, func);
    }
  }

  kernel::FuncOp outline(kernel::GroupOp group) {
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    std::string name = ("k" + Twine(count++) + "_" + nameOf(group)).str();
    auto symbols = builder.getStrArrayAttr(symbolsIn(group.getBody()));
    auto func = kernel::FuncOp::create(builder, group.getLoc(), name,
                                       group.getKind(), symbols);
    IRMapping map;
    group.getBody().cloneInto(&func.getBody(), map);
    return func;
  }

  void launch(kernel::GroupOp group, kernel::FuncOp func) {
    OpBuilder builder(group);
    auto launch = kernel::LaunchOp::create(
        builder, group.getLoc(), group.getResultTypes(),
        FlatSymbolRefAttr::get(func.getSymNameAttr()), group.getOperands(),
        ArrayAttr());
    SmallVector<Attribute> locations;
    for (Operation &op : group.getBody().front().without_terminator())
      locations.push_back(op.getLoc());
    launch->setAttr(locationsName, builder.getArrayAttr(locations));
    group.replaceAllUsesWith(launch.getResults());
    group.erase();
  }

  unsigned count = 0;
};
} // namespace
} // namespace adze
