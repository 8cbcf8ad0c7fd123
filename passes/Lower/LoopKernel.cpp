//===- LoopKernel.cpp - Elementwise ops, movement, reductions in rows -----===//
//
// The result is cut in rows; rows run in parallel, and within a row the last
// dim runs in vectors with a scalar rest. A group with reductions over the
// last dim computes these once per row, before the row's elements.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/ElementEmitter.h"
#include "passes/Lower/KernelBuilders.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace adze {
namespace {

/// Elements per task of a kernel that has only one row.
constexpr int64_t blockElements = 4096;

class LoopKernel {
public:
  LoopKernel(OpBuilder &builder, kernel::FuncOp kernel)
      : builder(builder), kernel(kernel), frame(builder, kernel),
        emitter(builder, frame),
        yield(kernel.getBody().front().getTerminator()),
        shape(sym::shapeOf(yield->getOperand(0))) {}

  void build();

private:
  bool isFlat();
  std::optional<size_t> rowRank();
  void buildFlat();
  void buildRows(size_t outerRank);
  void emitRow(Value row, size_t outerRank);
  void emitRowReductions(ArrayRef<Index> outer);
  bool isWorthStoring(Value value);
  void emitLastDim(Indices outer, Value from, Value to, ArrayRef<Value> sizes,
                   int64_t lanes);
  void emitElement(ArrayRef<Index> indices, ArrayRef<Value> sizes);
  int64_t lanesFor(sym::Expr size);
  void forEach(Value from, Value to, function_ref<void(Value)> body);

  OpBuilder &builder;
  kernel::FuncOp kernel;
  KernelFrame frame;
  ElementEmitter emitter;
  Operation *yield;
  sym::Shape shape;
};
} // namespace

static Type elementTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

static bool isScalar(Value value) { return sym::shapeOf(value).empty(); }

/// All values have the shape of the result, or are numbers: position in
/// memory is all that counts.
bool LoopKernel::isFlat() {
  for (Value argument : kernel.getBody().getArguments())
    if (!isScalar(argument) && sym::shapeOf(argument) != shape)
      return false;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (auto constant = dyn_cast<prim::ConstantOp>(op)) {
      if (!cast<DenseElementsAttr>(constant.getValue()).isSplat())
        return false;
      continue;
    }
    bool spread = isa<prim::BroadcastOp>(op) && isScalar(op.getOperand(0));
    bool creator = isa<prim::FullOp, prim::SymbolValueOp>(op);
    if (!creator && !spread && !op.hasTrait<OpTrait::Elementwise>())
      return false;
    if (!isScalar(op.getResult(0)) && sym::shapeOf(op.getResult(0)) != shape)
      return false;
  }
  return !shape.empty();
}

/// The rank of the rows' indices if there are reductions over the last dim
/// that the rows of the result have in common.
std::optional<size_t> LoopKernel::rowRank() {
  std::optional<size_t> rank;
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (auto reduce = dyn_cast<prim::ReduceOp>(op)) {
      size_t operandRank =
          cast<RankedTensorType>(reduce.getOperand().getType()).getRank();
      if (reduce.getDims() != ArrayRef<int64_t>(int64_t(operandRank) - 1))
        continue;
      bool prefix = operandRank - 1 <= shape.size() &&
                    std::equal(shape.begin(), shape.begin() + operandRank - 1,
                               sym::shapeOf(reduce.getOperand()).begin());
      if (prefix && operandRank >= shape.size())
        rank = operandRank - 1;
    }
  return rank;
}

int64_t LoopKernel::lanesFor(sym::Expr size) {
  int64_t lanes = preferredLanes(kernel);
  if (auto known = sym::asConstant(size))
    while (lanes > 1 && lanes > *known)
      lanes /= 2;
  return lanes;
}

void LoopKernel::forEach(Value from, Value to, function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(builder, kernel.getLoc(), from, to,
                                 emitter.index().constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ElementEmitter::Scope scope(emitter);
  body(loop.getInductionVar());
}

void LoopKernel::emitElement(ArrayRef<Index> indices, ArrayRef<Value> sizes) {
  for (auto [number, value] : llvm::enumerate(yield->getOperands())) {
    Type element = cast<RankedTensorType>(value.getType()).getElementType();
    emitter.store(emitter.emit(value, indices), frame.result(number), sizes,
                  indices, element);
  }
}

/// Vectors from `from` on, then single elements up to `to`.
void LoopKernel::emitLastDim(Indices outer, Value from, Value to,
                             ArrayRef<Value> sizes, int64_t lanes) {
  IndexBuilder &b = emitter.index();
  Value width = b.constant(lanes);
  Value blocks = b.div(b.sub(to, from), width);
  Value rest = b.add(from, b.mul(blocks, width));
  auto at = [&](Index last) {
    Indices indices = outer;
    indices.push_back(last);
    emitElement(indices, sizes);
  };
  forEach(b.constant(0), blocks, [&](Value block) {
    emitter.setLanes(lanes);
    at(Index{b.add(from, b.mul(block, width)), lanes > 1 ? 1 : 0});
  });
  if (lanes > 1)
    forEach(rest, to, [&](Value position) { at(Index{position}); });
}

/// The only dim left is the position in memory.
void LoopKernel::buildFlat() {
  IndexBuilder &b = emitter.index();
  MLIRContext *context = builder.getContext();
  sym::Expr total = sym::product(context, shape);
  sym::Expr block = sym::constant(context, blockElements);
  Value count = frame.evaluate(total);
  forEach(frame.begin(), frame.end(), [&](Value number) {
    Value from = b.mul(number, b.constant(blockElements));
    Value to = b.min(b.add(from, b.constant(blockElements)), count);
    emitLastDim({}, from, to, {count}, lanesFor(total));
  });
  frame.finish(builder, sym::ceilDiv(total, block), block);
}

/// True if all that elements of `value` are for is elements at the same place,
/// and reductions.
static bool staysInPlace(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return isa<prim::ReduceOp, kernel::YieldOp>(user) ||
           (user->hasTrait<OpTrait::Elementwise>() &&
            staysInPlace(user->getResult(0)));
  });
}

