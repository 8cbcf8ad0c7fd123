//===- Element.cpp - C++ types of the element types -----------------------===//

#include "adze/Support/Element.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

namespace adze {

/// Rounds by way of APFloat: short, right, and fast enough for test data.
static uint64_t encode(float value, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

static float decode(unsigned width, uint64_t bits,
                    const llvm::fltSemantics &semantics) {
  return llvm::APFloat(semantics, llvm::APInt(width, bits)).convertToFloat();
}

float float16ToFloat(uint16_t bits) {
  return decode(16, bits, llvm::APFloat::IEEEhalf());
}

uint16_t floatToFloat16(float value) {
  return static_cast<uint16_t>(encode(value, llvm::APFloat::IEEEhalf()));
}

float bfloat16ToFloat(uint16_t bits) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t floatToBFloat16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  if (value != value)
    return static_cast<uint16_t>((bits >> 16) | 0x40); // stays a quiet NaN
  uint32_t roundUp = 0x7fff + ((bits >> 16) & 1);
  return static_cast<uint16_t>((bits + roundUp) >> 16);
}

float float8E4M3FNToFloat(uint8_t bits) {
  return decode(8, bits, llvm::APFloat::Float8E4M3FN());
}

uint8_t floatToFloat8E4M3FN(float value) {
  return static_cast<uint8_t>(encode(value, llvm::APFloat::Float8E4M3FN()));
}

float float8E5M2ToFloat(uint8_t bits) {
  return decode(8, bits, llvm::APFloat::Float8E5M2());
}

uint8_t floatToFloat8E5M2(float value) {
  return static_cast<uint8_t>(encode(value, llvm::APFloat::Float8E5M2()));
}

} // namespace adze
