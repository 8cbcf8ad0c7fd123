//===- PrimBase.td - prim dialect, base classes ------------*- tablegen -*-===//

#ifndef ADZE_DIALECTS_PRIM_PRIMBASE_TD
#define ADZE_DIALECTS_PRIM_PRIMBASE_TD

include "dialects/Prim/PrimInterfaces.td"
include "dialects/Sym/SymBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Prim_Dialect : Dialect {
  let name = "prim";
  let cppNamespace = "::adze::prim";
  let summary = "The closed set of tensor operations that adze compiles";
  let description = [{
    Pure operations on tensors. Shapes are explicit: nothing broadcasts by
    itself, nothing promotes element types by itself. Sizes may be symbolic
    (see the `sym` dialect). `bool` is i1, `uint8` is ui8, other integers are
    signless and signed by meaning.
  }];
  let dependentDialects = ["::adze::sym::SymDialect"];
  let hasConstantMaterializer = 1;
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

def Prim_Tensor : RankedTensorOf<[AnyType]>;
def Prim_BoolTensor : RankedTensorOf<[I1]>;
def Prim_IndexTensor : RankedTensorOf<[I64]>;
def Prim_IntTensor : RankedTensorOf<[AnyInteger]>;
def Prim_FloatTensor : RankedTensorOf<[AnyFloat]>;
def Prim_ComplexTensor : RankedTensorOf<[AnyComplex]>;
def Prim_InexactTensor : RankedTensorOf<[AnyFloat, AnyComplex]>;
def Prim_RealTensor : RankedTensorOf<[AnyInteger, AnyFloat]>;

def Prim_Reduction : I32EnumAttr<"Reduction", "reduction",
    [I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"prod", 1>,
     I32EnumAttrCase<"max", 2>, I32EnumAttrCase<"min", 3>,
     I32EnumAttrCase<"any", 4>, I32EnumAttrCase<"all", 5>]> {
  let cppNamespace = "::adze::prim";
}

def Prim_Exprs : TypedArrayAttrBase<Sym_ExprAttr, "symbolic expressions">;

//===----------------------------------------------------------------------===//
// Base classes
//===----------------------------------------------------------------------===//

class Prim_Op<string mnemonic, list<Trait> traits = []>
    : Op<Prim_Dialect, mnemonic, traits>;

/// No effects; still evaluated at most once.
class Prim_PureOp<string mnemonic, list<Trait> traits = []>
    : Prim_Op<mnemonic, !listconcat([Pure], traits)>;

class Prim_UnaryOp<string mnemonic, Type type>
    : Prim_PureOp<mnemonic, [Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class Prim_BinaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Prim_PureOp<mnemonic,
                  !listconcat([Elementwise, SameOperandsAndResultType], traits)> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

#endif // ADZE_DIALECTS_PRIM_PRIMBASE_TD
