// RUN: adze-opt %s | adze-opt | FileCheck %s

// CHECK-LABEL: @contractions
func.func @contractions(%a: tensor<2x?x4xf32, #sym.dims<2, s0, 4>>, %b: tensor<2x5x4xf32>, %c: tensor<4x7xf32>,
                        %x: tensor<1x?x9x4xf32, #sym.dims<1, s0, 9, 4>>, %w: tensor<3x3x2x6xf32>) {
  // CHECK: prim.matmul %{{.*}}, %{{.*}} transpose_rhs : {{.*}} to tensor<2x?x5xf32, #sym.dims<2, s0, 5>>
  %0 = prim.matmul %a, %b transpose_rhs : tensor<2x?x4xf32, #sym.dims<2, s0, 4>>, tensor<2x5x4xf32> to tensor<2x?x5xf32, #sym.dims<2, s0, 5>>
  // CHECK: prim.matmul %{{.*}}, %{{.*}} : {{.*}} to tensor<2x?x7xf32, #sym.dims<2, s0, 7>>
  %s = prim.matmul %a, %c : tensor<2x?x4xf32, #sym.dims<2, s0, 4>>, tensor<4x7xf32> to tensor<2x?x7xf32, #sym.dims<2, s0, 7>>
  // CHECK: prim.convolution %{{.*}}, %{{.*}} {dilation = array<i64: 1, 1>, groups = 2 : i64, high = array<i64: 1, 1>, layout = 1 : i32, low = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, stride = array<i64: 2, 2>}
  // CHECK-SAME: to tensor<1x?x5x6xf32, #sym.dims<1, floordiv(s0 + -1, 2) + 1, 5, 6>>
  %1 = prim.convolution %x, %w {dilation = array<i64: 1, 1>, groups = 2 : i64, high = array<i64: 1, 1>, layout = 1 : i32, low = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, stride = array<i64: 2, 2>} : tensor<1x?x9x4xf32, #sym.dims<1, s0, 9, 4>>, tensor<3x3x2x6xf32> to tensor<1x?x5x6xf32, #sym.dims<1, floordiv(s0 + -1, 2) + 1, 5, 6>>
  return
}

// CHECK-LABEL: @pools
func.func @pools(%x: tensor<2x3x8xf32>) {
  // CHECK: prim.pool max %{{.*}} {dilation = array<i64: 1>, high = array<i64: 0>, low = array<i64: 0>, stride = array<i64: 2>, window = array<i64: 2>} : tensor<2x3x8xf32> to tensor<2x3x4xf32>
  %0 = prim.pool max %x {dilation = array<i64: 1>, high = array<i64: 0>, low = array<i64: 0>, stride = array<i64: 2>, window = array<i64: 2>} : tensor<2x3x8xf32> to tensor<2x3x4xf32>
  // CHECK: prim.arg_pool
  %1 = prim.arg_pool %x {dilation = array<i64: 1>, high = array<i64: 0>, low = array<i64: 0>, stride = array<i64: 2>, window = array<i64: 2>} : tensor<2x3x8xf32> to tensor<2x3x4xi64>
  return
}

// CHECK-LABEL: @norms
func.func @norms(%x: tensor<2x3x8xbf16>, %w: tensor<8xbf16>) {
  // CHECK: prim.softmax %{{.*}} dim = 2 : tensor<2x3x8xbf16>
  %0 = prim.softmax %x dim = 2 : tensor<2x3x8xbf16>
  // CHECK: prim.log_softmax %{{.*}} dim = 0
  %1 = prim.log_softmax %x dim = 0 : tensor<2x3x8xbf16>
  // CHECK: prim.layer_norm %{{.*}} weight %{{.*}} : tensor<8xbf16> {axes = 1 : i64, eps = 1.000000e-05 : f64} : tensor<2x3x8xbf16> to tensor<2x3x1xf32>
  %2:3 = prim.layer_norm %x weight %w : tensor<8xbf16> {axes = 1 : i64, eps = 1.0e-05 : f64} : tensor<2x3x8xbf16> to tensor<2x3x1xf32>
  // CHECK: prim.rms_norm %{{.*}} {axes = 2 : i64, eps = 0.000000e+00 : f64} : tensor<2x3x8xbf16>
  %3 = prim.rms_norm %x {axes = 2 : i64, eps = 0.0 : f64} : tensor<2x3x8xbf16>
  return
}

// CHECK-LABEL: @attention
func.func @attention(%q: tensor<2x5x4xf32>, %v: tensor<2x6x3xf32>, %k: tensor<2x6x4xf32>, %m: tensor<1x5x6xi1>) {
  // CHECK: prim.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} : tensor<1x5x6xi1> scale = 5.000000e-01 : tensor<2x5x4xf32>, tensor<2x6x4xf32>, tensor<2x6x3xf32> to tensor<2x5x3xf32>
  %0 = prim.attention %q, %k, %v mask %m : tensor<1x5x6xi1> scale = 5.0e-01 : tensor<2x5x4xf32>, tensor<2x6x4xf32>, tensor<2x6x3xf32> to tensor<2x5x3xf32>
  // CHECK: prim.attention %{{.*}}, %{{.*}}, %{{.*}} scale = 1.000000e+00 causal
  %1 = prim.attention %q, %k, %v scale = 1.0 causal : tensor<2x5x4xf32>, tensor<2x6x4xf32>, tensor<2x6x3xf32> to tensor<2x5x3xf32>
  return
}
