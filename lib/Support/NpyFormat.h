//===- NpyFormat.h - The header of a .npy file ----------------------------===//

#ifndef ADZE_LIB_SUPPORT_NPYFORMAT_H
#define ADZE_LIB_SUPPORT_NPYFORMAT_H

#include "adze/Support/HostTensor.h"

namespace adze {

struct NpyHeader {
  DType dtype = DType::Float32;
  bool swapped = false; // big-endian
  bool fortranOrder = false;
  Dims shape;
  int64_t headerBytes = 0; // where the elements begin
};

/// Reads the header at the begin of `bytes`, which may be longer or shorter
/// than it. Messages do not name the file.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef bytes);

/// The header of format 1.0 for contiguous elements, padded to 64 bytes.
std::string makeNpyHeader(DType dtype, llvm::ArrayRef<int64_t> shape);

} // namespace adze

#endif // ADZE_LIB_SUPPORT_NPYFORMAT_H
