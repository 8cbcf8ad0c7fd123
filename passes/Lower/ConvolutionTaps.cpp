//===- ConvolutionTaps.cpp - Which taps of a filter meet which pixels -----===//
//
// Along one dim an ordinary convolution has
//   in = out * stride - low + tap * dilation
// and a transposed one
//   out + low = in * stride + tap * dilation.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/ConvolutionKernel.h"

#include <numeric>

using namespace mlir;

namespace adze {

int64_t ConvolutionFrame::Dim::tapStep() const {
  return isTransposed ? stride / std::gcd(stride, dilation) : 1;
}

/// Those with 0 <= in < size.
ConvolutionFrame::Taps ConvolutionFrame::tapsAt(const Dim &dim, Value output) {
  if (dim.isTransposed)
    return transposedTapsAt(dim, output);
  Taps taps{b.constant(0), b.constant(dim.filter)};
  if (!dim.isPadded)
    return taps;
  Value above =
      b.sub(b.constant(dim.low), b.mul(output, b.constant(dim.stride)));
  Value below = b.add(above, frame.evaluate(dim.input));
  auto steps = [&](Value distance) {
    Value positive = b.max(distance, b.constant(0));
    Value up = b.add(positive, b.constant(dim.dilation - 1));
    return b.min(b.div(up, b.constant(dim.dilation)), b.constant(dim.filter));
  };
  taps.begin = steps(above);
  taps.end = steps(below);
  return taps;
}

/// x with factor * x = 1 modulo `modulus`, which has no divisor in common with
/// the factor.
static int64_t inverse(int64_t factor, int64_t modulus) {
  for (int64_t x = 0; x < modulus; ++x)
    if (factor % modulus * x % modulus == 1)
      return x;
  return 0; // modulo 1
}

/// The least tap such that `stride` divides out + low - tap * dilation; `none`
/// where there is no such tap.
Value ConvolutionFrame::firstTransposedTap(const Dim &dim, Value output,
                                           Value none) {
  int64_t divisor = std::gcd(dim.stride, dim.dilation), step = dim.tapStep();
  Value sum = b.add(output, b.constant(dim.low));
  Value rest = b.rem(b.div(sum, b.constant(divisor)), b.constant(step));
  Value factor = b.constant(inverse(dim.dilation / divisor, step));
  Value tap = b.rem(b.mul(rest, factor), b.constant(step));
  if (divisor == 1)
    return tap;
  Value divides =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                            b.rem(sum, b.constant(divisor)), b.constant(0));
  return arith::SelectOp::create(builder, loc, divides, tap, none);
}

/// Of those taps, the ones with 0 <= in < size: the sum is at least
/// tap * dilation and less than that plus size * stride.
ConvolutionFrame::Taps ConvolutionFrame::transposedTapsAt(const Dim &dim,
                                                          Value output) {
  Value dilation = b.constant(dim.dilation);
  Value sum = b.add(output, b.constant(dim.low));
  Value end =
      b.min(b.add(b.div(sum, dilation), b.constant(1)), b.constant(dim.filter));
  Value reach = b.mul(frame.evaluate(dim.input), b.constant(dim.stride));
  Value excess = b.max(b.add(b.sub(sum, reach), dilation), b.constant(0));
  Value least = b.div(excess, dilation);
  Value first = firstTransposedTap(dim, output, end);
  Taps taps{first, end, dim.tapStep()};
  Value missing = b.max(b.sub(least, first), b.constant(0));
  Value up = b.add(missing, b.constant(taps.step - 1));
  taps.begin = b.add(
      first, b.mul(b.div(up, b.constant(taps.step)), b.constant(taps.step)));
  return taps;
}

ConvolutionFrame::Taps ConvolutionFrame::columnTaps(const Row &row) {
  Value end = b.constant(columns.filter);
  if (!columns.isTransposed)
    return {b.constant(0), end};
  return {firstTransposedTap(columns, row.phase, end), end, columns.tapStep()};
}

/// For a tap that meets the image.
Value ConvolutionFrame::inputAt(const Dim &dim, Value output, Value tap) {
  Value stride = b.constant(dim.stride), low = b.constant(dim.low);
  Value distance = b.mul(tap, b.constant(dim.dilation));
  if (dim.isTransposed)
    return b.div(b.sub(b.add(output, low), distance), stride);
  return b.add(b.mul(output, stride), b.sub(distance, low));
}

/// Pixels of a phase meet neighbouring columns. What is divided is a multiple
/// of the stride and may be negative: `ahead` columns make it positive.
Value ConvolutionFrame::inputColumn(const Row &row, Value pixel, Value tap) {
  Value stride = b.constant(columns.stride), low = b.constant(columns.low);
  Value distance = b.mul(tap, b.constant(columns.dilation));
  if (!columns.isTransposed)
    return b.add(b.mul(pixel, stride), b.sub(distance, low));
  int64_t ahead =
      llvm::divideCeil((columns.filter - 1) * columns.dilation, columns.stride);
  Value sum = b.sub(b.add(row.phase, low), distance);
  Value positive = b.add(sum, b.constant(ahead * columns.stride));
  return b.add(pixel, b.sub(b.div(positive, stride), b.constant(ahead)));
}

Value ConvolutionFrame::tapNumber(ArrayRef<Value> taps) {
  Value number = b.constant(0);
  for (auto [dim, tap] : llvm::zip(outer, taps))
    number = b.add(b.mul(number, b.constant(dim.filter)), tap);
  return b.add(b.mul(number, b.constant(columns.filter)), taps.back());
}

} // namespace adze
