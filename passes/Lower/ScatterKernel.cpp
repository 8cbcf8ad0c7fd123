//===- ScatterKernel.cpp - scatter and index_put --------------------------===//
//
// One task: copies the operand to the result, then writes one value after the
// other in row-major order, so that the last of several values for an element
// wins, as the op says.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/KernelBuilders.h"
#include "passes/Lower/Reduce.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace adze {
namespace {

class ScatterKernel {
public:
  ScatterKernel(OpBuilder &builder, kernel::FuncOp kernel)
      : builder(builder), kernel(kernel), frame(builder, kernel),
        emitter(builder, frame) {
    for (Operation &op : kernel.getBody().front())
      if (isa<prim::ScatterOp, prim::IndexPutOp>(op))
        scatter = &op;
    element = cast<RankedTensorType>(scatter->getResult(0).getType())
                  .getElementType();
  }

  void build();

private:
  void forEachElement(Value tensor, function_ref<void(ArrayRef<Index>)> body);
  void write(ArrayRef<Index> target, Element value);
  Indices targetOf(ArrayRef<Index> source);
  Value values();
  prim::ScatterKind kindOf();

  OpBuilder &builder;
  kernel::FuncOp kernel;
  KernelFrame frame;
  ElementEmitter emitter;
  Operation *scatter = nullptr;
  Type element;
};
} // namespace

Value ScatterKernel::values() {
  if (auto op = dyn_cast<prim::ScatterOp>(scatter))
    return op.getValues();
  return cast<prim::IndexPutOp>(scatter).getValues();
}

prim::ScatterKind ScatterKernel::kindOf() {
  if (auto op = dyn_cast<prim::ScatterOp>(scatter))
    return op.getKind();
  return cast<prim::IndexPutOp>(scatter).getKind();
}

void ScatterKernel::forEachElement(Value tensor,
                                   function_ref<void(ArrayRef<Index>)> body) {
  auto sizes = frame.sizes(tensor);
  Value count =
      frame.evaluate(sym::product(builder.getContext(), sym::shapeOf(tensor)));
  emitter.emitLoop(count, {}, [&](Value iv, ArrayRef<Element>) {
    body(emitter.delinearize(sizes, Index{iv}));
    return SmallVector<Element>();
  });
}

/// Where the value at `source` goes.
Indices ScatterKernel::targetOf(ArrayRef<Index> source) {
  auto sizes = frame.sizes(scatter->getResult(0));
  if (auto op = dyn_cast<prim::ScatterOp>(scatter)) {
    Indices target(source);
    Value position = emitter.emit(op.getIndex(), source).value;
    target[op.getDim()] =
        checkedPosition(emitter, op, position, sizes[op.getDim()]);
    return target;
  }
  auto op = cast<prim::IndexPutOp>(scatter);
  size_t taken = cast<RankedTensorType>(op.getIndices()[0].getType()).getRank();
  size_t position = op.getPosition();
  Indices target(sizes.size());
  for (auto [tensor, dim] : llvm::zip(op.getIndices(), op.getDims())) {
    Value found = emitter.emit(tensor, source.slice(position, taken)).value;
    target[dim] = checkedPosition(emitter, op, found, sizes[dim]);
  }
  size_t next = 0;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    if (llvm::is_contained(op.getDims(), int64_t(dim)))
      continue;
    target[dim] = source[next < position ? next : next + taken];
    ++next;
  }
  return target;
}

void ScatterKernel::write(ArrayRef<Index> target, Element value) {
  auto sizes = frame.sizes(scatter->getResult(0));
  Value address = frame.result(0);
  prim::ScatterKind kind = kindOf();
  if (kind != prim::ScatterKind::set) {
    static constexpr prim::Reduction reductions[] = {
        prim::Reduction::sum, prim::Reduction::sum, prim::Reduction::prod,
        prim::Reduction::max, prim::Reduction::min};
    Accumulator combine(emitter, reductions[int(kind)], element);
    Element former = emitter.load(address, sizes, target, element);
    bool flag = element.isInteger(1) && kind == prim::ScatterKind::add;
    value = flag ? Element{arith::OrIOp::create(builder, kernel.getLoc(),
                                                former.value, value.value)}
                 : combine.finish(combine.combine(former, value));
  }
  emitter.store(value, address, sizes, target, element);
}

void ScatterKernel::build() {
  MLIRContext *context = builder.getContext();
  auto loop = scf::ForOp::create(builder, kernel.getLoc(), frame.begin(),
                                 frame.end(), emitter.index().constant(1));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    ElementEmitter::Scope scope(emitter);
    Value operand = scatter->getOperand(0);
    forEachElement(operand, [&](ArrayRef<Index> at) {
      emitter.store(emitter.emit(operand, at), frame.result(0),
                    frame.sizes(operand), at, element);
    });
    Value none = frame.evaluate(sym::product(context, sym::shapeOf(operand)));
    Value some = arith::CmpIOp::create(builder, kernel.getLoc(),
                                       arith::CmpIPredicate::ne, none,
                                       emitter.index().constant(0));
    // Into an empty tensor nothing can be written; its indices still are
    // checked, but the store must not happen.
    forEachElement(values(), [&](ArrayRef<Index> at) {
      Indices target = targetOf(at);
      auto branch = scf::IfOp::create(builder, kernel.getLoc(), some,
                                      /*withElseRegion=*/false);
      OpBuilder::InsertionGuard inner(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      ElementEmitter::Scope branchScope(emitter);
      write(target, emitter.emit(values(), at));
    });
  }
  sym::Expr one = sym::constant(context, 1);
  frame.finish(builder, one, one);
}

void buildScatterKernel(OpBuilder &builder, kernel::FuncOp kernel) {
  OpBuilder::InsertionGuard guard(builder);
  ScatterKernel(builder, kernel).build();
}

} // namespace adze
