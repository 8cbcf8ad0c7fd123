//===- Npy.cpp - The elements of a .npy file ------------------------------===//

#include "lib/Runtime/Runner/Npy.h"

#include <cstring>

using namespace adze::runner;

/// Turns big-endian elements round; the parts of a complex number apart.
static void swapBytes(Array &array) {
  int64_t width = array.type->bytes() / (array.type->isComplex() ? 2 : 1);
  char *end = array.memory.data() + array.bytes;
  for (char *p = array.memory.data(); p != end; p += width)
    for (int64_t i = 0, j = width - 1; i < j; ++i, --j) {
      char byte = p[i];
      p[i] = p[j];
      p[j] = byte;
    }
}

/// NumPy allows any byte for a bool; C++ does not.
static void normalizeBools(Array &array) {
  for (uint64_t i = 0; i < array.bytes; ++i)
    array.memory.data()[i] = array.memory.data()[i] != 0;
}

static void copyElements(const NpyHeader &header, const char *from,
                         Array &array) {
  if (!header.isFortranOrder) {
    memcpy(array.memory.data(), from, array.bytes);
    return;
  }
  int64_t strides[MaxRank], step = 1;
  for (int32_t i = 0; i < header.rank; ++i) {
    strides[i] = step;
    step *= header.shape[i];
  }
  gather(array, from, strides);
}

/// Whether the elements are just the rest of the file.
static bool fits(const NpyHeader &header, uint64_t available) {
  uint64_t size = static_cast<uint64_t>(header.type->bytes());
  bool isTooLarge = false;
  for (int32_t i = 0; i < header.rank; ++i) {
    if (header.shape[i] == 0)
      return available == 0;
    isTooLarge |= __builtin_mul_overflow(
        size, static_cast<uint64_t>(header.shape[i]), &size);
  }
  return !isTooLarge && size == available;
}

bool adze::runner::decodeNpy(Bytes bytes, const char *file, Array &array,
                             Failure &failure) {
  NpyHeader header;
  if (!parseNpyHeader(bytes, file, header, failure))
    return false;
  uint64_t available = bytes.size - header.bytes;
  if (!fits(header, available))
    return fail(failure, DiagId::BadArrays,
                "'%s': expected the elements of %s, but found %llu bytes", file,
                describe(header.type, header.shape, header.rank).text,
                static_cast<unsigned long long>(available));
  array.type = header.type;
  array.rank = header.rank;
  memcpy(array.shape, header.shape, sizeof(array.shape));
  if (!allocate(array))
    return failForMemory(failure, file);
  copyElements(header, bytes.data + header.bytes, array);
  if (header.isSwapped)
    swapBytes(array);
  if (array.type->dtype == ADZE_DTYPE_BOOL)
    normalizeBools(array);
  return true;
}
