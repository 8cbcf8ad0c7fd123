// RUN: adze-opt %s --adze-expand-composites | FileCheck %s

// CHECK-LABEL: @softmax
//       CHECK:   prim.reduce max %{{.*}} dims = [1]
//       CHECK:   prim.exp
//       CHECK:   prim.reduce sum %{{.*}} dims = [1]
//       CHECK:   prim.div
//   CHECK-NOT:   prim.softmax
func.func @softmax(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = prim.softmax %x dim = 1 : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Half precision is computed in f32 and rounded once.
// CHECK-LABEL: @softmax_bf16
//       CHECK:   prim.convert %{{.*}} : tensor<2x3xbf16> to tensor<2x3xf32>
//       CHECK:   prim.exp %{{.*}} : tensor<2x3xf32>
//       CHECK:   prim.convert %{{.*}} : tensor<2x3xf32> to tensor<2x3xbf16>
//  CHECK-NEXT:   return
func.func @softmax_bf16(%x: tensor<2x3xbf16>) -> tensor<2x3xbf16> {
  %0 = prim.softmax %x dim = 1 : tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}

// A row that sees no key gives zeros: its maximum is minus infinity.
// CHECK-LABEL: @causal_attention
//       CHECK:   prim.matmul %{{.*}} transpose_rhs
//       CHECK:   prim.compare le
//       CHECK:   prim.where
//       CHECK:   prim.reduce max
//       CHECK:   prim.compare eq
//       CHECK:   prim.matmul
func.func @causal_attention(%q: tensor<2x5x4xf32>, %k: tensor<2x5x4xf32>, %v: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  %0 = prim.attention %q, %k, %v scale = 5.000000e-01 causal : tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32> to tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}
