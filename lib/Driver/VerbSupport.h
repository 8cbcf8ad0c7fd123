//===- VerbSupport.h - What several verbs do ------------------------------===//

#ifndef ADZE_LIB_DRIVER_VERBSUPPORT_H
#define ADZE_LIB_DRIVER_VERBSUPPORT_H

#include "adze/Driver/Artifact.h"
#include "adze/Support/Diagnostics.h"

namespace adze {

/// Reads the inputs of a call from an npz; no file is no inputs.
llvm::Expected<std::vector<CallValue>>
readInputs(const CallSignature &signature, llvm::StringRef path);

/// "model.outputs.npz" for "dir/model.adze"
std::string defaultOutputsName(llvm::StringRef artifact);

/// Reports the error and returns the exit code of the run.
ExitCode fail(DiagnosticEngine &engine, llvm::Error error);

} // namespace adze

#endif // ADZE_LIB_DRIVER_VERBSUPPORT_H
