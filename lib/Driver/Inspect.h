//===- Inspect.h - What inspect and explain report ------------------------===//

#ifndef ADZE_LIB_DRIVER_INSPECT_H
#define ADZE_LIB_DRIVER_INSPECT_H

#include "Outline.h"
#include "llvm/Support/Error.h"

namespace adze::frontend {
struct LoadedProgram;
}

namespace adze {

llvm::Error inspectArtifact(llvm::StringRef folder, Outline &report);

/// Versions, signature, weights, sizes.
void inspectProgram(const frontend::LoadedProgram &loaded, Outline &report);

/// Dynamic dims with their ranges, and the guards of the trace.
void addGuards(const frontend::LoadedProgram &loaded, Outline &report);

/// Graphs with the operators they call and how often.
void addOperators(const frontend::LoadedProgram &loaded, Outline &report);

/// Reads a .pt2; errors become diagnostics with ids.
llvm::Expected<frontend::LoadedProgram> loadProgram(llvm::StringRef path);

} // namespace adze

#endif // ADZE_LIB_DRIVER_INSPECT_H
