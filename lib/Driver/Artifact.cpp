//===- Artifact.cpp - A compiled model, loaded ----------------------------===//

#include "adze/Driver/Artifact.h"

#include "adze/Support/Diagnostics.h"
#include "adze/Support/StatusDiagnostics.h"
#include "adze/Support/StringLiteral.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

namespace adze {

void Artifact::CloseLibrary::operator()(void *library) const {
  dlclose(library);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// "model.py:31" -> file and line
static SourcePlace parsePlace(llvm::StringRef location) {
  auto [file, line] = location.rsplit(':');
  SourcePlace place;
  if (!line.empty() && !line.getAsInteger(10, place.line))
    place.file = file.str();
  else
    place.file = location.str();
  return place;
}

llvm::Error Artifact::makeError(const adze_error &error) const {
  Diagnostic diagnostic;
  diagnostic.id = diagIdOf<DiagId>(error.status);
  diagnostic.message = error.message;
  adze_site_info site;
  if (error.site >= 0 && handle &&
      functions->error_site_info(model(), error.site, &site) == ADZE_OK) {
    diagnostic.place = parsePlace(site.location);
    diagnostic.operatorName = site.op;
  }
  return llvm::make_error<DiagError>(std::move(diagnostic));
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static llvm::Error badArtifact(llvm::StringRef folder,
                               const llvm::Twine &what) {
  return makeError(DiagId::BadArtifact, "'" + folder + "': " + what);
}

llvm::Error Artifact::open(llvm::StringRef folder) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "model.so");
  // A name without a slash would be looked for in the system's folders.
  if (std::error_code code = llvm::sys::fs::make_absolute(path))
    return makeFileError(DiagId::CannotRead, folder, code);
  if (!llvm::sys::fs::exists(folder))
    return makeFileError(
        DiagId::CannotRead, folder,
        std::make_error_code(std::errc::no_such_file_or_directory));
  if (!llvm::sys::fs::exists(path))
    return badArtifact(folder, "it is no artifact: it holds no model.so");
  library.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library)
    return badArtifact(folder,
                       llvm::Twine("cannot load model.so: ") + dlerror());
  auto get =
      reinterpret_cast<adze_get_api_fn>(dlsym(library.get(), "adze_get_api"));
  functions = get ? get(ADZE_API_VERSION) : nullptr;
  if (!functions || functions->size < sizeof(adze_api))
    return badArtifact(folder, "model.so does not offer version " +
                                   llvm::Twine(ADZE_API_VERSION) +
                                   " of the interface");
  return llvm::Error::success();
}

