//===- KernelRunner.h - Calls library kernels from tests ------------------===//

#ifndef ADZE_TEST_UNIT_RUNTIME_KERNELRUNNER_H
#define ADZE_TEST_UNIT_RUNTIME_KERNELRUNNER_H

#include "lib/Runtime/Kernels/Kernels.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <type_traits>
#include <vector>

namespace adze::test {

inline int64_t slot(double value) { return std::bit_cast<int64_t>(value); }
inline int64_t slot(std::nullptr_t) { return 0; }
template <typename T> int64_t slot(const T *pointer) {
  return reinterpret_cast<int64_t>(pointer);
}
template <typename T> int64_t slot(const std::vector<T> &vector) {
  return reinterpret_cast<int64_t>(vector.data());
}
template <typename T>
  requires std::is_integral_v<T>
int64_t slot(T value) {
  return static_cast<int64_t>(value);
}

/// Runs the rows in two pieces, as the pool might.
template <typename... Ts>
void runKernel(adze_kernel kernel, int64_t rows, const Ts &...args) {
  int64_t slots[] = {0, slot(args)...};
  kernel(slots, 0, rows / 2);
  kernel(slots, rows / 2, rows);
}

template <typename... Ts>
int64_t runRoutine(int64_t (*routine)(const int64_t *), const Ts &...args) {
  int64_t slots[] = {0, slot(args)...};
  return routine(slots);
}

template <typename T>
std::vector<T> randomValues(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<T> values(static_cast<size_t>(count));
  for (T &value : values)
    value = static_cast<T>(normal(random));
  return values;
}

} // namespace adze::test

#endif
