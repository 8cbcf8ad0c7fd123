//===- Interpreted.cpp - A program run by the reference interpreter -------===//

#include "Interpreted.h"

#include "adze/Interp/ProgramRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace adze {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static interp::ProgramValue toProgram(const CallValue &value) {
  switch (value.kind) {
  case CallKind::None:
    return std::monostate();
  case CallKind::Tensor:
    return value.tensor.clone();
  case CallKind::Int:
    return value.integer;
  case CallKind::Float:
    return value.real;
  case CallKind::Bool:
    return value.integer != 0;
  case CallKind::String:
    return value.text;
  }
  llvm_unreachable("no such kind");
}

static CallValue fromProgram(interp::ProgramValue value) {
  struct Convert {
    CallValue operator()(std::monostate) { return {}; }
    CallValue operator()(HostTensor &tensor) {
      return CallValue::of(std::move(tensor));
    }
    CallValue operator()(int64_t integer) { return CallValue::ofInt(integer); }
    CallValue operator()(double real) { return CallValue::ofFloat(real); }
    CallValue operator()(bool boolean) { return CallValue::ofBool(boolean); }
    CallValue operator()(std::string &text) {
      return CallValue::ofString(std::move(text));
    }
  };
  return std::visit(Convert(), value);
}

/// "model.py:12:8" -> file, line, column
static SourcePlace parsePlace(llvm::StringRef source) {
  SourcePlace place;
  auto [rest, column] = source.rsplit(':');
  auto [file, line] = rest.rsplit(':');
  bool isParsed = !line.empty() && !line.getAsInteger(10, place.line) &&
                  !column.getAsInteger(10, place.column);
  place.file = isParsed ? file.str() : source.str();
  return place;
}

/// An error of the call depends on its data; what the interpreter does not do
/// is our limit, not the caller's fault.
static llvm::Error translate(llvm::Error error) {
  return llvm::handleErrors(
      std::move(error), [](const interp::CallError &e) -> llvm::Error {
        Diagnostic diagnostic;
        diagnostic.id = e.kind == interp::CallError::Data
                            ? DiagId::CallFailed
                            : DiagId::UnsupportedFeature;
        diagnostic.message = e.op.empty() ? e.message : e.op + ": " + e.message;
        diagnostic.operatorName = e.op;
        diagnostic.place = parsePlace(e.source);
        return llvm::make_error<DiagError>(std::move(diagnostic));
      });
}

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

static CallKind kindOf(DictionaryAttr entry) {
  auto kind = entry.getAs<StringAttr>("kind");
  return llvm::StringSwitch<CallKind>(kind ? kind.getValue() : "")
      .Case("tensor", CallKind::Tensor)
      .Cases({"symint", "int"}, CallKind::Int)
      .Cases({"symfloat", "float"}, CallKind::Float)
      .Cases({"symbool", "bool"}, CallKind::Bool)
      .Case("string", CallKind::String)
      .Default(CallKind::None);
}

static void setTensorType(ValueSpec &spec, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return;
  spec.dtype =
      interp::dtypeOf(tensor.getElementType()).value_or(DType::Float32);
  for (int64_t size : tensor.getShape())
    spec.shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
}

static CallValue readConstant(Attribute value) {
  if (auto boolean = dyn_cast_or_null<BoolAttr>(value))
    return CallValue::ofBool(boolean.getValue());
  if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
    return CallValue::ofInt(integer.getInt());
  if (auto real = dyn_cast_or_null<FloatAttr>(value))
    return CallValue::ofFloat(real.getValueAsDouble());
  if (auto text = dyn_cast_or_null<StringAttr>(value))
    return CallValue::ofString(text.str());
  return {};
}

/// One leaf of adze.inputs or adze.outputs; `position` is the key of the number
/// of its argument or result among `types`.
static ValueSpec readSpec(Attribute attribute, llvm::StringRef position,
                          TypeRange types) {
  auto entry = cast<DictionaryAttr>(attribute);
  ValueSpec spec;
  spec.kind = kindOf(entry);
  if (auto path = entry.getAs<StringAttr>("path"))
    spec.name = path.str();
  if (Attribute value = entry.get("value")) {
    spec.isConstant = true;
    spec.constant = readConstant(value);
  } else if (spec.kind == CallKind::None) {
    spec.isConstant = true;
  }
  auto index = entry.getAs<IntegerAttr>(position);
  if (spec.kind == CallKind::Tensor && index &&
      index.getValue().ult(types.size()))
    setTensorType(spec, types[index.getInt()]);
  return spec;
}

