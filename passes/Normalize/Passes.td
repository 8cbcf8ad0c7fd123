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
    for it. A call that can not be decomposed becomes a `capture.graph_break`
    and is reported: each operator once, as a warning. With `fullgraph` these
    are errors and the pass fails.
  }];
  let options = [Option<"fullgraph", "fullgraph", "bool", /*default=*/"false",
      "Fail if there is a graph break">];
  let dependentDialects = [
    "::adze::capture::CaptureDialect", "::adze::prim::PrimDialect",
    "::adze::sym::SymDialect", "::mlir::func::FuncDialect"
  ];
}

def SplitAtBreaks : Pass<"adze-split-at-breaks", "::mlir::ModuleOp"> {
  let summary = "Makes a function of what lies between graph breaks";
  let description = [{
    A function with graph breaks becomes a sequence of breaks and of calls of
    private functions, NAME_graph_0 and so on, that can be compiled. An op with
    a break in one of its regions is a break as a whole. Ops are together that
    have the same largest number of breaks on a path from the inputs. Other
    functions stay as they are.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // ADZE_PASSES_NORMALIZE_PASSES_TD
