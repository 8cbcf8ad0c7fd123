// RUN: adze-opt %s --adze-group-heads --canonicalize | FileCheck %s

// Six heads of queries share two of keys: neither keys nor values are repeated
// in memory, and transposes stay where the kernel reads through them.
// CHECK-LABEL: @grouped
//  CHECK-SAME:     (%[[Q:.*]]: tensor<1x5x6x4xf32>, %[[K:.*]]: tensor<1x2x7x4xf32>, %[[M:.*]]: tensor<1x1x5x7xf32>)
//   CHECK-DAG:   %[[QS:.*]] = prim.reshape %[[Q]] : tensor<1x5x6x4xf32> to tensor<1x5x2x3x4xf32>
//   CHECK-DAG:   %[[QT:.*]] = prim.transpose %[[QS]] by [0, 2, 3, 1, 4]
//   CHECK-DAG:   %[[KS:.*]] = prim.reshape %[[K]] : tensor<1x2x7x4xf32> to tensor<1x2x1x7x4xf32>
//   CHECK-DAG:   %[[KB:.*]] = prim.broadcast %[[KS]] : tensor<1x2x1x7x4xf32> to tensor<1x2x3x7x4xf32>
//   CHECK-DAG:   %[[MS:.*]] = prim.reshape %[[M]] : tensor<1x1x5x7xf32> to tensor<1x1x1x5x7xf32>
//       CHECK:   %[[A:.*]] = prim.attention %[[QT]], %[[KB]], %[[KB]] mask %[[MS]]
//       CHECK:   %[[T:.*]] = prim.transpose %[[A]] by [0, 3, 1, 2, 4] : tensor<1x2x3x5x4xf32> to tensor<1x5x2x3x4xf32>
//       CHECK:   prim.reshape %[[T]] : tensor<1x5x2x3x4xf32> to tensor<1x5x6x4xf32>
func.func @grouped(%q: tensor<1x5x6x4xf32>, %k: tensor<1x2x7x4xf32>, %m: tensor<1x1x5x7xf32>) -> tensor<1x5x6x4xf32> {
  %0 = prim.transpose %q by [0, 2, 1, 3] : tensor<1x5x6x4xf32> to tensor<1x6x5x4xf32>
  %1 = prim.reshape %k : tensor<1x2x7x4xf32> to tensor<1x2x1x7x4xf32>
  %2 = prim.broadcast %1 : tensor<1x2x1x7x4xf32> to tensor<1x2x3x7x4xf32>
  %3 = prim.reshape %2 : tensor<1x2x3x7x4xf32> to tensor<1x6x7x4xf32>
  %4 = prim.attention %0, %3, %3 mask %m : tensor<1x1x5x7xf32> scale = 5.000000e-01 : tensor<1x6x5x4xf32>, tensor<1x6x7x4xf32>, tensor<1x6x7x4xf32> to tensor<1x6x5x4xf32>
  %5 = prim.transpose %4 by [0, 2, 1, 3] : tensor<1x6x5x4xf32> to tensor<1x5x6x4xf32>
  return %5 : tensor<1x5x6x4xf32>
}

// Heads that are repeated as a whole, 0 1 0 1, are no groups.
// CHECK-LABEL: @interleaved
//       CHECK:   prim.attention {{.*}} tensor<1x4x5x8xf32>
func.func @interleaved(%q: tensor<1x4x5x8xf32>, %k: tensor<1x2x5x8xf32>) -> tensor<1x4x5x8xf32> {
  %1 = prim.reshape %k : tensor<1x2x5x8xf32> to tensor<1x1x2x5x8xf32>
  %2 = prim.broadcast %1 : tensor<1x1x2x5x8xf32> to tensor<1x2x2x5x8xf32>
  %3 = prim.reshape %2 : tensor<1x2x2x5x8xf32> to tensor<1x4x5x8xf32>
  %4 = prim.attention %q, %3, %3 scale = 5.000000e-01 : tensor<1x4x5x8xf32>, tensor<1x4x5x8xf32>, tensor<1x4x5x8xf32> to tensor<1x4x5x8xf32>
  return %4 : tensor<1x4x5x8xf32>
}
