// RUN: adze-opt %s --split-input-file --verify-diagnostics

func.func @full_c1_another_type() {
  // expected-error@+1 {{expects a number of type 'f32', but found 1 : i64}}
  %0 = prim.full 1 : i64 to tensor<2xf32>
  return
}

// -----

func.func @iota_c1_dim_beyond_rank() {
  // expected-error@+1 {{expects a dim within rank 1, but found 1}}
  %0 = prim.iota dim = 1 : tensor<2xi64>
  return
}

// -----

func.func @reshape_c1_element_types_differ(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects equal element types, but found 'f32' and 'f64'}}
  %0 = prim.reshape %x : tensor<4xf32> to tensor<2x2xf64>
  return
}

// -----

func.func @reshape_c2_counts_differ(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects as many elements as before, 4, but found 6}}
  %0 = prim.reshape %x : tensor<4xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @check_shape_c1_ranks_differ(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a result of type 'tensor<4xf32>', but found 'tensor<4x1xf32>'}}
  %0 = prim.check_shape %x : tensor<4xf32> to tensor<4x1xf32>
  return
}

// -----

func.func @transpose_c1_no_permutation(%x: tensor<4x3xf32>) {
  // expected-error@+1 {{expects a permutation of the operand's dims}}
  %0 = prim.transpose %x by [0, 0] : tensor<4x3xf32> to tensor<4x4xf32>
  return
}

// -----

func.func @transpose_c2_sizes_not_permuted(%x: tensor<4x3xf32>) {
  // expected-error@+2 {{are incompatible with return type(s)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.transpose %x by [1, 0] : tensor<4x3xf32> to tensor<4x3xf32>
  return
}

// -----

func.func @broadcast_c1_element_types_differ(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects equal element types, but found 'f32' and 'i32'}}
  %0 = prim.broadcast %x : tensor<4xf32> to tensor<2x4xi32>
  return
}

// -----

func.func @broadcast_c2_rank_shrinks(%x: tensor<1x4xf32>) {
  // expected-error@+1 {{expects a result of at least rank 2, but found rank 1}}
  %0 = prim.broadcast %x : tensor<1x4xf32> to tensor<4xf32>
  return
}

// -----

func.func @broadcast_c3_size_differs(%x: tensor<3xf32>) {
  // expected-error@+1 {{can not broadcast size 3 to 4}}
  %0 = prim.broadcast %x : tensor<3xf32> to tensor<4xf32>
  return
}

// -----

func.func @slice_c1_element_types_differ(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects equal element types, but found 'f32' and 'f64'}}
  %0 = prim.slice %x from [#sym.expr<0>] by [1] : tensor<3xf32> to tensor<2xf64>
  return
}

// -----

