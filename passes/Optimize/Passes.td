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

def GroupHeads : Pass<"adze-group-heads", "::mlir::func::FuncOp"> {
  let summary = "Computes attention in groups of heads that share their keys";
  let description = [{
    Keys and values whose heads a program repeats (`expand` and `reshape`) are
    broadcast along a dim of their own, of which the query has one too. The
    kernel reads the broadcast in place.
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

def ChannelsLast : Pass<"adze-channels-last", "::mlir::func::FuncOp"> {
  let summary = "Computes convolutions on images with their channels in the last dim";
  let description = [{
    Convolutions, also transposed ones, whose filter has a known size. Filters
    become `[spatial..., C/groups, O]`: weights are packed so later, others are
    copied. The transposes of their results move down through elementwise ops, pools,
    concatenations and means over pixels, and meet those of the next operands.
  }];
  let dependentDialects = ["::adze::prim::PrimDialect"];
}

def ShapeMatmuls : Pass<"adze-shape-matmuls", "::mlir::func::FuncOp"> {
  let summary = "Moves reshapes of products with a matrix before them";
  let description = [{
    `linear` flattens leading dims and restores them after the product. With
    the reshape moved, what follows runs in the kernel of the product.
  }];
  let dependentDialects = ["::adze::prim::PrimDialect"];
}

def PackWeights : Pass<"adze-pack-weights", "::mlir::func::FuncOp"> {
  let summary = "Has weights stored in the order in which kernels read them";
  let description = [{
    The rhs of a product, or the filter of a channels-last convolution, that is
    a weight gets the argument attribute `kernel.packing`, as does the op. A
    weight with other uses is passed a second time for those that pack it. A
    packed filter has the type that the convolution reads.
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "256",
      "Width of the vector registers: 128, 256 or 512">];
  let dependentDialects = ["::adze::prim::PrimDialect", "::adze::kernel::KernelDialect"];
}

def PlaceTransposes : Pass<"adze-place-transposes", "::mlir::func::FuncOp"> {
  let summary = "Gives products the operands that their kernels read";
  let description = [{
    A transposed lhs is read in place; a transposed rhs that is not packed is
    copied.
  }];
  let dependentDialects = ["::adze::prim::PrimDialect"];
}

#endif // ADZE_PASSES_OPTIMIZE_PASSES_TD
