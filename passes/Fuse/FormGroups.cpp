//===- FormGroups.cpp - Collect prim ops in groups ------------------------===//
//
// Whatever is in a group is computed correctly: the loop builder can compute
// any element of any value in it. The rules here decide only what is worth
// computing together.
//
//===----------------------------------------------------------------------===//

#include "passes/Fuse/OpClass.h"
#include "passes/Fuse/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_FORMGROUPS
#include "passes/Fuse/Passes.h.inc"

namespace {

/// A group while it is being collected, from its root backwards.
struct Group {
  explicit Group(Operation *root) : root(root) {}

  Operation *root;
  Operation *anchor = nullptr;
  /// Outer sizes of the reductions over the last dim, if there are any.
  std::optional<sym::Shape> rows;
  /// Every op computes each of its elements once and in place: nothing is
  /// broadcast, moved or reduced after the root of the backward walk.
  bool elementwise = true;
  llvm::SetVector<Operation *> ops;
  /// Those of the ops through which the anchor reads its operands.
  llvm::SmallPtrSet<Operation *, 4> views;

  /// True if the op reads its operands from memory, not from other ops.
  bool readsMemory(Operation *op) const {
    return op == anchor || views.contains(op);
  }
};

class Grouping {
public:
  explicit Grouping(Block &block) : block(block) {}
  void run();

private:
  void visit(Operation *op);
  Group *groupOfUsers(Operation *op);
  bool canJoin(Operation *op, const Group &group);
  bool canReduceIn(Operation *op, const Group &group);
  bool isViewOf(Operation *op, const Group &group);
  bool canAnchor(Operation *op, const Group &group);
  void join(Operation *op, Group &group);
  void build(Group &group);
  SmallVector<Operation *> creatorsOf(const Group &group);

  Block &block;
  SmallVector<std::unique_ptr<Group>> groups;
  DenseMap<Operation *, Group *> groupOf;
};

} // namespace

/// The one group that all users belong to, or null.
Group *Grouping::groupOfUsers(Operation *op) {
  Group *found = nullptr;
  for (Operation *user : op->getUsers()) {
    Group *group = groupOf.lookup(user);
    if (!group || (found && group != found))
      return nullptr;
    found = group;
  }
  return found;
}

/// The sizes that the ops of a group without reductions run over.
static sym::Shape sizesOf(Operation *op) {
  return sym::shapeOf(op->getResult(0));
}

static bool isPrefix(const sym::Shape &prefix, const sym::Shape &shape) {
  return prefix.size() <= shape.size() &&
         std::equal(prefix.begin(), prefix.end(), shape.begin());
}

/// A reduction joins if each of its results is needed once, or if it runs
/// over rows that the group's other ops have in common.
bool Grouping::canReduceIn(Operation *op, const Group &group) {
  if (group.anchor)
    return false;
  auto rows = rowsOf(op);
  if (!rows)
    return !group.rows && group.elementwise &&
           sizesOf(op) == sizesOf(group.root);
  if (group.rows)
    return *group.rows == *rows;
  return isPrefix(*rows, sizesOf(group.root)) &&
         sizesOf(group.root).size() <= rows->size() + 1;
}

/// Work that is rather done again than stored: at most one operation for each
/// element.
static bool isCheap(Operation *op) {
  sym::Expr elements = sym::product(op->getContext(), sizesOf(op));
  return classOf(op) == OpClass::Movement ||
         cast<prim::CostInterface>(op).flops() == elements;
}

/// True if a user reads elements of the op more than once.
static bool isRepeatedBy(Operation *op, Operation *user) {
  if (auto broadcast = dyn_cast<prim::BroadcastOp>(user))
    return sizesOf(op) != sizesOf(user);
  return isa<prim::IndexOp, prim::GatherOp, prim::PoolOp, prim::ArgPoolOp>(
      user);
}

/// True if the op's elements are numbers of whole rows: computed, element by
/// element, from reductions of those rows.
static bool isOfRows(Operation *op) {
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (size_t i = 0; i < ops.size(); ++i) {
    if (rowsOf(ops[i]))
      return true;
    if (classOf(ops[i]) != OpClass::Elementwise &&
        !isa<prim::ReshapeOp>(ops[i]))
      continue;
    for (Value operand : ops[i]->getOperands())
      if (Operation *def = operand.getDefiningOp())
        ops.insert(def);
  }
  return false;
}

/// Whether the user would compute the op's elements again and again, and that
/// is too much. Rows compute what their elements have in common once.
static bool isTooOften(Operation *op, Operation *user, const Group &group) {
  if (!isRepeatedBy(op, user))
    return false;
  if (classOf(op) == OpClass::Reduction)
    return !rowsOf(op);
  return !isCheap(op) && !group.rows && !isOfRows(op);
}

static unsigned bitsOf(Operation *op) {
  Type element =
      cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return element.getIntOrFloatBitWidth();
}

/// The product that could have the op as an epilogue, as far as the op knows.
static Operation *anchorBehind(Operation *op) {
  if (classOf(op) != OpClass::Elementwise)
    return nullptr;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (!def || !def->hasOneUse() || sizesOf(def) != sizesOf(op))
      continue;
    bool isProduct = classOf(def) == OpClass::Anchor && takesEpilogue(def);
    if (Operation *found = isProduct ? def : anchorBehind(def))
      return found;
  }
  return nullptr;
}

/// Whether the op is better left to the product before it, as the group cannot
/// take that in: its result is no larger, and often read more than once.
static bool belongsToAnchor(Operation *op, const Group &group) {
  if (!group.rows && !group.anchor && group.elementwise)
    return false;
  Operation *anchor = anchorBehind(op);
  return anchor && bitsOf(op) <= bitsOf(anchor);
}

