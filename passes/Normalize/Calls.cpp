//===- Calls.cpp - One ATen call: fresh, view, in place, out --------------===//

#include "passes/Normalize/Normalizer.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace adze::normalize {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// "aten.add_.Tensor" -> "aten", "add_", "Tensor".
struct OpName {
  StringRef space, base, overload;
  explicit OpName(StringRef callee) {
    StringRef rest;
    std::tie(space, rest) = callee.split('.');
    std::tie(base, overload) = rest.split('.');
  }
  bool isDunder() const { return base.starts_with("__"); }
  bool isInPlace() const {
    return isDunder() ? base.starts_with("__i") && base.size() > 6 &&
                            base != "__invert__"
                      : base.ends_with("_");
  }
  std::string with(const Twine &newBase, StringRef newOverload) const {
    return (space + "." + newBase + "." + newOverload).str();
  }
};

static std::string functionalName(const OpName &name) {
  if (name.isDunder()) // __iadd__ -> __add__
    return name.with("__" + name.base.drop_front(3), name.overload);
  return name.with(name.base.drop_back(), name.overload);
}

static const DecompositionTable::Entry *lookupFunctional(const OpName &name) {
  const auto &table = DecompositionTable::get();
  return table.lookup(functionalName(name));
}

/// `sin.out` -> `sin.default`, `add.out` -> `add.Tensor`, `div.out_mode` ->
/// `div.Tensor_mode`.
static const DecompositionTable::Entry *
lookupOutFunctional(const OpName &name) {
  const auto &table = DecompositionTable::get();
  std::string overload = name.overload.str();
  SmallVector<std::string> overloads;
  if (size_t at = overload.rfind("_out"); at != std::string::npos)
    overloads.push_back(overload.substr(0, at));
  if (overload == "out_mode")
    overloads.push_back("Tensor_mode");
  overloads.append({"default", "Tensor", "dim", "dim_IntList", "int", "self"});
  for (const std::string &candidate : overloads)
    if (auto *entry = table.lookup(name.with(name.base, candidate)))
      return entry;
  return nullptr;
}

/// In-place calls that change what a tensor object is, not its elements.
static bool changesMetadata(StringRef base) {
  return llvm::StringSwitch<bool>(base)
      .Cases({"t_", "squeeze_", "unsqueeze_", "transpose_", "swapaxes_",
              "swapdims_"},
             true)
      .Cases({"detach_", "as_strided_", "requires_grad_", "resize_"}, true)
      .Default(false);
}

//===----------------------------------------------------------------------===//
// Running a decomposition
//===----------------------------------------------------------------------===//

void Normalizer::recordUnsupported(StringRef name, StringRef reason,
                                   Location loc) {
  for (UnsupportedOperator &known : unsupported)
    if (known.name == name && known.reason == reason) {
      ++known.count;
      return;
    }
  unsupported.push_back({name.str(), reason.str(), 1, loc});
}

/// The tensor that a call of unknown meaning writes, by the names of ATen:
/// `out`, or the first one of an in-place call. Null if there is none.
static Value writtenBy(Operation *op) {
  auto call = dyn_cast<capture::CallOp>(op);
  if (!call || call.getNumOperands() == 0)
    return Value();
  Attribute out = call.getArguments().get("out");
  if (auto operand = dyn_cast_or_null<capture::OperandAttr>(out))
    return call.getOperand(operand.getIndex());
  return OpName(call.getCallee()).isInPlace() ? call.getOperand(0) : Value();
}

/// What the break writes is its last operand and, anew, its last result: all of
/// the memory, so that any view of it can be read behind the break.
void Normalizer::breakGraph(Operation *op, StringRef what, StringRef reason) {
  recordUnsupported(what, reason, op->getLoc());
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    if (FailureOr<Value> value = read(operand); succeeded(value))
      operands.push_back(*value);
  SmallVector<Type> types(op->getResultTypes());
  Value written = writtenBy(op);
  Alias *self = written ? memory.lookup(written) : nullptr;
  if (self && !memory.isWritable(*self))
    self = nullptr;
  if (self) {
    operands.push_back(self->storage->current);
    types.push_back(self->storage->current.getType());
  }
  auto binds = op->getAttrOfType<ArrayAttr>("binds");
  auto stop = capture::GraphBreakOp::create(
      builder, op->getLoc(), types, reason, what,
      binds ? binds : builder.getStrArrayAttr({}), operands);
  bindFresh(op->getResults(),
            stop.getResults().take_front(op->getNumResults()));
  if (!self)
    return;
  memory.replace(*self->storage, stop.getResults().back());
  if (op->getNumResults() == 1)
    memory.bind(op->getResult(0), self);
}

LogicalResult Normalizer::giveUp(CallContext &context) {
  capture::CallOp call = context.getCall();
  if (!context.invalidReason().empty())
    return call.emitError()
           << call.getCallee() << ": " << context.invalidReason();
  breakGraph(call, call.getCallee(), context.unsupportedReason());
  return success();
}

