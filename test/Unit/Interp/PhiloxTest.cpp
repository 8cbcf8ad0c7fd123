//===- PhiloxTest.cpp - Random numbers are fixed bit by bit --------------===//

#include "adze/Support/Philox.h"

#include "InterpFixture.h"

namespace adze::interp {
namespace {

using Words = std::array<uint32_t, 4>;

/// The vectors published with Random123.
TEST(PhiloxTest, MatchesKnownAnswers) {
  EXPECT_EQ(philox::philox4x32({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox::philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                               {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox::philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                               {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

class RandomTest : public InterpFixture {
protected:
  Tensor draw(const std::string &kind, const std::string &type,
              int64_t seed = 3, int64_t call = 0, int64_t stream = 5) {
    return run("func.func @main(%k: tensor<2xi64>) -> " + type +
                   " {\n %0 = prim.random " + kind + " %k stream = " +
                   std::to_string(stream) + " : tensor<2xi64> to " + type +
                   "\n return %0 : " + type + "\n}",
               {ints("i64", {2}, {seed, call})})[0];
  }
};

TEST_F(RandomTest, FollowsTheDocumentedLayout) {
  auto [a, b] = philox::randomBlock(1, 3, 0, 5);
  EXPECT_EQ(list<int64_t>(draw("bits", "tensor<5xi64>"))[2], int64_t(a >> 1));
  EXPECT_EQ(list<double>(draw("uniform", "tensor<5xf64>"))[3],
            double(b >> 11) * 0x1p-53);
  EXPECT_EQ(list<double>(draw("uniform", "tensor<5xf32>"))[3],
            double(b >> 40) * 0x1p-24);
  EXPECT_EQ(list<double>(draw("uniform", "tensor<5xbf16>"))[2],
            double(a >> 56) * 0x1p-8);
  EXPECT_EQ(list<double>(draw("normal", "tensor<5xf64>"))[3],
            philox::normalsOf(a, b).second);
}

TEST_F(RandomTest, DependsOnSeedCallAndStream) {
  auto base = list<int64_t>(draw("bits", "tensor<4xi64>"));
  EXPECT_EQ(base, list<int64_t>(draw("bits", "tensor<4xi64>")));
  EXPECT_NE(base, list<int64_t>(draw("bits", "tensor<4xi64>", 4)));
  EXPECT_NE(base, list<int64_t>(draw("bits", "tensor<4xi64>", 3, 1)));
  EXPECT_NE(base, list<int64_t>(draw("bits", "tensor<4xi64>", 3, 0, 6)));
}

TEST_F(RandomTest, HasTheMomentsOfItsDistribution) {
  auto moments = [](const std::vector<double> &values) {
    double sum = 0, squares = 0;
    for (double x : values) {
      sum += x;
      squares += x * x;
    }
    double mean = sum / values.size();
    return std::pair(mean, squares / values.size() - mean * mean);
  };
  auto [mean, variance] =
      moments(list<double>(draw("normal", "tensor<200000xf32>")));
  EXPECT_NEAR(mean, 0, 0.01);
  EXPECT_NEAR(variance, 1, 0.02);
  auto uniform = list<double>(draw("uniform", "tensor<200000xf16>"));
  std::tie(mean, variance) = moments(uniform);
  EXPECT_NEAR(mean, 0.5, 0.005);
  EXPECT_NEAR(variance, 1.0 / 12, 0.002);
  EXPECT_LT(*std::max_element(uniform.begin(), uniform.end()), 1);
}

} // namespace
} // namespace adze::interp
