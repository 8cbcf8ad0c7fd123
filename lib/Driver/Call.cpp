//===- Call.cpp - One call of a program, however it is run ----------------===//

#include "adze/Driver/Call.h"

#include "adze/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace adze {

Callable::~Callable() = default;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

CallValue CallValue::of(HostTensor tensor) {
  CallValue value;
  value.kind = CallKind::Tensor;
  value.tensor = std::move(tensor);
  return value;
}

CallValue CallValue::ofInt(int64_t integer) {
  CallValue value;
  value.kind = CallKind::Int;
  value.integer = integer;
  return value;
}

CallValue CallValue::ofFloat(double real) {
  CallValue value;
  value.kind = CallKind::Float;
  value.real = real;
  return value;
}

CallValue CallValue::ofBool(bool boolean) {
  CallValue value;
  value.kind = CallKind::Bool;
  value.integer = boolean;
  return value;
}

CallValue CallValue::ofString(std::string text) {
  CallValue value;
  value.kind = CallKind::String;
  value.text = std::move(text);
  return value;
}

CallValue CallValue::clone() const {
  CallValue copy;
  copy.kind = kind;
  if (kind == CallKind::Tensor)
    copy.tensor = tensor.clone();
  copy.integer = integer;
  copy.real = real;
  copy.text = text;
  return copy;
}

std::optional<HostTensor> CallValue::toTensor() const {
  switch (kind) {
  case CallKind::Tensor:
    return tensor.clone();
  case CallKind::Int:
    return HostTensor::of<int64_t>(DType::Int64, {}, {integer});
  case CallKind::Float:
    return HostTensor::of<double>(DType::Float64, {}, {real});
  case CallKind::Bool:
    return HostTensor::of<int64_t>(DType::Bool, {}, {integer});
  case CallKind::None:
  case CallKind::String:
    return std::nullopt;
  }
  llvm_unreachable("no such kind");
}

static llvm::StringRef getName(CallKind kind) {
  switch (kind) {
  case CallKind::None:
    return "None";
  case CallKind::Tensor:
    return "tensor";
  case CallKind::Int:
    return "int";
  case CallKind::Float:
    return "float";
  case CallKind::Bool:
    return "bool";
  case CallKind::String:
    return "str";
  }
  llvm_unreachable("no such kind");
}

std::string ValueSpec::describe() const {
  std::string text = name + ": ";
  if (kind != CallKind::Tensor)
    return text + getName(kind).str() + (isConstant ? " (constant)" : "");
  text += getName(dtype).str() + "[";
  llvm::ListSeparator separator;
  for (int64_t size : shape)
    text += llvm::StringRef(separator).str() +
            (size < 0 ? "?" : std::to_string(size));
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Inputs and outputs as arrays
//===----------------------------------------------------------------------===//

static CallValue makeScalar(const HostTensor &array) {
  if (array.dtype() == DType::Bool)
    return CallValue::ofBool(array.toInts()[0] != 0);
  if (isInteger(array.dtype()))
    return CallValue::ofInt(array.toInts()[0]);
  return CallValue::ofFloat(array.toDoubles()[0]);
}

/// Whether an npz holds elements of this type as float32.
static bool travelsAsFloat32(DType dtype) {
  return getInfo(dtype).numpyDescr.empty();
}

static llvm::Expected<HostTensor> layOut(HostTensor tensor,
                                         llvm::ArrayRef<int64_t> strides,
                                         const llvm::Twine &name) {
  if (strides.size() != tensor.shape().size())
    return makeError(DiagId::BadCase, "input_strides of " + name + " has " +
                                          llvm::Twine(strides.size()) +
                                          " entries, but the array is " +
                                          tensor.describe());
  llvm::Expected<HostTensor> laidOut = tensor.withStrides(strides);
  if (!laidOut)
    return makeError(DiagId::BadCase, "input_strides of " + name + ": " +
                                          llvm::toString(laidOut.takeError()));
  return laidOut;
}

static llvm::Expected<CallValue> makeInput(const ValueSpec *spec,
                                           const HostTensor &array,
                                           const std::optional<Dims> &strides,
                                           const llvm::Twine &name) {
  bool isScalar = spec && spec->kind != CallKind::Tensor;
  if (isScalar && array.numElements() == 1 && !isComplex(array.dtype()))
    return makeScalar(array);
  bool isConverted = spec && spec->kind == CallKind::Tensor &&
                     travelsAsFloat32(spec->dtype) &&
                     array.dtype() == DType::Float32;
  HostTensor tensor =
      isConverted ? array.cast(spec->dtype) : array.contiguous();
  if (!strides)
    return CallValue::of(std::move(tensor));
  llvm::Expected<HostTensor> laidOut =
      layOut(std::move(tensor), *strides, name);
  if (!laidOut)
    return laidOut.takeError();
  return CallValue::of(std::move(*laidOut));
}

/// Whether input `i` and all after it are constants that need no array.
static bool needNoArrays(const CallSignature &signature, size_t i) {
  return llvm::all_of(llvm::drop_begin(signature.inputs, i),
                      [](const ValueSpec &spec) { return spec.isConstant; });
}

llvm::Expected<std::vector<CallValue>>
makeInputs(const CallSignature &signature, const NpzArrays &arrays,
           llvm::ArrayRef<std::optional<Dims>> strides) {
  size_t given = arrays.countNumbered("in");
  size_t count = std::max(given, signature.inputs.size());
  if (count > signature.inputs.size() + 1000)
    return makeError(
        DiagId::BadInputs,
        "the program takes " + llvm::Twine(signature.inputs.size()) +
            " inputs, but there is an in_" + llvm::Twine(given - 1));
  std::vector<CallValue> inputs;
  for (size_t i = 0; i < count; ++i) {
    std::string name = "in_" + std::to_string(i);
    const ValueSpec *spec =
        i < signature.inputs.size() ? &signature.inputs[i] : nullptr;
    const HostTensor *array = arrays.find(name);
    if (!array) {
      // What is missing at the end makes the call too short.
      if (i >= given && !needNoArrays(signature, i))
        break;
      inputs.push_back(spec ? spec->constant.clone() : CallValue());
      continue;
    }
    llvm::Expected<CallValue> input = makeInput(
        spec, *array, i < strides.size() ? strides[i] : std::nullopt, name);
    if (!input)
      return input.takeError();
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

std::vector<NamedTensor> nameOutputs(llvm::ArrayRef<CallValue> outputs) {
  std::vector<NamedTensor> arrays;
  for (auto [i, output] : llvm::enumerate(outputs))
    if (std::optional<HostTensor> tensor = output.toTensor())
      arrays.push_back({"out_" + std::to_string(i), std::move(*tensor)});
  return arrays;
}

} // namespace adze