LogicalResult Normalizer::checkResult(CallContext &context, size_t i) {
  Value value = context.result(i);
  RankedTensorType expected = context.recordedType(i);
  if (!value)
    return context.emitInvalid("the decomposition gives no result " + Twine(i));
  auto found = cast<RankedTensorType>(value.getType());
  if (found == expected)
    return success();
  bool fits = found.getElementType() == expected.getElementType() &&
              found.getRank() == expected.getRank();
  for (int64_t dim = 0; fits && dim < found.getRank(); ++dim)
    fits = found.isDynamicDim(dim) || expected.isDynamicDim(dim) ||
           found.getDimSize(dim) == expected.getDimSize(dim);
  if (!fits) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "the program records a result of type " << expected
        << ", but the operator gives " << found;
    return context.emitInvalid(text);
  }
  return context.setResult(i,
                           context.b.checkShape(value, sym::shapeOf(expected)));
}

LogicalResult Normalizer::decompose(CallContext &context,
                                    const DecompositionTable::Entry &entry) {
  LogicalResult done = entry.function(context);
  if (mlir::failed(done) || context.failed()) {
    if (!context.failed())
      (void)context.emitUnsupported("the decomposition gave up");
    return failure();
  }
  assertBounds(context.getCall());
  return success();
}

/// Declared bounds of the symbols that a call defines are claims until they
/// are checked.
void Normalizer::assertBounds(capture::CallOp call) {
  MLIRContext *context = call.getContext();
  constexpr int64_t infinite = int64_t(1) << 61;
  for (auto name : call.getBinds().getAsValueRange<StringAttr>()) {
    sym::Expr symbol = sym::symbol(context, name);
    sym::Range range = rangeOf(name);
    auto check = [&](sym::Expr low, sym::Expr high) {
      prim::AssertExprOp::create(
          builder, call.getLoc(), sym::make(sym::ExprKind::Le, {low, high}),
          (call.getCallee() + ": the value is outside of its declared range")
              .str());
    };
    if (range.min && *range.min > -infinite)
      check(sym::constant(context, *range.min), symbol);
    if (range.max && *range.max < infinite)
      check(symbol, sym::constant(context, *range.max));
  }
}

//===----------------------------------------------------------------------===//
// Kinds of calls
//===----------------------------------------------------------------------===//

LogicalResult Normalizer::visitCall(capture::CallOp call) {
  const auto &table = DecompositionTable::get();
  OpName name(call.getCallee());
  const auto *entry = table.lookup(call.getCallee());
  if (name.isInPlace()) {
    const auto *functional = entry ? entry : lookupFunctional(name);
    if (functional)
      return changesMetadata(name.base) ? callRebinding(call, *functional)
                                        : callInPlace(call, *functional);
  }
  if (entry)
    return entry->aliasing == Aliasing::None ? callFresh(call, *entry)
                                             : callView(call, *entry);
  if (call.getArguments().get("out"))
    if (const auto *functional = lookupOutFunctional(name))
      return callOut(call, *functional);
  breakGraph(call, call.getCallee(), "no decomposition is known");
  return success();
}

LogicalResult Normalizer::callFresh(capture::CallOp call,
                                    const DecompositionTable::Entry &entry) {
  CallContext context(*this, call, builder);
  context.castArguments(autocastType(autocast, call));
  if (mlir::failed(decompose(context, entry)))
    return giveUp(context);
  for (size_t i = 0; i < call.getNumResults(); ++i) {
    if (mlir::failed(checkResult(context, i)))
      return giveUp(context);
    memory.bind(call.getResult(i), memory.makeFresh(context.result(i)));
  }
  return success();
}

Alias *Normalizer::viewOrCopy(capture::CallOp call, Alias *base, Value input,
                              Value result, Aliasing aliasing) {
  Alias *view = memory.makeView(base, input, result);
  if (!view)
    return aliasing == Aliasing::View ? memory.makeOpaqueView(base, result)
                                      : memory.makeFresh(result);
  if (aliasing == Aliasing::View)
    return view;
  // reshape, flatten, contiguous: a copy if the strides do not allow a view.
  auto format = dyn_cast_or_null<capture::EnumAttr>(
      call.getArguments().get("memory_format"));
  bool isRowMajor = !format || format.getValue() == "contiguous" ||
                    format.getValue() == "preserve";
  auto strides = stridesOf(*base);
  sym::Shape shape = sym::shapeOf(input), newShape = sym::shapeOf(result);
  bool wantsContiguous = OpName(call.getCallee()).base == "contiguous";
  if (!strides || !isRowMajor)
    view->isAmbiguous = true;
  else if (wantsContiguous ? !isContiguous(shape, *strides)
                           : !isViewable(shape, *strides, newShape))
    return memory.makeFresh(result);
  return view;
}

