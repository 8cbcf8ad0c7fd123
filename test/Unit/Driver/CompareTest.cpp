//===- CompareTest.cpp - When two results agree ---------------------------===//

#include "adze/Driver/Compare.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace adze {

using Doubles = std::vector<double>;

static constexpr double inf = std::numeric_limits<double>::infinity();
static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

static HostTensor floats(Doubles values, DType dtype = DType::Float32) {
  return HostTensor::of<double>(dtype, {static_cast<int64_t>(values.size())},
                                values);
}

static HostTensor ints(std::vector<int64_t> values,
                       DType dtype = DType::Int64) {
  return HostTensor::of<int64_t>(dtype, {static_cast<int64_t>(values.size())},
                                 values);
}

static Comparison compare(const HostTensor &r, const HostTensor &t,
                          Tolerance tolerance = {},
                          const HostTensor *exact = nullptr) {
  return compareValues("out_0", r, Answer{&t, exact, {}, {}}, tolerance);
}

TEST(Compare, EqualTensorsAgreeWithoutTolerance) {
  EXPECT_TRUE(compare(floats({1, 2, 3}), floats({1, 2, 3})).agrees);
  EXPECT_TRUE(compare(floats({}), floats({})).agrees);
}

TEST(Compare, OneChangedValueDiffers) {
  Comparison c = compare(floats({1, 2, 3}), floats({1, 2, 3.5}), {1e-4});
  EXPECT_FALSE(c.agrees);
  EXPECT_EQ(c.differing, 1);
  EXPECT_EQ(c.worstIndex, Dims{2});
  EXPECT_NE(c.message.find("1 of 3 elements differ, most at [2]: expected 3.5, "
                           "but found 3, off by"),
            std::string::npos)
      << c.message;
}

TEST(Compare, RelativeTolerance) {
  EXPECT_TRUE(compare(floats({1000.9}), floats({1000}), {1e-3}).agrees);
  EXPECT_FALSE(compare(floats({1001.1}), floats({1000}), {1e-3}).agrees);
}

TEST(Compare, AbsoluteTolerance) {
  EXPECT_TRUE(compare(floats({0.9e-3}), floats({0}), {0, 1e-3}).agrees);
  EXPECT_FALSE(compare(floats({1.1e-3}), floats({0}), {0, 1e-3}).agrees);
}

TEST(Compare, ToleranceByTheSizeOfTheWholeTensor) {
  // rms of {0, 100, 100, 100} is 86.6
  Tolerance tolerance = {0, 0, 1e-2, 0};
  HostTensor t = floats({0, 100, 100, 100});
  EXPECT_TRUE(compare(floats({0.86, 100, 100, 100}), t, tolerance).agrees);
  EXPECT_FALSE(compare(floats({0.87, 100, 100, 100}), t, tolerance).agrees);
}

TEST(Compare, AsFarFromTheTruthAsTorchIs) {
  HostTensor exact = floats({1.0, 1.0}, DType::Float64);
  HostTensor torch = floats({1.1, 1.0});
  EXPECT_TRUE(compare(floats({0.61, 1.0}), torch, {}, &exact).agrees);
  EXPECT_FALSE(compare(floats({0.59, 1.0}), torch, {}, &exact).agrees);
  EXPECT_FALSE(compare(floats({1.0, 1.1}), torch, {}, &exact).agrees);
}

TEST(Compare, AsNoisyAsTorchIs) {
  // rms(t - a) is 0.1 / sqrt(2) = 0.0707
  HostTensor exact = floats({1.0, 1.0}, DType::Float64);
  HostTensor torch = floats({1.1, 1.0});
  Tolerance tolerance = {0, 0, 0, 2};
  EXPECT_TRUE(compare(floats({1.0, 1.14}), torch, tolerance, &exact).agrees);
  EXPECT_FALSE(compare(floats({1.0, 1.15}), torch, tolerance, &exact).agrees);
}

TEST(Compare, NaNAndInfinitiesAgreeOnlyWithThemselves) {
  HostTensor t = floats({nan, inf, -inf, 1});
  Tolerance wide = {1, 1, 1, 1};
  EXPECT_TRUE(compare(floats({nan, inf, -inf, 1}), t, wide).agrees);
  EXPECT_FALSE(compare(floats({1, inf, -inf, 1}), t, wide).agrees);
  EXPECT_FALSE(compare(floats({nan, -inf, -inf, 1}), t, wide).agrees);
  EXPECT_FALSE(compare(floats({nan, inf, 3e38, 1}), t, wide).agrees);
  EXPECT_FALSE(compare(floats({nan, inf, -inf, nan}), t, wide).agrees);
  EXPECT_FALSE(compare(floats({nan, inf, -inf, inf}), t, wide).agrees);
}

TEST(Compare, AnInfinityDoesNotWidenTheRest) {
  Tolerance tolerance = {0, 0, 1e-2, 8};
  EXPECT_FALSE(
      compare(floats({inf, 2.0}), floats({inf, 1.0}), tolerance).agrees);
}

TEST(Compare, WhereTheTwoAnswersAreNotFiniteTorchCounts) {
  HostTensor exact = floats({1e300, 5.0}, DType::Float64);
  HostTensor torch = floats({inf, nan});
  EXPECT_TRUE(compare(floats({inf, nan}), torch, {}, &exact).agrees);
  EXPECT_FALSE(compare(floats({3e38, nan}), torch, {}, &exact).agrees);
  EXPECT_FALSE(compare(floats({inf, 5.0}), torch, {}, &exact).agrees);
}

