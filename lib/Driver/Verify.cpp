//===- Verify.cpp - Does a program compute what it should? ----------------===//

#include "adze/Driver/Verify.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace adze {

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

int64_t VerifyReport::numCompared() const {
  int64_t count = 0;
  for (const CallReport &call : calls)
    count += static_cast<int64_t>(call.comparisons.size());
  return count;
}

int64_t VerifyReport::numDiffering() const {
  int64_t count = 0;
  for (const CallReport &call : calls)
    count += llvm::count_if(call.comparisons,
                            [](const Comparison &c) { return !c.agrees; });
  return count;
}

bool VerifyReport::agrees() const {
  return numCompared() > 0 && numDiffering() == 0 && isReproducible;
}

void reportDifferences(const VerifyReport &report, DiagnosticEngine &engine) {
  if (report.numCompared() == 0)
    engine.error(DiagId::NothingCompared, "there was nothing to compare");
  if (!report.isReproducible)
    engine.error(DiagId::NotReproducible,
                 "random numbers do not follow the seed");
  for (const CallReport &call : report.calls)
    for (const Comparison &comparison : call.comparisons)
      if (!comparison.agrees)
        engine.error(DiagId::ResultsDiffer, comparison.name + " with " +
                                                call.inputs + ": " +
                                                comparison.message);
}

void printJson(const VerifyReport &report, llvm::json::OStream &json) {
  json.attribute("compared", report.numCompared());
  json.attribute("differing", report.numDiffering());
  json.attribute("reproducible", report.isReproducible);
  json.attributeArray("calls", [&] {
    for (const CallReport &call : report.calls)
      json.object([&] {
        json.attribute("inputs", call.inputs);
        json.attributeArray("comparisons", [&] {
          for (const Comparison &comparison : call.comparisons)
            printJson(comparison, json);
        });
      });
  });
}

static Comparison differs(llvm::StringRef name, const llvm::Twine &message) {
  Comparison comparison;
  comparison.name = name.str();
  comparison.agrees = false;
  comparison.message = message.str();
  return comparison;
}

//===----------------------------------------------------------------------===//
// Saved answers
//===----------------------------------------------------------------------===//

template <typename T>
static std::optional<T> at(const std::vector<std::optional<T>> &values,
                           size_t index) {
  return index < values.size() ? values[index] : std::nullopt;
}

static Comparison compareOutput(const Case &saved, const CaseCall &call,
                                size_t index, const CallValue &output) {
  std::string name = "out_" + std::to_string(index);
  std::optional<HostTensor> result = output.toTensor();
  Answer answer;
  answer.torch = call.expected.find(name);
  answer.exact = call.exact.find(name);
  if (!answer.torch)
    return differs(name, "there is no answer to compare it with");
  if (!result)
    return differs(name, "expected " + answer.torch->describe() +
                             ", but found no tensor or number");
  // Scalars of Python have no element type of their own.
  if (output.kind == CallKind::Tensor)
    answer.dtype = at(saved.outputTypes, index);
  if (output.kind == CallKind::Tensor && call.isFirst)
    answer.strides = at(saved.outputStrides, index);
  return saved.isStatistical
             ? compareStatistics(name, *result, answer)
             : compareValues(name, *result, answer, saved.tolerance);
}

/// Strings and None stand in no npz.
static bool hasAnswer(const CallValue &output) {
  return output.kind != CallKind::None && output.kind != CallKind::String;
}

static void compareOutputs(const Case &saved, const CaseCall &call,
                           const CallResult &result, CallReport &report) {
  size_t answers = call.expected.countNumbered("out");
  for (auto [i, output] : llvm::enumerate(result.outputs))
    if (hasAnswer(output) || call.expected.find("out_" + std::to_string(i)))
      report.comparisons.push_back(compareOutput(saved, call, i, output));
  for (size_t i = result.outputs.size(); i < answers; ++i)
    report.comparisons.push_back(
        differs("out_" + std::to_string(i), "the program has no such output"));
}

/// The value of a buffer after the call, by any of its names.
static const HostTensor *findState(const CallSignature &signature,
                                   const CallResult &result,
                                   llvm::StringRef name) {
  for (auto [spec, state] : llvm::zip(signature.states, result.states))
    if (spec.name == name || llvm::is_contained(spec.otherNames, name))
      return &state.tensor;
  return nullptr;
}

/// The number of an input by its name "in_K".
static std::optional<size_t> parseInputName(llvm::StringRef name,
                                            const CallResult &result) {
  size_t index;
  if (!name.consume_front("in_") || name.getAsInteger(10, index) ||
      index >= result.inputsAfter.size())
    return std::nullopt;
  return index;
}

