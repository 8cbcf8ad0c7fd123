//===- Inputs.cpp - From files to the inputs of a call --------------------===//

#include "lib/Runtime/Runner/Inputs.h"

#include "lib/Runtime/Runner/Files.h"
#include "lib/Runtime/Runner/Npy.h"
#include "lib/Runtime/Runner/Zip.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace adze::runner;

bool Inputs::read(const Options &options) {
  count = model.info().input_count;
  if (!inputs.allocate(count))
    return failForMemory(failure, "the inputs");
  fromNpz = options.inputs;
  if (fromNpz && options.fileCount)
    return fail(failure, DiagId::BadUsage,
                "expected .npy files or --inputs, but found both");
  if (fromNpz ? !readNpz(options.inputs)
              : !readFiles(options.files, options.fileCount))
    return false;
  if (!values.allocate(count))
    return failForMemory(failure, "the inputs");
  for (int64_t i = 0; i < count; ++i)
    if (!makeValue(i))
      return false;
  return true;
}

void Inputs::noteSource(int64_t index) {
  if (index < 0 || index >= inputs.size() || !inputs[index].isGiven)
    return;
  char entry[32] = "";
  if (fromNpz)
    snprintf(entry, sizeof(entry), ":in_%lld", static_cast<long long>(index));
  addNote(failure, "'%s' was read from '%s%s'", model.input(index).name,
          inputs[index].file, entry);
}

//===- Files ----------------------------------------------------------------//

bool Inputs::readFiles(const char *const *files, int64_t fileCount) {
  int64_t wanted = 0;
  for (int64_t i = 0; i < count; ++i)
    wanted += !model.input(i).is_constant;
  if (fileCount != wanted)
    return fail(failure, DiagId::BadUsage,
                "expected %lld input files, but found %lld; --help shows the "
                "inputs",
                static_cast<long long>(wanted),
                static_cast<long long>(fileCount));
  for (int64_t i = 0; i < count; ++i) {
    if (model.input(i).is_constant)
      continue;
    const char *path = *files++;
    InputFile file;
    if (!file.read(path, failure))
      return false;
    Bytes bytes = file.bytes();
    if (bytes.size >= 4 && !memcmp(bytes.data, "PK\3\4", 4))
      return fail(failure, DiagId::BadUsage,
                  "expected a .npy file, but found an npz: give '%s' with "
                  "--inputs",
                  path);
    if (!decodeNpy(bytes, path, inputs[i].array, failure))
      return false;
    inputs[i].isGiven = true;
    inputs[i].file = path;
  }
  return true;
}

bool Inputs::readNpz(const char *path) {
  InputFile file;
  return file.read(path, failure) && readEntries(file.bytes(), path);
}

/// The K of "in_K.npy"; -1 if the name is another one.
static int64_t numberOf(Bytes name) {
  if (name.size <= 7 || memcmp(name.data, "in_", 3))
    return -1;
  int64_t number = 0;
  for (const char *p = name.data + 3; p != name.data + name.size - 4; ++p)
    if (*p < '0' || *p > '9' || number > INT32_MAX)
      return -1;
    else
      number = number * 10 + (*p - '0');
  return number;
}

/// Too many or too few inputs are for the guards; constants may be missing.
bool Inputs::setCount(int64_t given, const char *path) {
  bool isShort = false;
  for (int64_t i = given; i < count; ++i)
    isShort |= !model.input(i).is_constant;
  if (given > inputs.size() + 1000)
    return fail(failure, DiagId::BadInputs,
                "'%s': expected %lld inputs, but found in_%lld", path,
                static_cast<long long>(inputs.size()),
                static_cast<long long>(given - 1));
  if (given > count || isShort)
    count = given;
  return true;
}

bool Inputs::readEntries(Bytes archive, const char *path) {
  ZipReader zip(archive, path, failure);
  if (!zip.open())
    return false;
  int64_t given = 0;
  while (!zip.isAtEnd()) {
    ZipEntry entry;
    if (!zip.next(entry))
      return false;
    char shownAs[1024];
    snprintf(shownAs, sizeof(shownAs), "%s:%.*s", path,
             static_cast<int>(entry.name.size), entry.name.data);
    Bytes name = entry.name, content;
    if (name.size < 4 || memcmp(name.data + name.size - 4, ".npy", 4))
      return fail(failure, DiagId::BadArrays, "'%s': it is no .npy file",
                  shownAs);
    int64_t number = numberOf(name);
    if (number >= given)
      given = number + 1;
    if (number < 0 || number >= inputs.size())
      continue;
    Input &input = inputs[number];
    if (input.isGiven)
      return fail(failure, DiagId::BadArrays,
                  "'%s': there are two of that name", shownAs);
    input.isGiven = true;
    input.file = path;
    if (!zip.read(entry, content) ||
        !decodeNpy(content, shownAs, input.array, failure))
      return false;
  }
  return setCount(given, path);
}

//===- Values ---------------------------------------------------------------//

