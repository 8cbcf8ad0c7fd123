//===- ExpandComposites.cpp - Softmax, norms, attention by smaller ops ----===//

#include "passes/Optimize/Passes.h"

#include "dialects/Prim/PrimBuilder.h"
#include "passes/Fuse/OpClass.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_EXPANDCOMPOSITES
#include "passes/Optimize/Passes.h.inc"

using prim::PrimBuilder;
using prim::Reduction;

namespace {

/// The type that a composite is computed in: f32 for half precision.
Type computeType(Value value) {
  Type element = PrimBuilder::elementOf(value);
  return element.getIntOrFloatBitWidth() < 32
             ? Type(Float32Type::get(value.getContext()))
             : element;
}

/// softmax(x) -> exp(x - max) / sum(exp(x - max))
struct ExpandSoftmax : OpRewritePattern<prim::SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(prim::SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    PrimBuilder b(rewriter, op.getLoc());
    int64_t dim = op.getDim();
    Value x = b.convert(op.getOperand(), computeType(op.getOperand()));
    Value power = b.exp(b.sub(x, b.reduce(Reduction::max, x, dim, true)));
    Value result = b.div(power, b.sum(power, dim, true));
    rewriter.replaceOp(
        op, b.convert(result, PrimBuilder::elementOf(op.getResult())));
    return success();
  }
};

/// log_softmax(x) -> (x - max) - log(sum(exp(x - max)))
struct ExpandLogSoftmax : OpRewritePattern<prim::LogSoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(prim::LogSoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    PrimBuilder b(rewriter, op.getLoc());
    int64_t dim = op.getDim();
    Value x = b.convert(op.getOperand(), computeType(op.getOperand()));
    Value shifted = b.sub(x, b.reduce(Reduction::max, x, dim, true));
    Value result = b.sub(shifted, b.log(b.sum(b.exp(shifted), dim, true)));
    rewriter.replaceOp(
        op, b.convert(result, PrimBuilder::elementOf(op.getResult())));
    return success();
  }
};

/// The last `axes` dims as one: rows that a kernel can reduce.
Value asRows(PrimBuilder &b, Value value, int64_t axes) {
  sym::Shape shape = b.shapeOf(value);
  sym::Expr inner =
      sym::product(b.getContext(), ArrayRef<sym::Expr>(shape).take_back(axes));
  shape.resize(shape.size() - axes);
  shape.push_back(inner);
  return b.reshape(value, shape);
}

/// Two passes: the variance is that of what the mean left.
struct ExpandLayerNorm : OpRewritePattern<prim::LayerNormOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(prim::LayerNormOp op,
                                PatternRewriter &rewriter) const override {
    PrimBuilder b(rewriter, op.getLoc());
    Type type = computeType(op.getOperand());
    int64_t axes = op.getAxes();
    Value rows = b.convert(asRows(b, op.getOperand(), axes), type);
    int64_t dim = b.rankOf(rows) - 1;
    Value mean = b.mean(rows, dim, true);
    Value centered = b.sub(rows, mean);
    Value variance = b.mean(b.mul(centered, centered), dim, true);
    Value rstd = b.rsqrt(b.add(variance, op.getEps().convertToDouble()));
    Value result = b.mul(centered, rstd);
    if (op.getWeight())
      result = b.mul(result, b.convert(asRows(b, op.getWeight(), axes), type));
    if (op.getBias())
      result = b.add(result, b.convert(asRows(b, op.getBias(), axes), type));
    Value output = b.convert(b.reshape(result, b.shapeOf(op.getResult())),
                             PrimBuilder::elementOf(op.getResult()));
    auto statistic = [&](Value value, Value like) {
      return b.convert(b.reshape(value, b.shapeOf(like)),
                       PrimBuilder::elementOf(like));
    };
    rewriter.replaceOp(op, {output, statistic(mean, op.getMean()),
                            statistic(rstd, op.getRstd())});
    return success();
  }
};

struct ExpandRmsNorm : OpRewritePattern<prim::RmsNormOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(prim::RmsNormOp op,
                                PatternRewriter &rewriter) const override {
    PrimBuilder b(rewriter, op.getLoc());
    Type type = computeType(op.getOperand());
    int64_t axes = op.getAxes();
    Value rows = b.convert(asRows(b, op.getOperand(), axes), type);
    Value square = b.mean(b.mul(rows, rows), b.rankOf(rows) - 1, true);
    Value result =
        b.mul(rows, b.rsqrt(b.add(square, op.getEps().convertToDouble())));
    if (op.getWeight())
      result = b.mul(result, b.convert(asRows(b, op.getWeight(), axes), type));
    rewriter.replaceOp(op,
                       b.convert(b.reshape(result, b.shapeOf(op.getResult())),
                                 PrimBuilder::elementOf(op.getResult())));
    return success();
  }
};

/// Scores, softmax and the weighted sum, each of its own, where attention has
/// no kernel. A row that sees no key has the maximum -inf: it gives zeros.
struct ExpandAttention : OpRewritePattern<prim::AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(prim::AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (suitsAttentionKernel(op))
      return failure();
    PrimBuilder b(rewriter, op.getLoc());
    Type type = computeType(op.getQuery());
    Value query = b.convert(op.getQuery(), type),
          key = b.convert(op.getKey(), type);
    Value scores = b.mul(b.matmul(query, key, false, /*transposeRhs=*/true),
                         op.getScale().convertToDouble());
    double infinity = std::numeric_limits<double>::infinity();
    Value never = b.scalar(-infinity, type);
    // Added, as torch does: a score that is no number stays one.
    if (Value mask = op.getMask())
      scores = b.add(scores, PrimBuilder::elementOf(mask).isInteger(1)
                                 ? b.where(mask, b.scalar(0, type), never)
                                 : b.convert(mask, type));
    if (op.getCausal())
      scores = b.where(causalMask(b, scores), scores, never);
    int64_t dim = b.rankOf(scores) - 1;
    Value largest = b.reduce(Reduction::max, scores, dim, true);
    Value unseen = b.compare(prim::Comparison::eq, largest, -infinity);
    Value shift = b.where(unseen, b.scalar(0, type), largest);
    Value power = b.exp(b.sub(scores, shift));
    Value sum = b.sum(power, dim, true);
    Value weights = b.div(power, b.where(unseen, b.scalar(1, type), sum));
    Value result = b.matmul(weights, b.convert(op.getValue(), type));
    rewriter.replaceOp(
        op, b.convert(result, PrimBuilder::elementOf(op.getResult())));
    return success();
  }

  /// Position i sees keys 0 to i.
  static Value causalMask(PrimBuilder &b, Value scores) {
    sym::Shape shape = b.shapeOf(scores);
    ArrayRef<sym::Expr> last = ArrayRef<sym::Expr>(shape).take_back(2);
    Type i64 = b.getBuilder().getI64Type();
    return b.compare(prim::Comparison::le, b.iota(last, 1, i64),
                     b.iota(last, 0, i64));
  }
};

struct ExpandComposites : impl::ExpandCompositesBase<ExpandComposites> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandSoftmax, ExpandLogSoftmax, ExpandLayerNorm,
                 ExpandRmsNorm, ExpandAttention>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
} // namespace adze
