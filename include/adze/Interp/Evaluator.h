//===- Evaluator.h - Evaluates prim ops one after the other ----*- C++ -*-===//
//
// Knows the values and symbols of a running function. What an op does is its
// prim::ReferenceEvalInterface; see registerReferenceEvaluation().
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_INTERP_EVALUATOR_H
#define ADZE_INTERP_EVALUATOR_H

#include "adze/Interp/Tensor.h"
#include "dialects/Prim/Prim.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace adze::interp {

struct InterpretOptions {
  /// Rounds no float to its type: for telling a wrong result from a rounded
  /// one.
  bool float64 = false;
  /// The largest tensor that is not refused.
  int64_t maxElements = int64_t(1) << 30;
  /// Values of symbols that no size of an argument determines.
  llvm::StringMap<int64_t> symbols;
};

/// Why a call failed.
struct CallError : llvm::ErrorInfo<CallError> {
  static char ID;

  enum Kind {
    /// The values: an index out of range, a failed assertion, ...
    Data,
    /// What the interpreter does not do, such as a tensor that is too large.
    Unsupported,
  };

  Kind kind = Data;
  std::string op;      // "aten.index.Tensor"; "prim.index" if no call is known
  std::string source;  // "model.py:12:8", empty when unknown
  std::string message; // lower case, with the values

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// The innermost position in a source file that a location knows of.
std::string sourceOf(mlir::Location loc);

using Tensors = llvm::SmallVector<Tensor, 4>;

class Evaluator {
public:
  explicit Evaluator(const InterpretOptions &options)
      : options(options), symbols(options.symbols) {}

  /// Runs a function body: binds the symbols in the sizes of its arguments and
  /// gives the operands of its terminator.
  llvm::Expected<Tensors> run(mlir::Region &body, llvm::ArrayRef<Tensor> args);

  /// Runs the block of a region of the current op. Fails with the reason kept.
  mlir::FailureOr<Tensors> runRegion(mlir::Region &region,
                                     llvm::ArrayRef<Tensor> args);

  //===--- For the rules of ops -------------------------------------------===//

  /// Records why the current op fails.
  mlir::LogicalResult fail(const llvm::Twine &message,
                           CallError::Kind kind = CallError::Data);

  FloatFormat floatFormat(mlir::Type element) const {
    return options.float64 ? FloatFormat::float64()
                           : FloatFormat(realType(element));
  }

  /// Zeros of a type of the program, whose sizes must be known by now.
  mlir::FailureOr<Tensor> allocate(mlir::Type tensorType);
  mlir::FailureOr<Tensor> allocate(mlir::Type element,
                                   llvm::ArrayRef<int64_t> sizes);
  mlir::FailureOr<Sizes> sizesOf(mlir::Type tensorType);
  mlir::FailureOr<int64_t> evaluate(sym::Expr expr);
  mlir::FailureOr<sym::Number> evaluateNumber(sym::Expr expr);
  mlir::FailureOr<Sizes> evaluateAll(mlir::ArrayAttr exprs);

  std::optional<int64_t> lookupSymbol(llvm::StringRef name) const;
  void bindSymbol(llvm::StringRef name, int64_t value) {
    symbols[name] = value;
  }

private:
  mlir::FailureOr<Tensors> runBlock(mlir::Block &block,
                                    llvm::ArrayRef<Tensor> args);
  mlir::LogicalResult runOp(mlir::Operation &op);
  mlir::LogicalResult setResults(mlir::Operation &op, Tensors &results);
  mlir::LogicalResult checkType(const Tensor &tensor, mlir::Type type,
                                llvm::StringRef what);
  mlir::LogicalResult bindArguments(mlir::Block &entry,
                                    llvm::ArrayRef<Tensor> args);
  mlir::FailureOr<Tensors> operandsOf(mlir::Operation &op);
  const llvm::SmallVector<mlir::Value> &lastUsesAt(mlir::Operation &op);

  InterpretOptions options;
  llvm::StringMap<int64_t> symbols;
  llvm::DenseMap<mlir::Value, Tensor> values;
  /// Values of a block by the op of that block after which nobody needs them.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> lastUses;
  llvm::DenseSet<mlir::Block *> planned;
  mlir::Operation *current = nullptr;
  std::optional<CallError> error;
};

} // namespace adze::interp

#endif // ADZE_INTERP_EVALUATOR_H
