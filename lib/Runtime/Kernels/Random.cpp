//===- Random.cpp - The draws of prim.random ------------------------------===//
//
// adze/Support/Philox.h says what each element is; the interpreter shares it.
//
//===----------------------------------------------------------------------===//

#include "adze/Support/Philox.h"
#include "lib/Runtime/Kernels/Rows.h"

using namespace adze;
using namespace adze::rt;

namespace {
/// The address of the key [seed, call], and the stream.
struct Source {
  const int64_t *key;
  int64_t stream;

  std::pair<uint64_t, uint64_t> block(int64_t element) const {
    return philox::randomBlock(static_cast<uint64_t>(element) / 2, key[0],
                               key[1], stream);
  }
  uint64_t number(int64_t element) const {
    auto [a, b] = block(element);
    return element & 1 ? b : a;
  }
};
} // namespace

template <typename T>
static void uniform(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  T *out = args.pointer<T>();
  Source source{args.pointer<int64_t>(), args.integer()};
  constexpr int precision = sizeof(T) == 4 ? 24 : 53;
  for (int64_t i = begin; i < end; ++i)
    out[i] = static_cast<T>(philox::uniformOf(source.number(i), precision));
}

template <typename T>
static void normal(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  T *out = args.pointer<T>();
  Source source{args.pointer<int64_t>(), args.integer()};
  for (int64_t i = begin; i < end; ++i) {
    auto [a, b] = source.block(i);
    auto [even, odd] = philox::normalsOf(a, b);
    out[i] = static_cast<T>(i & 1 ? odd : even);
  }
}

void adze_rt_random_uniform_f32(const int64_t *args, int64_t begin,
                                int64_t end) {
  uniform<float>(args, begin, end);
}
void adze_rt_random_uniform_f64(const int64_t *args, int64_t begin,
                                int64_t end) {
  uniform<double>(args, begin, end);
}
void adze_rt_random_normal_f32(const int64_t *args, int64_t begin,
                               int64_t end) {
  normal<float>(args, begin, end);
}
void adze_rt_random_normal_f64(const int64_t *args, int64_t begin,
                               int64_t end) {
  normal<double>(args, begin, end);
}

void adze_rt_random_bits_i64(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *out = args.pointer<int64_t>();
  Source source{args.pointer<int64_t>(), args.integer()};
  for (int64_t i = begin; i < end; ++i)
    out[i] = static_cast<int64_t>(source.number(i) >> 1);
}
