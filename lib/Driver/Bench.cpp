//===- Bench.cpp - adze bench ---------------------------------------------===//

#include "VerbSupport.h"
#include "adze/Driver/InputMaker.h"
#include "adze/Driver/Verbs.h"
#include "adze/Support/TimeReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <cmath>

namespace adze {

using Clock = std::chrono::steady_clock;

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

namespace {

struct Measurement {
  std::vector<double> times; // milliseconds, in the order of the calls
  double loadTime = 0;
  adze_stats stats = {};
  std::string outputs; // npz; empty: not written

  /// By nearest rank: the smallest time that a share `q` of calls stays within.
  double quantile(double q) const {
    std::vector<double> sorted = times;
    llvm::sort(sorted);
    auto count = static_cast<double>(sorted.size());
    double rank = std::ceil(q * count);
    return sorted[static_cast<size_t>(std::max(rank, 1.0)) - 1];
  }

  double mean() const {
    double sum = 0;
    for (double time : times)
      sum += time;
    return sum / static_cast<double>(times.size());
  }
};

/// Calls a model again and again, as a program that links it would: without a
/// copy of the outputs.
class Bench {
public:
  Bench(const Artifact &artifact, adze_session *session,
        std::vector<CallValue> &inputs)
      : artifact(artifact), session(session), borrowed(inputs),
        outputs(artifact.info().output_count) {}

  /// One call; the outputs stay until the next one.
  llvm::Expected<double> call() {
    outputs.clear();
    adze_error error = {};
    Clock::time_point start = Clock::now();
    int32_t status =
        artifact.api().run(session, borrowed.data(), borrowed.size(),
                           outputs.data(), outputs.size(), &error);
    double time = millisecondsSince(start);
    if (status != ADZE_OK)
      return artifact.makeError(error);
    return time;
  }

  llvm::Error warmUp(unsigned calls) {
    for (unsigned i = 0; i < calls; ++i)
      if (llvm::Expected<double> time = call(); !time)
        return time.takeError();
    return llvm::Error::success();
  }

  llvm::Error measure(const BenchOptions &options, Measurement &result) {
    Clock::time_point start = Clock::now();
    while (result.times.size() < options.minCalls ||
           millisecondsSince(start) < 1e3 * options.seconds) {
      llvm::Expected<double> time = call();
      if (!time)
        return time.takeError();
      result.times.push_back(*time);
    }
    artifact.api().stats(session, &result.stats);
    return llvm::Error::success();
  }

  llvm::Expected<std::vector<CallValue>> copyOutputs() const {
    return outputs.copy();
  }

private:
  const Artifact &artifact;
  adze_session *session;
  BorrowedValues borrowed;
  OwnedValues outputs;
};

} // namespace

/// Outputs of a stateful program are those of a first call, so that they can be
/// compared with an answer.
static llvm::Error writeOutputs(const std::string &path,
                                const Artifact &artifact,
                                std::vector<CallValue> &inputs) {
  llvm::Expected<SessionHandle> session = artifact.createSession();
  if (!session)
    return session.takeError();
  Bench once(artifact, session->get(), inputs);
  if (llvm::Error failure = once.warmUp(1))
    return failure;
  llvm::Expected<std::vector<CallValue>> outputs = once.copyOutputs();
  if (!outputs)
    return outputs.takeError();
  return writeNpz(path, nameOutputs(*outputs));
}

static void printText(const Measurement &m, llvm::raw_ostream &out) {
  constexpr double mib = 1 << 20;
  out << llvm::format("%zu calls  mean %.4f ms  p50 %.4f  p90 %.4f  p99 %.4f  "
                      "min %.4f  max %.4f\n",
                      m.times.size(), m.mean(), m.quantile(0.5),
                      m.quantile(0.9), m.quantile(0.99), m.quantile(0),
                      m.quantile(1))
      << llvm::format("load %.3f ms  weights %.2f MiB  workspace %.2f MiB  "
                      "peak of a call %.2f MiB  peak of the process %.2f MiB\n",
                      m.loadTime,
                      static_cast<double>(m.stats.weights_bytes) / mib,
                      static_cast<double>(m.stats.workspace_bytes) / mib,
                      static_cast<double>(m.stats.peak_call_bytes) / mib,
                      static_cast<double>(peakMemory()) / mib);
}

static void printJson(const Measurement &m, llvm::raw_ostream &out) {
  llvm::json::OStream json(out);
  json.object([&] {
    json.attributeArray("times_ms", [&] {
      for (double time : m.times)
        json.value(time);
    });
    json.attribute("outputs", m.outputs);
    for (auto [name, q] : {std::pair("p50_ms", 0.5), std::pair("p90_ms", 0.9),
                           std::pair("p99_ms", 0.99)})
      json.attribute(name, m.quantile(q));
    json.attribute("mean_ms", m.mean());
    json.attribute("load_ms", m.loadTime);
    json.attribute("weights_bytes", m.stats.weights_bytes);
    json.attribute("state_bytes", m.stats.state_bytes);
    json.attribute("workspace_bytes", m.stats.workspace_bytes);
    json.attribute("peak_call_bytes", m.stats.peak_call_bytes);
    json.attribute("packed_inputs", m.stats.packed_inputs);
    json.attribute("peak_process_bytes", peakMemory());
  });
  out << '\n';
}

static llvm::Expected<std::vector<CallValue>>
takeInputs(const BenchOptions &options, const Artifact &artifact) {
  if (!options.inputs.empty())
    return readInputs(artifact.signature(), options.inputs);
  llvm::Expected<InputMaker> maker =
      InputMaker::forArtifact(options.artifact, artifact);
  if (!maker)
    return maker.takeError();
  return maker->make(options.seed, InputSizes::Typical);
}

static llvm::Error bench(const BenchOptions &options, llvm::raw_ostream &out) {
  Measurement result;
  Clock::time_point start = Clock::now();
  llvm::Expected<std::unique_ptr<Artifact>> artifact =
      Artifact::load(options.artifact, {options.threads});
  result.loadTime = millisecondsSince(start);
  if (!artifact)
    return artifact.takeError();
  llvm::Expected<std::vector<CallValue>> inputs =
      takeInputs(options, **artifact);
  if (!inputs)
    return inputs.takeError();
  if (!options.output.empty() || options.json) {
    result.outputs = options.output.empty()
                         ? defaultOutputsName(options.artifact)
                         : options.output;
    std::vector<CallValue> copies;
    for (const CallValue &input : *inputs)
      copies.push_back(input.clone());
    if (llvm::Error failure = writeOutputs(result.outputs, **artifact, copies))
      return failure;
  }
  llvm::Expected<SessionHandle> session = (*artifact)->createSession();
  if (!session)
    return session.takeError();
  Bench bench(**artifact, session->get(), *inputs);
  if (llvm::Error failure = bench.warmUp(options.warmup))
    return failure;
  if (llvm::Error failure = bench.measure(options, result))
    return failure;
  if (options.json)
    printJson(result, out);
  else
    printText(result, out);
  return llvm::Error::success();
}

ExitCode benchVerb(const BenchOptions &options, DiagnosticEngine &engine,
                   llvm::raw_ostream &out) {
  return fail(engine, bench(options, out));
}

} // namespace adze
