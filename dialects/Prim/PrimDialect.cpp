//===- PrimDialect.cpp - Registration of the prim dialect -----------------===//

#include "dialects/Prim/Prim.h"
#include "dialects/Prim/PrimCost.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace adze::prim;

#include "dialects/Prim/PrimDialect.cpp.inc"
#include "dialects/Prim/PrimEnums.cpp.inc"
#include "dialects/Prim/PrimInterfaces.cpp.inc"

void PrimDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Prim/PrimUnaryOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Prim/PrimBinaryOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Prim/PrimShapeOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Prim/PrimReductionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Prim/PrimNeuralOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Prim/PrimIndexingOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Prim/PrimScienceOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Prim/PrimControlOps.cpp.inc"
      >();
  addCostRules(getContext());
}

Operation *PrimDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}
