//===- Frontend.h - Reads a .pt2 file -------------------------------------===//

#ifndef ADZE_FRONTEND_FRONTEND_H
#define ADZE_FRONTEND_FRONTEND_H

#include "adze/Frontend/Archive.h"
#include "adze/Frontend/Error.h"
#include "adze/Frontend/ExportedProgram.h"
#include "adze/Frontend/WeightStore.h"
#include "adze/Support/HostTensor.h"

namespace adze::frontend {

/// One program with everything that belongs to it.
struct LoadedProgram {
  std::shared_ptr<const Archive> archive;
  std::string model;
  std::unique_ptr<ExportedProgram> program;
  std::unique_ptr<WeightStore> weights;
};

struct LoadOptions {
  std::string model; // empty: "model", or the only one
  bool checkWeightCrc = true;
};

/// Reads a program and binds its weights. Every failure is one FrontendError
/// that names the file.
llvm::Expected<LoadedProgram> loadProgram(llvm::StringRef path,
                                          const LoadOptions &options = {});

/// The same for an archive that is open already.
llvm::Expected<LoadedProgram>
loadProgram(std::shared_ptr<const Archive> archive,
            const LoadOptions &options = {});

/// One example input, in the flat order of the signature.
struct SampleInput {
  enum class Kind : uint8_t { None, Bool, Int, Float, String, Tensor };
  Kind kind = Kind::None;
  int64_t integer = 0; // Int, Bool
  double real = 0;
  std::string text;
  HostTensor tensor; // with the strides it was saved with
};

/// The example inputs of a program in the order of its user and constant
/// inputs; empty if the file has none or they cannot be flattened.
std::vector<SampleInput> loadSampleInputs(const LoadedProgram &loaded);

} // namespace adze::frontend

#endif // ADZE_FRONTEND_FRONTEND_H
