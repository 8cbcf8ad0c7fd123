//===- Passes.td - Passes of the lower stage ---------------*- tablegen -*-===//

#ifndef ADZE_PASSES_LOWER_PASSES_TD
#define ADZE_PASSES_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerKernels : Pass<"adze-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Gives every kernel its loops, and the program a function that launches them";
  let description = [{
    Each `kernel.func` becomes an `llvm.func` of scf, arith, math, vector and
    llvm ops by the builder of its kind. The function of the program becomes
    `adze_main`, which the runtime calls.
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "256",
      "Width of the vector registers: 128, 256 or 512">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
      "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
      "::mlir::vector::VectorDialect", "::mlir::cf::ControlFlowDialect"];
}

def VectorMath : Pass<"adze-vector-math", "::mlir::ModuleOp"> {
  let summary = "Writes functions of f32 as polynomials";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
      "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

#endif // ADZE_PASSES_LOWER_PASSES_TD
