//===- Prim.h - The prim dialect --------------------------------*- C++ -*-===//

#ifndef ADZE_DIALECTS_PRIM_PRIM_H
#define ADZE_DIALECTS_PRIM_PRIM_H

#include "dialects/Sym/Sym.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace adze::interp {
class Evaluator;
class Tensor;
} // namespace adze::interp

#include "dialects/Prim/PrimDialect.h.inc"
#include "dialects/Prim/PrimEnums.h.inc"
#include "dialects/Prim/PrimInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/Prim/PrimUnaryOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Prim/PrimBinaryOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Prim/PrimShapeOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Prim/PrimReductionOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Prim/PrimNeuralOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Prim/PrimIndexingOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Prim/PrimScienceOps.h.inc"
#define GET_OP_CLASSES
#include "dialects/Prim/PrimControlOps.h.inc"

#endif // ADZE_DIALECTS_PRIM_PRIM_H
