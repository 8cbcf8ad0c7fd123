//===- CompilerRuntime.h - Conversions that LLVM calls by name --*- C++ -*-===//
//
// What compiler-rt has for 16-bit floats, which code for CPUs without
// conversion instructions calls; no artifact needs compiler-rt for it. All
// round to nearest even, overflow to infinity, and make a NaN quiet with its
// sign and the upper bits of its payload, as the instructions do.
//
//===----------------------------------------------------------------------===//
#ifndef ADZE_LIB_RUNTIME_COMPILERRUNTIME_H
#define ADZE_LIB_RUNTIME_COMPILERRUNTIME_H

#include <emmintrin.h>

namespace adze::rt {
/// A 16-bit float is passed and returned in the low bits of a vector register.
/// This stands for it: g++ 12 has no such type in C++.
using SmallFloat = __m128i;
} // namespace adze::rt

extern "C" {
float __extendhfsf2(adze::rt::SmallFloat half);
adze::rt::SmallFloat __truncsfhf2(float value);
adze::rt::SmallFloat __truncdfhf2(double value);
adze::rt::SmallFloat __truncsfbf2(float value);
adze::rt::SmallFloat __truncdfbf2(double value);
}

#endif // ADZE_LIB_RUNTIME_COMPILERRUNTIME_H
