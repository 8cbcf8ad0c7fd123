//===- ScanKernel.cpp - Cumulative operations -----------------------------===//
//
// One task per sequence: sequential along the dim, with the running value (and
// for arg_cumulative its position) in registers.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/KernelBuilders.h"
#include "passes/Lower/Reduce.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace adze {
namespace {

class ScanKernel {
public:
  ScanKernel(OpBuilder &builder, kernel::FuncOp kernel)
      : builder(builder), kernel(kernel), frame(builder, kernel),
        emitter(builder, frame) {
    for (Operation &op : kernel.getBody().front())
      if (isa<prim::CumulativeOp, prim::ArgCumulativeOp>(op))
        scan = &op;
    if (auto cumulative = dyn_cast<prim::CumulativeOp>(scan)) {
      kind = cumulative.getKind();
      dim = cumulative.getDim();
    } else {
      kind = cast<prim::ArgCumulativeOp>(scan).getKind();
      dim = cast<prim::ArgCumulativeOp>(scan).getDim();
    }
    element =
        cast<RankedTensorType>(scan->getOperand(0).getType()).getElementType();
  }

  void build();

private:
  void emitSequence(Value row);
  SmallVector<Element> step(Value position, Element next,
                            ArrayRef<Element> carried);
  Element init();
  Element logAddExp(Element a, Element b);

  OpBuilder &builder;
  kernel::FuncOp kernel;
  KernelFrame frame;
  ElementEmitter emitter;
  Operation *scan = nullptr;
  prim::ScanKind kind;
  int64_t dim;
  Type element;
};
} // namespace

static prim::Reduction reductionOf(prim::ScanKind kind) {
  switch (kind) {
  case prim::ScanKind::sum:
  case prim::ScanKind::logsumexp:
    return prim::Reduction::sum;
  case prim::ScanKind::prod:
    return prim::Reduction::prod;
  case prim::ScanKind::max:
    return prim::Reduction::max;
  case prim::ScanKind::min:
    return prim::Reduction::min;
  }
  llvm_unreachable("covered switch");
}

Element ScanKernel::init() {
  if (kind == prim::ScanKind::logsumexp)
    return {emitter.number(registerType(element),
                           -std::numeric_limits<double>::infinity())};
  return Accumulator(emitter, reductionOf(kind), element).init();
}

/// max + log1p(exp(min - max)); an infinite maximum is the result.
Element ScanKernel::logAddExp(Element a, Element b) {
  Location loc = kernel.getLoc();
  Value large = arith::MaximumFOp::create(builder, loc, a.value, b.value);
  Value small = arith::MinimumFOp::create(builder, loc, a.value, b.value);
  Value difference = arith::SubFOp::create(builder, loc, small, large);
  Value rest = math::Log1pOp::create(
      builder, loc, math::ExpOp::create(builder, loc, difference));
  Value sum = arith::AddFOp::create(builder, loc, large, rest);
  Value magnitude = math::AbsFOp::create(builder, loc, large);
  Value infinity =
      emitter.number(large.getType(), std::numeric_limits<double>::infinity());
  Value infinite = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OEQ, magnitude, infinity);
  return {arith::SelectOp::create(builder, loc, infinite, large, sum)};
}

/// carried: the running value, then the position of the best (arg only).
SmallVector<Element> ScanKernel::step(Value position, Element next,
                                      ArrayRef<Element> carried) {
  if (isa<prim::CumulativeOp>(scan)) {
    if (kind == prim::ScanKind::logsumexp)
      return {logAddExp(carried[0], next)};
    return {Accumulator(emitter, reductionOf(kind), element)
                .combine(carried[0], next)};
  }
  // The last of equal elements wins; NaN, once met, stays until the next NaN.
  Location loc = kernel.getLoc();
  bool largest = kind == prim::ScanKind::max;
  Value better;
  if (isa<FloatType>(element)) {
    using P = arith::CmpFPredicate;
    Value ordered = arith::CmpFOp::create(
        builder, loc, largest ? P::OGE : P::OLE, next.value, carried[0].value);
    Value nan =
        arith::CmpFOp::create(builder, loc, P::UNO, next.value, next.value);
    better = arith::OrIOp::create(builder, loc, ordered, nan);
  } else {
    using P = arith::CmpIPredicate;
    bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
    P predicate = largest ? (isUnsigned ? P::uge : P::sge)
                          : (isUnsigned ? P::ule : P::sle);
    better = arith::CmpIOp::create(builder, loc, predicate, next.value,
                                   carried[0].value);
  }
  return {{arith::SelectOp::create(builder, loc, better, next.value,
                                   carried[0].value)},
          {arith::SelectOp::create(builder, loc, better, position,
                                   carried[1].value)}};
}

void ScanKernel::emitSequence(Value row) {
  auto sizes = frame.sizes(scan->getResult(0));
  SmallVector<Value> outerSizes(sizes);
  outerSizes.erase(outerSizes.begin() + dim);
  Indices outer = emitter.delinearize(outerSizes, Index{row});
  Type resultElement =
      cast<RankedTensorType>(scan->getResult(0).getType()).getElementType();
  bool positions = isa<prim::ArgCumulativeOp>(scan);
  SmallVector<Element> inits{init()};
  if (positions)
    inits.push_back({emitter.index().constant(0)});
  emitter.emitLoop(sizes[dim], inits, [&](Value iv, ArrayRef<Element> carried) {
    Indices indices = outer;
    indices.insert(indices.begin() + dim, Index{iv});
    auto next = step(iv, emitter.emit(scan->getOperand(0), indices), carried);
    emitter.store(next.back(), frame.result(0), sizes, indices, resultElement);
    return next;
  });
}

void ScanKernel::build() {
  sym::Shape shape = sym::shapeOf(scan->getResult(0));
  sym::Expr length = shape[dim];
  shape.erase(shape.begin() + dim);
  auto loop = scf::ForOp::create(builder, kernel.getLoc(), frame.begin(),
                                 frame.end(), emitter.index().constant(1));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    ElementEmitter::Scope scope(emitter);
    emitSequence(loop.getInductionVar());
  }
  frame.finish(builder, sym::product(builder.getContext(), shape), length);
}

void buildScanKernel(OpBuilder &builder, kernel::FuncOp kernel) {
  OpBuilder::InsertionGuard guard(builder);
  ScanKernel(builder, kernel).build();
}

} // namespace adze
