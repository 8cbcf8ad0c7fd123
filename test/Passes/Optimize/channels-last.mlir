// RUN: adze-opt %s --adze-channels-last --canonicalize --cse | FileCheck %s
// RUN: adze-opt %s --adze-channels-last --canonicalize --adze-pack-weights | FileCheck %s --check-prefix=PACK

// Only the input and the result are transposed.
// CHECK-LABEL: func.func @block
// CHECK: prim.transpose %arg0 by [0, 2, 3, 1]
// CHECK: prim.convolution {{.*}}layout = 1 : i32{{.*}} to tensor<1x8x8x4xf32>
// CHECK: prim.broadcast {{.*}} to tensor<1x8x8x4xf32>
// CHECK: prim.add {{.*}} tensor<1x8x8x4xf32>
// CHECK: prim.pool max {{.*}}layout = 1 : i32{{.*}} to tensor<1x4x4x4xf32>
// CHECK: prim.convolution {{.*}} to tensor<1x4x4x4xf32>
// CHECK: %[[Y:.*]] = prim.add {{.*}} tensor<1x4x4x4xf32>
// CHECK: %[[R:.*]] = prim.transpose %[[Y]] by [0, 3, 1, 2]
// CHECK: return %[[R]]
// PACK-LABEL: func.func @block
// PACK-SAME: tensor<4x3x3x2xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0>, kernel.packing = #kernel.packing<filter, 16>}
// PACK-SAME: tensor<4x3x3x1xf32> {capture.descriptor = #capture.descriptor<parameter, "d", 1>, kernel.packing = #kernel.packing<depthwise_filter, 16, groups = 4>}
func.func @block(%x: tensor<1x2x8x8xf32>,
                 %w: tensor<4x2x3x3xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0>},
                 %d: tensor<4x1x3x3xf32> {capture.descriptor = #capture.descriptor<parameter, "d", 1>},
                 %bias: tensor<4x1x1xf32> {capture.descriptor = #capture.descriptor<parameter, "b", 2>})
    -> tensor<1x4x4x4xf32> {
  %0 = prim.convolution %x, %w {stride = array<i64: 1, 1>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 1 : i64} : tensor<1x2x8x8xf32>, tensor<4x2x3x3xf32> to tensor<1x4x8x8xf32>
  %1 = prim.broadcast %bias : tensor<4x1x1xf32> to tensor<1x4x8x8xf32>
  %2 = prim.add %0, %1 : tensor<1x4x8x8xf32>
  %3 = prim.pool max %2 {window = array<i64: 2, 2>, stride = array<i64: 2, 2>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, dilation = array<i64: 1, 1>} : tensor<1x4x8x8xf32> to tensor<1x4x4x4xf32>
  %4 = prim.convolution %3, %d {stride = array<i64: 1, 1>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 4 : i64} : tensor<1x4x4x4xf32>, tensor<4x1x3x3xf32> to tensor<1x4x4x4xf32>
  %5 = prim.add %4, %3 : tensor<1x4x4x4xf32>
  return %5 : tensor<1x4x4x4xf32>
}
