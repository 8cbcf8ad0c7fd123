// RUN: adze-opt %s | adze-opt | FileCheck %s

// CHECK-LABEL: capture.graph @main
// CHECK-SAME: capture.descriptor = #capture.descriptor<parameter, "w", 0
// CHECK-SAME: capture.descriptor = #capture.descriptor<user_input, "x", 0
capture.graph @main(
    %w: tensor<4xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0, true>},
    %x: tensor<?x4xf32, #sym.dims<s0, 4>> {capture.descriptor = #capture.descriptor<user_input, "x", 0, true>})
    -> (tensor<?x4xf32, #sym.dims<s0, 4>> {capture.descriptor = #capture.descriptor<user_output, "", 0, true>}) {
  // CHECK: %[[SUM:.*]] = capture.call "aten.add.Tensor"(self = %{{.*}}, other = %{{.*}}, alpha = 1 : i64) : (tensor<?x4xf32, #sym.dims<s0, 4>>, tensor<4xf32>) -> tensor<?x4xf32, #sym.dims<s0, 4>>
  %0 = capture.call "aten.add.Tensor"(self = %x, other = %w, alpha = 1) :
      (tensor<?x4xf32, #sym.dims<s0, 4>>, tensor<4xf32>) -> tensor<?x4xf32, #sym.dims<s0, 4>>
  // CHECK: capture.assert <le(s0, 16)>, "too long"
  capture.assert <le(s0, 16)>, "too long"
  // CHECK: capture.grad_mode false(%[[SUM]] : tensor<?x4xf32, #sym.dims<s0, 4>>)
  %1 = capture.grad_mode false(%0 : tensor<?x4xf32, #sym.dims<s0, 4>>) to tensor<?x4xf32, #sym.dims<s0, 4>> {
  ^bb0(%a: tensor<?x4xf32, #sym.dims<s0, 4>>):
    capture.return %a : tensor<?x4xf32, #sym.dims<s0, 4>>
  }
  // CHECK: capture.return
  capture.return %1 : tensor<?x4xf32, #sym.dims<s0, 4>>
}

// CHECK-LABEL: capture.graph @lists
capture.graph @lists(%x: tensor<4xf32>, %y: tensor<2xf32>) -> (tensor<6xf32>, tensor<4xi64>) {
  // CHECK: capture.call "aten.cat.default"(tensors = [%{{.*}}, %{{.*}}], dim = #sym.expr<s0>) : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  %0 = capture.call "aten.cat.default"(tensors = [%y, %x], dim = #sym.expr<s0>) : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  // CHECK: capture.call "aten.index.Tensor"(indices = [#capture.none, %{{.*}}], device = #capture.enum<"device", "cpu">, text = "a") binds ["u0"] :
  %1 = capture.call "aten.index.Tensor"(text = "a", indices = [#capture.none, %x], device = #capture.enum<"device", "cpu">) binds ["u0"] : (tensor<4xf32>) -> tensor<4xi64>
  capture.return %0, %1 : tensor<6xf32>, tensor<4xi64>
}

// CHECK-LABEL: capture.graph @graph_break
capture.graph @graph_break(%x: tensor<4xf32>) -> (tensor<4xf32>) {
  // CHECK: capture.graph_break "print" because "a call of Python"(%{{.*}} : tensor<4xf32>) to tensor<4xf32>
  %0 = capture.graph_break "print" because "a call of Python"(%x : tensor<4xf32>) to tensor<4xf32>
  capture.return %0 : tensor<4xf32>
}

// CHECK-LABEL: capture.graph @control
capture.graph @control(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>) {
  // CHECK: capture.cond(%{{.*}}, %{{.*}} : tensor<i1>, tensor<4xf32>) to tensor<4xf32>
  %0 = capture.cond(%c, %x : tensor<i1>, tensor<4xf32>) to tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    capture.return %a : tensor<4xf32>
  } else {
  ^bb0(%a: tensor<4xf32>):
    capture.return %a : tensor<4xf32>
  }
  capture.return %0 : tensor<4xf32>
}

// CHECK-LABEL: capture.graph @empty
capture.graph @empty() {
  capture.return
}
