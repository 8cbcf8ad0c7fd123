//===- PrimReductionOps.td - Reductions, scans, sorting ----*- tablegen -*-===//

#ifndef ADZE_DIALECTS_PRIM_PRIMREDUCTIONOPS_TD
#define ADZE_DIALECTS_PRIM_PRIMREDUCTIONOPS_TD

include "dialects/Prim/PrimBase.td"

def Prim_ReduceOp : Prim_PureOp<"reduce", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Combines all elements along some dims, which vanish";
  let description = [{
    Half-precision sums are accumulated in f32 and rounded once. `max` and
    `min` give NaN if an element is NaN. Over no elements: 0, 1, the least,
    the largest value, false, true. `any` and `all` take bool.

    Constraints:
    - (C1) dims are sorted, distinct and within the rank
    - (C2) `any` and `all` take bool; `max` and `min` real elements
    - (C3) the result has the remaining sizes and the operand's element type
  }];
  let arguments = (ins Prim_Reduction:$kind, Prim_Tensor:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$kind $operand `dims` `=` $dims attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}

def Prim_ArgReduceOp : Prim_PureOp<"arg_reduce", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Gives the index of the first largest or smallest element along one dim";
  let description = [{
    The first NaN wins over everything else.

    Constraints:
    - (C1) the kind is `max` or `min`
    - (C2) the dim is within the rank
  }];
  let arguments = (ins Prim_Reduction:$kind, Prim_RealTensor:$operand, I64Attr:$dim);
  let results = (outs Prim_IndexTensor:$result);
  let assemblyFormat = "$kind $operand `dim` `=` $dim attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}

def Prim_ScanKind : I32EnumAttr<"ScanKind", "cumulative operation",
    [I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"prod", 1>,
     I32EnumAttrCase<"max", 2>, I32EnumAttrCase<"min", 3>,
     I32EnumAttrCase<"logsumexp", 4>]> {
  let cppNamespace = "::adze::prim";
}

def Prim_CumulativeOp : Prim_PureOp<"cumulative", [SameOperandsAndResultType]> {
  let summary = "Combines each element with all before it along one dim";
  let description = [{
    Constraints:
    - (C1) the dim is within the rank
  }];
  let arguments = (ins Prim_ScanKind:$kind, Prim_Tensor:$operand, I64Attr:$dim);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$kind $operand `dim` `=` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Prim_ArgCumulativeOp : Prim_PureOp<"arg_cumulative", [SameOperandsAndResultShape,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Gives the index of the last largest or smallest element so far along one dim";
  let description = [{
    Constraints:
    - (C1) the kind is `max` or `min`
    - (C2) the dim is within the rank
  }];
  let arguments = (ins Prim_ScanKind:$kind, Prim_RealTensor:$operand, I64Attr:$dim);
  let results = (outs Prim_IndexTensor:$result);
  let assemblyFormat = "$kind $operand `dim` `=` $dim attr-dict `:` type($operand)";
  let hasVerifier = 1;
}

def Prim_SortOp : Prim_PureOp<"sort", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Sorts stably along one dim; gives values and their former indices";
  let description = [{
    NaN counts as larger than every number.

    Constraints:
    - (C1) the dim is within the rank
  }];
  let arguments = (ins Prim_RealTensor:$operand, I64Attr:$dim, UnitAttr:$descending);
  let results = (outs Prim_RealTensor:$values, Prim_IndexTensor:$indices);
  let assemblyFormat = "$operand `dim` `=` $dim (`descending` $descending^)? attr-dict `:` type($operand)";
  let hasVerifier = 1;
}

def Prim_TopkOp : Prim_PureOp<"topk"> {
  let summary = "Takes the k largest or smallest elements along one dim, in order";
  let description = [{
    k is the size of the results along the dim. NaN counts as larger than
    every number.

    Constraints:
    - (C1) the dim is within the rank
    - (C2) the results differ from the operand in the size of that dim only
  }];
  let arguments = (ins Prim_RealTensor:$operand, I64Attr:$dim, UnitAttr:$smallest);
  let results = (outs Prim_RealTensor:$values, Prim_IndexTensor:$indices);
  let assemblyFormat = [{
    $operand `dim` `=` $dim (`smallest` $smallest^)? attr-dict `:` type($operand) `to` type($values) `,` type($indices)
  }];
  let hasVerifier = 1;
}

def Prim_SearchsortedOp : Prim_PureOp<"searchsorted", [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Finds where values would be inserted into sorted sequences";
  let description = [{
    Sequences lie along the last dim. `right` inserts behind equal elements.

    Constraints:
    - (C1) the sequences have rank 1, or the leading sizes of both operands agree
    - (C2) both operands have the same element type
  }];
  let arguments = (ins Prim_RealTensor:$sequence, Prim_RealTensor:$values, UnitAttr:$right);
  let results = (outs Prim_IndexTensor:$result);
  let assemblyFormat = [{
    $sequence `,` $values (`right` $right^)? attr-dict `:` type($sequence) `,` type($values)
  }];
  let hasVerifier = 1;
}

#endif // ADZE_DIALECTS_PRIM_PRIMREDUCTIONOPS_TD