static Comparison compareMutated(const CallSignature &signature,
                                 const Case &saved, const NamedTensor &expected,
                                 const CallResult &result) {
  std::optional<HostTensor> input;
  const HostTensor *found = findState(signature, result, expected.name);
  if (std::optional<size_t> i = parseInputName(expected.name, result);
      !found && i) {
    input = result.inputsAfter[*i].toTensor();
    found = input ? &*input : nullptr;
  }
  std::string name = "mutated " + expected.name;
  if (!found)
    return differs(name, "the program writes no input or buffer of that name");
  Answer answer;
  answer.torch = &expected.tensor;
  return saved.isStatistical
             ? compareStatistics(name, *found, answer)
             : compareValues(name, *found, answer, saved.tolerance);
}

/// Inputs that are not said to be written must be as they were.
static void compareUnwritten(const CaseCall &call,
                             llvm::ArrayRef<CallValue> inputs,
                             const CallResult &result, CallReport &report) {
  for (auto [i, before, after] : llvm::enumerate(inputs, result.inputsAfter)) {
    std::string name = "in_" + std::to_string(i);
    if (before.kind == CallKind::Tensor && !call.mutated.find(name) &&
        !isSameTensor(before.tensor, after.tensor))
      report.comparisons.push_back(
          differs(name, "the call wrote an input that it should not write"));
  }
}

static CallReport compareCall(const CallSignature &signature, const Case &saved,
                              const CaseCall &call,
                              llvm::ArrayRef<CallValue> inputs,
                              const CallResult &result) {
  CallReport report;
  report.inputs = call.name;
  compareOutputs(saved, call, result, report);
  for (const NamedTensor &expected : call.mutated)
    report.comparisons.push_back(
        compareMutated(signature, saved, expected, result));
  // What a call writes is only known of the first one.
  if (call.isFirst)
    compareUnwritten(call, inputs, result, report);
  return report;
}

static constexpr uint64_t firstSeed = 7;

llvm::Expected<CallReport> verifyCall(Callable &program, const Case &saved,
                                      const CaseCall &call) {
  llvm::ArrayRef<std::optional<Dims>> strides;
  if (call.isFirst)
    strides = saved.inputStrides;
  llvm::Expected<std::vector<CallValue>> inputs =
      makeInputs(program.signature(), call.inputs, strides);
  if (!inputs)
    return inputs.takeError();
  llvm::Expected<CallResult> result = program.call(*inputs, firstSeed);
  if (!result)
    return result.takeError();
  return compareCall(program.signature(), saved, call, *inputs, *result);
}

//===----------------------------------------------------------------------===//
// Reproducibility
//===----------------------------------------------------------------------===//

static bool isSameResult(const CallResult &a, const CallResult &b) {
  std::vector<NamedTensor> x = nameOutputs(a.outputs),
                           y = nameOutputs(b.outputs);
  return llvm::equal(x, y, [](const NamedTensor &l, const NamedTensor &r) {
    return l.name == r.name && isSameTensor(l.tensor, r.tensor);
  });
}

/// Whether the same seed gives the same and some other seed something else.
static llvm::Expected<bool> followsSeed(Callable &program,
                                        llvm::ArrayRef<CallValue> inputs) {
  llvm::Expected<CallResult> first = program.call(inputs, firstSeed);
  if (!first)
    return first.takeError();
  llvm::Expected<CallResult> again = program.call(inputs, firstSeed);
  if (!again)
    return again.takeError();
  if (!isSameResult(*first, *again))
    return false;
  // A single random bit is the same for half of the seeds.
  for (uint64_t seed = firstSeed + 1; seed < firstSeed + 40; ++seed) {
    llvm::Expected<CallResult> other = program.call(inputs, seed);
    if (!other)
      return other.takeError();
    if (!isSameResult(*first, *other))
      return true;
  }
  return false;
}

static llvm::Expected<bool> isReproducible(Callable &program,
                                           const Case &saved) {
  llvm::Expected<std::vector<CallValue>> inputs = makeInputs(
      program.signature(), saved.calls[0].inputs, saved.inputStrides);
  if (!inputs)
    return inputs.takeError();
  return followsSeed(program, *inputs);
}

llvm::Expected<VerifyReport> verifyCase(Callable &program, const Case &saved) {
  VerifyReport report;
  for (const CaseCall &call : saved.calls) {
    llvm::Expected<CallReport> callReport = verifyCall(program, saved, call);
    if (!callReport)
      return callReport.takeError();
    report.calls.push_back(std::move(*callReport));
  }
  if (!saved.isStatistical)
    return report;
  llvm::Expected<bool> reproducible = isReproducible(program, saved);
  if (!reproducible)
    return reproducible.takeError();
  report.isReproducible = *reproducible;
  return report;
}

//===----------------------------------------------------------------------===//
// Another program
//===----------------------------------------------------------------------===//

static Comparison compareValue(llvm::StringRef name, const CallValue &found,
                               const CallValue &expected,
                               const CallValue *exact,
                               std::optional<Tolerance> tolerance) {
  std::optional<HostTensor> result = found.toTensor();
  std::optional<HostTensor> torch = expected.toTensor();
  if (!result || !torch) {
    if (found.kind != expected.kind || found.text != expected.text)
      return differs(name, "one of the two is no tensor or number");
    Comparison same;
    same.name = name.str();
    return same;
  }
  std::optional<HostTensor> wide = exact ? exact->toTensor() : std::nullopt;
  bool hasWide = wide && wide->shape() == torch->shape();
  Answer answer{&*torch, hasWide ? &*wide : nullptr, torch->dtype(), {}};
  return compareValues(name, *result, answer,
                       tolerance.value_or(defaultTolerance(torch->dtype())));
}

