//===- HostTensor.cpp - A tensor in memory that owns its elements ---------===//

#include "adze/Support/HostTensor.h"

#include "adze/Support/Element.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <tuple>

namespace adze {

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Dims contiguousStrides(llvm::ArrayRef<int64_t> shape) {
  Dims strides(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

Dims denseStridesLike(llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> strides) {
  llvm::SmallVector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::tie(strides[b], a) < std::tie(strides[a], b);
  });
  Dims result(shape.size());
  int64_t step = 1;
  for (size_t dim : llvm::reverse(order)) {
    result[dim] = step;
    step *= std::max<int64_t>(shape[dim], 1);
  }
  return result;
}

std::optional<int64_t> elementCount(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (size < 0 || llvm::MulOverflow(count, std::max<int64_t>(size, 1), count))
      return std::nullopt;
  return llvm::is_contained(shape, 0) ? 0 : count;
}

std::optional<int64_t> storageBytes(DType dtype, llvm::ArrayRef<int64_t> shape,
                                    llvm::ArrayRef<int64_t> strides) {
  std::optional<int64_t> count = elementCount(shape);
  if (!count || shape.size() != strides.size())
    return std::nullopt;
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip_equal(shape, strides)) {
    int64_t reach;
    if (stride < 0)
      return std::nullopt;
    if (size > 0 && (llvm::MulOverflow(size - 1, stride, reach) ||
                     llvm::AddOverflow(last, reach, last)))
      return std::nullopt;
  }
  int64_t bytes;
  if (llvm::AddOverflow(last, int64_t(1), last) ||
      llvm::MulOverflow(last, getSize(dtype), bytes))
    return std::nullopt;
  return *count == 0 ? 0 : bytes;
}

