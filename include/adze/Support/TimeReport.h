//===- TimeReport.h - Where the time of a run went ------------------------===//
//
// Times stand nowhere else: artifacts must not depend on them.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_SUPPORT_TIMEREPORT_H
#define ADZE_SUPPORT_TIMEREPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace adze {

/// Wall time per stage and per kernel, and the peak memory after each stage.
class TimeReport {
public:
  struct Entry {
    std::string name;
    double seconds = 0;
    int64_t peakBytes = 0; // of the whole process so far; 0 for kernels
  };

  void addStage(llvm::StringRef name, double seconds);
  void addKernel(llvm::StringRef name, double seconds);

  llvm::ArrayRef<Entry> stages() const { return stageEntries; }
  llvm::ArrayRef<Entry> kernels() const { return kernelEntries; }

  /// A table; kernels slowest first.
  void printText(llvm::raw_ostream &os) const;

  /// {"total_s":S,"peak_bytes":N,"stages":[{"name","seconds","peak_bytes"}],
  ///  "kernels":[{"name","seconds"}]}
  void printJson(llvm::raw_ostream &os) const;

private:
  std::vector<Entry> stageEntries;
  std::vector<Entry> kernelEntries;
};

/// Adds the time between construction and destruction as a stage.
class StageTimer {
public:
  StageTimer(TimeReport &report, llvm::StringRef name)
      : report(report), name(name) {}
  ~StageTimer();
  StageTimer(const StageTimer &) = delete;
  StageTimer &operator=(const StageTimer &) = delete;

private:
  TimeReport &report;
  std::string name;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

/// Most resident memory this process has had, in bytes.
int64_t peakMemory();

} // namespace adze

#endif // ADZE_SUPPORT_TIMEREPORT_H
