//===- Model.h - The model of this program --------------------------------===//
//
// The runner knows the model by its public interface alone.
//
//===----------------------------------------------------------------------===//
#ifndef ADZE_LIB_RUNTIME_RUNNER_MODEL_H
#define ADZE_LIB_RUNTIME_RUNNER_MODEL_H

#include "lib/Runtime/Runner/Array.h"
#include "lib/Runtime/Runner/CommandLine.h"
#include "lib/Runtime/Runner/Failure.h"

namespace adze::runner {

class Model {
public:
  Model() = default;
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;
  ~Model();

  bool load(const Options &options, Failure &failure);
  bool createSession(uint64_t seed, Failure &failure);
  bool loadState(const char *path, Failure &failure);
  bool saveState(const char *path, Failure &failure);
  bool readState(int64_t index, Array &array, Failure &failure);
  bool run(const adze_value *inputs, int64_t inputCount, adze_value *outputs,
           Failure &failure);
  /// The input that a guard refused in run(); -1 if it was none.
  int64_t refusedInput() const { return refused; }

  const adze_model_info &info() const { return modelInfo; }
  adze_value_info input(int64_t index) const;
  adze_value_info output(int64_t index) const;
  adze_state_info state(int64_t index) const;
  adze_guard_info guard(int64_t index) const;
  /// "float32[?, 4]", "int"
  TypeText inputType(int64_t index) const;
  TypeText outputType(int64_t index) const;

private:
  bool fail(Failure &failure);

  const adze_api *api = nullptr;
  adze_model *model = nullptr;
  adze_session *session = nullptr;
  adze_model_info modelInfo{};
  adze_error error{};
  int64_t refused = -1;
};

} // namespace adze::runner

#endif
