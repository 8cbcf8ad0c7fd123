//===- PrimOps.td - All op families of the prim dialect ----*- tablegen -*-===//

#ifndef ADZE_DIALECTS_PRIM_PRIMOPS_TD
#define ADZE_DIALECTS_PRIM_PRIMOPS_TD

include "dialects/Prim/PrimUnaryOps.td"
include "dialects/Prim/PrimBinaryOps.td"
include "dialects/Prim/PrimShapeOps.td"
include "dialects/Prim/PrimReductionOps.td"
include "dialects/Prim/PrimNeuralOps.td"
include "dialects/Prim/PrimIndexingOps.td"
include "dialects/Prim/PrimScienceOps.td"
include "dialects/Prim/PrimControlOps.td"

#endif // ADZE_DIALECTS_PRIM_PRIMOPS_TD
