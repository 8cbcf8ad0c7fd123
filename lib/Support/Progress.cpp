//===- Progress.cpp - One line on a terminal for long work ----------------===//

#include "adze/Support/Progress.h"

#include "llvm/Support/raw_ostream.h"

namespace adze {

Progress::Progress(bool quiet)
    : active(!quiet && llvm::errs().is_displayed()) {}

Progress::~Progress() { clear(); }

void Progress::step(unsigned number, unsigned total, llvm::StringRef what) {
  if (!active)
    return;
  llvm::errs() << "\r\033[K[" << number << '/' << total << "] " << what;
  llvm::errs().flush();
}

void Progress::clear() {
  if (!active)
    return;
  llvm::errs() << "\r\033[K";
  llvm::errs().flush();
}

} // namespace adze