bool Inputs::makeValue(int64_t index) {
  values[index] = adze_none();
  if (index >= inputs.size())
    return true;
  adze_value_info info = model.input(index);
  const Array &array = inputs[index].array;
  if (!inputs[index].isGiven) {
    makeConstant(index);
    return true;
  }
  if (info.kind != ADZE_TENSOR && elementCount(array) == 1 &&
      !array.type->isComplex())
    return makeScalar(index);
  return makeTensor(index,
                    info.kind == ADZE_TENSOR ? info.dtype : array.type->dtype);
}

bool Inputs::makeTensor(int64_t index, int32_t dtype) {
  Input &input = inputs[index];
  const ElementType *wanted = findByNumber(dtype);
  bool isConverted =
      wanted && !*wanted->descr && input.array.type->dtype == ADZE_FLOAT32;
  if (isConverted) {
    Array converted;
    if (!convert(input.array, dtype, converted))
      return failForMemory(failure, input.file);
    input.array = static_cast<Array &&>(converted);
  }
  DLTensor &tensor = input.tensor;
  tensor.data = input.array.memory.data();
  tensor.device = {kDLCPU, 0};
  tensor.ndim = input.array.rank;
  tensor.dtype = {input.array.type->code, input.array.type->bits, 1};
  tensor.shape = input.array.shape;
  values[index] = adze_tensor(&tensor);
  return true;
}

template <typename T> static T load(const Array &array) {
  T value;
  memcpy(&value, array.memory.data(), sizeof(value));
  return value;
}

static double loadReal(const Array &array) {
  if (array.type->dtype == ADZE_FLOAT64)
    return load<double>(array);
  if (array.type->dtype == ADZE_FLOAT32)
    return static_cast<double>(load<float>(array));
  return static_cast<double>(
      decodeSmallFloat(array.type->dtype, load<uint16_t>(array)));
}

static int64_t loadInteger(const Array &array) {
  switch (array.type->dtype) {
  case ADZE_INT8:
    return load<int8_t>(array);
  case ADZE_INT16:
    return load<int16_t>(array);
  case ADZE_INT32:
    return load<int32_t>(array);
  case ADZE_UINT16:
    return load<uint16_t>(array);
  case ADZE_UINT32:
    return load<uint32_t>(array);
  case ADZE_INT64:
  case ADZE_UINT64:
    return load<int64_t>(array);
  default:
    return load<uint8_t>(array);
  }
}

bool Inputs::makeScalar(int64_t index) {
  const Array &array = inputs[index].array;
  adze_value &value = values[index];
  constexpr uint8_t floatCode = 2;
  if (array.type->dtype == ADZE_DTYPE_BOOL)
    value = adze_bool(load<uint8_t>(array));
  else if (array.type->code == floatCode)
    value = adze_float(loadReal(array));
  else
    value = adze_int(loadInteger(array));
  return array.type->dtype != ADZE_UINT64 || value.as.integer >= 0 ||
         fail(failure, DiagId::BadInputs,
              "input '%s': expected a number of 64 bits with sign, but found a "
              "larger one",
              model.input(index).name);
}

//===- Constants of the trace -----------------------------------------------//

/// Their values stand only in their guards: "mode == 'attr'", "n == 3".
void Inputs::makeConstant(int64_t index) {
  for (int64_t i = 0; i < model.info().guard_count; ++i) {
    adze_guard_info guard = model.guard(i);
    const char *equals = strstr(guard.expression, " == ");
    if (guard.input == index && equals && model.input(index).is_constant &&
        parseConstant(index, equals + 4))
      return;
  }
}

static int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// 'a\5C' -> a\ ; what is in quotes has no zero byte.
static bool unquote(const char *text, Memory &out) {
  size_t size = strlen(text);
  if (size < 2 || *text != '\'' || text[size - 1] != '\'' ||
      !out.allocate(size))
    return false;
  char *to = out.data();
  for (const char *p = text + 1, *end = text + size - 1; p != end; ++p) {
    bool isHex =
        *p == '\\' && end - p > 2 && hexDigit(p[1]) >= 0 && hexDigit(p[2]) >= 0;
    *to++ =
        isHex ? static_cast<char>(hexDigit(p[1]) * 16 + hexDigit(p[2])) : *p;
    p += isHex ? 2 : *p == '\\' && p[1] == '\\' && p + 1 != end;
  }
  *to = 0;
  return true;
}

bool Inputs::parseConstant(int64_t index, const char *text) {
  Input &input = inputs[index];
  switch (model.input(index).kind) {
  case ADZE_INT:
    values[index] = adze_int(strtoll(text, nullptr, 10));
    return true;
  case ADZE_FLOAT:
    values[index] = adze_float(strtod(text, nullptr));
    return true;
  case ADZE_BOOL:
    values[index] = adze_bool(!strcmp(text, "True"));
    return true;
  case ADZE_STRING:
    if (unquote(text, input.text))
      values[index] = adze_string(input.text.data());
    return input.text.data();
  default:
    return false;
  }
}
