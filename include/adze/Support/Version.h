//===- Version.h - Which adze this is -------------------------------------===//

#ifndef ADZE_SUPPORT_VERSION_H
#define ADZE_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace adze {

/// "0.1.0"
llvm::StringRef getVersion();

} // namespace adze

#endif // ADZE_SUPPORT_VERSION_H
