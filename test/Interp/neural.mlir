// RUN: adze-opt %s --interpret=main | FileCheck %s

func.func @main() -> (tensor<2x2xf32>, tensor<1x1x3xf32>, tensor<1x1x5xf32>, tensor<1x2xf32>, tensor<1x2xi64>, tensor<2x2xf32>, tensor<1x4xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x2x1xf32>) {
  %a = prim.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // CHECK: dense<{{\[}}[5.000000e+00, 1.100000e+01], [1.100000e+01, 2.500000e+01]]>
  %0 = prim.matmul %a, %a transpose_rhs : tensor<2x2xf32>, tensor<2x2xf32> to tensor<2x2xf32>
  %x = prim.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %w = prim.constant dense<[[[1.0, 10.0, 100.0]]]> : tensor<1x1x3xf32>
  // CHECK-NEXT: dense<{{\[}}[{{\[}}2.100000e+02, 3.210000e+02, 3.200000e+01]]]>
  %1 = prim.convolution %x, %w {dilation = array<i64: 1>, groups = 1, high = array<i64: 1>, low = array<i64: 1>, output_padding = array<i64: 0>, stride = array<i64: 1>} : tensor<1x1x3xf32>, tensor<1x1x3xf32> to tensor<1x1x3xf32>
  // CHECK-NEXT: dense<{{\[}}[{{\[}}1.000000e+00, 1.200000e+01, 1.230000e+02, 2.300000e+02, 3.000000e+02]]]>
  %2 = prim.convolution %x, %w {dilation = array<i64: 1>, groups = 1, high = array<i64: 0>, low = array<i64: 0>, output_padding = array<i64: 0>, stride = array<i64: 1>, transposed} : tensor<1x1x3xf32>, tensor<1x1x3xf32> to tensor<1x1x5xf32>
  %p = prim.constant dense<[[3.0, 7.0, 7.0]]> : tensor<1x3xf32>
  // CHECK-NEXT: dense<{{\[}}[3.000000e+00, 7.000000e+00]]>
  %3 = prim.pool max %p {dilation = array<i64: 1>, high = array<i64: 0>, low = array<i64: 1>, stride = array<i64: 2>, window = array<i64: 2>} : tensor<1x3xf32> to tensor<1x2xf32>
  // CHECK-NEXT: dense<{{\[}}[0, 1]]>
  %4 = prim.arg_pool %p {dilation = array<i64: 1>, high = array<i64: 0>, low = array<i64: 1>, stride = array<i64: 2>, window = array<i64: 2>} : tensor<1x3xf32> to tensor<1x2xi64>
  %l = prim.constant dense<[[1000.0, 1000.0], [0xFF800000, 0.0]]> : tensor<2x2xf32>
  // CHECK-NEXT: dense<{{\[}}[5.000000e-01, 5.000000e-01], [0.000000e+00, 1.000000e+00]]>
  %5 = prim.softmax %l dim = 1 : tensor<2x2xf32>
  %n = prim.constant dense<[[1.0, 3.0, 1.0, 3.0]]> : tensor<1x4xf32>
  %g = prim.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK-NEXT: dense<{{\[}}[-1.000000e+00, 2.000000e+00, -3.000000e+00, 4.000000e+00]]>
  // CHECK-NEXT: dense<2.000000e+00>
  // CHECK-NEXT: dense<1.000000e+00>
  %6:3 = prim.layer_norm %n weight %g : tensor<4xf32> {axes = 1, eps = 0.0 : f64} : tensor<1x4xf32> to tensor<1x1xf32>
  // The first row sees one key, the second none.
  // CHECK-NEXT: dense<{{\[}}[{{\[}}5.000000e+00], [0.000000e+00]]]>
  %q = prim.constant dense<1.0> : tensor<1x2x1xf32>
  %v = prim.constant dense<[[[5.0], [6.0]]]> : tensor<1x2x1xf32>
  %m = prim.constant dense<[[[true, false], [false, false]]]> : tensor<1x2x2xi1>
  %7 = prim.attention %q, %q, %v mask %m : tensor<1x2x2xi1> scale = 1.0 : tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32> to tensor<1x2x1xf32>
  return %0, %1, %2, %3, %4, %5, %6#0, %6#1, %6#2, %7 : tensor<2x2xf32>, tensor<1x1x3xf32>, tensor<1x1x5xf32>, tensor<1x2xf32>, tensor<1x2xi64>, tensor<2x2xf32>, tensor<1x4xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x2x1xf32>
}
