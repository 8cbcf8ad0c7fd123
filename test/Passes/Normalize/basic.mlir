// RUN: adze-opt %s --adze-normalize | FileCheck %s

// CHECK-LABEL: func.func @mlp
// CHECK-SAME: %[[X:.*]]: tensor<?x3xf32, #sym.dims<s0, 3>> {capture.descriptor = #capture.descriptor<user_input, "x", 0>}
capture.graph @mlp(%x: tensor<?x3xf32, #sym.dims<s0, 3>> {capture.descriptor = #capture.descriptor<user_input, "x", 0>},
                   %w: tensor<4x3xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0>},
                   %bias: tensor<4xf32> {capture.descriptor = #capture.descriptor<parameter, "b", 1>})
    -> (tensor<?x4xf32, #sym.dims<s0, 4>> {capture.descriptor = #capture.descriptor<user_output, "o", 0>}) {
  // CHECK: prim.matmul %[[X]], %{{.*}} transpose_rhs
  // CHECK: prim.add
  // CHECK: prim.where
  // CHECK: prim.softmax
  %0 = capture.call "aten.linear.default"(input = %x, weight = %w, bias = %bias) : (tensor<?x3xf32, #sym.dims<s0, 3>>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<?x4xf32, #sym.dims<s0, 4>>
  %1 = capture.call "aten.relu.default"(self = %0) : (tensor<?x4xf32, #sym.dims<s0, 4>>) -> tensor<?x4xf32, #sym.dims<s0, 4>>
  %2 = capture.call "aten.softmax.int"(self = %1, dim = -1 : i64, dtype = #capture.none) : (tensor<?x4xf32, #sym.dims<s0, 4>>) -> tensor<?x4xf32, #sym.dims<s0, 4>>
  capture.return %2 : tensor<?x4xf32, #sym.dims<s0, 4>>
}

// A write through a view changes the base, which is a buffer.
// CHECK-LABEL: func.func @state
// CHECK-SAME: -> (tensor<6xf32>, tensor<6xf32> {capture.descriptor = #capture.descriptor<buffer_mutation, "s", 0>})
// CHECK-DAG: %[[VIEW:.*]] = prim.reshape %arg0
// CHECK: %[[SUM:.*]] = prim.add %[[VIEW]]
// CHECK: %[[NEW:.*]] = prim.reshape %[[SUM]]
// CHECK: return %[[NEW]], %[[NEW]]
capture.graph @state(%s: tensor<6xf32> {capture.descriptor = #capture.descriptor<buffer, "s", 0>}) -> tensor<6xf32> {
  %v = capture.call "aten.view.default"(self = %s, size = [2, 3]) : (tensor<6xf32>) -> tensor<2x3xf32>
  %a = capture.call "aten.add_.Tensor"(self = %v, other = 1.0 : f64, alpha = 1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  capture.return %s : tensor<6xf32>
}
