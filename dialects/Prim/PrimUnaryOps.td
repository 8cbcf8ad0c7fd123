//===- PrimUnaryOps.td - Elementwise ops of one operand ----*- tablegen -*-===//

#ifndef ADZE_DIALECTS_PRIM_PRIMUNARYOPS_TD
#define ADZE_DIALECTS_PRIM_PRIMUNARYOPS_TD

include "dialects/Prim/PrimBase.td"

def Prim_NegOp : Prim_UnaryOp<"neg", Prim_Tensor> {
  let summary = "Negates; integers wrap";
}
def Prim_AbsOp : Prim_UnaryOp<"abs", Prim_RealTensor> {
  let summary = "Takes the absolute value; the least integer stays";
}
def Prim_SignOp : Prim_UnaryOp<"sign", Prim_RealTensor> {
  let summary = "Gives -1, 0 or 1; 0 for NaN";
}
def Prim_NotOp : Prim_UnaryOp<"not", Prim_IntTensor> {
  let summary = "Inverts every bit; on bool the logical not";
}
def Prim_CeilOp : Prim_UnaryOp<"ceil", Prim_FloatTensor> {
  let summary = "Rounds to plus infinity";
}
def Prim_FloorOp : Prim_UnaryOp<"floor", Prim_FloatTensor> {
  let summary = "Rounds to minus infinity";
}
def Prim_TruncOp : Prim_UnaryOp<"trunc", Prim_FloatTensor> {
  let summary = "Rounds to zero";
}
def Prim_RoundOp : Prim_UnaryOp<"round", Prim_FloatTensor> {
  let summary = "Rounds to the nearest integer, halves to even";
}
def Prim_SqrtOp : Prim_UnaryOp<"sqrt", Prim_InexactTensor> {
  let summary = "Takes the square root; NaN for negative reals";
}
def Prim_RsqrtOp : Prim_UnaryOp<"rsqrt", Prim_InexactTensor> {
  let summary = "Takes one over the square root";
}
def Prim_ExpOp : Prim_UnaryOp<"exp", Prim_InexactTensor> {
  let summary = "Raises e to the operand";
}
def Prim_Exp2Op : Prim_UnaryOp<"exp2", Prim_FloatTensor> {
  let summary = "Raises 2 to the operand";
}
def Prim_Expm1Op : Prim_UnaryOp<"expm1", Prim_FloatTensor> {
  let summary = "Computes exp(x) - 1 without cancellation";
}
def Prim_LogOp : Prim_UnaryOp<"log", Prim_InexactTensor> {
  let summary = "Takes the natural logarithm";
}
def Prim_Log2Op : Prim_UnaryOp<"log2", Prim_FloatTensor> {
  let summary = "Takes the logarithm to base 2";
}
def Prim_Log10Op : Prim_UnaryOp<"log10", Prim_FloatTensor> {
  let summary = "Takes the logarithm to base 10";
}
def Prim_Log1pOp : Prim_UnaryOp<"log1p", Prim_FloatTensor> {
  let summary = "Computes log(1 + x) without cancellation";
}
def Prim_SinOp : Prim_UnaryOp<"sin", Prim_InexactTensor> {
  let summary = "Computes the sine";
}
def Prim_CosOp : Prim_UnaryOp<"cos", Prim_InexactTensor> {
  let summary = "Computes the cosine";
}
def Prim_TanOp : Prim_UnaryOp<"tan", Prim_InexactTensor> {
  let summary = "Computes the tangent";
}
def Prim_AsinOp : Prim_UnaryOp<"asin", Prim_FloatTensor> {
  let summary = "Computes the inverse sine";
}
def Prim_AcosOp : Prim_UnaryOp<"acos", Prim_FloatTensor> {
  let summary = "Computes the inverse cosine";
}
def Prim_AtanOp : Prim_UnaryOp<"atan", Prim_FloatTensor> {
  let summary = "Computes the inverse tangent";
}
def Prim_SinhOp : Prim_UnaryOp<"sinh", Prim_InexactTensor> {
  let summary = "Computes the hyperbolic sine";
}
def Prim_CoshOp : Prim_UnaryOp<"cosh", Prim_InexactTensor> {
  let summary = "Computes the hyperbolic cosine";
}
def Prim_TanhOp : Prim_UnaryOp<"tanh", Prim_InexactTensor> {
  let summary = "Computes the hyperbolic tangent";
}
def Prim_AsinhOp : Prim_UnaryOp<"asinh", Prim_FloatTensor> {
  let summary = "Computes the inverse hyperbolic sine";
}
def Prim_AcoshOp : Prim_UnaryOp<"acosh", Prim_FloatTensor> {
  let summary = "Computes the inverse hyperbolic cosine";
}
def Prim_AtanhOp : Prim_UnaryOp<"atanh", Prim_FloatTensor> {
  let summary = "Computes the inverse hyperbolic tangent";
}
def Prim_ErfOp : Prim_UnaryOp<"erf", Prim_FloatTensor> {
  let summary = "Computes the error function";
}
def Prim_ErfcOp : Prim_UnaryOp<"erfc", Prim_FloatTensor> {
  let summary = "Computes one minus the error function without cancellation";
}
def Prim_SigmoidOp : Prim_UnaryOp<"sigmoid", Prim_InexactTensor> {
  let summary = "Computes 1 / (1 + exp(-x))";
}

