//===- Tensor.h - Tensors of the reference interpreter ---------*- C++ -*-===//
//
// Elements in row-major order and in a wide form, whatever the element type:
// double for floats, int64 for integers and bool, complex<double>. Copies
// share the elements until one of them is written to.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_INTERP_TENSOR_H
#define ADZE_INTERP_TENSOR_H

#include "adze/Interp/NumberFormat.h"
#include "adze/Support/HostTensor.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <variant>
#include <vector>

namespace adze::interp {

using Sizes = llvm::SmallVector<int64_t, 4>;

class Tensor {
public:
  /// No tensor; only good for being assigned to.
  Tensor() = default;
  /// Zeros. The number of elements must fit in memory: ask the evaluator.
  Tensor(mlir::Type element, llvm::ArrayRef<int64_t> sizes);

  /// The elements of a `prim.constant`.
  static llvm::Expected<Tensor> fromAttr(mlir::ElementsAttr attr);
  static llvm::Expected<Tensor> fromHost(const HostTensor &host,
                                         mlir::MLIRContext *context);
  mlir::DenseElementsAttr toAttr() const;
  llvm::Expected<HostTensor> toHost() const;

  mlir::Type element() const { return type; }
  llvm::ArrayRef<int64_t> sizes() const { return dims; }
  int64_t size(int64_t dim) const { return dims[dim]; }
  int64_t rank() const { return int64_t(dims.size()); }
  int64_t count() const { return numElements; }

  bool isFloat() const { return llvm::isa<mlir::FloatType>(type); }
  bool isInteger() const { return llvm::isa<mlir::IntegerType>(type); }
  bool isComplex() const { return llvm::isa<mlir::ComplexType>(type); }

  /// T is the wide form of the element type.
  template <typename T> const T *data() const {
    return std::get<std::vector<T>>(*storage).data();
  }
  template <typename T> T *mutableData() {
    if (storage.use_count() > 1)
      storage = std::make_shared<Storage>(*storage);
    return std::get<std::vector<T>>(*storage).data();
  }
  /// The only element of a rank-0 tensor (or the first one).
  template <typename T> T item() const { return data<T>()[0]; }

  /// The same elements with other sizes of the same product.
  Tensor reshaped(llvm::ArrayRef<int64_t> sizes) const;

  /// "f32[2, 3]"
  std::string describe() const;

private:
  using Storage = std::variant<std::vector<double>, std::vector<int64_t>,
                               std::vector<Complex>>;

  mlir::Type type;
  Sizes dims;
  int64_t numElements = 0;
  std::shared_ptr<Storage> storage;
};

/// Calls visitor.operator()<T>() with the wide form of an element type.
template <typename Visitor>
decltype(auto) visitWide(mlir::Type element, Visitor &&visitor) {
  if (llvm::isa<mlir::FloatType>(element))
    return visitor.template operator()<double>();
  if (llvm::isa<mlir::IntegerType>(element))
    return visitor.template operator()<int64_t>();
  return visitor.template operator()<Complex>();
}

/// A size as text: "[2, 3]".
std::string toString(llvm::ArrayRef<int64_t> sizes);
/// Row-major strides, in elements.
Sizes rowMajorStrides(llvm::ArrayRef<int64_t> sizes);
/// The product; nullopt on overflow or a negative size.
std::optional<int64_t> product(llvm::ArrayRef<int64_t> sizes);

std::optional<DType> dtypeOf(mlir::Type element);
mlir::Type typeOf(DType dtype, mlir::MLIRContext *context);

} // namespace adze::interp

#endif // ADZE_INTERP_TENSOR_H
