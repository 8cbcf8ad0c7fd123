//===- Npz.h - NumPy's .npy and .npz files --------------------------------===//
//
// Reads formats 1.0, 2.0 and 3.0, both byte orders, C and Fortran order; an
// array in Fortran order becomes a tensor with such strides. Object and string
// arrays are refused. Nothing in a file is trusted: sizes are checked against
// the bytes that are there before memory is taken for them.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_SUPPORT_NPZ_H
#define ADZE_SUPPORT_NPZ_H

#include "adze/Support/HostTensor.h"
#include "llvm/ADT/StringRef.h"

namespace adze {

struct NamedTensor {
  std::string name; // without ".npy"
  HostTensor tensor;
};

/// The arrays of a file in the order they stand in it.
class NpzArrays : public std::vector<NamedTensor> {
public:
  using std::vector<NamedTensor>::vector;

  /// Null where there is no such array.
  const HostTensor *find(llvm::StringRef name) const;
  HostTensor *find(llvm::StringRef name);

  /// The arrays PREFIX_0, PREFIX_1, ...: the highest number that occurs plus
  /// one, although some below it may be absent.
  size_t countNumbered(llvm::StringRef prefix) const;
};

/// Fails with CannotRead when there is no such file and with BadArrays when it
/// is malformed, naming file and array.
llvm::Expected<NpzArrays> readNpz(llvm::StringRef path);

/// Decodes a whole .npy file; `shownAs` names it in messages.
llvm::Expected<HostTensor> decodeNpy(llvm::StringRef bytes,
                                     llvm::StringRef shownAs);

/// Writes contiguous arrays, uncompressed, with fixed dates: the same arrays
/// give the same bytes. bfloat16 and float8 are written as float32.
llvm::Error writeNpz(llvm::StringRef path, llvm::ArrayRef<NamedTensor> arrays);

/// The bytes of a .npy file of format 1.0.
std::string encodeNpy(const HostTensor &tensor);

} // namespace adze

#endif // ADZE_SUPPORT_NPZ_H
