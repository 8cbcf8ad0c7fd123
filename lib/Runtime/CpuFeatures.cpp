//===- CpuFeatures.cpp - What this machine can execute --------------------===//

#include "lib/Runtime/Internal.h"

#include <cpuid.h>

using namespace adze::rt;

namespace {
struct Leaves {
  unsigned one[4] = {}, seven[4] = {}, sevenOne[4] = {}, extended[4] = {};
  uint64_t enabled = 0; // register files that the system saves
};
} // namespace

static uint64_t readXcr0() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<uint64_t>(high) << 32 | low;
}

static Leaves readLeaves() {
  Leaves l;
  __get_cpuid_count(1, 0, &l.one[0], &l.one[1], &l.one[2], &l.one[3]);
  __get_cpuid_count(7, 0, &l.seven[0], &l.seven[1], &l.seven[2], &l.seven[3]);
  if (l.seven[0] >= 1)
    __get_cpuid_count(7, 1, &l.sevenOne[0], &l.sevenOne[1], &l.sevenOne[2],
                      &l.sevenOne[3]);
  __get_cpuid_count(0x80000001, 0, &l.extended[0], &l.extended[1],
                    &l.extended[2], &l.extended[3]);
  if (l.one[2] >> 27 & 1) // OSXSAVE
    l.enabled = readXcr0();
  return l;
}

static bool bit(unsigned word, int index) { return word >> index & 1; }

static uint64_t basicFeatures(const Leaves &l) {
  uint64_t found = 0;
  // SSE3, SSSE3, CX16, SSE4.1, SSE4.2, POPCNT
  constexpr unsigned v2 =
      1u | 1u << 9 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 23;
  found |= (l.one[2] & v2) == v2 ? ADZE_CPU_SSE42 : 0;
  found |= bit(l.one[2], 22) ? ADZE_CPU_MOVBE : 0;
  found |= bit(l.seven[1], 3) ? ADZE_CPU_BMI1 : 0;
  found |= bit(l.seven[1], 8) ? ADZE_CPU_BMI2 : 0;
  found |= bit(l.extended[2], 5) ? ADZE_CPU_LZCNT : 0;
  return found;
}

static uint64_t avxFeatures(const Leaves &l) {
  uint64_t found = 0;
  if ((l.enabled & 6) != 6)
    return 0;
  found |= bit(l.one[2], 28) ? ADZE_CPU_AVX : 0;
  found |= bit(l.one[2], 12) ? ADZE_CPU_FMA : 0;
  found |= bit(l.one[2], 29) ? ADZE_CPU_F16C : 0;
  found |= bit(l.seven[1], 5) ? ADZE_CPU_AVX2 : 0;
  found |= bit(l.sevenOne[0], 4) ? ADZE_CPU_AVXVNNI : 0;
  return found;
}

static uint64_t avx512Features(const Leaves &l) {
  uint64_t found = 0;
  if ((l.enabled & 0xe6) != 0xe6)
    return 0;
  found |= bit(l.seven[1], 16) ? ADZE_CPU_AVX512F : 0;
  found |= bit(l.seven[1], 17) ? ADZE_CPU_AVX512DQ : 0;
  found |= bit(l.seven[1], 28) ? ADZE_CPU_AVX512CD : 0;
  found |= bit(l.seven[1], 30) ? ADZE_CPU_AVX512BW : 0;
  found |= bit(l.seven[1], 31) ? ADZE_CPU_AVX512VL : 0;
  found |= bit(l.seven[2], 1) ? ADZE_CPU_AVX512VBMI : 0;
  found |= bit(l.seven[2], 11) ? ADZE_CPU_AVX512VNNI : 0;
  found |= bit(l.seven[3], 23) ? ADZE_CPU_AVX512FP16 : 0;
  found |= bit(l.sevenOne[0], 5) ? ADZE_CPU_AVX512BF16 : 0;
  return found;
}

static uint64_t amxFeatures(const Leaves &l) {
  if ((l.enabled >> 17 & 3) != 3)
    return 0;
  return (bit(l.seven[3], 22) ? ADZE_CPU_AMX_BF16 : 0) |
         (bit(l.seven[3], 25) ? ADZE_CPU_AMX_INT8 : 0);
}

uint64_t adze::rt::cpuFeatures() {
  Leaves l = readLeaves();
  return basicFeatures(l) | avxFeatures(l) | avx512Features(l) | amxFeatures(l);
}

const char *adze::rt::cpuFeatureName(uint64_t bits) {
  static const char *const names[] = {
      "sse4.2",     "avx",        "avx2",     "fma",        "f16c",
      "bmi1",       "bmi2",       "lzcnt",    "movbe",      "avx512f",
      "avx512bw",   "avx512cd",   "avx512dq", "avx512vl",   "avx512vnni",
      "avx512bf16", "avx512fp16", "avxvnni",  "avx512vbmi", "amx-bf16",
      "amx-int8"};
  constexpr int count = sizeof(names) / sizeof(*names);
  int lowest = bits ? __builtin_ctzll(bits) : 0;
  return lowest < count ? names[lowest] : "an unknown feature";
}
