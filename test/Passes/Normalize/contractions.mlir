// RUN: adze-opt %s --adze-normalize | FileCheck %s

// A weight of rank 2 serves all batches.
// CHECK-LABEL: func.func @linear
// CHECK: prim.matmul %arg0, %arg1 transpose_rhs : tensor<?x5x3xf32, #sym.dims<s0, 5, 3>>, tensor<4x3xf32>
capture.graph @linear(%x: tensor<?x5x3xf32, #sym.dims<s0, 5, 3>>, %w: tensor<4x3xf32>)
    -> tensor<?x5x4xf32, #sym.dims<s0, 5, 4>> {
  %0 = capture.call "aten.linear.default"(input = %x, weight = %w, bias = #capture.none) : (tensor<?x5x3xf32, #sym.dims<s0, 5, 3>>, tensor<4x3xf32>) -> tensor<?x5x4xf32, #sym.dims<s0, 5, 4>>
  capture.return %0 : tensor<?x5x4xf32, #sym.dims<s0, 5, 4>>
}

// Labels of one factor only are summed before the product.
// CHECK-LABEL: func.func @einsum
// CHECK: prim.reduce sum %arg1 dims = [2]
// CHECK: prim.matmul
// CHECK-NOT: prim.matmul
capture.graph @einsum(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) -> tensor<3x2xf32> {
  %0 = capture.call "aten.einsum.default"(equation = "bij,bjk->ib", path = #capture.none, tensors = [%a, %b]) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<3x2xf32>
  capture.return %0 : tensor<3x2xf32>
}

// In training the running statistics are written, though no name says so.
// CHECK-LABEL: func.func @batch_norm
// CHECK-SAME: -> (tensor<4x2xf32>, tensor<2xf32> {capture.descriptor = #capture.descriptor<buffer_mutation, "mean", 0>}, tensor<2xf32> {capture.descriptor = #capture.descriptor<buffer_mutation, "var", 1>})
// CHECK: prim.rsqrt
capture.graph @batch_norm(%x: tensor<4x2xf32>,
                          %mean: tensor<2xf32> {capture.descriptor = #capture.descriptor<buffer, "mean", 0>},
                          %var: tensor<2xf32> {capture.descriptor = #capture.descriptor<buffer, "var", 1>}) -> tensor<4x2xf32> {
  %0 = capture.call "aten.batch_norm.default"(bias = #capture.none, cudnn_enabled = false, eps = 1.0e-5 : f64, input = %x, momentum = 1.0e-1 : f64, running_mean = %mean, running_var = %var, training = true, weight = #capture.none) : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  capture.return %0 : tensor<4x2xf32>
}

// The heads of keys are repeated, the scale is that of the query.
// CHECK-LABEL: func.func @attention
// CHECK: prim.attention {{.*}} scale = 5.000000e-01 causal
capture.graph @attention(%q: tensor<1x4x3x4xf32>, %k: tensor<1x2x3x4xf32>) -> tensor<1x4x3x4xf32> {
  %0 = capture.call "aten.scaled_dot_product_attention.default"(attn_mask = #capture.none, dropout_p = 0.0 : f64, enable_gqa = true, is_causal = true, key = %k, query = %q, scale = #capture.none, value = %k) : (tensor<1x2x3x4xf32>, tensor<1x4x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x4x3x4xf32>
  capture.return %0 : tensor<1x4x3x4xf32>
}

// The last window of ceil mode reaches beyond the end.
// CHECK-LABEL: func.func @ceil_mode
// CHECK: prim.pool max %arg0 {{.*}}high = array<i64: 1>
capture.graph @ceil_mode(%x: tensor<1x2x6xf32>) -> tensor<1x2x3xf32> {
  %0 = capture.call "aten.max_pool1d.default"(ceil_mode = true, dilation = [1], kernel_size = [3], padding = [0], self = %x, stride = [2]) : (tensor<1x2x6xf32>) -> tensor<1x2x3xf32>
  capture.return %0 : tensor<1x2x3xf32>
}

// A mask that selects an unknown number of elements defines a symbol.
// CHECK-LABEL: func.func @masked
// CHECK: prim.nonzero %{{.*}} defines "u0"
capture.graph @masked(%x: tensor<2x3xf32>, %m: tensor<2x3xi1>) -> tensor<?xf32, #sym.dims<u0>> {
  %0 = capture.call "aten.index.Tensor"(indices = [%m], self = %x) binds ["u0"] : (tensor<2x3xi1>, tensor<2x3xf32>) -> tensor<?xf32, #sym.dims<u0>>
  capture.return %0 : tensor<?xf32, #sym.dims<u0>>
}