/// A view reads its input through an op that no folder sees through, so that
/// the steps from input to result can be found.
LogicalResult Normalizer::callView(capture::CallOp call,
                                   const DecompositionTable::Entry &entry) {
  CallContext context(*this, call, builder);
  Value captured = context.capturedTensor("input"); // or self
  if (!captured)
    return callFresh(call, entry);
  FailureOr<Value> value = read(captured);
  if (mlir::failed(value)) {
    breakGraph(call, call.getCallee(),
               "reading a view of memory that was written since");
    return success();
  }
  Alias *base = memory.lookup(captured);
  auto barrier = UnrealizedConversionCastOp::create(builder, call.getLoc(),
                                                    value->getType(), *value);
  Value input = barrier.getResult(0);
  context.replaceOperand(captured, input);
  bool wantsCopy = call.getArguments().get("copy") && context.flag("copy");
  LogicalResult done = decompose(context, entry);
  for (size_t i = 0; succeeded(done) && i < call.getNumResults(); ++i) {
    done = checkResult(context, i);
    if (mlir::failed(done))
      break;
    Alias *alias = wantsCopy ? memory.makeFresh(context.result(i))
                             : viewOrCopy(call, base, input, context.result(i),
                                          entry.aliasing);
    if (alias->value == input)
      alias->value = *value;
    if (alias->storage->current == input)
      alias->storage->current = *value;
    memory.bind(call.getResult(i), alias);
  }
  input.replaceAllUsesWith(*value);
  barrier.erase();
  return mlir::failed(done) ? giveUp(context) : success();
}

LogicalResult Normalizer::unsupportedWrite(capture::CallOp call,
                                           StringRef reason) {
  breakGraph(call, call.getCallee(), reason);
  return success();
}

LogicalResult Normalizer::writeTo(Alias *alias, Value value,
                                  capture::CallOp call) {
  auto type = cast<RankedTensorType>(alias->value.getType());
  prim::PrimBuilder b(builder, call.getLoc());
  value = b.convert(value, type.getElementType());
  if (b.rankOf(value) > type.getRank()) {
    writeFailure = "a result of higher rank than the tensor that is written";
    return failure();
  }
  value = b.broadcast(value, sym::shapeOf(type));
  return memory.write(alias, value, call.getLoc(), writeFailure);
}

LogicalResult Normalizer::callInPlace(capture::CallOp call,
                                      const DecompositionTable::Entry &entry) {
  CallContext context(*this, call, builder);
  Value captured = context.capturedTensor("input"); // or self
  if (!captured)
    return unsupportedWrite(call, "an in-place call without a tensor 'self'");
  Alias *self = memory.lookup(captured);
  context.castArguments(autocastType(autocast, call));
  context.setResultType(cast<RankedTensorType>(captured.getType()));
  if (mlir::failed(decompose(context, entry)))
    return giveUp(context);
  if (!context.result(0)) {
    (void)context.emitInvalid("the decomposition gives no result 0");
    return giveUp(context);
  }
  writeFailure.clear();
  if (mlir::failed(writeTo(self, context.result(0), call)))
    return unsupportedWrite(call, writeFailure);
  if (call.getNumResults() == 1)
    memory.bind(call.getResult(0), self);
  return success();
}

LogicalResult
Normalizer::callRebinding(capture::CallOp call,
                          const DecompositionTable::Entry &entry) {
  CallContext context(*this, call, builder);
  Value captured = context.capturedTensor("input");
  if (!captured || call.getNumResults() != 1)
    return unsupportedWrite(call, "an in-place call without a tensor 'self'");
  DecompositionTable::Entry view = {entry.function, Aliasing::View};
  if (mlir::failed(callView(call, view)))
    return failure();
  Alias *self = memory.lookup(captured),
        *changed = memory.lookup(call.getResult(0));
  memory.rebind(self, *changed);
  memory.bind(call.getResult(0), self);
  return success();
}

LogicalResult Normalizer::callOut(capture::CallOp call,
                                  const DecompositionTable::Entry &entry) {
  CallContext context(*this, call, builder);
  Value captured = context.capturedTensor("out");
  if (!captured)
    return unsupportedWrite(call, "an out argument that is no tensor");
  context.setResultType(cast<RankedTensorType>(captured.getType()));
  if (mlir::failed(decompose(context, entry)))
    return giveUp(context);
  if (!context.result(0) || mlir::failed(checkResult(context, 0)))
    return giveUp(context);
  Alias *out = memory.lookup(captured);
  writeFailure.clear();
  if (mlir::failed(writeTo(out, context.result(0), call)))
    return unsupportedWrite(call, writeFailure);
  if (call.getNumResults() == 1)
    memory.bind(call.getResult(0), out);
  return success();
}

} // namespace adze::normalize
