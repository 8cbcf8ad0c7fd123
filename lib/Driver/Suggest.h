//===- Suggest.h - The name that was probably meant -----------------------===//

#ifndef ADZE_LIB_DRIVER_SUGGEST_H
#define ADZE_LIB_DRIVER_SUGGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace adze {

/// "; did you mean 'X'?" for the candidate that takes the fewest edits, at most
/// a third of its length; else empty.
std::string suggest(llvm::StringRef text,
                    llvm::ArrayRef<std::string> candidates);

} // namespace adze

#endif // ADZE_LIB_DRIVER_SUGGEST_H
