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

// What has a kernel stays whole: floats computed in f32, dynamic sizes.
// CHECK-LABEL: @attention_kernel
//       CHECK:   prim.attention
//  CHECK-NEXT:   return
func.func @attention_kernel(%q: tensor<2x?x4xbf16, #sym.dims<2, s0, 4>>, %k: tensor<2x?x4xbf16, #sym.dims<2, s1, 4>>, %m: tensor<1x1x?xi1, #sym.dims<1, 1, s1>>) -> tensor<2x?x4xbf16, #sym.dims<2, s0, 4>> {
  %0 = prim.attention %q, %k, %k mask %m : tensor<1x1x?xi1, #sym.dims<1, 1, s1>> scale = 5.000000e-01 : tensor<2x?x4xbf16, #sym.dims<2, s0, 4>>, tensor<2x?x4xbf16, #sym.dims<2, s1, 4>>, tensor<2x?x4xbf16, #sym.dims<2, s1, 4>> to tensor<2x?x4xbf16, #sym.dims<2, s0, 4>>
  return %0 : tensor<2x?x4xbf16, #sym.dims<2, s0, 4>>
}

// A head whose size is not known has no scratch of a known size.
// CHECK-LABEL: @attention_dynamic_head
//   CHECK-NOT:   prim.attention
//       CHECK:   prim.matmul
func.func @attention_dynamic_head(%q: tensor<2x5x?xf32, #sym.dims<2, 5, s0>>) -> tensor<2x5x?xf32, #sym.dims<2, 5, s0>> {
  %0 = prim.attention %q, %q, %q scale = 5.000000e-01 : tensor<2x5x?xf32, #sym.dims<2, 5, s0>>, tensor<2x5x?xf32, #sym.dims<2, 5, s0>>, tensor<2x5x?xf32, #sym.dims<2, 5, s0>> to tensor<2x5x?xf32, #sym.dims<2, 5, s0>>
  return %0 : tensor<2x5x?xf32, #sym.dims<2, 5, s0>>
}

// A row that sees no key gives zeros: its maximum is minus infinity.
// CHECK-LABEL: @causal_attention
//       CHECK:   prim.matmul %{{.*}} transpose_rhs
//       CHECK:   prim.compare le
//       CHECK:   prim.where
//       CHECK:   prim.reduce max
//       CHECK:   prim.compare eq
//       CHECK:   prim.matmul
func.func @causal_attention(%q: tensor<2x5x4xf64>, %k: tensor<2x5x4xf64>, %v: tensor<2x5x4xf64>) -> tensor<2x5x4xf64> {
  %0 = prim.attention %q, %k, %v scale = 5.000000e-01 causal : tensor<2x5x4xf64>, tensor<2x5x4xf64>, tensor<2x5x4xf64> to tensor<2x5x4xf64>
  return %0 : tensor<2x5x4xf64>
}
