//===- PrimShapeOps.td - Creation, movement, symbols -------*- tablegen -*-===//

#ifndef ADZE_DIALECTS_PRIM_PRIMSHAPEOPS_TD
#define ADZE_DIALECTS_PRIM_PRIMSHAPEOPS_TD

include "dialects/Prim/PrimBase.td"

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

def Prim_ConstantOp : Prim_PureOp<"constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "Holds a small tensor that is known at compile time";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

def Prim_FullOp : Prim_PureOp<"full"> {
  let summary = "Fills a tensor with one number";
  let description = [{
    `value` has the element type of the result (bool: i1; complex: an array
    attribute of two floats).

    Constraints:
    - (C1) the value has the element type of the result
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$value `to` type($result) attr-dict";
  let hasVerifier = 1;
}

def Prim_IotaOp : Prim_PureOp<"iota"> {
  let summary = "Counts 0, 1, 2, ... along one dim";
  let description = [{
    Constraints:
    - (C1) the dim is within the rank of the result
  }];
  let arguments = (ins I64Attr:$dim);
  let results = (outs RankedTensorOf<[AnyInteger, AnyFloat]>:$result);
  let assemblyFormat = "`dim` `=` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Prim_SymbolValueOp : Prim_PureOp<"symbol_value"> {
  let summary = "Gives the value of a symbolic expression as a rank-0 tensor";
  let description = [{
    Constraints:
    - (C1) the result has rank 0

    ```mlir
    %0 = prim.symbol_value <2 * s0 + 1> : tensor<i64>
    ```
  }];
  let arguments = (ins Sym_ExprAttr:$expr);
  let results = (outs RankedTensorOf<[I64, F64, I1]>:$result);
  let assemblyFormat = "$expr attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Prim_BindSymbolOp : Prim_Op<"bind_symbol"> {
  let summary = "Defines a symbol by the value of a rank-0 integer tensor";
  let description = [{
    From here on the symbol may occur in sizes. Declared bounds of the symbol
    are checked by separate assertions.

    Constraints:
    - (C1) the value has rank 0
  }];
  let arguments = (ins RankedTensorOf<[AnyInteger]>:$value, StrAttr:$symbol);
  let assemblyFormat = "$symbol `=` $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

def Prim_ReshapeOp : Prim_PureOp<"reshape"> {
  let summary = "Gives the elements, in row-major order, other sizes";
  let description = [{
    Constraints:
    - (C1) operand and result have the same element type
    - (C2) operand and result have the same number of elements
  }];
  let arguments = (ins Prim_Tensor:$operand);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Prim_CheckShapeOp : Prim_PureOp<"check_shape"> {
  let summary = "Asserts that the sizes of a tensor are those of the result type";
  let description = [{
    Moves no data. Sizes that differ at run time are an error of the call.

    Constraints:
    - (C1) operand and result have the same element type and rank
  }];
  let arguments = (ins Prim_Tensor:$operand);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Prim_TransposeOp : Prim_PureOp<"transpose", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Permutes the dims: dim i of the result is dim permutation[i]";
  let description = [{
    Constraints:
    - (C1) `permutation` is a permutation of the operand's dims
    - (C2) the result has the permuted sizes
  }];
  let arguments = (ins Prim_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$operand `by` $permutation attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Prim_BroadcastOp : Prim_PureOp<"broadcast"> {
  let summary = "Repeats a tensor along new leading dims and dims of size 1";
  let description = [{
    Dims are aligned at the right, as in NumPy.

    Constraints:
    - (C1) operand and result have the same element type
    - (C2) the result has at least the operand's rank
    - (C3) every size of the operand is 1 or that of the result
  }];
  let arguments = (ins Prim_Tensor:$operand);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Prim_SliceOp : Prim_PureOp<"slice"> {
  let summary = "Takes every stride-th element from a start, in each dim";
  let description = [{
    How many elements are taken stands in the result type. `starts` and
    `strides` have one entry per dim; strides are positive.

    Constraints:
    - (C1) operand and result have the same element type and rank
    - (C2) there are as many starts and strides as dims
    - (C3) strides are positive
    - (C4) constant bounds stay within the operand
  }];
  let arguments = (ins Prim_Tensor:$operand, Prim_Exprs:$starts,
                       DenseI64ArrayAttr:$strides);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = [{
    $operand `from` $starts `by` $strides attr-dict `:` type($operand) `to` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Prim_UpdateSliceOp : Prim_PureOp<"update_slice", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Replaces the elements that `slice` would take";
  let description = [{
    Constraints:
    - (C1) operand and update have the same element type and rank
    - (C2) there are as many starts and strides as dims
    - (C3) strides are positive
    - (C4) constant bounds stay within the operand
  }];
  let arguments = (ins Prim_Tensor:$operand, Prim_Tensor:$update,
                       Prim_Exprs:$starts, DenseI64ArrayAttr:$strides);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $update `from` $starts `by` $strides attr-dict `:` type($operand) `,` type($update)
  }];
  let hasVerifier = 1;
}

def Prim_PadOp : Prim_PureOp<"pad", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Adds elements of one value before and after each dim";
  let description = [{
    `value` is a rank-0 tensor. `low` and `high` are not negative.

    Constraints:
    - (C1) operand, value and result have the same element type, the value rank 0
    - (C2) there are as many entries in `low` and `high` as dims
    - (C3) the result has the padded sizes
    - (C4) constant padding is not negative
  }];
  let arguments = (ins Prim_Tensor:$operand, Prim_Tensor:$value,
                       Prim_Exprs:$low, Prim_Exprs:$high);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = [{
    $operand `with` $value `low` $low `high` $high attr-dict `:` type($operand) `,` type($value) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Prim_ConcatOp : Prim_PureOp<"concat", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Joins tensors along one dim";
  let description = [{
    Constraints:
    - (C1) there is at least one operand
    - (C2) operands have the same element type and rank
    - (C3) the dim is within the rank
    - (C4) all other sizes are equal
  }];
  let arguments = (ins Variadic<Prim_Tensor>:$operands, I64Attr:$dim);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = [{
    $operands `dim` `=` $dim attr-dict `:` type($operands) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Prim_ReverseOp : Prim_PureOp<"reverse", [SameOperandsAndResultType]> {
  let summary = "Reverses the order of the elements along some dims";
  let description = [{
    Constraints:
    - (C1) the dims are within the rank and distinct
  }];
  let arguments = (ins Prim_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$operand `dims` `=` $dims attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

def Prim_AssertOp : Prim_Op<"assert"> {
  let summary = "Makes the call fail unless a rank-0 bool is true";
  let description = [{
    Constraints:
    - (C1) the condition has rank 0
  }];
  let arguments = (ins Prim_BoolTensor:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
  let hasVerifier = 1;
}

def Prim_AssertExprOp : Prim_Op<"assert_expr"> {
  let summary = "Makes the call fail unless a symbolic expression is nonzero";
  let arguments = (ins Sym_ExprAttr:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

#endif // ADZE_DIALECTS_PRIM_PRIMSHAPEOPS_TD
