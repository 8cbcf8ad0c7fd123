// RUN: adze-opt %s | adze-opt | FileCheck %s

// CHECK-LABEL: @reductions
func.func @reductions(%x: tensor<?x3xf32, #sym.dims<s0, 3>>) {
  // CHECK: prim.reduce sum %{{.*}} dims = [0] : tensor<?x3xf32, #sym.dims<s0, 3>> to tensor<3xf32>
  %0 = prim.reduce sum %x dims = [0] : tensor<?x3xf32, #sym.dims<s0, 3>> to tensor<3xf32>
  // CHECK: prim.arg_reduce max %{{.*}} dim = 1 : {{.*}} to tensor<?xi64, #sym.dims<s0>>
  %1 = prim.arg_reduce max %x dim = 1 : tensor<?x3xf32, #sym.dims<s0, 3>> to tensor<?xi64, #sym.dims<s0>>
  // CHECK: prim.cumulative logsumexp %{{.*}} dim = 0
  %2 = prim.cumulative logsumexp %x dim = 0 : tensor<?x3xf32, #sym.dims<s0, 3>>
  // CHECK: prim.arg_cumulative min %{{.*}} dim = 0
  %3 = prim.arg_cumulative min %x dim = 0 : tensor<?x3xf32, #sym.dims<s0, 3>>
  return
}

// CHECK-LABEL: @order
func.func @order(%x: tensor<4x5xi32>, %s: tensor<7xi32>) {
  // CHECK: prim.sort %{{.*}} dim = 1 descending : tensor<4x5xi32>
  %0:2 = prim.sort %x dim = 1 descending : tensor<4x5xi32>
  // CHECK: prim.topk %{{.*}} dim = 0 smallest : tensor<4x5xi32> to tensor<2x5xi32>, tensor<2x5xi64>
  %1:2 = prim.topk %x dim = 0 smallest : tensor<4x5xi32> to tensor<2x5xi32>, tensor<2x5xi64>
  // CHECK: prim.searchsorted %{{.*}}, %{{.*}} right : tensor<7xi32>, tensor<4x5xi32>
  %2 = prim.searchsorted %s, %x right : tensor<7xi32>, tensor<4x5xi32>
  return
}
