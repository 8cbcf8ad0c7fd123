// RUN: adze-opt %s | adze-opt | FileCheck %s

// CHECK-LABEL: @gathers
func.func @gathers(%x: tensor<?x5x6xf32, #sym.dims<s0, 5, 6>>, %i: tensor<2x3xi64>, %g: tensor<?x2x6xi64, #sym.dims<s0, 2, 6>>) {
  // CHECK: prim.index %{{.*}}[%{{.*}}, %{{.*}}] dims = [0, 2] position = 0 : {{.*}} to tensor<2x3x5xf32>
  %0 = prim.index %x[%i, %i] dims = [0, 2] position = 0 : tensor<?x5x6xf32, #sym.dims<s0, 5, 6>>, tensor<2x3xi64>, tensor<2x3xi64> to tensor<2x3x5xf32>
  // CHECK: prim.index_put add %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] dims = [0, 2] position = 0
  %1 = prim.index_put add %x, %0[%i, %i] dims = [0, 2] position = 0 : tensor<?x5x6xf32, #sym.dims<s0, 5, 6>>, tensor<2x3x5xf32>, tensor<2x3xi64>, tensor<2x3xi64>
  // CHECK: prim.gather %{{.*}}[%{{.*}}] dim = 1
  %2 = prim.gather %x[%g] dim = 1 : tensor<?x5x6xf32, #sym.dims<s0, 5, 6>>, tensor<?x2x6xi64, #sym.dims<s0, 2, 6>>
  // CHECK: prim.scatter max %{{.*}}[%{{.*}}], %{{.*}} dim = 1
  %3 = prim.scatter max %x[%g], %2 dim = 1 : tensor<?x5x6xf32, #sym.dims<s0, 5, 6>>, tensor<?x2x6xi64, #sym.dims<s0, 2, 6>>, tensor<?x2x6xf32, #sym.dims<s0, 2, 6>>
  return
}

// CHECK-LABEL: @data_dependent
func.func @data_dependent(%m: tensor<3x4xi1>, %x: tensor<7xf32>) {
  // CHECK: prim.nonzero %{{.*}} defines "u0" : tensor<3x4xi1> to tensor<?x2xi64, #sym.dims<u0, 2>>
  %0 = prim.nonzero %m defines "u0" : tensor<3x4xi1> to tensor<?x2xi64, #sym.dims<u0, 2>>
  // CHECK: prim.unique %{{.*}} defines "u1" consecutive : tensor<7xf32> to
  %1:3 = prim.unique %x defines "u1" consecutive : tensor<7xf32> to tensor<?xf32, #sym.dims<u1>>, tensor<7xi64>, tensor<?xi64, #sym.dims<u1>>
  return
}
