//===- FuzzMain.cpp - Entry point of a libFuzzer target -------------------===//

#include "FuzzTargets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace adze::frontend;
  static const FuzzTarget target = lookupFuzzTarget(ADZE_FUZZ_TARGET);
  target(Bytes(data, size));
  return 0;
}
