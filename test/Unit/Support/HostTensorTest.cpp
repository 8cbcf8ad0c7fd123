//===- HostTensorTest.cpp - Tensors in memory -----------------------------===//

#include "adze/Support/HostTensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace adze {

using Doubles = std::vector<double>;
using Ints = std::vector<int64_t>;

static HostTensor ramp(DType dtype, llvm::ArrayRef<int64_t> shape) {
  Ints values(*elementCount(shape));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int64_t>(i);
  return HostTensor::of<int64_t>(dtype, shape, values);
}

TEST(HostTensor, IsAlignedAndZeroed) {
  HostTensor tensor = llvm::cantFail(HostTensor::create(DType::Int32, {3, 5}));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data()) % 64, 0u);
  EXPECT_EQ(tensor.toInts(), Ints(15, 0));
  EXPECT_EQ(tensor.describe(), "int32[3, 5]");
}

TEST(HostTensor, RefusesSizesThatOverflow) {
  int64_t huge = int64_t(1) << 40;
  EXPECT_FALSE(elementCount({huge, huge}));
  EXPECT_FALSE(elementCount({-1}));
  EXPECT_EQ(elementCount({0, 5}), 0);
  for (Dims shape : {Dims{huge, huge}, Dims{-1}, Dims{huge, 1 << 22}}) {
    llvm::Expected<HostTensor> tensor =
        HostTensor::create(DType::Float64, shape);
    EXPECT_FALSE(static_cast<bool>(tensor));
    llvm::consumeError(tensor.takeError());
  }
}

TEST(HostTensor, RelayoutKeepsLogicalOrder) {
  HostTensor a = ramp(DType::Float32, {2, 3});
  HostTensor b = llvm::cantFail(a.withStrides({1, 2}));
  EXPECT_FALSE(b.isContiguous());
  EXPECT_EQ(b.toDoubles(), a.toDoubles());
  EXPECT_EQ(b.dataAs<float>()[1], 3.0f);
  EXPECT_EQ(b.contiguous().strides(), a.strides());
  EXPECT_EQ(b.contiguous().toInts(), a.toInts());
}

TEST(HostTensor, GapsAndExpandedDims) {
  HostTensor a = ramp(DType::Int64, {2, 2});
  HostTensor gaps = llvm::cantFail(a.withStrides({10, 3}));
  EXPECT_EQ(gaps.numBytes(), (10 + 3 + 1) * 8);
  EXPECT_EQ(gaps.toInts(), a.toInts());
  HostTensor expanded = llvm::cantFail(a.withStrides({0, 1}));
  EXPECT_EQ(expanded.toInts(), (Ints{2, 3, 2, 3}));
}

TEST(HostTensor, CastsAsTorchDoes) {
  HostTensor real = HostTensor::of<double>(
      DType::Float64, {4}, Doubles{-1.5, 2.5, 300, std::nan("")});
  EXPECT_EQ(real.cast(DType::Int64).toInts(), (Ints{-1, 2, 300, 0}));
  EXPECT_EQ(real.cast(DType::Bool).toInts(), (Ints{1, 1, 1, 1}));
  EXPECT_EQ(real.cast(DType::Complex64).toComplex()[1],
            std::complex<double>(2.5, 0));
  EXPECT_EQ(real.cast(DType::BFloat16).toDoubles()[2], 300);
}

TEST(HostTensor, DenseStridesKeepTheOrderOfDims) {
  // channels last
  EXPECT_EQ(denseStridesLike({2, 3, 4, 5}, {60, 1, 15, 3}),
            (Dims{60, 1, 15, 3}));
  EXPECT_EQ(denseStridesLike({2, 3}, {100, 7}), (Dims{3, 1}));
}

} // namespace adze
