//===- PrimControlOps.cpp - Structured control flow -----------------------===//

#include "dialects/Prim/PrimVerify.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace adze;
using namespace adze::prim;
using sym::Shape;

#define GET_OP_CLASSES
#include "dialects/Prim/PrimControlOps.cpp.inc"

static LogicalResult verifyTypes(Operation *op, StringRef what,
                                 TypeRange expected, TypeRange found) {
  if (llvm::equal(expected, found))
    return success();
  return op->emitOpError("expects ")
         << what << " of types " << expected << ", but found " << found;
}

LogicalResult CondOp::verify() {
  // (C1)
  for (Region *region : {&getThenRegion(), &getElseRegion()}) {
    auto yielded = region->front().getTerminator()->getOperands();
    if (yielded.size() != getNumResults())
      return emitOpError("expects ")
             << getNumResults() << " yielded values, but found "
             << yielded.size();
    for (auto [value, result] : llvm::zip(yielded, getResults())) {
      auto a = tensorTypeOf(value), b = tensorTypeOf(result);
      if (a.getElementType() != b.getElementType() ||
          a.getRank() != b.getRank())
        return emitOpError("expects a yielded ") << b << ", but found " << a;
    }
  }
  // (C2)
  if (getDefines().size() != getThenSizes().size() ||
      getDefines().size() != getElseSizes().size())
    return emitOpError(
        "expects one size of each branch for each defined symbol");
  // (C3)
  return verifyRankZero(*this, "condition", getCondition());
}

LogicalResult WhileOp::verify() {
  TypeRange types = getInits().getTypes();
  Block &condition = getCondition().front(), &body = getBody().front();
  // (C1)
  if (failed(verifyTypes(*this, "results", types, getResultTypes())) ||
      failed(verifyTypes(*this, "condition arguments", types,
                         condition.getArgumentTypes())) ||
      failed(verifyTypes(*this, "body arguments", types,
                         body.getArgumentTypes())) ||
      failed(verifyTypes(*this, "yielded values", types,
                         body.getTerminator()->getOperandTypes())))
    return failure();
  // (C2)
  auto yielded = condition.getTerminator()->getOperandTypes();
  auto flag = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (yielded.size() != 1 || yielded[0] != flag)
    return emitOpError("expects a condition that yields one ") << flag;
  return success();
}

static RankedTensorType sliceType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Shape shape = sym::shapeOf(tensor);
  return sym::tensorType(ArrayRef<sym::Expr>(shape).drop_front(),
                         tensor.getElementType());
}

LogicalResult ScanOp::verify() {
  // (C1)
  if (getSequences().empty())
    return emitOpError("expects at least one sequence");
  for (Value sequence : getSequences())
    if (tensorTypeOf(sequence).getRank() < 1)
      return emitOpError("expects sequences of rank 1 or more");
  sym::Expr steps = sym::shapeOf(getSequences()[0])[0];
  for (Value sequence : getSequences())
    if (!mayBeEqual(sym::shapeOf(sequence)[0], steps))
      return emitOpError("expects sequences of one first size, but found ")
             << sym::toString(steps) << " and "
             << sym::toString(sym::shapeOf(sequence)[0]);
  SmallVector<Type> arguments(getInits().getTypes()),
      yielded(getInits().getTypes());
  for (Value sequence : getSequences())
    arguments.push_back(sliceType(sequence.getType()));
  if (getNumResults() < getInits().size())
    return emitOpError("expects a result for each carried value");
  for (Value result : getResults().drop_front(getInits().size()))
    if (tensorTypeOf(result).getRank() < 1)
      return emitOpError("expects stacked results of rank 1 or more");
  for (Value result : getResults().drop_front(getInits().size()))
    yielded.push_back(sliceType(result.getType()));
  // (C2), (C3)
  Block &body = getBody().front();
  if (failed(verifyTypes(*this, "body arguments", arguments,
                         body.getArgumentTypes())))
    return failure();
  return verifyTypes(*this, "yielded values", yielded,
                     body.getTerminator()->getOperandTypes());
}
