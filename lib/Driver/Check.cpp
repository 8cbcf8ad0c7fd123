//===- Check.cpp - adze check ---------------------------------------------===//

#include "VerbSupport.h"
#include "adze/Driver/Verbs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace adze {

static llvm::StringRef getVerdict(const adze_guard_result &result) {
  return result.verdict > 0    ? "holds"
         : result.verdict == 0 ? "fails"
                               : "skipped";
}

static adze_guard_info getGuard(const Artifact &artifact,
                                const adze_guard_result &result) {
  adze_guard_info guard = {};
  artifact.api().guard_info(artifact.model(), result.guard, &guard);
  return guard;
}

static void printText(const Artifact &artifact,
                      llvm::ArrayRef<adze_guard_result> results,
                      llvm::raw_ostream &out) {
  for (const adze_guard_result &result : results) {
    adze_guard_info guard = getGuard(artifact, result);
    out << llvm::formatv("{0,-8}{1,-6}  {2}\n", getVerdict(result), guard.id,
                         guard.expression);
    if (result.verdict != 0)
      continue;
    out << "        expected " << result.expected << ", but found "
        << result.found << "; from " << guard.origin << '\n';
    if (*guard.message)
      out << "        " << guard.message << '\n';
  }
}

static void printJson(const Artifact &artifact,
                      llvm::ArrayRef<adze_guard_result> results,
                      llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 1);
  json.array([&] {
    for (const adze_guard_result &result : results)
      json.object([&] {
        adze_guard_info guard = getGuard(artifact, result);
        json.attribute("id", guard.id);
        json.attribute("verdict", getVerdict(result));
        json.attribute("expression", guard.expression);
        json.attribute("origin", guard.origin);
        json.attribute("message", guard.message);
        if (result.verdict == 0) {
          json.attribute("expected", result.expected);
          json.attribute("found", result.found);
        }
      });
  });
  out << '\n';
}

/// Prints what every guard says; an error where one fails.
static llvm::Error check(const CheckOptions &options, llvm::raw_ostream &out) {
  llvm::Expected<std::unique_ptr<Artifact>> artifact =
      Artifact::load(options.artifact);
  if (!artifact)
    return artifact.takeError();
  const Artifact &model = **artifact;
  llvm::Expected<std::vector<CallValue>> inputs =
      readInputs(model.signature(), options.inputs);
  if (!inputs)
    return inputs.takeError();
  llvm::Expected<SessionHandle> session = model.createSession();
  if (!session)
    return session.takeError();
  BorrowedValues borrowed(*inputs);
  std::vector<adze_guard_result> results(model.info().guard_count);
  adze_error error = {};
  int32_t status = model.api().check(
      session->get(), borrowed.data(), borrowed.size(), results.data(),
      static_cast<int64_t>(results.size()), &error);
  if (status != ADZE_OK && status != ADZE_GUARD_FAILED)
    return model.makeError(error);
  if (options.json)
    printJson(model, results, out);
  else
    printText(model, results, out);
  return status == ADZE_OK ? llvm::Error::success() : model.makeError(error);
}

ExitCode checkVerb(const CheckOptions &options, DiagnosticEngine &engine,
                   llvm::raw_ostream &out) {
  return fail(engine, check(options, out));
}

} // namespace adze