func.func @slice_c2_too_few_starts(%x: tensor<3x3xf32>) {
  // expected-error@+1 {{expects one size, start and stride for each of 2 dims, but found 2, 1 and 2}}
  %0 = prim.slice %x from [#sym.expr<0>] by [1, 1] : tensor<3x3xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @slice_c3_stride_zero(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects positive strides, but found 0}}
  %0 = prim.slice %x from [#sym.expr<0>] by [0] : tensor<3xf32> to tensor<2xf32>
  return
}

// -----

func.func @slice_c4_beyond_the_end(%x: tensor<3xf32>) {
  // expected-error@+1 {{reaches beyond size 3 of dim 0}}
  %0 = prim.slice %x from [#sym.expr<1>] by [2] : tensor<3xf32> to tensor<2xf32>
  return
}

// -----

func.func @update_slice_c1_element_types_differ(%x: tensor<3xf32>, %u: tensor<2xf64>) {
  // expected-error@+1 {{expects equal element types, but found 'f32' and 'f64'}}
  %0 = prim.update_slice %x, %u from [#sym.expr<0>] by [1] : tensor<3xf32>, tensor<2xf64>
  return
}

// -----

func.func @update_slice_c2_ranks_differ(%x: tensor<3xf32>, %u: tensor<2x1xf32>) {
  // expected-error@+1 {{expects one size, start and stride for each of 1 dims, but found 2, 1 and 1}}
  %0 = prim.update_slice %x, %u from [#sym.expr<0>] by [1] : tensor<3xf32>, tensor<2x1xf32>
  return
}

// -----

func.func @update_slice_c3_stride_negative(%x: tensor<3xf32>, %u: tensor<2xf32>) {
  // expected-error@+1 {{expects positive strides, but found -1}}
  %0 = prim.update_slice %x, %u from [#sym.expr<0>] by [-1] : tensor<3xf32>, tensor<2xf32>
  return
}

// -----

func.func @update_slice_c4_before_the_start(%x: tensor<3xf32>, %u: tensor<2xf32>) {
  // expected-error@+1 {{reaches beyond size 3 of dim 0}}
  %0 = prim.update_slice %x, %u from [#sym.expr<-1>] by [1] : tensor<3xf32>, tensor<2xf32>
  return
}

// -----

func.func @pad_c1_value_of_another_type(%x: tensor<3xf32>, %v: tensor<f64>) {
  // expected-error@+1 {{expects equal element types, but found 'f32' and 'f64'}}
  %0 = prim.pad %x with %v low [#sym.expr<1>] high [#sym.expr<0>] : tensor<3xf32>, tensor<f64> to tensor<4xf32>
  return
}

// -----

func.func @pad_c1_value_with_dims(%x: tensor<3xf32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{expects a value of rank 0, but found rank 1}}
  %0 = prim.pad %x with %v low [#sym.expr<1>] high [#sym.expr<0>] : tensor<3xf32>, tensor<2xf32> to tensor<4xf32>
  return
}

// -----

func.func @pad_c2_too_few_entries(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+2 {{expects padding for each of 1 dims}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.pad %x with %v low [] high [#sym.expr<0>] : tensor<3xf32>, tensor<f32> to tensor<4xf32>
  return
}

// -----

func.func @pad_c3_wrong_size(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+2 {{are incompatible with return type(s)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.pad %x with %v low [#sym.expr<1>] high [#sym.expr<0>] : tensor<3xf32>, tensor<f32> to tensor<5xf32>
  return
}

// -----

func.func @pad_c4_negative(%x: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{expects padding that is not negative, but found -1}}
  %0 = prim.pad %x with %v low [#sym.expr<-1>] high [#sym.expr<0>] : tensor<3xf32>, tensor<f32> to tensor<2xf32>
  return
}

// -----

func.func @concat_c1_no_operand() {
  // expected-error@+1 {{expects at least one operand}}
  %0 = "prim.concat"() <{dim = 0 : i64}> : () -> tensor<1xf32>
  return
}

// -----

func.func @concat_c2_ranks_differ(%x: tensor<3xf32>, %y: tensor<3x1xf32>) {
  // expected-error@+1 {{expects operands of one rank}}
  %0 = prim.concat %x, %y dim = 0 : tensor<3xf32>, tensor<3x1xf32> to tensor<6xf32>
  return
}

// -----

func.func @concat_c2_element_types_differ(%x: tensor<3xf32>, %y: tensor<3xf64>) {
  // expected-error@+1 {{expects equal element types, but found 'f32' and 'f64'}}
  %0 = prim.concat %x, %y dim = 0 : tensor<3xf32>, tensor<3xf64> to tensor<6xf32>
  return
}

// -----

func.func @concat_c3_dim_beyond_rank(%x: tensor<3xf32>) {
  // expected-error@+2 {{expects a dim within rank 1, but found 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.concat %x dim = 1 : tensor<3xf32> to tensor<3xf32>
  return
}

// -----

func.func @concat_c4_other_sizes_differ(%x: tensor<3x2xf32>, %y: tensor<3x3xf32>) {
  // expected-error@+1 {{expects equal sizes of dim 1, but found 2 and 3}}
  %0 = prim.concat %x, %y dim = 0 : tensor<3x2xf32>, tensor<3x3xf32> to tensor<6x2xf32>
  return
}

// -----

func.func @reverse_c1_dim_twice(%x: tensor<3x2xf32>) {
  // expected-error@+1 {{expects dims in ascending order, but found 0 after 0}}
  %0 = prim.reverse %x dims = [0, 0] : tensor<3x2xf32>
  return
}

// -----

func.func @assert_c1_with_dims(%x: tensor<3xi1>) {
  // expected-error@+1 {{expects a condition of rank 0, but found rank 1}}
  prim.assert %x, "no" : tensor<3xi1>
  return
}

// -----

func.func @symbol_value_c1_with_dims() {
  // expected-error@+1 {{expects a result of rank 0, but found rank 1}}
  %0 = prim.symbol_value <s0> : tensor<1xi64>
  return
}

// -----

func.func @bind_symbol_c1_with_dims(%x: tensor<3xi64>) {
  // expected-error@+1 {{expects a value of rank 0, but found rank 1}}
  prim.bind_symbol "u0" = %x : tensor<3xi64>
  return
}
