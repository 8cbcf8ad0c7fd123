//===- Sym.h - Symbolic integer expressions ---------------------*- C++ -*-===//
//
// Expressions over the symbolic sizes of a program, and tensor types that
// carry them. Everything is an attribute: cheap to copy, equal iff the
// canonical forms are equal.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DIALECTS_SYM_SYM_H
#define ADZE_DIALECTS_SYM_SYM_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/TensorEncoding.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <variant>

namespace adze::sym {

/// Leaves first, then operators. The numbers are part of no file format.
enum class ExprKind : uint8_t {
  Const,      // value
  FloatConst, // value holds the bits of a double
  Symbol,     // symbol
  Add,        // n-ary, sorted, at most one constant, which is last
  Mul,        // n-ary, sorted; a constant factor comes first
  FloorDiv,
  Mod,
  Max,
  Min,
  Pow,
  Eq,
  Ne,
  Lt,
  Le,
  And,
  Or,
  Not,
  ToFloat,
  TrueDiv,
  Sqrt,
  Trunc,
  Floor,
  Ceil,
  Round,
  Where, // condition, value if nonzero, value if zero
};

/// The spelling of an operator in text, such as "floordiv".
llvm::StringRef spelling(ExprKind kind);
/// True if the value is a float64.
class ExprAttr;
bool isFloat(ExprAttr expr);

} // namespace adze::sym

#include "dialects/Sym/SymDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Sym/SymAttrs.h.inc"

namespace adze::sym {

using Expr = ExprAttr;
using Shape = llvm::SmallVector<Expr>;

//===----------------------------------------------------------------------===//
// Construction; every function returns the canonical form
//===----------------------------------------------------------------------===//

Expr constant(mlir::MLIRContext *context, int64_t value);
Expr floatConstant(mlir::MLIRContext *context, double value);
Expr symbol(mlir::MLIRContext *context, llvm::StringRef name);
Expr add(Expr a, Expr b);
Expr sub(Expr a, Expr b);
Expr mul(Expr a, Expr b);
Expr neg(Expr a);
Expr floorDiv(Expr a, Expr b);
Expr ceilDiv(Expr a, Expr b);
Expr mod(Expr a, Expr b);
Expr max(Expr a, Expr b);
Expr min(Expr a, Expr b);
/// Any operator by its kind; the number of operands must fit.
Expr make(ExprKind kind, llvm::ArrayRef<Expr> operands);
/// The product of all sizes; 1 for rank 0.
Expr product(mlir::MLIRContext *context, llvm::ArrayRef<Expr> shape);

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// The value of an integer constant.
std::optional<int64_t> asConstant(Expr expr);
inline bool isConstant(Expr expr, int64_t value) {
  return asConstant(expr) == value;
}
/// A total order that depends on the structure only, not on addresses.
int compare(Expr a, Expr b);
/// Calls `visit` for each symbol that occurs, with repetitions.
void walkSymbols(Expr expr, llvm::function_ref<void(llvm::StringRef)> visit);
/// Replaces symbols; a null result of `lookup` keeps the symbol.
Expr substitute(Expr expr, llvm::function_ref<Expr(llvm::StringRef)> lookup);

/// An integer or a float64.
using Number = std::variant<int64_t, double>;
/// Evaluates with the given values of the symbols. Fails (nullopt) for an
/// unbound symbol, a division by zero or an overflow of int64.
std::optional<Number> evaluateNumber(
    Expr expr,
    llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> lookup);
/// The same for expressions with an integer value.
std::optional<int64_t>
evaluate(Expr expr,
         llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> lookup);

/// Inclusive bounds; a missing bound is unknown.
struct Range {
  std::optional<int64_t> min, max;
};
/// Bounds of an expression from bounds of its symbols (interval arithmetic).
Range boundsOf(Expr expr, llvm::function_ref<Range(llvm::StringRef)> lookup);

//===----------------------------------------------------------------------===//
// Tensor types
//===----------------------------------------------------------------------===//

/// The sizes of a tensor type; a `?` without encoding is not allowed.
Shape shapeOf(mlir::RankedTensorType type);
inline Shape shapeOf(mlir::Value value) {
  return shapeOf(llvm::cast<mlir::RankedTensorType>(value.getType()));
}
/// A tensor type of these sizes; has an encoding iff a size is symbolic.
mlir::RankedTensorType tensorType(llvm::ArrayRef<Expr> shape,
                                  mlir::Type element);
/// A shape of constants.
Shape constantShape(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> sizes);
/// The sizes if all are constant.
std::optional<llvm::SmallVector<int64_t>>
constantSizes(llvm::ArrayRef<Expr> shape);

std::string toString(Expr expr);
std::string toString(llvm::ArrayRef<Expr> shape);

/// Parses and prints the bare text of an expression, without `#sym.expr<>`.
mlir::FailureOr<Expr> parseExpr(mlir::AsmParser &parser);
void printExpr(Expr expr, llvm::raw_ostream &os);

} // namespace adze::sym

#endif // ADZE_DIALECTS_SYM_SYM_H
