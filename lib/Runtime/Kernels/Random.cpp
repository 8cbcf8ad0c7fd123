//===- Random.cpp - Random numbers of one op ------------------------------===//

#include "lib/Runtime/Kernels/Rows.h"
#include "lib/Runtime/Philox.h"

using namespace adze;
using namespace adze::rt;

namespace {
/// The uniform draws of float and double ops; Philox.h says which.
struct Uniform {
  uint64_t seed, first;

  void get(int64_t i, float &value) const {
    value =
        philox::toFloat(philox::draw32(seed, first, static_cast<uint64_t>(i)));
  }
  void get(int64_t i, double &value) const {
    value =
        philox::toDouble(philox::draw64(seed, first, static_cast<uint64_t>(i)));
  }
};
} // namespace

template <typename T>
static void uniform(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  T *out = args.pointer<T>();
  Uniform source{args.bits(), args.bits()};
  auto low = static_cast<T>(args.real()), high = static_cast<T>(args.real());
  for (int64_t i = begin; i < end; ++i) {
    T u;
    source.get(i, u);
    T value = low + u * (high - low);
    // Rounding must not give the bound itself.
    out[i] = value < high || low == high ? value : std::nextafter(high, low);
  }
}

template <typename T>
static void normal(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  T *out = args.pointer<T>();
  Uniform source{args.bits(), args.bits()};
  double mean = args.real(), deviation = args.real();
  for (int64_t i = begin; i < end; ++i) {
    T u, v;
    source.get(i & ~int64_t(1), u);
    source.get(i | 1, v);
    out[i] = static_cast<T>(mean + deviation * philox::normal(u, v, i & 1));
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

void adze_rt_random_int_i64(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *out = args.pointer<int64_t>();
  uint64_t seed = args.bits(), first = args.bits();
  int64_t low = args.integer(), high = args.integer();
  for (int64_t i = begin; i < end; ++i)
    out[i] = philox::toInteger(
        philox::draw64(seed, first, static_cast<uint64_t>(i)), low, high);
}

/// Fisher and Yates; element i of the shuffle uses draw i.
int64_t adze_rt_random_permutation(const int64_t *slots) {
  Args args(slots);
  auto *out = args.pointer<int64_t>();
  uint64_t seed = args.bits(), first = args.bits();
  int64_t n = args.integer();
  for (int64_t i = 0; i < n; ++i)
    out[i] = i;
  for (int64_t i = 0; i + 1 < n; ++i) {
    int64_t other = philox::toInteger(
        philox::draw64(seed, first, static_cast<uint64_t>(i)), i, n);
    int64_t held = out[i];
    out[i] = out[other];
    out[other] = held;
  }
  return n;
}
