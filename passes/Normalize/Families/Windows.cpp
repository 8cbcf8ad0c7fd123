//===- Windows.cpp - hann, hamming, bartlett, blackman, kaiser ------------===//

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;

/// Positions of the elements of a window and its last position: a periodic
/// window is one element longer than what is kept.
struct Window {
  Value positions;
  int64_t last;
};

static Window windowOf(CallContext &c) {
  bool periodic = c.isNone("periodic") || c.flag("periodic");
  Type type = opmathType(c.resultElement(0));
  return {c.b.iota(c.resultShape(0), 0, type),
          c.integer("window_length") - !periodic};
}

/// Windows of length 0 and 1 are no formula's business.
static LogicalResult
decomposeWindow(CallContext &c, function_ref<Value(const Window &)> formula) {
  if (!isFloat(c.resultElement(0)) || c.resultType(0).getRank() != 1)
    return c.emitUnsupported("a window of this type");
  if (c.integer("window_length") < 2)
    return c.setResult(0, c.b.full(c.resultShape(0), 1, c.resultElement(0)));
  return c.setResult(0, c.b.convert(formula(windowOf(c)), c.resultElement(0)));
}

static Value cosine(CallContext &c, const Window &window, double turns,
                    double factor) {
  Value angle =
      c.b.mul(window.positions, turns * 2 * M_PI / double(window.last));
  return c.b.mul(c.b.unary<prim::CosOp>(angle), factor);
}

static LogicalResult raisedCosine(CallContext &c, double alpha, double beta) {
  return decomposeWindow(c, [&](const Window &window) {
    return c.b.add(cosine(c, window, 1, -beta), alpha);
  });
}

static LogicalResult decomposeHann(CallContext &c) {
  return raisedCosine(c, 0.5, 0.5);
}

static LogicalResult decomposeHamming(CallContext &c) {
  return raisedCosine(c, c.optNumber("alpha").value_or(0.54),
                      c.optNumber("beta").value_or(0.46));
}

static LogicalResult decomposeBlackman(CallContext &c) {
  return decomposeWindow(c, [&](const Window &window) {
    Value first = cosine(c, window, 2, 0.08),
          second = cosine(c, window, 1, 0.5);
    return c.b.add(c.b.sub(first, second), 0.42);
  });
}

static LogicalResult decomposeBartlett(CallContext &c) {
  return decomposeWindow(c, [&](const Window &window) {
    Value rise = c.b.mul(window.positions, 2 / double(window.last));
    Value fall = c.b.sub(c.b.fullLike(rise, 2), rise);
    return c.b.min(rise, fall);
  });
}

static LogicalResult decomposeKaiser(CallContext &c) {
  return decomposeWindow(c, [&](const Window &window) {
    double beta = c.optNumber("beta").value_or(12.0);
    // beta * sqrt(1 - (2 i / last - 1)^2)
    Value x = c.b.sub(c.b.mul(window.positions, 2 / double(window.last)), 1.0);
    Value square = c.b.mul(c.b.sub(c.b.mul(x, x), 1.0), -beta * beta);
    Value argument = c.b.sqrt(c.b.max(square, c.b.fullLike(square, 0)));
    Value norm = c.b.special(prim::SpecialUnaryKind::i0,
                             c.b.scalar(beta, c.b.elementOf(x)));
    return c.b.div(c.b.special(prim::SpecialUnaryKind::i0, argument), norm);
  });
}

void normalize::registerWindowsDecompositions(DecompositionTable &table) {
  for (StringRef overload : {"default", "periodic"}) {
    table.add(("aten.hann_window." + overload).str(), decomposeHann);
    table.add(("aten.hamming_window." + overload).str(), decomposeHamming);
    table.add(("aten.blackman_window." + overload).str(), decomposeBlackman);
    table.add(("aten.bartlett_window." + overload).str(), decomposeBartlett);
    table.add(("aten.kaiser_window." + overload).str(), decomposeKaiser);
  }
  table.add("aten.hamming_window.periodic_alpha", decomposeHamming);
  table.add("aten.hamming_window.periodic_alpha_beta", decomposeHamming);
  table.add("aten.kaiser_window.beta", decomposeKaiser);
}
