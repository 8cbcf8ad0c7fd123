//===- CostTest.cpp - Costs of ops against counts by hand -----------------===//

#include "InterpFixture.h"

#include "dialects/Prim/PrimCost.h"

using namespace mlir;

namespace adze::interp {
namespace {

class CostTest : public InterpFixture {
protected:
  /// The cost of all ops of a function, as text.
  std::string cost(StringRef text) {
    return sym::toString(prim::flopsOf(parse(text).getBody()));
  }
};

TEST_F(CostTest, Matmul) {
  EXPECT_EQ(cost(R"(
    func.func @f(%a: tensor<?x3x4xf32, #sym.dims<n, 3, 4>>, %b: tensor<4x5xf32>) {
      %0 = prim.matmul %a, %b : tensor<?x3x4xf32, #sym.dims<n, 3, 4>>, tensor<4x5xf32> to tensor<?x3x5xf32, #sym.dims<n, 3, 5>>
      return
    })"),
            "120 * n");
}

TEST_F(CostTest, TransposedLhs) {
  EXPECT_EQ(cost(R"(
    func.func @f(%a: tensor<7x3xf32>, %b: tensor<7x5xf32>) {
      %0 = prim.matmul %a, %b transpose_lhs : tensor<7x3xf32>, tensor<7x5xf32> to tensor<3x5xf32>
      return
    })"),
            "210");
}

TEST_F(CostTest, GroupedConvolution) {
  // 2 * 6 channels * 4 * 4 pixels * (2 channels * 3 * 3 of the filter)
  EXPECT_EQ(cost(R"(
    func.func @f(%x: tensor<1x4x6x6xf32>, %w: tensor<6x2x3x3xf32>) {
      %0 = prim.convolution %x, %w {stride = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 2 : i64} : tensor<1x4x6x6xf32>, tensor<6x2x3x3xf32> to tensor<1x6x4x4xf32>
      return
    })"),
            "3456");
}

TEST_F(CostTest, ConvolutionOfEitherLayout) {
  EXPECT_EQ(cost(R"(
    func.func @f(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x2x6xf32>) {
      %0 = prim.convolution %x, %w {stride = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 2 : i64, layout = 1 : i32} : tensor<1x6x6x4xf32>, tensor<3x3x2x6xf32> to tensor<1x4x4x6xf32>
      return
    })"),
            "3456");
  // 2 * 4 channels * 6 * 6 pixels * (3 channels * 3 * 3 of the filter)
  EXPECT_EQ(cost(R"(
    func.func @f(%x: tensor<1x6x6x4xf32>, %w: tensor<3x3x2x6xf32>) {
      %0 = prim.convolution %x, %w {stride = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 2 : i64, transposed, layout = 1 : i32} : tensor<1x6x6x4xf32>, tensor<3x3x2x6xf32> to tensor<1x8x8x6xf32>
      return
    })"),
            "7776");
}

TEST_F(CostTest, ElementsOfEachKind) {
  // 10 for add, 160 for exp, 40 for the complex sum, 10 for the reduction,
  // nothing for the transpose.
  EXPECT_EQ(cost(R"(
    func.func @f(%x: tensor<2x5xf32>, %z: tensor<2x5xcomplex<f32>>) {
      %0 = prim.add %x, %x : tensor<2x5xf32>
      %1 = prim.exp %0 : tensor<2x5xf32>
      %2 = prim.add %z, %z : tensor<2x5xcomplex<f32>>
      %3 = prim.reduce sum %1 dims = [1] : tensor<2x5xf32> to tensor<2xf32>
      %4 = prim.transpose %1 by [1, 0] : tensor<2x5xf32> to tensor<5x2xf32>
      return
    })"),
            "220");
}

TEST_F(CostTest, ScanRunsItsBodyForEachSlice) {
  EXPECT_EQ(cost(R"(
    func.func @f(%x: tensor<6x3xf32>, %init: tensor<3xf32>) {
      %0 = prim.scan init(%init : tensor<3xf32>) over(%x : tensor<6x3xf32>) to tensor<3xf32> {
      ^bb0(%carry: tensor<3xf32>, %slice: tensor<3xf32>):
        %1 = prim.add %carry, %slice : tensor<3xf32>
        prim.yield %1 : tensor<3xf32>
      }
      return
    })"),
            "18");
}

} // namespace
} // namespace adze::interp