def Prim_SpecialUnaryKind : I32EnumAttr<"SpecialUnaryKind", "special function",
    [
  I32EnumAttrCase<"lgamma", 0>, I32EnumAttrCase<"digamma", 1>,
  I32EnumAttrCase<"erfinv", 2>, I32EnumAttrCase<"i0", 3>,
  I32EnumAttrCase<"i0e", 4>, I32EnumAttrCase<"i1", 5>,
  I32EnumAttrCase<"i1e", 6>, I32EnumAttrCase<"ndtri", 7>,
  I32EnumAttrCase<"log_ndtr", 8>, I32EnumAttrCase<"erfcx", 9>,
  I32EnumAttrCase<"bessel_j0", 10>, I32EnumAttrCase<"bessel_j1", 11>,
  I32EnumAttrCase<"bessel_y0", 12>, I32EnumAttrCase<"bessel_y1", 13>,
  I32EnumAttrCase<"modified_bessel_k0", 14>,
  I32EnumAttrCase<"modified_bessel_k1", 15>,
  I32EnumAttrCase<"scaled_modified_bessel_k0", 16>,
  I32EnumAttrCase<"scaled_modified_bessel_k1", 17>,
  I32EnumAttrCase<"spherical_bessel_j0", 18>,
  I32EnumAttrCase<"airy_ai", 19>]> {
  let cppNamespace = "::adze::prim";
}

def Prim_SpecialUnaryOp
    : Prim_PureOp<"special", [Elementwise, SameOperandsAndResultType]> {
  let summary = "Computes a special function that no hardware helps with";
  let arguments = (ins Prim_SpecialUnaryKind:$kind, Prim_FloatTensor:$operand);
  let results = (outs Prim_FloatTensor:$result);
  let assemblyFormat = "$kind $operand attr-dict `:` type($result)";
}

def Prim_ConvertOp : Prim_PureOp<"convert", [Elementwise, SameOperandsAndResultShape]> {
  let summary = "Converts every element to another element type";
  let description = [{
    Float to integer truncates; a value out of range gives what x86 gives.
    To bool: whether it is not zero (NaN is true). Real to complex adds a
    zero; complex to real drops the imaginary part.

    Constraints:
    - (C1) operand and result have the same sizes
  }];
  let arguments = (ins Prim_Tensor:$operand);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
}

def Prim_BitcastOp : Prim_PureOp<"bitcast", [Elementwise, SameOperandsAndResultShape]> {
  let summary = "Reads the bits of every element as another type of equal width";
  let description = [{
    Constraints:
    - (C1) operand and result have the same sizes
    - (C2) the element types have the same width
  }];
  let arguments = (ins Prim_Tensor:$operand);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
}

class Prim_ComplexPartOp<string mnemonic>
    : Prim_PureOp<mnemonic, [Elementwise, SameOperandsAndResultShape,
          DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let arguments = (ins Prim_ComplexTensor:$operand);
  let results = (outs Prim_FloatTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
}
def Prim_RealOp : Prim_ComplexPartOp<"real"> {
  let summary = "Takes the real part";
}
def Prim_ImagOp : Prim_ComplexPartOp<"imag"> {
  let summary = "Takes the imaginary part";
}

#endif // ADZE_DIALECTS_PRIM_PRIMUNARYOPS_TD
