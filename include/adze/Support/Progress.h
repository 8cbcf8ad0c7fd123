//===- Progress.h - One line on a terminal for long work ------------------===//

#ifndef ADZE_SUPPORT_PROGRESS_H
#define ADZE_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"

namespace adze {

/// Shows what is going on, on the standard error output when that is a
/// terminal and nowhere else, and takes it away at the end.
class Progress {
public:
  /// `quiet`: show nothing even on a terminal.
  explicit Progress(bool quiet = false);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// "[3/9] optimize"
  void step(unsigned number, unsigned total, llvm::StringRef what);

  /// Removes the line, so that something else can be printed.
  void clear();

private:
  bool active;
};

} // namespace adze

#endif // ADZE_SUPPORT_PROGRESS_H
