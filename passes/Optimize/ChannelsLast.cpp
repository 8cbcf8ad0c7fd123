//===- ChannelsLast.cpp - Images with their channels in the last dim ------===//
//
// Every convolution that has a kernel for it is computed channels last, between
// transposes. The transpose of a result then moves down through the ops that
// read it, so that in the end only the borders of the program transpose.
//
//===----------------------------------------------------------------------===//

#include "passes/Optimize/FilterLayout.h"
#include "passes/Optimize/Passes.h"

#include "dialects/Kernel/TileShape.h"
#include "dialects/Prim/PrimBuilder.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_CHANNELSLAST
#include "passes/Optimize/Passes.h.inc"

using prim::PrimBuilder;

namespace {
class ChannelMover {
public:
  explicit ChannelMover(Operation *op)
      : op(op), builder(op), b(builder, op->getLoc()) {}

  /// True if the op was replaced by one on channels-last operands.
  bool run();

private:
  bool convert(prim::ConvolutionOp convolution);
  bool sinkElementwise();
  bool sinkBroadcast(prim::BroadcastOp broadcast);
  bool sinkPool(prim::PoolOp pool);
  bool sinkReduce(prim::ReduceOp reduce);
  bool sinkConcat(prim::ConcatOp concat);
  Value channelsLast(Value value);
  void replaceByTransposed(Value result);
  bool readsChannelsLast();

  Operation *op;
  OpBuilder builder;
  PrimBuilder b;
};
} // namespace

/// [0, rank - 1, 1, ...]: from channels last to channels first.
static SmallVector<int64_t> toFirst(int64_t rank) {
  SmallVector<int64_t> permutation{0, rank - 1};
  for (int64_t i = 1; i < rank - 1; ++i)
    permutation.push_back(i);
  return permutation;
}

/// [0, 2, ..., 1]
static SmallVector<int64_t> toLast(int64_t rank) {
  SmallVector<int64_t> permutation{0};
  for (int64_t i = 2; i < rank; ++i)
    permutation.push_back(i);
  permutation.push_back(1);
  return permutation;
}

/// What a value is the transpose of, if it is an image that was channels last.
static Value sourceOf(Value value) {
  auto transpose = value.getDefiningOp<prim::TransposeOp>();
  if (!transpose || transpose.getPermutation().size() < 3 ||
      transpose.getPermutation() !=
          ArrayRef<int64_t>(toFirst(transpose.getPermutation().size())))
    return {};
  return transpose.getOperand();
}

/// The dims other than 1 stay in their order if these are permuted.
static bool isReshape(const sym::Shape &shape, ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  for (int64_t dim : permutation) {
    if (sym::isConstant(shape[dim], 1))
      continue;
    if (dim < last)
      return false;
    last = dim;
  }
  return true;
}

Value ChannelMover::channelsLast(Value value) {
  if (Value source = sourceOf(value))
    return source;
  sym::Shape shape = sym::shapeOf(value);
  auto permutation = toLast(shape.size());
  if (!isReshape(shape, permutation))
    return b.transpose(value, permutation);
  sym::Shape moved =
      llvm::map_to_vector(permutation, [&](int64_t dim) { return shape[dim]; });
  return b.reshape(value, moved);
}

void ChannelMover::replaceByTransposed(Value result) {
  Value transposed = b.transpose(result, toFirst(PrimBuilder::rankOf(result)));
  op->getResult(0).replaceAllUsesWith(transposed);
  op->erase();
}

/// Kernels have filters of a size that is known.
static bool hasKernel(prim::ConvolutionOp op) {
  auto filter = cast<RankedTensorType>(op.getFilter().getType());
  auto isNegative = [](int64_t low) { return low < 0; };
  return op.getLayout() == prim::ImageLayout::channels_first &&
         filter.hasStaticShape() && filter.getNumElements() > 0 &&
         sym::asConstant(sym::shapeOf(op.getInput())[1]) &&
         isTileElement(filter.getElementType()) &&
         !(op.getTransposed() && llvm::any_of(op.getLow(), isNegative));
}

bool ChannelMover::convert(prim::ConvolutionOp convolution) {
  if (!hasKernel(convolution))
    return false;
  Value input = channelsLast(convolution.getInput());
  sym::Shape shape = sym::shapeOf(convolution.getResult());
  std::rotate(shape.begin() + 1, shape.begin() + 2, shape.end());
  auto moved = prim::ConvolutionOp::create(
      builder, op->getLoc(),
      sym::tensorType(shape, PrimBuilder::elementOf(input)), input,
      layFilterOut(b, convolution), convolution.getStride(),
      convolution.getLow(), convolution.getHigh(), convolution.getDilation(),
      convolution.getOutputPadding(), convolution.getGroups(),
      convolution.getTransposed(), prim::ImageLayout::channels_last);
  replaceByTransposed(moved.getResult());
  return true;
}

