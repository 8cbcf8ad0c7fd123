//===- TensorTest.cpp - Strided copies and layouts ------------------------===//

#include "FakeProgram.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace adze;
using namespace adze::test;

namespace {

/// A dense layout of `dims` with its dims in a random order and with gaps.
std::vector<int64_t> randomStrides(const std::vector<int64_t> &dims,
                                   std::mt19937 &random, int64_t &extent) {
  std::vector<size_t> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<int64_t> strides(dims.size());
  int64_t step = 1 + static_cast<int64_t>(random() % 2);
  for (size_t dim : order) {
    strides[dim] = step;
    step *= dims[dim] + static_cast<int64_t>(random() % 2);
  }
  extent = step + 1;
  return strides;
}

template <typename T> void copiesLikeALoop(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int64_t> dims(random() % 5);
  for (int64_t &dim : dims)
    dim = 1 + static_cast<int64_t>(random() % 4);
  int64_t fromExtent, toExtent, width = sizeof(T);
  auto fromStrides = randomStrides(dims, random, fromExtent);
  auto toStrides = randomStrides(dims, random, toExtent);
  std::vector<T> from(static_cast<size_t>(fromExtent)),
      to(static_cast<size_t>(toExtent));
  for (T &value : from)
    value = static_cast<T>(random());
  auto rank = static_cast<int32_t>(dims.size());
  rt::copyStrided({dims.data(), rank, width, to.data(), toStrides.data(),
                   from.data(), fromStrides.data()});
  Tensor<T> source(dims, from, fromStrides), target(dims, to, toStrides);
  EXPECT_EQ(elements<T>(source.dl), elements<T>(target.dl)) << seed;
}

TEST(CopyStrided, CopiesLikeALoop) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    copiesLikeALoop<uint8_t>(seed);
    copiesLikeALoop<int16_t>(seed);
    copiesLikeALoop<float>(seed);
    copiesLikeALoop<int64_t>(seed);
  }
}

TEST(CopyStrided, CopiesNothingOfEmptyTensors) {
  int64_t dims[] = {3, 0}, strides[] = {1, 1};
  rt::copyStrided({dims, 2, 4, nullptr, strides, nullptr, strides});
}

TEST(ByteSize, RefusesNegativeAndHugeShapes) {
  uint64_t bytes;
  std::vector<int64_t> dims{2, 3};
  EXPECT_TRUE(rt::byteSize(dims.data(), 2, ADZE_FLOAT64, bytes));
  EXPECT_EQ(bytes, 48u);
  dims = {-1, 3};
  EXPECT_FALSE(rt::byteSize(dims.data(), 2, ADZE_FLOAT64, bytes));
  dims = {1ll << 40, 1ll << 40};
  EXPECT_FALSE(rt::byteSize(dims.data(), 2, ADZE_FLOAT64, bytes));
  dims = {0, 1ll << 62}; // its strides would overflow
  EXPECT_FALSE(rt::byteSize(dims.data(), 2, ADZE_FLOAT64, bytes));
  dims = {0, 1ll << 40};
  EXPECT_TRUE(rt::byteSize(dims.data(), 2, ADZE_FLOAT64, bytes));
  EXPECT_EQ(bytes, 0u);
}

} // namespace
