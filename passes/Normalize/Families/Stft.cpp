//===- Stft.cpp - stft, istft ---------------------------------------------===//

#include "passes/Normalize/Families/Fourier.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

struct Frames {
  int64_t size = 0, hop = 0, window = 0;
};

static FailureOr<Frames> readFrames(CallContext &c) {
  Frames f;
  f.size = c.integer("n_fft");
  f.hop = c.optInteger("hop_length").value_or(f.size / 4);
  f.window = c.optInteger("win_length").value_or(f.size);
  if (f.size < 1 || f.hop < 1 || f.window < 1 || f.window > f.size)
    return c.emitInvalid(
        "expected positive lengths, and a window within a frame");
  if (auto window = c.optTensor("window"))
    if (c.b.rankOf(*window) != 1)
      return c.emitInvalid("expected a window of rank 1");
  return f;
}

/// The window in the middle of a frame, zeros around it; null if there is none.
static Value windowOf(CallContext &c, const Frames &f, Type element) {
  auto given = c.optTensor("window");
  if (!given && f.window == f.size)
    return Value();
  Value window = given ? c.b.convert(*given, element)
                       : c.b.full({c.b.expr(f.window)}, 1, element);
  int64_t left = (f.size - f.window) / 2;
  return c.b.pad(window, c.b.scalar(0, element), {c.b.expr(left)},
                 {c.b.expr(f.size - f.window - left)});
}

/// `[frames, size]` positions of a signal.
static Value framePositions(PrimBuilder &b, const Frames &f, Expr count) {
  Shape shape = {count, b.expr(f.size)};
  Value start =
      b.mul(b.iota(shape, 0, indexType(b)), b.scalarInt(f.hop, indexType(b)));
  return b.add(start, b.iota(shape, 1, indexType(b)));
}

static Value asRealPairs(PrimBuilder &b, Value value) {
  Value re = prim::RealOp::create(b.getBuilder(), b.getLoc(), value);
  Value im = prim::ImagOp::create(b.getBuilder(), b.getLoc(), value);
  int64_t rank = b.rankOf(value);
  return b.concat({b.unsqueeze(re, rank), b.unsqueeze(im, rank)}, rank);
}

//===----------------------------------------------------------------------===//
// stft
//===----------------------------------------------------------------------===//

/// Reflects half a frame at both ends.
static Value padSignal(PrimBuilder &b, Value x, int64_t amount, bool reflect) {
  Expr size = b.shapeOf(x)[1], extra = b.expr(amount);
  if (!reflect)
    return b.pad(x, b.scalar(0, b.elementOf(x)), {b.expr(0), extra},
                 {b.expr(0), extra});
  Value left = b.reverse(b.slice(x, 1, b.expr(1), extra), {1});
  Expr from = sym::sub(sym::sub(size, extra), b.expr(1));
  Value right = b.reverse(b.slice(x, 1, from, extra), {1});
  return b.concat({left, x, right}, 1);
}

/// [batch, length] -> [batch, frequencies, frames]
static FailureOr<Value> spectrum(CallContext &c, Value x, const Frames &f,
                                 bool onesided) {
  Expr length = c.b.shapeOf(x)[1];
  Expr count = sym::add(
      sym::floorDiv(sym::sub(length, c.b.expr(f.size)), c.b.expr(f.hop)),
      c.b.expr(1));
  if (auto value = sym::asConstant(length); value && *value < f.size)
    return c.emitInvalid("expected a signal of at least one frame");
  Value frames = c.b.indexSelect(x, 1, framePositions(c.b, f, count));
  if (Value window = windowOf(c, f, c.b.elementOf(x)))
    frames = c.b.mul(frames, window);
  Value result = transform(c.b, asComplex(c.b, frames), 2, /*inverse=*/false);
  if (onesided)
    result = firstHalf(c.b, result, 2);
  if (c.flag("normalized"))
    result = scaleBy(c.b, result, FourierScale::ByRoot, c.b.expr(f.size));
  return c.b.swapDims(result, 1, 2);
}

