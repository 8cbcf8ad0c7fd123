//===- Tensor.cpp - Tensors of the reference interpreter -----------------===//

#include "adze/Interp/Tensor.h"

#include "adze/Support/Element.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace adze::interp {

Sizes rowMajorStrides(ArrayRef<int64_t> sizes) {
  Sizes strides(sizes.size());
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0; step *= sizes[i])
    strides[i] = step;
  return strides;
}

std::optional<int64_t> product(ArrayRef<int64_t> sizes) {
  return elementCount(sizes);
}

std::string toString(ArrayRef<int64_t> sizes) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(sizes, os);
  return text + "]";
}

Tensor::Tensor(Type element, ArrayRef<int64_t> sizes)
    : type(element), dims(sizes), numElements(product(sizes).value_or(0)) {
  storage = visitWide(element, [&]<typename T>() {
    return std::make_shared<Storage>(std::vector<T>(numElements));
  });
}

Tensor Tensor::reshaped(ArrayRef<int64_t> sizes) const {
  assert(product(sizes) == numElements && "reshape changes the element count");
  Tensor result = *this;
  result.dims.assign(sizes.begin(), sizes.end());
  return result;
}

std::string Tensor::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text + toString(dims);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static double toDouble(const llvm::APFloat &value) {
  llvm::APFloat wide = value;
  bool losesInfo;
  wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
               &losesInfo);
  return wide.convertToDouble();
}

static llvm::APFloat toAPFloat(double value, FloatType type) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number;
}

static int64_t toInt64(const llvm::APInt &value, const IntFormat &format) {
  return format.isUnsigned ? int64_t(value.getZExtValue())
                           : value.getSExtValue();
}

static void readDense(DenseElementsAttr dense, Tensor &tensor) {
  Type element = tensor.element();
  if (tensor.isFloat()) {
    double *out = tensor.mutableData<double>();
    for (const llvm::APFloat &value : dense.getValues<llvm::APFloat>())
      *out++ = toDouble(value);
  } else if (auto integer = dyn_cast<IntegerType>(element)) {
    int64_t *out = tensor.mutableData<int64_t>();
    for (const llvm::APInt &value : dense.getValues<llvm::APInt>())
      *out++ = toInt64(value, IntFormat(integer));
  } else {
    Complex *out = tensor.mutableData<Complex>();
    for (const auto &value : dense.getValues<std::complex<llvm::APFloat>>())
      *out++ = {toDouble(value.real()), toDouble(value.imag())};
  }
}

llvm::Expected<Tensor> Tensor::fromAttr(ElementsAttr attr) {
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  auto type = dyn_cast<RankedTensorType>(attr.getType());
  if (!dense || !type || !dtypeOf(type.getElementType()))
    return llvm::createStringError("a constant of this form is not supported");
  Tensor tensor(type.getElementType(), type.getShape());
  readDense(dense, tensor);
  return tensor;
}

DenseElementsAttr Tensor::toAttr() const {
  auto shaped = RankedTensorType::get(dims, type);
  if (auto real = dyn_cast<FloatType>(type)) {
    SmallVector<llvm::APFloat> values;
    for (int64_t i = 0; i < numElements; ++i)
      values.push_back(toAPFloat(data<double>()[i], real));
    return DenseElementsAttr::get(shaped, values);
  }
  if (auto integer = dyn_cast<IntegerType>(type)) {
    SmallVector<llvm::APInt> values;
    for (int64_t i = 0; i < numElements; ++i)
      values.push_back(llvm::APInt(integer.getWidth(),
                                   uint64_t(data<int64_t>()[i]),
                                   /*isSigned=*/false, /*implicitTrunc=*/true));
    return DenseElementsAttr::get(shaped, values);
  }
  SmallVector<std::complex<llvm::APFloat>> values;
  FloatType real = realType(type);
  for (int64_t i = 0; i < numElements; ++i)
    values.push_back({toAPFloat(data<Complex>()[i].real(), real),
                      toAPFloat(data<Complex>()[i].imag(), real)});
  return DenseElementsAttr::get(shaped, values);
}

//===----------------------------------------------------------------------===//
// Host tensors
//===----------------------------------------------------------------------===//

std::optional<DType> dtypeOf(Type element) {
  std::string text;
  llvm::raw_string_ostream(text) << element;
  return dtypeFromMLIR(text);
}

Type typeOf(DType dtype, MLIRContext *context) {
  return parseType(getInfo(dtype).mlirType, context);
}

llvm::Expected<Tensor> Tensor::fromHost(const HostTensor &host,
                                        MLIRContext *context) {
  Tensor tensor(typeOf(host.dtype(), context), host.shape());
  visitWide(tensor.element(), [&]<typename T>() {
    std::vector<T> values;
    if constexpr (std::is_same_v<T, double>)
      values = host.toDoubles();
    else if constexpr (std::is_same_v<T, int64_t>)
      values = host.toInts();
    else
      values = host.toComplex();
    *tensor.storage = Storage(std::move(values));
  });
  return tensor;
}

/// Writes elements to a contiguous host tensor.
template <typename T> static void writeHost(const Tensor &tensor, T *out) {
  for (int64_t i = 0; i < tensor.count(); ++i) {
    if constexpr (isComplexElement<T>)
      out[i] = T(tensor.data<Complex>()[i]);
    else if constexpr (std::is_integral_v<T>)
      out[i] = static_cast<T>(tensor.data<int64_t>()[i]);
    else
      out[i] = T(tensor.data<double>()[i]);
  }
}

llvm::Expected<HostTensor> Tensor::toHost() const {
  auto dtype = dtypeOf(type);
  if (!dtype)
    return llvm::createStringError("no element type of adze: " + describe());
  auto host = HostTensor::create(*dtype, dims);
  if (!host)
    return host.takeError();
  visitDType(*dtype,
             [&]<typename T>() { writeHost(*this, host->dataAs<T>()); });
  return host;
}

} // namespace adze::interp
