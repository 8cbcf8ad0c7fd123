//===- PrimScienceOps.td - Random, Fourier, linear algebra -*- tablegen -*-===//

#ifndef ADZE_DIALECTS_PRIM_PRIMSCIENCEOPS_TD
#define ADZE_DIALECTS_PRIM_PRIMSCIENCEOPS_TD

include "dialects/Prim/PrimBase.td"

def Prim_Distribution : I32EnumAttr<"Distribution", "distribution",
    [I32EnumAttrCase<"uniform", 0>, I32EnumAttrCase<"normal", 1>,
     I32EnumAttrCase<"bits", 2>]> {
  let cppNamespace = "::adze::prim";
}

def Prim_RandomOp : Prim_PureOp<"random"> {
  let summary = "Draws random numbers, as a function of key and stream";
  let description = [{
    `uniform` in [0, 1) and `normal` (mean 0, deviation 1) give floats, `bits`
    gives non-negative i64 of 63 random bits. `key` holds the seed and the
    number of the call; `stream` tells the draws of one program apart.
    Philox4x32-10, counter (element / 2, stream, call number).

    Constraints:
    - (C1) `uniform` and `normal` give floats, `bits` gives i64
    - (C2) the key has size [2]
  }];
  let arguments = (ins Prim_Distribution:$distribution, RankedTensorOf<[I64]>:$key,
      I64Attr:$stream);
  let results = (outs RankedTensorOf<[AnyFloat, I64]>:$result);
  let assemblyFormat = "$distribution $key `stream` `=` $stream attr-dict `:` type($key) `to` type($result)";
  let hasVerifier = 1;
}

def Prim_FftOp : Prim_PureOp<"fft", [SameOperandsAndResultType]> {
  let summary = "Computes the discrete Fourier transform along one dim, without scaling";
  let description = [{
    Constraints:
    - (C1) the dim is within the rank
  }];
  let arguments = (ins Prim_ComplexTensor:$operand, I64Attr:$dim, UnitAttr:$inverse);
  let results = (outs Prim_ComplexTensor:$result);
  let assemblyFormat = "$operand `dim` `=` $dim (`inverse` $inverse^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Prim_LuOp : Prim_PureOp<"lu"> {
  let summary = "Factors matrices as P L U with partial pivoting";
  let description = [{
    `[batch..., M, N]` gives L (below the diagonal, which is 1) and U in one
    matrix, 1-based row swaps i32 `[batch..., min(M, N)]`, and i32
    `[batch...]`: 0, or the number of the first zero pivot.

    Constraints:
    - (C1) the operand has a rank of at least 2
    - (C2) the results have these sizes and element types
  }];
  let arguments = (ins Prim_InexactTensor:$operand);
  let results = (outs Prim_InexactTensor:$lu, RankedTensorOf<[I32]>:$pivots,
                      RankedTensorOf<[I32]>:$info);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($lu) `,` type($pivots) `,` type($info)";
  let hasVerifier = 1;
}

def Prim_TriangularSolveOp : Prim_PureOp<"triangular_solve", [AllTypesMatch<["rhs", "result"]>]> {
  let summary = "Solves A X = B for triangular A, batch by batch";
  let description = [{
    Constraints:
    - (C1) A is `[batch..., N, N]`, B is `[batch..., N, K]`
  }];
  let arguments = (ins Prim_InexactTensor:$matrix, Prim_InexactTensor:$rhs,
      UnitAttr:$upper, UnitAttr:$transpose, UnitAttr:$unit_diagonal);
  let results = (outs Prim_InexactTensor:$result);
  let assemblyFormat = [{
    $matrix `,` $rhs (`upper` $upper^)? (`transpose` $transpose^)? (`unit` $unit_diagonal^)?
    attr-dict `:` type($matrix) `,` type($rhs)
  }];
  let hasVerifier = 1;
}

def Prim_CholeskyOp : Prim_PureOp<"cholesky"> {
  let summary = "Factors symmetric positive definite matrices as L L^T";
  let description = [{
    Reads the lower triangle; above the diagonal the result is 0. `info` is
    0, or the order of the first minor that is not positive.

    Constraints:
    - (C1) the operand is `[batch..., N, N]`
    - (C2) the results have the sizes and the element type that follow
  }];
  let arguments = (ins Prim_FloatTensor:$operand);
  let results = (outs Prim_FloatTensor:$result, RankedTensorOf<[I32]>:$info);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result) `,` type($info)";
  let hasVerifier = 1;
}

def Prim_QrOp : Prim_PureOp<"qr"> {
  let summary = "Factors matrices as Q R by Householder reflections";
  let description = [{
    `[batch..., M, N]` gives Q `[batch..., M, K]` and R `[batch..., K, N]`
    with K = min(M, N) or M, as the result types say.

    Constraints:
    - (C1) the operand has a rank of at least 2
    - (C2) the results have these sizes and element types
  }];
  let arguments = (ins Prim_FloatTensor:$operand);
  let results = (outs Prim_FloatTensor:$q, Prim_FloatTensor:$r);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($q) `,` type($r)";
  let hasVerifier = 1;
}

def Prim_EighOp : Prim_PureOp<"eigh"> {
  let summary = "Computes eigenvalues (ascending) and eigenvectors of symmetric matrices";
  let description = [{
    Reads the lower triangle.

    Constraints:
    - (C1) the operand is `[batch..., N, N]`
    - (C2) the results have the sizes and the element type that follow
  }];
  let arguments = (ins Prim_FloatTensor:$operand);
  let results = (outs Prim_FloatTensor:$values, Prim_FloatTensor:$vectors);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($values) `,` type($vectors)";
  let hasVerifier = 1;
}

def Prim_SvdOp : Prim_PureOp<"svd"> {
  let summary = "Computes the reduced singular value decomposition U S V^T";
  let description = [{
    `[batch..., M, N]` gives U `[batch..., M, K]`, S `[batch..., K]`
    (descending), V^T `[batch..., K, N]` with K = min(M, N).

    Constraints:
    - (C1) the operand has a rank of at least 2
    - (C2) the results have these sizes and element types
  }];
  let arguments = (ins Prim_FloatTensor:$operand);
  let results = (outs Prim_FloatTensor:$u, Prim_FloatTensor:$s, Prim_FloatTensor:$vt);
  let assemblyFormat = [{
    $operand attr-dict `:` type($operand) `to` type($u) `,` type($s) `,` type($vt)
  }];
  let hasVerifier = 1;
}

#endif // ADZE_DIALECTS_PRIM_PRIMSCIENCEOPS_TD
