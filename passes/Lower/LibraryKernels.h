//===- LibraryKernels.h - Arguments of the runtime's kernels ----*- C++ -*-===//

#ifndef ADZE_PASSES_LOWER_LIBRARYKERNELS_H
#define ADZE_PASSES_LOWER_LIBRARYKERNELS_H

#include "dialects/Prim/Prim.h"

#include "mlir/IR/Builders.h"

#include <functional>

namespace adze {

/// "f32", "i64", ... as in lib/Runtime/Kernels/Kernels.h; bool is u8. None for
/// types that these kernels do not have.
std::optional<llvm::StringRef> librarySuffix(mlir::Type element);

/// How one op is run by the runtime: the kernel's name, its arguments behind
/// the call, and the number of iterations (rows, matrices, elements).
class LibraryCall {
public:
  LibraryCall(mlir::OpBuilder &builder, mlir::Location loc,
              std::function<mlir::Value(sym::Expr)> evaluate)
      : builder(builder), loc(loc), evaluate(std::move(evaluate)) {}

  using Addresses = llvm::ArrayRef<mlir::Value>;

  /// Fails if there is no kernel for the op's types.
  mlir::LogicalResult prepare(mlir::Operation *op, Addresses operands,
                              Addresses results);

  std::string name;
  llvm::SmallVector<mlir::Value> slots;
  mlir::Value count;

private:
  mlir::LogicalResult describe(prim::RandomOp op, Addresses operands,
                               Addresses results);
  mlir::LogicalResult describe(prim::FftOp op, Addresses operands,
                               Addresses results);
  mlir::LogicalResult describe(prim::SortOp op, Addresses operands,
                               Addresses results);
  mlir::LogicalResult describe(prim::TopkOp op, Addresses operands,
                               Addresses results);
  mlir::LogicalResult describe(prim::SearchsortedOp op, Addresses operands,
                               Addresses results);
  mlir::LogicalResult describe(prim::LuOp op, Addresses operands,
                               Addresses results);
  mlir::LogicalResult describe(prim::TriangularSolveOp op, Addresses operands,
                               Addresses results);
  mlir::LogicalResult describe(prim::CholeskyOp op, Addresses operands,
                               Addresses results);
  mlir::LogicalResult describe(prim::QrOp op, Addresses operands,
                               Addresses results);
  mlir::LogicalResult describe(prim::EighOp op, Addresses operands,
                               Addresses results);
  mlir::LogicalResult describe(prim::SvdOp op, Addresses operands,
                               Addresses results);

  /// Sets the name, "adze_rt_FUNCTION_SUFFIX", and the first arguments.
  void begin(llvm::StringRef function, llvm::StringRef suffix,
             Addresses addresses);
  void pointers(llvm::ArrayRef<mlir::Value> addresses);
  void pointer(mlir::Value address);
  void number(int64_t value);
  void size(mlir::Value tensor, int64_t dimFromEnd);
  /// Iterations: the product of all sizes but the last `trailing`.
  void rows(mlir::Value tensor, int64_t trailing);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  std::function<mlir::Value(sym::Expr)> evaluate;
};

} // namespace adze

#endif // ADZE_PASSES_LOWER_LIBRARYKERNELS_H
