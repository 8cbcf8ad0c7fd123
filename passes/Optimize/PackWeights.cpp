//===- PackWeights.cpp - Weights in the order in which kernels read them --===//

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
  bool areAllUses(BlockArgument weight, ArrayRef<PackedUse> uses);
  BlockArgument makeArgument(const Key &key, bool inPlace);

  func::FuncOp func;
  int64_t vectorBits;
  ProgramLayout layout;
  SmallVector<std::pair<Key, SmallVector<PackedUse>>> groups;
};
} // namespace

/// The weight that a value is, if the program does not change it.
BlockArgument WeightPacking::weightOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
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
  auto transpose = op.getFilter().getDefiningOp<prim::TransposeOp>();
  BlockArgument weight =
      weightOf(transpose ? transpose.getOperand() : Value(op.getFilter()));
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  if (!weight || !transpose || op.getTransposed() || !isTileElement(element) ||
      op.getLayout() != prim::ImageLayout::channels_last)
    return;
  // [O, C/groups, spatial...] to [O, spatial..., C/groups]
  int64_t rank = cast<RankedTensorType>(weight.getType()).getRank();
  for (int64_t i = 0; i < rank; ++i)
    if (transpose.getPermutation()[i] != (i == 0          ? 0
                                          : i == rank - 1 ? 1
                                                          : i + 1))
      return;
  ArrayRef<int64_t> sizes = cast<RankedTensorType>(weight.getType()).getShape();
  int64_t groupCount = op.getGroups();
  bool isDepthwise = sizes[1] == 1 && groupCount > 1 && sizes[0] == groupCount;
  auto kind = isDepthwise ? PackingKind::depthwise_filter : PackingKind::filter;
  auto packing = PackingAttr::get(
      op.getContext(), kind, tileFor(element, vectorBits).width(), groupCount);
  add({weight.getArgNumber(), packing, transpose.getType()},
      {&op.getFilterMutable(), weight});
}

/// True if nothing else reads the weight, be it transposed.
bool WeightPacking::areAllUses(BlockArgument weight, ArrayRef<PackedUse> uses) {
  auto isPacked = [&](OpOperand &use) {
    return llvm::any_of(
        uses, [&](const PackedUse &packed) { return packed.operand == &use; });
  };
  return llvm::all_of(weight.getUses(), [&](OpOperand &use) {
    auto transpose = dyn_cast<prim::TransposeOp>(use.getOwner());
    return isPacked(use) ||
           (transpose && llvm::all_of(transpose->getUses(), isPacked));
  });
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
  SmallVector<Operation *> transposes;
  for (const PackedUse &use : uses) {
    Operation *owner = use.operand->getOwner();
    if (auto transpose = use.operand->get().getDefiningOp<prim::TransposeOp>())
      transposes.push_back(transpose);
    use.operand->set(packed);
    owner->setAttr(packingName, key.packing);
    if (auto matmul = dyn_cast<prim::MatmulOp>(owner))
      matmul.setTransposeRhs(use.isTransposed);
  }
  llvm::SmallPtrSet<Operation *, 4> erased;
  for (Operation *transpose : transposes)
    if (erased.insert(transpose).second && transpose->use_empty())
      transpose->erase();
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
