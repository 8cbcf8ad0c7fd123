// RUN: adze-opt %s --adze-place-outputs | FileCheck %s

// PyTorch returned the transpose of a row-major tensor: so does adze.
// CHECK-LABEL: @transposed
//  CHECK-SAME:   -> (tensor<3x2xf32> {kernel.order = array<i64: 1, 0>})
//       CHECK:   prim.transpose %{{.*}} by [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
func.func @transposed(%x: tensor<2x3xf32>) -> tensor<2x3xf32> attributes {adze.outputs = [
    {kind = "tensor", result = 0 : i64, strides = [#sym.expr<1>, #sym.expr<2>]}]} {
  return %x : tensor<2x3xf32>
}

// CHECK-LABEL: @row_major
//   CHECK-NOT:   prim.transpose
func.func @row_major(%x: tensor<2x3xf32>) -> tensor<2x3xf32> attributes {adze.outputs = [
    {kind = "tensor", result = 0 : i64, strides = [#sym.expr<3>, #sym.expr<1>]}]} {
  return %x : tensor<2x3xf32>
}
