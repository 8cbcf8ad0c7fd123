//===- Element.h - C++ types of the element types -------------------------===//
//
// Storage types for the elements that C++20 has no type for, and a switch over
// all element types:
//
//   visitDType(dtype, [&]<typename T>() { ... data as T ... });
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_SUPPORT_ELEMENT_H
#define ADZE_SUPPORT_ELEMENT_H

#include "adze/Support/DType.h"
#include "llvm/Support/ErrorHandling.h"

#include <complex>
#include <cstdint>
#include <type_traits>

namespace adze {

/// Conversions from float round to nearest even, as torch's do; from double
/// they go by way of float, as torch's do too.
float float16ToFloat(uint16_t bits);
uint16_t floatToFloat16(float value);
float bfloat16ToFloat(uint16_t bits);
uint16_t floatToBFloat16(float value);
float float8E4M3FNToFloat(uint8_t bits);
uint8_t floatToFloat8E4M3FN(float value);
float float8E5M2ToFloat(uint8_t bits);
uint8_t floatToFloat8E5M2(float value);

/// A floating-point number that is stored as `Bits`.
template <typename Bits, float (*Decode)(Bits), Bits (*Encode)(float)>
struct StoredFloat {
  Bits bits = 0;

  StoredFloat() = default;
  explicit StoredFloat(double value)
      : bits(Encode(static_cast<float>(value))) {}
  explicit operator double() const { return Decode(bits); }
};

using Float16 = StoredFloat<uint16_t, float16ToFloat, floatToFloat16>;
using BFloat16 = StoredFloat<uint16_t, bfloat16ToFloat, floatToBFloat16>;
using Float8E4M3FN =
    StoredFloat<uint8_t, float8E4M3FNToFloat, floatToFloat8E4M3FN>;
using Float8E5M2 = StoredFloat<uint8_t, float8E5M2ToFloat, floatToFloat8E5M2>;

template <typename T> struct IsComplex : std::false_type {};
template <typename T> struct IsComplex<std::complex<T>> : std::true_type {};
template <typename T>
inline constexpr bool isComplexElement = IsComplex<T>::value;

/// Calls visitor.operator()<T>() with the C++ type of `dtype`.
template <typename Visitor>
decltype(auto) visitDType(DType dtype, Visitor &&visitor) {
  switch (dtype) {
  case DType::Bool:
    return visitor.template operator()<bool>();
  case DType::Int8:
    return visitor.template operator()<int8_t>();
  case DType::Int16:
    return visitor.template operator()<int16_t>();
  case DType::Int32:
    return visitor.template operator()<int32_t>();
  case DType::Int64:
    return visitor.template operator()<int64_t>();
  case DType::UInt8:
    return visitor.template operator()<uint8_t>();
  case DType::UInt16:
    return visitor.template operator()<uint16_t>();
  case DType::UInt32:
    return visitor.template operator()<uint32_t>();
  case DType::UInt64:
    return visitor.template operator()<uint64_t>();
  case DType::Float16:
    return visitor.template operator()<Float16>();
  case DType::BFloat16:
    return visitor.template operator()<BFloat16>();
  case DType::Float32:
    return visitor.template operator()<float>();
  case DType::Float64:
    return visitor.template operator()<double>();
  case DType::Complex64:
    return visitor.template operator()<std::complex<float>>();
  case DType::Complex128:
    return visitor.template operator()<std::complex<double>>();
  case DType::Float8E4M3FN:
    return visitor.template operator()<Float8E4M3FN>();
  case DType::Float8E5M2:
    return visitor.template operator()<Float8E5M2>();
  }
  llvm_unreachable("no such element type");
}

} // namespace adze

#endif // ADZE_SUPPORT_ELEMENT_H
