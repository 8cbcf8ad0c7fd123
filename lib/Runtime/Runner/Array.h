//===- Array.h - The arrays of .npy files ---------------------------------===//
#ifndef ADZE_LIB_RUNTIME_RUNNER_ARRAY_H
#define ADZE_LIB_RUNTIME_RUNNER_ARRAY_H

#include "adze/adze.h"
#include "lib/Runtime/Runner/Memory.h"

namespace adze::runner {

constexpr int32_t MaxRank = 64;

struct ElementType {
  int32_t dtype;     // adze_dtype
  const char *name;  // torch's
  const char *descr; // NumPy's; empty where NumPy has no such type: arrays of
                     // it travel as float32
  uint8_t code;      // DLPack's
  uint8_t bits;

  bool isComplex() const { return code == 5; }
  int64_t bytes() const { return bits / 8; }
};
/// Null if there is none.
const ElementType *findByNumber(int32_t dtype);
const ElementType *findByDescr(const char *descr);
const ElementType *findByDLPack(DLDataType type);

/// A row-major array with memory of its own.
struct Array {
  const ElementType *type = nullptr;
  int32_t rank = 0;
  int64_t shape[MaxRank] = {};
  uint64_t bytes = 0;
  Memory memory;
};

int64_t elementCount(const Array &array);
/// Takes memory for the type and shape; false if there is none.
bool allocate(Array &array);

/// "float32[8, 32]"; -1 becomes "?".
struct TypeText {
  char text[1536];
};
TypeText describe(const ElementType *type, const int64_t *shape, int32_t rank);

/// Copies elements that lie anywhere into a row-major array; `strides` count
/// elements.
void gather(Array &to, const char *from, const int64_t *strides);

/// `array` as another floating-point type; one of the two is float32.
bool convert(const Array &array, int32_t dtype, Array &converted);

/// A number of 8 or 16 bits as it would be in 32, and back, rounded to nearest
/// even.
float decodeSmallFloat(int32_t dtype, uint16_t bits);
uint16_t encodeSmallFloat(int32_t dtype, float value);

} // namespace adze::runner

#endif
