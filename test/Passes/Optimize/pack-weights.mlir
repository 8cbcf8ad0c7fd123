// RUN: adze-opt %s --adze-pack-weights=vector-bits=512 | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: adze-opt %s --adze-pack-weights=vector-bits=256 | FileCheck %s --check-prefixes=CHECK,NARROW

// Nothing else reads the weight: it is packed in place.
// CHECK-LABEL: func.func @linear
// WIDE-SAME: %[[W:arg1]]: tensor<6x8xf32> {{{.*}}kernel.packing = #kernel.packing<transposed_rhs, 32>}
// NARROW-SAME: %[[W:arg1]]: tensor<6x8xf32> {{{.*}}kernel.packing = #kernel.packing<transposed_rhs, 16>}
// CHECK-NEXT: prim.matmul %{{.*}}, %[[W]] transpose_rhs {kernel.packing = #kernel.packing<transposed_rhs,
func.func @linear(%x: tensor<4x8xf32>,
                  %w: tensor<6x8xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0>})
    -> tensor<4x6xf32> {
  %0 = prim.matmul %x, %w transpose_rhs : tensor<4x8xf32>, tensor<6x8xf32> to tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// Through a transpose; f64 has half the lanes.
// CHECK-LABEL: func.func @transposed
// WIDE-SAME: kernel.packing = #kernel.packing<transposed_rhs, 16>
// CHECK-NOT: prim.transpose
// CHECK: prim.matmul %{{.*}}, %{{.*}} transpose_rhs
func.func @transposed(%x: tensor<4x8xf64>,
                      %w: tensor<6x8xf64> {capture.descriptor = #capture.descriptor<buffer, "w", 0>})
    -> tensor<4x6xf64> {
  %t = prim.transpose %w by [1, 0] : tensor<6x8xf64> to tensor<8x6xf64>
  %0 = prim.matmul %x, %t : tensor<4x8xf64>, tensor<8x6xf64> to tensor<4x6xf64>
  return %0 : tensor<4x6xf64>
}

// Another use keeps the weight as it is: products get a second argument.
// CHECK-LABEL: func.func @tied
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[W:[a-z0-9]+]]: tensor<6x8xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0>}
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<6x8xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0>, kernel.packing
// CHECK: prim.matmul %[[X]], %[[P]] transpose_rhs {kernel.packing
// CHECK: return %{{.*}}, %[[W]]
func.func @tied(%x: tensor<4x8xf32>,
                %w: tensor<6x8xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0>})
    -> (tensor<4x6xf32>, tensor<6x8xf32>) {
  %0 = prim.matmul %x, %w transpose_rhs : tensor<4x8xf32>, tensor<6x8xf32> to tensor<4x6xf32>
  return %0, %w : tensor<4x6xf32>, tensor<6x8xf32>
}

// Inputs and what the program changes are not packed.
// CHECK-LABEL: func.func @others
// CHECK-NOT: kernel.packing
func.func @others(%x: tensor<4x4xf32> {capture.descriptor = #capture.descriptor<user_input, "x", 0>},
                  %s: tensor<4x4xf32> {capture.descriptor = #capture.descriptor<buffer, "s", 0>})
    -> (tensor<4x4xf32> {capture.descriptor = #capture.descriptor<buffer_mutation, "s", 0>}) {
  %0 = prim.matmul %x, %x : tensor<4x4xf32>, tensor<4x4xf32> to tensor<4x4xf32>
  %1 = prim.matmul %0, %s : tensor<4x4xf32>, tensor<4x4xf32> to tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// Integers are packed as floats are; the sums of 8 bits are as wide as f32.
// CHECK-LABEL: func.func @integers
// WIDE-SAME: kernel.packing = #kernel.packing<rhs, 32>
// NARROW-SAME: kernel.packing = #kernel.packing<rhs, 16>
func.func @integers(%x: tensor<4x4xi8>,
                    %i: tensor<4x4xi8> {capture.descriptor = #capture.descriptor<parameter, "i", 0>})
    -> tensor<4x4xi8> {
  %0 = prim.matmul %x, %i : tensor<4x4xi8>, tensor<4x4xi8> to tensor<4x4xi8>
  return %0 : tensor<4x4xi8>
}
