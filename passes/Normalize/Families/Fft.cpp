//===- Fft.cpp - fft_* and _fft_* -----------------------------------------===//

#include "passes/Normalize/Families/Fourier.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Shared with stft
//===----------------------------------------------------------------------===//

Value normalize::asComplex(PrimBuilder &b, Value value) {
  Type element = floatTypeFor(b.elementOf(value));
  if (!isComplex(element))
    element = ComplexType::get(opmathType(element));
  return b.convert(value, element);
}

Value normalize::resizeDim(PrimBuilder &b, Value value, int64_t dim,
                           Expr size) {
  Expr own = b.shapeOf(value)[dim];
  if (own == size)
    return value;
  Expr kept = sym::min(own, size);
  if (kept != own)
    value = b.slice(value, dim, b.expr(0), kept);
  Shape low(b.rankOf(value), b.expr(0)), high = low;
  high[dim] = sym::sub(size, kept);
  return b.pad(value, b.scalar(0, b.elementOf(value)), low, high);
}

Value normalize::scaleBy(PrimBuilder &b, Value value, FourierScale scale,
                         Expr count) {
  if (scale == FourierScale::None)
    return value;
  Type real = realPartType(b.elementOf(value));
  Value n = b.convert(sizeValue(b, count), real);
  Value divisor = scale == FourierScale::ByRoot ? b.sqrt(n) : n;
  return b.mul(
      value, b.convert(b.div(b.scalar(1, real), divisor), b.elementOf(value)));
}

Value normalize::transform(PrimBuilder &b, Value value, int64_t dim,
                           bool inverse) {
  return prim::FftOp::create(b.getBuilder(), b.getLoc(), value.getType(), value,
                             dim, inverse);
}

Value normalize::firstHalf(PrimBuilder &b, Value value, int64_t dim) {
  Expr size = b.shapeOf(value)[dim];
  Expr half = sym::add(sym::floorDiv(size, b.expr(2)), b.expr(1));
  return b.slice(value, dim, b.expr(0), half);
}

