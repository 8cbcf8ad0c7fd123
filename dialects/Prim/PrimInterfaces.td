//===- PrimInterfaces.td - What every prim op can answer ---*- tablegen -*-===//
//
// The rules of an op live where they are used (reference evaluation in
// lib/Interp, derivatives with the joint graph, ...) and are attached to the op as
// external models when that library registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DIALECTS_PRIM_PRIMINTERFACES_TD
#define ADZE_DIALECTS_PRIM_PRIMINTERFACES_TD

include "mlir/IR/OpBase.td"

class Prim_OpInterface<string name> : OpInterface<name> {
  let cppNamespace = "::adze::prim";
}

def Prim_ReferenceEvalInterface : Prim_OpInterface<"ReferenceEvalInterface"> {
  let description = [{
    Computes the results from the operands, simply and obviously right: the
    oracle that generated code is compared with.
  }];
  let methods = [InterfaceMethod<
    "Results for the given operands. Fails, with the reason in the evaluator, "
    "for an error that depends on the data.",
    "::llvm::LogicalResult", "evaluate",
    (ins "::adze::interp::Evaluator &":$evaluator,
         "::llvm::ArrayRef<::adze::interp::Tensor>":$operands,
         "::llvm::SmallVectorImpl<::adze::interp::Tensor> &":$results)>];
}

def Prim_CostInterface : Prim_OpInterface<"CostInterface"> {
  let description = "Estimates the work of an op, for fusion and partitioning";
  let methods = [InterfaceMethod<
    "Floating-point operations (or their equivalent in time) per call, as an "
    "expression over the symbolic sizes.",
    "::adze::sym::ExprAttr", "flops", (ins)>];
}

def Prim_VjpInterface : Prim_OpInterface<"VjpInterface"> {
  let description = "Reverse-mode derivative of an op";
  let methods = [InterfaceMethod<
    "Builds the gradients of the operands from those of the results; a null "
    "value stands for a zero gradient on either side.",
    "::llvm::LogicalResult", "buildVjp",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$resultGrads,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$operandGrads)>];
}

def Prim_BatchInterface : Prim_OpInterface<"BatchInterface"> {
  let description = "Batching rule (vmap) of an op";
  let methods = [InterfaceMethod<
    "Builds the op over operands that have an extra leading dim where "
    "`batched` says so; every result has one.",
    "::llvm::LogicalResult", "buildBatched",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
         "::llvm::ArrayRef<bool>":$batched,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$results)>];
}

#endif // ADZE_DIALECTS_PRIM_PRIMINTERFACES_TD
