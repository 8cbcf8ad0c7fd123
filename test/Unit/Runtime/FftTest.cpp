//===- FftTest.cpp - Fourier transforms by the definition -----------------===//

#include "KernelRunner.h"

#include <complex>

using namespace adze::test;

namespace {

template <typename T> using Signal = std::vector<std::complex<T>>;

template <typename T> Signal<T> randomSignal(int64_t count) {
  auto values = randomValues<T>(2 * count, 23);
  Signal<T> signal;
  for (size_t i = 0; i < values.size(); i += 2)
    signal.emplace_back(values[i], values[i + 1]);
  return signal;
}

template <typename T>
void transformsByDefinition(adze_kernel kernel, int64_t n, double tolerance) {
  Signal<T> in = randomSignal<T>(2 * n), out(in.size());
  for (int inverse : {0, 1}) {
    runKernel(kernel, 2, in, out, n, inverse);
    for (int64_t i = 0; i < 2 * n; ++i) {
      std::complex<double> sum = 0;
      for (int64_t k = 0; k < n; ++k) {
        double angle = (inverse ? 2 : -2) * M_PI *
                       static_cast<double>(i % n * k % n) /
                       static_cast<double>(n);
        sum += std::complex<double>(in[static_cast<size_t>(i / n * n + k)]) *
               std::polar(1.0, angle);
      }
      std::complex<double> found(out[static_cast<size_t>(i)]);
      ASSERT_LE(std::abs(found - sum),
                tolerance * std::sqrt(static_cast<double>(n)))
          << "length " << n << ", element " << i;
    }
  }
}

TEST(Fft, EveryLengthByDefinition) {
  for (int64_t n = 1; n <= 130; ++n) {
    transformsByDefinition<double>(adze_rt_fft_c128, n, 1e-13);
    transformsByDefinition<float>(adze_rt_fft_c64, n, 3e-6);
  }
  for (int64_t n : {256, 1000, 1009, 74 * 3})
    transformsByDefinition<double>(adze_rt_fft_c128, n, 1e-12);
}

TEST(Fft, WorksInPlace) {
  Signal<double> in = randomSignal<double>(12), out(12), same = in;
  runKernel(adze_rt_fft_c128, 1, in, out, 12, 0);
  runKernel(adze_rt_fft_c128, 1, same, same, 12, 0);
  EXPECT_EQ(same, out);
}

} // namespace
