//===- PrimIndexingOps.td - Gathers and scatters -----------*- tablegen -*-===//
//
// Indices are i64 and count from the front; one that is negative or too large
// is an error of the call.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DIALECTS_PRIM_PRIMINDEXINGOPS_TD
#define ADZE_DIALECTS_PRIM_PRIMINDEXINGOPS_TD

include "dialects/Prim/PrimBase.td"

def Prim_IndexOp : Prim_PureOp<"index", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Takes elements by index tensors, one for each of some dims";
  let description = [{
    All index tensors have the same sizes I. `dims` says which dim each of
    them indexes. The result has the sizes I in place of the indexed dims: at
    position `position`, before and after which stand the remaining dims of
    the operand in their order (`position` counts remaining dims).

    Constraints:
    - (C1) there is one distinct dim, within the rank, for each index tensor, and at least one
    - (C2) all index tensors have the same type
    - (C3) `position` is at most the number of remaining dims
  }];
  let arguments = (ins Prim_Tensor:$operand, Variadic<Prim_IndexTensor>:$indices,
      DenseI64ArrayAttr:$dims, I64Attr:$position);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = [{
    $operand `[` $indices `]` `dims` `=` $dims `position` `=` $position attr-dict
    `:` type($operand) `,` type($indices) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Prim_ScatterKind : I32EnumAttr<"ScatterKind", "how a scattered value is combined",
    [I32EnumAttrCase<"set", 0>, I32EnumAttrCase<"add", 1>, I32EnumAttrCase<"mul", 2>,
     I32EnumAttrCase<"max", 3>, I32EnumAttrCase<"min", 4>]> {
  let cppNamespace = "::adze::prim";
}

def Prim_IndexPutOp : Prim_PureOp<"index_put", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Writes elements by index tensors: the counterpart of index";
  let description = [{
    `values` has the sizes of the result of the corresponding `index`. Among
    several values for one element the last one wins (`set`), or all are
    combined, in row-major order.

    Constraints:
    - (C1) there is one distinct dim, within the rank, for each index tensor, and at least one
    - (C2) all index tensors have the same type
    - (C3) `position` is at most the number of remaining dims
    - (C4) `values` has the sizes that `index` would give
  }];
  let arguments = (ins Prim_ScatterKind:$kind, Prim_Tensor:$operand, Prim_Tensor:$values,
      Variadic<Prim_IndexTensor>:$indices, DenseI64ArrayAttr:$dims, I64Attr:$position);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = [{
    $kind $operand `,` $values `[` $indices `]` `dims` `=` $dims `position` `=` $position attr-dict
    `:` type($operand) `,` type($values) `,` type($indices)
  }];
  let hasVerifier = 1;
}

def Prim_GatherOp : Prim_PureOp<"gather", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Takes elements whose position along one dim an index tensor gives";
  let description = [{
    `result[i][j][k] = operand[i][index[i][j][k]][k]` for dim 1 (torch.gather).

    Constraints:
    - (C1) operand and index have the same rank, the dim is within it
    - (C2) constant sizes of the index are at most those of the operand, except along the dim
  }];
  let arguments = (ins Prim_Tensor:$operand, Prim_IndexTensor:$index, I64Attr:$dim);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$operand `[` $index `]` `dim` `=` $dim attr-dict `:` type($operand) `,` type($index)";
  let hasVerifier = 1;
}

def Prim_ScatterOp : Prim_PureOp<"scatter", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Writes elements whose position along one dim an index tensor gives";
  let description = [{
    `result[i][index[i][j][k]][k] = values[i][j][k]` for dim 1 (torch.scatter);
    combined with the former element by `kind`, in row-major order.

    Constraints:
    - (C1) operand and index have the same rank, the dim is within it
    - (C2) values and index have the same sizes
  }];
  let arguments = (ins Prim_ScatterKind:$kind, Prim_Tensor:$operand, Prim_IndexTensor:$index,
      Prim_Tensor:$values, I64Attr:$dim);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = [{
    $kind $operand `[` $index `]` `,` $values `dim` `=` $dim attr-dict
    `:` type($operand) `,` type($index) `,` type($values)
  }];
  let hasVerifier = 1;
}

def Prim_NonzeroOp : Prim_Op<"nonzero"> {
  let summary = "Lists the indices of the elements that are true; defines a symbol";
  let description = [{
    The result is `[symbol, rank]`, in row-major order; the symbol is defined
    by this op as the number of true elements.

    Constraints:
    - (C1) the result has sizes [symbol, rank of the operand]
  }];
  let arguments = (ins Prim_BoolTensor:$operand, StrAttr:$symbol);
  let results = (outs Prim_IndexTensor:$result);
  let assemblyFormat = "$operand `defines` $symbol attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}

def Prim_UniqueOp : Prim_Op<"unique"> {
  let summary = "Lists the distinct elements of a rank-1 tensor; defines a symbol";
  let description = [{
    Gives the values (sorted, or runs of equal elements for `consecutive`),
    for each element the position of its value, and how often each occurs.

    Constraints:
    - (C1) the operand has rank 1
    - (C2) values and counts have size [symbol], inverse that of the operand
    - (C3) operand and values have the same element type
  }];
  let arguments = (ins Prim_RealTensor:$operand, StrAttr:$symbol, UnitAttr:$consecutive);
  let results = (outs Prim_RealTensor:$values, Prim_IndexTensor:$inverse, Prim_IndexTensor:$counts);
  let assemblyFormat = [{
    $operand `defines` $symbol (`consecutive` $consecutive^)? attr-dict
    `:` type($operand) `to` type($values) `,` type($inverse) `,` type($counts)
  }];
  let hasVerifier = 1;
}

#endif // ADZE_DIALECTS_PRIM_PRIMINDEXINGOPS_TD
