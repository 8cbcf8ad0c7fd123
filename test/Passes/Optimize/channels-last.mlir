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
// PACK-SAME: tensor<3x3x2x4xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0>, kernel.packing = #kernel.packing<filter, 16>}
// PACK-SAME: tensor<3x3x1x4xf32> {capture.descriptor = #capture.descriptor<parameter, "d", 1>, kernel.packing = #kernel.packing<depthwise_filter, 16, groups = 4>}
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

// A filter that is an input is copied to the order that the kernel reads; so
// are images of any number of dims.
// CHECK-LABEL: func.func @input_filter
// CHECK: %[[W:.*]] = prim.transpose %arg1 by [2, 3, 4, 1, 0] : tensor<4x2x3x3x3xf32> to tensor<3x3x3x2x4xf32>
// CHECK: prim.convolution %{{.*}}, %[[W]] {{.*}}layout = 1 : i32
// PACK-LABEL: func.func @input_filter
// PACK-NOT: kernel.packing
// PACK: return
func.func @input_filter(%x: tensor<1x2x8x8x8xf32> {capture.descriptor = #capture.descriptor<user_input, "x", 0>},
                        %w: tensor<4x2x3x3x3xf32> {capture.descriptor = #capture.descriptor<user_input, "w", 0>})
    -> tensor<1x4x6x6x6xf32> {
  %0 = prim.convolution %x, %w {stride = array<i64: 1, 1, 1>, low = array<i64: 0, 0, 0>, high = array<i64: 0, 0, 0>, dilation = array<i64: 1, 1, 1>, output_padding = array<i64: 0, 0, 0>, groups = 1 : i64} : tensor<1x2x8x8x8xf32>, tensor<4x2x3x3x3xf32> to tensor<1x4x6x6x6xf32>
  return %0 : tensor<1x4x6x6x6xf32>
}

// Transposed filters have the outputs of one group; a weight is packed from
// there, be there groups or not.
// CHECK-LABEL: func.func @transposed
// CHECK: prim.transpose %arg1 by [2, 3, 0, 1] : tensor<2x4x3x3xf32> to tensor<3x3x2x4xf32>
// CHECK: prim.convolution {{.*}}layout = 1 : i32{{.*}}transposed
// CHECK: %[[APART:.*]] = prim.reshape %arg2 : tensor<4x3x2x2xf32> to tensor<2x2x3x2x2xf32>
// CHECK: %[[LAID:.*]] = prim.transpose %[[APART]] by [3, 4, 1, 0, 2] : tensor<2x2x3x2x2xf32> to tensor<2x2x2x2x3xf32>
// CHECK: %[[FILTER:.*]] = prim.reshape %[[LAID]] : tensor<2x2x2x2x3xf32> to tensor<2x2x2x6xf32>
// CHECK: prim.convolution %{{.*}}, %[[FILTER]] {{.*}}groups = 2 : i64{{.*}}transposed
// PACK-LABEL: func.func @transposed
// PACK-SAME: tensor<3x3x2x4xf32> {{.*}}kernel.packing = #kernel.packing<transposed_filter, 16>}
// PACK-SAME: tensor<2x2x2x6xf32> {{.*}}kernel.packing = #kernel.packing<transposed_filter, 16, groups = 2>}
// PACK-NOT: prim.reshape
// PACK: return
func.func @transposed(%x: tensor<1x2x4x4xf32>,
                      %w: tensor<2x4x3x3xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0>},
                      %g: tensor<4x3x2x2xf32> {capture.descriptor = #capture.descriptor<parameter, "g", 1>})
    -> tensor<1x6x16x16xf32> {
  %0 = prim.convolution %x, %w {stride = array<i64: 2, 2>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 1, 1>, groups = 1 : i64, transposed} : tensor<1x2x4x4xf32>, tensor<2x4x3x3xf32> to tensor<1x4x8x8xf32>
  %1 = prim.convolution %0, %g {stride = array<i64: 2, 2>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 2 : i64, transposed} : tensor<1x4x8x8xf32>, tensor<4x3x2x2xf32> to tensor<1x6x16x16xf32>
  return %1 : tensor<1x6x16x16xf32>
}

// A filter of unknown size has no kernel, nor have complex numbers.
// CHECK-LABEL: func.func @no_kernel
// CHECK-NOT: layout = 1
// CHECK: return
func.func @no_kernel(%x: tensor<1x2x8xf32>, %w: tensor<4x2x?xf32, #sym.dims<4, 2, s0>>,
                     %c: tensor<1x2x8xcomplex<f32>>, %v: tensor<4x2x3xcomplex<f32>>)
    -> (tensor<1x4x?xf32, #sym.dims<1, 4, -1 * s0 + 9>>, tensor<1x4x6xcomplex<f32>>) {
  %0 = prim.convolution %x, %w {stride = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, dilation = array<i64: 1>, output_padding = array<i64: 0>, groups = 1 : i64} : tensor<1x2x8xf32>, tensor<4x2x?xf32, #sym.dims<4, 2, s0>> to tensor<1x4x?xf32, #sym.dims<1, 4, -1 * s0 + 9>>
  %1 = prim.convolution %c, %v {stride = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, dilation = array<i64: 1>, output_padding = array<i64: 0>, groups = 1 : i64} : tensor<1x2x8xcomplex<f32>>, tensor<4x2x3xcomplex<f32>> to tensor<1x4x6xcomplex<f32>>
  return %0, %1 : tensor<1x4x?xf32, #sym.dims<1, 4, -1 * s0 + 9>>, tensor<1x4x6xcomplex<f32>>
}
