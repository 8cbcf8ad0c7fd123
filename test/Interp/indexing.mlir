// RUN: adze-opt %s --interpret=main | FileCheck %s
// RUN: not adze-opt %s --interpret=out_of_range 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not adze-opt %s --interpret=below 2>&1 | FileCheck %s --check-prefix=BELOW

func.func @main() -> (tensor<2xi32>, tensor<3x2xi32>, tensor<3xi32>, tensor<3x2xi32>, tensor<3xi32>, tensor<?x2xi64, #sym.dims<u0, 2>>, tensor<i64>, tensor<?xi32, #sym.dims<u1>>, tensor<3xi64>, tensor<?xi64, #sym.dims<u1>>) {
  %x = prim.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %i = prim.constant dense<[2, 0]> : tensor<2xi64>
  %j = prim.constant dense<[0, 1]> : tensor<2xi64>
  // CHECK: dense<[5, 2]>
  %0 = prim.index %x[%i, %j] dims = [0, 1] position = 0 : tensor<3x2xi32>, tensor<2xi64>, tensor<2xi64> to tensor<2xi32>
  // CHECK-NEXT: dense<{{\[}}[1, 9], [3, 4], [8, 6]]>
  %v = prim.constant dense<[8, 9]> : tensor<2xi32>
  %1 = prim.index_put set %x, %v[%i, %j] dims = [0, 1] position = 0 : tensor<3x2xi32>, tensor<2xi32>, tensor<2xi64>, tensor<2xi64>
  // Values for one element add up.
  // CHECK-NEXT: dense<[1, 18, 3]>
  %f = prim.constant dense<[1, 1, 3]> : tensor<3xi32>
  %ones = prim.constant dense<1> : tensor<2xi64>
  %2 = prim.index_put add %f, %v[%ones] dims = [0] position = 0 : tensor<3xi32>, tensor<2xi32>, tensor<2xi64>
  // CHECK-NEXT: dense<{{\[}}[5, 2], [1, 4], [3, 6]]>
  %g = prim.constant dense<[[2, 0], [0, 1], [1, 2]]> : tensor<3x2xi64>
  %3 = prim.gather %x[%g] dim = 0 : tensor<3x2xi32>, tensor<3x2xi64>
  // CHECK-NEXT: dense<[1, 9, 3]>
  %4 = prim.scatter max %f[%ones], %v dim = 0 : tensor<3xi32>, tensor<2xi64>, tensor<2xi32>
  // CHECK-NEXT: dense<{{\[}}[0, 1], [1, 0]]> : tensor<2x2xi64>
  %m = prim.constant dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %5 = prim.nonzero %m defines "u0" : tensor<2x2xi1> to tensor<?x2xi64, #sym.dims<u0, 2>>
  // CHECK-NEXT: dense<3> : tensor<i64>
  %6 = prim.symbol_value <u0 + 1> : tensor<i64>
  // CHECK-NEXT: dense<[1, 3]> : tensor<2xi32>
  // CHECK-NEXT: dense<[0, 0, 1]> : tensor<3xi64>
  // CHECK-NEXT: dense<[2, 1]> : tensor<2xi64>
  %7:3 = prim.unique %f defines "u1" : tensor<3xi32> to tensor<?xi32, #sym.dims<u1>>, tensor<3xi64>, tensor<?xi64, #sym.dims<u1>>
  return %0, %1, %2, %3, %4, %5, %6, %7#0, %7#1, %7#2 : tensor<2xi32>, tensor<3x2xi32>, tensor<3xi32>, tensor<3x2xi32>, tensor<3xi32>, tensor<?x2xi64, #sym.dims<u0, 2>>, tensor<i64>, tensor<?xi32, #sym.dims<u1>>, tensor<3xi64>, tensor<?xi64, #sym.dims<u1>>
}

// RANGE: error: prim.gather at model.py:7:3: index 3 is out of range for size 3 of dim 0
func.func @out_of_range() -> tensor<1xi32> {
  %x = prim.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = prim.constant dense<3> : tensor<1xi64>
  %0 = prim.gather %x[%i] dim = 0 : tensor<3xi32>, tensor<1xi64> loc("model.py":7:3)
  return %0 : tensor<1xi32>
}

// BELOW: error: {{.*}}: index -1 is out of range for size 3 of dim 0
func.func @below() -> tensor<1xi32> {
  %x = prim.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = prim.constant dense<-1> : tensor<1xi64>
  %0 = prim.index %x[%i] dims = [0] position = 0 : tensor<3xi32>, tensor<1xi64> to tensor<1xi32>
  return %0 : tensor<1xi32>
}
