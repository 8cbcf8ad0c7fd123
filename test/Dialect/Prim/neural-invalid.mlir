// RUN: adze-opt %s --split-input-file --verify-diagnostics

func.func @matmul_c1_ranks_differ(%a: tensor<3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{expects a lhs of rank 2 or more and a rhs of its rank or of rank 2, but found ranks 2 and 3}}
  %0 = prim.matmul %a, %b : tensor<3x4xf32>, tensor<2x4x5xf32> to tensor<2x3x5xf32>
  return
}

// -----

func.func @matmul_c1_element_types_differ(%a: tensor<3x4xf32>, %b: tensor<4x5xf64>) {
  // expected-error@+1 {{expects equal element types, but found 'f32' and 'f64'}}
  %0 = prim.matmul %a, %b : tensor<3x4xf32>, tensor<4x5xf64> to tensor<3x5xf32>
  return
}

// -----

func.func @matmul_c2_leading_sizes_differ(%a: tensor<2x3x4xf32>, %b: tensor<1x4x5xf32>) {
  // expected-error@+1 {{expects equal leading sizes, but found [2, 3, 4] and [1, 4, 5]}}
  %0 = prim.matmul %a, %b : tensor<2x3x4xf32>, tensor<1x4x5xf32> to tensor<2x3x5xf32>
  return
}

// -----

func.func @matmul_c3_inner_sizes_differ(%a: tensor<3x4xf32>, %b: tensor<3x5xf32>) {
  // expected-error@+1 {{expects equal inner sizes, but found 4 and 3}}
  %0 = prim.matmul %a, %b : tensor<3x4xf32>, tensor<3x5xf32> to tensor<3x5xf32>
  return
}

// -----

func.func @convolution_c1_ranks_differ(%x: tensor<1x2x8xf32>, %w: tensor<3x2x3x1xf32>) {
  // expected-error@+1 {{expects input and filter of one rank of at least 3}}
  %0 = prim.convolution %x, %w {dilation = array<i64: 1>, groups = 1, high = array<i64: 0>, low = array<i64: 0>, output_padding = array<i64: 0>, stride = array<i64: 1>} : tensor<1x2x8xf32>, tensor<3x2x3x1xf32> to tensor<1x3x6xf32>
  return
}

// -----

func.func @convolution_c2_too_many_entries(%x: tensor<1x2x8xf32>, %w: tensor<3x2x3xf32>) {
  // expected-error@+1 {{expects 1 entries per attribute, but found 2}}
  %0 = prim.convolution %x, %w {dilation = array<i64: 1>, groups = 1, high = array<i64: 0>, low = array<i64: 0>, output_padding = array<i64: 0>, stride = array<i64: 1, 1>} : tensor<1x2x8xf32>, tensor<3x2x3xf32> to tensor<1x3x6xf32>
  return
}

// -----

func.func @convolution_c3_stride_zero(%x: tensor<1x2x8xf32>, %w: tensor<3x2x3xf32>) {
  // expected-error@+1 {{expects positive strides and dilations}}
  %0 = prim.convolution %x, %w {dilation = array<i64: 1>, groups = 1, high = array<i64: 0>, low = array<i64: 0>, output_padding = array<i64: 0>, stride = array<i64: 0>} : tensor<1x2x8xf32>, tensor<3x2x3xf32> to tensor<1x3x6xf32>
  return
}

// -----

func.func @convolution_c4_channels_do_not_fit(%x: tensor<1x4x8xf32>, %w: tensor<3x2x3xf32>) {
  // expected-error@+1 {{expects 2 input channels, but found 4}}
  %0 = prim.convolution %x, %w {dilation = array<i64: 1>, groups = 1, high = array<i64: 0>, low = array<i64: 0>, output_padding = array<i64: 0>, stride = array<i64: 1>} : tensor<1x4x8xf32>, tensor<3x2x3xf32> to tensor<1x3x6xf32>
  return
}

// -----

func.func @convolution_c4_outputs_not_divisible(%x: tensor<1x4x8xf32>, %w: tensor<3x2x3xf32>) {
  // expected-error@+1 {{expects output channels divisible by 2 groups, but found 3}}
  %0 = prim.convolution %x, %w {dilation = array<i64: 1>, groups = 2, high = array<i64: 0>, low = array<i64: 0>, output_padding = array<i64: 0>, stride = array<i64: 1>} : tensor<1x4x8xf32>, tensor<3x2x3xf32> to tensor<1x3x6xf32>
  return
}

// -----

func.func @convolution_c4_transposed_inputs_not_divisible(%x: tensor<1x3x8xf32>, %w: tensor<3x2x3xf32>) {
  // expected-error@+1 {{expects input channels divisible by 2 groups, but found 3}}
  %0 = prim.convolution %x, %w {dilation = array<i64: 1>, groups = 2, high = array<i64: 0>, low = array<i64: 0>, output_padding = array<i64: 0>, stride = array<i64: 1>, transposed} : tensor<1x3x8xf32>, tensor<3x2x3xf32> to tensor<1x4x10xf32>
  return
}

// -----

func.func @pool_c1_entries_differ(%x: tensor<2x8xf32>) {
  // expected-error@+2 {{expects 1 entries per attribute and at most the rank}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.pool max %x {dilation = array<i64: 1>, high = array<i64: 0>, low = array<i64: 0, 0>, stride = array<i64: 2>, window = array<i64: 2>} : tensor<2x8xf32> to tensor<2x4xf32>
  return
}

// -----

