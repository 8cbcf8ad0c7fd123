// RUN: adze-opt %s --adze-shape-matmuls --adze-place-transposes --canonicalize | FileCheck %s

// What follows the product has its shape, so that it can run in its kernel.
// CHECK-LABEL: func.func @linear
// CHECK: prim.matmul %arg0, %arg1 : tensor<2x3x8xf32>, tensor<8x6xf32> to tensor<2x3x6xf32>
// CHECK-NOT: prim.reshape
func.func @linear(%x: tensor<2x3x8xf32>, %w: tensor<8x6xf32>) -> tensor<2x3x6xf32> {
  %0 = prim.reshape %x : tensor<2x3x8xf32> to tensor<6x8xf32>
  %1 = prim.matmul %0, %w : tensor<6x8xf32>, tensor<8x6xf32> to tensor<6x6xf32>
  %2 = prim.reshape %1 : tensor<6x6xf32> to tensor<2x3x6xf32>
  return %2 : tensor<2x3x6xf32>
}

// CHECK-LABEL: func.func @transposes
// CHECK: %[[B:.*]] = prim.transpose %arg1 by [0, 2, 1]
// CHECK: prim.matmul %arg0, %[[B]] transpose_lhs
func.func @transposes(%a: tensor<2x8x4xf32>, %b: tensor<2x6x8xf32>) -> tensor<2x4x6xf32> {
  %0 = prim.transpose %a by [0, 2, 1] : tensor<2x8x4xf32> to tensor<2x4x8xf32>
  %1 = prim.matmul %0, %b transpose_rhs : tensor<2x4x8xf32>, tensor<2x6x8xf32> to tensor<2x4x6xf32>
  return %1 : tensor<2x4x6xf32>
}
