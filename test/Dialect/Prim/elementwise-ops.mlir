// RUN: adze-opt %s | adze-opt | FileCheck %s

// CHECK-LABEL: @unary
func.func @unary(%x: tensor<4xf32>, %i: tensor<4xi32>, %z: tensor<4xcomplex<f32>>) {
  // CHECK: prim.neg %{{.*}} : tensor<4xf32>
  %0 = prim.neg %x : tensor<4xf32>
  // CHECK: prim.abs %{{.*}} : tensor<4xi32>
  %1 = prim.abs %i : tensor<4xi32>
  // CHECK: prim.exp %{{.*}} : tensor<4xcomplex<f32>>
  %2 = prim.exp %z : tensor<4xcomplex<f32>>
  // CHECK: prim.special lgamma %{{.*}} : tensor<4xf32>
  %3 = prim.special lgamma %x : tensor<4xf32>
  // CHECK: prim.convert %{{.*}} : tensor<4xf32> to tensor<4xui8>
  %4 = prim.convert %x : tensor<4xf32> to tensor<4xui8>
  // CHECK: prim.bitcast %{{.*}} : tensor<4xf32> to tensor<4xi32>
  %5 = prim.bitcast %x : tensor<4xf32> to tensor<4xi32>
  // CHECK: prim.real %{{.*}} : tensor<4xcomplex<f32>> to tensor<4xf32>
  %6 = prim.real %z : tensor<4xcomplex<f32>> to tensor<4xf32>
  return
}

// CHECK-LABEL: @binary
func.func @binary(%x: tensor<?x3xf16, #sym.dims<s0, 3>>, %c: tensor<?x3xi1, #sym.dims<s0, 3>>) {
  // CHECK: prim.add %{{.*}}, %{{.*}} : tensor<?x3xf16, #sym.dims<s0, 3>>
  %0 = prim.add %x, %x : tensor<?x3xf16, #sym.dims<s0, 3>>
  // CHECK: prim.compare le %{{.*}}, %{{.*}} : tensor<?x3xf16, #sym.dims<s0, 3>>
  %1 = prim.compare le %x, %0 : tensor<?x3xf16, #sym.dims<s0, 3>>
  // CHECK: prim.where %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x3xi1, #sym.dims<s0, 3>>, tensor<?x3xf16, #sym.dims<s0, 3>>
  %2 = prim.where %c, %x, %0 : tensor<?x3xi1, #sym.dims<s0, 3>>, tensor<?x3xf16, #sym.dims<s0, 3>>
  // CHECK: prim.special2 zeta
  %3 = prim.special2 zeta %x, %x : tensor<?x3xf16, #sym.dims<s0, 3>>
  return
}

// CHECK-LABEL: @complex
func.func @complex(%x: tensor<2xf64>) -> tensor<2xcomplex<f64>> {
  // CHECK: prim.complex %{{.*}}, %{{.*}} : tensor<2xf64> to tensor<2xcomplex<f64>>
  %0 = prim.complex %x, %x : tensor<2xf64> to tensor<2xcomplex<f64>>
  return %0 : tensor<2xcomplex<f64>>
}
