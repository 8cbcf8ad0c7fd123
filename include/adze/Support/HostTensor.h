//===- HostTensor.h - A tensor in memory that owns its elements -----------===//
//
// What command line, readers, tests and tools hand around: element type, shape,
// strides (counted in elements, never negative, zero where a dim is expanded)
// and 64-byte aligned bytes. "In logical order" below means: last dim fastest,
// whatever the strides.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_SUPPORT_HOSTTENSOR_H
#define ADZE_SUPPORT_HOSTTENSOR_H

#include "adze/Support/DType.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <complex>
#include <memory>
#include <string>
#include <vector>

namespace adze {

using Dims = llvm::SmallVector<int64_t, 4>;

/// Strides of a dense tensor with the last dim fastest.
Dims contiguousStrides(llvm::ArrayRef<int64_t> shape);

/// Strides of a dense tensor whose dims are ordered, from slowest to fastest,
/// as `strides` orders them: the layout that torch.empty_like preserves.
Dims denseStridesLike(llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> strides);

/// How many elements; none when a size is negative or they do not fit.
std::optional<int64_t> elementCount(llvm::ArrayRef<int64_t> shape);

/// How many bytes the elements span; none on overflow, negative sizes or
/// strides, or different ranks.
std::optional<int64_t> storageBytes(DType dtype, llvm::ArrayRef<int64_t> shape,
                                    llvm::ArrayRef<int64_t> strides);

class HostTensor {
public:
  /// An empty float32 vector.
  HostTensor();

  /// Zeros. Fails when the size overflows or memory is short.
  static llvm::Expected<HostTensor> create(DType dtype,
                                           llvm::ArrayRef<int64_t> shape);
  static llvm::Expected<HostTensor> create(DType dtype,
                                           llvm::ArrayRef<int64_t> shape,
                                           llvm::ArrayRef<int64_t> strides);

  /// For tests and small values; dims last to first are dense.
  template <typename T>
  static HostTensor of(DType dtype, llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<T> values);

  DType dtype() const { return type; }
  llvm::ArrayRef<int64_t> shape() const { return dims; }
  llvm::ArrayRef<int64_t> strides() const { return steps; }
  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  int64_t numElements() const { return count; }
  int64_t numBytes() const { return bytes; } // of the storage

  char *data() { return storage.get(); }
  const char *data() const { return storage.get(); }
  template <typename T> T *dataAs() {
    return reinterpret_cast<T *>(storage.get());
  }
  template <typename T> const T *dataAs() const {
    return reinterpret_cast<const T *>(storage.get());
  }

  bool isContiguous() const;

  HostTensor clone() const;

  /// The same elements laid out with other strides of the same rank. Where
  /// strides of zero make elements share a place, the last one stays.
  llvm::Expected<HostTensor> withStrides(llvm::ArrayRef<int64_t> strides) const;
  HostTensor contiguous() const;

  /// The elements converted, contiguous. Complex to real drops the imaginary
  /// part; floating point to integer truncates, out of range it saturates.
  HostTensor cast(DType to) const;

  /// All elements in logical order. Integers become doubles by rounding.
  std::vector<std::complex<double>> toComplex() const;
  std::vector<double> toDoubles() const;
  /// For bool and integers; uint64 keeps its bits.
  std::vector<int64_t> toInts() const;

  /// Writes values given in logical order, converted as cast() does.
  void fill(llvm::ArrayRef<double> values);
  void fill(llvm::ArrayRef<int64_t> values);

  /// "float32[8, 32]"
  std::string describe() const;

private:
  struct Free {
    void operator()(char *p) const;
  };

  DType type = DType::Float32;
  Dims dims;
  Dims steps;
  int64_t count = 0;
  int64_t bytes = 0;
  std::unique_ptr<char[], Free> storage;
};

std::string describeType(DType dtype, llvm::ArrayRef<int64_t> shape);

/// Steps through the element offsets of a strided tensor in logical order.
class OffsetIterator {
public:
  OffsetIterator(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides)
      : shape(shape), strides(strides), index(shape.size(), 0) {}

  int64_t operator*() const { return offset; }
  OffsetIterator &operator++();

private:
  llvm::ArrayRef<int64_t> shape;
  llvm::ArrayRef<int64_t> strides;
  Dims index;
  int64_t offset = 0;
};

template <typename T>
HostTensor HostTensor::of(DType dtype, llvm::ArrayRef<int64_t> shape,
                          llvm::ArrayRef<T> values) {
  HostTensor tensor = llvm::cantFail(create(dtype, shape));
  tensor.fill(values);
  return tensor;
}

} // namespace adze

#endif // ADZE_SUPPORT_HOSTTENSOR_H
