// RUN: adze-opt %s | adze-opt | FileCheck %s

// CHECK-LABEL: @creation
func.func @creation() {
  // CHECK: prim.constant dense<[1, 2]> : tensor<2xi64>
  %0 = prim.constant dense<[1, 2]> : tensor<2xi64>
  // CHECK: prim.full 1.500000e+00 : bf16 to tensor<2x3xbf16>
  %1 = prim.full 1.5 : bf16 to tensor<2x3xbf16>
  // CHECK: prim.full true to tensor<i1>
  %2 = prim.full true to tensor<i1>
  // CHECK: prim.full [1.000000e+00 : f32, 2.000000e+00 : f32] to tensor<2xcomplex<f32>>
  %3 = prim.full [1.0 : f32, 2.0 : f32] to tensor<2xcomplex<f32>>
  // CHECK: prim.iota dim = 1 : tensor<2x3xi32>
  %4 = prim.iota dim = 1 : tensor<2x3xi32>
  return
}

// CHECK-LABEL: @symbols
func.func @symbols(%x: tensor<?xf32, #sym.dims<s0>>, %n: tensor<i64>, %c: tensor<i1>) {
  // CHECK: prim.symbol_value <2 * s0 + 1> : tensor<i64>
  %0 = prim.symbol_value <2 * s0 + 1> : tensor<i64>
  // CHECK: prim.bind_symbol "u0" = %{{.*}} : tensor<i64>
  prim.bind_symbol "u0" = %n : tensor<i64>
  // CHECK: prim.assert %{{.*}}, "must hold" : tensor<i1>
  prim.assert %c, "must hold" : tensor<i1>
  // CHECK: prim.assert_expr <le(u0, s0)>, "too many"
  prim.assert_expr <le(u0, s0)>, "too many"
  // CHECK: prim.check_shape %{{.*}} : tensor<?xf32, #sym.dims<s0>> to tensor<?xf32, #sym.dims<u0>>
  %1 = prim.check_shape %x : tensor<?xf32, #sym.dims<s0>> to tensor<?xf32, #sym.dims<u0>>
  return
}

// CHECK-LABEL: @movement
func.func @movement(%x: tensor<?x6xf32, #sym.dims<s0, 6>>, %v: tensor<f32>) {
  // CHECK: prim.reshape %{{.*}} : tensor<?x6xf32, #sym.dims<s0, 6>> to tensor<?xf32, #sym.dims<6 * s0>>
  %0 = prim.reshape %x : tensor<?x6xf32, #sym.dims<s0, 6>> to tensor<?xf32, #sym.dims<6 * s0>>
  // CHECK: prim.transpose %{{.*}} by [1, 0]
  %1 = prim.transpose %x by [1, 0] : tensor<?x6xf32, #sym.dims<s0, 6>> to tensor<6x?xf32, #sym.dims<6, s0>>
  // CHECK: prim.broadcast
  %2 = prim.broadcast %x : tensor<?x6xf32, #sym.dims<s0, 6>> to tensor<2x?x6xf32, #sym.dims<2, s0, 6>>
  // CHECK: prim.slice %{{.*}} from [#sym.expr<s0 + -1>, #sym.expr<1>] by [1, 2]
  %3 = prim.slice %x from [#sym.expr<s0 + -1>, #sym.expr<1>] by [1, 2] : tensor<?x6xf32, #sym.dims<s0, 6>> to tensor<1x3xf32>
  // CHECK: prim.update_slice
  %4 = prim.update_slice %x, %3 from [#sym.expr<0>, #sym.expr<1>] by [1, 2] : tensor<?x6xf32, #sym.dims<s0, 6>>, tensor<1x3xf32>
  // CHECK: prim.pad %{{.*}} with %{{.*}} low [#sym.expr<0>, #sym.expr<s0>] high [#sym.expr<1>, #sym.expr<0>]
  %5 = prim.pad %x with %v low [#sym.expr<0>, #sym.expr<s0>] high [#sym.expr<1>, #sym.expr<0>] : tensor<?x6xf32, #sym.dims<s0, 6>>, tensor<f32> to tensor<?x?xf32, #sym.dims<s0 + 1, s0 + 6>>
  // CHECK: prim.concat %{{.*}}, %{{.*}} dim = 0 : {{.*}} to tensor<?x6xf32, #sym.dims<2 * s0, 6>>
  %6 = prim.concat %x, %x dim = 0 : tensor<?x6xf32, #sym.dims<s0, 6>>, tensor<?x6xf32, #sym.dims<s0, 6>> to tensor<?x6xf32, #sym.dims<2 * s0, 6>>
  // CHECK: prim.reverse %{{.*}} dims = [0, 1]
  %7 = prim.reverse %x dims = [0, 1] : tensor<?x6xf32, #sym.dims<s0, 6>>
  return
}
