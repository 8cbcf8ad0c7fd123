//===- CallContext.h - What a decomposition sees of its call ----*- C++ -*-===//
//
// A decomposition reads the arguments by their schema names, builds prim ops
// with `b`, and sets each result:
//
//   static LogicalResult decomposeAddTensor(CallContext &c) {
//     Value other = c.tensor("other");
//     ...
//     return c.setResult(0, c.elementwise({c.tensor("self"), other}, body));
//   }
//
// Arguments are present and have the kind that the schema says; a reader that
// finds something else records an error for the call and gives a neutral
// value, so that decompositions need no checks of their own for it. Check
// ranks and whatever a builder of `b` asserts before you rely on it: a program
// may be at fault, and adze must not crash.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_NORMALIZE_CALLCONTEXT_H
#define ADZE_PASSES_NORMALIZE_CALLCONTEXT_H

#include "dialects/Capture/Capture.h"
#include "dialects/Prim/PrimBuilder.h"
#include "passes/Normalize/Promotion.h"
#include "passes/Normalize/Scalar.h"

#include "llvm/ADT/DenseMap.h"

namespace adze::normalize {

/// What a call needs from whoever walks the graph.
class CallEnvironment {
public:
  virtual ~CallEnvironment() = default;
  /// The current value of the tensor that a captured value stands for.
  virtual mlir::FailureOr<mlir::Value> read(mlir::Value captured) = 0;
  virtual mlir::LogicalResult write(mlir::Value captured,
                                    mlir::Value value) = 0;
  /// The rng key of the function, which gets this argument on demand.
  virtual mlir::Value rngKey() = 0;
  /// Numbers random streams; nullopt inside of a loop, where a stream would be
  /// drawn several times.
  virtual std::optional<int64_t> nextStream() = 0;
  /// The declared bounds of a symbol.
  virtual sym::Range rangeOf(llvm::StringRef symbol) = 0;
  /// The tensor is all of its memory, in row-major order.
  virtual bool isWholeMemory(mlir::Value captured) = 0;
};

class CallContext {
public:
  CallContext(CallEnvironment &environment, capture::CallOp call,
              mlir::OpBuilder &builder);

  prim::PrimBuilder b;

  mlir::MLIRContext *getContext() const { return b.getContext(); }
  mlir::Location getLoc() const { return b.getLoc(); }
  llvm::StringRef callee() { return call.getCallee(); }

  //===--- Arguments ------------------------------------------------------===//

  /// The argument is absent or None.
  bool isNone(llvm::StringRef name);
  bool has(llvm::StringRef name) { return !isNone(name); }

  /// The current value of a tensor. A number is given as a rank-0 tensor that
  /// counts as a wrapped number in promotions (i1, i64, f64 or complex<f64>).
  mlir::Value tensor(llvm::StringRef name);
  std::optional<mlir::Value> optTensor(llvm::StringRef name);
  llvm::SmallVector<mlir::Value> tensors(llvm::StringRef name);
  llvm::SmallVector<std::optional<mlir::Value>>
  optTensors(llvm::StringRef name);

  int64_t integer(llvm::StringRef name);
  std::optional<int64_t> optInteger(llvm::StringRef name);
  /// A SymInt.
  sym::Expr size(llvm::StringRef name);
  std::optional<sym::Expr> optSize(llvm::StringRef name);
  /// An int list; a lone int stands for `count` times itself.
  llvm::SmallVector<int64_t> integers(llvm::StringRef name, size_t count = 1);
  sym::Shape sizes(llvm::StringRef name, size_t count = 1);
  bool flag(llvm::StringRef name);
  double number(llvm::StringRef name);
  std::optional<double> optNumber(llvm::StringRef name);
  llvm::SmallVector<double> numbers(llvm::StringRef name);
  Scalar scalar(llvm::StringRef name);
  std::optional<Scalar> optScalar(llvm::StringRef name);
  llvm::SmallVector<Scalar> scalars(llvm::StringRef name);
  /// Empty if None.
  llvm::StringRef text(llvm::StringRef name);
  std::optional<mlir::Type> dtype(llvm::StringRef name);

  /// A dim counted from the front. Rank 0 counts as rank 1, as in torch: the
  /// dim is 0 then, which a tensor of rank 0 does not have.
  int64_t dim(llvm::StringRef name, int64_t rank);
  /// The same for a list; empty if None. Sorted if `sort`; a dim that occurs
  /// twice is an error.
  llvm::SmallVector<int64_t> dims(llvm::StringRef name, int64_t rank,
                                  bool sort = false);
  /// As `dims`, but None and the empty list stand for all dims (reductions).
  llvm::SmallVector<int64_t> dimsOrAll(llvm::StringRef name, int64_t rank);
  int64_t wrapDim(int64_t dim, int64_t rank);

  //===--- Results --------------------------------------------------------===//

  /// The tensors that the program records; results are numbered as in the
  /// schema, of which some may be absent (undefined tensors, numbers).
  size_t numResults() { return call.getNumResults(); }
  /// What the file recorded for a result.
  mlir::RankedTensorType resultType(size_t i);
  mlir::RankedTensorType recordedType(size_t recorded);
  mlir::Type resultElement(size_t i) { return resultType(i).getElementType(); }
  sym::Shape resultShape(size_t i) { return sym::shapeOf(resultType(i)); }
  /// Always succeeds, so that a decomposition can end with it.
  mlir::LogicalResult setResult(size_t i, mlir::Value value);
  /// Sets all results in order; there may be fewer results than values.
  mlir::LogicalResult setResults(llvm::ArrayRef<mlir::Value> values);
  /// The value for a recorded tensor, by its position among those.
  mlir::Value result(size_t recorded) const {
    return recorded < results.size() ? results[recorded] : mlir::Value();
  }

