//===- RandomTest.cpp - Philox and the random kernels ---------------------===//

#include "KernelRunner.h"

#include "lib/Runtime/Philox.h"

#include <algorithm>
#include <numeric>

using namespace adze;
using namespace adze::test;

namespace {

/// From the known answers of Random123 (key 0, counter 0).
TEST(Philox, KnownAnswer) {
  philox::Block block = philox::block(0, 0);
  EXPECT_EQ(block.word[0], 0x6627e8d5u);
  EXPECT_EQ(block.word[1], 0xe169c58du);
  EXPECT_EQ(block.word[2], 0xbc57ac4cu);
  EXPECT_EQ(block.word[3], 0x9b00dbd8u);
}

template <typename T> double mean(const std::vector<T> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

template <typename T> double variance(const std::vector<T> &values) {
  double centre = mean(values), sum = 0;
  for (T value : values)
    sum += (value - centre) * (value - centre);
  return sum / static_cast<double>(values.size());
}

constexpr int64_t N = 100000;

template <typename T>
void drawsDistributions(adze_kernel uniform, adze_kernel normal) {
  std::vector<T> values(N);
  runKernel(uniform, N, values, 7, 100, -1.0, 3.0);
  EXPECT_NEAR(mean(values), 1, 0.02);
  EXPECT_NEAR(variance(values), 16.0 / 12, 0.03);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), -1);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 3);
  runKernel(normal, N, values, 7, 100, 2.0, 0.5);
  EXPECT_NEAR(mean(values), 2, 0.01);
  EXPECT_NEAR(variance(values), 0.25, 0.01);
  double correlation = 0;
  for (size_t i = 0; i + 1 < values.size(); ++i)
    correlation += (values[i] - 2) * (values[i + 1] - 2);
  EXPECT_NEAR(correlation / N, 0, 0.005);
}

TEST(Random, DrawsDistributions) {
  drawsDistributions<float>(adze_rt_random_uniform_f32,
                            adze_rt_random_normal_f32);
  drawsDistributions<double>(adze_rt_random_uniform_f64,
                             adze_rt_random_normal_f64);
}

TEST(Random, DependsOnSeedAndCounterButNotOnPieces) {
  std::vector<float> whole(100), pieces(100), other(100);
  int64_t slots[] = {0, slot(whole), 3, 50, slot(0.0), slot(1.0)};
  adze_rt_random_uniform_f32(slots, 0, 100);
  slots[1] = slot(pieces);
  for (int64_t i = 99; i >= 0; --i)
    adze_rt_random_uniform_f32(slots, i, i + 1);
  EXPECT_EQ(whole, pieces);
  slots[1] = slot(other);
  slots[3] = 51; // one block of four further
  adze_rt_random_uniform_f32(slots, 0, 96);
  EXPECT_TRUE(std::equal(whole.begin() + 4, whole.end(), other.begin()));
  slots[2] = 4;
  adze_rt_random_uniform_f32(slots, 0, 100);
  EXPECT_NE(whole, other);
}

TEST(Random, IntegersCoverTheirRange) {
  std::vector<int64_t> values(N);
  runKernel(adze_rt_random_int_i64, N, values, 1, 0, -2, 3);
  std::vector<int> counts(5);
  for (int64_t value : values) {
    ASSERT_GE(value, -2);
    ASSERT_LT(value, 3);
    ++counts[static_cast<size_t>(value + 2)];
  }
  for (int count : counts)
    EXPECT_NEAR(count, N / 5, 600);
  runKernel(adze_rt_random_int_i64, 100, values, 1, 0, INT64_MIN, INT64_MAX);
}

TEST(Random, PermutationsAreFair) {
  std::vector<int64_t> values(100), sorted(100);
  EXPECT_EQ(runRoutine(adze_rt_random_permutation, values, 5, 0, 100), 100);
  std::iota(sorted.begin(), sorted.end(), 0);
  EXPECT_NE(values, sorted);
  EXPECT_TRUE(
      std::is_permutation(values.begin(), values.end(), sorted.begin()));
  std::vector<int> firsts(4);
  for (int64_t seed = 0; seed < 4000; ++seed) {
    runRoutine(adze_rt_random_permutation, values, seed, 0, 4);
    ++firsts[static_cast<size_t>(values[0])];
  }
  for (int count : firsts)
    EXPECT_NEAR(count, 1000, 130);
}

} // namespace
