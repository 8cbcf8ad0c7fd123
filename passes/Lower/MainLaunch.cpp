//===- MainLaunch.cpp - Launches of generated and library kernels ---------===//

#include "passes/Lower/KernelFrame.h"
#include "passes/Lower/LibraryKernels.h"
#include "passes/Lower/MainBuilder.h"
#include "passes/Lower/RuntimeCalls.h"
#include "passes/Schedule/OutlineKernels.h"
#include "passes/Schedule/Storage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace adze {

void MainBuilder::parallelFor(StringRef name, ArrayRef<Value> slots,
                              Value count, Value grain) {
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  Value array = slotArray(slots);
  Value kernel = LLVM::AddressOfOp::create(builder, loc, pointer, name);
  callRuntime(builder, loc, "adze_rt_parallel_for", {},
              {call, kernel, array, count, grain});
}

Value MainBuilder::routine(StringRef name, ArrayRef<Value> slots) {
  return callRuntime(builder, loc, name, builder.getI64Type(),
                     {slotArray(slots)});
}

static StringRef messageFor(Operation *op) {
  if (isa<prim::IDivOp, prim::RemOp>(op))
    return "integer {0} is divided by zero";
  return "index {0} is out of range for size {1}";
}

int64_t MainBuilder::addSites(kernel::LaunchOp op, kernel::FuncOp kernel) {
  auto failing = KernelFrame::failingOps(kernel.getBody());
  if (failing.empty())
    return -1;
  auto locations = op->getAttrOfType<ArrayAttr>(locationsName);
  int64_t first = sites.size();
  for (auto [i, bodyOp] : llvm::enumerate(kernel.getBody().front()))
    if (llvm::is_contained(failing, &bodyOp)) {
      bool known = locations && i < locations.size();
      addSite(known ? Location(cast<LocationAttr>(locations[i]))
                    : bodyOp.getLoc(),
              messageFor(&bodyOp));
    }
  return first;
}

void MainBuilder::launchGenerated(kernel::LaunchOp op, kernel::FuncOp kernel) {
  auto lowered =
      module.lookupSymbol<LLVM::LLVMFuncOp>(KernelFrame::loweredName(kernel));
  SmallVector<Value> slots{pointerToInt(call)};
  for (Value operand : op.getOperands())
    slots.push_back(pointerToInt(address(operand)));
  for (Value result : op.getResults())
    slots.push_back(pointerToInt(address(result)));
  for (auto name : kernel.getSymbols().getAsRange<StringAttr>())
    slots.push_back(evaluate(sym::symbol(module.getContext(), name)));
  int64_t site = addSites(op, kernel);
  slots.push_back(integer(std::max<int64_t>(site, 0)));
  Value count = evaluate(lowered->getAttrOfType<sym::ExprAttr>(domainName));
  Value grain = evaluate(lowered->getAttrOfType<sym::ExprAttr>(grainName));
  parallelFor(lowered.getSymName(), slots, count, grain);
  if (site >= 0)
    returnIfFailed();
}

LogicalResult MainBuilder::launchLibrary(kernel::LaunchOp op,
                                         kernel::FuncOp kernel) {
  Operation &body = kernel.getBody().front().front();
  SmallVector<Value> operands, results;
  // The body's operands are block arguments, in the order of the op.
  for (Value operand : body.getOperands())
    operands.push_back(
        address(op.getOperand(cast<BlockArgument>(operand).getArgNumber())));
  for (Value result : op.getResults())
    results.push_back(address(result));
  LibraryCall library(builder, loc,
                      [&](sym::Expr expr) { return evaluate(expr); });
  if (failed(library.prepare(&body, operands, results)))
    return op.emitError("'")
           << body.getName() << "' has no native kernel for these types";
  declareRuntime(builder, library.name, {},
                 {LLVM::LLVMPointerType::get(module.getContext()),
                  builder.getI64Type(), builder.getI64Type()});
  SmallVector<Value> slots{pointerToInt(call)};
  llvm::append_range(slots, library.slots);
  parallelFor(library.name, slots, library.count, integer(1));
  returnIfFailed();
  return success();
}

LogicalResult MainBuilder::lowerLaunch(kernel::LaunchOp op) {
  auto kernel = module.lookupSymbol<kernel::FuncOp>(op.getKernel());
  for (auto [number, result] : llvm::enumerate(op.getResults()))
    addresses[result] =
        allocate(result, cast<kernel::BufferAttr>((*op.getBuffers())[number]));
  if (kernel.getKind() == kernel::Kind::library)
    return launchLibrary(op, kernel);
  launchGenerated(op, kernel);
  return success();
}

//===----------------------------------------------------------------------===//
// Results of a size that depends on data
//===----------------------------------------------------------------------===//

LogicalResult MainBuilder::lowerNonzero(prim::NonzeroOp op) {
  sym::Shape shape = sym::shapeOf(op.getOperand());
  Value mask = pointerToInt(address(op.getOperand()));
  Value total = evaluate(sym::product(module.getContext(), shape));
  Value self = pointerToInt(call);
  Value count = routine("adze_rt_count_true", {self, mask, total});
  LLVM::StoreOp::create(builder, loc, count, symbolAddress(op.getSymbol()));
  addresses[op.getResult()] = allocate(op.getResult(), {});
  auto sizes = llvm::map_to_vector(
      shape, [&](sym::Expr size) { return evaluate(size); });
  if (sizes.empty())
    sizes.push_back(integer(1));
  routine("adze_rt_nonzero", {self, mask, total, integer(shape.size()),
                              pointerToInt(slotArray(sizes)),
                              pointerToInt(address(op.getResult()))});
  return success();
}

LogicalResult MainBuilder::lowerUnique(prim::UniqueOp op) {
  auto suffix = librarySuffix(
      cast<RankedTensorType>(op.getOperand().getType()).getElementType());
  if (!suffix)
    return op.emitError(
        "'prim.unique' has no native kernel for this element type");
  Value count = evaluate(sym::shapeOf(op.getOperand())[0]);
  auto bytes = [&](int64_t each) {
    return arith::MulIOp::create(builder, loc, count, integer(each))
        .getResult();
  };
  auto element =
      cast<RankedTensorType>(op.getOperand().getType()).getElementType();
  Value values = allocateBytes(bytes(elementBytes(element)));
  Value inverse = allocateBytes(bytes(8)), counts = allocateBytes(bytes(8));
  std::string name = (Twine("adze_rt_unique_") +
                      (op.getConsecutive() ? "consecutive_" : "") + *suffix)
                         .str();
  Value found =
      routine(name, {pointerToInt(call), pointerToInt(address(op.getOperand())),
                     pointerToInt(values), pointerToInt(inverse),
                     pointerToInt(counts), count});
  LLVM::StoreOp::create(builder, loc, found, symbolAddress(op.getSymbol()));
  returnIfFailed();
  addresses[op.getValues()] = values;
  addresses[op.getInverse()] = inverse;
  addresses[op.getCounts()] = counts;
  return success();
}

} // namespace adze
