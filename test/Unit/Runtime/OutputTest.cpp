//===- OutputTest.cpp - Outputs of every source, and write-back -----------===//

#include "FakeProgram.h"

#include <cstring>

using namespace adze;
using namespace adze::test;

namespace {

/// Result 0 = x + 1 for a row-major [2, 3] x.
int32_t addOne(adze_call *call) {
  auto *y = static_cast<float *>(adze_rt_output(call, 0));
  auto *x = static_cast<const float *>(call->inputs[0]);
  for (int i = 0; i < 6; ++i)
    y[i] = x[i] + 1;
  return 0;
}

struct Outputs : testing::Test {
  void SetUp() override {
    fake.tensorInput({fake.constant(2), fake.constant(3)});
    fake.result({fake.constant(2), fake.constant(3)});
  }
  FakeProgram fake;
  Tensor<float> x{{2, 3}, {0, 1, 2, 3, 4, 5}};
};

TEST_F(Outputs, MutationIsWrittenAlongTheInputsStrides) {
  fake.mutation(0, ADZE_FROM_INPUT, 0);
  Loaded loaded(fake.finish(addOne));
  EXPECT_EQ(loaded.run({x}), 0);
  EXPECT_EQ(x.values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  Tensor<float> columns({2, 3}, {0, 3, 9, 1, 4, 9, 2, 5, 9}, {1, 3});
  EXPECT_EQ(loaded.run({columns}), 0);
  EXPECT_EQ(columns.values, (std::vector<float>{1, 4, 9, 2, 5, 9, 3, 6, 9}));
}

TEST_F(Outputs, OneSlotIsOutputAndMutation) {
  fake.mutation(0, ADZE_FROM_INPUT, 0);
  fake.resultOutput(0);
  fake.resultOutput(0);
  Loaded loaded(fake.finish(addOne));
  std::vector<adze_value> out{adze_none(), adze_none()};
  ASSERT_EQ(loaded.run({x}, out), 0);
  const DLTensor &a = out[0].as.managed->dl_tensor;
  const DLTensor &b = out[1].as.managed->dl_tensor;
  EXPECT_EQ(rt::dataOf(a), rt::dataOf(b));
  EXPECT_EQ(elements<float>(b), x.values);
  EXPECT_EQ(x.values[0], 1);
  drop(out);
}

TEST_F(Outputs, OrderGivesTheStrides) {
  static const int32_t order[] = {1, 0};
  fake.results[0].order = order;
  fake.resultOutput(0);
  Loaded loaded(fake.finish(addOne));
  std::vector<adze_value> out{adze_none()};
  ASSERT_EQ(loaded.run({x}, out), 0);
  const DLTensor &y = out[0].as.managed->dl_tensor;
  EXPECT_EQ(y.strides[0], 1);
  EXPECT_EQ(y.strides[1], 2);
  EXPECT_EQ(elements<float>(y), (std::vector<float>{1, 3, 5, 2, 4, 6}));
  drop(out);
}

TEST_F(Outputs, CallersMemoryMayHaveAnyStrides) {
  fake.resultOutput(0);
  Loaded loaded(fake.finish(addOne));
  Tensor<float> y({2, 3}, std::vector<float>(9, -1), {1, 3});
  std::vector<adze_value> out{y};
  ASSERT_EQ(loaded.run({x}, out), 0) << loaded.message();
  EXPECT_EQ(y.values, (std::vector<float>{1, 4, -1, 2, 5, -1, 3, 6, -1}));
  EXPECT_EQ(out[0].kind, ADZE_TENSOR);
}

TEST_F(Outputs, CallersMemoryIsChecked) {
  fake.resultOutput(0);
  Loaded loaded(fake.finish(addOne));
  Tensor<float> shape({3, 2}, std::vector<float>(6));
  Tensor<double> dtype({2, 3}, std::vector<double>(6));
  Tensor<float> rank({6}, std::vector<float>(6));
  Tensor<float> folded({2, 3}, std::vector<float>(6), {0, 1});
  for (adze_value bad : {adze_value(shape), adze_value(dtype), adze_value(rank),
                         adze_value(folded), adze_value(x), adze_int(0)}) {
    std::vector<adze_value> out{bad};
    EXPECT_EQ(loaded.run({x}, out), ADZE_INVALID_ARGUMENT);
  }
  EXPECT_EQ(shape.values, std::vector<float>(6));
}

//===- Views ----------------------------------------------------------------//

TEST_F(Outputs, ViewOfAnInputSharesItsMemoryAfterTheMutation) {
  fake.mutation(0, ADZE_FROM_INPUT, 0);
  fake.viewOutput(ADZE_FROM_INPUT, 0, {fake.constant(3), fake.constant(2)},
                  {fake.constant(1), fake.constant(3)}, 0); // x.t()
  Loaded loaded(fake.finish(addOne));
  std::vector<adze_value> out{adze_none()};
  ASSERT_EQ(loaded.run({x}, out), 0) << loaded.message();
  const DLTensor &y = out[0].as.managed->dl_tensor;
  EXPECT_EQ(rt::dataOf(y), rt::dataOf(x.dl));
  EXPECT_EQ(elements<float>(y), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  drop(out);
}

/// The same program, given an input that does not lie as it was traced: the
/// view has the right values all the same.
TEST_F(Outputs, ViewOfAnInputWithOtherStridesIsACopy) {
  fake.mutation(0, ADZE_FROM_INPUT, 0);
  fake.viewOutput(ADZE_FROM_INPUT, 0, {fake.constant(2)}, {fake.constant(3)},
                  1); // x[:, 1]
  Loaded loaded(fake.finish(addOne));
  Tensor<float> columns({2, 3}, {0, 3, 9, 1, 4, 9, 2, 5, 9}, {1, 3});
  std::vector<adze_value> out{adze_none()};
  ASSERT_EQ(loaded.run({columns}, out), 0) << loaded.message();
  EXPECT_EQ(elements<float>(out[0].as.managed->dl_tensor),
            (std::vector<float>{2, 5}));
  drop(out);
  Tensor<float> given({2}, {0, 0});
  out = {given};
  ASSERT_EQ(loaded.run({x}, out), 0);
  EXPECT_EQ(given.values, (std::vector<float>{2, 5}));
}

/// y and y[1].
struct Siblings : Outputs {
  void SetUp() override {
    Outputs::SetUp();
    fake.resultOutput(0);
    fake.viewOutput(ADZE_FROM_OUTPUT, 0, {fake.constant(3)}, {fake.constant(1)},
                    3);
  }
  std::vector<adze_value> out{adze_none(), adze_none()};
};

TEST_F(Siblings, ViewOfAnOutputOutlivesIt) {
  Loaded loaded(fake.finish(addOne));
  ASSERT_EQ(loaded.run({x}, out), 0) << loaded.message();
  DLTensor &y = out[0].as.managed->dl_tensor;
  DLTensor &row = out[1].as.managed->dl_tensor;
  reinterpret_cast<float *>(rt::dataOf(y))[4] = 50;
  EXPECT_EQ(elements<float>(row), (std::vector<float>{4, 50, 6}));
  out[0].as.managed->deleter(out[0].as.managed);
  EXPECT_EQ(elements<float>(row), (std::vector<float>{4, 50, 6}));
  out[1].as.managed->deleter(out[1].as.managed);
}

TEST_F(Siblings, ViewOfTheCallersMemoryIsACopy) {
  Loaded loaded(fake.finish(addOne));
  Tensor<float> y({2, 3}, std::vector<float>(6));
  out[0] = y;
  ASSERT_EQ(loaded.run({x}, out), 0) << loaded.message();
  y.values.assign(6, 0);
  EXPECT_EQ(elements<float>(out[1].as.managed->dl_tensor),
            (std::vector<float>{4, 5, 6}));
  out[0] = adze_none();
  drop(out);
}

TEST_F(Siblings, ViewInTheCallersMemoryIsACopy) {
  Loaded loaded(fake.finish(addOne));
  Tensor<float> row({3}, std::vector<float>(3));
  out[1] = row;
  ASSERT_EQ(loaded.run({x}, out), 0) << loaded.message();
  EXPECT_EQ(row.values, (std::vector<float>{4, 5, 6}));
  out[1] = adze_none();
  drop(out);
}

TEST_F(Siblings, MetadataAndValidation) {
  Loaded loaded(fake.finish(addOne));
  adze_value_info info;
  ASSERT_EQ(api().output_info(loaded.model, 1, &info), 0);
  EXPECT_EQ(info.alias_kind, 4);
  EXPECT_EQ(info.alias_index, 0);
  fake.outputs.erase(fake.outputs.begin());
  adze_error error;
  rt::Model *model = nullptr;
  EXPECT_NE(
      rt::loadModel(fake.finish(addOne), nullptr, nullptr, &model, &error), 0);
}

TEST_F(Outputs, ViewOfAnInputTracedAsTransposed) {
  fake.inputs[0].strides = fake.keep({fake.constant(1), fake.constant(2)});
  fake.viewOutput(ADZE_FROM_INPUT, 0, {fake.constant(3)}, {fake.constant(2)},
                  1); // x[1]
  Loaded loaded(fake.finish(addOne));
  Tensor<float> columns({2, 3}, {0, 3, 1, 4, 2, 5}, {1, 2});
  std::vector<adze_value> out{adze_none()};
  ASSERT_EQ(loaded.run({columns}, out), 0);
  EXPECT_EQ(elements<float>(out[0].as.managed->dl_tensor),
            (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(rt::dataOf(out[0].as.managed->dl_tensor),
            reinterpret_cast<char *>(&columns.values[1]));
  drop(out);
  ASSERT_EQ(loaded.run({x}, out), 0);
  EXPECT_EQ(elements<float>(out[0].as.managed->dl_tensor),
            (std::vector<float>{3, 4, 5}));
  drop(out);
}

//===- Scalars --------------------------------------------------------------//

TEST_F(Outputs, ScalarsAndConstants) {
  fake.result({}, ADZE_INT64);
  fake.dimSymbol(0, 1);
  fake.scalarOutput(ADZE_NONE, ADZE_FROM_LITERAL);
  fake.scalarOutput(ADZE_INT, ADZE_FROM_LITERAL).literal = -4;
  double half = 0.5;
  memcpy(&fake.scalarOutput(ADZE_FLOAT, ADZE_FROM_LITERAL).literal, &half, 8);
  fake.scalarOutput(ADZE_STRING, ADZE_FROM_LITERAL).text = "mean";
  fake.scalarOutput(ADZE_INT, ADZE_FROM_EXPR).value =
      fake.expr({ADZE_EXPR_SYMBOL, 0, ADZE_EXPR_CONST, 10, ADZE_EXPR_MUL});
  fake.scalarOutput(ADZE_INT, ADZE_FROM_SLOT, 1);
  Loaded loaded(fake.finish([](adze_call *call) {
    *static_cast<int64_t *>(adze_rt_output(call, 1)) = 77;
    return 0;
  }));
  std::vector<adze_value> out(6, adze_none());
  ASSERT_EQ(loaded.run({x}, out), 0) << loaded.message();
  EXPECT_EQ(out[0].kind, ADZE_NONE);
  EXPECT_EQ(out[1].as.integer, -4);
  EXPECT_EQ(out[2].as.real, 0.5);
  EXPECT_STREQ(out[3].as.string, "mean");
  EXPECT_EQ(out[4].as.integer, 30);
  EXPECT_EQ(out[5].kind, ADZE_INT);
  EXPECT_EQ(out[5].as.integer, 77);
}

TEST_F(Outputs, UnbackedSymbolSizesAResult) {
  fake.symbolFrom(ADZE_SYMBOL_MAIN);
  fake.results[0].dims = fake.keep({fake.symbol(0)});
  fake.results[0].rank = 1;
  fake.resultOutput(0);
  Loaded loaded(fake.finish([](adze_call *call) {
    call->symbols[0] = 2;
    auto *y = static_cast<float *>(adze_rt_output(call, 0));
    y[0] = 5, y[1] = 6;
    return 0;
  }));
  std::vector<adze_value> out{adze_none()};
  ASSERT_EQ(loaded.run({x}, out), 0);
  EXPECT_EQ(elements<float>(out[0].as.managed->dl_tensor),
            (std::vector<float>{5, 6}));
  drop(out);
}

TEST_F(Outputs, MetadataSaysWhatTheyAre) {
  fake.mutation(0, ADZE_FROM_INPUT, 0);
  fake.resultOutput(0);
  fake.viewOutput(ADZE_FROM_INPUT, 0, {fake.constant(2)}, {}, 1);
  fake.dimSymbol(0, 0);
  fake.results[0].dims = fake.keep({fake.symbol(0), fake.constant(3)});
  Loaded loaded(fake.finish(addOne));
  adze_value_info info;
  ASSERT_EQ(api().input_info(loaded.model, 0, &info), 0);
  EXPECT_EQ(info.mutated, 1);
  ASSERT_EQ(api().output_info(loaded.model, 0, &info), 0);
  EXPECT_EQ(info.rank, 2);
  EXPECT_EQ(info.alias_kind, 0);
  EXPECT_EQ(api().output_dim(loaded.model, 0, 0), -1);
  EXPECT_EQ(api().output_dim(loaded.model, 0, 1), 3);
  ASSERT_EQ(api().output_info(loaded.model, 1, &info), 0);
  EXPECT_EQ(info.alias_kind, ADZE_FROM_INPUT);
  EXPECT_EQ(api().output_info(loaded.model, 2, &info), ADZE_INVALID_ARGUMENT);
  adze_model_info model;
  api().model_info(loaded.model, &model);
  EXPECT_EQ(model.output_count, 2);
}

} // namespace