llvm::Error Artifact::loadModel(llvm::StringRef folder,
                                const ArtifactOptions &options) {
  adze_load_options load = {};
  load.size = sizeof load;
  load.threads = options.threads;
  load.verify_weights = options.verifyWeights;
  adze_model *loaded = nullptr;
  adze_error error = {};
  if (functions->model_load(folder.str().c_str(), &load, &loaded, &error))
    return makeError(error);
  handle.emplace(*functions, loaded);
  functions->model_info(loaded, &modelInfo);
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Artifact>>
Artifact::load(llvm::StringRef folder, const ArtifactOptions &options) {
  std::unique_ptr<Artifact> artifact(new Artifact);
  if (llvm::Error failure = artifact->open(folder))
    return std::move(failure);
  if (llvm::Error failure = artifact->loadModel(folder, options))
    return std::move(failure);
  artifact->readSignature();
  return artifact;
}

llvm::Expected<SessionHandle> Artifact::createSession(uint64_t seed) const {
  adze_session_options options = {};
  options.size = sizeof options;
  options.seed = seed;
  adze_session *session = nullptr;
  adze_error error = {};
  if (functions->session_create(model(), &options, &session, &error))
    return makeError(error);
  return SessionHandle(*functions, session);
}

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

static CallKind getKind(int32_t kind) {
  switch (kind) {
  case ADZE_TENSOR:
  case ADZE_MANAGED:
    return CallKind::Tensor;
  case ADZE_INT:
    return CallKind::Int;
  case ADZE_FLOAT:
    return CallKind::Float;
  case ADZE_BOOL:
    return CallKind::Bool;
  case ADZE_STRING:
    return CallKind::String;
  default:
    return CallKind::None;
  }
}

static ValueSpec makeSpec(const adze_value_info &info) {
  ValueSpec spec;
  spec.name = info.name;
  spec.kind = getKind(info.kind);
  spec.isConstant = info.is_constant;
  spec.dtype = dtypeFromPt2(info.dtype).value_or(DType::Float32);
  spec.isMutated = info.mutated;
  return spec;
}

ValueSpec Artifact::readInput(int64_t index) const {
  adze_value_info info = {};
  functions->input_info(model(), index, &info);
  ValueSpec spec = makeSpec(info);
  for (int32_t dim = 0; dim < info.rank; ++dim)
    spec.shape.push_back(functions->input_dim(model(), index, dim));
  return spec;
}

ValueSpec Artifact::readOutput(int64_t index) const {
  adze_value_info info = {};
  functions->output_info(model(), index, &info);
  ValueSpec spec = makeSpec(info);
  for (int32_t dim = 0; dim < info.rank; ++dim)
    spec.shape.push_back(functions->output_dim(model(), index, dim));
  return spec;
}

StateSpec Artifact::readState(int64_t index) const {
  adze_state_info info = {};
  functions->state_info(model(), index, &info);
  StateSpec spec;
  spec.name = info.name;
  spec.dtype = dtypeFromPt2(info.dtype).value_or(DType::Float32);
  spec.shape.assign(info.shape, info.shape + info.rank);
  // The weight that the state starts as knows its other names.
  for (int64_t w = 0; w < modelInfo.weight_count; ++w) {
    adze_weight_info weight = {};
    functions->weight_info(model(), w, &weight);
    llvm::ArrayRef names(weight.names, weight.name_count);
    if (llvm::is_contained(names, llvm::StringRef(spec.name)))
      spec.otherNames.assign(names.begin(), names.end());
  }
  return spec;
}

/// The literal on the right of a guard: "mode == 'attr'", "n == 3".
static CallValue parseConstant(CallKind kind, llvm::StringRef text) {
  int64_t integer;
  double real;
  if (kind == CallKind::String)
    if (std::optional<std::string> string = parseStringLiteral(text))
      return CallValue::ofString(std::move(*string));
  if (kind == CallKind::Bool)
    return CallValue::ofBool(text == "True" || text == "true" || text == "1");
  if (kind == CallKind::Int && !text.getAsInteger(10, integer))
    return CallValue::ofInt(integer);
  if (kind == CallKind::Float && !text.getAsDouble(real))
    return CallValue::ofFloat(real);
  return CallValue();
}

/// Constants of the trace stand only in their guards.
static void readConstant(const adze_guard_info &guard, CallSignature &call) {
  if (guard.input < 0 ||
      guard.input >= static_cast<int64_t>(call.inputs.size()))
    return;
  ValueSpec &spec = call.inputs[guard.input];
  llvm::StringRef value = guard.expression;
  if (spec.isConstant && spec.constant.kind == CallKind::None &&
      value.consume_front(spec.name) && value.consume_front(" == "))
    spec.constant = parseConstant(spec.kind, value);
}

void Artifact::readSignature() {
  for (int64_t i = 0; i < modelInfo.input_count; ++i)
    callSignature.inputs.push_back(readInput(i));
  for (int64_t i = 0; i < modelInfo.output_count; ++i)
    callSignature.outputs.push_back(readOutput(i));
  for (int64_t i = 0; i < modelInfo.state_count; ++i)
    callSignature.states.push_back(readState(i));
  for (int64_t i = 0; i < modelInfo.guard_count; ++i) {
    adze_guard_info guard = {};
    functions->guard_info(model(), i, &guard);
    readConstant(guard, callSignature);
  }
  callSignature.isRandom = modelInfo.is_random;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static DLTensor borrow(HostTensor &tensor, Dims &shape, Dims &strides) {
  const DTypeInfo &info = getInfo(tensor.dtype());
  DLTensor borrowed = {};
  borrowed.data = tensor.data();
  borrowed.device = {kDLCPU, 0};
  borrowed.ndim = static_cast<int32_t>(tensor.rank());
  borrowed.dtype = {info.dlpackCode, info.bits, 1};
  borrowed.shape = shape.data();
  borrowed.strides = strides.data();
  return borrowed;
}

static adze_value makeValue(const CallValue &value, DLTensor *tensor) {
  switch (value.kind) {
  case CallKind::None:
    return adze_none();
  case CallKind::Tensor:
    return adze_tensor(tensor);
  case CallKind::Int:
    return adze_int(value.integer);
  case CallKind::Float:
    return adze_float(value.real);
  case CallKind::Bool:
    return adze_bool(value.integer != 0);
  case CallKind::String:
    return adze_string(value.text.c_str());
  }
  llvm_unreachable("no such kind");
}

BorrowedValues::BorrowedValues(llvm::MutableArrayRef<CallValue> inputs)
    : shapes(inputs.size()), strides(inputs.size()), tensors(inputs.size()) {
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (input.kind == CallKind::Tensor) {
      shapes[i].assign(input.tensor.shape().begin(),
                       input.tensor.shape().end());
      strides[i].assign(input.tensor.strides().begin(),
                        input.tensor.strides().end());
      tensors[i] = borrow(input.tensor, shapes[i], strides[i]);
    }
    values.push_back(makeValue(input, &tensors[i]));
  }
}

void OwnedValues::clear() {
  for (adze_value &value : values) {
    if (value.kind == ADZE_MANAGED && value.as.managed->deleter)
      value.as.managed->deleter(value.as.managed);
    value = adze_none();
  }
}

static llvm::Expected<HostTensor> copyTensor(const DLTensor &from) {
  std::optional<DType> dtype =
      dtypeFromDLPack(from.dtype.code, from.dtype.bits);
  if (!dtype || from.dtype.lanes != 1)
    return makeError(DiagId::InternalError,
                     "the model gave a tensor of an unknown type");
  llvm::ArrayRef<int64_t> shape(from.shape, from.ndim);
  Dims strides = from.strides ? Dims(from.strides, from.strides + from.ndim)
                              : contiguousStrides(shape);
  llvm::Expected<HostTensor> tensor =
      HostTensor::create(*dtype, shape, strides);
  if (!tensor)
    return makeError(DiagId::InternalError, llvm::toString(tensor.takeError()));
  if (tensor->numBytes() > 0)
    std::memcpy(tensor->data(),
                static_cast<const char *>(from.data) + from.byte_offset,
                tensor->numBytes());
  return tensor;
}

static llvm::Expected<CallValue> copyValue(const adze_value &value) {
  switch (value.kind) {
  case ADZE_MANAGED:
  case ADZE_TENSOR: {
    const DLTensor &from = value.kind == ADZE_TENSOR
                               ? *value.as.tensor
                               : value.as.managed->dl_tensor;
    llvm::Expected<HostTensor> tensor = copyTensor(from);
    if (!tensor)
      return tensor.takeError();
    return CallValue::of(std::move(*tensor));
  }
  case ADZE_INT:
    return CallValue::ofInt(value.as.integer);
  case ADZE_BOOL:
    return CallValue::ofBool(value.as.integer != 0);
  case ADZE_FLOAT:
    return CallValue::ofFloat(value.as.real);
  case ADZE_STRING:
    return CallValue::ofString(value.as.string);
  default:
    return CallValue();
  }
}

llvm::Expected<std::vector<CallValue>> OwnedValues::copy() const {
  std::vector<CallValue> copies;
  for (const adze_value &value : values) {
    llvm::Expected<CallValue> copy = copyValue(value);
    if (!copy)
      return copy.takeError();
    copies.push_back(std::move(*copy));
  }
  return copies;
}

bool passesGuards(const Artifact &artifact, llvm::ArrayRef<CallValue> inputs) {
  llvm::Expected<SessionHandle> session = artifact.createSession();
  if (!session) {
    llvm::consumeError(session.takeError());
    return true; // the call will say what is wrong
  }
  std::vector<CallValue> copies;
  for (const CallValue &input : inputs)
    copies.push_back(input.clone());
  BorrowedValues borrowed(copies);
  return artifact.api().check(session->get(), borrowed.data(), borrowed.size(),
                              nullptr, 0, nullptr) == ADZE_OK;
}

static llvm::Expected<std::vector<NamedTensor>>
readStates(const Artifact &artifact, adze_session *session) {
  std::vector<NamedTensor> states;
  for (auto [i, spec] : llvm::enumerate(artifact.signature().states)) {
    llvm::Expected<HostTensor> tensor =
        HostTensor::create(spec.dtype, spec.shape);
    if (!tensor)
      return makeError(DiagId::InternalError,
                       llvm::toString(tensor.takeError()));
    adze_error error = {};
    if (artifact.api().state_read(session, static_cast<int64_t>(i),
                                  tensor->data(), tensor->numBytes(), &error))
      return artifact.makeError(error);
    states.push_back({spec.name, std::move(*tensor)});
  }
  return states;
}

llvm::Expected<CallResult>
ArtifactRunner::callIn(adze_session *session,
                       llvm::ArrayRef<CallValue> inputs) const {
  CallResult result;
  for (const CallValue &input : inputs)
    result.inputsAfter.push_back(input.clone());
  BorrowedValues borrowed(result.inputsAfter);
  OwnedValues outputs(artifact->info().output_count);
  adze_error error = {};
  if (artifact->api().run(session, borrowed.data(), borrowed.size(),
                          outputs.data(), outputs.size(), &error))
    return artifact->makeError(error);
  llvm::Expected<std::vector<CallValue>> copies = outputs.copy();
  if (!copies)
    return copies.takeError();
  result.outputs = std::move(*copies);
  llvm::Expected<std::vector<NamedTensor>> states =
      readStates(*artifact, session);
  if (!states)
    return states.takeError();
  result.states = std::move(*states);
  return result;
}

llvm::Expected<CallResult>
ArtifactRunner::call(llvm::ArrayRef<CallValue> inputs, uint64_t seed) {
  llvm::Expected<SessionHandle> session = artifact->createSession(seed);
  if (!session)
    return session.takeError();
  return callIn(session->get(), inputs);
}

} // namespace adze
