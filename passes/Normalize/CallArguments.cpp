//===- CallArguments.cpp - Reads the arguments of a call by name ----------===//

#include "passes/Normalize/CallContext.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace adze::normalize {

Attribute CallContext::argument(StringRef name) {
  Attribute value = call.getArguments().get(name);
  if (value || (name != "input" && name != "self"))
    return value;
  // Overloads do not agree on the name of the first tensor.
  for (StringRef other : {"self", "input", "A"})
    if (!value)
      value = call.getArguments().get(other);
  return value;
}

bool CallContext::isNone(StringRef name) {
  Attribute value = argument(name);
  return !value || isa<capture::NoneAttr>(value);
}

template <typename T>
T CallContext::wrongKind(StringRef name, StringRef expected, T neutral) {
  std::string found;
  llvm::raw_string_ostream os(found);
  if (Attribute value = argument(name))
    os << value;
  else
    os << "nothing";
  (void)emitInvalid("argument '" + name + "': expected " + expected +
                    ", but found " + found);
  return neutral;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value CallContext::placeholder() {
  return b.scalar(0, b.getBuilder().getF32Type());
}

void CallContext::castArguments(Type element) { castType = element; }

Value CallContext::readOperand(Value captured) {
  auto it = operands.find(captured);
  if (it != operands.end())
    return it->second;
  FailureOr<Value> value = environment.read(captured);
  if (mlir::failed(value)) {
    (void)emitUnsupported("reading a view of memory that was written since");
    return operands[captured] =
               b.full(sym::shapeOf(captured), 0, b.elementOf(captured));
  }
  if (castType && isFloat(b.elementOf(*value)) && !b.elementOf(*value).isF64())
    value = b.convert(*value, castType);
  return operands[captured] = *value;
}

Value CallContext::tensorOf(Attribute value, StringRef name) {
  if (auto operand = dyn_cast_or_null<capture::OperandAttr>(value))
    return readOperand(call.getOperand(operand.getIndex()));
  if (auto number = Scalar::fromAttribute(value))
    return wrap(*number);
  return Value();
}

Value CallContext::tensor(StringRef name) {
  if (Value value = tensorOf(argument(name), name))
    return value;
  return wrongKind(name, "a tensor", placeholder());
}

std::optional<Value> CallContext::optTensor(StringRef name) {
  if (isNone(name))
    return std::nullopt;
  return tensor(name);
}

SmallVector<Value> CallContext::tensors(StringRef name) {
  SmallVector<Value> result;
  for (std::optional<Value> element : optTensors(name))
    result.push_back(element ? *element
                             : wrongKind(name, "tensors", placeholder()));
  return result;
}

SmallVector<std::optional<Value>> CallContext::optTensors(StringRef name) {
  SmallVector<std::optional<Value>> result;
  auto list = dyn_cast_or_null<ArrayAttr>(argument(name));
  if (!list)
    return isNone(name) ? result : wrongKind(name, "a list of tensors", result);
  for (Attribute element : list) {
    Value value = tensorOf(element, name);
    result.push_back(value ? std::optional<Value>(value) : std::nullopt);
  }
  return result;
}

Value CallContext::capturedTensor(StringRef name) {
  auto operand = dyn_cast_or_null<capture::OperandAttr>(argument(name));
  return operand ? call.getOperand(operand.getIndex()) : Value();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static std::optional<int64_t> integerOf(Attribute value) {
  auto number = Scalar::fromAttribute(value);
  if (!number ||
      (number->kind != Scalar::Kind::Int && number->kind != Scalar::Kind::Bool))
    return std::nullopt;
  return number->integer;
}

static sym::Expr sizeOf(Attribute value) {
  if (auto expr = dyn_cast_or_null<sym::ExprAttr>(value))
    return expr;
  auto number = integerOf(value);
  return number ? sym::constant(value.getContext(), *number) : sym::Expr();
}

int64_t CallContext::integer(StringRef name) {
  if (auto value = integerOf(argument(name)))
    return *value;
  if (isa_and_nonnull<sym::ExprAttr>(argument(name)))
    (void)emitUnsupported("argument '" + name + "' is a symbolic size");
  return wrongKind<int64_t>(name, "an integer", 0);
}

std::optional<int64_t> CallContext::optInteger(StringRef name) {
  if (isNone(name))
    return std::nullopt;
  return integer(name);
}

sym::Expr CallContext::size(StringRef name) {
  if (sym::Expr value = sizeOf(argument(name)))
    return value;
  return wrongKind(name, "an integer", b.expr(0));
}

std::optional<sym::Expr> CallContext::optSize(StringRef name) {
  if (isNone(name))
    return std::nullopt;
  return size(name);
}

sym::Shape CallContext::sizes(StringRef name, size_t count) {
  sym::Shape result;
  Attribute value = argument(name);
  if (sym::Expr lone = sizeOf(value))
    return sym::Shape(count, lone);
  auto list = dyn_cast_or_null<ArrayAttr>(value);
  if (!list)
    return isNone(name) ? result
                        : wrongKind(name, "a list of integers", result);
  for (Attribute element : list) {
    sym::Expr expr = sizeOf(element);
    result.push_back(expr ? expr : wrongKind(name, "integers", b.expr(0)));
  }
  if (result.size() == 1 && count > 1)
    result.resize(count, result[0]);
  return result;
}

SmallVector<int64_t> CallContext::integers(StringRef name, size_t count) {
  return llvm::map_to_vector(
      sizes(name, count), [&](sym::Expr expr) -> int64_t {
        if (auto value = sym::asConstant(expr))
          return *value;
        (void)emitUnsupported("argument '" + name + "' has a symbolic size");
        return 1;
      });
}

bool CallContext::flag(StringRef name) {
  if (isNone(name))
    return false;
  if (auto value = integerOf(argument(name)))
    return *value != 0;
  return wrongKind(name, "a bool", false);
}

double CallContext::number(StringRef name) {
  auto value = Scalar::fromAttribute(argument(name));
  if (value && value->kind == Scalar::Kind::Symbolic)
    (void)emitUnsupported("argument '" + name + "' is a symbolic number");
  return value ? value->re : wrongKind(name, "a number", 0.0);
}

std::optional<double> CallContext::optNumber(StringRef name) {
  if (isNone(name))
    return std::nullopt;
  return number(name);
}

SmallVector<double> CallContext::numbers(StringRef name) {
  return llvm::map_to_vector(scalars(name),
                             [](const Scalar &scalar) { return scalar.re; });
}

Scalar CallContext::scalar(StringRef name) {
  if (auto value = Scalar::fromAttribute(argument(name)))
    return *value;
  return wrongKind(name, "a number", Scalar::ofInt(0));
}

std::optional<Scalar> CallContext::optScalar(StringRef name) {
  if (isNone(name))
    return std::nullopt;
  return scalar(name);
}

SmallVector<Scalar> CallContext::scalars(StringRef name) {
  SmallVector<Scalar> result;
  auto list = dyn_cast_or_null<ArrayAttr>(argument(name));
  if (!list)
    return isNone(name) ? result : wrongKind(name, "a list of numbers", result);
  for (Attribute element : list) {
    auto value = Scalar::fromAttribute(element);
    result.push_back(value ? *value
                           : wrongKind(name, "numbers", Scalar::ofInt(0)));
  }
  return result;
}

StringRef CallContext::text(StringRef name) {
  if (isNone(name))
    return "";
  if (auto value = dyn_cast<StringAttr>(argument(name)))
    return value.getValue();
  return wrongKind(name, "a text", StringRef());
}

std::optional<Type> CallContext::dtype(StringRef name) {
  if (isNone(name))
    return std::nullopt;
  if (auto value = dyn_cast<TypeAttr>(argument(name)))
    return value.getValue();
  return wrongKind(name, "an element type", std::optional<Type>());
}

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

int64_t CallContext::wrapDim(int64_t dim, int64_t rank) {
  int64_t bound = std::max<int64_t>(rank, 1);
  if (dim >= -bound && dim < bound)
    return dim < 0 ? dim + bound : dim;
  (void)emitInvalid("expected a dim of a tensor of rank " + Twine(rank) +
                    ", but found " + Twine(dim));
  return 0;
}

int64_t CallContext::dim(StringRef name, int64_t rank) {
  return wrapDim(integer(name), rank);
}

SmallVector<int64_t> CallContext::dims(StringRef name, int64_t rank,
                                       bool sort) {
  auto result = llvm::map_to_vector(
      integers(name), [&](int64_t dim) { return wrapDim(dim, rank); });
  SmallVector<int64_t> sorted(result);
  llvm::sort(sorted);
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    (void)emitInvalid("argument '" + name + "' names a dim twice");
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sort ? sorted : result;
}

SmallVector<int64_t> CallContext::dimsOrAll(StringRef name, int64_t rank) {
  SmallVector<int64_t> result = dims(name, rank, /*sort=*/true);
  // The dim of a rank-0 tensor is only a manner of speaking.
  if (result.empty() || rank == 0)
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  return result;
}

} // namespace adze::normalize
