//===- RandomTest.cpp - The random kernels --------------------------------===//

#include "KernelRunner.h"

#include "adze/Support/Philox.h"

#include <algorithm>
#include <numeric>

using namespace adze;
using namespace adze::test;

namespace {

/// From the known answers of Random123 (key 0, counter 0).
TEST(Philox, KnownAnswer) {
  auto words = philox::philox4x32({0, 0, 0, 0}, {0, 0});
  EXPECT_EQ(words[0], 0x6627e8d5u);
  EXPECT_EQ(words[1], 0xe169c58du);
  EXPECT_EQ(words[2], 0xbc57ac4cu);
  EXPECT_EQ(words[3], 0x9b00dbd8u);
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
  std::vector<int64_t> key{7, 1};
  int64_t slots[] = {0, slot(values), slot(key), 3};
  uniform(slots, 0, N);
  EXPECT_NEAR(mean(values), 0.5, 0.01);
  EXPECT_NEAR(variance(values), 1.0 / 12, 0.003);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), 0);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 1);
  normal(slots, 0, N);
  EXPECT_NEAR(mean(values), 0, 0.02);
  EXPECT_NEAR(variance(values), 1, 0.03);
  double correlation = 0;
  for (size_t i = 0; i + 1 < values.size(); ++i)
    correlation += values[i] * values[i + 1];
  EXPECT_NEAR(correlation / N, 0, 0.02);
}

TEST(Random, DrawsDistributions) {
  drawsDistributions<float>(adze_rt_random_uniform_f32,
                            adze_rt_random_normal_f32);
  drawsDistributions<double>(adze_rt_random_uniform_f64,
                             adze_rt_random_normal_f64);
}

TEST(Random, DependsOnKeyAndStreamButNotOnPieces) {
  std::vector<float> whole(100), pieces(100), other(100);
  std::vector<int64_t> key{3, 50};
  int64_t slots[] = {0, slot(whole), slot(key), 2};
  adze_rt_random_uniform_f32(slots, 0, 100);
  slots[1] = slot(pieces);
  for (int64_t i = 99; i >= 0; --i)
    adze_rt_random_uniform_f32(slots, i, i + 1);
  EXPECT_EQ(whole, pieces);
  slots[1] = slot(other);
  slots[3] = 4; // another stream
  adze_rt_random_uniform_f32(slots, 0, 100);
  EXPECT_NE(whole, other);
  slots[3] = 2;
  key[1] = 51; // another call
  adze_rt_random_uniform_f32(slots, 0, 100);
  EXPECT_NE(whole, other);
}

TEST(Random, BitsAreNotNegative) {
  std::vector<int64_t> values(1000), key{1, 2};
  int64_t slots[] = {0, slot(values), slot(key), 0};
  adze_rt_random_bits_i64(slots, 0, 1000);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), 0);
  EXPECT_NEAR(mean(values) / 9223372036854775808.0, 0.5, 0.03);
}

} // namespace
