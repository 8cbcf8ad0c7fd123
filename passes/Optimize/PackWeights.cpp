//===- PackWeights.cpp - Weights in the order in which kernels read them --===//

#include "passes/Optimize/FilterLayout.h"
#include "passes/Optimize/Passes.h"

#include "adze/Codegen/ProgramLayout.h"
#include "dialects/Kernel/TileShape.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_PACKWEIGHTS
#include "passes/Optimize/Passes.h.inc"

using kernel::PackingAttr;
using kernel::PackingKind;

namespace {
/// An operand that can be read from a packed weight.
struct PackedUse {
  OpOperand *operand;
  BlockArgument weight;
  bool isTransposed = false; // matrix products
};

/// Uses that one packed argument serves.
struct Key {
  unsigned argument;
  PackingAttr packing;
  Type type; // of the operand: a filter's dims are in the order of the kernel
  bool operator==(const Key &other) const {
    return argument == other.argument && packing == other.packing &&
           type == other.type;
  }
};

class WeightPacking {
public:
  WeightPacking(func::FuncOp func, int64_t vectorBits)
      : func(func), vectorBits(vectorBits), layout(func) {}
  void run();

private:
  BlockArgument weightOf(Value value);
  void collect(prim::MatmulOp op);
  void collect(prim::ConvolutionOp op);
  void add(const Key &key, PackedUse use);
  void pack(const Key &key, ArrayRef<PackedUse> uses);
  BlockArgument makeArgument(const Key &key, bool inPlace);

  func::FuncOp func;
  int64_t vectorBits;
  ProgramLayout layout;
  SmallVector<std::pair<Key, SmallVector<PackedUse>>> groups;
};
} // namespace

/// The weight that a value is, if the program does not change it.
BlockArgument WeightPacking::weightOf(Value value) {
  auto argument = dyn_cast_if_present<BlockArgument>(value);
  if (!argument || argument.getOwner() != &func.getBody().front() ||
      layout.place(argument.getArgNumber()).kind != ArgumentPlace::Weight ||
      func.getArgAttr(argument.getArgNumber(), packingName))
    return {};
  return argument;
}

void WeightPacking::add(const Key &key, PackedUse use) {
  auto *known =
      llvm::find_if(groups, [&](auto &group) { return group.first == key; });
  if (known == groups.end()) {
    groups.emplace_back(key, SmallVector<PackedUse>());
    known = std::prev(groups.end());
  }
  known->second.push_back(use);
}

void WeightPacking::collect(prim::MatmulOp op) {
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  auto transpose = op.getRhs().getDefiningOp<prim::TransposeOp>();
  BlockArgument weight =
      weightOf(transpose ? transpose.getOperand() : op.getRhs());
  if (!weight || cast<RankedTensorType>(weight.getType()).getRank() != 2 ||
      !isTileElement(element))
    return;
  bool isSwapped =
      transpose && transpose.getPermutation() == ArrayRef<int64_t>{1, 0};
  bool isTransposed = op.getTransposeRhs() != isSwapped;
  auto kind = isTransposed ? PackingKind::transposed_rhs : PackingKind::rhs;
  auto packing = PackingAttr::get(op.getContext(), kind,
                                  tileFor(element, vectorBits).width(), 1);
  add({weight.getArgNumber(), packing, weight.getType()},
      {&op.getRhsMutable(), weight, isTransposed});
}

void WeightPacking::collect(prim::ConvolutionOp op) {
  auto type = cast<RankedTensorType>(op.getFilter().getType());
  if (op.getLayout() != prim::ImageLayout::channels_last ||
      !isTileElement(type.getElementType()) || !type.hasStaticShape())
    return;
  BlockArgument weight = weightOf(storedFilter(op));
  if (!weight)
    return;
  PackingKind kind = isDepthwiseFilter(type.getShape(), op.getGroups())
                         ? PackingKind::depthwise_filter
                     : op.getTransposed() ? PackingKind::transposed_filter
                                          : PackingKind::filter;
  int64_t width = tileFor(type.getElementType(), vectorBits).width();
  auto packing = PackingAttr::get(op.getContext(), kind, width, op.getGroups());
  add({weight.getArgNumber(), packing, type}, {&op.getFilterMutable(), weight});
}

/// True if nothing else reads the value, be it transposed or reshaped.
static bool areAllUses(Value value, ArrayRef<PackedUse> uses) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    if (isa<prim::TransposeOp, prim::ReshapeOp>(use.getOwner()))
      return areAllUses(use.getOwner()->getResult(0), uses);
    return llvm::any_of(
        uses, [&](const PackedUse &packed) { return packed.operand == &use; });
  });
}

/// Erases ops that lay out a weight, from the last on.
static void eraseUnused(Operation *op) {
  while (op && op->use_empty()) {
    Operation *source = op->getOperand(0).getDefiningOp();
    op->erase();
    op = source;
  }
}

BlockArgument WeightPacking::makeArgument(const Key &key, bool inPlace) {
  unsigned number = key.argument;
  if (!inPlace) {
    number = func.getNumArguments();
    auto attributes = func.getArgAttrDict(key.argument);
    if (failed(func.insertArgument(number, key.type, attributes,
                                   func.getArgument(key.argument).getLoc())))
      return {};
  }
  func.setArgAttr(number, packingName, key.packing);
  return func.getArgument(number);
}

void WeightPacking::pack(const Key &key, ArrayRef<PackedUse> uses) {
  BlockArgument weight = func.getArgument(key.argument);
  bool inPlace = areAllUses(weight, uses);
  BlockArgument packed = makeArgument(key, inPlace);
  if (!packed)
    return;
  for (const PackedUse &use : uses) {
    Operation *owner = use.operand->getOwner();
    Operation *layout = use.operand->get().getDefiningOp();
    use.operand->set(packed);
    eraseUnused(layout);
    owner->setAttr(packingName, key.packing);
    if (auto matmul = dyn_cast<prim::MatmulOp>(owner))
      matmul.setTransposeRhs(use.isTransposed);
  }
  if (packed.getType() == key.type)
    return;
  packed.setType(key.type);
  func.setFunctionType(FunctionType::get(
      func.getContext(), func.getBody().front().getArgumentTypes(),
      func.getFunctionType().getResults()));
}

void WeightPacking::run() {
  func.walk([&](prim::MatmulOp op) { collect(op); });
  func.walk([&](prim::ConvolutionOp op) { collect(op); });
  for (auto &[key, uses] : groups)
    pack(key, uses);
}

namespace {
struct PackWeights : impl::PackWeightsBase<PackWeights> {
  using Base::Base;

  void runOnOperation() override {
    if (!getOperation().isExternal())
      WeightPacking(getOperation(), vectorBits).run();
  }
};
} // namespace
} // namespace adze
