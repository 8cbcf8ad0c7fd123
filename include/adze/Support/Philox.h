//===- Philox.h - The random numbers of prim.random ------------*- C++ -*-===//
//
// Philox4x32-10 as in "Parallel random numbers: as easy as 1, 2, 3" (Salmon et
// al., 2011). Native code must give the same bits, so every step is fixed
// here; the interpreter and the runtime share it. Elements are numbered in
// row-major order. Block b = element / 2 serves elements 2b and 2b + 1:
//
//   counter = {low 32 bits of b, high 32 bits of b, stream, call number}
//   key     = {low 32 bits of the seed, high 32 bits of the seed}
//   (w0, w1, w2, w3) = philox4x32_10(counter, key)
//   a = w0 | w1 << 32        b = w2 | w3 << 32
//
// where `stream` and the call number are truncated to 32 bits, and the key
// operand of prim.random is the i64 pair [seed, call number].
//
//   bits     a >> 1 for element 2b, b >> 1 for element 2b + 1 (non-negative)
//   uniform  (n >> (64 - p)) * 2^-p of the same 64-bit numbers n, where p is
//            the precision of the type: 53 f64, 24 f32, 11 f16, 8 bf16, and
//            the like. Exact, so always below 1.
//   normal   u1 = ((a >> 11) + 1) * 2^-53 in (0, 1], u2 = (b >> 11) * 2^-53,
//            r = sqrt(-2 ln u1), t = 2 pi u2, all in double;
//            element 2b: r cos t, element 2b + 1: r sin t, rounded to the type.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_SUPPORT_PHILOX_H
#define ADZE_SUPPORT_PHILOX_H

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace adze::philox {

/// Ten rounds of Philox4x32.
inline std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter,
                                          std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t p = uint64_t(0xD2511F53) * counter[0];
    uint64_t q = uint64_t(0xCD9E8D57) * counter[2];
    counter = {uint32_t(q >> 32) ^ counter[1] ^ key[0], uint32_t(q),
               uint32_t(p >> 32) ^ counter[3] ^ key[1], uint32_t(p)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// The two 64-bit numbers of a block.
inline std::pair<uint64_t, uint64_t> randomBlock(uint64_t block, int64_t seed,
                                                 int64_t call, int64_t stream) {
  auto w = philox4x32({uint32_t(block), uint32_t(block >> 32), uint32_t(stream),
                       uint32_t(call)},
                      {uint32_t(seed), uint32_t(uint64_t(seed) >> 32)});
  return {w[0] | uint64_t(w[1]) << 32, w[2] | uint64_t(w[3]) << 32};
}

inline double uniformOf(uint64_t number, int precision) {
  return std::ldexp(static_cast<double>(number >> (64 - precision)),
                    -precision);
}

inline std::pair<double, double> normalsOf(uint64_t a, uint64_t b) {
  double u1 = std::ldexp(static_cast<double>((a >> 11) + 1), -53);
  double u2 = std::ldexp(static_cast<double>(b >> 11), -53);
  double radius = std::sqrt(-2 * std::log(u1));
  double angle = 2 * 3.14159265358979323846 * u2;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

} // namespace adze::philox

#endif // ADZE_SUPPORT_PHILOX_H
