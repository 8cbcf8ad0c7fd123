// RUN: adze-opt %s --split-input-file --verify-diagnostics

func.func @index_c1_dim_twice(%x: tensor<3x4xf32>, %i: tensor<2xi64>) {
  // expected-error@+2 {{expects one distinct dim within the rank for each index tensor}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.index %x[%i, %i] dims = [0, 0] position = 0 : tensor<3x4xf32>, tensor<2xi64>, tensor<2xi64> to tensor<2xf32>
  return
}

// -----

func.func @index_c2_types_differ(%x: tensor<3x4xf32>, %i: tensor<2xi64>, %j: tensor<3xi64>) {
  // expected-error@+1 {{expects index tensors of one type, but found 'tensor<2xi64>' and 'tensor<3xi64>'}}
  %0 = prim.index %x[%i, %j] dims = [0, 1] position = 0 : tensor<3x4xf32>, tensor<2xi64>, tensor<3xi64> to tensor<2xf32>
  return
}

// -----

func.func @index_c3_position_too_large(%x: tensor<3x4xf32>, %i: tensor<2xi64>) {
  // expected-error@+2 {{and a position among the others}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.index %x[%i] dims = [0] position = 2 : tensor<3x4xf32>, tensor<2xi64> to tensor<4x2xf32>
  return
}

// -----

func.func @index_put_c1_no_index(%x: tensor<3x4xf32>, %v: tensor<3x4xf32>) {
  // expected-error@+1 {{expects one distinct dim within the rank for each index tensor}}
  %0 = "prim.index_put"(%x, %v) <{dims = array<i64>, kind = 0 : i32, position = 0 : i64}> : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @index_put_c2_types_differ(%x: tensor<3x4xf32>, %v: tensor<2xf32>, %i: tensor<2xi64>, %j: tensor<3xi64>) {
  // expected-error@+1 {{expects index tensors of one type}}
  %0 = prim.index_put set %x, %v[%i, %j] dims = [0, 1] position = 0 : tensor<3x4xf32>, tensor<2xf32>, tensor<2xi64>, tensor<3xi64>
  return
}

// -----

func.func @index_put_c3_position_negative(%x: tensor<3x4xf32>, %v: tensor<2x4xf32>, %i: tensor<2xi64>) {
  // expected-error@+1 {{and a position among the others}}
  %0 = prim.index_put set %x, %v[%i] dims = [0] position = -1 : tensor<3x4xf32>, tensor<2x4xf32>, tensor<2xi64>
  return
}

// -----

func.func @index_put_c4_values_do_not_fit(%x: tensor<3x4xf32>, %v: tensor<2x3xf32>, %i: tensor<2xi64>) {
  // expected-error@+1 {{expects a result of type 'tensor<2x4xf32>', but found 'tensor<2x3xf32>'}}
  %0 = prim.index_put set %x, %v[%i] dims = [0] position = 0 : tensor<3x4xf32>, tensor<2x3xf32>, tensor<2xi64>
  return
}

// -----

func.func @gather_c1_ranks_differ(%x: tensor<3x4xf32>, %i: tensor<2xi64>) {
  // expected-error@+1 {{expects operand and index of one rank, but found 2 and 1}}
  %0 = prim.gather %x[%i] dim = 0 : tensor<3x4xf32>, tensor<2xi64>
  return
}

// -----

func.func @gather_c2_index_too_large(%x: tensor<3x4xf32>, %i: tensor<2x5xi64>) {
  // expected-error@+1 {{expects at most size 4 of dim 1, but found 5}}
  %0 = prim.gather %x[%i] dim = 0 : tensor<3x4xf32>, tensor<2x5xi64>
  return
}

// -----

func.func @scatter_c1_dim_beyond_rank(%x: tensor<3xf32>, %i: tensor<2xi64>, %v: tensor<2xf32>) {
  // expected-error@+1 {{expects a dim within rank 1, but found 1}}
  %0 = prim.scatter add %x[%i], %v dim = 1 : tensor<3xf32>, tensor<2xi64>, tensor<2xf32>
  return
}

// -----

func.func @scatter_c2_values_do_not_fit(%x: tensor<3xf32>, %i: tensor<2xi64>, %v: tensor<3xf32>) {
  // expected-error@+1 {{expects a result of type 'tensor<2xf32>', but found 'tensor<3xf32>'}}
  %0 = prim.scatter add %x[%i], %v dim = 0 : tensor<3xf32>, tensor<2xi64>, tensor<3xf32>
  return
}

// -----

func.func @nonzero_c1_another_symbol(%m: tensor<3x4xi1>) {
  // expected-error@+1 {{expects a result of sizes [u0, 2], but found [u1, 2]}}
  %0 = prim.nonzero %m defines "u0" : tensor<3x4xi1> to tensor<?x2xi64, #sym.dims<u1, 2>>
  return
}

// -----

func.func @unique_c1_rank_2(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{expects an operand of rank 1, but found rank 2}}
  %0:3 = prim.unique %x defines "u0" : tensor<3x4xf32> to tensor<?xf32, #sym.dims<u0>>, tensor<3xi64>, tensor<?xi64, #sym.dims<u0>>
  return
}

// -----

func.func @unique_c2_inverse_does_not_fit(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects values and counts of sizes [u0] and an inverse of sizes [3]}}
  %0:3 = prim.unique %x defines "u0" : tensor<3xf32> to tensor<?xf32, #sym.dims<u0>>, tensor<4xi64>, tensor<?xi64, #sym.dims<u0>>
  return
}

// -----

func.func @unique_c2_another_element_type(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects equal element types, but found 'f32' and 'f64'}}
  %0:3 = prim.unique %x defines "u0" : tensor<3xf32> to tensor<?xf64, #sym.dims<u0>>, tensor<3xi64>, tensor<?xi64, #sym.dims<u0>>
  return
}
