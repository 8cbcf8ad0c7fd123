//===- Emit.cpp - The last stage: files -----------------------------------===//

#include "Emit.h"

namespace adze {

bool emit(EmitKind, llvm::StringRef, Compilation &compilation) {
  return runStageBody(Stage::Emit, compilation);
}

} // namespace adze
