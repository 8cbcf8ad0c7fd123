//===- PrimCost.h - Work of prim ops and regions ----------------*- C++ -*-===//

#ifndef ADZE_DIALECTS_PRIM_PRIMCOST_H
#define ADZE_DIALECTS_PRIM_PRIMCOST_H

#include "dialects/Sym/Sym.h"

#include "mlir/IR/Region.h"

namespace adze::prim {

/// Attaches CostInterface to every op; the dialect does it when it is loaded.
void addCostRules(mlir::MLIRContext *context);

/// The sum of CostInterface::flops over the prim ops of a region.
sym::Expr flopsOf(mlir::Region &region);

} // namespace adze::prim

#endif // ADZE_DIALECTS_PRIM_PRIMCOST_H
