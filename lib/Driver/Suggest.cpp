//===- Suggest.cpp - The name that was probably meant ---------------------===//

#include "Suggest.h"

namespace adze {

std::string suggest(llvm::StringRef text,
                    llvm::ArrayRef<std::string> candidates) {
  llvm::StringRef best;
  unsigned fewest = ~0u;
  for (llvm::StringRef candidate : candidates) {
    unsigned edits = text.edit_distance(candidate);
    if (edits < fewest && edits <= 1 + candidate.size() / 3) {
      fewest = edits;
      best = candidate;
    }
  }
  return best.empty() ? "" : "; did you mean '" + best.str() + "'?";
}

} // namespace adze
