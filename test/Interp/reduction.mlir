// RUN: adze-opt %s --interpret=main | FileCheck %s
// RUN: adze-opt %s --interpret=order | FileCheck %s --check-prefix=ORDER

func.func @main() -> (tensor<2xf32>, tensor<3xf32>, tensor<f32>, tensor<2xi64>, tensor<2x3xf32>, tensor<2x3xi64>, tensor<2xf32>, tensor<2xi8>, tensor<i1>) {
  %x = prim.constant dense<[[1.0, 5.0, 5.0], [0x7FC00000, -1.0, 0x7FC00000]]> : tensor<2x3xf32>
  // CHECK: dense<[1.100000e+01, 0x7FC00000]>
  %0 = prim.reduce sum %x dims = [1] : tensor<2x3xf32> to tensor<2xf32>
  // CHECK-NEXT: dense<[0x7FC00000, 5.000000e+00, 0x7FC00000]>
  %1 = prim.reduce max %x dims = [0] : tensor<2x3xf32> to tensor<3xf32>
  // CHECK-NEXT: dense<0x7FC00000>
  %2 = prim.reduce min %x dims = [0, 1] : tensor<2x3xf32> to tensor<f32>
  // The first of equal ones, and the first NaN.
  // CHECK-NEXT: dense<[1, 0]> : tensor<2xi64>
  %3 = prim.arg_reduce max %x dim = 1 : tensor<2x3xf32> to tensor<2xi64>
  // CHECK-NEXT: dense<{{\[}}[1.000000e+00, 5.000000e+00, 5.000000e+00], [0x7FC00000, 0x7FC00000, 0x7FC00000]]>
  %4 = prim.cumulative max %x dim = 1 : tensor<2x3xf32>
  // The last of equal ones, and the last NaN.
  // CHECK-NEXT: dense<{{\[}}[0, 1, 2], [0, 0, 2]]> : tensor<2x3xi64>
  %5 = prim.arg_cumulative max %x dim = 1 : tensor<2x3xf32>
  // CHECK-NEXT: dense<0xFF800000> : tensor<2xf32>
  %e = prim.constant dense<> : tensor<2x0xf32>
  %6 = prim.reduce max %e dims = [1] : tensor<2x0xf32> to tensor<2xf32>
  // CHECK-NEXT: dense<[44, -56]> : tensor<2xi8>
  %i = prim.constant dense<[[100, 100, 100], [100, 100, 0]]> : tensor<2x3xi8>
  %7 = prim.reduce sum %i dims = [1] : tensor<2x3xi8> to tensor<2xi8>
  // CHECK-NEXT: dense<false> : tensor<i1>
  %b = prim.constant dense<[true, false]> : tensor<2xi1>
  %8 = prim.reduce all %b dims = [0] : tensor<2xi1> to tensor<i1>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<2xf32>, tensor<3xf32>, tensor<f32>, tensor<2xi64>, tensor<2x3xf32>, tensor<2x3xi64>, tensor<2xf32>, tensor<2xi8>, tensor<i1>
}

func.func @order() -> (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>, tensor<4xi64>, tensor<2xf32>, tensor<2xi64>, tensor<3xi64>, tensor<3xi64>) {
  %x = prim.constant dense<[2.0, 0x7FC00000, 1.0, 2.0]> : tensor<4xf32>
  // ORDER: dense<[1.000000e+00, 2.000000e+00, 2.000000e+00, 0x7FC00000]>
  // ORDER-NEXT: dense<[2, 0, 3, 1]>
  %0:2 = prim.sort %x dim = 0 : tensor<4xf32>
  // ORDER-NEXT: dense<[0x7FC00000, 2.000000e+00, 2.000000e+00, 1.000000e+00]>
  // ORDER-NEXT: dense<[1, 0, 3, 2]>
  %1:2 = prim.sort %x dim = 0 descending : tensor<4xf32>
  // ORDER-NEXT: dense<[1.000000e+00, 2.000000e+00]>
  // ORDER-NEXT: dense<[2, 0]>
  %2:2 = prim.topk %x dim = 0 smallest : tensor<4xf32> to tensor<2xf32>, tensor<2xi64>
  %s = prim.constant dense<[1.0, 2.0, 2.0, 3.0]> : tensor<4xf32>
  %v = prim.constant dense<[2.0, 0.0, 9.0]> : tensor<3xf32>
  // ORDER-NEXT: dense<[1, 0, 4]>
  %3 = prim.searchsorted %s, %v : tensor<4xf32>, tensor<3xf32>
  // ORDER-NEXT: dense<[3, 0, 4]>
  %4 = prim.searchsorted %s, %v right : tensor<4xf32>, tensor<3xf32>
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3, %4 : tensor<4xf32>, tensor<4xi64>, tensor<4xf32>, tensor<4xi64>, tensor<2xf32>, tensor<2xi64>, tensor<3xi64>, tensor<3xi64>
}
