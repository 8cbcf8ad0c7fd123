//===- CaptureBase.td - capture dialect --------------------*- tablegen -*-===//

#ifndef ADZE_DIALECTS_CAPTURE_CAPTUREBASE_TD
#define ADZE_DIALECTS_CAPTURE_CAPTUREBASE_TD

include "dialects/Sym/SymBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

def Capture_Dialect : Dialect {
  let name = "capture";
  let cppNamespace = "::adze::capture";
  let summary = "What was traced, and nothing more";
  let description = [{
    A graph of ATen calls as PyTorch recorded it: in-place calls and views
    included, nothing decomposed. Symbolic integers are never values: they
    stand in attributes as `sym` expressions.
  }];
  let dependentDialects = ["::adze::sym::SymDialect"];
  let useDefaultAttributePrinterParser = 1;
}

class Capture_Op<string mnemonic, list<Trait> traits = []>
    : Op<Capture_Dialect, mnemonic, traits>;

def Capture_Tensor : RankedTensorOf<[AnyType]>;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Capture_Attr<string name, string attrMnemonic>
    : AttrDef<Capture_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Capture_OperandAttr : Capture_Attr<"Operand", "operand"> {
  let summary = "An argument of a call that is one of its operands";
  let parameters = (ins "unsigned":$index);
  let assemblyFormat = "`<` $index `>`";
}

def Capture_NoneAttr : Capture_Attr<"None", "none"> {
  let summary = "Python's None as an argument";
}

def Capture_EnumAttr : Capture_Attr<"Enum", "enum"> {
  let summary = "A device, layout or memory format, by the number or name of the file";
  let parameters = (ins "::mlir::StringAttr":$kind, "::mlir::StringAttr":$value);
  let assemblyFormat = "`<` $kind `,` $value `>`";
}

def Capture_Role : I32EnumAttr<"Role", "what an argument or result of a graph is", [
  // Arguments.
  I32EnumAttrCase<"parameter", 0>, I32EnumAttrCase<"buffer", 1>,
  I32EnumAttrCase<"constant", 2>, I32EnumAttrCase<"user_input", 3>,
  I32EnumAttrCase<"token", 4>, I32EnumAttrCase<"rng_key", 5>,
  // Results.
  I32EnumAttrCase<"user_output", 10>, I32EnumAttrCase<"buffer_mutation", 11>,
  I32EnumAttrCase<"parameter_mutation", 12>, I32EnumAttrCase<"input_mutation", 13>,
  I32EnumAttrCase<"loss_output", 14>, I32EnumAttrCase<"gradient_to_parameter", 15>,
  I32EnumAttrCase<"gradient_to_input", 16>]> {
  let cppNamespace = "::adze::capture";
}

def Capture_DescriptorAttr : Capture_Attr<"Descriptor", "descriptor"> {
  let summary = "Says what an argument or a result of a graph is";
  let description = [{
    `name` is the parameter's, buffer's or constant's name, the path of a user
    input (`x`, `args[0]['k']`), or the target of a mutation. `index` is the
    position among the user inputs, user outputs or weights. `persistent` is
    false for buffers that the state dict does not hold.
  }];
  let parameters = (ins EnumParameter<Capture_Role>:$role, "::mlir::StringAttr":$name,
      "int64_t":$index, DefaultValuedParameter<"bool", "true">:$persistent);
  let assemblyFormat = "`<` $role `,` $name `,` $index (`,` $persistent^)? `>`";
}

#endif // ADZE_DIALECTS_CAPTURE_CAPTUREBASE_TD
