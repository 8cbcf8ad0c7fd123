//===- Digest.cpp - XXH64 -------------------------------------------------===//

#include "lib/Runtime/Digest.h"

#include <cstring>

static constexpr uint64_t P1 = 0x9E3779B185EBCA87ull;
static constexpr uint64_t P2 = 0xC2B2AE3D27D4EB4Full;
static constexpr uint64_t P3 = 0x165667B19E3779F9ull;
static constexpr uint64_t P4 = 0x85EBCA77C2B2AE63ull;
static constexpr uint64_t P5 = 0x27D4EB2F165667C5ull;

static uint64_t rotate(uint64_t x, int r) { return x << r | x >> (64 - r); }

static uint64_t read64(const unsigned char *p) {
  uint64_t x;
  memcpy(&x, p, 8);
  return x;
}

static uint32_t read32(const unsigned char *p) {
  uint32_t x;
  memcpy(&x, p, 4);
  return x;
}

static uint64_t round(uint64_t acc, uint64_t lane) {
  return rotate(acc + lane * P2, 31) * P1;
}

static uint64_t merge(uint64_t hash, uint64_t acc) {
  return (hash ^ round(0, acc)) * P1 + P4;
}

/// Consumes whole stripes of 32 bytes; moves `p` behind them.
static uint64_t stripes(const unsigned char *&p, uint64_t bytes,
                        uint64_t seed) {
  uint64_t a = seed + P1 + P2, b = seed + P2, c = seed, d = seed - P1;
  for (uint64_t i = 0; i < bytes / 32; ++i, p += 32) {
    a = round(a, read64(p));
    b = round(b, read64(p + 8));
    c = round(c, read64(p + 16));
    d = round(d, read64(p + 24));
  }
  uint64_t hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  return merge(merge(merge(merge(hash, a), b), c), d);
}

static uint64_t tail(uint64_t hash, const unsigned char *p, uint64_t rest) {
  for (; rest >= 8; rest -= 8, p += 8)
    hash = rotate(hash ^ round(0, read64(p)), 27) * P1 + P4;
  if (rest >= 4) {
    hash = rotate(hash ^ read32(p) * P1, 23) * P2 + P3;
    rest -= 4, p += 4;
  }
  for (; rest; --rest, ++p)
    hash = rotate(hash ^ *p * P5, 11) * P1;
  return hash;
}

uint64_t adze_digest(const void *data, uint64_t bytes, uint64_t seed) {
  auto *p = static_cast<const unsigned char *>(data);
  uint64_t hash = bytes >= 32 ? stripes(p, bytes, seed) : seed + P5;
  hash = tail(hash + bytes, p, bytes % 32);
  hash = (hash ^ hash >> 33) * P2;
  hash = (hash ^ hash >> 29) * P3;
  return hash ^ hash >> 32;
}

uint64_t adze_weights_digest(const void *base, const adze_weight *records,
                             int64_t count) {
  constexpr uint64_t window = 64 * 1024;
  auto *bytes = static_cast<const unsigned char *>(base);
  uint64_t hash = static_cast<uint64_t>(count);
  for (int64_t i = 0; i < count; ++i) {
    const adze_weight &record = records[i];
    const uint64_t place[2] = {record.offset, record.bytes};
    hash = adze_digest(place, sizeof(place), hash);
    uint64_t head = record.bytes < window ? record.bytes : window;
    uint64_t rest = record.bytes - head < window ? record.bytes - head : window;
    hash = adze_digest(bytes + record.offset, head, hash);
    hash = adze_digest(bytes + record.offset + record.bytes - rest, rest, hash);
  }
  return hash;
}
