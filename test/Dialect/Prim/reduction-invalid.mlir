// RUN: adze-opt %s --split-input-file --verify-diagnostics

func.func @reduce_c1_dim_beyond_rank(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects a dim within rank 1, but found 1}}
  %0 = prim.reduce sum %x dims = [1] : tensor<3xf32> to tensor<3xf32>
  return
}

// -----

func.func @reduce_c1_dims_not_sorted(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{expects dims in ascending order, but found 0 after 1}}
  %0 = prim.reduce sum %x dims = [1, 0] : tensor<3x4xf32> to tensor<f32>
  return
}

// -----

func.func @reduce_c2_any_of_numbers(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects bool elements, but found 'f32'}}
  %0 = prim.reduce any %x dims = [0] : tensor<3xf32> to tensor<f32>
  return
}

// -----

func.func @reduce_c2_max_of_complex(%x: tensor<3xcomplex<f32>>) {
  // expected-error@+1 {{expects real elements, but found 'complex<f32>'}}
  %0 = prim.reduce max %x dims = [0] : tensor<3xcomplex<f32>> to tensor<complex<f32>>
  return
}

// -----

func.func @reduce_c3_wrong_sizes(%x: tensor<3x4xf32>) {
  // expected-error@+2 {{are incompatible with return type(s)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.reduce sum %x dims = [0] : tensor<3x4xf32> to tensor<3xf32>
  return
}

// -----

func.func @arg_reduce_c1_sum(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects `max` or `min`, but found `sum`}}
  %0 = prim.arg_reduce sum %x dim = 0 : tensor<3xf32> to tensor<i64>
  return
}

// -----

func.func @arg_reduce_c2_dim_beyond_rank(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects a dim within rank 1, but found 2}}
  %0 = prim.arg_reduce max %x dim = 2 : tensor<3xf32> to tensor<3xi64>
  return
}

// -----

func.func @cumulative_c1_dim_negative(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects a dim within rank 1, but found -1}}
  %0 = prim.cumulative sum %x dim = -1 : tensor<3xf32>
  return
}

// -----

func.func @arg_cumulative_c1_prod(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects `max` or `min`, but found `prod`}}
  %0 = prim.arg_cumulative prod %x dim = 0 : tensor<3xf32>
  return
}

// -----

func.func @arg_cumulative_c2_dim_beyond_rank(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects a dim within rank 1, but found 1}}
  %0 = prim.arg_cumulative max %x dim = 1 : tensor<3xf32>
  return
}

// -----

func.func @sort_c1_dim_beyond_rank(%x: tensor<f32>) {
  // expected-error@+1 {{expects a dim within rank 0, but found 0}}
  %0:2 = prim.sort %x dim = 0 : tensor<f32>
  return
}

// -----

func.func @topk_c1_dim_beyond_rank(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects a dim within rank 1, but found 1}}
  %0:2 = prim.topk %x dim = 1 : tensor<3xf32> to tensor<2xf32>, tensor<2xi64>
  return
}

// -----

func.func @topk_c2_other_size_differs(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{expects a result of type 'tensor<2x4xf32>', but found 'tensor<2x3xf32>'}}
  %0:2 = prim.topk %x dim = 0 : tensor<3x4xf32> to tensor<2x3xf32>, tensor<2x3xi64>
  return
}

// -----

func.func @topk_c2_indices_differ(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects a result of type 'tensor<2xi64>', but found 'tensor<1xi64>'}}
  %0:2 = prim.topk %x dim = 0 : tensor<3xf32> to tensor<2xf32>, tensor<1xi64>
  return
}

// -----

func.func @searchsorted_c1_leading_sizes_differ(%s: tensor<2x7xf32>, %x: tensor<3x4xf32>) {
  // expected-error@+1 {{expects equal leading sizes, but found [2, 7] and [3, 4]}}
  %0 = prim.searchsorted %s, %x : tensor<2x7xf32>, tensor<3x4xf32>
  return
}

// -----

func.func @searchsorted_c1_ranks_differ(%s: tensor<2x7xf32>, %x: tensor<4xf32>) {
  // expected-error@+1 {{expects sequences of rank 1 or of the values' rank}}
  %0 = prim.searchsorted %s, %x : tensor<2x7xf32>, tensor<4xf32>
  return
}

// -----

func.func @searchsorted_c2_element_types_differ(%s: tensor<7xf32>, %x: tensor<4xf64>) {
  // expected-error@+1 {{expects equal element types, but found 'f32' and 'f64'}}
  %0 = prim.searchsorted %s, %x : tensor<7xf32>, tensor<4xf64>
  return
}
