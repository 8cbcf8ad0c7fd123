//===- Inputs.h - From files to the inputs of a call ----------------------===//
#ifndef ADZE_LIB_RUNTIME_RUNNER_INPUTS_H
#define ADZE_LIB_RUNTIME_RUNNER_INPUTS_H

#include "lib/Runtime/Runner/Model.h"

namespace adze::runner {

/// As `adze run` makes them: float32 becomes bfloat16 or float8, which files
/// cannot hold; arrays of one element become the scalars the program takes;
/// constants of the trace need no file. All else is left to the guards.
class Inputs {
public:
  Inputs(const Model &model, Failure &failure)
      : model(model), failure(failure) {}

  bool read(const Options &options);
  const adze_value *data() { return values.data(); }
  int64_t size() const { return count; }
  /// The values after a call, which may have written them.
  const Array &array(int64_t index) const { return inputs[index].array; }
  bool isTensor(int64_t index) const {
    return values[index].kind == ADZE_TENSOR;
  }
  /// Says in a note which file an input came from.
  void noteSource(int64_t index);

private:
  struct Input {
    Array array;
    DLTensor tensor;
    Memory text; // of a string
    const char *file = nullptr;
    bool isGiven = false;
  };

  bool readFiles(const char *const *files, int64_t fileCount);
  bool readNpz(const char *path);
  bool setCount(int64_t given, const char *path);
  bool readEntries(Bytes archive, const char *path);
  bool makeValue(int64_t index);
  bool makeScalar(int64_t index);
  bool makeTensor(int64_t index, int32_t dtype);
  void makeConstant(int64_t index);
  bool parseConstant(int64_t index, const char *text);

  const Model &model;
  Failure &failure;
  Table<Input> inputs;
  Table<adze_value> values;
  int64_t count = 0; // of the call; more than the model takes is an error
  bool fromNpz = false;
};

} // namespace adze::runner

#endif