static LogicalResult decomposeStft(CallContext &c) {
  Value self = c.tensor("self");
  FailureOr<Frames> f = readFrames(c);
  if (failed(f))
    return failure();
  bool single = c.b.rankOf(self) == 1;
  if (!single && c.b.rankOf(self) != 2)
    return c.emitInvalid("expected a signal of rank 1 or 2");
  if (isReducedFloat(c.b.elementOf(self)))
    return c.emitUnsupported("a Fourier transform in half precision");
  Value x = single ? c.b.unsqueeze(self, 0) : self;
  if (c.has("center") && c.flag("center")) {
    StringRef mode = c.text("pad_mode");
    if (mode != "reflect" && mode != "constant")
      return c.emitUnsupported("padding mode '" + mode + "'");
    x = padSignal(c.b, x, f->size / 2, mode == "reflect");
  }
  bool isReal = !isComplex(c.b.elementOf(self));
  bool onesided = c.has("onesided") ? c.flag("onesided") : isReal;
  FailureOr<Value> result = spectrum(c, x, *f, onesided);
  if (failed(result))
    return failure();
  Value shaped = single ? c.b.squeeze(*result, 0) : *result;
  bool asPairs = !isComplex(c.resultElement(0));
  return c.setResult(0, asPairs ? asRealPairs(c.b, shaped) : shaped);
}

//===----------------------------------------------------------------------===//
// istft
//===----------------------------------------------------------------------===//

/// Adds up overlapping frames `[batch, frames, size]` to `[batch, length]`.
static Value overlapAdd(PrimBuilder &b, Value frames, const Frames &f,
                        Expr length) {
  Shape shape = b.shapeOf(frames);
  Value zeros = b.full({shape[0], length}, 0, b.elementOf(frames));
  return indexPut(b, prim::ScatterKind::add, zeros, frames,
                  framePositions(b, f, shape[1]), {1}, 1);
}

/// Which part of the overlapped signal is the result.
static std::pair<Expr, Expr> keptPart(CallContext &c, const Frames &f,
                                      Expr total) {
  Expr start = c.b.expr(c.flag("center") ? f.size / 2 : 0);
  Expr size =
      sym::sub(total, c.flag("center") ? sym::mul(c.b.expr(2), start) : start);
  if (auto length = c.optInteger("length"))
    size = c.b.expr(*length);
  return {start, size};
}

static LogicalResult decomposeIstft(CallContext &c) {
  Value self = c.tensor("self");
  FailureOr<Frames> f = readFrames(c);
  if (failed(f))
    return failure();
  bool single = c.b.rankOf(self) == 2;
  if ((!single && c.b.rankOf(self) != 3) || !isComplex(c.b.elementOf(self)))
    return c.emitInvalid("expected a complex tensor of rank 2 or 3");
  if (c.flag("return_complex"))
    return c.emitUnsupported("a complex result");
  Value x = c.b.swapDims(single ? c.b.unsqueeze(self, 0) : self, 1, 2);
  Value frames = realInverse(c.b, x, 2, c.b.expr(f->size));
  auto scale =
      c.flag("normalized") ? FourierScale::ByRoot : FourierScale::ByCount;
  frames = scaleBy(c.b, frames, scale, c.b.expr(f->size));
  Type element = c.b.elementOf(frames);
  Value window = windowOf(c, *f, element);
  if (!window)
    window = c.b.full({c.b.expr(f->size)}, 1, element);
  Expr count = c.b.shapeOf(frames)[1];
  Expr total =
      sym::add(c.b.expr(f->size),
               sym::mul(sym::sub(count, c.b.expr(1)), c.b.expr(f->hop)));
  Value sum = overlapAdd(c.b, c.b.mul(frames, window), *f, total);
  Value squares = c.b.broadcast(c.b.mul(window, window),
                                {c.b.expr(1), count, c.b.expr(f->size)});
  Value envelope = overlapAdd(c.b, squares, *f, total);
  auto [start, size] = keptPart(c, *f, total);
  Expr available = sym::min(size, sym::sub(total, start));
  Value kept = c.b.div(c.b.slice(sum, 1, start, available),
                       c.b.slice(envelope, 1, start, available));
  kept = resizeDim(c.b, kept, 1, size);
  return c.setResult(0, single ? c.b.squeeze(kept, 0) : kept);
}

void normalize::registerStftDecompositions(DecompositionTable &table) {
  table.add("aten.stft.default", decomposeStft);
  table.add("aten.stft.center", decomposeStft);
  table.add("aten.istft.default", decomposeIstft);
}
