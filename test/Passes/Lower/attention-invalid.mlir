// RUN: not adze-opt %s --adze-lower-kernels 2>&1 | FileCheck %s

// What optimize should have expanded is no kernel.
// CHECK: error: attention of these types and sizes has no kernel
kernel.func @double attention symbols [] {
^bb0(%q: tensor<2x5x4xf64>):
  %0 = prim.attention %q, %q, %q scale = 5.000000e-01 : tensor<2x5x4xf64>, tensor<2x5x4xf64>, tensor<2x5x4xf64> to tensor<2x5x4xf64>
  kernel.yield %0 : tensor<2x5x4xf64>
}
