//===- PrimNeuralOps.td - Contractions and neural networks -*- tablegen -*-===//
//
// Composites that stay whole, for speed or accuracy.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DIALECTS_PRIM_PRIMNEURALOPS_TD
#define ADZE_DIALECTS_PRIM_PRIMNEURALOPS_TD

include "dialects/Prim/PrimBase.td"

def Prim_MatmulOp : Prim_PureOp<"matmul", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Multiplies matrices, batch by batch";
  let description = [{
    `[batch..., M, K] x [batch..., K, N] -> [batch..., M, N]`. A rhs of rank
    2 is shared by all batches. With `transpose_lhs` (`transpose_rhs`) the
    last two dims of that operand are the other way round. Half-precision products are accumulated in f32 and
    rounded once; integer products wrap.

    Constraints:
    - (C1) operands have the same element type; the rhs has the rank of the lhs, or 2
    - (C2) the leading sizes are equal
    - (C3) the inner sizes are equal
  }];
  let arguments = (ins Prim_Tensor:$lhs, Prim_Tensor:$rhs,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`transpose_lhs` $transpose_lhs^)? (`transpose_rhs` $transpose_rhs^)?
    attr-dict `:` type($lhs) `,` type($rhs) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Prim_ImageLayout : I32EnumAttr<"ImageLayout", "order of the dims of an image",
    [I32EnumAttrCase<"channels_first", 0>, I32EnumAttrCase<"channels_last", 1>]> {
  let cppNamespace = "::adze::prim";
}

def Prim_ConvolutionOp : Prim_PureOp<"convolution", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Convolves (correlates) images with filters, in any number of spatial dims";
  let description = [{
    `channels_first`: input `[N, C, spatial...]`, result `[N, O, spatial...]`,
    filter `[O, C/groups, spatial...]`, of a `transposed` convolution
    `[C, O/groups, spatial...]`. `channels_last`: input and result
    `[N, spatial..., C]`, filter `[spatial..., C/groups, O]`, be the
    convolution transposed or not. `low` and `high` pad with zeros (transposed:
    they crop, `output_padding` then extends the high side).

    Constraints:
    - (C1) input, filter and result have the same element type and rank
    - (C2) stride, low, high, dilation and output_padding have one entry per spatial dim
    - (C3) strides and dilations are positive
    - (C4) channels are divisible by `groups` and fit the filter
  }];
  let arguments = (ins Prim_Tensor:$input, Prim_Tensor:$filter,
      DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
      DenseI64ArrayAttr:$dilation, DenseI64ArrayAttr:$output_padding,
      I64Attr:$groups, UnitAttr:$transposed,
      DefaultValuedAttr<Prim_ImageLayout, "::adze::prim::ImageLayout::channels_first">:$layout);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $filter attr-dict `:` type($input) `,` type($filter) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Prim_PoolOp : Prim_PureOp<"pool", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Reduces windows that slide over the last dims";
  let description = [{
    `window`, `stride`, `low`, `high` and `dilation` have one entry for each
    of the pooled dims: the last ones, or those before the channels for
    `channels_last`. Elements outside of the operand are left out. `high` may
    be larger than what a symmetric padding needs (ceil mode).

    Constraints:
    - (C1) all attributes have the same number of entries, at most the rank
    - (C2) windows, strides and dilations are positive
    - (C3) the kind is `sum`, `max` or `min`
  }];
  let arguments = (ins Prim_Reduction:$kind, Prim_RealTensor:$operand,
      DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$low,
      DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$dilation,
      DefaultValuedAttr<Prim_ImageLayout, "::adze::prim::ImageLayout::channels_first">:$layout);
  let results = (outs Prim_RealTensor:$result);
  let assemblyFormat = "$kind $operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}

def Prim_ArgPoolOp : Prim_PureOp<"arg_pool", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Gives where in its plane the largest element of each window stands";
  let description = [{
    The same windows as `pool max`; channels first. The index counts the
    elements of the pooled dims in row-major order; the first NaN wins, else
    the first largest element.

    Constraints:
    - (C1) all attributes have the same number of entries, at most the rank
    - (C2) windows, strides and dilations are positive
  }];
  let arguments = (ins Prim_RealTensor:$operand, DenseI64ArrayAttr:$window,
      DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
      DenseI64ArrayAttr:$dilation);
  let results = (outs Prim_IndexTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}

