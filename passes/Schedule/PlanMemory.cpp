//===- PlanMemory.cpp - A buffer for the result of every launch -----------===//

#include "passes/Schedule/Arena.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Storage.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_PLANMEMORY
#include "passes/Schedule/Passes.h.inc"

/// Symbols whose values become known in the middle of a call.
static llvm::StringSet<> lateSymbols(func::FuncOp func) {
  llvm::StringSet<> names;
  func.walk([&](Operation *op) {
    if (auto bind = dyn_cast<prim::BindSymbolOp>(op))
      names.insert(bind.getSymbol());
    if (auto nonzero = dyn_cast<prim::NonzeroOp>(op))
      names.insert(nonzero.getSymbol());
    if (auto unique = dyn_cast<prim::UniqueOp>(op))
      names.insert(unique.getSymbol());
    if (auto cond = dyn_cast<prim::CondOp>(op))
      for (Attribute name : cond.getDefines())
        names.insert(cast<StringAttr>(name).getValue());
  });
  return names;
}

static bool isLate(sym::Expr expr, const llvm::StringSet<> &late) {
  bool found = false;
  sym::walkSymbols(expr, [&](StringRef name) { found |= late.contains(name); });
  return found;
}

/// The slot of each storage that the function returns straight from a launch
/// of its own block. A storage that is returned twice keeps its first slot.
static llvm::DenseMap<Value, int64_t> resultSlots(func::FuncOp func) {
  llvm::DenseMap<Value, int64_t> slots;
  for (auto [slot, value] :
       llvm::enumerate(func.getBody().front().getTerminator()->getOperands())) {
    Value storage = storageOf(value);
    if (storage.getDefiningOp<kernel::LaunchOp>())
      slots.try_emplace(storage, slot);
  }
  return slots;
}

namespace {
struct PlanMemory : impl::PlanMemoryBase<PlanMemory> {
  using Base::Base;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      plan(func);
  }

  void plan(func::FuncOp func) {
    Lifetimes lifetimes(func);
    auto slots = resultSlots(func);
    auto late = lateSymbols(func);
    SmallVector<Value> values;
    SmallVector<PlannedBuffer> buffers;
    func.walk([&](kernel::LaunchOp launch) {
      for (Value result : launch.getResults()) {
        sym::Expr bytes = tensorBytes(cast<RankedTensorType>(result.getType()));
        if (slots.contains(result) || isLate(bytes, late))
          continue;
        values.push_back(result);
        buffers.push_back({bytes, lifetimes.of(result)});
      }
    });
    sym::Expr arena = planArena(&getContext(), buffers);
    func->setAttr(arenaBytesName, arena);
    llvm::DenseMap<Value, sym::Expr> offsets;
    for (auto [value, buffer] : llvm::zip(values, buffers))
      offsets[value] = buffer.offset;
    func.walk([&](kernel::LaunchOp launch) { assign(launch, slots, offsets); });
  }

  void assign(kernel::LaunchOp launch,
              const llvm::DenseMap<Value, int64_t> &slots,
              const llvm::DenseMap<Value, sym::Expr> &offsets) {
    MLIRContext *context = &getContext();
    SmallVector<Attribute> attributes;
    for (Value result : launch.getResults()) {
      sym::Expr bytes = tensorBytes(cast<RankedTensorType>(result.getType()));
      kernel::Space space = kernel::Space::dynamic;
      sym::Expr offset = sym::constant(context, 0);
      if (auto slot = slots.find(result); slot != slots.end()) {
        space = kernel::Space::result;
        offset = sym::constant(context, slot->second);
      } else if (sym::Expr planned = offsets.lookup(result)) {
        space = kernel::Space::arena;
        offset = planned;
      }
      attributes.push_back(
          kernel::BufferAttr::get(context, space, offset, bytes));
    }
    launch.setBuffersAttr(ArrayAttr::get(context, attributes));
  }
};
} // namespace
} // namespace adze
