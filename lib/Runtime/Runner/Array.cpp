//===- Array.cpp - Types and layouts of arrays ----------------------------===//

#include "lib/Runtime/Runner/Array.h"

#include <cstdio>
#include <cstring>

using namespace adze::runner;

static constexpr ElementType Types[] = {
#define ADZE_DTYPE(Name, Text, Descr, Code, Bits, Number, Type)                \
  {Number, Text, Descr, Code, Bits},
#include "adze/Support/DTypes.def"
};

const ElementType *adze::runner::findByNumber(int32_t dtype) {
  for (const ElementType &type : Types)
    if (type.dtype == dtype)
      return &type;
  return nullptr;
}

const ElementType *adze::runner::findByDescr(const char *descr) {
  for (const ElementType &type : Types)
    if (*type.descr && !strcmp(type.descr, descr))
      return &type;
  return nullptr;
}

const ElementType *adze::runner::findByDLPack(DLDataType found) {
  for (const ElementType &type : Types)
    if (type.code == found.code && type.bits == found.bits && found.lanes == 1)
      return &type;
  return nullptr;
}

int64_t adze::runner::elementCount(const Array &array) {
  return static_cast<int64_t>(array.bytes) / array.type->bytes();
}

static bool byteSize(const Array &array, uint64_t &bytes) {
  int64_t size = array.type->bytes();
  bool isEmpty = false;
  for (int32_t i = 0; i < array.rank; ++i) {
    isEmpty |= array.shape[i] == 0;
    if (array.shape[i] > 0 &&
        __builtin_mul_overflow(size, array.shape[i], &size))
      return false;
  }
  bytes = isEmpty ? 0 : static_cast<uint64_t>(size);
  return true;
}

bool adze::runner::allocate(Array &array) {
  return byteSize(array, array.bytes) && array.memory.allocate(array.bytes);
}

TypeText adze::runner::describe(const ElementType *type, const int64_t *shape,
                                int32_t rank) {
  TypeText out;
  size_t used = static_cast<size_t>(snprintf(out.text, sizeof(out.text), "%s[",
                                             type ? type->name : "unknown"));
  for (int32_t i = 0; i < rank; ++i) {
    char size[32] = "?";
    if (shape[i] >= 0)
      snprintf(size, sizeof(size), "%lld", static_cast<long long>(shape[i]));
    used += static_cast<size_t>(snprintf(
        out.text + used, sizeof(out.text) - used, "%s%s", i ? ", " : "", size));
  }
  snprintf(out.text + used, sizeof(out.text) - used, "]");
  return out;
}

void adze::runner::gather(Array &to, const char *from, const int64_t *strides) {
  int64_t index[MaxRank] = {}, width = to.type->bytes();
  char *out = to.memory.data(), *end = out + to.bytes;
  for (; out != end; out += width) {
    memcpy(out, from, static_cast<size_t>(width));
    for (int32_t d = to.rank - 1; d >= 0; --d) {
      from += strides[d] * width;
      if (++index[d] < to.shape[d])
        break;
      from -= strides[d] * width * to.shape[d];
      index[d] = 0;
    }
  }
}

static void encodeAll(const Array &from, Array &to) {
  size_t width = static_cast<size_t>(to.type->bytes());
  for (int64_t i = 0, n = elementCount(from); i < n; ++i) {
    float value;
    memcpy(&value, from.memory.data() + i * 4, 4);
    uint16_t bits = encodeSmallFloat(to.type->dtype, value);
    memcpy(to.memory.data() + i * to.type->bytes(), &bits, width);
  }
}

static void decodeAll(const Array &from, Array &to) {
  size_t width = static_cast<size_t>(from.type->bytes());
  for (int64_t i = 0, n = elementCount(from); i < n; ++i) {
    uint16_t bits = 0;
    memcpy(&bits, from.memory.data() + i * from.type->bytes(), width);
    float value = decodeSmallFloat(from.type->dtype, bits);
    memcpy(to.memory.data() + i * 4, &value, 4);
  }
}

bool adze::runner::convert(const Array &array, int32_t dtype,
                           Array &converted) {
  converted.type = findByNumber(dtype);
  converted.rank = array.rank;
  memcpy(converted.shape, array.shape, sizeof(array.shape));
  if (!allocate(converted))
    return false;
  if (dtype == ADZE_FLOAT32)
    decodeAll(array, converted);
  else
    encodeAll(array, converted);
  return true;
}
