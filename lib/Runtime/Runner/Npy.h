//===- Npy.h - NumPy's .npy files -----------------------------------------===//
//
// What lib/Support/Npz reads and writes, for programs without libstdc++.
//
//===----------------------------------------------------------------------===//
#ifndef ADZE_LIB_RUNTIME_RUNNER_NPY_H
#define ADZE_LIB_RUNTIME_RUNNER_NPY_H

#include "lib/Runtime/Runner/Array.h"
#include "lib/Runtime/Runner/Failure.h"

namespace adze::runner {

struct NpyHeader {
  const ElementType *type = nullptr;
  bool isSwapped = false; // big-endian
  bool isFortranOrder = false;
  int32_t rank = 0;
  int64_t shape[MaxRank] = {};
  uint64_t bytes = 0; // where the elements begin
};

/// Reads the header at the begin of `bytes`; failures name `file`.
bool parseNpyHeader(Bytes bytes, const char *file, NpyHeader &header,
                    Failure &failure);

/// Reads a whole file, of any order of dims and bytes.
bool decodeNpy(Bytes bytes, const char *file, Array &array, Failure &failure);

/// The header of format 1.0 for a row-major array, padded to 64 bytes.
struct NpyText {
  char text[2048];
  size_t size = 0;
};
NpyText makeNpyHeader(const Array &array);

} // namespace adze::runner

#endif
