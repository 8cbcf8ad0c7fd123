// RUN: adze-opt %s --interpret=main | FileCheck %s

func.func @main() -> (tensor<4xcomplex<f32>>, tensor<2x2xf64>, tensor<2xi32>, tensor<i32>, tensor<2x2xf64>, tensor<i32>, tensor<2x1xf64>, tensor<2xi64>) {
  %z = prim.constant dense<[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)]> : tensor<4xcomplex<f32>>
  // CHECK: dense<[(1.000000e+01,0.000000e+00), (-2.000000e+00,2.000000e+00), (-2.000000e+00,{{.*}}), (-2.000000e+00,-2.000000e+00)]>
  %0 = prim.fft %z dim = 0 : tensor<4xcomplex<f32>>
  %a = prim.constant dense<[[1.0, 2.0], [2.0, 8.0]]> : tensor<2x2xf64>
  // CHECK-NEXT: dense<{{\[}}[2.000000e+00, 8.000000e+00], [5.000000e-01, -2.000000e+00]]>
  // CHECK-NEXT: dense<2> : tensor<2xi32>
  // CHECK-NEXT: dense<0> : tensor<i32>
  %1:3 = prim.lu %a : tensor<2x2xf64> to tensor<2x2xf64>, tensor<2xi32>, tensor<i32>
  // CHECK-NEXT: dense<{{\[}}[1.000000e+00, 0.000000e+00], [2.000000e+00, 2.000000e+00]]>
  // CHECK-NEXT: dense<0> : tensor<i32>
  %2:2 = prim.cholesky %a : tensor<2x2xf64> to tensor<2x2xf64>, tensor<i32>
  // CHECK-NEXT: dense<{{\[}}[3.000000e+00], [-5.000000e-01]]>
  %b = prim.constant dense<[[3.0], [2.0]]> : tensor<2x1xf64>
  %3 = prim.triangular_solve %a, %b : tensor<2x2xf64>, tensor<2x1xf64>
  // The bits are fixed: see adze/Interp/Philox.h.
  // CHECK-NEXT: dense<[8121365371091678314, 5584584399899055654]> : tensor<2xi64>
  %k = prim.constant dense<0> : tensor<2xi64>
  %4 = prim.random bits %k stream = 0 : tensor<2xi64> to tensor<2xi64>
  return %0, %1#0, %1#1, %1#2, %2#0, %2#1, %3, %4 : tensor<4xcomplex<f32>>, tensor<2x2xf64>, tensor<2xi32>, tensor<i32>, tensor<2x2xf64>, tensor<i32>, tensor<2x1xf64>, tensor<2xi64>
}
