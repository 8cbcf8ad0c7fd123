//===- InputMakerTest.cpp - Inputs that a program accepts -----------------===//

#include "adze/Driver/InputMaker.h"

#include <gtest/gtest.h>
#include <set>

namespace adze {

static frontend::SymAst parse(llvm::StringRef text) {
  return llvm::cantFail(frontend::parseSymExpr(text));
}

/// x: float32[s0, 2*s0 + 1], ids: int64[s0], n: an int that is s0.
static InputMaker makeMaker(int64_t min, int64_t max) {
  std::vector<InputRecipe> recipes(3);
  recipes[0].spec.name = "x";
  recipes[0].dims.push_back(parse("s0"));
  recipes[0].dims.push_back(parse("2*s0 + 1"));
  recipes[1].spec.dtype = DType::Int64;
  recipes[1].dims.push_back(parse("s0"));
  recipes[1].range = {3, 5, false};
  recipes[2].spec.kind = CallKind::Int;
  recipes[2].value = parse("s0");
  return InputMaker(std::move(recipes), {{"s0", min, max, 4}});
}

/// The sizes of one bool tensor of these dims.
static std::vector<int64_t> madeShape(std::vector<const char *> dims,
                                      std::vector<SymbolRange> ranges,
                                      InputSizes sizes) {
  std::vector<InputRecipe> recipes(1);
  recipes[0].spec.dtype = DType::Bool;
  recipes[0].range = {0, 1, false};
  for (const char *dim : dims)
    recipes[0].dims.push_back(parse(dim));
  InputMaker maker(std::move(recipes), std::move(ranges));
  std::vector<CallValue> inputs = llvm::cantFail(maker.make(0, sizes));
  llvm::ArrayRef<int64_t> shape = inputs[0].tensor.shape();
  return {shape.begin(), shape.end()};
}

static int64_t sizeOf(const InputMaker &maker, uint64_t seed,
                      InputSizes sizes) {
  std::vector<CallValue> inputs = llvm::cantFail(maker.make(seed, sizes));
  int64_t size = inputs[0].tensor.shape()[0];
  EXPECT_EQ(inputs[0].tensor.shape()[1], 2 * size + 1);
  EXPECT_EQ(inputs[1].tensor.shape(), llvm::ArrayRef<int64_t>(size));
  EXPECT_EQ(inputs[2].integer, size);
  for (int64_t id : inputs[1].tensor.toInts())
    EXPECT_TRUE(id >= 3 && id <= 5);
  return size;
}

TEST(InputMaker, SizesFollowTheExpressionsAndRanges) {
  InputMaker maker = makeMaker(2, 100);
  EXPECT_EQ(sizeOf(maker, 0, InputSizes::Typical), 4);
  EXPECT_EQ(sizeOf(maker, 0, InputSizes::Smallest), 2);
  EXPECT_EQ(sizeOf(maker, 0, InputSizes::Largest), 100);
  std::set<int64_t> seen;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    int64_t size = sizeOf(maker, seed, InputSizes::Random);
    EXPECT_TRUE(size >= 2 && size <= 100);
    seen.insert(size);
  }
  EXPECT_GT(seen.size(), 5u);
}

TEST(InputMaker, DimsOfOpenRangesStayModest) {
  constexpr int64_t open = int64_t(1) << 40;
  auto sizeFor = [](int64_t min, int64_t max, InputSizes sizes) {
    return madeShape({"s"}, {{"s", min, max, {}}}, sizes)[0];
  };
  auto largest = [&](int64_t min, int64_t max) {
    return sizeFor(min, max, InputSizes::Largest);
  };
  EXPECT_EQ(largest(2, 3989), 3989); // the end of a range, which is prime
  EXPECT_EQ(largest(2, 100000), 4096);
  EXPECT_EQ(largest(2, open), 512);
  EXPECT_EQ(largest(6000, open), 6000);
  EXPECT_EQ(sizeFor(2, open, InputSizes::Smallest), 2);
}

TEST(InputMaker, AllInputsTogetherHaveABoundedSize) {
  constexpr int64_t open = int64_t(1) << 40;
  std::vector<SymbolRange> ranges = {{"a", 1, open, {}},
                                     {"b", 300, open, {}},
                                     {"c", 0, 4096, {}},
                                     {"n", 1, 3000, {}}};
  auto largestOf = [](std::vector<const char *> dims,
                      std::vector<SymbolRange> symbols) {
    return madeShape(dims, symbols, InputSizes::Largest);
  };
  std::vector<int64_t> sizes = largestOf({"a", "b", "c"}, ranges);
  // 512 * 512 * 4096 elements: the third is halved until it is the first of
  // equal ones, then the first; halves below a minimum become the minimum.
  EXPECT_EQ(sizes, (std::vector<int64_t>{128, 300, 256}));
  EXPECT_EQ(largestOf({"a", "b", "c"}, ranges), sizes);
  // Of what the sizes of n do not change, n is not halved.
  EXPECT_EQ(largestOf({"n"}, ranges), std::vector<int64_t>{3000});
  // Sizes that must be large are.
  std::vector<SymbolRange> must = {{"a", 5000, open, {}},
                                   {"b", 4000, open, {}}};
  EXPECT_EQ(largestOf({"a", "b"}, must), (std::vector<int64_t>{5000, 4000}));
  // More elements than an integer counts.
  std::vector<SymbolRange> many = {{"a", 1, open, {}}};
  EXPECT_EQ(largestOf({"a", "a", "a", "a", "a", "a", "a", "a"}, many),
            std::vector<int64_t>(8, 8));
}

TEST(InputMaker, TheSameSeedGivesTheSameInputs) {
  InputMaker maker = makeMaker(1, 10);
  auto first = llvm::cantFail(maker.make(3, InputSizes::Random));
  auto again = llvm::cantFail(maker.make(3, InputSizes::Random));
  EXPECT_EQ(first[0].tensor.toDoubles(), again[0].tensor.toDoubles());
  auto other = llvm::cantFail(maker.make(4, InputSizes::Typical));
  EXPECT_NE(first[0].tensor.toDoubles(), other[0].tensor.toDoubles());
}

TEST(InputMaker, AsksWhetherInputsAreAccepted) {
  InputMaker maker = makeMaker(1, 100);
  maker.setAccept([](llvm::ArrayRef<CallValue> inputs) {
    return inputs[2].integer % 2 == 1;
  });
  EXPECT_EQ(sizeOf(maker, 0, InputSizes::Typical) % 2, 1);
  maker.setAccept([](llvm::ArrayRef<CallValue>) { return false; });
  llvm::Expected<std::vector<CallValue>> none =
      maker.make(0, InputSizes::Random);
  ASSERT_FALSE(static_cast<bool>(none));
  EXPECT_NE(llvm::toString(none.takeError()).find("--inputs"),
            std::string::npos);
}

TEST(InputMaker, EvaluatesExpressionsWithoutOverflow) {
  SymbolValues symbols = {{"a", 7}, {"big", int64_t(1) << 62}};
  EXPECT_EQ(evaluate(parse("(a + 1)//3"), symbols), 2);
  EXPECT_EQ(evaluate(parse("a**2 - 1"), symbols), 48);
  EXPECT_EQ(evaluate(parse("Max(a, 9)"), symbols), 9);
  EXPECT_EQ(evaluate(parse("4*big"), symbols), std::nullopt);
  EXPECT_EQ(evaluate(parse("unknown"), symbols), std::nullopt);
}

} // namespace adze
