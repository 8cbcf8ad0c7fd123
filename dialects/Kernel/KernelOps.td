//===- KernelOps.td - Fusion groups, launches, buffers -----*- tablegen -*-===//

#ifndef ADZE_DIALECTS_KERNEL_KERNELOPS_TD
#define ADZE_DIALECTS_KERNEL_KERNELOPS_TD

include "dialects/Sym/SymBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::adze::kernel";
  let summary = "What runs together, in which order, and in which memory";
  let description = [{
    `fuse` collects prim ops in groups, `schedule` turns equal groups into one
    kernel function with several launches and gives every result a buffer.
  }];
  let dependentDialects = ["::adze::sym::SymDialect"];
  let useDefaultAttributePrinterParser = 1;
}

class Kernel_Op<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

def Kernel_Tensor : RankedTensorOf<[AnyType]>;

def Kernel_Kind : I32EnumAttr<"Kind", "which kernel builder makes the code", [
  I32EnumAttrCase<"loop", 0>,      // elementwise, movement, reductions in rows
  I32EnumAttrCase<"gemm", 1>,      // a matrix product and what follows it
  I32EnumAttrCase<"convolution", 2>,
  I32EnumAttrCase<"attention", 3>,
  I32EnumAttrCase<"scan", 4>,      // cumulative operations
  I32EnumAttrCase<"scatter", 5>,
  I32EnumAttrCase<"library", 6>    // a kernel of the runtime library
]> {
  let cppNamespace = "::adze::kernel";
}

def Kernel_Space : I32EnumAttr<"Space", "where a buffer lives", [
  I32EnumAttrCase<"arena", 0>,   // workspace at a planned offset
  I32EnumAttrCase<"result", 1>,  // result slot `offset` of the call
  I32EnumAttrCase<"dynamic", 2>  // allocated when its size is known
]> {
  let cppNamespace = "::adze::kernel";
}

def Kernel_BufferAttr : AttrDef<Kernel_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "The memory of one result: space, offset (or slot), size in bytes";
  let parameters = (ins EnumParameter<Kernel_Space>:$space,
      "::adze::sym::ExprAttr":$offset, "::adze::sym::ExprAttr":$bytes);
  let assemblyFormat = "`<` $space `,` $offset `,` $bytes `>`";
}

def Kernel_PackingKind : I32EnumAttr<"PackingKind", "what a packed weight is for", [
  I32EnumAttrCase<"rhs", 0>,            // of a matrix product; stored as [K, N]
  I32EnumAttrCase<"transposed_rhs", 1>, // stored as [N, K]
  I32EnumAttrCase<"filter", 2>,         // stored as [O, C/groups, spatial...]
  I32EnumAttrCase<"depthwise_filter", 3>, // stored as [C, 1, spatial...]
  I32EnumAttrCase<"transposed_filter", 4> // stored as [C, O/groups, spatial...]
]> {
  let cppNamespace = "::adze::kernel";
}

def Kernel_PackingAttr : AttrDef<Kernel_Dialect, "Packing"> {
  let mnemonic = "packing";
  let summary = "How a weight lies in memory for the kernel that reads it";
  let description = [{
    A rhs: `[ceil(N / panel)][K][panel]`, columns beyond N being zero. A filter,
    also that of a transposed convolution: `[groups][ceil(O / groups / panel)][spatial...][C / groups][panel]`. A
    depthwise filter: `[spatial...][C]`.

    Stands on the argument of the program that is packed, and on the
    `prim.matmul` or `prim.convolution` that reads it.
  }];
  let parameters = (ins EnumParameter<Kernel_PackingKind>:$kind, "int64_t":$panel,
      DefaultValuedParameter<"int64_t", "1">:$groups);
  let assemblyFormat = "`<` $kind `,` $panel (`,` `groups` `=` $groups^)? `>`";
}

def Kernel_YieldOp : Kernel_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "Gives the results of a group or of a kernel";
  let arguments = (ins Variadic<Kernel_Tensor>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
}

def Kernel_GroupOp : Kernel_Op<"group", [Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "Holds prim ops that become one kernel";
  let description = [{
    The block arguments stand for the operands, one by one. Values inside of
    the region have no buffers unless they are yielded.

    Constraints:
    - (C1) block arguments have the types of the operands
    - (C2) the yielded values have the types of the results
  }];
  let arguments = (ins Kernel_Kind:$kind, Variadic<Kernel_Tensor>:$operands);
  let results = (outs Variadic<Kernel_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $kind `(` ($operands^ `:` type($operands))? `)` (`to` type($results)^)? $body attr-dict
  }];
  let hasVerifier = 1;
}

def Kernel_FuncOp : Kernel_Op<"func", [IsolatedFromAbove, Symbol, SingleBlock]> {
  let summary = "Defines a kernel: the region of a group, launched from several places";
  let description = [{
    `symbols` are the symbolic sizes that the kernel takes as arguments.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Kernel_Kind:$kind, StrArrayAttr:$symbols);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name $kind `symbols` $symbols $body attr-dict";
}

def Kernel_LaunchOp : Kernel_Op<"launch", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel";
  let description = [{
    `buffers` has one entry per result once memory is planned.

    Constraints:
    - (C1) the kernel exists
    - (C2) operands and results have the types of the kernel's block arguments and yield
    - (C3) there are no buffers, or one for each result
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Kernel_Tensor>:$operands,
      OptionalAttr<TypedArrayAttrBase<Kernel_BufferAttr, "buffers">>:$buffers);
  let results = (outs Variadic<Kernel_Tensor>:$results);
  let assemblyFormat = [{
    $kernel `(` ($operands^ `:` type($operands))? `)` (`to` type($results)^)? (`in` $buffers^)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // ADZE_DIALECTS_KERNEL_KERNELOPS_TD
