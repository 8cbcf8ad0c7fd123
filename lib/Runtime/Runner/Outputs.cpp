//===- Outputs.cpp - From the outputs of a call to files ------------------===//

#include "lib/Runtime/Runner/Outputs.h"

#include "lib/Runtime/Runner/Files.h"
#include "lib/Runtime/Runner/Npy.h"
#include "lib/Runtime/Runner/Zip.h"

#include <cstdio>
#include <cstring>

using namespace adze::runner;

namespace adze::runner {

/// Files that take their places together, when all of them are written.
class FileSet {
public:
  bool allocate(int64_t count) { return files.allocate(count); }
  AtomicFile &add() { return files[used++]; }
  bool commit(Failure &failure) {
    for (int64_t i = 0; i < used; ++i)
      if (!files[i].commit(failure))
        return false;
    return true;
  }

private:
  Table<AtomicFile> files;
  int64_t used = 0;
};

} // namespace adze::runner

Outputs::~Outputs() {
  for (int64_t i = 0; i < values.size(); ++i)
    if (values[i].kind == ADZE_MANAGED)
      values[i].as.managed->deleter(values[i].as.managed);
}

static bool endsWith(const char *text, const char *end) {
  size_t size = strlen(text), tail = strlen(end);
  return size >= tail && !strcmp(text + size - tail, end);
}

/// Files hold neither None nor strings.
bool Outputs::isArray(int64_t index) const {
  int32_t kind = model.output(index).kind;
  return kind != ADZE_NONE && kind != ADZE_STRING;
}

bool Outputs::prepare(const Options &options) {
  int64_t count = model.info().output_count, arrays = 0;
  if (!values.allocate(count))
    return failForMemory(failure, "the outputs");
  for (int64_t i = 0; i < count; ++i)
    arrays += isArray(i);
  bool isSingle = options.output && endsWith(options.output, ".npy");
  return !isSingle || arrays == 1 ||
         fail(failure, DiagId::BadUsage,
              "expected OUT.npz or a prefix after -o, because there are %lld "
              "outputs, but found '%s'",
              static_cast<long long>(arrays), options.output);
}

//===- Values as arrays -----------------------------------------------------//

static bool copyTensor(const DLTensor &tensor, Array &array) {
  array.type = findByDLPack(tensor.dtype);
  array.rank = tensor.ndim;
  if (!array.type || array.rank > MaxRank)
    return false;
  int64_t strides[MaxRank], step = 1;
  for (int32_t i = array.rank - 1; i >= 0; --i) {
    array.shape[i] = tensor.shape[i];
    strides[i] = tensor.strides ? tensor.strides[i] : step;
    step *= tensor.shape[i];
  }
  if (!allocate(array))
    return false;
  gather(array, static_cast<char *>(tensor.data) + tensor.byte_offset, strides);
  return true;
}

static bool copyScalar(int32_t dtype, const void *value, Array &array) {
  array.type = findByNumber(dtype);
  if (!allocate(array))
    return false;
  memcpy(array.memory.data(), value, array.bytes);
  return true;
}

static bool copyValue(const adze_value &value, Array &array) {
  switch (value.kind) {
  case ADZE_MANAGED:
    return copyTensor(value.as.managed->dl_tensor, array);
  case ADZE_FLOAT:
    return copyScalar(ADZE_FLOAT64, &value.as.real, array);
  case ADZE_BOOL:
    return copyScalar(ADZE_DTYPE_BOOL, &value.as.integer, array);
  default:
    return copyScalar(ADZE_INT64, &value.as.integer, array);
  }
}

bool Outputs::toArray(int64_t index, Array &array) {
  return copyValue(values[index], array) ||
         failForMemory(failure, model.output(index).name);
}

/// `array` itself, or `widened` if a file cannot hold its type.
static const Array *asWritten(const Array &array, Array &widened) {
  if (*array.type->descr)
    return &array;
  return convert(array, ADZE_FLOAT32, widened) ? &widened : nullptr;
}

//===- Files ----------------------------------------------------------------//

static bool writeNpy(AtomicFile &file, const char *path, const Array &array,
                     Failure &failure) {
  Array widened;
  const Array *written = asWritten(array, widened);
  if (!written)
    return failForMemory(failure, path);
  NpyText header = makeNpyHeader(*written);
  return file.open(path, failure) &&
         file.write({header.text, header.size}, failure) &&
         file.write({written->memory.data(), written->bytes}, failure) &&
         file.close(failure);
}

static bool addNpy(ZipWriter &zip, const char *name, const Array &array,
                   Failure &failure) {
  Array widened;
  const Array *written = asWritten(array, widened);
  if (!written)
    return failForMemory(failure, name);
  NpyText header = makeNpyHeader(*written);
  return zip.add(name, {header.text, header.size},
                 {written->memory.data(), written->bytes});
}

bool Outputs::writeSeparate(FileSet &files, const char *prefix) {
  bool isWhole = endsWith(prefix, ".npy");
  for (int64_t i = 0; i < values.size(); ++i) {
    if (!isArray(i))
      continue;
    char path[PATH_MAX + 32];
    snprintf(path, sizeof(path), isWhole ? "%s" : "%s%lld.npy", prefix,
             static_cast<long long>(i));
    Array array;
    if (!toArray(i, array) || !writeNpy(files.add(), path, array, failure))
      return false;
  }
  return true;
}

bool Outputs::writeNpz(FileSet &files, const char *path) {
  AtomicFile &file = files.add();
  ZipWriter zip(file, failure);
  if (!file.open(path, failure))
    return false;
  for (int64_t i = 0; i < values.size(); ++i) {
    if (!isArray(i))
      continue;
    char name[32];
    snprintf(name, sizeof(name), "out_%lld.npy", static_cast<long long>(i));
    Array array;
    if (!toArray(i, array) || !addNpy(zip, name, array, failure))
      return false;
  }
  return zip.finish() && file.close(failure);
}

/// What the call wrote: in_K for inputs, its name for a buffer.
bool Outputs::writeMutated(FileSet &files, const char *path,
                           const Inputs &inputs) {
  AtomicFile &file = files.add();
  ZipWriter zip(file, failure);
  if (!file.open(path, failure))
    return false;
  for (int64_t i = 0; i < inputs.size(); ++i) {
    char name[32];
    snprintf(name, sizeof(name), "in_%lld.npy", static_cast<long long>(i));
    if (model.input(i).mutated && inputs.isTensor(i) &&
        !addNpy(zip, name, inputs.array(i), failure))
      return false;
  }
  for (int64_t i = 0; i < model.info().state_count; ++i) {
    char name[4096];
    snprintf(name, sizeof(name), "%s.npy", model.state(i).name);
    Array array;
    if (!model.readState(i, array, failure) ||
        !addNpy(zip, name, array, failure))
      return false;
  }
  return zip.finish() && file.close(failure);
}

bool Outputs::writeAll(FileSet &files, const Options &options,
                       const Inputs &inputs) {
  char standard[PATH_MAX];
  snprintf(standard, sizeof(standard), "%s.outputs.npz", model.info().name);
  const char *output = options.output ? options.output : standard;
  bool isNpz = endsWith(output, ".npz") || isSpecialFile(output);
  if (isNpz ? !writeNpz(files, output) : !writeSeparate(files, output))
    return false;
  return !options.mutated || writeMutated(files, options.mutated, inputs);
}

bool Outputs::write(const Options &options, const Inputs &inputs) {
  FileSet files;
  if (!files.allocate(values.size() + 2))
    return failForMemory(failure, "the outputs");
  return writeAll(files, options, inputs) && files.commit(failure);
}