/// The order in which attention is read, where that is all that moves.
static bool isPermutedOnly(Operation *op, const Group &group) {
  if (!isa<prim::AttentionOp>(op) || !op->hasOneUse())
    return false;
  auto transpose = dyn_cast<prim::TransposeOp>(*op->user_begin());
  return transpose && isStridedView(transpose) &&
         sizesOf(transpose) == sizesOf(group.root) &&
         llvm::all_of(group.ops, [&](Operation *other) {
           return other == transpose || isa<prim::BroadcastOp>(other) ||
                  classOf(other) == OpClass::Elementwise;
         });
}

bool Grouping::canAnchor(Operation *op, const Group &group) {
  if (!takesEpilogue(op) || group.anchor || group.rows)
    return false;
  return (group.elementwise && sizesOf(op) == sizesOf(group.root)) ||
         isPermutedOnly(op, group);
}

/// True if the op only says how attention finds its operands in memory.
bool Grouping::isViewOf(Operation *op, const Group &group) {
  return isa_and_nonnull<prim::AttentionOp>(group.anchor) &&
         isStridedView(op) && llvm::all_of(op->getUses(), [&](OpOperand &use) {
           auto attention = dyn_cast<prim::AttentionOp>(use.getOwner());
           return attention ? use.get() != attention.getMask()
                            : group.views.contains(use.getOwner());
         });
}

bool Grouping::canJoin(Operation *op, const Group &group) {
  OpClass opClass = classOf(op);
  if (opClass == OpClass::Anchor)
    return canAnchor(op, group);
  if (isViewOf(op, group))
    return true;
  for (Operation *user : op->getUsers())
    // Builders of anchors read their operands from memory.
    if (classOf(user) == OpClass::Anchor || group.views.contains(user) ||
        isTooOften(op, user, group))
      return false;
  if (opClass == OpClass::Reduction)
    return canReduceIn(op, group);
  if (belongsToAnchor(op, group))
    return false;
  return opClass == OpClass::Elementwise || opClass == OpClass::Movement;
}

void Grouping::join(Operation *op, Group &group) {
  if (isViewOf(op, group))
    group.views.insert(op);
  group.ops.insert(op);
  groupOf[op] = &group;
  OpClass opClass = classOf(op);
  if (opClass == OpClass::Anchor)
    group.anchor = op;
  if (opClass != OpClass::Elementwise)
    group.elementwise &= isa<prim::BroadcastOp, prim::ReshapeOp>(op);
  if (opClass == OpClass::Reduction)
    if (auto rows = rowsOf(op))
      group.rows = rows;
}

void Grouping::visit(Operation *op) {
  OpClass opClass = classOf(op);
  if (opClass == OpClass::Outside ||
      (opClass == OpClass::Creator && op->use_empty()))
    return;
  if (opClass == OpClass::Creator) {
    // Needed as a buffer only by what is outside of all groups.
    bool outside = llvm::any_of(op->getUsers(), [&](Operation *user) {
      Group *group = groupOf.lookup(user);
      return !group || group->readsMemory(user);
    });
    if (!outside)
      return;
  }
  Group *group = opClass == OpClass::Creator ? nullptr : groupOfUsers(op);
  if (group && canJoin(op, *group))
    return join(op, *group);
  groups.push_back(std::make_unique<Group>(op));
  join(op, *groups.back());
}

/// The creators that the group reads, of which it gets copies. They have no
/// operands, so they can stand first; some come from blocks around this one.
SmallVector<Operation *> Grouping::creatorsOf(const Group &group) {
  llvm::SetVector<Operation *> creators;
  for (Operation *op : group.ops)
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && !group.readsMemory(op) && classOf(def) == OpClass::Creator &&
          !group.ops.contains(def))
        creators.insert(def);
    }
  return creators.takeVector();
}

static kernel::Kind kindOf(const Group &group) {
  return group.anchor ? kindOfAnchor(group.anchor) : kernel::Kind::loop;
}

/// Makes the kernel.group at the root, which stands last.
void Grouping::build(Group &group) {
  SmallVector<Operation *> sorted(group.ops.begin(), group.ops.end());
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  SmallVector<Operation *> ops = creatorsOf(group);
  group.ops.insert(ops.begin(), ops.end());
  llvm::append_range(ops, sorted);
  llvm::SetVector<Value> inputs;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!group.ops.contains(operand.getDefiningOp()))
        inputs.insert(operand);
  OpBuilder builder(group.root);
  Location loc = group.root->getLoc();
  auto result =
      kernel::GroupOp::create(builder, loc, group.root->getResultTypes(),
                              kindOf(group), inputs.getArrayRef());
  Block *body = builder.createBlock(&result.getBody());
  IRMapping map;
  for (Value input : inputs)
    map.map(input, body->addArgument(input.getType(), loc));
  for (Operation *op : ops)
    builder.clone(*op, map);
  auto yielded = llvm::map_to_vector(
      group.root->getResults(), [&](Value value) { return map.lookup(value); });
  kernel::YieldOp::create(builder, loc, yielded);
  group.root->replaceAllUsesWith(result.getResults());
}

void Grouping::run() {
  for (Operation &op : llvm::reverse(block))
    visit(&op);
  // Producers first, so that a group finds the results of those before it.
  for (auto &group : llvm::reverse(groups))
    build(*group);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<prim::PrimDialect>(op.getDialect()) && isOpTriviallyDead(&op))
      op.erase();
}

namespace {
struct FormGroups : impl::FormGroupsBase<FormGroups> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      Grouping(*block).run();
  }
};
} // namespace
} // namespace adze