/// Whether a row reduces elements and needs them again, as softmax does its
/// exponentials, which cost more than a place in the result until then.
bool LoopKernel::isWorthStoring(Value value) {
  auto cost = dyn_cast_or_null<prim::CostInterface>(value.getDefiningOp());
  return cost && cost->hasTrait<OpTrait::Elementwise>() && !value.hasOneUse() &&
         yield->getNumOperands() == 1 &&
         value.getType() == yield->getOperand(0).getType() &&
         registerType(elementTypeOf(value)) == elementTypeOf(value) &&
         isa<FloatType>(elementTypeOf(value)) &&
         cost.flops() != sym::product(builder.getContext(), shape) &&
         staysInPlace(value);
}

/// Reductions that the whole row needs.
void LoopKernel::emitRowReductions(ArrayRef<Index> outer) {
  bool isStored = false;
  for (auto reduce : kernel.getBody().getOps<prim::ReduceOp>()) {
    int64_t rank = cast<RankedTensorType>(reduce.getType()).getRank();
    if (rank != int64_t(outer.size()))
      continue;
    bool stores = !isStored && reduce.getDims() == ArrayRef<int64_t>(rank) &&
                  isWorthStoring(reduce.getOperand());
    if (stores)
      emitter.storeWhenComputed(reduce.getOperand(), frame.result(0));
    emitter.emit(reduce.getResult(), outer);
    if (stores)
      emitter.useStored();
    isStored |= stores;
  }
}

void LoopKernel::emitRow(Value row, size_t outerRank) {
  auto sizes = frame.sizes(yield->getOperand(0));
  Indices outer = emitter.delinearize(
      ArrayRef<Value>(sizes).take_front(outerRank), Index{row});
  emitRowReductions(outer);
  if (outerRank == shape.size())
    return emitElement(outer, sizes);
  emitLastDim(outer, emitter.index().constant(0), sizes.back(), sizes,
              lanesFor(shape.back()));
}

/// Sizes of the values that a row reads, for the choice of a task's size.
static sym::Expr workOf(kernel::FuncOp kernel, ArrayRef<sym::Expr> inner) {
  sym::Expr work = sym::product(kernel.getContext(), inner);
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    sym::Expr more;
    if (auto reduce = dyn_cast<prim::ReduceOp>(op)) {
      sym::Shape sizes = sym::shapeOf(reduce.getOperand());
      more = sym::constant(kernel.getContext(), 1);
      for (int64_t dim : reduce.getDims())
        more = sym::mul(more, sizes[dim]);
    } else if (auto matmul = dyn_cast<prim::MatmulOp>(op)) {
      more = sym::shapeOf(matmul.getLhs()).back();
    } else if (auto convolution = dyn_cast<prim::ConvolutionOp>(op)) {
      sym::Shape sizes = sym::shapeOf(convolution.getFilter());
      ArrayRef<sym::Expr> filter(sizes);
      bool last = convolution.getLayout() == prim::ImageLayout::channels_last;
      more = sym::product(kernel.getContext(),
                          last ? filter.drop_back() : filter.drop_front());
    }
    if (more)
      work = sym::mul(work, more);
  }
  return work;
}

void LoopKernel::buildRows(size_t outerRank) {
  ArrayRef<sym::Expr> sizes(shape);
  forEach(frame.begin(), frame.end(),
          [&](Value row) { emitRow(row, outerRank); });
  frame.finish(builder,
               sym::product(builder.getContext(), sizes.take_front(outerRank)),
               workOf(kernel, sizes.drop_front(outerRank)));
}

void LoopKernel::build() {
  if (isFlat())
    return buildFlat();
  size_t rank = shape.size();
  buildRows(rowRank().value_or(rank ? rank - 1 : 0));
}

void buildLoopKernel(OpBuilder &builder, kernel::FuncOp kernel) {
  OpBuilder::InsertionGuard guard(builder);
  LoopKernel(builder, kernel).build();
}

} // namespace adze