bool ChannelMover::readsChannelsLast() {
  return llvm::any_of(op->getOperands(),
                      [](Value operand) { return bool(sourceOf(operand)); });
}

static Type permuted(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  sym::Shape shape = sym::shapeOf(tensor);
  std::rotate(shape.begin() + 1, shape.begin() + 2, shape.end());
  return sym::tensorType(shape, tensor.getElementType());
}

bool ChannelMover::sinkElementwise() {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(
        PrimBuilder::rankOf(operand) == 0 ? operand : channelsLast(operand));
  OperationState state(op->getLoc(), op->getName(), operands,
                       {permuted(op->getResult(0).getType())}, op->getAttrs());
  replaceByTransposed(builder.create(state)->getResult(0));
  return true;
}

/// One of [channels, 1, 1] follows the images that it meets; others do if their
/// operand is channels last.
bool ChannelMover::sinkBroadcast(prim::BroadcastOp broadcast) {
  sym::Shape from = sym::shapeOf(broadcast.getOperand());
  sym::Shape to = sym::shapeOf(broadcast.getResult());
  if (from.empty() || to.size() < 3)
    return false;
  bool isNeeded = sourceOf(broadcast.getOperand()) ||
                  llvm::any_of(op->getUsers(), [&](Operation *user) {
                    return user->hasTrait<OpTrait::Elementwise>() &&
                           llvm::any_of(user->getOperands(), [](Value operand) {
                             return bool(sourceOf(operand));
                           });
                  });
  if (!isNeeded)
    return false;
  sym::Shape full(to.size() - from.size(), b.expr(1));
  llvm::append_range(full, from);
  Value operand = from.size() == to.size()
                      ? Value(broadcast.getOperand())
                      : b.reshape(broadcast.getOperand(), full);
  auto moved = prim::BroadcastOp::create(builder, op->getLoc(),
                                         permuted(broadcast.getType()),
                                         channelsLast(operand));
  replaceByTransposed(moved.getResult());
  return true;
}

bool ChannelMover::sinkPool(prim::PoolOp pool) {
  size_t rank = sym::shapeOf(pool.getOperand()).size();
  if (pool.getLayout() != prim::ImageLayout::channels_first ||
      pool.getWindow().size() + 2 != rank)
    return false;
  auto moved = prim::PoolOp::create(
      builder, op->getLoc(), permuted(pool.getType()), pool.getKind(),
      channelsLast(pool.getOperand()), pool.getWindow(), pool.getStride(),
      pool.getLow(), pool.getHigh(), pool.getDilation(),
      prim::ImageLayout::channels_last);
  replaceByTransposed(moved.getResult());
  return true;
}

/// Over spatial dims: images and channels keep their order.
bool ChannelMover::sinkReduce(prim::ReduceOp reduce) {
  int64_t rank = sym::shapeOf(reduce.getOperand()).size();
  SmallVector<int64_t> dims;
  for (int64_t dim : reduce.getDims())
    dims.push_back(toFirst(rank)[dim]);
  llvm::sort(dims);
  bool overSpatial = int64_t(dims.size()) == rank - 2 && dims.front() == 1 &&
                     dims.back() == rank - 2;
  if (!overSpatial)
    return false;
  auto moved = prim::ReduceOp::create(builder, op->getLoc(), reduce.getType(),
                                      reduce.getKind(),
                                      sourceOf(reduce.getOperand()), dims);
  reduce.replaceAllUsesWith(moved.getResult());
  reduce.erase();
  return true;
}

bool ChannelMover::sinkConcat(prim::ConcatOp concat) {
  SmallVector<Value> operands = llvm::map_to_vector(
      concat.getOperands(), [&](Value v) { return channelsLast(v); });
  int64_t dim =
      toFirst(PrimBuilder::rankOf(concat.getResult()))[concat.getDim()];
  replaceByTransposed(b.concat(operands, dim));
  return true;
}

bool ChannelMover::run() {
  if (auto convolution = dyn_cast<prim::ConvolutionOp>(op))
    return convert(convolution);
  if (auto broadcast = dyn_cast<prim::BroadcastOp>(op))
    return sinkBroadcast(broadcast);
  if (!readsChannelsLast() || op->getNumResults() != 1)
    return false;
  if (auto pool = dyn_cast<prim::PoolOp>(op))
    return sinkPool(pool);
  if (auto reduce = dyn_cast<prim::ReduceOp>(op))
    return sinkReduce(reduce);
  if (auto concat = dyn_cast<prim::ConcatOp>(op))
    return sinkConcat(concat);
  return op->hasTrait<OpTrait::Elementwise>() &&
         isa<prim::PrimDialect>(op->getDialect()) && sinkElementwise();
}

namespace {
struct ChannelsLast : impl::ChannelsLastBase<ChannelsLast> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([](Block *block) {
      // The transposes that this makes stand before what reads them.
      for (Operation &op : llvm::make_early_inc_range(*block))
        ChannelMover(&op).run();
    });
  }
};
} // namespace
} // namespace adze
