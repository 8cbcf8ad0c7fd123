//===- Tensor.cpp - Element types, layouts and strided copies -------------===//

#include "lib/Runtime/Internal.h"

#include <cstring>

using namespace adze::rt;

namespace {
/// Indexed by dtype number; unused ones have no name.
struct ElementTypes {
  ElementType types[ADZE_UINT64 + 1] = {};
  constexpr ElementTypes() {
#define ADZE_DTYPE(Name, Text, Descr, Code, Bits, Number, Type)                \
  types[Number] = {Number, Code, Bits, Text};
#include "adze/Support/DTypes.def"
  }
};
} // namespace

static constexpr ElementTypes Table;

const ElementType *adze::rt::findElementType(int32_t dtype) {
  bool known = dtype >= 0 && dtype <= ADZE_UINT64 && Table.types[dtype].name;
  return known ? &Table.types[dtype] : nullptr;
}

int64_t adze::rt::elementBytes(int32_t dtype) {
  const ElementType *type = findElementType(dtype);
  return type ? type->bits / 8 : 8;
}

bool adze::rt::byteSize(const int64_t *dims, int32_t rank, int32_t dtype,
                        uint64_t &bytes) {
  int64_t size = elementBytes(dtype);
  bool empty = false;
  for (int32_t i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      return false;
    if (dims[i] == 0)
      empty = true;
    else if (__builtin_mul_overflow(size, dims[i], &size))
      return false;
  }
  bytes = empty ? 0 : static_cast<uint64_t>(size);
  return true;
}

static bool isEmpty(const int64_t *dims, int32_t rank) {
  for (int32_t i = 0; i < rank; ++i)
    if (dims[i] == 0)
      return true;
  return false;
}

bool adze::rt::sameLayout(const int64_t *dims, int32_t rank,
                          const int64_t *strides, const int64_t *other) {
  int64_t stepA = 1, stepB = 1;
  bool same = true;
  for (int32_t i = rank - 1; i >= 0; --i) {
    int64_t a = strides ? strides[i] : stepA, b = other ? other[i] : stepB;
    same &= dims[i] == 1 || a == b;
    if (__builtin_mul_overflow(stepA, dims[i], &stepA))
      return false;
    stepB = stepA;
  }
  return same || isEmpty(dims, rank);
}

void adze::rt::rowMajorStrides(const int64_t *dims, int32_t rank,
                               int64_t *strides) {
  int64_t step = 1;
  for (int32_t i = rank - 1; i >= 0; --i) {
    strides[i] = step;
    step *= dims[i] > 0 ? dims[i] : 1;
  }
}

//===- Addresses ------------------------------------------------------------//

void adze::rt::addressRange(const DLTensor &t, uintptr_t &begin,
                            uintptr_t &end) {
  auto base = reinterpret_cast<uintptr_t>(dataOf(t));
  begin = end = base;
  if (isEmpty(t.shape, t.ndim))
    return;
  // Wraps for absurd strides; the comparison is then merely wrong about them.
  uint64_t width = t.dtype.bits / 8u, low = 0, high = 0, step = 1;
  for (int32_t i = t.ndim - 1; i >= 0; --i) {
    auto last = static_cast<uint64_t>(t.shape[i] - 1);
    uint64_t stride = t.strides ? static_cast<uint64_t>(t.strides[i]) : step;
    (static_cast<int64_t>(stride) < 0 ? low : high) += last * stride;
    step *= static_cast<uint64_t>(t.shape[i]);
  }
  begin = base + low * width;
  end = base + high * width + width;
}

bool adze::rt::overlap(const DLTensor &a, const DLTensor &b) {
  uintptr_t beginA, endA, beginB, endB;
  addressRange(a, beginA, endA);
  addressRange(b, beginB, endB);
  return beginA < endB && beginB < endA && beginA != endA && beginB != endB;
}

/// Sound and simple: sorted by stride, each dim must step over all that the
/// smaller ones span.
bool adze::rt::selfOverlaps(const DLTensor &t) {
  if (!t.strides || isRowMajor(t))
    return false;
  bool used[MaxRank] = {};
  uint64_t span = 0;
  for (;;) {
    int32_t next = -1;
    uint64_t least = UINT64_MAX;
    for (int32_t i = 0; i < t.ndim; ++i) {
      uint64_t step = static_cast<uint64_t>(t.strides[i]);
      step = t.strides[i] < 0 ? 0 - step : step;
      if (!used[i] && t.shape[i] > 1 && step < least)
        least = step, next = i;
    }
    if (next < 0)
      return false;
    if (least <= span)
      return true;
    used[next] = true;
    span += least * static_cast<uint64_t>(t.shape[next] - 1);
  }
}

//===- Copies ---------------------------------------------------------------//

namespace {
struct Dim {
  int64_t size, to, from; // strides in bytes
};
} // namespace

/// The dims without those of size 1, with adjacent ones joined where both
/// sides step evenly.
static int32_t simplify(const StridedCopy &copy, Dim *dims) {
  int32_t count = 0;
  for (int32_t i = 0; i < copy.rank; ++i) {
    Dim dim{copy.dims[i], copy.toStrides[i] * copy.elementBytes,
            copy.fromStrides[i] * copy.elementBytes};
    if (dim.size == 1)
      continue;
    Dim *last = count ? &dims[count - 1] : nullptr;
    if (last && last->to == dim.to * dim.size &&
        last->from == dim.from * dim.size)
      *last = {last->size * dim.size, dim.to, dim.from};
    else
      dims[count++] = dim;
  }
  return count;
}

template <typename T>
static void copyRow(char *to, const char *from, const Dim &dim) {
  for (int64_t i = 0; i < dim.size; ++i)
    memcpy(to + i * dim.to, from + i * dim.from, sizeof(T));
}

static void copyInner(char *to, const char *from, const Dim &dim,
                      int64_t width) {
  struct Wide {
    uint64_t part[2];
  };
  if (dim.to == width && dim.from == width)
    memcpy(to, from, static_cast<size_t>(dim.size * width));
  else if (width == 4)
    copyRow<uint32_t>(to, from, dim);
  else if (width == 8)
    copyRow<uint64_t>(to, from, dim);
  else if (width == 2)
    copyRow<uint16_t>(to, from, dim);
  else if (width == 1)
    copyRow<uint8_t>(to, from, dim);
  else
    copyRow<Wide>(to, from, dim);
}

static void copyDims(char *to, const char *from, const Dim *dims, int32_t count,
                     int64_t width) {
  if (count == 1)
    return copyInner(to, from, *dims, width);
  for (int64_t i = 0; i < dims->size; ++i)
    copyDims(to + i * dims->to, from + i * dims->from, dims + 1, count - 1,
             width);
}

void adze::rt::copyStrided(const StridedCopy &copy) {
  if (isEmpty(copy.dims, copy.rank))
    return;
  Dim dims[MaxRank];
  int32_t count = simplify(copy, dims);
  if (count == 0)
    dims[count++] = {1, copy.elementBytes, copy.elementBytes};
  copyDims(static_cast<char *>(copy.to), static_cast<const char *>(copy.from),
           dims, count, copy.elementBytes);
}
