//===- SampleInputs.cpp - The example inputs saved with a program ---------===//
//
// They are optional: whatever cannot be read or does not fit the signature
// means that there are none.
//
//===----------------------------------------------------------------------===//

#include "adze/Frontend/Frontend.h"
#include "adze/Frontend/Pickle.h"

#include "llvm/ADT/STLExtras.h"

namespace adze::frontend {

namespace {

/// Walks the (args, kwargs) of the pickle and the treespec side by side.
class SampleReader {
public:
  explicit SampleReader(const SavedTensors &saved) : saved(saved) {}

  /// False if the value is not nested as the spec says.
  bool read(const PickleValue &value, const Treespec &spec);

  std::vector<SampleInput> samples;

private:
  bool readLeaf(const PickleValue &value);
  bool readTensor(const PickleValue &value, SampleInput &sample);
  bool readDict(const PickleValue &value, const Treespec &spec);

  const SavedTensors &saved;
};

} // namespace

bool SampleReader::readTensor(const PickleValue &value, SampleInput &sample) {
  if (!value.dtype || value.isFake)
    return false;
  llvm::Expected<HostTensor> tensor =
      HostTensor::create(*value.dtype, value.sizes, value.strides);
  llvm::Expected<Bytes> bytes = saved.storage(value);
  bool isRead = static_cast<bool>(tensor) && static_cast<bool>(bytes);
  if (!tensor)
    llvm::consumeError(tensor.takeError());
  if (!bytes)
    llvm::consumeError(bytes.takeError());
  if (!isRead)
    return false;
  uint64_t size = getSize(*value.dtype), needed = tensor->numBytes();
  uint64_t offset = value.storageOffset;
  if (needed > bytes->size() || offset > (bytes->size() - needed) / size)
    return false;
  if (needed)
    memcpy(tensor->data(), bytes->data() + offset * size, needed);
  sample.kind = SampleInput::Kind::Tensor;
  sample.tensor = std::move(*tensor);
  return true;
}

bool SampleReader::readLeaf(const PickleValue &value) {
  SampleInput &sample = samples.emplace_back();
  sample.integer = value.integer;
  sample.real = value.real;
  switch (value.kind) {
  case PickleKind::None:
    return true;
  case PickleKind::Bool:
    sample.kind = SampleInput::Kind::Bool;
    return true;
  case PickleKind::Int:
    sample.kind = SampleInput::Kind::Int;
    return true;
  case PickleKind::Float:
    sample.kind = SampleInput::Kind::Float;
    return true;
  case PickleKind::String:
    sample.kind = SampleInput::Kind::String;
    sample.text = value.text;
    return true;
  case PickleKind::Tensor:
    return readTensor(value, sample);
  default:
    return false;
  }
}

/// Keys may come in another order than in the spec.
bool SampleReader::readDict(const PickleValue &value, const Treespec &spec) {
  for (auto [key, child] : llvm::zip_equal(spec.keys, spec.children)) {
    llvm::StringRef name = key;
    int64_t number = 0;
    bool isText = name.consume_front("'") && name.consume_back("'");
    bool isNumber = !isText && !name.getAsInteger(10, number);
    const PickleValue *found = isText ? value.lookup(name) : nullptr;
    for (size_t i = 0; isNumber && i + 1 < value.items.size(); i += 2)
      if (value.items[i]->kind == PickleKind::Int &&
          value.items[i]->integer == number)
        found = value.items[i + 1];
    if (!found || !read(*found, child))
      return false;
  }
  return true;
}

bool SampleReader::read(const PickleValue &value, const Treespec &spec) {
  if (spec.kind == TreeKind::Leaf)
    return readLeaf(value);
  if (spec.kind == TreeKind::Dict)
    return value.kind == PickleKind::Dict && readDict(value, spec);
  const PickleValue *sequence = &value;
  // Named tuples are called with their fields.
  if (spec.kind == TreeKind::NamedTuple && value.kind == PickleKind::Object &&
      !value.items.empty())
    sequence = value.items.front();
  if ((sequence->kind != PickleKind::Tuple &&
       sequence->kind != PickleKind::List) ||
      sequence->items.size() != spec.children.size())
    return false;
  for (auto [item, child] : llvm::zip_equal(sequence->items, spec.children))
    if (!read(*item, child))
      return false;
  return true;
}

std::vector<SampleInput> loadSampleInputs(const LoadedProgram &loaded) {
  bool isFlat = loaded.archive->layout() == ArchiveLayout::Flat;
  std::string name = isFlat ? "serialized_example_inputs.pt"
                            : "data/sample_inputs/" + loaded.model + ".pt";
  const Record *record = loaded.archive->lookup(name);
  if (!record || record->size == 0)
    return {};
  llvm::Expected<Bytes> bytes =
      loaded.archive->read(*record, /*checkCrc=*/true);
  if (!bytes) {
    llvm::consumeError(bytes.takeError());
    return {};
  }
  llvm::Expected<std::unique_ptr<SavedTensors>> saved =
      SavedTensors::open(*bytes);
  if (!saved) {
    llvm::consumeError(saved.takeError());
    return {};
  }
  SampleReader reader(**saved);
  if (!reader.read(*(*saved)->root(), loaded.program->inSpec))
    return {};
  return std::move(reader.samples);
}

} // namespace adze::frontend
