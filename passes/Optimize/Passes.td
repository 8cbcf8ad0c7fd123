//===- Passes.td - Passes of the optimize stage ------------*- tablegen -*-===//

#ifndef ADZE_PASSES_OPTIMIZE_PASSES_TD
#define ADZE_PASSES_OPTIMIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandComposites : Pass<"adze-expand-composites", "::mlir::func::FuncOp"> {
  let summary = "Writes softmax, norms and attention by ops that fuse";
  let description = [{
    Composites that have no kernel builder of their own become reductions and
    elementwise ops over rows; half precision is computed in f32.
  }];
  let dependentDialects = ["::adze::prim::PrimDialect"];
}

def MoveDimsLast : Pass<"adze-move-dims-last", "::mlir::func::FuncOp"> {
  let summary = "Transposes around ops whose kernels work along the last dim";
  let description = [{
    sort, topk and fft along another dim: the dim is moved last before, and
    back after.
  }];
  let dependentDialects = ["::adze::prim::PrimDialect"];
}

def PlaceOutputs : Pass<"adze-place-outputs", "::mlir::func::FuncOp"> {
  let summary = "Returns tensors in the order of dims in memory that was traced";
  let description = [{
    A result that PyTorch returns with permuted strides is transposed to that
    order; `kernel.order` of the result lists its dims from the outermost in
    memory to the innermost.
  }];
  let dependentDialects = ["::adze::prim::PrimDialect"];
}

#endif // ADZE_PASSES_OPTIMIZE_PASSES_TD
