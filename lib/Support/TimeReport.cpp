//===- TimeReport.cpp - Where the time of a run went ----------------------===//

#include "adze/Support/TimeReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <sys/resource.h>
#include <tuple>

namespace adze {

int64_t peakMemory() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<int64_t>(usage.ru_maxrss) * 1024;
}

void TimeReport::addStage(llvm::StringRef name, double seconds) {
  stageEntries.push_back({name.str(), seconds, peakMemory()});
}

void TimeReport::addKernel(llvm::StringRef name, double seconds) {
  kernelEntries.push_back({name.str(), seconds, 0});
}

static double totalSeconds(llvm::ArrayRef<TimeReport::Entry> entries) {
  double total = 0;
  for (const TimeReport::Entry &entry : entries)
    total += entry.seconds;
  return total;
}

static std::vector<TimeReport::Entry>
slowestFirst(std::vector<TimeReport::Entry> entries) {
  llvm::sort(entries, [](const auto &a, const auto &b) {
    return std::tie(b.seconds, a.name) < std::tie(a.seconds, b.name);
  });
  return entries;
}

void TimeReport::printText(llvm::raw_ostream &os) const {
  double total = totalSeconds(stageEntries);
  os << "stage            seconds      %   peak MiB\n";
  for (const Entry &entry : stageEntries)
    os << llvm::format("%-14s %9.3f %6.1f %10.1f\n", entry.name.c_str(),
                       entry.seconds,
                       total > 0 ? 100 * entry.seconds / total : 0.0,
                       static_cast<double>(entry.peakBytes) / (1 << 20));
  os << llvm::format("%-14s %9.3f\n", "total", total);
  if (kernelEntries.empty())
    return;
  os << "\nkernel                                    seconds\n";
  for (const Entry &entry : slowestFirst(kernelEntries))
    os << llvm::format("%-40s %8.4f\n", entry.name.c_str(), entry.seconds);
}

void TimeReport::printJson(llvm::raw_ostream &os) const {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("total_s", totalSeconds(stageEntries));
    json.attribute("peak_bytes", peakMemory());
    json.attributeArray("stages", [&] {
      for (const Entry &entry : stageEntries)
        json.object([&] {
          json.attribute("name", entry.name);
          json.attribute("seconds", entry.seconds);
          json.attribute("peak_bytes", entry.peakBytes);
        });
    });
    json.attributeArray("kernels", [&] {
      for (const Entry &entry : kernelEntries)
        json.object([&] {
          json.attribute("name", entry.name);
          json.attribute("seconds", entry.seconds);
        });
    });
  });
  os << '\n';
}

StageTimer::~StageTimer() {
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  report.addStage(name, elapsed.count());
}

} // namespace adze
