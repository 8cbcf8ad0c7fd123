//===- Scalar.h - A number that a program passes to an operator -*- C++ -*-===//

#ifndef ADZE_PASSES_NORMALIZE_SCALAR_H
#define ADZE_PASSES_NORMALIZE_SCALAR_H

#include "dialects/Sym/Sym.h"

#include <optional>

namespace adze::normalize {

/// The value of a `Scalar` argument of an ATen operator.
struct Scalar {
  enum class Kind { Bool, Int, Float, Complex, Symbolic };

  Kind kind = Kind::Int;
  int64_t integer = 0; // Bool, Int
  double re = 0;       // Float, Complex; the value of Bool and Int as well
  double im = 0;       // Complex
  sym::Expr expr;      // Symbolic

  static Scalar ofBool(bool value) {
    return {Kind::Bool, value, double(value), 0, {}};
  }
  static Scalar ofInt(int64_t value) {
    return {Kind::Int, value, double(value), 0, {}};
  }
  static Scalar ofFloat(double value) {
    return {Kind::Float, int64_t(value), value, 0, {}};
  }
  static Scalar ofComplex(double re, double im) {
    return {Kind::Complex, 0, re, im, {}};
  }
  static Scalar ofExpr(sym::Expr expr);
  /// Reads the attribute form of a `capture.call` argument.
  static std::optional<Scalar> fromAttribute(mlir::Attribute attribute);

  /// The value is a known number with this value.
  bool is(double value) const {
    return kind != Kind::Symbolic && re == value && im == 0;
  }
  bool isBool() const { return kind == Kind::Bool; }
  /// An integer, symbolic ones included; bool is none.
  bool isInteger() const {
    return kind == Kind::Int || (kind == Kind::Symbolic && !sym::isFloat(expr));
  }
  bool isFloat() const {
    return kind == Kind::Float ||
           (kind == Kind::Symbolic && sym::isFloat(expr));
  }
  bool isComplex() const { return kind == Kind::Complex; }
  /// The element type of the "wrapped number" tensor torch makes of it.
  mlir::Type elementType(mlir::MLIRContext *context) const;
};

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_SCALAR_H
