//===- Arena.cpp - Offsets for buffers that share one arena ---------------===//

#include "passes/Schedule/Arena.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace adze {

static sym::Expr aligned(sym::Expr bytes) {
  auto unit = sym::constant(bytes.getContext(), bufferAlignment);
  return sym::mul(sym::ceilDiv(bytes, unit), unit);
}

namespace {
struct Placed {
  int64_t offset, size;
  Lifetime life;
};
} // namespace

/// The smallest gap between the buffers that are alive at the same time.
static int64_t bestFit(ArrayRef<Placed> placed, int64_t size,
                       const Lifetime &life) {
  SmallVector<Placed> alive;
  for (const Placed &other : placed)
    if (other.life.overlaps(life))
      alive.push_back(other);
  llvm::sort(alive, [](const Placed &a, const Placed &b) {
    return a.offset < b.offset;
  });
  int64_t end = 0, best = -1, bestGap = INT64_MAX;
  for (const Placed &other : alive) {
    int64_t gap = other.offset - end;
    if (gap >= size && gap < bestGap) {
      best = end;
      bestGap = gap;
    }
    end = std::max(end, other.offset + other.size);
  }
  return best >= 0 ? best : end;
}

/// Returns the size that constant buffers take.
static int64_t planConstant(MutableArrayRef<PlannedBuffer> buffers) {
  SmallVector<std::pair<int64_t, PlannedBuffer *>> order;
  for (PlannedBuffer &buffer : buffers)
    if (auto bytes = sym::asConstant(buffer.bytes))
      order.push_back(
          {int64_t(llvm::alignTo(*bytes, bufferAlignment)), &buffer});
  for (auto [position, entry] : llvm::enumerate(order))
    entry.second->position = position;
  llvm::sort(order, [](auto &a, auto &b) {
    return std::make_pair(-a.first, a.second->position) <
           std::make_pair(-b.first, b.second->position);
  });
  SmallVector<Placed> placed;
  int64_t total = 0;
  for (auto [size, buffer] : order) {
    int64_t offset = bestFit(placed, size, buffer->life);
    placed.push_back({offset, size, buffer->life});
    buffer->offset = sym::constant(buffer->bytes.getContext(), offset);
    total = std::max(total, offset + size);
  }
  return total;
}

namespace {
struct Slot {
  sym::Expr bytes, offset;
  SmallVector<Lifetime> lives;
};
} // namespace

static Slot *freeSlot(MutableArrayRef<Slot> slots,
                      const PlannedBuffer &buffer) {
  for (Slot &slot : slots)
    if (slot.bytes == buffer.bytes &&
        llvm::none_of(slot.lives, [&](const Lifetime &life) {
          return life.overlaps(buffer.life);
        }))
      return &slot;
  return nullptr;
}

sym::Expr planArena(MLIRContext *context,
                    MutableArrayRef<PlannedBuffer> buffers) {
  sym::Expr total = sym::constant(context, planConstant(buffers));
  SmallVector<Slot> slots;
  for (PlannedBuffer &buffer : buffers) {
    if (sym::asConstant(buffer.bytes))
      continue;
    Slot *slot = freeSlot(slots, buffer);
    if (!slot) {
      slots.push_back({buffer.bytes, total, {}});
      slot = &slots.back();
      total = sym::add(total, aligned(buffer.bytes));
    }
    slot->lives.push_back(buffer.life);
    buffer.offset = slot->offset;
  }
  return total;
}

} // namespace adze
