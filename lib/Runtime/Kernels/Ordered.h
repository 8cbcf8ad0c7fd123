//===- Ordered.h - Total orders of the element types ----------------------===//
//
// Every element type maps to an unsigned key so that comparing keys gives
// PyTorch's order: NaN last and equal to itself, -0 equal to 0.
//
//===----------------------------------------------------------------------===//
#ifndef ADZE_LIB_RUNTIME_KERNELS_ORDERED_H
#define ADZE_LIB_RUNTIME_KERNELS_ORDERED_H

#include <bit>
#include <cstdint>
#include <type_traits>

namespace adze::rt {

/// Bits is an unsigned integer; `infinity` its largest value that is no NaN.
template <typename Bits, Bits infinity> struct FloatOrder {
  using Element = Bits;
  using Key = Bits;
  static constexpr Bits sign = Bits(1) << (sizeof(Bits) * 8 - 1);

  static bool isNan(Bits x) { return Bits(x & ~sign) > infinity; }
  static Key key(Bits x) {
    if (isNan(x))
      return Key(~Key(0));
    if (Bits(x & ~sign) == 0)
      return sign;
    return x & sign ? Key(~x) : Key(x | sign);
  }
};

template <typename T> struct IntegerOrder {
  using Element = T;
  using Key = std::make_unsigned_t<T>;
  static bool isNan(T) { return false; }
  static Key key(T x) {
    constexpr Key flip =
        std::is_signed_v<T> ? Key(Key(1) << (sizeof(T) * 8 - 1)) : Key(0);
    return Key(Key(x) ^ flip);
  }
};

namespace order {
using f16 = FloatOrder<uint16_t, 0x7c00>;
using bf16 = FloatOrder<uint16_t, 0x7f80>;
using f32 = FloatOrder<uint32_t, 0x7f800000>;
using f64 = FloatOrder<uint64_t, 0x7ff0000000000000>;
using i8 = IntegerOrder<int8_t>;
using i16 = IntegerOrder<int16_t>;
using i32 = IntegerOrder<int32_t>;
using i64 = IntegerOrder<int64_t>;
using u8 = IntegerOrder<uint8_t>;
using u16 = IntegerOrder<uint16_t>;
using u32 = IntegerOrder<uint32_t>;
using u64 = IntegerOrder<uint64_t>;
} // namespace order

/// A key with its place; comparing both makes any sort stable.
template <typename Order> struct Entry {
  typename Order::Key key;
  int64_t index;
};

/// Descending order flips the keys, so that equal values keep their order.
template <typename Order>
void loadEntries(const typename Order::Element *in, int64_t length,
                 bool descending, Entry<Order> *entries) {
  using Key = typename Order::Key;
  for (int64_t i = 0; i < length; ++i) {
    Key key = Order::key(in[i]);
    entries[i] = {descending ? Key(~key) : key, i};
  }
}

template <typename Order>
bool before(const Entry<Order> &a, const Entry<Order> &b) {
  return a.key != b.key ? a.key < b.key : a.index < b.index;
}

} // namespace adze::rt

#endif
