//===- PrimBuilder.h - Building prim ops with broadcasting ------*- C++ -*-===//
//
// What decompositions and rewrites are written with: every method gives a
// value and infers its type; elementwise methods broadcast their operands
// (but do not promote element types).
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DIALECTS_PRIM_PRIMBUILDER_H
#define ADZE_DIALECTS_PRIM_PRIMBUILDER_H

#include "dialects/Prim/Prim.h"

#include "mlir/IR/Builders.h"

namespace adze::prim {

class PrimBuilder {
public:
  PrimBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }
  mlir::MLIRContext *getContext() const { return builder.getContext(); }

  static mlir::RankedTensorType typeOf(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
  static mlir::Type elementOf(mlir::Value value) {
    return typeOf(value).getElementType();
  }
  static int64_t rankOf(mlir::Value value) { return typeOf(value).getRank(); }
  static sym::Shape shapeOf(mlir::Value value) { return sym::shapeOf(value); }
  sym::Expr expr(int64_t value) const {
    return sym::constant(getContext(), value);
  }

  //===--- Creation -------------------------------------------------------===//

  /// A rank-0 tensor of one number, converted to the element type.
  mlir::Value scalar(double value, mlir::Type element);
  mlir::Value scalarInt(int64_t value, mlir::Type element);
  mlir::Value full(llvm::ArrayRef<sym::Expr> shape, double value,
                   mlir::Type element);
  mlir::Value fullInt(llvm::ArrayRef<sym::Expr> shape, int64_t value,
                      mlir::Type element);
  /// Numbers with the shape and element type of `like`.
  mlir::Value fullLike(mlir::Value like, double value);
  mlir::Value iota(llvm::ArrayRef<sym::Expr> shape, int64_t dim,
                   mlir::Type element);
  /// A rank-0 tensor: i64, f64 for a float expression.
  mlir::Value symbolValue(sym::Expr expr);

  //===--- Elementwise ----------------------------------------------------===//

  template <typename OpT> mlir::Value unary(mlir::Value operand) {
    return OpT::create(builder, loc, operand);
  }
  /// Broadcasts both operands to their common shape.
  template <typename OpT> mlir::Value binary(mlir::Value lhs, mlir::Value rhs) {
    broadcastTogether(lhs, rhs);
    return OpT::create(builder, loc, lhs, rhs);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) { return binary<AddOp>(a, b); }
  mlir::Value sub(mlir::Value a, mlir::Value b) { return binary<SubOp>(a, b); }
  mlir::Value mul(mlir::Value a, mlir::Value b) { return binary<MulOp>(a, b); }
  mlir::Value div(mlir::Value a, mlir::Value b) { return binary<DivOp>(a, b); }
  mlir::Value max(mlir::Value a, mlir::Value b) { return binary<MaxOp>(a, b); }
  mlir::Value min(mlir::Value a, mlir::Value b) { return binary<MinOp>(a, b); }
  mlir::Value add(mlir::Value a, double b) {
    return add(a, scalar(b, elementOf(a)));
  }
  mlir::Value sub(mlir::Value a, double b) {
    return sub(a, scalar(b, elementOf(a)));
  }
  mlir::Value mul(mlir::Value a, double b) {
    return mul(a, scalar(b, elementOf(a)));
  }
  mlir::Value div(mlir::Value a, double b) {
    return div(a, scalar(b, elementOf(a)));
  }
  mlir::Value neg(mlir::Value a) { return unary<NegOp>(a); }
  mlir::Value exp(mlir::Value a) { return unary<ExpOp>(a); }
  mlir::Value log(mlir::Value a) { return unary<LogOp>(a); }
  mlir::Value sqrt(mlir::Value a) { return unary<SqrtOp>(a); }
  mlir::Value rsqrt(mlir::Value a) { return unary<RsqrtOp>(a); }
  mlir::Value logicalNot(mlir::Value a) { return unary<NotOp>(a); }
  mlir::Value logicalAnd(mlir::Value a, mlir::Value b) {
    return binary<AndOp>(a, b);
  }
  mlir::Value logicalOr(mlir::Value a, mlir::Value b) {
    return binary<OrOp>(a, b);
  }
  mlir::Value compare(Comparison predicate, mlir::Value a, mlir::Value b);
  mlir::Value compare(Comparison predicate, mlir::Value a, double b) {
    return compare(predicate, a, scalar(b, elementOf(a)));
  }
  /// True for NaN; all false for integers.
  mlir::Value isNan(mlir::Value a);
  mlir::Value where(mlir::Value condition, mlir::Value onTrue,
                    mlir::Value onFalse);
  /// The operand itself if it has the element type already.
  mlir::Value convert(mlir::Value operand, mlir::Type element);
  mlir::Value special(SpecialUnaryKind kind, mlir::Value operand);

  //===--- Movement -------------------------------------------------------===//

  mlir::Value reshape(mlir::Value operand, llvm::ArrayRef<sym::Expr> shape);
  /// Broadcasts to the shape; sizes that can not be shown equal are checked.
  mlir::Value broadcast(mlir::Value operand, llvm::ArrayRef<sym::Expr> shape);
  /// Asserts the shape at run time where it can not be shown.
  mlir::Value checkShape(mlir::Value operand, llvm::ArrayRef<sym::Expr> shape);
  mlir::Value transpose(mlir::Value operand,
                        llvm::ArrayRef<int64_t> permutation);
  mlir::Value swapDims(mlir::Value operand, int64_t a, int64_t b);
  /// Inserts a dim of size 1 before `dim`.
  mlir::Value unsqueeze(mlir::Value operand, int64_t dim);
  /// Removes a dim of size 1.
  mlir::Value squeeze(mlir::Value operand, int64_t dim);
  /// `size` elements of one dim from `start`.
  mlir::Value slice(mlir::Value operand, int64_t dim, sym::Expr start,
                    sym::Expr size, int64_t stride = 1);
  mlir::Value updateSlice(mlir::Value operand, mlir::Value update, int64_t dim,
                          sym::Expr start, int64_t stride = 1);
  mlir::Value pad(mlir::Value operand, mlir::Value value,
                  llvm::ArrayRef<sym::Expr> low,
                  llvm::ArrayRef<sym::Expr> high);
  mlir::Value concat(mlir::ValueRange operands, int64_t dim);
  mlir::Value reverse(mlir::Value operand, llvm::ArrayRef<int64_t> dims);

  //===--- Reductions -----------------------------------------------------===//

  /// Reduces over `dims` (any order), which vanish or become size 1.
  mlir::Value reduce(Reduction kind, mlir::Value operand,
                     llvm::ArrayRef<int64_t> dims, bool keepDims = false);
  mlir::Value sum(mlir::Value operand, llvm::ArrayRef<int64_t> dims,
                  bool keepDims = false) {
    return reduce(Reduction::sum, operand, dims, keepDims);
  }
  /// The mean in the operand's element type (floats).
  mlir::Value mean(mlir::Value operand, llvm::ArrayRef<int64_t> dims,
                   bool keepDims = false);
  /// The product of some sizes as a rank-0 tensor.
  mlir::Value sizeProduct(mlir::Value operand, llvm::ArrayRef<int64_t> dims,
                          mlir::Type element);
  mlir::Value argReduce(Reduction kind, mlir::Value operand, int64_t dim,
                        bool keepDim = false);

  //===--- Contraction and indexing ---------------------------------------===//

  mlir::Value matmul(mlir::Value lhs, mlir::Value rhs,
                     bool transposeLhs = false, bool transposeRhs = false);
  /// Takes slices along one dim by a rank-1 i64 tensor.
  mlir::Value indexSelect(mlir::Value operand, int64_t dim, mlir::Value index);
  mlir::Value gather(mlir::Value operand, int64_t dim, mlir::Value index);

  /// The common shape under NumPy's rules, sizes that are not 1 being equal.
  sym::Shape broadcastShape(llvm::ArrayRef<sym::Expr> a,
                            llvm::ArrayRef<sym::Expr> b) const;
  void broadcastTogether(mlir::Value &a, mlir::Value &b);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The attribute `prim.full` takes for a number of an element type.
mlir::Attribute numberAttr(mlir::Type element, double value);
mlir::Attribute numberAttrInt(mlir::Type element, int64_t value);

} // namespace adze::prim

#endif // ADZE_DIALECTS_PRIM_PRIMBUILDER_H
