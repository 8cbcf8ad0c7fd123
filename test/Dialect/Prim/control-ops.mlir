// RUN: adze-opt %s | adze-opt | FileCheck %s

// CHECK-LABEL: @cond
func.func @cond(%c: tensor<i1>, %x: tensor<?xf32, #sym.dims<s0>>) -> tensor<?xf32, #sym.dims<u0>> {
  // CHECK: prim.cond %{{.*}} : tensor<i1> to tensor<?xf32, #sym.dims<u0>> {
  // CHECK: prim.yield %{{.*}} : tensor<?xf32, #sym.dims<s0>>
  // CHECK: } else {
  // CHECK: } {defines = ["u0"], else_sizes = [#sym.expr<2>], then_sizes = [#sym.expr<s0>]}
  %0 = prim.cond %c : tensor<i1> to tensor<?xf32, #sym.dims<u0>> {
    prim.yield %x : tensor<?xf32, #sym.dims<s0>>
  } else {
    %1 = prim.full 0.0 : f32 to tensor<2xf32>
    prim.yield %1 : tensor<2xf32>
  } {defines = ["u0"], then_sizes = [#sym.expr<s0>], else_sizes = [#sym.expr<2>]}
  return %0 : tensor<?xf32, #sym.dims<u0>>
}

// CHECK-LABEL: @cond_without_results
func.func @cond_without_results(%c: tensor<i1>) {
  // CHECK: prim.cond %{{.*}} : tensor<i1> {
  // CHECK: prim.assert
  prim.cond %c : tensor<i1> {
    prim.assert %c, "x" : tensor<i1>
  } else {
  }
  return
}

// CHECK-LABEL: @loops
func.func @loops(%i: tensor<i64>, %x: tensor<?x3xf32, #sym.dims<s0, 3>>, %z: tensor<3xf32>) {
  // CHECK: prim.while %{{.*}} : tensor<i64> to tensor<i64> {
  // CHECK: } do {
  %0 = prim.while %i : tensor<i64> to tensor<i64> {
  ^bb0(%a: tensor<i64>):
    %c = prim.compare lt %a, %i : tensor<i64>
    prim.yield %c : tensor<i1>
  } do {
  ^bb0(%a: tensor<i64>):
    prim.yield %a : tensor<i64>
  }
  // CHECK: prim.scan init(%{{.*}} : tensor<3xf32>) over(%{{.*}} : tensor<?x3xf32, #sym.dims<s0, 3>>) to tensor<3xf32>, tensor<?x3xf32, #sym.dims<s0, 3>> {
  %1:2 = prim.scan init(%z : tensor<3xf32>) over(%x : tensor<?x3xf32, #sym.dims<s0, 3>>) to tensor<3xf32>, tensor<?x3xf32, #sym.dims<s0, 3>> {
  ^bb0(%s: tensor<3xf32>, %e: tensor<3xf32>):
    %t = prim.add %s, %e : tensor<3xf32>
    prim.yield %t, %e : tensor<3xf32>, tensor<3xf32>
  }
  return
}
