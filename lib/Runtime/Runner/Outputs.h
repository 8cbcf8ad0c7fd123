//===- Outputs.h - From the outputs of a call to files --------------------===//
#ifndef ADZE_LIB_RUNTIME_RUNNER_OUTPUTS_H
#define ADZE_LIB_RUNTIME_RUNNER_OUTPUTS_H

#include "lib/Runtime/Runner/Inputs.h"

namespace adze::runner {

/// What a call gave, until it is in files.
class Outputs {
public:
  Outputs(Model &model, Failure &failure) : model(model), failure(failure) {}
  ~Outputs();

  /// Looks at what can be told before the call: whether `-o` makes sense.
  bool prepare(const Options &options);
  adze_value *data() { return values.data(); }
  /// Writes all files, or leaves all that were there: none takes its
  /// place before the last is written.
  bool write(const Options &options, const Inputs &inputs);

private:
  bool writeAll(class FileSet &files, const Options &options,
                const Inputs &inputs);
  bool writeSeparate(FileSet &files, const char *prefix);
  bool writeNpz(FileSet &files, const char *path);
  bool writeMutated(FileSet &files, const char *path, const Inputs &inputs);
  bool isArray(int64_t index) const;
  bool toArray(int64_t index, Array &array);

  Model &model;
  Failure &failure;
  Table<adze_value> values;
};

} // namespace adze::runner

#endif
