//===- OrderTest.cpp - Sort, top-k, search, unique and masks --------------===//

#include "KernelRunner.h"

#include <algorithm>
#include <cstring>

using namespace adze::test;

namespace {

/// PyTorch's order: NaN is the greatest.
template <typename T> bool less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (a != a || b != b)
      return !(a != a) && b != b;
  return a < b;
}

template <typename T>
std::vector<int64_t> sortedIndices(const T *row, int64_t n, bool descending) {
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < n; ++i)
    indices.insert(std::upper_bound(indices.begin(), indices.end(), i,
                                    [&](int64_t a, int64_t b) {
                                      return descending ? less(row[b], row[a])
                                                        : less(row[a], row[b]);
                                    }),
                   i);
  return indices;
}

/// Few distinct values, so that ties are many.
template <typename T> std::vector<T> tiedValues(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(static_cast<size_t>(count));
  for (T &value : values)
    value = static_cast<T>(static_cast<int>(random() % 9) - 4);
  return values;
}

template <typename T>
void sortsLikeStableSort(adze_kernel kernel, std::vector<T> in, int64_t n) {
  auto rows = static_cast<int64_t>(in.size()) / n;
  for (bool descending : {false, true}) {
    std::vector<T> values(in.size());
    std::vector<int64_t> indices(in.size());
    runKernel(kernel, rows, in, values, indices, n, descending);
    for (int64_t row = 0; row < rows; ++row) {
      auto expected = sortedIndices(in.data() + row * n, n, descending);
      for (int64_t i = 0; i < n; ++i) {
        size_t at = static_cast<size_t>(row * n + i);
        size_t from = static_cast<size_t>(row * n) +
                      static_cast<size_t>(expected[static_cast<size_t>(i)]);
        ASSERT_EQ(indices[at], expected[static_cast<size_t>(i)]);
        ASSERT_EQ(std::memcmp(&values[at], &in[from], sizeof(T)), 0);
      }
    }
  }
}

TEST(Sort, IsStableForEveryType) {
  sortsLikeStableSort(adze_rt_sort_f32, tiedValues<float>(120, 1), 40);
  sortsLikeStableSort(adze_rt_sort_f64, tiedValues<double>(120, 2), 30);
  sortsLikeStableSort(adze_rt_sort_i8, tiedValues<int8_t>(120, 3), 20);
  sortsLikeStableSort(adze_rt_sort_i16, tiedValues<int16_t>(120, 4), 120);
  sortsLikeStableSort(adze_rt_sort_i32, tiedValues<int32_t>(120, 5), 60);
  sortsLikeStableSort(adze_rt_sort_i64, tiedValues<int64_t>(120, 6), 1);
  sortsLikeStableSort(adze_rt_sort_u8, tiedValues<uint8_t>(120, 7), 40);
  sortsLikeStableSort(adze_rt_sort_u16, tiedValues<uint16_t>(120, 8), 40);
  sortsLikeStableSort(adze_rt_sort_u32, tiedValues<uint32_t>(120, 9), 40);
  sortsLikeStableSort(adze_rt_sort_u64, tiedValues<uint64_t>(120, 10), 40);
}

TEST(Sort, PutsNanLastAndTakesZerosAsEqual) {
  std::vector<float> in{NAN, 0.0f, -0.0f,     INFINITY,
                        -1,  -NAN, -INFINITY, 1e-45f};
  sortsLikeStableSort(adze_rt_sort_f32, in, 8);
}

TEST(Sort, OrdersHalfTypes) {
  // 1, -2, NaN, 0.5 as float16 and as bfloat16
  std::vector<uint16_t> f16{0x3c00, 0xc000, 0x7e00, 0x3800};
  std::vector<uint16_t> bf16{0x3f80, 0xc000, 0x7fc0, 0x3f00};
  std::vector<int64_t> indices(4);
  runKernel(adze_rt_sort_f16, 1, f16, nullptr, indices, 4, 0);
  EXPECT_EQ(indices, (std::vector<int64_t>{1, 3, 0, 2}));
  runKernel(adze_rt_sort_bf16, 1, bf16, nullptr, indices, 4, 1);
  EXPECT_EQ(indices, (std::vector<int64_t>{2, 0, 3, 1}));
}

