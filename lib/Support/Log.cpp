//===- Log.cpp - What -v prints -------------------------------------------===//

#include "adze/Support/Log.h"

#include <atomic>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace adze {

static std::atomic<unsigned> verbosity = 0;

static spdlog::logger &getLogger() {
  static std::shared_ptr<spdlog::logger> logger = [] {
    auto made = spdlog::stderr_color_mt("adze");
    made->set_pattern("[%H:%M:%S.%e] %v");
    made->set_level(spdlog::level::debug);
    return made;
  }();
  return *logger;
}

void setVerbosity(unsigned level) { verbosity = level; }
unsigned getVerbosity() { return verbosity; }

void logInfo(const llvm::Twine &message) {
  if (verbosity >= 1)
    getLogger().info("{}", message.str());
}

void logDetail(const llvm::Twine &message) {
  if (verbosity >= 2)
    getLogger().debug("{}", message.str());
}

} // namespace adze
