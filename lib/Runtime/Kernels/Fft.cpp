//===- Fft.cpp - Complex Fourier transforms of any length -----------------===//
//
// Lengths with small prime factors: mixed radix, decimation in time. Others:
// Bluestein's convolution with a power of two. Twiddles are made once per run
// of the kernel, in double.
//
//===----------------------------------------------------------------------===//

#include "lib/Runtime/Kernels/Rows.h"

#include <cmath>

using namespace adze::rt;

namespace {

template <typename T> struct Complex {
  T re, im;
  friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend Complex operator+(Complex a, Complex b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend Complex operator-(Complex a, Complex b) {
    return {a.re - b.re, a.im - b.im};
  }
  Complex conjugate() const { return {re, -im}; }
};

/// e^(sign * 2 pi i k / n)
template <typename T> Complex<T> root(int64_t k, int64_t n, int sign) {
  double angle = 2 * M_PI * static_cast<double>(k) / static_cast<double>(n);
  return {static_cast<T>(std::cos(angle)),
          static_cast<T>(sign * std::sin(angle))};
}

constexpr int64_t LargestRadix = 31;

/// A plan for lengths whose prime factors are at most LargestRadix.
template <typename T> struct MixedRadix {
  int64_t n;
  int sign;
  const Complex<T> *roots; // of n, with the sign of the direction

  static void fillRoots(Complex<T> *roots, int64_t n, int sign) {
    for (int64_t k = 0; k < n; ++k)
      roots[k] = root<T>(k, n, sign);
  }

  void run(const Complex<T> *in, Complex<T> *out) const {
    recurse(in, 1, out, n);
  }

private:
  void recurse(const Complex<T> *in, int64_t stride, Complex<T> *out,
               int64_t size) const;
  void combine(Complex<T> *out, int64_t size, int64_t radix) const;
  void combineTwo(Complex<T> *out, int64_t size) const;
  void combineFour(Complex<T> *out, int64_t size) const;
};

int64_t smallestFactor(int64_t n) {
  if (n % 4 == 0)
    return 4;
  for (int64_t p = 2; p * p <= n; ++p)
    if (n % p == 0)
      return p;
  return n;
}

bool hasSmallFactors(int64_t n) {
  while (n > 1) {
    int64_t p = smallestFactor(n);
    if (p > LargestRadix)
      return false;
    n /= p;
  }
  return true;
}

template <typename T>
void MixedRadix<T>::recurse(const Complex<T> *in, int64_t stride,
                            Complex<T> *out, int64_t size) const {
  if (size == 1) {
    *out = *in;
    return;
  }
  int64_t radix = smallestFactor(size), part = size / radix;
  for (int64_t q = 0; q < radix; ++q)
    recurse(in + q * stride, stride * radix, out + q * part, part);
  if (radix == 4)
    combineFour(out, size);
  else if (radix == 2)
    combineTwo(out, size);
  else
    combine(out, size, radix);
}

template <typename T>
void MixedRadix<T>::combineTwo(Complex<T> *out, int64_t size) const {
  int64_t part = size / 2, step = n / size;
  for (int64_t k = 0; k < part; ++k) {
    Complex<T> a = out[k], b = out[k + part] * roots[k * step];
    out[k] = a + b;
    out[k + part] = a - b;
  }
}

template <typename T>
void MixedRadix<T>::combineFour(Complex<T> *out, int64_t size) const {
  int64_t part = size / 4, step = n / size;
  auto turn = static_cast<T>(sign);
  for (int64_t k = 0; k < part; ++k) {
    Complex<T> a = out[k], b = out[k + part] * roots[k * step];
    Complex<T> c = out[k + 2 * part] * roots[2 * k * step];
    Complex<T> d = out[k + 3 * part] * roots[3 * k * step];
    Complex<T> even = a + c, odd = a - c, sum = b + d, difference = b - d;
    Complex<T> turned{-turn * difference.im, turn * difference.re};
    out[k] = even + sum;
    out[k + part] = odd + turned;
    out[k + 2 * part] = even - sum;
    out[k + 3 * part] = odd - turned;
  }
}

template <typename T>
void MixedRadix<T>::combine(Complex<T> *out, int64_t size,
                            int64_t radix) const {
  int64_t part = size / radix, step = n / size;
  Complex<T> terms[LargestRadix];
  for (int64_t k = 0; k < part; ++k) {
    for (int64_t q = 0; q < radix; ++q)
      terms[q] = out[k + q * part] * roots[q * k * step];
    for (int64_t r = 0; r < radix; ++r) {
      Complex<T> sum = terms[0];
      for (int64_t q = 1; q < radix; ++q)
        sum = sum + terms[q] * roots[q * r % radix * (n / radix)];
      out[k + r * part] = sum;
    }
  }
}

/// Bluestein: a transform of any length n as a convolution of length `size`.
template <typename T> struct Bluestein {
  int64_t n, size;
  MixedRadix<T> forward, backward;
  Complex<T> *chirp;    // n
  Complex<T> *spectrum; // size: of the conjugate chirp, wrapped
  Complex<T> *work;     // 2 * size

  void prepare(int sign) {
    // square is k * k modulo 2 n
    for (int64_t k = 0, square = 0; k < n; ++k) {
      chirp[k] = root<T>(square, 2 * n, sign);
      square = (square + 2 * k + 1) % (2 * n);
    }
    for (int64_t k = 0; k < size; ++k)
      work[k] = {0, 0};
    for (int64_t k = 0; k < n; ++k)
      work[k] = work[k ? size - k : 0] = chirp[k].conjugate();
    forward.run(work, spectrum);
  }

  void run(const Complex<T> *in, Complex<T> *out) const {
    Complex<T> *padded = work, *transformed = work + size;
    for (int64_t k = 0; k < size; ++k)
      padded[k] = k < n ? in[k] * chirp[k] : Complex<T>{0, 0};
    forward.run(padded, transformed);
    for (int64_t k = 0; k < size; ++k)
      transformed[k] = transformed[k] * spectrum[k];
    backward.run(transformed, padded);
    T scale = T(1) / static_cast<T>(size);
    for (int64_t k = 0; k < n; ++k)
      out[k] = padded[k] * chirp[k] * Complex<T>{scale, 0};
  }
};

template <typename T> struct Rows {
  const Complex<T> *in;
  Complex<T> *out;
  int64_t n, begin, end;

  /// `scratch` holds one row, so that a row may be transformed in place.
  template <typename Plan> void run(const Plan &plan, Complex<T> *scratch) {
    for (int64_t row = begin; row < end; ++row) {
      memcpy(scratch, in + row * n, sizeof(*in) * static_cast<size_t>(n));
      plan.run(scratch, out + row * n);
    }
  }
};

template <typename T>
void runMixedRadix(const Args &args, Rows<T> rows, int sign) {
  Scratch<Complex<T>> memory(args, 2 * rows.n);
  if (!memory)
    return;
  Complex<T> *roots = memory;
  MixedRadix<T>::fillRoots(roots, rows.n, sign);
  rows.run(MixedRadix<T>{rows.n, sign, roots}, roots + rows.n);
}

template <typename T>
void runBluestein(const Args &args, Rows<T> rows, int sign) {
  int64_t n = rows.n, size = 1;
  while (size < 2 * n - 1)
    size *= 2;
  Scratch<Complex<T>> memory(args, 2 * n + 5 * size);
  if (!memory)
    return;
  Complex<T> *roots = memory, *inverseRoots = roots + size;
  MixedRadix<T>::fillRoots(roots, size, -1);
  MixedRadix<T>::fillRoots(inverseRoots, size, 1);
  Complex<T> *spectrum = inverseRoots + size, *work = spectrum + size;
  Complex<T> *chirp = work + 2 * size, *row = chirp + n;
  Bluestein<T> plan{
      n,        size, {size, -1, roots}, {size, 1, inverseRoots}, chirp,
      spectrum, work};
  plan.prepare(sign);
  rows.run(plan, row);
}

template <typename T>
void transform(const int64_t *slots, int64_t begin, int64_t end) {
  Args args(slots);
  auto *in = args.pointer<const Complex<T>>();
  auto *out = args.pointer<Complex<T>>();
  int64_t n = args.integer();
  int sign = args.integer() ? 1 : -1;
  if (n <= 0)
    return;
  Rows<T> rows{in, out, n, begin, end};
  if (hasSmallFactors(n))
    runMixedRadix(args, rows, sign);
  else
    runBluestein(args, rows, sign);
}

} // namespace

void adze_rt_fft_c64(const int64_t *args, int64_t begin, int64_t end) {
  transform<float>(args, begin, end);
}

void adze_rt_fft_c128(const int64_t *args, int64_t begin, int64_t end) {
  transform<double>(args, begin, end);
}
