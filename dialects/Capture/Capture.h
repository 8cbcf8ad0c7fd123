//===- Capture.h - The capture dialect --------------------------*- C++ -*-===//

#ifndef ADZE_DIALECTS_CAPTURE_CAPTURE_H
#define ADZE_DIALECTS_CAPTURE_CAPTURE_H

#include "dialects/Sym/Sym.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Capture/CaptureDialect.h.inc"
#include "dialects/Capture/CaptureEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Capture/CaptureAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Capture/CaptureOps.h.inc"

namespace adze::capture {
/// Name of the attribute that holds the descriptor of an argument or result,
/// here and on the functions that later stages make of a graph.
inline constexpr llvm::StringLiteral descriptorName = "capture.descriptor";
} // namespace adze::capture

#endif // ADZE_DIALECTS_CAPTURE_CAPTURE_H