func.func @pool_c2_window_zero(%x: tensor<2x8xf32>) {
  // expected-error@+2 {{expects positive windows, strides and dilations}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.pool max %x {dilation = array<i64: 1>, high = array<i64: 0>, low = array<i64: 0>, stride = array<i64: 2>, window = array<i64: 0>} : tensor<2x8xf32> to tensor<2x4xf32>
  return
}

// -----

func.func @pool_c3_prod(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{expects `sum`, `max` or `min`, but found `prod`}}
  %0 = prim.pool prod %x {dilation = array<i64: 1>, high = array<i64: 0>, low = array<i64: 0>, stride = array<i64: 2>, window = array<i64: 2>} : tensor<2x8xf32> to tensor<2x4xf32>
  return
}

// -----

func.func @arg_pool_c1_entries_differ(%x: tensor<2x8xf32>) {
  // expected-error@+2 {{expects 1 entries per attribute and at most the rank}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.arg_pool %x {dilation = array<i64: 1, 1>, high = array<i64: 0>, low = array<i64: 0>, stride = array<i64: 2>, window = array<i64: 2>} : tensor<2x8xf32> to tensor<2x4xi64>
  return
}

// -----

func.func @arg_pool_c2_stride_negative(%x: tensor<2x8xf32>) {
  // expected-error@+2 {{expects positive windows, strides and dilations}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.arg_pool %x {dilation = array<i64: 1>, high = array<i64: 0>, low = array<i64: 0>, stride = array<i64: -2>, window = array<i64: 2>} : tensor<2x8xf32> to tensor<2x4xi64>
  return
}

// -----

func.func @softmax_c1_dim_beyond_rank(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{expects a dim within rank 2, but found 2}}
  %0 = prim.softmax %x dim = 2 : tensor<2x8xf32>
  return
}

// -----

func.func @log_softmax_c1_dim_beyond_rank(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{expects a dim within rank 2, but found 5}}
  %0 = prim.log_softmax %x dim = 5 : tensor<2x8xf32>
  return
}

// -----

func.func @layer_norm_c1_too_many_axes(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{expects 1 to 2 axes, but found 3}}
  %0:3 = prim.layer_norm %x {axes = 3, eps = 0.0 : f64} : tensor<2x8xf32> to tensor<1x1xf32>
  return
}

// -----

func.func @layer_norm_c2_weight_does_not_fit(%x: tensor<2x8xf32>, %w: tensor<7xf32>) {
  // expected-error@+1 {{expects a parameter of sizes [8], but found [7]}}
  %0:3 = prim.layer_norm %x weight %w : tensor<7xf32> {axes = 1, eps = 0.0 : f64} : tensor<2x8xf32> to tensor<2x1xf32>
  return
}

// -----

func.func @layer_norm_c3_mean_does_not_fit(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{expects a mean of sizes [2, 1], but found [2]}}
  %0:3 = prim.layer_norm %x {axes = 1, eps = 0.0 : f64} : tensor<2x8xf32> to tensor<2xf32>
  return
}

// -----

func.func @rms_norm_c1_no_axes(%x: tensor<2x8xf32>) {
  // expected-error@+1 {{expects 1 to 2 axes, but found 0}}
  %0 = prim.rms_norm %x {axes = 0, eps = 0.0 : f64} : tensor<2x8xf32>
  return
}

// -----

func.func @rms_norm_c2_weight_does_not_fit(%x: tensor<2x8xf32>, %w: tensor<2x8xf32>) {
  // expected-error@+1 {{expects a parameter of sizes [8], but found [2, 8]}}
  %0 = prim.rms_norm %x weight %w : tensor<2x8xf32> {axes = 1, eps = 0.0 : f64} : tensor<2x8xf32>
  return
}

// -----

func.func @attention_c1_ranks_differ(%q: tensor<2x5x4xf32>, %k: tensor<6x4xf32>) {
  // expected-error@+1 {{expects query, key and value of one rank of at least 3}}
  %0 = prim.attention %q, %k, %q scale = 1.0 : tensor<2x5x4xf32>, tensor<6x4xf32>, tensor<2x5x4xf32> to tensor<2x5x4xf32>
  return
}

// -----

func.func @attention_c1_element_types_differ(%q: tensor<2x5x4xf32>, %k: tensor<2x5x4xf64>) {
  // expected-error@+1 {{expects equal element types, but found 'f32' and 'f64'}}
  %0 = prim.attention %q, %k, %q scale = 1.0 : tensor<2x5x4xf32>, tensor<2x5x4xf64>, tensor<2x5x4xf32> to tensor<2x5x4xf32>
  return
}

// -----

func.func @attention_c2_inner_sizes_differ(%q: tensor<2x5x4xf32>, %k: tensor<2x5x3xf32>) {
  // expected-error@+1 {{expects sizes that fit, but found [2, 5, 4], [2, 5, 3] and [2, 5, 4]}}
  %0 = prim.attention %q, %k, %q scale = 1.0 : tensor<2x5x4xf32>, tensor<2x5x3xf32>, tensor<2x5x4xf32> to tensor<2x5x4xf32>
  return
}

// -----

func.func @attention_c3_mask_does_not_broadcast(%q: tensor<2x5x4xf32>, %m: tensor<2x5x4xi1>) {
  // expected-error@+1 {{expects a mask that broadcasts to [2, 5, 5], but found [2, 5, 4]}}
  %0 = prim.attention %q, %q, %q mask %m : tensor<2x5x4xi1> scale = 1.0 : tensor<2x5x4xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32> to tensor<2x5x4xf32>
  return
}