std::string describeType(DType dtype, llvm::ArrayRef<int64_t> shape) {
  std::string text = getName(dtype).str() + "[";
  llvm::ListSeparator separator;
  for (int64_t size : shape)
    text += llvm::StringRef(separator).str() + std::to_string(size);
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

void HostTensor::Free::operator()(char *p) const { std::free(p); }

HostTensor::HostTensor() : dims({0}), steps({1}) {}

llvm::Expected<HostTensor> HostTensor::create(DType dtype,
                                              llvm::ArrayRef<int64_t> shape) {
  if (!elementCount(shape))
    return llvm::createStringError("a tensor of " + describeType(dtype, shape) +
                                   " is too large");
  return create(dtype, shape, contiguousStrides(shape));
}

llvm::Expected<HostTensor> HostTensor::create(DType dtype,
                                              llvm::ArrayRef<int64_t> shape,
                                              llvm::ArrayRef<int64_t> strides) {
  std::optional<int64_t> bytes = storageBytes(dtype, shape, strides);
  if (!bytes || *bytes > std::numeric_limits<int64_t>::max() - 64)
    return llvm::createStringError("a tensor of " + describeType(dtype, shape) +
                                   " is too large or has bad strides");
  size_t rounded = llvm::alignTo(std::max<int64_t>(*bytes, 1), 64);
  char *data = static_cast<char *>(std::aligned_alloc(64, rounded));
  if (!data)
    return llvm::createStringError("no memory for a tensor of " +
                                   describeType(dtype, shape));
  std::memset(data, 0, rounded);
  HostTensor tensor;
  tensor.type = dtype;
  tensor.dims.assign(shape.begin(), shape.end());
  tensor.steps.assign(strides.begin(), strides.end());
  tensor.count = *elementCount(shape);
  tensor.bytes = *bytes;
  tensor.storage.reset(data);
  return tensor;
}

/// For sizes that exist already as a tensor.
static HostTensor createLike(DType dtype, llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<int64_t> strides) {
  return llvm::cantFail(HostTensor::create(dtype, shape, strides));
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

OffsetIterator &OffsetIterator::operator++() {
  for (size_t i = shape.size(); i-- > 0;) {
    offset += strides[i];
    if (++index[i] < shape[i])
      return *this;
    offset -= shape[i] * strides[i];
    index[i] = 0;
  }
  return *this;
}

bool HostTensor::isContiguous() const {
  if (count == 0)
    return true;
  int64_t step = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    if (dims[i] != 1 && steps[i] != step)
      return false;
    step *= dims[i];
  }
  return true;
}

HostTensor HostTensor::clone() const {
  HostTensor copy = createLike(type, dims, steps);
  if (bytes > 0)
    std::memcpy(copy.data(), data(), bytes);
  return copy;
}

llvm::Expected<HostTensor>
HostTensor::withStrides(llvm::ArrayRef<int64_t> strides) const {
  llvm::Expected<HostTensor> result = create(type, dims, strides);
  if (!result)
    return result.takeError();
  int64_t size = getSize(type);
  OffsetIterator from(dims, steps), to(dims, strides);
  for (int64_t i = 0; i < count; ++i, ++from, ++to)
    std::memcpy(result->data() + *to * size, data() + *from * size, size);
  return result;
}

HostTensor HostTensor::contiguous() const {
  if (isContiguous() && steps == contiguousStrides(dims))
    return clone();
  return llvm::cantFail(withStrides(contiguousStrides(dims)));
}

std::string HostTensor::describe() const { return describeType(type, dims); }

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// A floating-point number as an integer type: truncated and saturated, NaN as
/// zero.
template <typename T> static T saturate(double value) {
  if (std::isnan(value))
    return 0;
  double low = static_cast<double>(std::numeric_limits<T>::min());
  double high = static_cast<double>(std::numeric_limits<T>::max());
  if (value <= low)
    return std::numeric_limits<T>::min();
  if (value >= high)
    return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

template <typename To, typename From> static To convert(From value) {
  if constexpr (std::is_same_v<To, From>)
    return value;
  else if constexpr (isComplexElement<From> && isComplexElement<To>)
    return To(static_cast<typename To::value_type>(value.real()),
              static_cast<typename To::value_type>(value.imag()));
  else if constexpr (isComplexElement<From>)
    return convert<To>(static_cast<double>(value.real()));
  else if constexpr (isComplexElement<To>)
    return To(convert<typename To::value_type>(value), 0);
  else if constexpr (std::is_same_v<To, bool>)
    return static_cast<double>(value) != 0;
  else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>)
    return static_cast<To>(value);
  else if constexpr (std::is_integral_v<To>)
    return saturate<To>(static_cast<double>(value));
  else
    return To(static_cast<double>(value));
}

/// Calls take(element) for each element in logical order.
template <typename Take>
static void forEachElement(const HostTensor &tensor, Take &&take) {
  visitDType(tensor.dtype(), [&]<typename T>() {
    const T *data = tensor.dataAs<T>();
    OffsetIterator at(tensor.shape(), tensor.strides());
    for (int64_t i = 0; i < tensor.numElements(); ++i, ++at)
      take(data[*at]);
  });
}

/// Sets element after element, in logical order, to what next() returns.
template <typename Next>
static void setElements(HostTensor &tensor, Next &&next) {
  visitDType(tensor.dtype(), [&]<typename T>() {
    T *data = tensor.dataAs<T>();
    OffsetIterator at(tensor.shape(), tensor.strides());
    for (int64_t i = 0; i < tensor.numElements(); ++i, ++at)
      data[*at] = convert<T>(next());
  });
}

template <typename To>
static std::vector<To> collect(const HostTensor &tensor) {
  std::vector<To> values;
  values.reserve(tensor.numElements());
  forEachElement(tensor, [&](auto v) { values.push_back(convert<To>(v)); });
  return values;
}

std::vector<std::complex<double>> HostTensor::toComplex() const {
  return collect<std::complex<double>>(*this);
}

std::vector<double> HostTensor::toDoubles() const {
  return collect<double>(*this);
}

std::vector<int64_t> HostTensor::toInts() const {
  return collect<int64_t>(*this);
}

HostTensor HostTensor::cast(DType to) const {
  HostTensor result = createLike(to, dims, contiguousStrides(dims));
  visitDType(to, [&]<typename T>() {
    T *out = result.dataAs<T>();
    forEachElement(*this, [&](auto v) { *out++ = convert<T>(v); });
  });
  return result;
}

void HostTensor::fill(llvm::ArrayRef<double> values) {
  assert(static_cast<int64_t>(values.size()) == count && "one per element");
  const double *next = values.data();
  setElements(*this, [&] { return *next++; });
}

void HostTensor::fill(llvm::ArrayRef<int64_t> values) {
  assert(static_cast<int64_t>(values.size()) == count && "one per element");
  const int64_t *next = values.data();
  setElements(*this, [&] { return *next++; });
}

} // namespace adze
