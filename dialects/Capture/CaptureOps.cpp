//===- CaptureOps.cpp - Verifiers of the capture dialect ------------------===//

#include "dialects/Capture/Capture.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace adze::capture;

#define GET_OP_CLASSES
#include "dialects/Capture/CaptureOps.cpp.inc"

/// Visits the operand numbers of an argument in the order of the text.
static void walkOperands(Attribute argument,
                         function_ref<void(unsigned)> visit) {
  if (auto operand = dyn_cast<OperandAttr>(argument))
    visit(operand.getIndex());
  if (auto list = dyn_cast<ArrayAttr>(argument))
    for (Attribute element : list)
      walkOperands(element, visit);
}

LogicalResult CallOp::verify() {
  // (C1)
  unsigned names = 0;
  llvm::SmallBitVector named(getNumOperands());
  for (NamedAttribute argument : getArguments())
    walkOperands(argument.getValue(), [&](unsigned index) {
      if (index < getNumOperands())
        named.set(index);
      ++names;
    });
  if (!named.all() || names != getNumOperands())
    return emitOpError("expects arguments that name each of ")
           << getNumOperands() << " operands once, but found " << names
           << " names of " << named.count() << " operands";
  return success();
}

//===----------------------------------------------------------------------===//
// Graphs read and print like functions
//===----------------------------------------------------------------------===//

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(inputs, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void GraphOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}
