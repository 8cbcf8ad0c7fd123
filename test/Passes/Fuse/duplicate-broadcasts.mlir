// RUN: adze-opt %s --adze-duplicate-broadcasts --split-input-file | FileCheck %s
// RUN: adze-opt %s --adze-stage-fuse --split-input-file | FileCheck %s --check-prefix=FUSE

// Each user's copy stands before it, so equal users have equal surroundings.
// CHECK-LABEL: @numbers_and_repetitions
//       CHECK:   prim.broadcast %{{.*}} : tensor<4xf32>
//       CHECK:   prim.convert
//       CHECK:   prim.broadcast %{{.*}} : tensor<f32>
//       CHECK:   prim.mul
//       CHECK:   prim.exp
//       CHECK:   prim.broadcast %{{.*}} : tensor<4xf32>
//       CHECK:   prim.convert
//       CHECK:   prim.broadcast %{{.*}} : tensor<f32>
//       CHECK:   prim.sub
// FUSE-LABEL: @numbers_and_repetitions
// FUSE-COUNT-2: kernel.group
//    FUSE-NOT: kernel.group
func.func @numbers_and_repetitions(%x: tensor<3x4xf32>, %w: tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %c = prim.full 2 : i64 to tensor<i64>
  %two = prim.convert %c : tensor<i64> to tensor<f32>
  %0 = prim.broadcast %two : tensor<f32> to tensor<3x4xf32>
  %1 = prim.broadcast %w : tensor<4xf32> to tensor<3x4xf32>
  %2 = prim.mul %0, %1 : tensor<3x4xf32>
  %3 = prim.exp %x : tensor<3x4xf32>
  %4 = prim.sub %0, %1 : tensor<3x4xf32>
  %5 = prim.add %4, %3 : tensor<3x4xf32>
  %6 = prim.reverse %2 dims = [0] : tensor<3x4xf32>
  return %6, %5 : tensor<3x4xf32>, tensor<3x4xf32>
}

// -----

// What has several operands is left alone: its copies could multiply.
// FUSE-LABEL: @sums_of_numbers
// CHECK-LABEL: @sums_of_numbers
// CHECK-COUNT-2: prim.add
//     CHECK-NOT: prim.add
func.func @sums_of_numbers() -> (tensor<4xi64>, tensor<4xi64>) {
  %0 = prim.iota dim = 0 : tensor<4xi64>
  %1 = prim.add %0, %0 : tensor<4xi64>
  %2 = prim.add %1, %1 : tensor<4xi64>
  return %2, %1 : tensor<4xi64>, tensor<4xi64>
}
