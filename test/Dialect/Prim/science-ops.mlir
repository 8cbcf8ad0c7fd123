// RUN: adze-opt %s | adze-opt | FileCheck %s

// CHECK-LABEL: @random
func.func @random(%k: tensor<2xi64>) {
  // CHECK: prim.random normal %{{.*}} stream = 3 : tensor<2xi64> to tensor<?xbf16, #sym.dims<s0>>
  %0 = prim.random normal %k stream = 3 : tensor<2xi64> to tensor<?xbf16, #sym.dims<s0>>
  // CHECK: prim.random bits %{{.*}} stream = 4 : tensor<2xi64> to tensor<4xi64>
  %1 = prim.random bits %k stream = 4 : tensor<2xi64> to tensor<4xi64>
  return
}

// CHECK-LABEL: @linear_algebra
func.func @linear_algebra(%z: tensor<4xcomplex<f32>>, %a: tensor<2x5x3xf64>, %s: tensor<2x3x3xf64>) {
  // CHECK: prim.fft %{{.*}} dim = 0 inverse : tensor<4xcomplex<f32>>
  %0 = prim.fft %z dim = 0 inverse : tensor<4xcomplex<f32>>
  // CHECK: prim.lu %{{.*}} : tensor<2x5x3xf64> to tensor<2x5x3xf64>, tensor<2x3xi32>, tensor<2xi32>
  %1:3 = prim.lu %a : tensor<2x5x3xf64> to tensor<2x5x3xf64>, tensor<2x3xi32>, tensor<2xi32>
  // CHECK: prim.triangular_solve %{{.*}}, %{{.*}} upper transpose unit : tensor<2x3x3xf64>, tensor<2x3x3xf64>
  %2 = prim.triangular_solve %s, %s upper transpose unit : tensor<2x3x3xf64>, tensor<2x3x3xf64>
  // CHECK: prim.cholesky %{{.*}} : tensor<2x3x3xf64> to tensor<2x3x3xf64>, tensor<2xi32>
  %3:2 = prim.cholesky %s : tensor<2x3x3xf64> to tensor<2x3x3xf64>, tensor<2xi32>
  // CHECK: prim.qr %{{.*}} : tensor<2x5x3xf64> to tensor<2x5x5xf64>, tensor<2x5x3xf64>
  %4:2 = prim.qr %a : tensor<2x5x3xf64> to tensor<2x5x5xf64>, tensor<2x5x3xf64>
  // CHECK: prim.eigh %{{.*}} : tensor<2x3x3xf64> to tensor<2x3xf64>, tensor<2x3x3xf64>
  %5:2 = prim.eigh %s : tensor<2x3x3xf64> to tensor<2x3xf64>, tensor<2x3x3xf64>
  // CHECK: prim.svd %{{.*}} : tensor<2x5x3xf64> to tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>
  %6:3 = prim.svd %a : tensor<2x5x3xf64> to tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>
  return
}
