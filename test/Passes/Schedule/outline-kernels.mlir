// RUN: adze-opt %s --adze-outline-kernels | FileCheck %s

// Two groups that differ in names only are one kernel.
// CHECK-LABEL: func.func @main
//       CHECK:   %[[A:.*]] = kernel.launch @[[K:.*]](%{{.*}} : tensor<4xf32>) to tensor<4xf32>
//       CHECK:   kernel.launch @[[K]](%[[A]] : tensor<4xf32>) to tensor<4xf32>
//       CHECK:   kernel.launch @[[S:.*]](
//       CHECK: kernel.func @[[K]] loop symbols []
//       CHECK:   prim.exp
//       CHECK: kernel.func @[[S]] loop symbols ["s0"]
//   CHECK-NOT: kernel.func
func.func @main(%x: tensor<4xf32>, %y: tensor<?xf32, #sym.dims<s0>>) -> (tensor<4xf32>, tensor<?xf32, #sym.dims<s0>>) {
  %0 = kernel.group loop(%x : tensor<4xf32>) to tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %r = prim.exp %a : tensor<4xf32>
    kernel.yield %r : tensor<4xf32>
  }
  %1 = kernel.group loop(%0 : tensor<4xf32>) to tensor<4xf32> {
  ^bb0(%b: tensor<4xf32>):
    %r = prim.exp %b : tensor<4xf32>
    kernel.yield %r : tensor<4xf32>
  }
  %2 = kernel.group loop(%y : tensor<?xf32, #sym.dims<s0>>) to tensor<?xf32, #sym.dims<s0>> {
  ^bb0(%b: tensor<?xf32, #sym.dims<s0>>):
    %r = prim.neg %b : tensor<?xf32, #sym.dims<s0>>
    kernel.yield %r : tensor<?xf32, #sym.dims<s0>>
  }
  return %1, %2 : tensor<4xf32>, tensor<?xf32, #sym.dims<s0>>
}
