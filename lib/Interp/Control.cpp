//===- Control.cpp - Structured control flow -----------------------------===//

#include "Rules.h"

using namespace mlir;

namespace adze::interp {

static LogicalResult cond(prim::CondOp op, Evaluator &evaluator,
                          Operands operands, Results &results) {
  if (operands[0].count() != 1)
    return evaluator.fail("expects one bool, but found " +
                          operands[0].describe());
  bool taken = operands[0].item<int64_t>();
  auto yielded =
      evaluator.runRegion(taken ? op.getThenRegion() : op.getElseRegion(), {});
  if (failed(yielded))
    return failure();
  auto sizes =
      evaluator.evaluateAll(taken ? op.getThenSizes() : op.getElseSizes());
  if (failed(sizes))
    return failure();
  for (auto [name, size] :
       llvm::zip_equal(op.getDefines().getAsRange<StringAttr>(), *sizes))
    evaluator.bindSymbol(name, size);
  results.append(yielded->begin(), yielded->end());
  return success();
}

static LogicalResult whileOp(prim::WhileOp op, Evaluator &evaluator,
                             Operands operands, Results &results) {
  Tensors carried(operands);
  while (true) {
    auto goesOn = evaluator.runRegion(op.getCondition(), carried);
    if (failed(goesOn))
      return failure();
    if (!goesOn->front().item<int64_t>())
      break;
    auto next = evaluator.runRegion(op.getBody(), carried);
    if (failed(next))
      return failure();
    carried = std::move(*next);
  }
  results.append(carried.begin(), carried.end());
  return success();
}

/// Element `step` along dim 0.
static FailureOr<Tensor> sliceAt(Evaluator &evaluator, const Tensor &sequence,
                                 int64_t step) {
  Sizes strides = rowMajorStrides(sequence.sizes());
  return stridedCopy(evaluator, sequence, sequence.sizes().drop_front(),
                     ArrayRef<int64_t>(strides).drop_front(),
                     step * strides[0]);
}

/// Writes element `step` along dim 0.
static LogicalResult stack(Evaluator &evaluator, Tensor &stacked,
                           const Tensor &slice, int64_t step) {
  if (stacked.sizes().drop_front() != slice.sizes())
    return evaluator.fail("a step gave sizes " + toString(slice.sizes()) +
                          " for " + toString(stacked.sizes()));
  visitWide(slice.element(), [&]<typename T>() {
    std::copy_n(slice.data<T>(), slice.count(),
                stacked.mutableData<T>() + step * slice.count());
  });
  return success();
}

static LogicalResult scanStep(prim::ScanOp op, Evaluator &evaluator,
                              Operands sequences, int64_t step,
                              Tensors &carried,
                              MutableArrayRef<Tensor> stacked) {
  Tensors arguments = carried;
  for (const Tensor &sequence : sequences) {
    auto slice = sliceAt(evaluator, sequence, step);
    if (failed(slice))
      return failure();
    arguments.push_back(*slice);
  }
  auto yielded = evaluator.runRegion(op.getBody(), arguments);
  if (failed(yielded))
    return failure();
  size_t inits = carried.size();
  carried.assign(yielded->begin(), yielded->begin() + inits);
  for (auto [i, tensor] : llvm::enumerate(stacked))
    if (failed(stack(evaluator, tensor, (*yielded)[inits + i], step)))
      return failure();
  return success();
}

static LogicalResult scan(prim::ScanOp op, Evaluator &evaluator,
                          Operands operands, Results &results) {
  size_t inits = op.getInits().size();
  Tensors carried(operands.take_front(inits)), stacked;
  Operands sequences = operands.drop_front(inits);
  int64_t steps = sequences[0].size(0);
  for (const Tensor &sequence : sequences)
    if (sequence.size(0) != steps)
      return evaluator.fail("expects sequences of " + Twine(steps) +
                            " elements, but found " + Twine(sequence.size(0)));
  for (Value result : op.getResults().drop_front(inits)) {
    auto tensor = evaluator.allocate(result.getType());
    if (failed(tensor))
      return failure();
    if (tensor->size(0) != steps)
      return evaluator.fail("expects results of " + Twine(steps) +
                            " elements, but found " + Twine(tensor->size(0)));
    stacked.push_back(*tensor);
  }
  for (int64_t step = 0; step < steps; ++step)
    if (failed(scanStep(op, evaluator, sequences, step, carried, stacked)))
      return failure();
  results.append(carried.begin(), carried.end());
  results.append(stacked.begin(), stacked.end());
  return success();
}

/// The evaluator reads the operands of terminators itself.
static LogicalResult yield(prim::YieldOp, Evaluator &, Operands, Results &) {
  return success();
}

void addControlRules(MLIRContext *context) {
  addRule<prim::YieldOp, yield>(context);
  addRule<prim::CondOp, cond>(context);
  addRule<prim::WhileOp, whileOp>(context);
  addRule<prim::ScanOp, scan>(context);
}

} // namespace adze::interp
