//===- PickleObjects.cpp - The classes a pickle may name ------------------===//

#include "PickleObjects.h"

#include "Json.h"

#include "adze/Frontend/Error.h"

#include "llvm/ADT/STLExtras.h"

namespace adze::frontend {

static llvm::Error fault(const llvm::Twine &message) {
  return inputFault("", message);
}

namespace {
struct StorageClass {
  llvm::StringLiteral name;
  DType dtype;
};
} // namespace

static constexpr StorageClass storageClasses[] = {
    {"torch FloatStorage", DType::Float32},
    {"torch DoubleStorage", DType::Float64},
    {"torch HalfStorage", DType::Float16},
    {"torch BFloat16Storage", DType::BFloat16},
    {"torch LongStorage", DType::Int64},
    {"torch IntStorage", DType::Int32},
    {"torch ShortStorage", DType::Int16},
    {"torch CharStorage", DType::Int8},
    {"torch ByteStorage", DType::UInt8},
    {"torch BoolStorage", DType::Bool},
    {"torch ComplexFloatStorage", DType::Complex64},
    {"torch ComplexDoubleStorage", DType::Complex128},
};

llvm::Error readStorageId(const PickleValue &id, PickleValue &storage) {
  auto hasKind = [&](size_t index, PickleKind kind) {
    return id.items[index]->kind == kind;
  };
  if (id.kind != PickleKind::Tuple || id.items.size() < 5 ||
      !hasKind(0, PickleKind::String) || id.items[0]->text != "storage" ||
      !hasKind(1, PickleKind::Global) || !hasKind(2, PickleKind::String) ||
      !hasKind(4, PickleKind::Int))
    return fault("expected a persistent id of a storage");
  if (id.items[4]->integer < 0)
    return fault("storage has " + llvm::Twine(id.items[4]->integer) +
                 " elements");
  llvm::StringRef name = id.items[1]->text;
  storage.storageKey = id.items[2]->text;
  storage.storageElements = id.items[4]->integer;
  if (name == "torch.storage UntypedStorage" ||
      name == "torch UntypedStorage") {
    storage.isUntypedStorage = true;
    return llvm::Error::success();
  }
  const auto *known = llvm::find_if(
      storageClasses, [&](const auto &entry) { return entry.name == name; });
  // Other classes matter only to whoever needs such a tensor.
  storage.text = name.str();
  if (known != std::end(storageClasses))
    storage.dtype = known->dtype;
  return llvm::Error::success();
}

static llvm::Error readExtents(const PickleValue &tuple, const char *what,
                               llvm::SmallVectorImpl<int64_t> &extents) {
  constexpr size_t maxRank = 64;
  if (tuple.kind != PickleKind::Tuple && tuple.kind != PickleKind::List)
    return fault(llvm::Twine("expected a tuple of ") + what);
  if (tuple.items.size() > maxRank)
    return fault("tensor has " + llvm::Twine(tuple.items.size()) +
                 " dimensions");
  for (const PickleValue *item : tuple.items) {
    if (item->kind != PickleKind::Int || item->integer < 0)
      return fault(llvm::Twine("expected ") + what +
                   " that are not negative integers");
    extents.push_back(item->integer);
  }
  return llvm::Error::success();
}

/// (storage, offset, size, stride, requires_grad, hooks[, dtype][, metadata]).
static llvm::Error makeTensor(const PickleValue &arguments, bool hasDType,
                              PickleValue &result) {
  size_t numNeeded = hasDType ? 7 : 6;
  const auto &items = arguments.items;
  if (items.size() < numNeeded || items[0]->kind != PickleKind::Storage ||
      items[1]->kind != PickleKind::Int)
    return fault("expected the parts of a tensor");
  const PickleValue &storage = *items[0];
  result.kind = PickleKind::Tensor;
  result.storageKey = storage.storageKey;
  result.storageElements = storage.storageElements;
  result.isUntypedStorage = storage.isUntypedStorage;
  result.text = storage.text;
  result.dtype = storage.dtype;
  result.storageOffset = items[1]->integer;
  result.requiresGrad = items[4]->kind == PickleKind::Bool && items[4]->integer;
  if (hasDType) {
    llvm::StringRef name = items[6]->text;
    result.text = name.str();
    name.consume_front("torch ");
    result.dtype = dtypeFromName(name);
  }
  if (result.storageOffset < 0)
    return fault("tensor has the storage offset " +
                 llvm::Twine(result.storageOffset));
  if (llvm::Error error = readExtents(*items[2], "sizes", result.sizes))
    return error;
  if (llvm::Error error = readExtents(*items[3], "strides", result.strides))
    return error;
  if (result.sizes.size() != result.strides.size())
    return fault("tensor has " + llvm::Twine(result.sizes.size()) +
                 " sizes, but " + llvm::Twine(result.strides.size()) +
                 " strides");
  return llvm::Error::success();
}

static void copyTensor(const PickleValue &tensor, PickleValue &result) {
  result = tensor;
}

static void makeObject(const PickleValue &callee, PickleValue &arguments,
                       PickleValue &result) {
  result.kind = PickleKind::Object;
  result.text = callee.text;
  result.items = {&arguments};
}

/// (tensor, requires_grad, hooks).
static llvm::Error makeParameter(const PickleValue &callee,
                                 PickleValue &arguments, PickleValue &result) {
  if (arguments.items.empty())
    return fault("expected the parts of a parameter");
  const PickleValue &tensor = *arguments.items[0];
  if (tensor.kind != PickleKind::Tensor) {
    // A parameter of a tensor subclass: named after the subclass.
    makeObject(tensor.kind == PickleKind::Object ? tensor : callee, arguments,
               result);
    return llvm::Error::success();
  }
  copyTensor(tensor, result);
  result.isParameter = true;
  result.requiresGrad = arguments.items.size() > 1 &&
                        arguments.items[1]->kind == PickleKind::Bool &&
                        arguments.items[1]->integer;
  return llvm::Error::success();
}

/// (function, type, arguments, state): plain tensors and parameters are what
/// the function makes, subclasses stay opaque under their own name.
static llvm::Error makeFromType(const PickleValue &callee,
                                PickleValue &arguments, PickleValue &result) {
  const auto &items = arguments.items;
  if (items.size() < 3 || items[1]->kind != PickleKind::Global)
    return fault("expected the parts of a tensor with a type");
  llvm::StringRef type = items[1]->text;
  if (type == "torch Tensor" || type == "torch._tensor Tensor" ||
      type == "torch.nn.parameter Parameter")
    return applyConstructor(*items[0], *items[2], false, result);
  makeObject(*items[1], arguments, result);
  return llvm::Error::success();
}

/// _codecs.encode(text, 'latin1'): how protocol 2 spells bytes.
static llvm::Error makeBytes(const PickleValue &arguments,
                             PickleValue &result) {
  if (arguments.items.empty() || arguments.items[0]->kind != PickleKind::String)
    return fault("expected text to encode");
  result.kind = PickleKind::Bytes;
  llvm::StringRef text = arguments.items[0]->text;
  for (size_t i = 0; i < text.size(); ++i) {
    uint8_t lead = text[i];
    // Code points up to 0xff take at most two bytes of UTF-8.
    if (lead >= 0x80 && i + 1 < text.size())
      lead = static_cast<uint8_t>((lead << 6) | (text[++i] & 0x3f));
    result.text += static_cast<char>(lead);
  }
  return llvm::Error::success();
}

/// (bytes of a JSON TensorMeta, is_param): a weight without data.
static llvm::Error makeFakeTensor(const PickleValue &arguments,
                                  PickleValue &result) {
  if (arguments.items.empty())
    return fault("expected the metadata of a fake tensor");
  result.kind = PickleKind::Tensor;
  result.isFake = true;
  return llvm::Error::success();
}

static bool isEmptyContainer(llvm::StringRef callee, PickleValue &result) {
  if (callee == "collections OrderedDict" ||
      callee == "collections defaultdict" || callee == "__builtin__ dict" ||
      callee == "builtins dict")
    result.kind = PickleKind::Dict;
  else if (callee == "collections deque" || callee == "__builtin__ list" ||
           callee == "builtins list")
    result.kind = PickleKind::List;
  else
    return false;
  return true;
}

llvm::Error applyConstructor(const PickleValue &callee, PickleValue &arguments,
                             bool isNewObject, PickleValue &result) {
  if (callee.kind != PickleKind::Global)
    return fault("expected a class or function to call");
  if (arguments.kind != PickleKind::Tuple)
    return fault("expected a tuple of arguments");
  llvm::StringRef name = callee.text;
  if (name == "torch._utils _rebuild_tensor_v2")
    return makeTensor(arguments, /*hasDType=*/false, result);
  if (name == "torch._utils _rebuild_tensor_v3")
    return makeTensor(arguments, /*hasDType=*/true, result);
  if (name == "torch._utils _rebuild_parameter" ||
      name == "torch._utils _rebuild_parameter_with_state")
    return makeParameter(callee, arguments, result);
  if (name == "torch._tensor _rebuild_from_type_v2")
    return makeFromType(callee, arguments, result);
  if (name == "_codecs encode")
    return makeBytes(arguments, result);
  if (name == "torch._export.serde.serialize _reconstruct_fake_tensor")
    return makeFakeTensor(arguments, result);
  if (name == "torch Size" && arguments.items.size() == 1) {
    result.kind = PickleKind::Tuple;
    result.items = arguments.items[0]->items;
    return llvm::Error::success();
  }
  if (isEmptyContainer(name, result))
    return llvm::Error::success();
  makeObject(callee, arguments, result);
  return llvm::Error::success();
}

} // namespace adze::frontend
