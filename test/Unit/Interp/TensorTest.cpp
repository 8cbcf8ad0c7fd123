//===- TensorTest.cpp - Tensors of the reference interpreter -------------===//

#include "InterpFixture.h"

namespace adze::interp {
namespace {

using TensorTest = InterpFixture;

TEST_F(TensorTest, CopiesShareUntilWritten) {
  Tensor a = floats("f32", {3}, {1, 2, 3}), b = a;
  EXPECT_EQ(a.data<double>(), b.data<double>());
  b.mutableData<double>()[0] = 9;
  EXPECT_EQ(list<double>(a), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(list<double>(b), (std::vector<double>{9, 2, 3}));
}

TEST_F(TensorTest, GoesThroughHostMemoryAndBack) {
  for (const DTypeInfo &info : allDTypes()) {
    Tensor tensor(typeOf(info.dtype, &context), {2, 2});
    if (tensor.isFloat())
      llvm::copy(std::vector<double>{0, 1, -2, 0.5},
                 tensor.mutableData<double>());
    else if (tensor.isInteger())
      llvm::copy(std::vector<int64_t>{0, 1, 1, 0},
                 tensor.mutableData<int64_t>());
    else
      llvm::copy(std::vector<Complex>{{1, 2}, {0, -1}, 3, 4},
                 tensor.mutableData<Complex>());
    HostTensor host = llvm::cantFail(tensor.toHost());
    EXPECT_EQ(host.dtype(), info.dtype);
    Tensor back = llvm::cantFail(Tensor::fromHost(host, &context));
    EXPECT_EQ(back.toAttr(), tensor.toAttr()) << info.name.str();
    EXPECT_EQ(llvm::cantFail(Tensor::fromAttr(tensor.toAttr())).toAttr(),
              tensor.toAttr());
  }
}

TEST_F(TensorTest, ReadsStridedHostTensors) {
  HostTensor host =
      HostTensor::of<double>(DType::Float32, {2, 3}, {1, 2, 3, 4, 5, 6});
  HostTensor columns = llvm::cantFail(host.withStrides({1, 2}));
  Tensor tensor = llvm::cantFail(Tensor::fromHost(columns, &context));
  EXPECT_EQ(list<double>(tensor), (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST_F(TensorTest, KeepsTheBitsOfUnsignedIntegers) {
  Tensor tensor = ints("ui64", {1}, {-1});
  HostTensor host = llvm::cantFail(tensor.toHost());
  EXPECT_EQ(host.dataAs<uint64_t>()[0], ~uint64_t(0));
}

TEST(SizesTest, ProductDetectsOverflow) {
  EXPECT_EQ(product({2, 3}), 6);
  EXPECT_EQ(product({}), 1);
  EXPECT_EQ(product({0, 5}), 0);
  EXPECT_FALSE(product({int64_t(1) << 40, int64_t(1) << 40}));
  EXPECT_FALSE(product({-1}));
}

} // namespace
} // namespace adze::interp
