//===- RuntimeObject.cpp - The runtime's object files as bytes ------------===//

#include "adze/Runtime/RuntimeObject.h"

#define ADZE_EMBED(name, file)                                                 \
  asm(".pushsection .rodata,\"a\",@progbits\n"                                 \
      ".balign 16\n"                                                           \
      ".local " name "Begin\n" name "Begin:\n"                                 \
      ".incbin \"" file "\"\n"                                                 \
      ".local " name "End\n" name "End:\n"                                     \
      ".popsection\n")

ADZE_EMBED("adzeRuntime", ADZE_RUNTIME_OBJECT);
ADZE_EMBED("adzeRunner", ADZE_RUNNER_OBJECT);

extern "C" {
[[gnu::visibility("hidden")]] extern const char adzeRuntimeBegin[];
[[gnu::visibility("hidden")]] extern const char adzeRuntimeEnd[];
[[gnu::visibility("hidden")]] extern const char adzeRunnerBegin[];
[[gnu::visibility("hidden")]] extern const char adzeRunnerEnd[];
}

llvm::StringRef adze::runtimeObject() {
  return {adzeRuntimeBegin,
          static_cast<size_t>(adzeRuntimeEnd - adzeRuntimeBegin)};
}

llvm::StringRef adze::runnerObject() {
  return {adzeRunnerBegin,
          static_cast<size_t>(adzeRunnerEnd - adzeRunnerBegin)};
}
