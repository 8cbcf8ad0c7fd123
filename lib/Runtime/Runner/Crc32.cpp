//===- Crc32.cpp - The checksum of zip archives ---------------------------===//

#include "lib/Runtime/Runner/Zip.h"

#include <cstring>

using namespace adze::runner;

namespace {
/// words[k][b]: what byte b does to the checksum, k bytes later.
struct Tables {
  uint32_t words[8][256] = {};
  constexpr Tables() {
    for (uint32_t b = 0; b < 256; ++b) {
      uint32_t crc = b;
      for (int bit = 0; bit < 8; ++bit)
        crc = crc & 1 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
      words[0][b] = crc;
    }
    for (int k = 1; k < 8; ++k)
      for (uint32_t b = 0; b < 256; ++b) {
        uint32_t before = words[k - 1][b];
        words[k][b] = (before >> 8) ^ words[0][before & 0xff];
      }
  }
};
} // namespace

static constexpr Tables Slices;

uint32_t adze::runner::crc32(uint32_t crc, Bytes bytes) {
  crc = ~crc;
  const char *p = bytes.data, *end = bytes.data + bytes.size;
  for (; end - p >= 8; p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    word ^= crc;
    crc = 0;
    for (int k = 0; k < 8; ++k)
      crc ^= Slices.words[7 - k][(word >> (8 * k)) & 0xff];
  }
  for (; p != end; ++p)
    crc = (crc >> 8) ^ Slices.words[0][(crc ^ static_cast<uint8_t>(*p)) & 0xff];
  return ~crc;
}
