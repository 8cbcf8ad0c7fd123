//===- ArenaTest.cpp - Offsets of buffers that share an arena -------------===//

#include "passes/Schedule/Arena.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace adze;

namespace {

class ArenaTest : public testing::Test {
protected:
  ArenaTest() { context.loadDialect<sym::SymDialect>(); }

  PlannedBuffer buffer(int64_t bytes, int64_t begin, int64_t end) {
    return {sym::constant(&context, bytes), {begin, end}};
  }
  PlannedBuffer buffer(StringRef symbol, int64_t begin, int64_t end) {
    return {sym::symbol(&context, symbol), {begin, end}};
  }

  MLIRContext context;
};

int64_t offsetOf(const PlannedBuffer &buffer) {
  return *sym::asConstant(buffer.offset);
}

TEST_F(ArenaTest, UsesDeadMemoryAgain) {
  SmallVector<PlannedBuffer> buffers{buffer(64, 0, 1), buffer(64, 1, 2),
                                     buffer(64, 2, 3)};
  EXPECT_TRUE(sym::isConstant(planArena(&context, buffers), 128));
  EXPECT_EQ(offsetOf(buffers[0]), offsetOf(buffers[2]));
  EXPECT_NE(offsetOf(buffers[0]), offsetOf(buffers[1]));
}

TEST_F(ArenaTest, AlignsEveryBuffer) {
  SmallVector<PlannedBuffer> buffers{buffer(1, 0, 9), buffer(65, 0, 9),
                                     buffer(0, 0, 9)};
  planArena(&context, buffers);
  for (const PlannedBuffer &buffer : buffers)
    EXPECT_EQ(offsetOf(buffer) % bufferAlignment, 0);
}

TEST_F(ArenaTest, SharesSlotsOfEqualSymbolicSize) {
  SmallVector<PlannedBuffer> buffers{buffer("s0", 0, 1), buffer("s0", 2, 3),
                                     buffer("s1", 2, 3)};
  sym::Expr total = planArena(&context, buffers);
  EXPECT_EQ(buffers[0].offset, buffers[1].offset);
  EXPECT_NE(buffers[1].offset, buffers[2].offset);
  auto sizes = [](StringRef name) -> std::optional<int64_t> {
    return name == "s0" ? 100 : 1;
  };
  EXPECT_EQ(sym::evaluate(total, sizes), 128 + 64);
}

/// Nothing that is alive at the same time overlaps, whatever the sizes.
TEST_F(ArenaTest, NeverOverlapsLiveBuffers) {
  std::mt19937 random(1);
  auto draw = [&](int64_t below) { return int64_t(random() % below); };
  for (int round = 0; round < 50; ++round) {
    SmallVector<PlannedBuffer> buffers;
    for (int i = 0; i < 40; ++i) {
      int64_t begin = draw(30);
      buffers.push_back(buffer(draw(1000), begin, begin + draw(8)));
    }
    int64_t total = *sym::asConstant(planArena(&context, buffers));
    for (const PlannedBuffer &a : buffers) {
      int64_t end = offsetOf(a) + *sym::asConstant(a.bytes);
      EXPECT_LE(end, total);
      for (const PlannedBuffer &b : buffers)
        if (&a != &b && a.life.overlaps(b.life)) {
          EXPECT_TRUE(end <= offsetOf(b) ||
                      offsetOf(b) + *sym::asConstant(b.bytes) <= offsetOf(a));
        }
    }
  }
}

} // namespace
