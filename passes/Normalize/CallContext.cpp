//===- CallContext.cpp - Results, element types, failures of a call -------===//

#include "passes/Normalize/CallContext.h"

using namespace mlir;

namespace adze::normalize {

/// Errors of a call that depend on data name the operator: it stands outermost
/// in the location of what the call becomes.
static Location locationOf(capture::CallOp call) {
  return NameLoc::get(call.getCalleeAttr(), call.getLoc());
}

CallContext::CallContext(CallEnvironment &environment, capture::CallOp call,
                         OpBuilder &builder)
    : b(builder, locationOf(call)), environment(environment), call(call),
      results(call.getNumResults()) {}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Where result `i` of the schema stands among the recorded tensors. The list
/// that the importer leaves has -1 for a tensor and -2 for what is absent.
std::optional<size_t> CallContext::recordedPosition(size_t i) {
  auto lists = call->getAttrOfType<ArrayAttr>("result_lists");
  if (!lists || i >= lists.size())
    return i;
  size_t position = 0;
  for (auto [k, length] : llvm::enumerate(lists.getAsRange<IntegerAttr>())) {
    if (length.getInt() >= 0) // a list: numbered through
      return i;
    if (k == i)
      return length.getInt() == -1 ? std::optional(position) : std::nullopt;
    position += length.getInt() == -1;
  }
  return std::nullopt;
}

RankedTensorType CallContext::recordedType(size_t recorded) {
  if (resultTypeOverride)
    return resultTypeOverride;
  if (recorded < numResults())
    return cast<RankedTensorType>(call.getResult(recorded).getType());
  (void)emitInvalid("expected at least " + Twine(recorded + 1) +
                    " results, but found " + Twine(numResults()));
  return RankedTensorType::get({}, b.getBuilder().getF32Type());
}

RankedTensorType CallContext::resultType(size_t i) {
  return recordedType(recordedPosition(i).value_or(numResults()));
}

LogicalResult CallContext::setResult(size_t i, Value value) {
  auto position = recordedPosition(i);
  if (!position)
    return success();
  if (*position >= results.size())
    results.resize(*position + 1);
  results[*position] = value;
  return success();
}

LogicalResult CallContext::setResults(ArrayRef<Value> values) {
  for (auto [i, value] : llvm::enumerate(values))
    (void)setResult(i, value);
  return success();
}

LogicalResult CallContext::write(StringRef name, Value value) {
  Value captured = capturedTensor(name);
  if (!captured)
    return emitInvalid("argument '" + name + "' is written, but is no tensor");
  auto type = cast<RankedTensorType>(captured.getType());
  value = b.convert(value, type.getElementType());
  value = b.checkShape(value, sym::shapeOf(type));
  return environment.write(captured, value);
}

StringRef CallContext::definedSymbol(size_t i) {
  if (i < numDefinedSymbols())
    return cast<StringAttr>(call.getBinds()[i]).getValue();
  (void)emitInvalid("expected a symbol for a size that depends on data");
  return "u_missing";
}

LogicalResult CallContext::bindSymbol(size_t i, Value value) {
  if (!isIntegral(b.elementOf(value)))
    return emitUnsupported("a number that depends on data and is no integer");
  prim::BindSymbolOp::create(b.getBuilder(), getLoc(), value, definedSymbol(i));
  return success();
}

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

int64_t CallContext::nextStream() {
  if (auto stream = environment.nextStream())
    return *stream;
  (void)emitUnsupported("random numbers inside of a loop");
  return 0;
}

Value CallContext::random(prim::Distribution distribution,
                          ArrayRef<sym::Expr> shape, Type element) {
  auto type = sym::tensorType(shape, element);
  return prim::RandomOp::create(b.getBuilder(), getLoc(), type, distribution,
                                rngKey(), nextStream());
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

Value CallContext::wrap(const Scalar &scalar) {
  Value value = constant(scalar, scalar.elementType(getContext()));
  wrapped.try_emplace(value, scalar);
  return value;
}

static Value complexConstant(prim::PrimBuilder &b, const Scalar &scalar,
                             ComplexType type) {
  Type part = type.getElementType();
  Attribute parts = b.getBuilder().getArrayAttr(
      {prim::numberAttr(part, scalar.re), prim::numberAttr(part, scalar.im)});
  return prim::FullOp::create(b.getBuilder(), b.getLoc(),
                              RankedTensorType::get({}, type), parts);
}

Value CallContext::constant(const Scalar &scalar, Type element) {
  if (scalar.kind == Scalar::Kind::Symbolic)
    return b.convert(b.symbolValue(scalar.expr), element);
  if (auto complex = dyn_cast<ComplexType>(element))
    return complexConstant(b, scalar, complex);
  if (scalar.kind == Scalar::Kind::Int && !isFloat(element))
    return b.scalarInt(isBool(element) ? scalar.integer != 0 : scalar.integer,
                       element);
  return b.scalar(scalar.re, element);
}

Value CallContext::convert(Value value, Type element) {
  auto number = wrapped.find(value);
  if (number == wrapped.end() || b.elementOf(value) == element)
    return b.convert(value, element);
  return constant(number->second, element);
}

Type CallContext::promote(ArrayRef<Value> operands) const {
  auto promotables = llvm::map_to_vector(operands, [&](Value operand) {
    return Promotable{b.elementOf(operand), b.rankOf(operand) > 0,
                      isWrapped(operand)};
  });
  return normalize::resultType(promotables);
}

Type CallContext::promoteToFloat(ArrayRef<Value> operands) const {
  return floatTypeFor(promote(operands));
}

Value CallContext::compute(Type type, ArrayRef<Value> operands, Body body) {
  Type opmath = opmathType(type);
  auto converted = llvm::map_to_vector(operands, [&](Value operand) {
    // A number keeps its precision; a tensor is rounded to the common type.
    return convert(isWrapped(operand) ? operand : b.convert(operand, type),
                   opmath);
  });
  Value result = body(converted);
  return isBool(b.elementOf(result)) ? result : b.convert(result, type);
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

LogicalResult CallContext::emitUnsupported(const Twine &why) {
  if (unsupported.empty())
    unsupported = why.str();
  return failure();
}

LogicalResult CallContext::emitInvalid(const Twine &what) {
  if (invalid.empty())
    invalid = what.str();
  return failure();
}

} // namespace adze::normalize
