//===- CaptureOps.td - Ops of the capture dialect ----------*- tablegen -*-===//

#ifndef ADZE_DIALECTS_CAPTURE_CAPTUREOPS_TD
#define ADZE_DIALECTS_CAPTURE_CAPTUREOPS_TD

include "dialects/Capture/CaptureBase.td"

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

def Capture_GraphOp : Capture_Op<"graph", [IsolatedFromAbove, FunctionOpInterface,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "Holds one traced program";
  let description = [{
    Each argument has an attribute `capture.descriptor`; so has each result.
    Literal results of the program (numbers, strings, None) are not values:
    they stand in `adze.outputs`. What is known about the symbols and the
    calling convention stands in attributes of the op, which `normalize`
    passes on unchanged to the `prim` function:

    - `adze.symbols`: array of dictionaries {name, min, max (absent: unbounded), hint}
    - `adze.inputs`: array, one dictionary per leaf of the input tree in the
      caller's order: {path: str, kind: "tensor" | "symint" | "symfloat" | "int" | "float" |
      "bool" | "string" | "none", argument: i64 (tensor: number of the graph argument),
      expr (symint), value (constants), strides (tensor: array of sym.expr as recorded)}
    - `adze.outputs`: array, one dictionary per leaf of the output tree: {kind: "tensor" |
      "symint" | "int" | "float" | "bool" | "string" | "none", result: i64, expr, value,
      strides (tensor: as recorded)}
    - `adze.guards`: array of dictionaries {expr: sym.expr that must hold, text, origin}
    - `adze.in_spec`, `adze.out_spec`: the pytrees, as the file has them
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
      TypeAttrOf<FunctionType>:$function_type,
      OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def Capture_ReturnOp : Capture_Op<"return", [Pure, Terminator, ReturnLike]> {
  let summary = "Gives the results of a graph or of a region";
  let arguments = (ins Variadic<Capture_Tensor>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* returns nothing */ }]>];
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def Capture_CallOp : Capture_Op<"call"> {
  let summary = "Calls an ATen (or other registered) operator";
  let description = [{
    `callee` is the name with overload, `aten.add.Tensor`, `aten.relu.default`.
    `arguments` has one entry for each argument of the operator's schema,
    defaults filled in: name -> attribute. An argument is

    - an operand: `#capture.operand<i>`; a list of them: an array
    - a number: i64, f64 or i1 attribute; complex: array of two f64 in a
      dictionary {re, im}; symbolic: `#sym.expr<...>`
    - a list: an array of such; an element of `Tensor?[]` may be `#capture.none`
    - `None`: `#capture.none`; text: a string; a dtype: a type attribute
    - device, layout, memory format: `#capture.enum<"device", "cpu">`

    Results are the tensors of the operator in order (lists flattened; see
    `result_lists` for their lengths when there is more than one). A result
    that is a symbolic number is no value: `binds` maps each unbacked symbol
    that this call defines, in the order of `binds`, to where its value comes
    from: the size of a result, or the number itself (`item`).

    ```mlir
    %2 = capture.call "aten.add.Tensor"(self = %0, other = %1, alpha = 1) :
        (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```

    Constraints:
    - (C1) the arguments name each operand once
  }];
  let arguments = (ins StrAttr:$callee, DictionaryAttr:$arguments,
      DefaultValuedAttr<StrArrayAttr, "{}">:$binds,
      Variadic<Capture_Tensor>:$operands);
  let results = (outs Variadic<Capture_Tensor>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Capture_GraphBreakOp : Capture_Op<"graph_break"> {
  let summary = "Stands for what could not be traced or is not supported";
  let description = [{
    After `normalize` it stands among the ops of `prim`: nothing can run it.
    `binds` names the symbols that it defines. What it writes in place is
    given as a further result.

    ```mlir
    %1 = capture.graph_break "aten.foo.default" because "no decomposition is known"
        (%0 : tensor<4xf32>) to tensor<4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$reason, StrAttr:$what,
      DefaultValuedAttr<StrArrayAttr, "{}">:$binds, Variadic<Capture_Tensor>:$operands);
  let results = (outs Variadic<Capture_Tensor>:$results);
  let assemblyFormat = [{
    $what `because` $reason (`(` $operands^ `:` type($operands) `)`)? (`to` type($results)^)? attr-dict
  }];
}

def Capture_AssertOp : Capture_Op<"assert"> {
  let summary = "Checks a symbolic condition while the program runs";
  let arguments = (ins Sym_ExprAttr:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//
// A region has one block whose arguments stand for the operands, one by one.

def Capture_AutocastOp : Capture_Op<"autocast", [SingleBlock]> {
  let summary = "Runs calls under autocast: casts to `dtype` are implied";
  let arguments = (ins TypeAttr:$dtype, BoolAttr:$enabled, Variadic<Capture_Tensor>:$operands);
  let results = (outs Variadic<Capture_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $dtype $enabled `(` ($operands^ `:` type($operands))? `)` (`to` type($results)^)? $body attr-dict
  }];
}

def Capture_GradModeOp : Capture_Op<"grad_mode", [SingleBlock]> {
  let summary = "Runs calls with recording of gradients on or off";
  let arguments = (ins BoolAttr:$enabled, Variadic<Capture_Tensor>:$operands);
  let results = (outs Variadic<Capture_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $enabled `(` ($operands^ `:` type($operands))? `)` (`to` type($results)^)? $body attr-dict
  }];
}

def Capture_CondOp : Capture_Op<"cond", [SingleBlock]> {
  let summary = "torch.cond: one of two branches on the same operands";
  let description = [{
    The predicate is the first operand, or the expression `predicate` if
    there is one. `binds` names the unbacked symbols that stand for sizes of
    results which differ between the branches.
  }];
  let arguments = (ins OptionalAttr<Sym_ExprAttr>:$predicate,
      DefaultValuedAttr<StrArrayAttr, "{}">:$binds, Variadic<Capture_Tensor>:$operands);
  let results = (outs Variadic<Capture_Tensor>:$results);
  let regions = (region SizedRegion<1>:$thenBody, SizedRegion<1>:$elseBody);
  let assemblyFormat = [{
    `(` ($operands^ `:` type($operands))? `)` (`to` type($results)^)? $thenBody `else` $elseBody attr-dict
  }];
}

def Capture_WhileOp : Capture_Op<"while", [SingleBlock]> {
  let summary = "torch while_loop: carried values first, then additional inputs";
  let arguments = (ins I64Attr:$carried, Variadic<Capture_Tensor>:$operands);
  let results = (outs Variadic<Capture_Tensor>:$results);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = [{
    $carried `(` ($operands^ `:` type($operands))? `)` (`to` type($results)^)? $condition `do` $body attr-dict
  }];
}

def Capture_ScanOp : Capture_Op<"scan", [SingleBlock]> {
  let summary = "torch scan along dim 0: `inits` carried values, `sequences` sequences, additional inputs";
  let description = [{
    Also `map_impl`, which is a scan without carried values.
  }];
  let arguments = (ins I64Attr:$inits, I64Attr:$sequences, Variadic<Capture_Tensor>:$operands);
  let results = (outs Variadic<Capture_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $inits $sequences `(` ($operands^ `:` type($operands))? `)` (`to` type($results)^)? $body attr-dict
  }];
}

#endif // ADZE_DIALECTS_CAPTURE_CAPTUREOPS_TD
