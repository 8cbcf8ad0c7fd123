//===- Science.cpp - Random numbers and Fourier transforms ---------------===//

#include "Rules.h"

#include "adze/Support/Philox.h"

#include <cmath>

using namespace mlir;

namespace adze::interp {

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// Fills a tensor two by two: draw(a, b) gives the elements of a block.
template <typename T, typename Draw>
static void fillBlocks(prim::RandomOp op, const Tensor &key, Tensor &result,
                       Draw &&draw) {
  int64_t seed = key.data<int64_t>()[0], call = key.data<int64_t>()[1];
  T *out = result.mutableData<T>();
  for (int64_t i = 0; i < result.count(); i += 2) {
    auto [a, b] =
        philox::randomBlock(uint64_t(i) / 2, seed, call, op.getStream());
    std::pair<T, T> drawn = draw(a, b);
    out[i] = drawn.first;
    if (i + 1 < result.count())
      out[i + 1] = drawn.second;
  }
}

static LogicalResult random(prim::RandomOp op, Evaluator &evaluator,
                            Operands operands, Results &results) {
  auto result = evaluator.allocate(op.getType());
  if (failed(result))
    return failure();
  if (operands[0].count() != 2)
    return evaluator.fail("expects a key of seed and call number, but found " +
                          operands[0].describe());
  if (op.getDistribution() == prim::Distribution::bits) {
    fillBlocks<int64_t>(op, operands[0], *result, [](uint64_t a, uint64_t b) {
      return std::pair<int64_t, int64_t>(a >> 1, b >> 1);
    });
  } else {
    // The type's own precision even where nothing is rounded: the same draws.
    FloatFormat format(cast<FloatType>(result->element()));
    Store store(evaluator, result->element());
    bool uniform = op.getDistribution() == prim::Distribution::uniform;
    int precision = format.fraction() + 1;
    fillBlocks<double>(op, operands[0], *result, [&](uint64_t a, uint64_t b) {
      if (uniform)
        return std::pair(philox::uniformOf(a, precision),
                         philox::uniformOf(b, precision));
      auto [x, y] = philox::normalsOf(a, b);
      return std::pair(store(x), store(y));
    });
  }
  results.push_back(*result);
  return success();
}

//===----------------------------------------------------------------------===//
// Fourier transform
//===----------------------------------------------------------------------===//

static int64_t leastFactor(int64_t n) {
  for (int64_t factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0)
      return factor;
  return n;
}

/// exp(sign 2 pi i k / n)
static Complex rootOfUnity(int64_t k, int64_t n, double sign) {
  double angle = sign * 2 * 3.14159265358979323846 * double(k % n) / double(n);
  return {std::cos(angle), std::sin(angle)};
}

/// Cooley and Tukey for any factor: the transforms of every p-th element, put
/// together.
static std::vector<Complex> transform(const Complex *in, int64_t n,
                                      int64_t step, double sign) {
  if (n <= 1)
    return std::vector<Complex>(in, in + n);
  int64_t p = leastFactor(n), m = n / p;
  std::vector<std::vector<Complex>> parts;
  for (int64_t r = 0; r < p; ++r)
    parts.push_back(transform(in + r * step, m, step * p, sign));
  std::vector<Complex> out(n);
  for (int64_t k = 0; k < n; ++k)
    for (int64_t r = 0; r < p; ++r)
      out[k] += parts[r][k % m] * rootOfUnity(r * k, n, sign);
  return out;
}

static LogicalResult fft(prim::FftOp op, Evaluator &evaluator,
                         Operands operands, Results &results) {
  Tensor result = operands[0];
  Store store(evaluator, result.element());
  Lines lines(result.sizes(), op.getDim());
  const Complex *in = operands[0].data<Complex>();
  Complex *out = result.mutableData<Complex>();
  double sign = op.getInverse() ? 1 : -1;
  lines.forEach([&](int64_t start) {
    auto line = transform(in + start, lines.length, lines.inner, sign);
    for (int64_t i = 0; i < lines.length; ++i)
      out[start + i * lines.inner] = store(line[i]);
  });
  results.push_back(result);
  return success();
}

void addScienceRules(MLIRContext *context) {
  addRule<prim::RandomOp, random>(context);
  addRule<prim::FftOp, fft>(context);
}

} // namespace adze::interp
