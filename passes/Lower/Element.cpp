//===- Element.cpp - Values and indices of a vector of elements -----------===//

#include "passes/Lower/Element.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace adze {

Type registerType(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return registerType(complex.getElementType());
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(element.getContext(), integer.getWidth());
  if (element.getIntOrFloatBitWidth() < 32)
    return Float32Type::get(element.getContext());
  return element;
}

Type memoryType(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return memoryType(complex.getElementType());
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return isa<FloatType>(element) ? element : registerType(element);
}

std::optional<int64_t> IndexBuilder::known(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

Value IndexBuilder::constant(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

Value IndexBuilder::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}
Value IndexBuilder::sub(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}
Value IndexBuilder::mul(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}
Value IndexBuilder::div(Value a, Value b) {
  return builder.createOrFold<arith::DivUIOp>(loc, a, b);
}
Value IndexBuilder::rem(Value a, Value b) {
  if (known(b) == 1)
    return constant(0);
  return builder.createOrFold<arith::RemUIOp>(loc, a, b);
}
Value IndexBuilder::min(Value a, Value b) {
  return builder.createOrFold<arith::MinSIOp>(loc, a, b);
}
Value IndexBuilder::max(Value a, Value b) {
  return builder.createOrFold<arith::MaxSIOp>(loc, a, b);
}

Value IndexBuilder::splat(Value scalar, int64_t lanes) {
  auto type = VectorType::get({lanes}, scalar.getType());
  return vector::BroadcastOp::create(builder, loc, type, scalar);
}

Value IndexBuilder::materialize(const Index &a, int64_t lanes) {
  if (a.lanes)
    return a.lanes;
  if (a.step == 0 || lanes == 1)
    return a.base;
  SmallVector<int64_t> offsets;
  for (int64_t lane = 0; lane < lanes; ++lane)
    offsets.push_back(lane * a.step);
  auto type = VectorType::get({lanes}, builder.getI64Type());
  Value steps = arith::ConstantOp::create(
      builder, loc, type,
      DenseElementsAttr::get(type, ArrayRef<int64_t>(offsets)));
  return arith::AddIOp::create(builder, loc, splat(a.base, lanes), steps);
}

Index IndexBuilder::fromValue(Value value) {
  if (isa<VectorType>(value.getType()))
    return {constant(0), 0, value};
  return {value};
}

Index IndexBuilder::binary(const Index &a, Value b, int64_t lanes,
                           function_ref<Value(Value, Value)> combine) {
  if (a.isUniform() || lanes == 1)
    return {combine(a.base, b)};
  return {constant(0), 0, combine(materialize(a, lanes), splat(b, lanes))};
}

Index IndexBuilder::add(const Index &a, const Index &b, int64_t lanes) {
  if (!a.lanes && !b.lanes)
    return {add(a.base, b.base), a.step + b.step};
  auto vectorOf = [&](const Index &index) {
    Value value = materialize(index, lanes);
    return isa<VectorType>(value.getType()) ? value : splat(value, lanes);
  };
  return {constant(0), 0,
          arith::AddIOp::create(builder, loc, vectorOf(a), vectorOf(b))};
}

Index IndexBuilder::mul(const Index &a, Value factor, int64_t lanes) {
  auto number = known(factor);
  if (!a.lanes && (a.step == 0 || number))
    return {mul(a.base, factor), a.step * number.value_or(0)};
  return binary(a, factor, lanes, [&](Value x, Value y) { return mul(x, y); });
}

Index IndexBuilder::div(const Index &a, Value divisor, int64_t lanes) {
  if (known(divisor) == 1)
    return a;
  return binary(a, divisor, lanes, [&](Value x, Value y) { return div(x, y); });
}

Index IndexBuilder::rem(const Index &a, Value divisor, int64_t lanes) {
  if (known(divisor) == 1)
    return {constant(0)};
  return binary(a, divisor, lanes, [&](Value x, Value y) {
    return builder.createOrFold<arith::RemUIOp>(loc, x, y);
  });
}

Index IndexBuilder::mirror(const Index &a, Value size, int64_t lanes) {
  Value last = sub(size, constant(1));
  if (!a.lanes)
    return {sub(last, a.base), -a.step};
  return {constant(0), 0,
          arith::SubIOp::create(builder, loc, splat(last, lanes), a.lanes)};
}

} // namespace adze
