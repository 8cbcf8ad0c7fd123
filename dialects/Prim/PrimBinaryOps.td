//===- PrimBinaryOps.td - Elementwise ops of several operands *- tablegen -===//

#ifndef ADZE_DIALECTS_PRIM_PRIMBINARYOPS_TD
#define ADZE_DIALECTS_PRIM_PRIMBINARYOPS_TD

include "dialects/Prim/PrimBase.td"

def Prim_AddOp : Prim_BinaryOp<"add", Prim_Tensor, [Commutative]> {
  let summary = "Adds; integers wrap, on bool it is or";
}
def Prim_SubOp : Prim_BinaryOp<"sub", Prim_Tensor> {
  let summary = "Subtracts; integers wrap";
}
def Prim_MulOp : Prim_BinaryOp<"mul", Prim_Tensor, [Commutative]> {
  let summary = "Multiplies; integers wrap, on bool it is and";
}
def Prim_DivOp : Prim_BinaryOp<"div", Prim_InexactTensor> {
  let summary = "Divides";
}
def Prim_IDivOp : Prim_BinaryOp<"idiv", Prim_IntTensor> {
  let summary = "Divides integers, rounding to zero";
  let description = "A zero divisor is an error of the call.";
}
def Prim_RemOp : Prim_BinaryOp<"rem", Prim_RealTensor> {
  let summary = "Computes the remainder with the sign of the dividend (fmod)";
  let description = "A zero divisor of integers is an error of the call.";
}
def Prim_PowOp : Prim_BinaryOp<"pow", Prim_Tensor> {
  let summary = "Raises lhs to the power rhs";
  let description = [{
    For integers a negative exponent gives 0, except for a base of 1 or -1.
  }];
}
def Prim_Atan2Op : Prim_BinaryOp<"atan2", Prim_FloatTensor> {
  let summary = "Computes the angle of the point (rhs, lhs)";
}
def Prim_MaxOp : Prim_BinaryOp<"max", Prim_RealTensor, [Commutative]> {
  let summary = "Takes the larger operand; NaN if one is NaN";
}
def Prim_MinOp : Prim_BinaryOp<"min", Prim_RealTensor, [Commutative]> {
  let summary = "Takes the smaller operand; NaN if one is NaN";
}
def Prim_AndOp : Prim_BinaryOp<"and", Prim_IntTensor, [Commutative]> {
  let summary = "Takes the bitwise and";
}
def Prim_OrOp : Prim_BinaryOp<"or", Prim_IntTensor, [Commutative]> {
  let summary = "Takes the bitwise or";
}
def Prim_XorOp : Prim_BinaryOp<"xor", Prim_IntTensor, [Commutative]> {
  let summary = "Takes the bitwise exclusive or";
}
def Prim_ShiftLeftOp : Prim_BinaryOp<"shl", Prim_IntTensor> {
  let summary = "Shifts left; 0 if the count is not within the width";
}
def Prim_ShiftRightOp : Prim_BinaryOp<"shr", Prim_IntTensor> {
  let summary = "Shifts right with the sign; a count beyond the width is clamped";
}
def Prim_NextafterOp : Prim_BinaryOp<"nextafter", Prim_FloatTensor> {
  let summary = "Takes the next float from lhs towards rhs";
}
def Prim_CopysignOp : Prim_BinaryOp<"copysign", Prim_FloatTensor> {
  let summary = "Takes the magnitude of lhs with the sign of rhs";
}

def Prim_SpecialBinaryKind : I32EnumAttr<"SpecialBinaryKind", "special function",
    [I32EnumAttrCase<"zeta", 0>, I32EnumAttrCase<"polygamma", 1>,
     I32EnumAttrCase<"igamma", 2>, I32EnumAttrCase<"igammac", 3>,
     I32EnumAttrCase<"chebyshev_polynomial_t", 4>,
     I32EnumAttrCase<"chebyshev_polynomial_u", 5>,
     I32EnumAttrCase<"chebyshev_polynomial_v", 6>,
     I32EnumAttrCase<"chebyshev_polynomial_w", 7>,
     I32EnumAttrCase<"hermite_polynomial_h", 8>,
     I32EnumAttrCase<"hermite_polynomial_he", 9>,
     I32EnumAttrCase<"laguerre_polynomial_l", 10>,
     I32EnumAttrCase<"legendre_polynomial_p", 11>]> {
  let cppNamespace = "::adze::prim";
}

def Prim_SpecialBinaryOp
    : Prim_PureOp<"special2", [Elementwise, SameOperandsAndResultType]> {
  let summary = "Computes a special function of two operands";
  let description = "polygamma takes the order as lhs; polynomials the degree as rhs.";
  let arguments = (ins Prim_SpecialBinaryKind:$kind, Prim_FloatTensor:$lhs,
                       Prim_FloatTensor:$rhs);
  let results = (outs Prim_FloatTensor:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($result)";
}

def Prim_Comparison : I32EnumAttr<"Comparison", "comparison",
    [I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>,
     I32EnumAttrCase<"lt", 2>, I32EnumAttrCase<"le", 3>,
     I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>]> {
  let cppNamespace = "::adze::prim";
}

def Prim_CompareOp : Prim_PureOp<"compare", [Elementwise, SameTypeOperands,
    SameOperandsAndResultShape, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Compares; a comparison with NaN is false, except for `ne`";
  let description = "Complex tensors are compared by `eq` and `ne` only.";
  let arguments = (ins Prim_Comparison:$predicate, Prim_Tensor:$lhs, Prim_Tensor:$rhs);
  let results = (outs Prim_BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasVerifier = 1;
}

def Prim_WhereOp : Prim_PureOp<"where", [Elementwise, SameOperandsAndResultShape,
    AllTypesMatch<["onTrue", "onFalse", "result"]>]> {
  let summary = "Selects an element of one of two tensors by a condition";
  let arguments = (ins Prim_BoolTensor:$condition, Prim_Tensor:$onTrue,
                       Prim_Tensor:$onFalse);
  let results = (outs Prim_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $onTrue `,` $onFalse attr-dict `:` type($condition) `,` type($result)
  }];
  let hasFolder = 1;
}

def Prim_ComplexOp : Prim_PureOp<"complex", [Elementwise, SameTypeOperands,
    SameOperandsAndResultShape, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Makes complex numbers of real and imaginary parts";
  let arguments = (ins Prim_FloatTensor:$re, Prim_FloatTensor:$im);
  let results = (outs Prim_ComplexTensor:$result);
  let assemblyFormat = "$re `,` $im attr-dict `:` type($re) `to` type($result)";
}

#endif // ADZE_DIALECTS_PRIM_PRIMBINARYOPS_TD
