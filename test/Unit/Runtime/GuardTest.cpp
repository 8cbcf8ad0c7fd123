//===- GuardTest.cpp - Every guard kind, when it holds and when not -------===//

#include "FakeProgram.h"

#include <cmath>
#include <cstring>

using namespace adze;
using namespace adze::test;

namespace {

/// A program with one guard, tried on given inputs without running anything.
struct OneGuard {
  OneGuard(int32_t kind, int32_t input, int32_t index = 0, int64_t a = 0,
           int64_t b = 0) {
    fake.guard(kind, input, index, a, b);
  }

  /// "holds", "not tried" or "expected .../found ...".
  std::string on(std::vector<adze_value> inputs) {
    rt::Model model;
    model.program = fake.finish(nullptr);
    std::vector<int64_t> symbols(8);
    rt::Subject subject{&model, inputs.data(),
                        static_cast<int64_t>(inputs.size()), symbols.data()};
    if (!fake.symbols.empty() && !rt::solveSymbols(subject))
      return "unsolved";
    const adze_guard &guard = fake.guards.back();
    rt::Verdict verdict = rt::tryGuard(subject, guard);
    if (verdict == rt::Verdict::Holds)
      return "holds";
    if (verdict == rt::Verdict::NotTried)
      return "not tried";
    char expected[92], found[92];
    rt::describeGuard(subject, guard, expected, found, sizeof(found));
    return std::string(expected) + "/" + found;
  }
  FakeProgram fake;
};

struct Guards : testing::Test {
  Tensor<float> x{{2, 3}, std::vector<float>(6)};
  Tensor<int64_t> ints{{4}, {1, 2, 3, 4}};
};

TEST_F(Guards, InputCount) {
  OneGuard guard(ADZE_GUARD_INPUT_COUNT, -1, 0, 2);
  EXPECT_EQ(guard.on({x, x}), "holds");
  EXPECT_EQ(guard.on({x}), "2/1");
  EXPECT_EQ(guard.on({x, x, x}), "2/3");
}

TEST_F(Guards, InputKind) {
  OneGuard guard(ADZE_GUARD_INPUT_KIND, 0, 0, ADZE_TENSOR);
  EXPECT_EQ(guard.on({x}), "holds");
  EXPECT_EQ(guard.on({adze_int(3)}), "a tensor/3");
  EXPECT_EQ(guard.on({adze_none()}), "a tensor/None");
  EXPECT_EQ(guard.on({adze_tensor(nullptr)}), "a tensor/a null tensor");
}

TEST_F(Guards, Rank) {
  OneGuard guard(ADZE_GUARD_RANK, 0, 0, 2);
  EXPECT_EQ(guard.on({x}), "holds");
  EXPECT_EQ(guard.on({ints}), "2/1");
  Tensor<float> scalar({}, {1});
  EXPECT_EQ(guard.on({scalar}), "2/0");
}

TEST_F(Guards, Dtype) {
  OneGuard guard(ADZE_GUARD_DTYPE, 0, 0, ADZE_FLOAT32);
  EXPECT_EQ(guard.on({x}), "holds");
  EXPECT_EQ(guard.on({ints}), "float32/int64");
  Tensor<double> wide({1}, {1});
  EXPECT_EQ(guard.on({wide}), "float32/float64");
}

TEST_F(Guards, Device) {
  OneGuard guard(ADZE_GUARD_DEVICE, 0, 0, kDLCPU, -1);
  EXPECT_EQ(guard.on({x}), "holds");
  x.dl.device = {kDLCUDA, 1};
  EXPECT_EQ(guard.on({x}), "cpu/cuda:1");
  OneGuard second(ADZE_GUARD_DEVICE, 0, 0, kDLCUDA, 0);
  EXPECT_EQ(second.on({x}), "cuda:0/cuda:1");
}

TEST_F(Guards, DimEqual) {
  OneGuard guard(ADZE_GUARD_DIM_EQ, 0, 1, 3);
  EXPECT_EQ(guard.on({x}), "holds");
  x.shape[1] = 4;
  EXPECT_EQ(guard.on({x}), "3/4");
  x.shape[1] = 0;
  EXPECT_EQ(guard.on({x}), "3/0");
  EXPECT_EQ(guard.on({ints}), "not tried");
}

TEST_F(Guards, DimRange) {
  OneGuard guard(ADZE_GUARD_DIM_RANGE, 0, 0, 2, 8);
  EXPECT_EQ(guard.on({x}), "holds");
  x.shape[0] = 8;
  EXPECT_EQ(guard.on({x}), "holds");
  x.shape[0] = 1;
  EXPECT_EQ(guard.on({x}), "2 to 8/1");
  x.shape[0] = 9;
  EXPECT_EQ(guard.on({x}), "2 to 8/9");
}

TEST_F(Guards, DimExpression) {
  OneGuard guard(ADZE_GUARD_DIM_EXPR, 0, 1);
  FakeProgram &fake = guard.fake;
  fake.tensorInput({fake.symbol(0), fake.symbol(0)});
  fake.dimSymbol(0, 0);
  fake.guards[0].expr = fake.expr(
      {ADZE_EXPR_SYMBOL, 0, ADZE_EXPR_CONST, 1, ADZE_EXPR_ADD}); // s0 + 1
  EXPECT_EQ(guard.on({x}), "holds");
  x.shape[1] = 4;
  EXPECT_EQ(guard.on({x}), "3/4");
  x.shape = {INT64_MAX, 4};
  EXPECT_EQ(guard.on({x}), "a value that fits 64 bits/4");
}

TEST_F(Guards, Relation) {
  OneGuard guard(ADZE_GUARD_RELATION, -1);
  FakeProgram &fake = guard.fake;
  fake.tensorInput({fake.symbol(0), fake.symbol(0)});
  fake.guards[0].expr =
      fake.expr({ADZE_EXPR_DIM, 0, 0, ADZE_EXPR_DIM, 0, 1, ADZE_EXPR_LT});
  fake.dimSymbol(0, 0);
  EXPECT_EQ(guard.on({x}), "holds");
  x.shape[0] = 3;
  EXPECT_EQ(guard.on({x}), "true/false");
  x.shape[0] = 4;
  EXPECT_EQ(guard.on({x}), "true/false");
  EXPECT_EQ(guard.on({ints}), "unsolved");
}

TEST_F(Guards, Alignment) {
  alignas(64) static char memory[256];
  OneGuard guard(ADZE_GUARD_ALIGNMENT, 0, 0, 64);
  x.dl.data = memory;
  EXPECT_EQ(guard.on({x}), "holds");
  x.dl.byte_offset = 4;
  EXPECT_NE(guard.on({x}), "holds");
  x.dl.byte_offset = 32;
  EXPECT_NE(guard.on({x}), "holds");
}

TEST_F(Guards, Contiguous) {
  OneGuard guard(ADZE_GUARD_CONTIGUOUS, 0);
  EXPECT_EQ(guard.on({x}), "holds");
  Tensor<float> transposed({2, 3}, std::vector<float>(6), {1, 2});
  EXPECT_EQ(guard.on({transposed}), "row-major strides/strides [1, 2]");
  Tensor<float> expanded({2, 3}, std::vector<float>(6), {0, 1});
  EXPECT_EQ(guard.on({expanded}), "row-major strides/strides [0, 1]");
  Tensor<float> oneRow({1, 3}, std::vector<float>(3), {77, 1});
  EXPECT_EQ(guard.on({oneRow}), "holds");
}

TEST_F(Guards, Stride) {
  OneGuard guard(ADZE_GUARD_STRIDE, 0, 0);
  guard.fake.guards[0].expr = guard.fake.constant(3);
  EXPECT_EQ(guard.on({x}), "holds");
  Tensor<float> wide({2, 3}, std::vector<float>(8), {4, 1});
  EXPECT_EQ(guard.on({wide}), "3/strides [4, 1]");
  Tensor<float> reversed({2, 3}, std::vector<float>(8), {1, 2});
  EXPECT_EQ(guard.on({reversed}), "3/strides [1, 2]");
}

TEST_F(Guards, ConstantInt) {
  OneGuard guard(ADZE_GUARD_CONST_INT, 0, 0, 5);
  EXPECT_EQ(guard.on({adze_int(5)}), "holds");
  EXPECT_EQ(guard.on({adze_int(6)}), "5/6");
  EXPECT_EQ(guard.on({adze_float(5)}), "5/5");
  EXPECT_EQ(guard.on({}), "not tried");
}

TEST_F(Guards, ConstantFloat) {
  double value = 2.5;
  int64_t bits;
  memcpy(&bits, &value, 8);
  OneGuard guard(ADZE_GUARD_CONST_FLOAT, 0, 0, bits);
  EXPECT_EQ(guard.on({adze_float(2.5)}), "holds");
  EXPECT_EQ(guard.on({adze_float(2.25)}), "2.5/2.25");
  EXPECT_EQ(guard.on({adze_float(NAN)}), "2.5/nan");
  value = NAN;
  memcpy(&bits, &value, 8);
  OneGuard nan(ADZE_GUARD_CONST_FLOAT, 0, 0, bits);
  EXPECT_EQ(nan.on({adze_float(-NAN)}), "holds");
}

TEST_F(Guards, ConstantBool) {
  OneGuard guard(ADZE_GUARD_CONST_BOOL, 0, 0, 1);
  EXPECT_EQ(guard.on({adze_bool(1)}), "holds");
  EXPECT_EQ(guard.on({adze_bool(0)}), "True/False");
  EXPECT_EQ(guard.on({adze_int(1)}), "True/1");
}

TEST_F(Guards, ConstantString) {
  OneGuard guard(ADZE_GUARD_CONST_STRING, 0);
  guard.fake.guards[0].text = "mean";
  EXPECT_EQ(guard.on({adze_string("mean")}), "holds");
  EXPECT_EQ(guard.on({adze_string("sum")}), "'mean'/'sum'");
  EXPECT_EQ(guard.on({adze_string(nullptr)}), "'mean'/''");
}

TEST_F(Guards, ConstantNone) {
  OneGuard guard(ADZE_GUARD_CONST_NONE, 0);
  EXPECT_EQ(guard.on({adze_none()}), "holds");
  EXPECT_EQ(guard.on({x}), "None/a tensor");
  EXPECT_EQ(guard.on({adze_int(0)}), "None/0");
}

TEST_F(Guards, NoOverlap) {
  OneGuard guard(ADZE_GUARD_NO_OVERLAP, 0, 1);
  Tensor<float> y({2, 3}, std::vector<float>(6));
  EXPECT_EQ(guard.on({x, y}), "holds");
  EXPECT_NE(guard.on({x, x}), "holds");
  y.dl.data = x.values.data() + 5; // the last element
  EXPECT_NE(guard.on({x, y}), "holds");
  y.dl.data = x.values.data() + 6; // just behind
  EXPECT_EQ(guard.on({x, y}), "holds");
  y.dl.data = x.values.data();
  y.shape[0] = 0;
  EXPECT_EQ(guard.on({x, y}), "holds");
}

TEST_F(Guards, NoSelfOverlap) {
  OneGuard guard(ADZE_GUARD_NO_SELF_OVERLAP, 0);
  EXPECT_EQ(guard.on({x}), "holds");
  Tensor<float> transposed({2, 3}, std::vector<float>(6), {1, 2});
  EXPECT_EQ(guard.on({transposed}), "holds");
  Tensor<float> expanded({2, 3}, std::vector<float>(6), {0, 1});
  EXPECT_NE(guard.on({expanded}), "holds");
  Tensor<float> windows({2, 3}, std::vector<float>(6), {2, 1});
  EXPECT_NE(guard.on({windows}), "holds");
}

TEST_F(Guards, SameMemory) {
  OneGuard guard(ADZE_GUARD_SAME_MEMORY, 0, 1);
  Tensor<float> y({2, 3}, std::vector<float>(6));
  EXPECT_EQ(guard.on({x, x}), "holds");
  EXPECT_NE(guard.on({x, y}), "holds");
  y.dl.data = x.dl.data;
  EXPECT_EQ(guard.on({x, y}), "holds");
  y.shape = {3, 2};
  EXPECT_NE(guard.on({x, y}), "holds");
}

TEST_F(Guards, CpuAndWeightsAreCheckedAtLoad) {
  FakeProgram fake;
  fake.guard(ADZE_GUARD_CPU, -1);
  fake.program.cpu_features = 1ull << 60;
  rt::Model *model = nullptr;
  adze_error error;
  EXPECT_EQ(
      rt::loadModel(fake.finish(nullptr), nullptr, nullptr, &model, &error),
      ADZE_UNSUPPORTED_CPU);
  EXPECT_EQ(error.guard, 0);
  EXPECT_EQ(model, nullptr);
  // What this test itself was compiled for is there.
  EXPECT_EQ(rt::cpuFeatures() & ADZE_CPU_V2, ADZE_CPU_V2);
}

TEST_F(Guards, AMissingCpuFeatureIsNamed) {
  uint64_t known = (1ull << 21) - 1, missing = known & ~rt::cpuFeatures();
  uint64_t wanted = missing ? missing & (~missing + 1) : 1ull << 60;
  FakeProgram fake;
  fake.guard(ADZE_GUARD_CPU, -1);
  fake.program.cpu_features = rt::cpuFeatures() | wanted;
  rt::Model *model = nullptr;
  adze_error error;
  EXPECT_EQ(
      rt::loadModel(fake.finish(nullptr), nullptr, nullptr, &model, &error),
      ADZE_UNSUPPORTED_CPU);
  EXPECT_NE(std::string(error.message).find(rt::cpuFeatureName(wanted)),
            std::string::npos)
      << error.message;
}

//===- All guards of a program ----------------------------------------------//

int calls = 0;

int32_t countCalls(adze_call *) {
  ++calls;
  return 0;
}

/// x: float32 [s0, 3] with 2 <= s0 <= 4
struct GuardedProgram : Guards {
  void SetUp() override {
    calls = 0;
    fake.tensorInput({fake.symbol(0), fake.constant(3)});
    fake.dimSymbol(0, 0);
    fake.guard(
        ADZE_GUARD_RELATION, -1, 0, 0, 0,
        fake.expr({ADZE_EXPR_SYMBOL, 0, ADZE_EXPR_CONST, 3, ADZE_EXPR_NE}));
    fake.guard(ADZE_GUARD_INPUT_COUNT, -1, 0, 1);
    fake.guard(ADZE_GUARD_INPUT_KIND, 0, 0, ADZE_TENSOR);
    fake.guard(ADZE_GUARD_RANK, 0, 0, 2);
    fake.guard(ADZE_GUARD_DIM_RANGE, 0, 0, 2, 4);
    fake.guard(ADZE_GUARD_DIM_EQ, 0, 1, 3);
  }
  FakeProgram fake;
};

TEST_F(GuardedProgram, RunsMainWhenAllHold) {
  Loaded loaded(fake.finish(countCalls));
  EXPECT_EQ(loaded.run({x}), ADZE_OK) << loaded.message();
  EXPECT_EQ(calls, 1);
}

TEST_F(GuardedProgram, NamesTheGuardAndNeverRunsMain) {
  Loaded loaded(fake.finish(countCalls));
  x.shape[0] = 7;
  EXPECT_EQ(loaded.run({x}), ADZE_GUARD_FAILED);
  EXPECT_EQ(loaded.error.guard, 4);
  EXPECT_EQ(loaded.message(), "guard 'g' failed: the expression: expected 2 "
                              "to 4, but found 7 (program): the message");
  x.shape[0] = 3;
  EXPECT_EQ(loaded.run({x}), ADZE_GUARD_FAILED);
  EXPECT_EQ(loaded.error.guard, 0);
  EXPECT_NE(loaded.message().find("where s = 3"), std::string::npos);
  EXPECT_EQ(loaded.run({}), ADZE_GUARD_FAILED);
  EXPECT_EQ(loaded.error.guard, 1);
  EXPECT_EQ(calls, 0);
  x.shape[0] = 2;
  EXPECT_EQ(loaded.run({x}), ADZE_OK);
  EXPECT_EQ(loaded.error.status, ADZE_OK);
}

TEST_F(GuardedProgram, CheckReportsEveryGuard) {
  Loaded loaded(fake.finish(countCalls));
  x.shape = {3, 5};
  std::vector<adze_value> in{x};
  std::vector<adze_guard_result> results(6);
  EXPECT_EQ(api().check(loaded.session, in.data(), 1, results.data(), 6,
                        &loaded.error),
            ADZE_GUARD_FAILED);
  std::vector<int> verdicts;
  for (const adze_guard_result &result : results)
    verdicts.push_back(result.verdict);
  EXPECT_EQ(verdicts, (std::vector<int>{0, 1, 1, 1, 1, 0}));
  EXPECT_STREQ(results[5].expected, "3");
  EXPECT_STREQ(results[5].found, "5");
  EXPECT_EQ(calls, 0);
}

TEST_F(GuardedProgram, CheckDoesNotTryWhatNeedsAnotherGuard) {
  Loaded loaded(fake.finish(countCalls));
  std::vector<adze_value> in{ints};
  std::vector<adze_guard_result> results(6);
  EXPECT_EQ(
      api().check(loaded.session, in.data(), 1, results.data(), 6, nullptr),
      ADZE_GUARD_FAILED);
  EXPECT_EQ(results[0].verdict, -1); // the relation
  EXPECT_EQ(results[3].verdict, 0);  // the rank
  EXPECT_EQ(results[4].verdict, 1);  // ints.shape[0] is 4: in range
  EXPECT_EQ(results[5].verdict, -1); // no second dim
}

TEST(Symbols, AreSolvedFromLinearDims) {
  FakeProgram fake;
  fake.tensorInput({fake.constant(0)});
  fake.dimSymbol(0, 0, 2, 1); // 2 * s + 1
  fake.guard(ADZE_GUARD_DIM_EXPR, 0, 0, 0, 0,
             fake.expr({ADZE_EXPR_CONST, 2, ADZE_EXPR_SYMBOL, 0, ADZE_EXPR_MUL,
                        ADZE_EXPR_CONST, 1, ADZE_EXPR_ADD}));
  Loaded loaded(fake.finish(
      [](adze_call *call) { return call->symbols[0] == 3 ? 0 : 1; }));
  Tensor<float> x({7}, std::vector<float>(7));
  EXPECT_EQ(loaded.run({x}), ADZE_OK) << loaded.message();
  x.shape[0] = 6;
  EXPECT_EQ(loaded.run({x}), ADZE_GUARD_FAILED);
}

TEST(Symbols, AreSolvedFromScalars) {
  FakeProgram fake;
  fake.scalarInput(ADZE_INT);
  fake.symbolFrom(ADZE_SYMBOL_SCALAR, 0);
  Loaded loaded(fake.finish([](adze_call *call) {
    bool same = call->symbols[0] == 11 &&
                *static_cast<const int64_t *>(call->inputs[0]) == 11;
    return same ? 0 : 1;
  }));
  EXPECT_EQ(loaded.run({adze_int(11)}), ADZE_OK) << loaded.message();
  EXPECT_EQ(loaded.run({adze_int(12)}), ADZE_INTERNAL_ERROR);
}

TEST(Symbols, MissingInputFailsWithoutAnyGuard) {
  FakeProgram fake;
  fake.tensorInput({fake.constant(0)});
  fake.dimSymbol(0, 0);
  Loaded loaded(fake.finish(countCalls));
  EXPECT_EQ(loaded.run({}), ADZE_GUARD_FAILED);
  EXPECT_EQ(loaded.run({adze_int(1)}), ADZE_GUARD_FAILED);
}

} // namespace