TEST(Topk, IsTheHeadOfASort) {
  auto in = tiedValues<float>(90, 1);
  in[17] = NAN;
  for (int64_t k : {0, 1, 7, 30})
    for (bool largest : {false, true}) {
      std::vector<float> values(static_cast<size_t>(3 * k));
      std::vector<int64_t> indices(static_cast<size_t>(3 * k));
      runKernel(adze_rt_topk_f32, 3, in, values, indices, 30, k, largest);
      for (int64_t row = 0; row < 3; ++row) {
        auto expected = sortedIndices(in.data() + row * 30, 30, largest);
        for (int64_t i = 0; i < k; ++i)
          EXPECT_EQ(indices[static_cast<size_t>(row * k + i)],
                    expected[static_cast<size_t>(i)]);
      }
    }
}

TEST(Searchsorted, FindsBothEnds) {
  std::vector<float> sequences{1, 3, 3, 5, 2, 4, 6, 8};
  std::vector<float> values{3, 0, 9, NAN, 4, 4.5f};
  std::vector<int64_t> out(6);
  runKernel(adze_rt_searchsorted_f32, 6, sequences, values, out, 4, 3, 0, 0, 0);
  EXPECT_EQ(out, (std::vector<int64_t>{1, 0, 4, 4, 1, 2}));
  runKernel(adze_rt_searchsorted_f32, 6, sequences, values, out, 4, 3, 1, 1, 0);
  EXPECT_EQ(out, (std::vector<int64_t>{3, 0, 4, 4, 3, 3}));
  std::vector<float> unsorted{5, 1, 3, 3};
  std::vector<int64_t> sorter{1, 2, 3, 0};
  runKernel(adze_rt_searchsorted_f32, 3, unsorted, values, out, 4, 3, 0, 0,
            sorter);
  EXPECT_EQ(out[0], 1);
}

TEST(Unique, SortsCountsAndInverts) {
  std::vector<int32_t> in{3, 1, 3, 2, 1, 3};
  std::vector<int32_t> values(6);
  std::vector<int64_t> inverse(6), counts(6);
  ASSERT_EQ(runRoutine(adze_rt_unique_i32, in, values, inverse, counts, 6), 3);
  values.resize(3);
  counts.resize(3);
  EXPECT_EQ(values, (std::vector<int32_t>{1, 2, 3}));
  EXPECT_EQ(counts, (std::vector<int64_t>{2, 1, 3}));
  EXPECT_EQ(inverse, (std::vector<int64_t>{2, 0, 2, 1, 0, 2}));
}

TEST(Unique, KeepsEachNanAndRunsOfNeighbours) {
  std::vector<float> in{NAN, 1, 1, NAN, 2, 1}, values(6);
  EXPECT_EQ(runRoutine(adze_rt_unique_f32, in, values, 0, 0, 6), 4);
  std::vector<int64_t> inverse(6);
  EXPECT_EQ(
      runRoutine(adze_rt_unique_consecutive_f32, in, values, inverse, 0, 6), 5);
  EXPECT_EQ(inverse, (std::vector<int64_t>{0, 1, 1, 2, 3, 4}));
  EXPECT_EQ(runRoutine(adze_rt_unique_f32, in, values, 0, 0, 0), 0);
}

TEST(Masks, GiveIndicesAndElements) {
  std::vector<uint8_t> mask{0, 1, 0, 0, 1, 1};
  std::vector<int64_t> shape{2, 3}, out(6);
  EXPECT_EQ(runRoutine(adze_rt_count_true, mask, 6), 3);
  ASSERT_EQ(runRoutine(adze_rt_nonzero, mask, 6, 2, shape, out), 3);
  EXPECT_EQ(out, (std::vector<int64_t>{0, 1, 1, 1, 1, 2}));
  std::vector<int16_t> in{10, 11, 12, 13, 14, 15}, picked(3);
  ASSERT_EQ(runRoutine(adze_rt_masked_select, mask, 6, in, picked, 2), 3);
  EXPECT_EQ(picked, (std::vector<int16_t>{11, 14, 15}));
}

} // namespace
