//===- VerifyTest.cpp - Whether verify notices ----------------------------===//

#include "adze/Driver/Verify.h"

#include <gtest/gtest.h>

namespace adze {

using Doubles = std::vector<double>;

static HostTensor floats(Doubles values) {
  return HostTensor::of<double>(DType::Float32,
                                {static_cast<int64_t>(values.size())}, values);
}

static NpzArrays arrays(llvm::StringRef name, HostTensor tensor) {
  NpzArrays result;
  result.push_back({name.str(), std::move(tensor)});
  return result;
}

namespace {

/// out_0 = in_0 + 1, out_1 = None, out_2 = 3; adds 1 to its buffer "count".
class AddOne : public Callable {
public:
  AddOne() {
    ValueSpec input;
    input.name = "x";
    input.shape = {-1};
    spec.inputs.push_back(std::move(input));
    spec.states.push_back({"count", {"count", "tied"}, DType::Float32, {1}});
  }

  const CallSignature &signature() const override { return spec; }

  llvm::Expected<CallResult> call(llvm::ArrayRef<CallValue> inputs,
                                  uint64_t seed) override {
    if (inputs.size() != 1)
      return makeError(DiagId::GuardFailed, "expected 1 input");
    CallResult result;
    Doubles values = inputs[0].tensor.toDoubles();
    for (double &value : values)
      value += 1 + (isRandom ? static_cast<double>(seed) : 0);
    result.outputs.push_back(CallValue::of(floats(values)));
    result.outputs.push_back(CallValue());
    result.outputs.push_back(CallValue::ofInt(3));
    result.inputsAfter.push_back(writesInput ? CallValue::of(floats(values))
                                             : inputs[0].clone());
    result.states.push_back({"count", floats({1})});
    return result;
  }

  CallSignature spec;
  bool writesInput = false;
  bool isRandom = false;
};

class Verify : public ::testing::Test {
protected:
  Verify() {
    saved.tolerance = {1e-4, 0, 1e-5, 8};
    CaseCall &call = saved.calls.emplace_back();
    call.name = "inputs.npz";
    call.inputs = arrays("in_0", floats({1, 2}));
    call.expected = arrays("out_0", floats({2, 3}));
    call.expected.push_back(
        {"out_2", HostTensor::of<int64_t>(DType::Int64, {}, {3})});
    call.mutated = arrays("count", floats({1}));
  }

  VerifyReport verify() { return llvm::cantFail(verifyCase(program, saved)); }

  ExitCode exitCode() {
    DiagnosticEngine engine(llvm::nulls());
    reportDifferences(verify(), engine);
    return engine.exitCode();
  }

