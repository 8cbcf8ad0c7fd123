//===- Compare.h - When two results agree ---------------------------------===//
//
// A result r agrees with the answer a (in float64 where there is one), torch's
// own answer being t, if for every element
//
//   |r - a| <= max(rtol * |a| + atol + atolRms * rms(a),
//                  4 * |t - a|,
//                  noiseRms * rms(t - a))
//
// with rms over the finite elements of that tensor: r may be as far from the
// truth as torch is. NaN agrees with NaN, an infinity with the same one. Where
// t or a is not finite and they disagree, t counts. Integers and bools have no
// tolerance of their own: only the two terms with t - a apply to them.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DRIVER_COMPARE_H
#define ADZE_DRIVER_COMPARE_H

#include "adze/Support/HostTensor.h"
#include "llvm/Support/JSON.h"

namespace adze {

struct Tolerance {
  double rtol = 0;
  double atol = 0;
  double atolRms = 0;
  double noiseRms = 0;
};

/// What a result of this type is allowed where nobody says so.
Tolerance defaultTolerance(DType dtype);

/// What one result is compared with. `dtype` is that of the program where it is
/// known: an npz holds bfloat16 as float32.
struct Answer {
  const HostTensor *torch = nullptr;
  const HostTensor *exact = nullptr; // float64; null: torch's answer counts
  std::optional<DType> dtype;
  std::optional<Dims> strides; // the order of the result's must be theirs
};

/// How one tensor compared.
struct Comparison {
  std::string name; // "out_0"
  bool agrees = true;
  std::string message; // why not, without the name
  int64_t elements = 0;
  int64_t differing = 0;
  /// The element that differs most, relative to what it is allowed.
  Dims worstIndex;
  std::complex<double> worstResult, worstAnswer;
  double worstError = 0, worstAllowed = 0;
};

Comparison compareValues(llvm::StringRef name, const HostTensor &result,
                         const Answer &answer, const Tolerance &tolerance);

/// For random programs: dtype and shape are equal, and from 1000 elements on
/// mean and deviation (medians and quartiles for heavy tails) are about so.
Comparison compareStatistics(llvm::StringRef name, const HostTensor &result,
                             const Answer &answer);

/// Whether two tensors are equal bit for bit, apart from their layout.
bool isSameTensor(const HostTensor &a, const HostTensor &b);

/// One JSON object: {"name","agrees","elements","differing","message",
/// "worst":{"index","result","expected","error","allowed"}}; the last two only
/// where it does not agree.
void printJson(const Comparison &comparison, llvm::json::OStream &json);

/// A number as people read it; also for JSON, which has no NaN.
std::string formatNumber(std::complex<double> value, DType dtype);

} // namespace adze

#endif // ADZE_DRIVER_COMPARE_H