static CallSignature readSignature(func::FuncOp function) {
  CallSignature signature;
  if (auto inputs = function->getAttrOfType<ArrayAttr>("adze.inputs"))
    for (Attribute input : inputs)
      signature.inputs.push_back(
          readSpec(input, "argument", function.getArgumentTypes()));
  if (auto outputs = function->getAttrOfType<ArrayAttr>("adze.outputs"))
    for (Attribute output : outputs)
      signature.outputs.push_back(
          readSpec(output, "result", function.getResultTypes()));
  return signature;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {

class Interpreted : public Callable {
public:
  Interpreted(std::unique_ptr<Compilation> compilation, func::FuncOp function,
              bool inFloat64)
      : compilation(std::move(compilation)), function(function),
        spec(readSignature(function)) {
    options.interpret.float64 = inFloat64;
    addStates();
  }

  const CallSignature &signature() const override { return spec; }

  llvm::Expected<CallResult> call(llvm::ArrayRef<CallValue> inputs,
                                  uint64_t seed) override {
    std::vector<interp::ProgramValue> values;
    for (const CallValue &input : inputs)
      values.push_back(toProgram(input));
    options.seed = static_cast<int64_t>(seed);
    llvm::Expected<interp::ProgramResult> result = interp::runProgram(
        function, values,
        [&](const capture::DescriptorAttr &descriptor) {
          return findWeight(descriptor.getName().getValue());
        },
        options);
    if (!result)
      return translate(result.takeError());
    return convert(inputs, std::move(*result));
  }

private:
  llvm::Expected<interp::Tensor> findWeight(llvm::StringRef name) {
    if (!compilation->hasProgram())
      return makeError(DiagId::BadInputs, "the weight '" + name +
                                              "' is not there: the IR was "
                                              "read without its program");
    const frontend::WeightStore &store = *compilation->getProgram().weights;
    const frontend::Weight *weight = store.lookup(name);
    if (!weight)
      return makeError(DiagId::BadProgram,
                       "the program has no weight '" + name + "'");
    llvm::Expected<HostTensor> tensor =
        HostTensor::create(weight->dtype, weight->sizes);
    if (!tensor)
      return tensor.takeError();
    std::vector<uint8_t> scratch;
    frontend::Bytes bytes = store.contiguousBytes(*weight, scratch);
    if (!bytes.empty())
      std::memcpy(tensor->data(), bytes.data(), bytes.size());
    return interp::Tensor::fromHost(*tensor, &compilation->getContext());
  }

  /// A buffer or parameter that the program writes is a state; another name of
  /// the same storage is another name of the state.
  void addStates() {
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      auto descriptor = function.getResultAttrOfType<capture::DescriptorAttr>(
          i, capture::descriptorName);
      if (!descriptor ||
          (descriptor.getRole() != capture::Role::buffer_mutation &&
           descriptor.getRole() != capture::Role::parameter_mutation))
        continue;
      StateSpec &state = spec.states.emplace_back();
      state.name = descriptor.getName().str();
      addOtherNames(state);
    }
  }

  void addOtherNames(StateSpec &state) {
    if (!compilation->hasProgram())
      return;
    const frontend::WeightStore &store = *compilation->getProgram().weights;
    if (const frontend::Weight *own = store.lookup(state.name))
      state.otherNames = own->otherNames;
  }

  llvm::Expected<CallResult> convert(llvm::ArrayRef<CallValue> inputs,
                                     interp::ProgramResult result) {
    CallResult converted;
    for (interp::ProgramValue &output : result.outputs)
      converted.outputs.push_back(fromProgram(std::move(output)));
    for (const CallValue &input : inputs)
      converted.inputsAfter.push_back(input.clone());
    for (interp::Mutation &mutation : result.mutations) {
      if (mutation.role != capture::Role::input_mutation)
        converted.states.push_back({mutation.name, std::move(mutation.value)});
      else if (static_cast<size_t>(mutation.index) < inputs.size())
        converted.inputsAfter[mutation.index] =
            CallValue::of(std::move(mutation.value));
    }
    return converted;
  }

  std::unique_ptr<Compilation> compilation;
  func::FuncOp function;
  CallSignature spec;
  interp::ProgramRunOptions options;
};

} // namespace

std::unique_ptr<Callable>
makeInterpreted(std::unique_ptr<Compilation> compilation, bool inFloat64) {
  auto functions = compilation->getModule().getOps<func::FuncOp>();
  if (functions.empty()) {
    compilation->getEngine().error(DiagId::InternalError,
                                   "the module has no function to interpret");
    return nullptr;
  }
  func::FuncOp function = *functions.begin();
  return std::make_unique<Interpreted>(std::move(compilation), function,
                                       inFloat64);
}

} // namespace adze
