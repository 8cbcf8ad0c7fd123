//===- KernelFrame.h - A kernel function and its arguments ------*- C++ -*-===//
//
// A kernel is `void kernel(const int64_t *args, int64_t begin, int64_t end)`.
// args: the call, the addresses of operands and results, the symbols, and the
// number of the first error site (see lib/Runtime/Program.h).
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_LOWER_KERNELFRAME_H
#define ADZE_PASSES_LOWER_KERNELFRAME_H

#include "dialects/Kernel/Kernel.h"
#include "passes/Lower/Element.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace adze {

/// Attributes of a lowered kernel: how many iterations there are, and how
/// many make a task, as expressions over its symbols.
inline constexpr llvm::StringLiteral domainName = "kernel.domain";
inline constexpr llvm::StringLiteral grainName = "kernel.grain";

/// Makes the function, and gives access to its arguments. The builder is left
/// at the end of the entry block; `finish` closes it.
class KernelFrame {
public:
  KernelFrame(mlir::OpBuilder &builder, kernel::FuncOp kernel);

  /// Address of the buffer of an operand (a block argument of the kernel).
  mlir::Value operand(mlir::BlockArgument argument) const {
    return operands[argument.getArgNumber()];
  }
  /// Address of the buffer of a result.
  mlir::Value result(unsigned number) const { return results[number]; }
  mlir::Value call() const { return callAddress; }
  mlir::Value begin() { return func.getArgument(1); }
  mlir::Value end() { return func.getArgument(2); }
  /// Value of a symbol, or of an expression over symbols.
  mlir::Value evaluate(sym::Expr expr);
  /// The sizes of a tensor as i64 values.
  llvm::SmallVector<mlir::Value> sizes(mlir::Value tensor);

  /// Records a failure at the `site`-th op of this kernel that can fail.
  void fail(mlir::OpBuilder &builder, unsigned site, mlir::Value a,
            mlir::Value b);

  /// `loops` iterations, each of about `work` elements.
  void finish(mlir::OpBuilder &builder, sym::Expr iterations, sym::Expr work);

  /// The name of the function that a kernel becomes.
  static std::string loweredName(kernel::FuncOp kernel);

  kernel::FuncOp getKernel() const { return kernel; }
  mlir::LLVM::LLVMFuncOp getFunc() const { return func; }
  /// The ops of a kernel that can fail, in the order of their sites.
  static llvm::SmallVector<mlir::Operation *> failingOps(mlir::Region &region);

private:
  mlir::Value loadSlot(mlir::OpBuilder &builder, int64_t slot);

  kernel::FuncOp kernel;
  mlir::LLVM::LLVMFuncOp func;
  mlir::OpBuilder entry; // keeps inserting in the entry block
  mlir::Value callAddress, siteBase;
  llvm::SmallVector<mlir::Value> operands, results;
  llvm::StringMap<mlir::Value> symbols;
  llvm::DenseMap<sym::Expr, mlir::Value> evaluated;
};

} // namespace adze

#endif // ADZE_PASSES_LOWER_KERNELFRAME_H
