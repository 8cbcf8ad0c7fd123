//===- Functionalizer.cpp - Memory of a traced program as values ----------===//

#include "passes/Normalize/Functionalizer.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace adze::normalize {

//===----------------------------------------------------------------------===//
// Steps of a chain
//===----------------------------------------------------------------------===//

static bool isViewStep(Operation *op) {
  return isa_and_nonnull<prim::ReshapeOp, prim::CheckShapeOp, prim::TransposeOp,
                         prim::BroadcastOp, prim::SliceOp, prim::BitcastOp,
                         prim::RealOp, prim::ImagOp>(op);
}

static Value applyStep(OpBuilder &builder, Operation *step, Value operand) {
  IRMapping mapping;
  mapping.map(step->getOperand(0), operand);
  return builder.clone(*step, mapping)->getResult(0);
}

static SmallVector<int64_t> inverted(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> result(permutation.size());
  for (auto [i, dim] : llvm::enumerate(permutation))
    result[dim] = i;
  return result;
}

static Value complexOf(OpBuilder &builder, Location loc, Value re, Value im) {
  return prim::ComplexOp::create(builder, loc, re, im);
}

/// The operand that would have made `step` give `value`; `old` is the operand
/// so far. Null if there is none.
static Value undoStep(OpBuilder &builder, Operation *step, Value old,
                      Value value) {
  prim::PrimBuilder b(builder, step->getLoc());
  Location loc = step->getLoc();
  return llvm::TypeSwitch<Operation *, Value>(step)
      .Case([&](prim::ReshapeOp) { return b.reshape(value, b.shapeOf(old)); })
      .Case([&](prim::CheckShapeOp) {
        return b.checkShape(value, b.shapeOf(old));
      })
      .Case([&](prim::TransposeOp op) {
        return b.transpose(value, inverted(op.getPermutation()));
      })
      .Case([&](prim::SliceOp op) -> Value {
        return prim::UpdateSliceOp::create(builder, loc, old.getType(), old,
                                           value, op.getStarts(),
                                           op.getStrides());
      })
      .Case([&](prim::BitcastOp) -> Value {
        return prim::BitcastOp::create(builder, loc, old.getType(), value);
      })
      .Case([&](prim::RealOp) {
        return complexOf(builder, loc, value,
                         prim::ImagOp::create(builder, loc, old));
      })
      .Case([&](prim::ImagOp) {
        return complexOf(builder, loc, prim::RealOp::create(builder, loc, old),
                         value);
      })
      // A write through a broadcast would write one element several times.
      .Default([](Operation *) { return Value(); });
}

//===----------------------------------------------------------------------===//
// Aliases
//===----------------------------------------------------------------------===//

Alias *Functionalizer::makeFresh(Value value,
                                 std::optional<unsigned> argument) {
  Storage *storage = storages.emplace_back(std::make_unique<Storage>()).get();
  *storage = {value, 0, depth, argument, true};
  Alias *alias = ownedAliases.emplace_back(std::make_unique<Alias>()).get();
  alias->storage = storage;
  alias->value = value;
  alias->depth = depth;
  return alias;
}

Alias *Functionalizer::makeView(Alias *base, Value input, Value result) {
  SmallVector<Operation *> steps;
  Value value = result;
  while (value != input && isViewStep(value.getDefiningOp())) {
    steps.push_back(value.getDefiningOp());
    value = value.getDefiningOp()->getOperand(0);
  }
  if (value != input)
    return nullptr;
  Alias *alias =
      ownedAliases.emplace_back(std::make_unique<Alias>(*base)).get();
  alias->chain.append(steps.rbegin(), steps.rend());
  alias->value = result;
  alias->version = base->storage->version;
  alias->depth = depth;
  return alias;
}

Alias *Functionalizer::makeOpaqueView(Alias *base, Value value) {
  Alias *alias =
      ownedAliases.emplace_back(std::make_unique<Alias>(*base)).get();
  alias->value = value;
  alias->version = base->storage->version;
  alias->depth = depth;
  alias->isReplayable = false;
  return alias;
}

Alias *Functionalizer::makeTwin(const Alias &other, Value value) {
  Alias *alias =
      ownedAliases.emplace_back(std::make_unique<Alias>(other)).get();
  alias->value = value;
  return alias;
}

FailureOr<Value> Functionalizer::read(Alias *alias, Location) {
  Storage &storage = *alias->storage;
  if (alias->version == storage.version)
    return alias->value;
  if (!alias->isReplayable || alias->isAmbiguous)
    return failure();
  Value value = storage.current;
  for (Operation *step : alias->chain)
    value = applyStep(builder, step, value);
  // What a region computes can not be seen from outside of it.
  if (alias->depth == depth) {
    alias->value = value;
    alias->version = storage.version;
  }
  return value;
}

LogicalResult Functionalizer::write(Alias *alias, Value value, Location,
                                    std::string &reason) {
  Storage &storage = *alias->storage;
  if (storage.depth != depth)
    reason = "a write to a tensor from outside of the control-flow region";
  else if (!alias->isReplayable || alias->isAmbiguous)
    reason = "a write through a view of this kind";
  if (!reason.empty())
    return failure();
  SmallVector<Value> before = {storage.current};
  for (Operation *step :
       ArrayRef(alias->chain).drop_back(!alias->chain.empty()))
    before.push_back(applyStep(builder, step, before.back()));
  Value written = value;
  for (auto [step, old] : llvm::reverse(llvm::zip(alias->chain, before))) {
    written = undoStep(builder, step, old, written);
    if (!written) {
      reason = "a write through an expanded view";
      return failure();
    }
  }
  storage.current = written;
  alias->value = value;
  alias->version = ++storage.version;
  return success();
}

} // namespace adze::normalize