class Prim_SoftmaxLikeOp<string mnemonic>
    : Prim_PureOp<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins Prim_FloatTensor:$operand, I64Attr:$dim);
  let results = (outs Prim_FloatTensor:$result);
  let assemblyFormat = "$operand `dim` `=` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def Prim_SoftmaxOp : Prim_SoftmaxLikeOp<"softmax"> {
  let summary = "Normalises exponentials along one dim";
  let description = [{
    Constraints:
    - (C1) the dim is within the rank
  }];
}
def Prim_LogSoftmaxOp : Prim_SoftmaxLikeOp<"log_softmax"> {
  let summary = "Takes the logarithm of softmax without overflow";
  let description = [{
    Constraints:
    - (C1) the dim is within the rank
  }];
}

def Prim_LayerNormOp : Prim_PureOp<"layer_norm", [AttrSizedOperandSegments,
    AllTypesMatch<["operand", "result"]>, AllTypesMatch<["mean", "rstd"]>]> {
  let summary = "Normalises to mean 0 and variance 1 over the last dims";
  let description = [{
    `y = (x - mean) * rstd * weight + bias` over the last `axes` dims, with
    `rstd = 1 / sqrt(variance + eps)`. `mean` and `rstd` keep the reduced dims
    with size 1 and are f32 for half precision.

    Constraints:
    - (C1) `axes` is positive and at most the rank
    - (C2) weight and bias have the last sizes of the operand
    - (C3) `mean` has the sizes of the operand, the reduced ones being 1
  }];
  let arguments = (ins Prim_FloatTensor:$operand, Optional<Prim_FloatTensor>:$weight,
      Optional<Prim_FloatTensor>:$bias, I64Attr:$axes, F64Attr:$eps);
  let results = (outs Prim_FloatTensor:$result, Prim_FloatTensor:$mean, Prim_FloatTensor:$rstd);
  let assemblyFormat = [{
    $operand (`weight` $weight^ `:` type($weight))? (`bias` $bias^ `:` type($bias))?
    attr-dict `:` type($operand) `to` type($mean)
  }];
  let hasVerifier = 1;
}

def Prim_RmsNormOp : Prim_PureOp<"rms_norm", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Divides by the root mean square over the last dims";
  let description = [{
    `y = x / sqrt(mean(x * x) + eps) * weight` over the last `axes` dims.

    Constraints:
    - (C1) `axes` is positive and at most the rank
    - (C2) the weight has the last sizes of the operand
  }];
  let arguments = (ins Prim_FloatTensor:$operand, Optional<Prim_FloatTensor>:$weight,
      I64Attr:$axes, F64Attr:$eps);
  let results = (outs Prim_FloatTensor:$result);
  let assemblyFormat = [{
    $operand (`weight` $weight^ `:` type($weight))? attr-dict `:` type($operand)
  }];
  let hasVerifier = 1;
}

def Prim_AttentionOp : Prim_PureOp<"attention"> {
  let summary = "Computes softmax(scale * q k^T + mask) v";
  let description = [{
    `q [batch..., L, E]`, `k [batch..., S, E]`, `v [batch..., S, Ev]`. The
    mask is added to the scores (bool: false means minus infinity) and has
    sizes that broadcast to `[batch..., L, S]`. With `causal`, position i sees
    keys 0 to i only. A row that sees no key gives zeros.

    Constraints:
    - (C1) q, k, v and result have the same element type and rank of at least 3
    - (C2) their leading sizes are equal, and inner sizes fit
    - (C3) the mask has the rank of q, and sizes that broadcast
  }];
  let arguments = (ins Prim_FloatTensor:$query, Prim_FloatTensor:$key,
      Prim_FloatTensor:$value, Optional<Prim_Tensor>:$mask, F64Attr:$scale,
      UnitAttr:$causal);
  let results = (outs Prim_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^ `:` type($mask))? `scale` `=` $scale
    (`causal` $causal^)? attr-dict `:` type($query) `,` type($key) `,` type($value) `to` type($result)
  }];
  let hasVerifier = 1;
}

#endif // ADZE_DIALECTS_PRIM_PRIMNEURALOPS_TD
