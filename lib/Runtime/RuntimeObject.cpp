//===- RuntimeObject.cpp - The runtime's object file as bytes -------------===//

#include "adze/Runtime/RuntimeObject.h"

asm(".pushsection .rodata,\"a\",@progbits\n"
    ".balign 16\n"
    ".local adzeRuntimeBegin\n"
    "adzeRuntimeBegin:\n"
    ".incbin \"" ADZE_RUNTIME_OBJECT "\"\n"
    ".local adzeRuntimeEnd\n"
    "adzeRuntimeEnd:\n"
    ".popsection\n");

extern "C" {
[[gnu::visibility("hidden")]] extern const char adzeRuntimeBegin[];
[[gnu::visibility("hidden")]] extern const char adzeRuntimeEnd[];
}

llvm::StringRef adze::runtimeObject() {
  return {adzeRuntimeBegin,
          static_cast<size_t>(adzeRuntimeEnd - adzeRuntimeBegin)};
}