  AddOne program;
  Case saved;
};

} // namespace

TEST_F(Verify, RightAnswersAgree) {
  VerifyReport report = verify();
  EXPECT_TRUE(report.agrees());
  EXPECT_EQ(report.numCompared(), 3);
  EXPECT_EQ(exitCode(), ExitCode::Done);
}

TEST_F(Verify, AnyChangedAnswerDiffers) {
  saved.calls[0].expected.find("out_0")->dataAs<float>()[1] = 3.01f;
  EXPECT_EQ(exitCode(), ExitCode::Differs);
  saved.calls[0].expected.find("out_0")->dataAs<float>()[1] = 3;
  saved.calls[0].expected.find("out_2")->dataAs<int64_t>()[0] = 4;
  EXPECT_EQ(exitCode(), ExitCode::Differs);
  saved.calls[0].expected.find("out_2")->dataAs<int64_t>()[0] = 3;
  saved.calls[0].mutated.find("count")->dataAs<float>()[0] = 2;
  EXPECT_EQ(exitCode(), ExitCode::Differs);
}

TEST_F(Verify, LaterCallsCountToo) {
  saved.calls.push_back({"more_inputs_0.npz",
                         arrays("in_0", floats({5, 6, 7})),
                         arrays("out_0", floats({6, 7, 9})),
                         {},
                         {},
                         false});
  VerifyReport report = verify();
  EXPECT_EQ(report.numDiffering(), 2); // a wrong value, and no out_2
}

TEST_F(Verify, MissingAnswersAndMissingOutputsDiffer) {
  saved.calls[0].expected.pop_back();
  EXPECT_EQ(exitCode(), ExitCode::Differs);
  saved.calls[0].expected.push_back(
      {"out_2", HostTensor::of<int64_t>(DType::Int64, {}, {3})});
  saved.calls[0].expected.push_back({"out_3", floats({1})});
  EXPECT_EQ(exitCode(), ExitCode::Differs);
}

TEST_F(Verify, NothingToCompareFails) {
  EXPECT_FALSE(VerifyReport().agrees());
  DiagnosticEngine engine(llvm::nulls());
  reportDifferences(VerifyReport(), engine);
  EXPECT_EQ(engine.exitCode(), ExitCode::Differs);
}

TEST_F(Verify, BuffersGoByAnyOfTheirNames) {
  saved.calls[0].mutated[0].name = "tied";
  EXPECT_TRUE(verify().agrees());
  saved.calls[0].mutated[0].name = "unknown";
  EXPECT_FALSE(verify().agrees());
}

TEST_F(Verify, InputsMustNotBeWrittenUnlessSaidSo) {
  program.writesInput = true;
  EXPECT_FALSE(verify().agrees());
  saved.calls[0].mutated.push_back({"in_0", floats({2, 3})});
  EXPECT_TRUE(verify().agrees());
}

TEST_F(Verify, RandomProgramsMustFollowTheSeed) {
  saved.isStatistical = true;
  EXPECT_FALSE(verify().agrees()); // the same for every seed
  program.isRandom = true;
  EXPECT_TRUE(verify().agrees());
}

TEST_F(Verify, AFailedGuardIsAnError) {
  saved.calls[0].inputs.clear();
  llvm::Expected<VerifyReport> report = verifyCase(program, saved);
  ASSERT_FALSE(static_cast<bool>(report));
  DiagnosticEngine engine(llvm::nulls());
  engine.error(report.takeError(), DiagId::InternalError);
  EXPECT_EQ(engine.exitCode(), ExitCode::GuardFailed);
}

TEST_F(Verify, AgainstAnotherProgram) {
  std::vector<CallValue> inputs;
  inputs.push_back(CallValue::of(floats({1})));
  AddOne other;
  EXPECT_TRUE(VerifyReport{{llvm::cantFail(verifyAgainst(
                               program, {&other}, "random inputs", inputs))}}
                  .agrees());
  other.isRandom = true;
  EXPECT_FALSE(VerifyReport{{llvm::cantFail(verifyAgainst(
                                program, {&other}, "random inputs", inputs))}}
                   .agrees());
}

TEST(MakeInputs, BringsArraysIntoTheFormOfTheProgram) {
  CallSignature signature;
  signature.inputs.resize(4);
  signature.inputs[0].dtype = DType::BFloat16;
  signature.inputs[1].kind = CallKind::Int;
  signature.inputs[2].kind = CallKind::String;
  signature.inputs[2].isConstant = true;
  signature.inputs[2].constant = CallValue::ofString("attr");
  NpzArrays given = arrays("in_0", floats({1, 2}));
  given.push_back({"in_1", HostTensor::of<int64_t>(DType::Int64, {}, {5})});
  given.push_back({"in_3", floats({1, 2, 3})});
  std::vector<CallValue> inputs = llvm::cantFail(makeInputs(
      signature, given, {std::nullopt, std::nullopt, std::nullopt, Dims{4}}));
  ASSERT_EQ(inputs.size(), 4u);
  EXPECT_EQ(inputs[0].tensor.dtype(), DType::BFloat16);
  EXPECT_EQ(inputs[1].kind, CallKind::Int);
  EXPECT_EQ(inputs[1].integer, 5);
  EXPECT_EQ(inputs[2].text, "attr");
  EXPECT_EQ(inputs[3].tensor.strides(), llvm::ArrayRef<int64_t>(4));
}

TEST(MakeInputs, TooFewArraysMakeAShortCall) {
  CallSignature signature;
  signature.inputs.resize(2);
  EXPECT_EQ(llvm::cantFail(makeInputs(signature, {})).size(), 0u);
  EXPECT_EQ(
      llvm::cantFail(makeInputs(signature, arrays("in_0", floats({1})))).size(),
      1u);
}

} // namespace adze
