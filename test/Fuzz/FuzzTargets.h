//===- FuzzTargets.h - The readers, fed with arbitrary bytes ----*- C++ -*-===//

#ifndef ADZE_TEST_FUZZ_FUZZTARGETS_H
#define ADZE_TEST_FUZZ_FUZZTARGETS_H

#include "adze/Frontend/Archive.h"

namespace adze::frontend {

/// Reads `bytes` and throws the result, or the error, away.
using FuzzTarget = void (*)(Bytes bytes);

/// By name: "archive" (a whole file), "program" (its JSON, and the import),
/// "pickle", "expression" (sizes and guards), "arrays" (.npy and .npz, as
/// compiled programs read them).
FuzzTarget lookupFuzzTarget(llvm::StringRef name);

} // namespace adze::frontend

#endif // ADZE_TEST_FUZZ_FUZZTARGETS_H
