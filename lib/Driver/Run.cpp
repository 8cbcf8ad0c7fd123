//===- Run.cpp - adze run -------------------------------------------------===//

#include "VerbSupport.h"
#include "adze/Driver/Verbs.h"
#include "adze/Support/Npz.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace adze {

//===----------------------------------------------------------------------===//
// Shared with other verbs
//===----------------------------------------------------------------------===//

llvm::Expected<std::vector<CallValue>>
readInputs(const CallSignature &signature, llvm::StringRef path) {
  if (path.empty())
    return makeInputs(signature, {});
  llvm::Expected<NpzArrays> arrays = readNpz(path);
  if (!arrays)
    return arrays.takeError();
  return makeInputs(signature, *arrays);
}

std::string defaultOutputsName(llvm::StringRef artifact) {
  return llvm::sys::path::stem(artifact.rtrim('/')).str() + ".outputs.npz";
}

ExitCode fail(DiagnosticEngine &engine, llvm::Error error) {
  engine.error(std::move(error), DiagId::InternalError);
  return engine.exitCode();
}

//===----------------------------------------------------------------------===//
// The verb
//===----------------------------------------------------------------------===//

using StateFunction = int32_t (*adze_api::*)(adze_session *, const char *,
                                             adze_error *);

/// Loads or saves the state of a session, if there is a file for it.
static llvm::Error transferState(const Artifact &artifact,
                                 adze_session *session, StateFunction function,
                                 const std::string &path) {
  adze_error error = {};
  if (path.empty() ||
      (artifact.api().*function)(session, path.c_str(), &error) == ADZE_OK)
    return llvm::Error::success();
  return artifact.makeError(error);
}

/// What the call wrote: in_K for inputs, its name for a buffer.
static std::vector<NamedTensor> nameMutated(const CallSignature &signature,
                                            const CallResult &result) {
  std::vector<NamedTensor> arrays;
  for (auto [i, spec, value] :
       llvm::enumerate(signature.inputs, result.inputsAfter))
    if (std::optional<HostTensor> tensor = value.toTensor();
        tensor && spec.isMutated)
      arrays.push_back({"in_" + std::to_string(i), std::move(*tensor)});
  for (const NamedTensor &state : result.states)
    arrays.push_back({state.name, state.tensor.clone()});
  return arrays;
}

static llvm::Error writeResults(const RunOptions &options,
                                const CallSignature &signature,
                                const CallResult &result) {
  std::string output = options.output.empty()
                           ? defaultOutputsName(options.artifact)
                           : options.output;
  if (llvm::Error failure = writeNpz(output, nameOutputs(result.outputs)))
    return failure;
  if (options.mutated.empty())
    return llvm::Error::success();
  return writeNpz(options.mutated, nameMutated(signature, result));
}

static llvm::Error run(const RunOptions &options) {
  llvm::Expected<std::unique_ptr<Artifact>> artifact =
      Artifact::load(options.artifact, {options.threads});
  if (!artifact)
    return artifact.takeError();
  ArtifactRunner runner(std::move(*artifact));
  const Artifact &model = runner.get();
  llvm::Expected<std::vector<CallValue>> inputs =
      readInputs(runner.signature(), options.inputs);
  if (!inputs)
    return inputs.takeError();
  llvm::Expected<SessionHandle> session = model.createSession(options.seed);
  if (!session)
    return session.takeError();
  if (llvm::Error failure = transferState(
          model, session->get(), &adze_api::state_load, options.loadState))
    return failure;
  llvm::Expected<CallResult> result = runner.callIn(session->get(), *inputs);
  if (!result)
    return result.takeError();
  if (llvm::Error failure = writeResults(options, runner.signature(), *result))
    return failure;
  return transferState(model, session->get(), &adze_api::state_save,
                       options.saveState);
}

ExitCode runVerb(const RunOptions &options, DiagnosticEngine &engine,
                 llvm::raw_ostream &) {
  return fail(engine, run(options));
}

} // namespace adze
