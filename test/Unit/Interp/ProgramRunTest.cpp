//===- ProgramRunTest.cpp - Calls of whole programs ----------------------===//

#include "adze/Interp/ProgramRun.h"

#include "InterpFixture.h"

namespace adze::interp {
namespace {

const char *program = R"(
func.func @main(
    %w: tensor<2xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0, true>},
    %n: tensor<i64> {capture.descriptor = #capture.descriptor<buffer, "steps", 1, true>},
    %x: tensor<?x2xf32, #sym.dims<s0, 2>> {capture.descriptor = #capture.descriptor<user_input, "x", 0, true>},
    %k: tensor<2xi64> {capture.descriptor = #capture.descriptor<rng_key, "rng_key", 0, true>})
    -> (tensor<?x2xf32, #sym.dims<s0, 2>>,
        tensor<i64> {capture.descriptor = #capture.descriptor<buffer_mutation, "steps", 1, true>},
        tensor<2xi64>)
    attributes {
      adze.inputs = [{path = "x", kind = "tensor", argument = 0x2 : i64},
                     {path = "scale", kind = "symint", expr = #sym.expr<s1>},
                     {path = "mode", kind = "string", value = "fast"}],
      adze.outputs = [{kind = "tensor", result = 0 : i64},
                      {kind = "symint", expr = #sym.expr<s0 + s1>},
                      {kind = "none"}, {kind = "float", value = 2.5 : f64},
                      {kind = "bool", value = true}, {kind = "tensor", result = 2 : i64}]} {
  %0 = prim.broadcast %w : tensor<2xf32> to tensor<?x2xf32, #sym.dims<s0, 2>>
  %1 = prim.mul %x, %0 : tensor<?x2xf32, #sym.dims<s0, 2>>
  %s = prim.symbol_value <s1> : tensor<i64>
  %2 = prim.add %n, %s : tensor<i64>
  return %1, %2, %k : tensor<?x2xf32, #sym.dims<s0, 2>>, tensor<i64>, tensor<2xi64>
})";

class ProgramRunTest : public InterpFixture {
protected:
  llvm::Expected<ProgramResult> call(HostTensor x, ProgramValue scale,
                                     ProgramValue mode) {
    std::vector<ProgramValue> inputs;
    inputs.push_back(std::move(x));
    inputs.push_back(std::move(scale));
    inputs.push_back(std::move(mode));
    std::string text = program;
    text.replace(text.find("0x2"), 3, "2");
    auto weights =
        [&](const capture::DescriptorAttr &which) -> llvm::Expected<Tensor> {
      if (which.getName() == "w")
        return floats("f32", {2}, {10, 100});
      return ints("i64", {}, {41});
    };
    ProgramRunOptions options;
    options.seed = 77;
    return runProgram(parse(text), inputs, weights, options);
  }

  std::string failure(HostTensor x, ProgramValue scale, ProgramValue mode) {
    auto result = call(std::move(x), std::move(scale), std::move(mode));
    return result ? "no error" : llvm::toString(result.takeError());
  }

  static HostTensor matrix() {
    return HostTensor::of<double>(DType::Float32, {2, 2}, {1, 2, 3, 4});
  }
};

TEST_F(ProgramRunTest, GivesOutputsAndMutations) {
  auto result = call(matrix(), int64_t(1), std::string("fast"));
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  ASSERT_EQ(result->outputs.size(), 6u);
  EXPECT_EQ(std::get<HostTensor>(result->outputs[0]).toDoubles(),
            (std::vector<double>{10, 200, 30, 400}));
  EXPECT_EQ(std::get<int64_t>(result->outputs[1]), 3);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(result->outputs[2]));
  EXPECT_EQ(std::get<double>(result->outputs[3]), 2.5);
  EXPECT_EQ(std::get<bool>(result->outputs[4]), true);
  EXPECT_EQ(std::get<HostTensor>(result->outputs[5]).toInts(),
            (std::vector<int64_t>{77, 0}));
  ASSERT_EQ(result->mutations.size(), 1u);
  EXPECT_EQ(result->mutations[0].name, "steps");
  EXPECT_EQ(result->mutations[0].value.toInts(), std::vector<int64_t>{42});
}

TEST_F(ProgramRunTest, RefusesWrongInputs) {
  EXPECT_EQ(failure(matrix(), int64_t(1), std::string("slow")),
            "call: input 'mode' is not the constant of the traced program, but "
            "'slow'");
  EXPECT_EQ(failure(matrix(), 0.5, std::string("fast")),
            "call: input 'scale' expects an integer, but found 0.500000");
  EXPECT_EQ(failure(HostTensor::of<int64_t>(DType::Int32, {2, 2}, {1, 2, 3, 4}),
                    int64_t(1), std::string("fast")),
            "call: input 'x' expects another element type or rank, but found "
            "int32[2, 2]");
  EXPECT_NE(
      failure(HostTensor::of<double>(DType::Float32, {1, 3}, {1, 2, 3}),
              int64_t(1), std::string("fast"))
          .find("expects argument 2 of type f32[1, 2], but found f32[1, 3]"),
      std::string::npos);
}

} // namespace
} // namespace adze::interp
