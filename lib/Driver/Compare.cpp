//===- Compare.cpp - When two results agree -------------------------------===//

#include "adze/Driver/Compare.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>

namespace adze {

using Complex = std::complex<double>;

Tolerance defaultTolerance(DType dtype) {
  switch (dtype) {
  case DType::Float8E4M3FN:
  case DType::Float8E5M2:
    return {2e-1, 0, 2e-1, 8};
  case DType::BFloat16:
    return {2e-2, 0, 2e-2, 8};
  case DType::Float16:
    return {2e-3, 0, 2e-3, 8};
  case DType::Float64:
  case DType::Complex128:
    return {1e-9, 0, 1e-9, 8};
  default:
    return {1e-4, 0, 1e-5, 8};
  }
}

//===----------------------------------------------------------------------===//
// Type, shape, layout
//===----------------------------------------------------------------------===//

/// Whether a result of type `dtype` is what an npz with `stored` holds.
static bool isStoredAs(DType dtype, DType stored) {
  bool fits = getInfo(dtype).numpyDescr.empty() && stored == DType::Float32;
  return dtype == stored || fits;
}

/// Says in which way the result is another kind of tensor; empty if it is not.
static std::string compareTypes(const HostTensor &result,
                                const Answer &answer) {
  const HostTensor &torch = *answer.torch;
  bool sameType = answer.dtype ? result.dtype() == *answer.dtype
                               : isStoredAs(result.dtype(), torch.dtype());
  DType expected = answer.dtype.value_or(torch.dtype());
  if (!sameType || result.shape() != torch.shape())
    return "expected " + describeType(expected, torch.shape()) +
           ", but found " + result.describe();
  if (answer.exact && answer.exact->shape() != torch.shape())
    return "the float64 answer is " + answer.exact->describe() +
           ", but torch's is " + torch.describe();
  return "";
}

static std::string describeStrides(llvm::ArrayRef<int64_t> strides) {
  std::string text = "[";
  llvm::ListSeparator separator;
  for (int64_t stride : strides)
    text += llvm::StringRef(separator).str() + std::to_string(stride);
  return text + "]";
}

/// The order of strides matters over dims longer than 1 of tensors with more
/// than one element; an expanded dim (stride 0) has no place in it.
static std::string compareStrides(const HostTensor &result,
                                  llvm::ArrayRef<int64_t> expected) {
  llvm::ArrayRef<int64_t> shape = result.shape(), found = result.strides();
  if (result.numElements() < 2 || expected.size() != shape.size())
    return "";
  auto matters = [&](size_t dim) {
    return shape[dim] > 1 && expected[dim] > 0;
  };
  for (size_t i = 0; i < shape.size(); ++i)
    for (size_t j = 0; j < shape.size(); ++j)
      if (matters(i) && matters(j) && expected[i] > expected[j] &&
          found[i] <= found[j])
        return "expected strides in the order of " + describeStrides(expected) +
               ", but found " + describeStrides(found);
  return "";
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool isFinite(Complex v) {
  return std::isfinite(v.real()) && std::isfinite(v.imag());
}

static bool isNaN(Complex v) {
  return std::isnan(v.real()) || std::isnan(v.imag());
}

static bool isSame(Complex a, Complex b) {
  return a == b || (isNaN(a) && isNaN(b));
}

/// Root of the mean square of the finite ones among the values.
template <typename Value> static double rms(int64_t count, Value &&value) {
  double sum = 0;
  int64_t finite = 0;
  for (int64_t i = 0; i < count; ++i) {
    Complex v = value(i);
    if (!isFinite(v))
      continue;
    sum += std::norm(v);
    ++finite;
  }
  return finite ? std::sqrt(sum / static_cast<double>(finite)) : 0;
}

namespace {

/// Torch's answer and the one that counts, element by element.
class Reference {
public:
  Reference(const Answer &answer, const Tolerance &given, bool isExactType)
      : torch(answer.torch->toComplex()),
        exact(answer.exact ? answer.exact->toComplex() : torch),
        tolerance(given) {
    for (auto [t, a] : llvm::zip_equal(torch, exact))
      if ((!isFinite(t) || !isFinite(a)) && !isSame(t, a))
        a = t;
    if (isExactType)
      tolerance = {0, 0, 0, given.noiseRms};
    auto count = static_cast<int64_t>(exact.size());
    rmsAnswer = rms(count, [&](int64_t i) { return exact[i]; });
    rmsNoise = rms(count, [&](int64_t i) { return torch[i] - exact[i]; });
  }

  Complex answer(int64_t i) const { return exact[i]; }

  /// How far element i may be from the answer.
  double allowed(int64_t i) const {
    double own = tolerance.rtol * std::abs(exact[i]) + tolerance.atol +
                 tolerance.atolRms * rmsAnswer;
    return std::max({own, 4 * std::abs(torch[i] - exact[i]),
                     tolerance.noiseRms * rmsNoise});
  }

  bool accepts(int64_t i, Complex result) const {
    if (!isFinite(exact[i]) || !isFinite(result))
      return isSame(result, exact[i]);
    return std::abs(result - exact[i]) <= allowed(i);
  }

private:
  std::vector<Complex> torch, exact;
  Tolerance tolerance;
  double rmsAnswer = 0, rmsNoise = 0;
};

} // namespace

static Dims unravel(int64_t flat, llvm::ArrayRef<int64_t> shape) {
  Dims index(shape.size());
  for (size_t i = shape.size(); i-- > 0; flat /= shape[i])
    index[i] = flat % shape[i];
  return index;
}

/// Notes a differing element, keeping the worst: not finite, or furthest off
/// compared with what is allowed.
static void addDifference(Comparison &comparison, int64_t flat, Complex result,
                          const Reference &reference,
                          llvm::ArrayRef<int64_t> shape) {
  Complex answer = reference.answer(flat);
  double error = std::abs(result - answer), allowed = reference.allowed(flat);
  if (std::isnan(error))
    error = std::numeric_limits<double>::infinity();
  bool isFirst = comparison.differing++ == 0;
  bool isWorse =
      error * comparison.worstAllowed > comparison.worstError * allowed;
  if (!isFirst && !isWorse)
    return;
  comparison.worstIndex = unravel(flat, shape);
  comparison.worstResult = result;
  comparison.worstAnswer = answer;
  comparison.worstError = error;
  comparison.worstAllowed = allowed;
}

static std::string describeDifference(const Comparison &c, DType dtype) {
  std::string message =
      llvm::formatv("{0} of {1} elements differ", c.differing, c.elements);
  message += ", most at " + describeStrides(c.worstIndex) + ": expected " +
             formatNumber(c.worstAnswer, dtype) + ", but found " +
             formatNumber(c.worstResult, dtype);
  if (std::isfinite(c.worstError))
    message += llvm::formatv(", off by {0:E2} where {1:E2} is allowed",
                             c.worstError, c.worstAllowed);
  return message;
}

static Comparison reject(Comparison comparison, std::string message) {
  comparison.agrees = false;
  comparison.message = std::move(message);
  return comparison;
}

/// Integers are compared as such: a double does not hold all of them.
static bool hasSameInts(const HostTensor &a, const HostTensor &b) {
  return !isFloat(b.dtype()) && !isComplex(b.dtype()) &&
         a.toInts() == b.toInts();
}

Comparison compareValues(llvm::StringRef name, const HostTensor &result,
                         const Answer &answer, const Tolerance &tolerance) {
  Comparison comparison;
  comparison.name = name.str();
  comparison.elements = result.numElements();
  std::string problem = compareTypes(result, answer);
  if (problem.empty() && answer.strides)
    problem = compareStrides(result, *answer.strides);
  if (!problem.empty())
    return reject(std::move(comparison), std::move(problem));

  bool isExactType = !isFloat(result.dtype()) && !isComplex(result.dtype());
  if (isExactType && hasSameInts(result, *answer.torch))
    return comparison;
  Reference reference(answer, tolerance, isExactType);
  for (auto [i, value] : llvm::enumerate(result.toComplex()))
    if (!reference.accepts(i, value))
      addDifference(comparison, i, value, reference, result.shape());
  // Integers that differ only beyond the precision of a double.
  bool isHidden = isExactType && comparison.differing == 0 &&
                  (!answer.exact || hasSameInts(*answer.torch, *answer.exact));
  if (isHidden)
    return reject(std::move(comparison), "large integers differ");
  if (comparison.differing == 0)
    return comparison;
  std::string message = describeDifference(comparison, result.dtype());
  return reject(std::move(comparison), std::move(message));
}

bool isSameTensor(const HostTensor &a, const HostTensor &b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape())
    return false;
  HostTensor x = a.contiguous(), y = b.contiguous();
  return x.numBytes() == 0 ||
         std::memcmp(x.data(), y.data(), x.numBytes()) == 0;
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

namespace {

/// The finite values of a tensor, sorted, and what describes their
/// distribution. A complex number counts as two.
struct Distribution {
  std::vector<double> sorted;
  double mean = 0, deviation = 0, kurtosis = 3;

  explicit Distribution(const HostTensor &tensor) {
    for (Complex v : tensor.toComplex()) {
      add(v.real());
      if (isComplex(tensor.dtype()))
        add(v.imag());
    }
    llvm::sort(sorted);
    computeMoments();
  }

  double size() const { return static_cast<double>(sorted.size()); }

  double quantile(double q) const {
    return sorted[static_cast<size_t>(q * (size() - 1))];
  }

private:
  void add(double v) {
    if (std::isfinite(v))
      sorted.push_back(v);
  }

  void computeMoments() {
    if (sorted.empty())
      return;
    for (double v : sorted)
      mean += v / size();
    double second = 0, fourth = 0;
    for (double v : sorted) {
      double square = (v - mean) * (v - mean);
      second += square / size();
      fourth += square * square / size();
    }
    deviation = std::sqrt(second);
    kurtosis = second > 0 ? fourth / (second * second) : 3;
  }
};

} // namespace

/// Six standard errors of the difference of two sample means, or a twentieth of
/// the deviation; elements that go together (dropped channels) widen it.
static std::string compareMoments(const Distribution &r,
                                  const Distribution &t) {
  double n = std::min(r.size(), t.size());
  double slack = std::max(0.05, 6 * std::sqrt(2 / n)) * t.deviation;
  double deviationSlack =
      std::max(0.05, 6 * std::sqrt((t.kurtosis + 1) / (2 * n))) * t.deviation;
  if (std::abs(r.mean - t.mean) > slack + 1e-6 * std::abs(t.mean))
    return llvm::formatv("expected a mean of about {0}, but found {1}",
                         formatNumber(t.mean, DType::Float32),
                         formatNumber(r.mean, DType::Float32));
  if (std::abs(r.deviation - t.deviation) >
      deviationSlack + 1e-6 * std::abs(t.mean))
    return llvm::formatv("expected a deviation of about {0}, but found {1}",
                         formatNumber(t.deviation, DType::Float32),
                         formatNumber(r.deviation, DType::Float32));
  return "";
}

static std::string compareQuartiles(const Distribution &r,
                                    const Distribution &t) {
  double spread = t.quantile(0.75) - t.quantile(0.25);
  for (double q : {0.25, 0.5, 0.75})
    if (std::abs(r.quantile(q) - t.quantile(q)) > 0.25 * spread)
      return llvm::formatv("expected a {0}%-quantile of about {1}, but found "
                           "{2}",
                           100 * q, formatNumber(t.quantile(q), DType::Float32),
                           formatNumber(r.quantile(q), DType::Float32));
  return "";
}

Comparison compareStatistics(llvm::StringRef name, const HostTensor &result,
                             const Answer &answer) {
  Comparison comparison;
  comparison.name = name.str();
  comparison.elements = result.numElements();
  std::string problem = compareTypes(result, answer);
  if (!problem.empty())
    return reject(std::move(comparison), std::move(problem));
  if (result.numElements() < 1000)
    return comparison;
  Distribution r(result), t(*answer.torch);
  if ((r.size() == 0) != (t.size() == 0))
    return reject(std::move(comparison),
                  "only one of the two has finite elements");
  if (r.size() == 0)
    return comparison;
  bool hasHeavyTails = t.kurtosis > t.size() / 20;
  problem = hasHeavyTails ? compareQuartiles(r, t) : compareMoments(r, t);
  return problem.empty() ? comparison
                         : reject(std::move(comparison), std::move(problem));
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

static std::string formatReal(double value, DType dtype) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value > 0 ? "inf" : "-inf";
  char text[40];
  bool isWhole = isInteger(dtype) || dtype == DType::Bool;
  int digits = isWhole || getSize(dtype) >= 8 ? 17 : 9;
  snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string formatNumber(Complex value, DType dtype) {
  if (!isComplex(dtype))
    return formatReal(value.real(), dtype);
  return formatReal(value.real(), dtype) +
         (std::signbit(value.imag()) ? "-" : "+") +
         formatReal(std::abs(value.imag()), dtype) + "j";
}

void printJson(const Comparison &c, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("name", c.name);
    json.attribute("agrees", c.agrees);
    json.attribute("elements", c.elements);
    json.attribute("differing", c.differing);
    if (c.agrees)
      return;
    json.attribute("message", c.message);
    if (c.differing == 0)
      return;
    json.attributeObject("worst", [&] {
      json.attributeArray("index", [&] {
        for (int64_t i : c.worstIndex)
          json.value(i);
      });
      json.attribute("result", formatNumber(c.worstResult, DType::Complex128));
      json.attribute("expected",
                     formatNumber(c.worstAnswer, DType::Complex128));
      if (std::isfinite(c.worstError))
        json.attribute("error", c.worstError);
      json.attribute("allowed", c.worstAllowed);
    });
  });
}

} // namespace adze