TEST(Compare, TypesAndShapesMustBeEqual) {
  EXPECT_FALSE(compare(floats({1}), floats({1}, DType::Float64)).agrees);
  EXPECT_FALSE(compare(floats({1, 1}), floats({1})).agrees);
  Comparison c = compare(ints({1}), floats({1}));
  EXPECT_EQ(c.message, "expected float32[1], but found int64[1]");
}

TEST(Compare, BFloat16IsStoredAsFloat32) {
  HostTensor result = floats({1}, DType::BFloat16), stored = floats({1});
  EXPECT_TRUE(compare(result, stored).agrees);
  Answer answer{&stored, nullptr, DType::BFloat16, {}};
  EXPECT_TRUE(compareValues("out_0", result, answer, {}).agrees);
  EXPECT_FALSE(compareValues("out_0", stored, answer, {}).agrees);
}

TEST(Compare, IntegersHaveNoTolerance) {
  Tolerance wide = {1, 1, 1, 0};
  EXPECT_TRUE(compare(ints({1000000}), ints({1000000}), wide).agrees);
  EXPECT_FALSE(compare(ints({1000001}), ints({1000000}), wide).agrees);
  EXPECT_FALSE(
      compare(ints({1, 0}, DType::Bool), ints({1, 1}, DType::Bool), wide)
          .agrees);
}

TEST(Compare, LargeIntegersAreNotRounded) {
  int64_t large = (int64_t(1) << 62) + 1;
  EXPECT_TRUE(compare(ints({large}), ints({large})).agrees);
  EXPECT_FALSE(compare(ints({large}), ints({large - 1})).agrees);
}

TEST(Compare, ComplexNumbersByTheirDistance) {
  auto complex = [](float re, float im) {
    HostTensor tensor =
        llvm::cantFail(HostTensor::create(DType::Complex64, {1}));
    *tensor.dataAs<std::complex<float>>() = {re, im};
    return tensor;
  };
  EXPECT_TRUE(compare(complex(3, 4.004f), complex(3, 4), {1e-3}).agrees);
  EXPECT_FALSE(compare(complex(3, 4.006f), complex(3, 4), {1e-3}).agrees);
  EXPECT_FALSE(compare(complex(3, -4), complex(3, 4), {1e-3}).agrees);
}

TEST(Compare, LayoutOfTheResultIsIgnoredUnlessAskedFor) {
  HostTensor t =
      HostTensor::of<int64_t>(DType::Float32, {2, 3}, {{1, 2, 3, 4, 5, 6}});
  HostTensor r = llvm::cantFail(t.withStrides({1, 2}));
  EXPECT_TRUE(compare(r, t).agrees);
  EXPECT_TRUE(
      compareValues("o", r, Answer{&t, nullptr, {}, Dims{10, 20}}, {}).agrees);
  Comparison c = compareValues("o", r, Answer{&t, nullptr, {}, Dims{3, 1}}, {});
  EXPECT_EQ(c.message, "expected strides in the order of [3, 1], but found "
                       "[1, 2]");
}

TEST(Compare, StridesOfUnitAndExpandedDimsDoNotMatter) {
  HostTensor t =
      HostTensor::of<int64_t>(DType::Float32, {2, 1, 3}, {{1, 2, 3, 4, 5, 6}});
  auto agrees = [&](Dims expected) {
    return compareValues("o", t, Answer{&t, nullptr, {}, expected}, {}).agrees;
  };
  EXPECT_TRUE(agrees({3, 100, 1}));
  EXPECT_TRUE(agrees({0, 1, 1}));
  EXPECT_FALSE(agrees({1, 1, 2}));
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

template <typename Draw>
static HostTensor sample(unsigned seed, int count, Draw draw) {
  std::mt19937 generator(seed);
  Doubles values;
  for (int i = 0; i < count; ++i)
    values.push_back(draw(generator));
  return floats(values);
}

static HostTensor normal(unsigned seed, double mean, double deviation,
                         int count = 1024) {
  return sample(seed, count, std::normal_distribution<>(mean, deviation));
}

static bool agreesInDistribution(const HostTensor &r, const HostTensor &t) {
  return compareStatistics("o", r, Answer{&t, nullptr, {}, {}}).agrees;
}

TEST(CompareStatistics, SameDistributionAgrees) {
  for (unsigned seed = 1; seed < 50; ++seed)
    EXPECT_TRUE(
        agreesInDistribution(normal(seed, 1, 2), normal(seed + 100, 1, 2)));
}

TEST(CompareStatistics, AnotherMeanOrDeviationDiffers) {
  EXPECT_FALSE(agreesInDistribution(normal(1, 2, 2), normal(2, 1, 2)));
  EXPECT_FALSE(agreesInDistribution(normal(1, 1, 4), normal(2, 1, 2)));
  EXPECT_FALSE(agreesInDistribution(normal(1, 0, 0), normal(2, 0, 1)));
}

TEST(CompareStatistics, HeavyTailsAgreeByQuartiles) {
  std::cauchy_distribution<> cauchy(0, 1), other(3, 1);
  for (unsigned seed = 1; seed < 20; ++seed)
    EXPECT_TRUE(agreesInDistribution(sample(seed, 4000, cauchy),
                                     sample(seed + 100, 4000, cauchy)));
  EXPECT_FALSE(
      agreesInDistribution(sample(1, 4000, other), sample(2, 4000, cauchy)));
}

TEST(CompareStatistics, SmallTensorsOnlyByTypeAndShape) {
  EXPECT_TRUE(agreesInDistribution(floats({1}), floats({50})));
  EXPECT_FALSE(agreesInDistribution(floats({1}), floats({1, 2})));
}

} // namespace adze