Value normalize::realInverse(PrimBuilder &b, Value half, int64_t dim,
                             Expr size) {
  Expr count = sym::add(sym::floorDiv(size, b.expr(2)), b.expr(1));
  Value head = resizeDim(b, half, dim, count);
  // Element n - k is the conjugate of element k.
  Value mirrored = b.slice(head, dim, b.expr(1), sym::sub(size, count));
  Value tail = conjugate(b, b.reverse(mirrored, {dim}));
  Value whole =
      transform(b, b.concat({head, tail}, dim), dim, /*inverse=*/true);
  return prim::RealOp::create(b.getBuilder(), b.getLoc(), whole);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The dims that are transformed, with the sizes they are given first.
struct FourierDims {
  SmallVector<int64_t> dims;
  SmallVector<std::optional<Expr>> sizes;
};

static LogicalResult checkOperand(CallContext &c, Value self) {
  if (c.b.rankOf(self) == 0)
    return c.emitInvalid("expected a tensor of rank 1 or more");
  if (isReducedFloat(c.b.elementOf(self)))
    return c.emitUnsupported("a Fourier transform in half precision");
  return success();
}

/// `n` and `dim`.
static FourierDims readOne(CallContext &c, Value self) {
  return {{c.dim("dim", c.b.rankOf(self))}, {c.optSize("n")}};
}

/// `s` and `dim`, of which each may be missing.
static FailureOr<FourierDims> readMany(CallContext &c, Value self) {
  int64_t rank = c.b.rankOf(self);
  FourierDims result;
  Shape sizes = c.sizes("s");
  if (c.has("dim"))
    result.dims = c.dims("dim", rank);
  else if (c.has("s") && int64_t(sizes.size()) <= rank)
    result.dims = dimRange(rank - sizes.size(), sizes.size());
  else
    result.dims = dimRange(0, rank);
  result.sizes.resize(result.dims.size());
  if (c.isNone("s"))
    return result;
  if (sizes.size() != result.dims.size())
    return c.emitInvalid("expected one size for each dim");
  for (auto [given, size] : llvm::zip(sizes, result.sizes))
    if (!sym::isConstant(given, -1))
      size = given;
  return result;
}

/// "backward" scales the inverse, "forward" the other, "ortho" both.
static FailureOr<FourierScale> readScale(CallContext &c, bool inverse) {
  StringRef norm = c.text("norm");
  if (norm == "ortho")
    return FourierScale::ByRoot;
  if (norm.empty() || norm == "backward")
    return inverse ? FourierScale::ByCount : FourierScale::None;
  if (norm == "forward")
    return inverse ? FourierScale::None : FourierScale::ByCount;
  return c.emitInvalid("normalization '" + norm + "'");
}

/// The product of the sizes of some dims.
static Expr countOf(PrimBuilder &b, Value value, ArrayRef<int64_t> dims) {
  Expr count = b.expr(1);
  for (int64_t dim : dims)
    count = sym::mul(count, b.shapeOf(value)[dim]);
  return count;
}

static Value resized(PrimBuilder &b, Value value, const FourierDims &dims) {
  for (auto [dim, size] : llvm::zip(dims.dims, dims.sizes))
    if (size)
      value = resizeDim(b, value, dim, *size);
  return value;
}

static Value transformAll(PrimBuilder &b, Value value, ArrayRef<int64_t> dims,
                          bool inverse) {
  for (int64_t dim : dims)
    value = transform(b, value, dim, inverse);
  return value;
}

//===----------------------------------------------------------------------===//
// Kinds of transforms
//===----------------------------------------------------------------------===//

/// fft, ifft
static LogicalResult complexTransform(CallContext &c, Value self,
                                      const FourierDims &dims, bool inverse) {
  FailureOr<FourierScale> scale = readScale(c, inverse);
  if (failed(scale))
    return failure();
  Value x = resized(c.b, asComplex(c.b, self), dims);
  Value result = transformAll(c.b, x, dims.dims, inverse);
  return c.setResult(0,
                     scaleBy(c.b, result, *scale, countOf(c.b, x, dims.dims)));
}

/// rfft, ihfft: half of the spectrum along the last of the dims.
static LogicalResult realToComplex(CallContext &c, Value self,
                                   const FourierDims &dims, bool inverse) {
  FailureOr<FourierScale> scale = readScale(c, inverse);
  if (failed(scale))
    return failure();
  if (isComplex(c.b.elementOf(self)) || dims.dims.empty())
    return c.emitInvalid("expected a real tensor and at least one dim");
  Value x = asComplex(c.b, resized(c.b, self, dims));
  Value half = firstHalf(c.b, transform(c.b, x, dims.dims.back(), inverse),
                         dims.dims.back());
  Value result =
      transformAll(c.b, half, ArrayRef(dims.dims).drop_back(), inverse);
  return c.setResult(0,
                     scaleBy(c.b, result, *scale, countOf(c.b, x, dims.dims)));
}

/// irfft, hfft: a real result from half of the spectrum along the last dim.
static LogicalResult complexToReal(CallContext &c, Value self, FourierDims dims,
                                   bool inverse) {
  FailureOr<FourierScale> scale = readScale(c, inverse);
  if (failed(scale))
    return failure();
  if (dims.dims.empty())
    return c.emitInvalid("expected at least one dim");
  int64_t last = dims.dims.pop_back_val();
  std::optional<Expr> given = dims.sizes.pop_back_val();
  Value x = asComplex(c.b, self);
  Expr size = given.value_or(
      sym::mul(c.b.expr(2), sym::sub(c.b.shapeOf(self)[last], c.b.expr(1))));
  x = resizeDim(c.b, x, last,
                sym::add(sym::floorDiv(size, c.b.expr(2)), c.b.expr(1)));
  x = transformAll(c.b, resized(c.b, x, dims), dims.dims, inverse);
  Expr count = sym::mul(size, countOf(c.b, x, dims.dims));
  // A forward transform is the inverse one of the conjugate.
  Value result = realInverse(c.b, inverse ? x : conjugate(c.b, x), last, size);
  return c.setResult(0, scaleBy(c.b, result, *scale, count));
}

enum class FourierKind { Complex, RealToComplex, ComplexToReal };

static LogicalResult run(CallContext &c, Value self, const FourierDims &dims,
                         FourierKind kind, bool inverse) {
  if (kind == FourierKind::Complex)
    return complexTransform(c, self, dims, inverse);
  if (kind == FourierKind::RealToComplex)
    return realToComplex(c, self, dims, inverse);
  return complexToReal(c, self, dims, inverse);
}

template <FourierKind kind, bool inverse>
static LogicalResult decomposeOne(CallContext &c) {
  Value self = c.tensor("self");
  if (failed(checkOperand(c, self)))
    return failure();
  return run(c, self, readOne(c, self), kind, inverse);
}

template <FourierKind kind, bool inverse>
static LogicalResult decomposeMany(CallContext &c) {
  Value self = c.tensor("self");
  if (failed(checkOperand(c, self)))
    return failure();
  FailureOr<FourierDims> dims = readMany(c, self);
  return failed(dims) ? failure() : run(c, self, *dims, kind, inverse);
}

//===----------------------------------------------------------------------===//
// _fft_c2c, _fft_r2c, _fft_c2r
//===----------------------------------------------------------------------===//

static FourierScale scaleByNumber(int64_t number) {
  return number == 0   ? FourierScale::None
         : number == 1 ? FourierScale::ByRoot
                       : FourierScale::ByCount;
}

static LogicalResult decomposeC2c(CallContext &c) {
  Value self = c.tensor("self");
  SmallVector<int64_t> dims = c.dims("dim", c.b.rankOf(self));
  if (failed(checkOperand(c, self)) || !isComplex(c.b.elementOf(self)))
    return c.emitInvalid("expected a complex tensor");
  Value result = transformAll(c.b, self, dims, !c.flag("forward"));
  FourierScale scale = scaleByNumber(c.integer("normalization"));
  return c.setResult(0, scaleBy(c.b, result, scale, countOf(c.b, self, dims)));
}

static LogicalResult decomposeR2c(CallContext &c) {
  Value self = c.tensor("self");
  SmallVector<int64_t> dims = c.dims("dim", c.b.rankOf(self));
  if (failed(checkOperand(c, self)) || dims.empty())
    return c.emitInvalid("expected a dim");
  Value result =
      transform(c.b, asComplex(c.b, self), dims.back(), /*inverse=*/false);
  if (c.flag("onesided"))
    result = firstHalf(c.b, result, dims.back());
  result =
      transformAll(c.b, result, ArrayRef(dims).drop_back(), /*inverse=*/false);
  FourierScale scale = scaleByNumber(c.integer("normalization"));
  return c.setResult(0, scaleBy(c.b, result, scale, countOf(c.b, self, dims)));
}

static LogicalResult decomposeC2r(CallContext &c) {
  Value self = c.tensor("self");
  SmallVector<int64_t> dims = c.dims("dim", c.b.rankOf(self));
  if (failed(checkOperand(c, self)) || dims.empty() ||
      !isComplex(c.b.elementOf(self)))
    return c.emitInvalid("expected a complex tensor and a dim");
  Expr size = c.size("last_dim_size");
  int64_t last = dims.pop_back_val();
  Value x = transformAll(c.b, self, dims, /*inverse=*/true);
  Value result = realInverse(c.b, x, last, size);
  Expr count = sym::mul(size, countOf(c.b, self, dims));
  return c.setResult(
      0,
      scaleBy(c.b, result, scaleByNumber(c.integer("normalization")), count));
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// Rotates by `shift` places towards the end.
static Value rotate(PrimBuilder &b, Value x, int64_t dim, Expr shift) {
  Expr size = b.shapeOf(x)[dim], rest = sym::sub(size, shift);
  return b.concat(
      {b.slice(x, dim, rest, shift), b.slice(x, dim, b.expr(0), rest)}, dim);
}

static LogicalResult decomposeShift(CallContext &c, bool inverse) {
  Value self = c.tensor("self");
  int64_t rank = c.b.rankOf(self);
  SmallVector<int64_t> dims =
      c.has("dim") ? c.dims("dim", rank) : dimRange(0, rank);
  if (rank == 0)
    return c.setResult(0, self);
  for (int64_t dim : dims) {
    Expr size = c.b.shapeOf(self)[dim];
    Expr shift = sym::floorDiv(inverse ? sym::add(size, c.b.expr(1)) : size,
                               c.b.expr(2));
    self = rotate(c.b, self, dim, shift);
  }
  return c.setResult(0, self);
}

static LogicalResult decomposeFftShift(CallContext &c) {
  return decomposeShift(c, false);
}
static LogicalResult decomposeIfftShift(CallContext &c) {
  return decomposeShift(c, true);
}

/// 0, 1, ..., -2, -1, or the first half of it, over n d.
static LogicalResult decomposeFrequencies(CallContext &c, bool half) {
  int64_t n = c.integer("n");
  Type element = c.resultElement(0), wide = opmathType(element);
  Expr count = c.b.expr(half ? n / 2 + 1 : n);
  Value steps = arange(c.b, count);
  if (!half) {
    Value isNegative =
        c.b.compare(prim::Comparison::ge, steps, double((n + 1) / 2));
    Value shifted = c.b.sub(steps, c.b.scalarInt(n, indexType(c.b)));
    steps = c.b.where(isNegative, shifted, steps);
  }
  Value result =
      c.b.mul(c.b.convert(steps, wide), 1 / (double(n) * c.number("d")));
  return c.setResult(0, c.b.convert(result, element));
}

static LogicalResult decomposeFftfreq(CallContext &c) {
  return decomposeFrequencies(c, false);
}
static LogicalResult decomposeRfftfreq(CallContext &c) {
  return decomposeFrequencies(c, true);
}

template <FourierKind kind, bool inverse>
static void addKind(DecompositionTable &table, StringRef name) {
  table.add(("aten.fft_" + name + ".default").str(),
            decomposeOne<kind, inverse>);
  table.add(("aten.fft_" + name + "2.default").str(),
            decomposeMany<kind, inverse>);
  table.add(("aten.fft_" + name + "n.default").str(),
            decomposeMany<kind, inverse>);
}

void normalize::registerFftDecompositions(DecompositionTable &table) {
  addKind<FourierKind::Complex, false>(table, "fft");
  addKind<FourierKind::Complex, true>(table, "ifft");
  addKind<FourierKind::RealToComplex, false>(table, "rfft");
  addKind<FourierKind::RealToComplex, true>(table, "ihfft");
  addKind<FourierKind::ComplexToReal, true>(table, "irfft");
  addKind<FourierKind::ComplexToReal, false>(table, "hfft");
  table.add("aten._fft_c2c.default", decomposeC2c);
  table.add("aten._fft_r2c.default", decomposeR2c);
  table.add("aten._fft_c2r.default", decomposeC2r);
  table.add("aten.fft_fftshift.default", decomposeFftShift);
  table.add("aten.fft_ifftshift.default", decomposeIfftShift);
  table.add("aten.fft_fftfreq.default", decomposeFftfreq);
  table.add("aten.fft_rfftfreq.default", decomposeRfftfreq);
}
