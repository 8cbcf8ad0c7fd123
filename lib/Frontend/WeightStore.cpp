//===- WeightStore.cpp - The bytes behind the weights ---------------------===//
//
// Two ways to store weights: raw records with a JSON config (torch 2.9 and
// later), and torch.save files of whole dicts (2.8, and the flat layout).
//
//===----------------------------------------------------------------------===//

#include "adze/Frontend/WeightStore.h"

#include "PayloadConfig.h"

#include "adze/Frontend/Error.h"
#include "adze/Frontend/Pickle.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

namespace adze::frontend {

int64_t Weight::numElements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

bool Weight::isContiguous() const {
  int64_t expected = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 0)
      return true;
    if (sizes[i] != 1 && strides[i] != expected)
      return false;
    expected *= sizes[i];
  }
  return true;
}

std::pair<int64_t, int64_t> Weight::byteRange() const {
  int64_t size = static_cast<int64_t>(getSize(dtype)), last = storageOffset;
  if (numElements() == 0)
    return {last * size, last * size};
  for (size_t i = 0; i < sizes.size(); ++i)
    last += (sizes[i] - 1) * strides[i];
  return {storageOffset * size, (last + 1) * size};
}

bool isSameTensor(const Weight &a, const Weight &b) {
  return a.storage == b.storage && a.storageOffset == b.storageOffset &&
         a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides;
}

bool mayOverlap(const Weight &a, const Weight &b) {
  auto [beginA, endA] = a.byteRange();
  auto [beginB, endB] = b.byteRange();
  return a.storage == b.storage &&
         std::max(beginA, beginB) < std::min(endA, endB);
}

const Weight *WeightStore::lookup(llvm::StringRef name) const {
  auto found = byName.find(name);
  return found == byName.end() ? nullptr : &weightList[found->second];
}

/// Copies the innermost dimension by runs where it is dense.
static void gather(const Weight &weight, const uint8_t *source, size_t dim,
                   uint8_t *&target) {
  int64_t size = getSize(weight.dtype);
  if (dim == weight.sizes.size()) {
    memcpy(target, source, size);
    target += size;
    return;
  }
  if (dim + 1 == weight.sizes.size() && weight.strides[dim] == 1) {
    memcpy(target, source, size * weight.sizes[dim]);
    target += size * weight.sizes[dim];
    return;
  }
  for (int64_t i = 0; i < weight.sizes[dim]; ++i)
    gather(weight, source + i * weight.strides[dim] * size, dim + 1, target);
}

Bytes WeightStore::contiguousBytes(const Weight &weight,
                                   std::vector<uint8_t> &scratch) const {
  int64_t size = getSize(weight.dtype);
  int64_t total = weight.numElements() * size;
  if (total == 0)
    return {};
  Bytes storage = storageList[weight.storage].bytes;
  Bytes begin = storage.drop_front(weight.storageOffset * size);
  if (weight.isContiguous())
    return begin.take_front(total);
  scratch.resize(total);
  uint8_t *target = scratch.data();
  gather(weight, begin.data(), 0, target);
  return scratch;
}