  /// Writes an argument that the operator mutates without saying so.
  mlir::LogicalResult write(llvm::StringRef name, mlir::Value value);

  /// Unbacked symbols that this call defines.
  size_t numDefinedSymbols() { return call.getBinds().size(); }
  llvm::StringRef definedSymbol(size_t i);
  /// Defines symbol `i` by a rank-0 integer tensor.
  mlir::LogicalResult bindSymbol(size_t i, mlir::Value value);

  //===--- Sizes ----------------------------------------------------------===//

  /// The declared bounds of the symbols show it.
  bool isKnownLessEqual(sym::Expr a, sym::Expr b);
  bool isKnownNonNegative(sym::Expr a) {
    return isKnownLessEqual(b.expr(0), a);
  }
  /// `sym::min` and `sym::max` that use the bounds of the symbols.
  sym::Expr minOf(sym::Expr a, sym::Expr b);
  sym::Expr maxOf(sym::Expr a, sym::Expr b);
  /// Makes the call fail at run time unless the condition holds; nothing is
  /// built for what is always true.
  void require(sym::Expr condition, const llvm::Twine &message);
  void requireEqual(sym::Expr a, sym::Expr b, const llvm::Twine &message);
  /// Python's meaning of an index or a slice bound: negative ones count from
  /// the end. The result lies in [0, size] for a bound.
  sym::Expr wrapBound(sym::Expr bound, sym::Expr size);
  /// An index in [0, size), which is checked.
  sym::Expr wrapIndex(sym::Expr index, sym::Expr size);
  /// A reshape whose number of elements is checked where it is not known.
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<sym::Expr> shape);
  /// `tensor(name)` is all of its memory (as_strided).
  bool isWholeMemory(llvm::StringRef name) {
    mlir::Value captured = capturedTensor(name);
    return captured && environment.isWholeMemory(captured);
  }

  //===--- Random numbers -------------------------------------------------===//

  mlir::Value rngKey() { return environment.rngKey(); }
  /// A number that no other draw of the program has.
  int64_t nextStream();
  /// Draws numbers of a fresh stream.
  mlir::Value random(prim::Distribution distribution,
                     llvm::ArrayRef<sym::Expr> shape, mlir::Type element);

  //===--- Element types --------------------------------------------------===//

  bool isWrapped(mlir::Value value) const { return wrapped.contains(value); }
  /// A number as `tensor` gives it.
  mlir::Value wrap(const Scalar &scalar);
  /// A rank-0 tensor of the number in a given element type.
  mlir::Value constant(const Scalar &scalar, mlir::Type element);
  /// Converts; a wrapped number is made anew, with nothing lost on the way.
  mlir::Value convert(mlir::Value value, mlir::Type element);
  /// torch.result_type of some operands.
  mlir::Type promote(llvm::ArrayRef<mlir::Value> operands) const;
  /// The same, with f32 in place of integers and bool (unary float ops, `/`).
  mlir::Type promoteToFloat(llvm::ArrayRef<mlir::Value> operands) const;

  using Body = llvm::function_ref<mlir::Value(llvm::ArrayRef<mlir::Value>)>;
  /// What one CPU kernel does: converts the operands to `type`, computes in
  /// f32 if that is half precision, rounds the result once to `type`. A result
  /// that is bool (a comparison) is left alone.
  mlir::Value compute(mlir::Type type, llvm::ArrayRef<mlir::Value> operands,
                      Body body);
  /// `compute` in the promoted type.
  mlir::Value elementwise(llvm::ArrayRef<mlir::Value> operands, Body body) {
    return compute(promote(operands), operands, body);
  }
  mlir::Value elementwiseFloat(llvm::ArrayRef<mlir::Value> operands,
                               Body body) {
    return compute(promoteToFloat(operands), operands, body);
  }

  //===--- Failures -------------------------------------------------------===//

  /// Says that this call is not supported, and why. Returns failure.
  mlir::LogicalResult emitUnsupported(const llvm::Twine &why);
  /// Says that the program is at fault. Returns failure.
  mlir::LogicalResult emitInvalid(const llvm::Twine &what);
  llvm::StringRef unsupportedReason() const { return unsupported; }
  llvm::StringRef invalidReason() const { return invalid; }
  bool failed() const { return !unsupported.empty() || !invalid.empty(); }

  //===--- For the core ---------------------------------------------------===//

  capture::CallOp getCall() { return call; }
  mlir::Attribute argument(llvm::StringRef name);
  /// The captured operand that an argument names; null if it is no tensor.
  mlir::Value capturedTensor(llvm::StringRef name);
  /// Makes `tensor` give this value for an operand.
  void replaceOperand(mlir::Value captured, mlir::Value value) {
    operands[captured] = value;
  }
  /// Casts every tensor argument that is a float (not f64) to a type.
  void castArguments(mlir::Type element);
  /// Takes the part of an `out` argument for results (out= overloads).
  void setResultType(mlir::RankedTensorType type) { resultTypeOverride = type; }

private:
  std::optional<size_t> recordedPosition(size_t i);
  mlir::Value readOperand(mlir::Value captured);
  mlir::Value tensorOf(mlir::Attribute argument, llvm::StringRef name);
  mlir::Value placeholder();
  template <typename T>
  T wrongKind(llvm::StringRef name, llvm::StringRef expected, T neutral);

  CallEnvironment &environment;
  capture::CallOp call;
  llvm::DenseMap<mlir::Value, mlir::Value> operands;
  llvm::DenseMap<mlir::Value, Scalar> wrapped;
  llvm::SmallVector<mlir::Value> results;
  mlir::RankedTensorType resultTypeOverride;
  mlir::Type castType;
  std::string unsupported, invalid;
};

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_CALLCONTEXT_H
