// RUN: adze-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @same_type_is_no_change
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>)
func.func @same_type_is_no_change(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = prim.convert %x : tensor<2x3xf32> to tensor<2x3xf32>
  %1 = prim.reshape %0 : tensor<2x3xf32> to tensor<2x3xf32>
  %2 = prim.broadcast %1 : tensor<2x3xf32> to tensor<2x3xf32>
  %3 = prim.check_shape %2 : tensor<2x3xf32> to tensor<2x3xf32>
  %4 = prim.transpose %3 by [0, 1] : tensor<2x3xf32> to tensor<2x3xf32>
  %5 = prim.slice %4 from [#sym.expr<0>, #sym.expr<0>] by [1, 1] : tensor<2x3xf32> to tensor<2x3xf32>
  // CHECK-NEXT: return %[[X]]
  return %5 : tensor<2x3xf32>
}

// CHECK-LABEL: @reshapes_merge
// CHECK-SAME: (%[[X:.*]]: tensor<2x6xf32>)
func.func @reshapes_merge(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
  // CHECK-NEXT: %[[R:.*]] = prim.reshape %[[X]] : tensor<2x6xf32> to tensor<3x4xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = prim.reshape %x : tensor<2x6xf32> to tensor<12xf32>
  %1 = prim.reshape %0 : tensor<12xf32> to tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// CHECK-LABEL: @transposes_compose
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
func.func @transposes_compose(%x: tensor<2x3x4xf32>) -> tensor<3x2x4xf32> {
  // CHECK-NEXT: %[[T:.*]] = prim.transpose %[[X]] by [1, 0, 2]
  // CHECK-NEXT: return %[[T]]
  %0 = prim.transpose %x by [1, 2, 0] : tensor<2x3x4xf32> to tensor<3x4x2xf32>
  %1 = prim.transpose %0 by [0, 2, 1] : tensor<3x4x2xf32> to tensor<3x2x4xf32>
  return %1 : tensor<3x2x4xf32>
}

// CHECK-LABEL: @inverse_transposes_vanish
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
func.func @inverse_transposes_vanish(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = prim.transpose %x by [1, 2, 0] : tensor<2x3x4xf32> to tensor<3x4x2xf32>
  %1 = prim.transpose %0 by [2, 0, 1] : tensor<3x4x2xf32> to tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @broadcasts_merge
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>)
func.func @broadcasts_merge(%x: tensor<3xf32>) -> tensor<4x?x3xf32, #sym.dims<4, s0, 3>> {
  // CHECK-NEXT: %[[B:.*]] = prim.broadcast %[[X]] : tensor<3xf32> to tensor<4x?x3xf32, #sym.dims<4, s0, 3>>
  // CHECK-NEXT: return %[[B]]
  %0 = prim.broadcast %x : tensor<3xf32> to tensor<?x3xf32, #sym.dims<s0, 3>>
  %1 = prim.broadcast %0 : tensor<?x3xf32, #sym.dims<s0, 3>> to tensor<4x?x3xf32, #sym.dims<4, s0, 3>>
  return %1 : tensor<4x?x3xf32, #sym.dims<4, s0, 3>>
}

// CHECK-LABEL: @where_of_one_value
// CHECK-SAME: , %[[X:.*]]: tensor<3xf32>)
func.func @where_of_one_value(%c: tensor<3xi1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = prim.where %c, %x, %x : tensor<3xi1>, tensor<3xf32>
  return %0 : tensor<3xf32>
}

// A slice that leaves something out stays.
// CHECK-LABEL: @slice_with_start
func.func @slice_with_start(%x: tensor<?xf32, #sym.dims<s0>>) -> tensor<?xf32, #sym.dims<s0 + -1>> {
  // CHECK-NEXT: prim.slice
  %0 = prim.slice %x from [#sym.expr<1>] by [1] : tensor<?xf32, #sym.dims<s0>> to tensor<?xf32, #sym.dims<s0 + -1>>
  return %0 : tensor<?xf32, #sym.dims<s0 + -1>>
}

// Checks and definitions of symbols have effects.
// CHECK-LABEL: @effects_stay
func.func @effects_stay(%c: tensor<i1>, %n: tensor<i64>, %m: tensor<3xi1>) {
  // CHECK: prim.assert
  prim.assert %c, "x" : tensor<i1>
  // CHECK: prim.assert_expr
  prim.assert_expr <le(s0, 4)>, "y"
  // CHECK: prim.bind_symbol
  prim.bind_symbol "u0" = %n : tensor<i64>
  // CHECK: prim.nonzero
  %0 = prim.nonzero %m defines "u1" : tensor<3xi1> to tensor<?x1xi64, #sym.dims<u1, 1>>
  return
}

// CHECK-LABEL: @unused_values_vanish
func.func @unused_values_vanish(%x: tensor<3xf32>) {
  // CHECK-NEXT: return
  %0 = prim.exp %x : tensor<3xf32>
  %1 = prim.constant dense<1.0> : tensor<3xf32>
  return
}
