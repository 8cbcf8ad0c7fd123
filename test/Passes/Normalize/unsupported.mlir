// RUN: adze-opt %s --adze-normalize 2>&1 | FileCheck %s --check-prefixes=WARNING,CHECK
// RUN: not adze-opt %s --adze-normalize=fullgraph 2>&1 | FileCheck %s --check-prefix=ERROR

// All unsupported operators are reported together, each once.
// WARNING: warning: unsupported operator mylib.foo.default (2 calls) breaks the graph: no decomposition is known
// WARNING: warning: unsupported operator mylib.bar_.default (1 call) breaks the graph: no decomposition is known
// ERROR: error: unsupported operator mylib.foo.default (2 calls): no decomposition is known
// ERROR: error: unsupported operator mylib.bar_.default (1 call): no decomposition is known
// ERROR-NOT: error:

// What is written in place is the last result, and what is read from then on.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.*]] = capture.graph_break "mylib.foo.default" because "no decomposition is known"(%arg0 :
// CHECK: %[[V:.*]] = prim.slice %[[A]]
// CHECK: %[[B:.*]]:2 = capture.graph_break "mylib.bar_.default" because "no decomposition is known"(%[[V]], %[[A]] :
// CHECK: capture.graph_break "mylib.foo.default" because "no decomposition is known"(%[[B]]#1 :
capture.graph @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = capture.call "mylib.foo.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = capture.call "aten.slice.Tensor"(self = %0, dim = 0 : i64, start = 1 : i64, end = 3 : i64, step = 1 : i64) : (tensor<4xf32>) -> tensor<2xf32>
  %2 = capture.call "mylib.bar_.default"(self = %1) : (tensor<2xf32>) -> tensor<2xf32>
  %3 = capture.call "mylib.foo.default"(self = %0) : (tensor<4xf32>) -> tensor<4xf32>
  capture.return %3 : tensor<4xf32>
}
