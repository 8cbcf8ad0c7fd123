// RUN: adze-opt %s --adze-normalize --split-input-file | FileCheck %s

// Branches of different sizes: the symbol of the result takes the branch's size.
// CHECK-LABEL: func.func @cond
// CHECK: prim.cond %arg0
// CHECK-SAME: to tensor<?xf32, #sym.dims<u0>>
// CHECK: prim.slice %arg1
// CHECK: prim.yield %{{.*}} : tensor<2xf32>
// CHECK: } else {
// CHECK: prim.yield %arg1 : tensor<4xf32>
// CHECK: defines = ["u0"], else_sizes = [#sym.expr<4>], then_sizes = [#sym.expr<2>]
capture.graph @cond(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<?xf32, #sym.dims<u0>> {
  %r = capture.cond (%p, %x : tensor<i1>, tensor<4xf32>) to tensor<?xf32, #sym.dims<u0>> {
  ^bb0(%a: tensor<4xf32>):
    %s = capture.call "aten.slice.Tensor"(self = %a, dim = 0 : i64, start = 0 : i64, end = 2 : i64, step = 1 : i64) : (tensor<4xf32>) -> tensor<2xf32>
    capture.return %s : tensor<2xf32>
  } else {
  ^bb0(%a: tensor<4xf32>):
    %s = capture.call "aten.clone.default"(self = %a, memory_format = #capture.none) : (tensor<4xf32>) -> tensor<4xf32>
    capture.return %s : tensor<4xf32>
  } {binds = ["u0"]}
  capture.return %r : tensor<?xf32, #sym.dims<u0>>
}

// -----

// Additional inputs are seen from inside, only carried values are passed.
// CHECK-LABEL: func.func @scan
// CHECK: prim.scan init(%arg0 : tensor<3xf32>) over(%arg1 : tensor<5x3xf32>) to tensor<3xf32>, tensor<5x3xf32>
// CHECK: ^bb0(%[[C:.*]]: tensor<3xf32>, %[[S:.*]]: tensor<3xf32>):
// CHECK: %[[A:.*]] = prim.add %[[C]], %[[S]]
// CHECK: %[[B:.*]] = prim.add %[[A]], %arg2
// CHECK: prim.yield %[[B]], %[[A]]
capture.graph @scan(%init: tensor<3xf32>, %xs: tensor<5x3xf32>, %k: tensor<3xf32>) -> (tensor<3xf32>, tensor<5x3xf32>) {
  %r:2 = capture.scan 1 1(%init, %xs, %k : tensor<3xf32>, tensor<5x3xf32>, tensor<3xf32>) to tensor<3xf32>, tensor<5x3xf32> {
  ^bb0(%c: tensor<3xf32>, %x: tensor<3xf32>, %m: tensor<3xf32>):
    %0 = capture.call "aten.add.Tensor"(alpha = 1, other = %x, self = %c) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %1 = capture.call "aten.add.Tensor"(alpha = 1, other = %m, self = %0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    capture.return %1, %0 : tensor<3xf32>, tensor<3xf32>
  }
  capture.return %r#0, %r#1 : tensor<3xf32>, tensor<5x3xf32>
}

// -----

// Autocast casts the arguments of matrix products, and nothing else.
// CHECK-LABEL: func.func @autocast
// CHECK: prim.convert %arg0 : tensor<2x3xf32> to tensor<2x3xbf16>
// CHECK: prim.convert %arg1 : tensor<4x3xf32> to tensor<4x3xbf16>
// CHECK: prim.matmul %{{.*}} : tensor<2x3xbf16>, tensor<4x3xbf16> to tensor<2x4xbf16>
capture.graph @autocast(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xbf16> {
  %r = capture.autocast bf16 true (%x, %w : tensor<2x3xf32>, tensor<4x3xf32>) to tensor<2x4xbf16> {
  ^bb0(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>):
    %0 = capture.call "aten.linear.default"(bias = #capture.none, input = %a, weight = %b) : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xbf16>
    capture.return %0 : tensor<2x4xbf16>
  }
  capture.return %r : tensor<2x4xbf16>
}
