//===- VectorMath.cpp - Functions of f32 without calls --------------------===//
//
// exp, erf and tanh of f32, scalars or vectors, as polynomials: libm's would
// be called lane by lane. They are within 1 (exp) and 4 (erf, tanh) units in
// the last place.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_VECTORMATH
#include "passes/Lower/Passes.h.inc"

namespace {

/// 2^n * e^r, where x = n ln 2 + r and |r| <= ln 2 / 2.
struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, expand(b, op.getOperand()));
    return success();
  }

  static Value number(ImplicitLocOpBuilder &b, Type type, double value) {
    TypedAttr attr = b.getF32FloatAttr(value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = SplatElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(b, attr);
  }
  static Type integerLike(ImplicitLocOpBuilder &b, Type type) {
    if (auto vector = dyn_cast<VectorType>(type))
      return VectorType::get(vector.getShape(), b.getI32Type());
    return b.getI32Type();
  }
  /// An integer for arithmetic on the bits of `type`.
  static Value integer(ImplicitLocOpBuilder &b, Type type, int32_t value) {
    TypedAttr attr = b.getI32IntegerAttr(value);
    if (auto vector = dyn_cast<VectorType>(integerLike(b, type)))
      attr = SplatElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(b, attr);
  }
  /// NaN stays: it is neither below nor above.
  static Value clamp(ImplicitLocOpBuilder &b, Value x, double low,
                     double high) {
    Value least = number(b, x.getType(), low),
          most = number(b, x.getType(), high);
    Value below = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, least);
    x = arith::SelectOp::create(b, below, least, x);
    Value above = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, x, most);
    return arith::SelectOp::create(b, above, most, x);
  }

  static Value polynomial(ImplicitLocOpBuilder &b, Value r) {
    constexpr double coefficients[] = {1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6,
                                       0.5,       1,         1};
    Value sum = number(b, r.getType(), coefficients[0]);
    for (double coefficient : llvm::drop_begin(coefficients))
      sum = math::FmaOp::create(b, sum, r, number(b, r.getType(), coefficient));
    return sum;
  }

  /// 2^n for -126 <= n <= 127
  static Value powerOfTwo(ImplicitLocOpBuilder &b, Value n, Type type) {
    Value biased = arith::AddIOp::create(b, n, integer(b, type, 127));
    Value bits = arith::ShLIOp::create(b, biased, integer(b, type, 23));
    return arith::BitcastOp::create(b, type, bits);
  }

  static Value expand(ImplicitLocOpBuilder &b, Value x) {
    Type type = x.getType();
    x = clamp(b, x, -105, 90);
    // Adding this number rounds to an integer, which stands in the low bits.
    constexpr double shift = 12582912; // 1.5 * 2^23
    Value t = math::FmaOp::create(b, x, number(b, type, 1.4426950408889634),
                                  number(b, type, shift));
    Value whole = arith::SubFOp::create(b, t, number(b, type, shift));
    Value r =
        math::FmaOp::create(b, whole, number(b, type, -0.693145751953125), x);
    r = math::FmaOp::create(b, whole, number(b, type, -1.428606765330187e-06),
                            r);
    Value bits = arith::BitcastOp::create(b, integerLike(b, type), t);
    Value n = arith::SubIOp::create(b, bits, integer(b, type, 0x4b400000));
    // In two steps, as results reach from the denormal numbers to infinity.
    Value half = arith::ShRSIOp::create(b, n, integer(b, type, 1));
    Value rest = arith::SubIOp::create(b, n, half);
    Value scaled =
        arith::MulFOp::create(b, polynomial(b, r), powerOfTwo(b, half, type));
    return arith::MulFOp::create(b, scaled, powerOfTwo(b, rest, type));
  }
};

/// A fused product where the machine has one; never a call.
struct RelaxFma : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FMulAddOp>(op, op.getA(), op.getB(),
                                                 op.getC());
    return success();
  }
};

struct VectorMath : impl::VectorMathBase<VectorMath> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet expand(&getContext());
    expand.add<ExpandExp>(&getContext());
    populateMathPolynomialApproximationPatterns(expand, [](StringRef name) {
      return name == math::ErfOp::getOperationName() ||
             name == math::TanhOp::getOperationName();
    });
    RewritePatternSet relax(&getContext());
    relax.add<RelaxFma>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(expand))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(relax))))
      signalPassFailure();
  }
};
} // namespace
} // namespace adze
