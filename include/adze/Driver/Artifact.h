//===- Artifact.h - A compiled model, loaded ------------------------------===//
//
// model.adze/ as any user of include/adze/adze.h sees it: dlopen, the table of
// functions, sessions. The compiler knows nothing about artifacts beyond that.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DRIVER_ARTIFACT_H
#define ADZE_DRIVER_ARTIFACT_H

#include "adze/Driver/Call.h"
#include "adze/adze.h"

#include <memory>

namespace adze {

struct ArtifactOptions {
  int threads = 0;            // 0: as many as CPUs this process may use
  bool verifyWeights = false; // digest every byte at load
};

/// A handle of the C interface that frees itself.
template <typename T, void (*adze_api::*release)(T *)> class ApiHandle {
public:
  ApiHandle(const adze_api &api, T *handle) : api(&api), handle(handle) {}
  ApiHandle(ApiHandle &&other) noexcept
      : api(other.api), handle(std::exchange(other.handle, nullptr)) {}
  ApiHandle &operator=(ApiHandle &&) = delete;
  ~ApiHandle() {
    if (handle)
      (api->*release)(handle);
  }
  T *get() const { return handle; }

private:
  const adze_api *api;
  T *handle;
};

using ModelHandle = ApiHandle<adze_model, &adze_api::model_release>;
using SessionHandle = ApiHandle<adze_session, &adze_api::session_release>;

class Artifact {
public:
  /// `folder` is a model.adze/. Fails with BadArtifact where it is none, and
  /// with GuardFailed where this machine cannot run it.
  static llvm::Expected<std::unique_ptr<Artifact>>
  load(llvm::StringRef folder, const ArtifactOptions &options = {});

  const adze_api &api() const { return *functions; }
  adze_model *model() const { return handle->get(); }
  const adze_model_info &info() const { return modelInfo; }
  const CallSignature &signature() const { return callSignature; }

  llvm::Expected<SessionHandle> createSession(uint64_t seed = 0) const;

  /// What an unsuccessful function said, as a DiagError.
  llvm::Error makeError(const adze_error &error) const;

private:
  struct CloseLibrary {
    void operator()(void *library) const;
  };

  Artifact() = default;
  llvm::Error open(llvm::StringRef folder);
  llvm::Error loadModel(llvm::StringRef folder, const ArtifactOptions &options);
  void readSignature();
  ValueSpec readInput(int64_t index) const;
  ValueSpec readOutput(int64_t index) const;
  StateSpec readState(int64_t index) const;

  std::unique_ptr<void, CloseLibrary> library; // outlives the model
  const adze_api *functions = nullptr;
  std::optional<ModelHandle> handle;
  adze_model_info modelInfo = {};
  CallSignature callSignature;
};

/// Whether the guards of the artifact hold for these inputs.
bool passesGuards(const Artifact &artifact, llvm::ArrayRef<CallValue> inputs);

/// Runs native code. Each call has a session of its own.
class ArtifactRunner : public Callable {
public:
  explicit ArtifactRunner(std::unique_ptr<Artifact> artifact)
      : artifact(std::move(artifact)) {}

  const Artifact &get() const { return *artifact; }
  const CallSignature &signature() const override {
    return artifact->signature();
  }
  llvm::Expected<CallResult> call(llvm::ArrayRef<CallValue> inputs,
                                  uint64_t seed) override;
  bool accepts(llvm::ArrayRef<CallValue> inputs) override {
    return passesGuards(*artifact, inputs);
  }

  /// One call in a session, which goes on from its state.
  llvm::Expected<CallResult> callIn(adze_session *session,
                                    llvm::ArrayRef<CallValue> inputs) const;

private:
  std::unique_ptr<Artifact> artifact;
};

/// Inputs as the C interface takes them; borrows from `inputs`.
class BorrowedValues {
public:
  explicit BorrowedValues(llvm::MutableArrayRef<CallValue> inputs);

  const adze_value *data() const { return values.data(); }
  int64_t size() const { return static_cast<int64_t>(values.size()); }

private:
  std::vector<Dims> shapes, strides;
  std::vector<DLTensor> tensors;
  std::vector<adze_value> values;
};

/// Outputs that the C interface fills; deletes what it was given.
class OwnedValues {
public:
  explicit OwnedValues(int64_t count) : values(count, adze_none()) {}
  OwnedValues(const OwnedValues &) = delete;
  OwnedValues &operator=(const OwnedValues &) = delete;
  ~OwnedValues() { clear(); }

  adze_value *data() { return values.data(); }
  int64_t size() const { return static_cast<int64_t>(values.size()); }

  /// Deletes the tensors, so that the next call can fill the values.
  void clear();

  llvm::Expected<std::vector<CallValue>> copy() const;

private:
  std::vector<adze_value> values;
};

} // namespace adze

#endif // ADZE_DRIVER_ARTIFACT_H
