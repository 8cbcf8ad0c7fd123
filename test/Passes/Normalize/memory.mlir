// RUN: adze-opt %s --adze-normalize --canonicalize --split-input-file | FileCheck %s

// A later use of the base sees a write through a chain of views, and so does a
// view that was made before.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[X:.*]]: tensor<4x6xf32>
// CHECK: %[[T:.*]] = prim.transpose %[[X]]
// CHECK: %[[ROW:.*]] = prim.slice %[[T]] from [#sym.expr<2>, #sym.expr<0>]
// CHECK: %[[T_NEW:.*]] = prim.update_slice %{{.*}}, %{{.*}} from [#sym.expr<2>, #sym.expr<0>]
// CHECK: %[[NEW:.*]] = prim.transpose %[[T_NEW]]
// CHECK: %[[OLD_VIEW:.*]] = prim.reshape %[[NEW]] : tensor<4x6xf32> to tensor<24xf32>
// CHECK: return %[[OLD_VIEW]], %[[NEW]]
capture.graph @chain(%x: tensor<4x6xf32> {capture.descriptor = #capture.descriptor<user_input, "x", 0>}) -> tensor<24xf32> {
  %flat = capture.call "aten.view.default"(self = %x, size = [24]) : (tensor<4x6xf32>) -> tensor<24xf32>
  %t = capture.call "aten.t.default"(self = %x) : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %row = capture.call "aten.select.int"(self = %t, dim = 0 : i64, index = 2 : i64) : (tensor<6x4xf32>) -> tensor<4xf32>
  %w = capture.call "aten.add_.Tensor"(self = %row, other = 1.0 : f64, alpha = 1) : (tensor<4xf32>) -> tensor<4xf32>
  capture.return %flat : tensor<24xf32>
}

// -----

// reshape of a transposed tensor is a copy: a write does not reach the base.
// CHECK-LABEL: func.func @copy
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>
// CHECK: return %[[X]] : tensor<2x3xf32>
capture.graph @copy(%x: tensor<2x3xf32> {capture.descriptor = #capture.descriptor<user_input, "x", 0>}) -> tensor<2x3xf32> {
  %t = capture.call "aten.t.default"(self = %x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %flat = capture.call "aten.reshape.default"(self = %t, shape = [6]) : (tensor<3x2xf32>) -> tensor<6xf32>
  %z = capture.call "aten.zero_.default"(self = %flat) : (tensor<6xf32>) -> tensor<6xf32>
  capture.return %x : tensor<2x3xf32>
}

// -----

// reshape of a contiguous tensor is a view.
// CHECK-LABEL: func.func @view
// CHECK: %[[ZERO:.*]] = prim.full
// CHECK: return
// CHECK-SAME: tensor<2x3xf32>, tensor<2x3xf32>
capture.graph @view(%x: tensor<2x3xf32> {capture.descriptor = #capture.descriptor<user_input, "x", 0>}) -> tensor<2x3xf32> {
  %flat = capture.call "aten.reshape.default"(self = %x, shape = [6]) : (tensor<2x3xf32>) -> tensor<6xf32>
  %z = capture.call "aten.zero_.default"(self = %flat) : (tensor<6xf32>) -> tensor<6xf32>
  capture.return %x : tensor<2x3xf32>
}

// -----

// t_ changes what the name stands for, not the memory.
// CHECK-LABEL: func.func @rebind
// CHECK: %[[T:.*]] = prim.transpose
// CHECK: return %[[T]] : tensor<3x2xf32>
capture.graph @rebind(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %c = capture.call "aten.clone.default"(self = %x, memory_format = #capture.none) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = capture.call "aten.t_.default"(self = %c) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  capture.return %t : tensor<3x2xf32>
}

// -----

// The result of out= is written; an output that is a view of an input says so.
// CHECK-LABEL: func.func @out
// CHECK-SAME: adze.outputs = [{alias = 1 : i64, kind = "tensor", result = 0 : i64}]
// CHECK: %[[R:.*]] = prim.add
// CHECK: return %[[R]], %[[R]]
capture.graph @out(%x: tensor<4xf32> {capture.descriptor = #capture.descriptor<user_input, "x", 0>},
                   %y: tensor<4xf32> {capture.descriptor = #capture.descriptor<user_input, "y", 1>}) -> tensor<4xf32>
    attributes {adze.outputs = [{kind = "tensor", result = 0 : i64}]} {
  %r = capture.call "aten.add.out"(alpha = 1, other = %x, out = %y, self = %x) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  capture.return %r : tensor<4xf32>
}

// -----

// A view of another result says of which one, and where it begins.
// CHECK-LABEL: func.func @siblings
// CHECK-SAME: adze.outputs = [{alias_result = 1 : i64, kind = "tensor", offset = #sym.expr<2>, result = 0 : i64,
// CHECK-SAME: {kind = "tensor", result = 1 : i64,
// CHECK-SAME: {alias_result = 1 : i64, kind = "tensor", offset = #sym.expr<0>, result = 2 : i64,
// CHECK-SAME: {kind = "tensor", result = 3 : i64, strides = [#sym.expr<1>]}]
capture.graph @siblings(%x: tensor<4xf32> {capture.descriptor = #capture.descriptor<user_input, "x", 0>}) -> (tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>)
    attributes {adze.outputs = [{kind = "tensor", result = 0 : i64, strides = [#sym.expr<1>]},
                                {kind = "tensor", result = 1 : i64, strides = [#sym.expr<1>]},
                                {kind = "tensor", result = 2 : i64, strides = [#sym.expr<1>]},
                                {kind = "tensor", result = 3 : i64, strides = [#sym.expr<1>]}]} {
  %y = capture.call "aten.neg.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  %tail = capture.call "aten.slice.Tensor"(dim = 0, end = 4, self = %y, start = 2, step = 1) : (tensor<4xf32>) -> tensor<2xf32>
  // All of its memory is no result.
  %z = capture.call "aten.exp.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  %part = capture.call "aten.slice.Tensor"(dim = 0, end = 4, self = %z, start = 2, step = 1) : (tensor<4xf32>) -> tensor<2xf32>
  capture.return %tail, %y, %y, %part : tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>
}

// -----

// A view whose place in its input is known says where it begins.
// CHECK-LABEL: func.func @places
// CHECK-SAME: adze.outputs = [{alias = 0 : i64, kind = "tensor", offset = #sym.expr<6>, result = 0 : i64,
// CHECK-SAME: {alias = 0 : i64, kind = "tensor", result = 1 : i64, strides = [#sym.expr<3>]}]
capture.graph @places(%x: tensor<3x4xf32> {capture.descriptor = #capture.descriptor<user_input, "x", 0>}) -> (tensor<2xf32>, tensor<4xf32>)
    attributes {adze.outputs = [{kind = "tensor", result = 0 : i64, strides = [#sym.expr<4>]},
                                {kind = "tensor", result = 1 : i64, strides = [#sym.expr<3>]}]} {
  %rows = capture.call "aten.slice.Tensor"(dim = 0, end = 3, self = %x, start = 1, step = 1) : (tensor<3x4xf32>) -> tensor<2x4xf32>
  %column = capture.call "aten.select.int"(dim = 1, index = 2, self = %rows) : (tensor<2x4xf32>) -> tensor<2xf32>
  // Recorded otherwise than the views give it: nothing is said.
  %t = capture.call "aten.t.default"(self = %x) : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %row = capture.call "aten.select.int"(dim = 1, index = 2, self = %t) : (tensor<4x3xf32>) -> tensor<4xf32>
  capture.return %column, %row : tensor<2xf32>, tensor<4xf32>
}

// -----

// One memory under two names: a write through one is read through the other,
// and both are written back. Before the write each has its own value.
// CHECK-LABEL: func.func @two_names
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32> {capture.descriptor = #capture.descriptor<buffer, "a", 0>}, %[[B:.*]]: tensor<4xf32> {capture.descriptor = #capture.descriptor<buffer, "b", 1>})
// CHECK-SAME: #capture.descriptor<buffer_mutation, "a", 0>
// CHECK-SAME: #capture.descriptor<buffer_mutation, "b", 1>
// CHECK: %[[NEW:.*]] = prim.exp %[[A]]
// CHECK: return %[[B]], %[[NEW]], %[[NEW]], %[[NEW]]
capture.graph @two_names(
    %a: tensor<4xf32> {adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "a", 0>},
    %b: tensor<4xf32> {adze.same_as = 0, adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "b", 1>})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %before = capture.call "aten.clone.default"(self = %b, memory_format = #capture.none) : (tensor<4xf32>) -> tensor<4xf32>
  %w = capture.call "aten.exp_.default"(self = %a) : (tensor<4xf32>) -> tensor<4xf32>
  capture.return %before, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// Nobody writes: the names stay apart.
// CHECK-LABEL: func.func @names_apart
// CHECK: return %arg1 : tensor<4xf32>
capture.graph @names_apart(
    %a: tensor<4xf32> {adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "a", 0>},
    %b: tensor<4xf32> {adze.same_as = 0, adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "b", 1>})
    -> tensor<4xf32> {
  capture.return %b : tensor<4xf32>
}

// -----

// What overlaps but is not used is no obstacle.
// CHECK-LABEL: func.func @unused_part
// CHECK: prim.exp %arg0
capture.graph @unused_part(
    %a: tensor<4xf32> {adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "a", 0>},
    %part: tensor<2xf32> {adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "part", 1>})
    -> tensor<4xf32> {
  %w = capture.call "aten.exp_.default"(self = %a) : (tensor<4xf32>) -> tensor<4xf32>
  capture.return %w : tensor<4xf32>
}
