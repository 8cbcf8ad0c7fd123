// RUN: not adze-opt %s --adze-normalize 2>&1 | FileCheck %s

// All unsupported operators are reported together, each once.
// CHECK: error: unsupported operator mylib.foo.default (2 calls): no decomposition is known
// CHECK: error: unsupported operator mylib.bar_.default (1 call): no decomposition is known
// CHECK-NOT: error:
capture.graph @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = capture.call "mylib.foo.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = capture.call "mylib.bar_.default"(self = %0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = capture.call "mylib.foo.default"(self = %1) : (tensor<4xf32>) -> tensor<4xf32>
  capture.return %2 : tensor<4xf32>
}