static void compareOutputs(const CallResult &found, const CallResult &expected,
                           const CallResult *exact,
                           std::optional<Tolerance> tolerance,
                           CallReport &report) {
  size_t count = expected.outputs.size();
  if (found.outputs.size() != count) {
    report.comparisons.push_back(differs(
        "outputs", "expected " + llvm::Twine(count) + " values, but found " +
                       llvm::Twine(found.outputs.size())));
    return;
  }
  bool hasExact = exact && exact->outputs.size() == count;
  for (size_t i = 0; i < count; ++i)
    report.comparisons.push_back(compareValue(
        "out_" + std::to_string(i), found.outputs[i], expected.outputs[i],
        hasExact ? &exact->outputs[i] : nullptr, tolerance));
}

/// Inputs that either of the two wrote.
static void compareInputs(llvm::ArrayRef<CallValue> before,
                          const CallResult &found, const CallResult &expected,
                          const CallResult *exact,
                          std::optional<Tolerance> tolerance,
                          CallReport &report) {
  for (size_t i = 0; i < before.size(); ++i) {
    const CallValue &after = found.inputsAfter[i];
    const CallValue &wanted = expected.inputsAfter[i];
    if (before[i].kind == CallKind::Tensor &&
        !(isSameTensor(before[i].tensor, after.tensor) &&
          isSameTensor(before[i].tensor, wanted.tensor)))
      report.comparisons.push_back(
          compareValue("mutated in_" + std::to_string(i), after, wanted,
                       exact ? &exact->inputsAfter[i] : nullptr, tolerance));
  }
}

/// States by name: the two may list them in another order.
static void compareStates(const CallSignature &signature,
                          const CallResult &found, const CallResult &expected,
                          std::optional<Tolerance> tolerance,
                          CallReport &report) {
  for (const NamedTensor &state : expected.states) {
    std::string name = "mutated " + state.name;
    const HostTensor *tensor = findState(signature, found, state.name);
    if (!tensor) {
      report.comparisons.push_back(
          differs(name, "the program has no state of that name"));
      continue;
    }
    Answer answer{&state.tensor, nullptr, state.tensor.dtype(), {}};
    report.comparisons.push_back(compareValues(
        name, *tensor, answer,
        tolerance.value_or(defaultTolerance(state.tensor.dtype()))));
  }
}

/// The diagnostic of an error; success gives one without a message.
static Diagnostic takeDiagnostic(llvm::Error error) {
  Diagnostic diagnostic;
  llvm::handleAllErrors(
      std::move(error), [&](const DiagError &e) { diagnostic = e.get(); },
      [&](const llvm::ErrorInfoBase &e) { diagnostic.message = e.message(); });
  return diagnostic;
}

/// An error that depends on the data must be one of both programs; any other
/// one ends the comparison.
static llvm::Expected<CallReport>
compareFailures(llvm::StringRef name, llvm::Error expected,
                llvm::Expected<CallResult> found) {
  Diagnostic wanted = takeDiagnostic(std::move(expected));
  Diagnostic got = takeDiagnostic(found.takeError());
  if (wanted.id != DiagId::CallFailed)
    return llvm::make_error<DiagError>(std::move(wanted));
  CallReport report;
  report.inputs = name.str();
  report.comparisons.push_back(
      differs("error", "expected the call to fail: " + wanted.message));
  report.comparisons[0].agrees = got.id == DiagId::CallFailed;
  return report;
}

llvm::Expected<CallReport> verifyAgainst(Callable &program,
                                         const ReferencePrograms &references,
                                         llvm::StringRef name,
                                         llvm::ArrayRef<CallValue> inputs,
                                         std::optional<Tolerance> tolerance) {
  llvm::Expected<CallResult> expected =
      references.reference->call(inputs, firstSeed);
  llvm::Expected<CallResult> found = program.call(inputs, firstSeed);
  if (!expected)
    return compareFailures(name, expected.takeError(), std::move(found));
  if (!found)
    return found.takeError();
  std::optional<CallResult> exact;
  if (references.exact) {
    llvm::Expected<CallResult> result =
        references.exact->call(inputs, firstSeed);
    if (result)
      exact = std::move(*result);
    else
      llvm::consumeError(result.takeError()); // the rule works without it
  }
  CallReport report;
  report.inputs = name.str();
  const CallResult *wide = exact ? &*exact : nullptr;
  compareOutputs(*found, *expected, wide, tolerance, report);
  compareInputs(inputs, *found, *expected, wide, tolerance, report);
  compareStates(program.signature(), *found, *expected, tolerance, report);
  return report;
}

} // namespace adze
