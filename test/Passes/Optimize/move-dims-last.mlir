// RUN: adze-opt %s --adze-move-dims-last | FileCheck %s

// CHECK-LABEL: @sort_along_the_first_dim
//  CHECK-SAME:     %[[X:.*]]: tensor<5x3xf32>
//       CHECK:   %[[T:.*]] = prim.transpose %[[X]] by [1, 0]
//       CHECK:   prim.sort %[[T]] dim = 1 : tensor<3x5xf32>
//       CHECK:   prim.transpose %{{.*}} by [1, 0] : tensor<3x5xf32> to tensor<5x3xf32>
func.func @sort_along_the_first_dim(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0, %1 = prim.sort %x dim = 0 : tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// CHECK-LABEL: @last_dim_stays
//   CHECK-NOT:   prim.transpose
func.func @last_dim_stays(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0, %1 = prim.sort %x dim = 1 : tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
