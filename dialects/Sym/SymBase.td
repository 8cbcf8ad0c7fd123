//===- SymBase.td - Symbolic integer expressions -----------*- tablegen -*-===//

#ifndef ADZE_DIALECTS_SYM_SYMBASE_TD
#define ADZE_DIALECTS_SYM_SYMBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Sym_Dialect : Dialect {
  let name = "sym";
  let cppNamespace = "::adze::sym";
  let summary = "Expressions over the symbolic sizes of a program";
  let description = [{
    The dialect has attributes only. A symbol is a name that is unique in a
    program (`s77` for a size of an input, `u0` for a value that is known only
    while the program runs). Expressions are kept in a canonical form, so two
    expressions that simplify to the same polynomial are the same attribute.
  }];
  let useDefaultAttributePrinterParser = 1;
}

class Sym_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Sym_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Sym_ExprAttr : Sym_Attr<"Expr", "expr"> {
  let summary = "A canonical expression over symbols";
  let description = [{
    Integer arithmetic without overflow: `add`, `mul`, `floordiv` and `mod`
    (Python's: they round to minus infinity, the remainder has the divisor's
    sign), `max`, `min`, `pow`. Relations and `and`, `or`, `not` give 0 or 1.
    `truediv`, `tofloat`, `sqrt` and `float` constants give float64, which
    `trunc`, `floor`, `ceil` and `round` (half to even) turn into integers.

    ```mlir
    #sym.expr<2 * s0 + floordiv(s1, 4) + -1>
    #sym.expr<le(s0, 16)>
    ```
  }];
  let parameters = (ins "::adze::sym::ExprKind":$kind, "int64_t":$value,
      "::mlir::StringAttr":$symbol,
      ArrayRefParameter<"::adze::sym::ExprAttr">:$operands);
  let hasCustomAssemblyFormat = 1;
}

def Sym_DimsAttr : Sym_Attr<"Dims", "dims",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "The sizes of a tensor with symbolic dims";
  let description = [{
    The encoding of a ranked tensor type of which at least one size is
    symbolic. A constant entry equals the static size of that dim, any other
    belongs to a dynamic dim.

    ```mlir
    tensor<?x?x8xf32, #sym.dims<s0, s0 + 1, 8>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::adze::sym::ExprAttr">:$exprs);
  let hasCustomAssemblyFormat = 1;
}

#endif // ADZE_DIALECTS_SYM_SYMBASE_TD
