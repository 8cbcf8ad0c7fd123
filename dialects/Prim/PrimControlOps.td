//===- PrimControlOps.td - Structured control flow ---------*- tablegen -*-===//
//
// Regions see the values around them; nothing is passed but what is carried.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DIALECTS_PRIM_PRIMCONTROLOPS_TD
#define ADZE_DIALECTS_PRIM_PRIMCONTROLOPS_TD

include "dialects/Prim/PrimBase.td"

def Prim_YieldOp : Prim_PureOp<"yield", [Terminator, ReturnLike]> {
  let summary = "Gives the results of a region";
  let arguments = (ins Variadic<Prim_Tensor>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* yields nothing */ }]>];
}

def Prim_CondOp : Prim_Op<"cond", [SingleBlockImplicitTerminator<"YieldOp">,
    NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "Runs one of two regions";
  let description = [{
    A result may have sizes that are symbols listed in `defines`: each takes
    the size that the branch gave (an expression over symbols known inside of
    that branch). `then_sizes` and `else_sizes` are the values of these
    symbols in each branch.

    Constraints:
    - (C1) both regions yield as many values as there are results, of the same element type and rank
    - (C2) `defines`, `then_sizes` and `else_sizes` have the same number of entries
    - (C3) the condition has rank 0
  }];
  let arguments = (ins Prim_BoolTensor:$condition,
      DefaultValuedAttr<StrArrayAttr, "{}">:$defines,
      DefaultValuedAttr<Prim_Exprs, "{}">:$then_sizes,
      DefaultValuedAttr<Prim_Exprs, "{}">:$else_sizes);
  let results = (outs Variadic<Prim_Tensor>:$results);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition `:` type($condition) (`to` type($results)^)? $thenRegion `else` $elseRegion attr-dict
  }];
  let hasVerifier = 1;
}

def Prim_WhileOp : Prim_Op<"while", [SingleBlock, RecursiveMemoryEffects]> {
  let summary = "Runs a body as long as a condition holds";
  let description = [{
    Both regions take the carried values. The first yields a rank-0 bool, the
    second the next carried values. Carried values keep their types.

    Constraints:
    - (C1) region arguments, yields of the body and results have the types of the operands
    - (C2) the condition yields one rank-0 bool
  }];
  let arguments = (ins Variadic<Prim_Tensor>:$inits);
  let results = (outs Variadic<Prim_Tensor>:$results);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = [{
    ($inits^ `:` type($inits))? (`to` type($results)^)? $condition `do` $body attr-dict
  }];
  let hasVerifier = 1;
}

def Prim_ScanOp : Prim_Op<"scan", [SingleBlock, AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "Runs a body for each slice of some tensors, with carried values";
  let description = [{
    Slices are taken along dim 0. The body takes the carried values and one
    slice of each of `sequences`, and yields the next carried values and one
    slice of each stacked result. Results: final carried values, then the
    stacked ones.

    Constraints:
    - (C1) there is at least one sequence and all have the same first size
    - (C2) body arguments are the types of `inits` and slices of `sequences`
    - (C3) the body yields the types of `inits` and slices of the other results
  }];
  let arguments = (ins Variadic<Prim_Tensor>:$inits, Variadic<Prim_Tensor>:$sequences);
  let results = (outs Variadic<Prim_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `init` `(` ($inits^ `:` type($inits))? `)` `over` `(` $sequences `:` type($sequences) `)`
    `to` type($results) $body attr-dict
  }];
  let hasVerifier = 1;
}

#endif // ADZE_DIALECTS_PRIM_PRIMCONTROLOPS_TD
