//===- KernelOps.cpp - Verifiers of the kernel dialect --------------------===//

#include "dialects/Kernel/Kernel.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace adze::kernel;

#define GET_OP_CLASSES
#include "dialects/Kernel/KernelOps.cpp.inc"

static LogicalResult verifyTypes(Operation *op, StringRef what,
                                 TypeRange expected, TypeRange found) {
  if (llvm::equal(expected, found))
    return success();
  return op->emitOpError("expects ")
         << what << " of types " << expected << ", but found " << found;
}

LogicalResult GroupOp::verify() {
  Block &block = getBody().front();
  if (failed(verifyTypes(*this, "block arguments", getOperandTypes(), // (C1)
                         block.getArgumentTypes())))
    return failure();
  return verifyTypes(*this, "yielded values", getResultTypes(), // (C2)
                     block.getTerminator()->getOperandTypes());
}

LogicalResult LaunchOp::verify() {
  // (C3)
  if (getBuffers() && getBuffers()->size() != getNumResults())
    return emitOpError("expects one buffer for each of ")
           << getNumResults() << " results, but found " << getBuffers()->size();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // (C1)
  auto kernel = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("names an unknown kernel '") << getKernel() << "'";
  // (C2)
  Block &block = kernel.getBody().front();
  if (failed(verifyTypes(*this, "operands", block.getArgumentTypes(),
                         getOperandTypes())))
    return failure();
  return verifyTypes(*this, "results", block.getTerminator()->getOperandTypes(),
                     getResultTypes());
}
