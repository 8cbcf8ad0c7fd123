//===- KernelPackerTest.cpp - Weights as the kernels of adze read them ----===//

#include "adze/Package/KernelPacker.h"

#include "dialects/Kernel/Kernel.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace adze;

namespace {

using kernel::PackingKind;

/// Packs 0, 1, 2, ... as a weight of this shape.
template <typename T>
std::vector<T> packed(PackingKind kind, int64_t panel, int64_t groups,
                      DType dtype, llvm::ArrayRef<int64_t> shape) {
  mlir::MLIRContext context;
  context.loadDialect<kernel::KernelDialect>();
  auto packing = kernel::PackingAttr::get(&context, kind, panel, groups);
  std::vector<T> weight(std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                        std::multiplies<>()));
  std::iota(weight.begin(), weight.end(), T(0));
  KernelPacker packer;
  auto layout = packer.layout(packing, dtype, shape);
  if (!layout) {
    ADD_FAILURE() << llvm::toString(layout.takeError());
    return {};
  }
  std::vector<T> result(std::accumulate(layout->shape.begin(),
                                        layout->shape.end(), int64_t(1),
                                        std::multiplies<>()));
  auto bytes = [](std::vector<T> &values) {
    return llvm::MutableArrayRef<uint8_t>(
        reinterpret_cast<uint8_t *>(values.data()), values.size() * sizeof(T));
  };
  packer.pack(packing, dtype, shape, bytes(weight), bytes(result));
  return result;
}

/// [O, C/groups, taps]: 4 outputs in 2 groups, 1 input of each, 2 taps.
TEST(KernelPackerTest, filtersHavePanelsOfOutputsForEachTap) {
  EXPECT_EQ(packed<float>(PackingKind::filter, 2, 2, DType::Float32, {4, 1, 2}),
            (std::vector<float>{0, 2, 1, 3, 4, 6, 5, 7}));
}

/// [C, O/groups, taps]: 4 inputs in 2 groups, 1 output of each, 2 taps.
TEST(KernelPackerTest, transposedFiltersSwapInputsAndOutputs) {
  EXPECT_EQ(packed<float>(PackingKind::transposed_filter, 1, 2, DType::Float32,
                          {4, 1, 2}),
            (std::vector<float>{0, 2, 1, 3, 4, 6, 5, 7}));
  // 1 input, 3 outputs, 2 taps: what is beyond the outputs is zero.
  EXPECT_EQ(packed<float>(PackingKind::transposed_filter, 2, 1, DType::Float32,
                          {1, 3, 2}),
            (std::vector<float>{0, 2, 1, 3, 4, 0, 5, 0}));
}

TEST(KernelPackerTest, bytesArePackedToo) {
  EXPECT_EQ(packed<int8_t>(PackingKind::rhs, 2, 1, DType::Int8, {2, 3}),
            (std::vector<int8_t>{0, 1, 3, 4, 2, 0, 5, 0}));
}

} // namespace
