//===- Version.cpp - Which adze this is -----------------------------------===//

#include "adze/Support/Version.h"

namespace adze {

llvm::StringRef getVersion() { return ADZE_VERSION; }

} // namespace adze
