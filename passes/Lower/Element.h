//===- Element.h - Values and indices of a vector of elements ---*- C++ -*-===//
//
// A kernel builder works on one element, or on `lanes` elements at once. An
// element that is the same in all lanes stays a scalar until it meets one
// that is not.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_LOWER_ELEMENT_H
#define ADZE_PASSES_LOWER_ELEMENT_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace adze {

/// A number in registers: a scalar or a 1-D vector. Complex numbers have an
/// imaginary part. f16, bf16 and smaller floats are held as f32 that is
/// rounded to the type; bool as i1; unsigned integers as signless ones.
struct Element {
  mlir::Value value;
  mlir::Value imag = {};
};

/// An index along one dim: lane k is at `base + k * step`, or where `lanes`
/// (a vector of i64) says.
struct Index {
  mlir::Value base;
  int64_t step = 0;
  mlir::Value lanes = {};

  bool isUniform() const { return !lanes && step == 0; }
  bool operator==(const Index &other) const {
    return base == other.base && step == other.step && lanes == other.lanes;
  }
};

using Indices = llvm::SmallVector<Index, 4>;

/// The type in registers for one element of a tensor.
mlir::Type registerType(mlir::Type element);
/// The type in memory: that of registers, but i8 for bool and the narrow
/// floats as themselves.
mlir::Type memoryType(mlir::Type element);

/// i64 arithmetic on values and indices that folds constants on the way.
class IndexBuilder {
public:
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// For operands that are not negative.
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);

  Index uniform(mlir::Value value) { return {value}; }
  Index add(const Index &a, const Index &b, int64_t lanes);
  Index mul(const Index &a, mlir::Value factor, int64_t lanes);
  Index div(const Index &a, mlir::Value divisor, int64_t lanes);
  Index rem(const Index &a, mlir::Value divisor, int64_t lanes);
  /// size - 1 - a
  Index mirror(const Index &a, mlir::Value size, int64_t lanes);
  /// The vector of all lanes, or the scalar of a uniform index.
  mlir::Value materialize(const Index &a, int64_t lanes);
  /// From a scalar or a vector of i64.
  Index fromValue(mlir::Value value);

  /// The constant that a value is, if it is one.
  static std::optional<int64_t> known(mlir::Value value);

private:
  Index
  binary(const Index &a, mlir::Value b, int64_t lanes,
         llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);
  mlir::Value splat(mlir::Value scalar, int64_t lanes);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace adze

#endif // ADZE_PASSES_LOWER_ELEMENT_H