std::unique_ptr<WeightStore>
WeightStore::create(std::vector<WeightStorage> storages,
                    std::vector<Weight> weights) {
  auto store = std::make_unique<WeightStore>();
  store->storageList = std::move(storages);
  store->weightList = std::move(weights);
  for (auto [index, weight] : llvm::enumerate(store->weightList))
    store->byName[weight.name] = index;
  return store;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

class WeightBinder {
public:
  WeightBinder(WeightStore &store, const Archive &archive,
               llvm::StringRef model, const ExportedProgram &program,
               const WeightOptions &options)
      : store(store), archive(archive), model(model), program(program),
        options(options) {}

  llvm::Error bind();

private:
  /// A torch.save file of a dict of tensors.
  struct Bundle {
    std::string record;
    std::shared_ptr<SavedTensors> tensors;
    llvm::StringMap<const PickleValue *> byName;

    std::string storageId(const PickleValue &tensor) const {
      return record + ":" + tensor.storageKey;
    }
  };
  /// An entry of a config, and the folder its record lies in.
  struct Payload {
    PayloadEntry entry;
    llvm::StringRef folder;

    std::string record() const { return (folder + entry.recordName).str(); }
  };

  llvm::Error loadSources();
  llvm::Error loadConfig(llvm::StringRef folder, llvm::StringRef suffix,
                         llvm::StringRef otherSuffix);
  llvm::Error loadBundle(llvm::StringRef record);
  llvm::Error bindSpec(const InputSpec &spec);
  llvm::Error bindPayload(const Payload &payload);
  llvm::Error bindBundled(llvm::StringRef name, const Bundle &bundle,
                          const PickleValue &tensor);
  llvm::Error rejectPickle(const Payload &payload) const;
  /// Many weights may share a storage, which is read and checked once.
  template <typename Read>
  llvm::Expected<Bytes> readOnce(llvm::StringRef storageId, Read read) {
    if (auto found = storageBytes.find(storageId); found != storageBytes.end())
      return found->second;
    llvm::Expected<Bytes> bytes = read();
    if (bytes)
      storageBytes[storageId] = *bytes;
    return bytes;
  }
  llvm::Error add(Weight weight, llvm::StringRef record, Bytes bytes,
                  llvm::StringRef storageId);
  void addOtherNames();
  void addOtherName(Weight weight, llvm::StringRef storageId);
  llvm::Error checkAgainstGraph(const InputSpec &spec,
                                const Weight &weight) const;
  bool isUsed(llvm::StringRef value);

  WeightStore &store;
  const Archive &archive;
  llvm::StringRef model;
  const ExportedProgram &program;
  const WeightOptions &options;
  ExportedProgram texts; // owns the text of the configs
  llvm::StringMap<Payload> payloads;
  std::vector<Bundle> bundles;
  llvm::StringMap<unsigned> storageIds;
  llvm::StringMap<Bytes> storageBytes;
  llvm::StringSet<> used; // by nodes and outputs; filled when it is asked for
};

llvm::Error WeightBinder::loadConfig(llvm::StringRef folder,
                                     llvm::StringRef suffix,
                                     llvm::StringRef otherSuffix) {
  std::string name = (folder + model + suffix).str();
  if (!archive.lookup(name))
    name = (folder + model + otherSuffix).str();
  if (!archive.lookup(name))
    return llvm::Error::success();
  llvm::Expected<Bytes> json = archive.read(name, /*checkCrc=*/true);
  if (!json)
    return json.takeError();
  llvm::Expected<std::vector<PayloadEntry>> entries =
      parsePayloadConfig(asText(*json), texts);
  if (!entries)
    return inFile(entries.takeError(), "", name);
  for (PayloadEntry &entry : *entries) {
    llvm::StringRef key = entry.name;
    payloads.try_emplace(key, Payload{std::move(entry), folder});
  }
  return llvm::Error::success();
}

llvm::Error WeightBinder::loadBundle(llvm::StringRef name) {
  const Record *record = archive.lookup(name);
  if (!record || record->size == 0)
    return llvm::Error::success();
  llvm::Expected<Bytes> bytes = archive.read(*record, options.checkCrc);
  if (!bytes)
    return bytes.takeError();
  llvm::Expected<std::unique_ptr<SavedTensors>> tensors =
      SavedTensors::open(*bytes);
  if (!tensors) {
    // The record that counts is the one of this archive.
    std::string why = llvm::toString(tensors.takeError());
    return inputFault(name, why);
  }
  if ((*tensors)->root()->kind != PickleKind::Dict)
    return inputFault(name, "expected a dict of tensors");
  Bundle &bundle = bundles.emplace_back();
  bundle.record = name.str();
  bundle.tensors = std::move(*tensors);
  llvm::ArrayRef<PickleValue *> members = bundle.tensors->root()->items;
  for (size_t i = 0; i + 1 < members.size(); i += 2)
    if (members[i]->kind == PickleKind::String)
      bundle.byName[members[i]->text] = members[i + 1];
  store.bundles.push_back(bundle.tensors);
  return llvm::Error::success();
}

llvm::Error WeightBinder::loadSources() {
  if (archive.layout() == ArchiveLayout::Flat) {
    for (llvm::StringRef name :
         {"serialized_state_dict.pt", "serialized_constants.pt"})
      if (llvm::Error error = loadBundle(name))
        return error;
    return llvm::Error::success();
  }
  if (llvm::Error error = loadConfig("data/weights/", "_weights_config.json",
                                     "_model_param_config.json"))
    return error;
  if (llvm::Error error =
          loadConfig("data/constants/", "_constants_config.json",
                     "_model_constants_config.json"))
    return error;
  for (llvm::StringRef folder : {"data/weights/", "data/constants/"})
    if (llvm::Error error = loadBundle((folder + model + ".pt").str()))
      return error;
  return llvm::Error::success();
}

static void collectUses(const Argument &argument, llvm::StringSet<> &used) {
  if (argument.isValue())
    used.insert(argument.text);
  for (const Argument &item : argument.items)
    collectUses(item, used);
}

bool WeightBinder::isUsed(llvm::StringRef value) {
  if (used.empty()) {
    for (const Node &node : program.graph.nodes)
      for (const NamedArgument &input : node.inputs)
        collectUses(input.value, used);
    for (const Argument &output : program.graph.outputs)
      collectUses(output, used);
  }
  return used.contains(value);
}

/// One past the last element that the view reaches; none on overflow.
static std::optional<int64_t> reach(const Weight &weight) {
  int64_t last = weight.storageOffset;
  for (auto [size, stride] : llvm::zip(weight.sizes, weight.strides)) {
    if (size == 0)
      return 0;
    int64_t step = 0;
    if (llvm::MulOverflow(size - 1, stride, step) ||
        llvm::AddOverflow(last, step, last))
      return std::nullopt;
  }
  if (llvm::AddOverflow(last, int64_t(1), last))
    return std::nullopt;
  return last;
}

static bool hasElements(const Weight &weight) {
  return !llvm::is_contained(weight.sizes, 0);
}

/// The element count in bytes must fit, also where strides are zero.
static bool overflows(const Weight &weight) {
  int64_t total = getSize(weight.dtype);
  if (!hasElements(weight))
    return false;
  return llvm::any_of(weight.sizes, [&](int64_t size) {
    return llvm::MulOverflow(total, size, total);
  });
}

llvm::Error WeightBinder::add(Weight weight, llvm::StringRef record,
                              Bytes bytes, llvm::StringRef storageId) {
  std::string what = "weight '" + weight.name + "'";
  if (bytes.empty() && hasElements(weight))
    return inputFault(record, what + " has no data: the program was exported "
                                     "with fake tensors");
  std::optional<int64_t> end = reach(weight);
  int64_t available = bytes.size() / getSize(weight.dtype);
  if (!end || overflows(weight))
    return inputFault(record, what + " has sizes and strides that overflow");
  if (*end > available)
    return inputFault(record,
                      what + " needs " + llvm::Twine(*end) + " elements of " +
                          getName(weight.dtype) + ", but its record of " +
                          llvm::Twine(bytes.size()) + " bytes holds only " +
                          llvm::Twine(available));
  // All empty tensors share one record, and nothing is shared by that.
  auto [slot, isNew] =
      storageIds.try_emplace(storageId, store.storageList.size());
  if (isNew || bytes.empty()) {
    slot->second = store.storageList.size();
    store.storageList.push_back({record.str(), bytes});
  }
  weight.storage = slot->second;
  store.byName[weight.name] = store.weightList.size();
  store.weightList.push_back(std::move(weight));
  return llvm::Error::success();
}

/// Tensor subclasses cannot be read; the pickle tells their name.
llvm::Error WeightBinder::rejectPickle(const Payload &payload) const {
  std::string name = payload.record();
  llvm::StringRef what = payload.entry.name;
  std::string className = "unknown";
  llvm::Expected<Bytes> bytes = archive.read(name, options.checkCrc);
  if (!bytes)
    return bytes.takeError();
  llvm::Expected<std::unique_ptr<SavedTensors>> saved =
      SavedTensors::open(*bytes);
  if (!saved)
    return inputFault(name, llvm::toString(saved.takeError()));
  if ((*saved)->root()->kind == PickleKind::Object)
    className = (*saved)->root()->text;
  std::replace(className.begin(), className.end(), ' ', '.');
  return inputFault(name, "weight '" + what + "' is an object of the class '" +
                              className + "', which is not supported");
}

static bool readExtents(llvm::ArrayRef<SymScalar> extents,
                        llvm::SmallVectorImpl<int64_t> &values) {
  for (const SymScalar &extent : extents) {
    if (!extent.isLiteral())
      return false;
    values.push_back(extent.integer);
  }
  return true;
}

/// All but the storage.
static llvm::Expected<Weight> describe(const PayloadEntry &entry,
                                       llvm::StringRef name) {
  if (!entry.hasMeta)
    return inputFault(name, "'" + entry.name +
                                "' is a custom object, which is not supported");
  Weight weight;
  weight.name = entry.name.str();
  weight.dtype = entry.meta.dtype;
  weight.isParameter = entry.isParameter;
  weight.requiresGrad = entry.meta.requiresGrad;
  weight.storageOffset = entry.meta.storageOffset.integer;
  if (entry.meta.layout != Layout::Strided)
    return inputFault(name, "weight '" + entry.name +
                                "' is a sparse tensor, which is not supported");
  if (!readExtents(entry.meta.sizes, weight.sizes) ||
      !readExtents(entry.meta.strides, weight.strides) ||
      !entry.meta.storageOffset.isLiteral() || weight.storageOffset < 0)
    return inputFault(name, "weight '" + entry.name +
                                "' has sizes that are no plain integers");
  return weight;
}

llvm::Error WeightBinder::bindPayload(const Payload &payload) {
  if (payload.entry.usesPickle)
    return rejectPickle(payload);
  std::string name = payload.record();
  llvm::Expected<Weight> weight = describe(payload.entry, name);
  if (!weight)
    return weight.takeError();
  llvm::Expected<Bytes> bytes =
      readOnce(name, [&] { return archive.read(name, options.checkCrc); });
  if (!bytes)
    return bytes.takeError();
  return add(std::move(*weight), name, *bytes, name);
}

/// All but the storage; the tensor has a type that is supported.
static Weight describe(const PickleValue &tensor, llvm::StringRef name) {
  Weight weight;
  weight.name = name.str();
  weight.dtype = *tensor.dtype;
  weight.sizes = tensor.sizes;
  weight.strides = tensor.strides;
  weight.storageOffset = tensor.storageOffset;
  weight.isParameter = tensor.isParameter;
  weight.requiresGrad = tensor.requiresGrad;
  return weight;
}

llvm::Error WeightBinder::bindBundled(llvm::StringRef name,
                                      const Bundle &bundle,
                                      const PickleValue &tensor) {
  if (tensor.kind == PickleKind::Object)
    return inputFault(bundle.record,
                      "weight '" + name + "' is an object of the class '" +
                          tensor.text + "', which is not supported");
  if (tensor.kind != PickleKind::Tensor)
    return inputFault(bundle.record, "'" + name + "' is no tensor");
  if (tensor.isFake)
    return inputFault(bundle.record, "weight '" + name +
                                         "' has no data: the program was "
                                         "exported with fake tensors");
  if (!tensor.dtype)
    return inputFault(bundle.record, "weight '" + name + "' is of type '" +
                                         tensor.text +
                                         "', which is not supported");
  std::string storageId = bundle.storageId(tensor);
  llvm::Expected<Bytes> bytes =
      readOnce(storageId, [&] { return bundle.tensors->storage(tensor); });
  if (!bytes)
    return inputFault(bundle.record, llvm::toString(bytes.takeError()));
  return add(describe(tensor, name), bundle.record, *bytes, storageId);
}

/// The graph's own description of the input must agree with the data.
llvm::Error WeightBinder::checkAgainstGraph(const InputSpec &spec,
                                            const Weight &weight) const {
  const ValueMeta *meta = program.graph.lookup(spec.arg.text);
  llvm::SmallVector<int64_t> sizes;
  if (!meta || meta->kind != ValueKind::Tensor ||
      !readExtents(meta->tensor.sizes, sizes))
    return llvm::Error::success();
  if (meta->tensor.dtype == weight.dtype && sizes == weight.sizes)
    return llvm::Error::success();
  auto describe = [](DType dtype, llvm::ArrayRef<int64_t> sizes) {
    std::string text = getName(dtype).str() + "[";
    for (auto [index, size] : llvm::enumerate(sizes))
      text += (index ? ", " : "") + std::to_string(size);
    return text + "]";
  };
  return inputFault(store.storageList[weight.storage].record,
                    "weight '" + weight.name + "' is " +
                        describe(weight.dtype, weight.sizes) +
                        ", but the graph expects " +
                        describe(meta->tensor.dtype, sizes));
}

llvm::Error WeightBinder::bindSpec(const InputSpec &spec) {
  // torch up to 2.8 gives tied parameters one name and an input each.
  if (const Weight *known = store.lookup(spec.target))
    return checkAgainstGraph(spec, *known);
  if (auto found = payloads.find(spec.target); found != payloads.end()) {
    if (llvm::Error error = bindPayload(found->second))
      return error;
    return checkAgainstGraph(spec, store.weightList.back());
  }
  for (const Bundle &bundle : bundles) {
    const PickleValue *tensor = bundle.byName.lookup(spec.target);
    if (!tensor)
      continue;
    if (llvm::Error error = bindBundled(spec.target, bundle, *tensor))
      return error;
    return checkAgainstGraph(spec, store.weightList.back());
  }
  if (!isUsed(spec.arg.text))
    return llvm::Error::success();
  return inputFault("", "weight '" + spec.target +
                            "' is missing: no record of the file holds it");
}

void WeightBinder::addOtherName(Weight weight, llvm::StringRef storageId) {
  auto storage = storageIds.find(storageId);
  if (storage == storageIds.end() || !hasElements(weight) ||
      store.lookup(weight.name))
    return;
  weight.storage = storage->second;
  auto same = llvm::find_if(store.weightList, [&](const Weight &own) {
    return isSameTensor(own, weight);
  });
  if (same != store.weightList.end())
    same->otherNames.push_back(std::move(weight.name));
}

/// A strict export gives tied weights one name in the signature. What the
/// program does not use need not be readable.
void WeightBinder::addOtherNames() {
  for (const auto &[name, payload] : payloads) {
    llvm::Expected<Weight> weight = describe(payload.entry, payload.record());
    if (weight)
      addOtherName(std::move(*weight), payload.record());
    else
      llvm::consumeError(weight.takeError());
  }
  for (const Bundle &bundle : bundles)
    for (const auto &[name, tensor] : bundle.byName)
      if (tensor->kind == PickleKind::Tensor && tensor->dtype)
        addOtherName(describe(*tensor, name), bundle.storageId(*tensor));
  for (Weight &weight : store.weightList) // in no order of hashes
    llvm::sort(weight.otherNames);
}

llvm::Error WeightBinder::bind() {
  if (llvm::Error error = loadSources())
    return error;
  for (const InputSpec &spec : program.inputSpecs) {
    if (spec.kind != InputKind::Parameter && spec.kind != InputKind::Buffer &&
        spec.kind != InputKind::TensorConstant)
      continue;
    if (llvm::Error error = bindSpec(spec))
      return error;
  }
  addOtherNames();
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<WeightStore>>
WeightStore::load(std::shared_ptr<const Archive> archive, llvm::StringRef model,
                  const ExportedProgram &program,
                  const WeightOptions &options) {
  auto store = std::make_unique<WeightStore>();
  store->archive = archive;
  if (llvm::Error error =
          WeightBinder(*store, *archive, model, program, options).bind())
    return archive->tag(std::move(error));
  return store;
}

} // namespace adze::frontend
