//===- Passes.td - From capture to prim --------------------*- tablegen -*-===//

#ifndef ADZE_PASSES_NORMALIZE_PASSES_TD
#define ADZE_PASSES_NORMALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def Normalize : Pass<"adze-normalize", "::mlir::ModuleOp"> {
  let summary = "Turns traced graphs into functions of prim ops";
  let description = [{
    Every `capture.graph` becomes a `func.func` with the same arguments,
    results and `adze.*` attributes. In-place calls and views become pure
    values; tensors of the caller that are written become extra results. Each
    ATen call is decomposed by the function that the decomposition table has
    for it. All unsupported operators are reported, then the pass fails.
  }];
  let dependentDialects = [
    "::adze::capture::CaptureDialect", "::adze::prim::PrimDialect",
    "::adze::sym::SymDialect", "::mlir::func::FuncDialect"
  ];
}

#endif // ADZE_PASSES_NORMALIZE_PASSES_TD
