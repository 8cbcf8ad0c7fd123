//===- Philox.h - Where random numbers come from --------------------------===//
//
// Philox4x32-10 (Salmon et al., SC 2011), keyed by the session's seed. A random
// op takes a range of counters (adze_rt_rng_reserve) that starts at `first`;
// what element i of its result is depends on seed, first and i alone, never on
// threads. The interpreter and generated code use the same rule:
//
//   draws of 32 bits: word i % 4 of block first + i / 4
//   draws of 64 bits: words 2 * (i % 2) (low) and the next (high) of block
//                     first + i / 2
//   uniform float:    the top 24 bits of a 32-bit draw, times 2^-24
//   uniform double:   the top 53 bits of a 64-bit draw, times 2^-53
//   normal:           Box-Muller on the uniform pair (i & ~1, i | 1): radius
//                     sqrt(-2 log(1 - u)), angle 2 pi v, cosine for even i,
//                     sine for odd i; float ones are computed in double
//   integers:         low + high 64 bits of (64-bit draw * (high - low))
//
// So an op with n results reserves (n + 3) / 4 counters for float results and
// (n + 1) / 2 for double and integer ones; normals round n up to even first.
//
//===----------------------------------------------------------------------===//
#ifndef ADZE_LIB_RUNTIME_PHILOX_H
#define ADZE_LIB_RUNTIME_PHILOX_H

#include <cmath>
#include <cstdint>

namespace adze::philox {

struct Block {
  uint32_t word[4];
};

inline Block block(uint64_t seed, uint64_t counter) {
  constexpr uint32_t m0 = 0xD2511F53, m1 = 0xCD9E8D57;
  constexpr uint32_t w0 = 0x9E3779B9, w1 = 0xBB67AE85;
  uint32_t k0 = static_cast<uint32_t>(seed);
  uint32_t k1 = static_cast<uint32_t>(seed >> 32);
  uint32_t c0 = static_cast<uint32_t>(counter);
  uint32_t c1 = static_cast<uint32_t>(counter >> 32), c2 = 0, c3 = 0;
  for (int round = 0; round < 10; ++round, k0 += w0, k1 += w1) {
    uint64_t p0 = static_cast<uint64_t>(m0) * c0;
    uint64_t p1 = static_cast<uint64_t>(m1) * c2;
    c0 = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c2 = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c1 = static_cast<uint32_t>(p1);
    c3 = static_cast<uint32_t>(p0);
  }
  return {{c0, c1, c2, c3}};
}

inline uint32_t draw32(uint64_t seed, uint64_t first, uint64_t i) {
  return block(seed, first + i / 4).word[i % 4];
}

inline uint64_t draw64(uint64_t seed, uint64_t first, uint64_t i) {
  Block b = block(seed, first + i / 2);
  return b.word[i % 2 * 2] | static_cast<uint64_t>(b.word[i % 2 * 2 + 1]) << 32;
}

inline float toFloat(uint32_t draw) {
  return static_cast<float>(draw >> 8) * 0x1p-24f;
}
inline double toDouble(uint64_t draw) {
  return static_cast<double>(draw >> 11) * 0x1p-53;
}

inline double normal(double u, double v, bool odd) {
  double radius = std::sqrt(-2 * std::log1p(-u)), angle = 2 * M_PI * v;
  return radius * (odd ? std::sin(angle) : std::cos(angle));
}

/// The high 64 bits of a * b.
inline uint64_t highProduct(uint64_t a, uint64_t b) {
  uint64_t aLow = a & 0xffffffff, aHigh = a >> 32;
  uint64_t bLow = b & 0xffffffff, bHigh = b >> 32;
  uint64_t cross = aHigh * bLow + (aLow * bLow >> 32);
  uint64_t middle = aLow * bHigh + (cross & 0xffffffff);
  return aHigh * bHigh + (cross >> 32) + (middle >> 32);
}

inline int64_t toInteger(uint64_t draw, int64_t low, int64_t high) {
  uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  return static_cast<int64_t>(static_cast<uint64_t>(low) +
                              highProduct(draw, span));
}

} // namespace adze::philox

#endif
