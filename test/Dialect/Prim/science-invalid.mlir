// RUN: adze-opt %s --split-input-file --verify-diagnostics

func.func @random_c1_bits_as_floats(%k: tensor<2xi64>) {
  // expected-error@+1 {{expects i64 elements, but found 'f32'}}
  %0 = prim.random bits %k stream = 0 : tensor<2xi64> to tensor<4xf32>
  return
}

// -----

func.func @random_c1_uniform_integers(%k: tensor<2xi64>) {
  // expected-error@+1 {{expects float elements, but found 'i64'}}
  %0 = prim.random uniform %k stream = 0 : tensor<2xi64> to tensor<4xi64>
  return
}

// -----

func.func @random_c2_key_too_long(%k: tensor<3xi64>) {
  // expected-error@+1 {{expects a key of sizes [2], but found [3]}}
  %0 = prim.random uniform %k stream = 0 : tensor<3xi64> to tensor<4xf32>
  return
}

// -----

func.func @fft_c1_dim_beyond_rank(%z: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{expects a dim within rank 1, but found 1}}
  %0 = prim.fft %z dim = 1 : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @lu_c1_vector(%a: tensor<3xf64>) {
  // expected-error@+1 {{expects matrices, but found rank 1}}
  %0:3 = prim.lu %a : tensor<3xf64> to tensor<3xf64>, tensor<3xi32>, tensor<i32>
  return
}

// -----

func.func @lu_c2_too_many_pivots(%a: tensor<5x3xf64>) {
  // expected-error@+1 {{expects a result of type 'tensor<3xi32>', but found 'tensor<5xi32>'}}
  %0:3 = prim.lu %a : tensor<5x3xf64> to tensor<5x3xf64>, tensor<5xi32>, tensor<i32>
  return
}

// -----

func.func @triangular_solve_c1_rectangular(%a: tensor<5x3xf64>, %b: tensor<5x1xf64>) {
  // expected-error@+1 {{expects square matrices, but found sizes [5, 3]}}
  %0 = prim.triangular_solve %a, %b : tensor<5x3xf64>, tensor<5x1xf64>
  return
}

// -----

func.func @triangular_solve_c1_rhs_does_not_fit(%a: tensor<3x3xf64>, %b: tensor<4x1xf64>) {
  // expected-error@+1 {{expects sizes that fit, but found [3, 3] and [4, 1]}}
  %0 = prim.triangular_solve %a, %b : tensor<3x3xf64>, tensor<4x1xf64>
  return
}

// -----

func.func @cholesky_c1_rectangular(%a: tensor<5x3xf64>) {
  // expected-error@+1 {{expects square matrices, but found sizes [5, 3]}}
  %0:2 = prim.cholesky %a : tensor<5x3xf64> to tensor<5x3xf64>, tensor<i32>
  return
}

// -----

func.func @cholesky_c2_one_info_for_all(%a: tensor<2x3x3xf64>) {
  // expected-error@+1 {{expects a result of type 'tensor<2xi32>', but found 'tensor<i32>'}}
  %0:2 = prim.cholesky %a : tensor<2x3x3xf64> to tensor<2x3x3xf64>, tensor<i32>
  return
}

// -----

func.func @qr_c1_vector(%a: tensor<3xf64>) {
  // expected-error@+1 {{expects matrices, but found rank 1}}
  %0:2 = prim.qr %a : tensor<3xf64> to tensor<3x3xf64>, tensor<3x3xf64>
  return
}

// -----

func.func @qr_c2_q_does_not_fit(%a: tensor<5x3xf64>) {
  // expected-error@+1 {{expects a result of type 'tensor<5x3xf64>', but found 'tensor<5x5xf64>'}}
  %0:2 = prim.qr %a : tensor<5x3xf64> to tensor<5x5xf64>, tensor<3x3xf64>
  return
}

// -----

func.func @eigh_c1_rectangular(%a: tensor<5x3xf64>) {
  // expected-error@+1 {{expects square matrices, but found sizes [5, 3]}}
  %0:2 = prim.eigh %a : tensor<5x3xf64> to tensor<5xf64>, tensor<5x3xf64>
  return
}

// -----

func.func @eigh_c2_another_element_type(%a: tensor<3x3xf64>) {
  // expected-error@+1 {{expects a result of type 'tensor<3xf64>', but found 'tensor<3xf32>'}}
  %0:2 = prim.eigh %a : tensor<3x3xf64> to tensor<3xf32>, tensor<3x3xf64>
  return
}

// -----

func.func @svd_c1_scalar(%a: tensor<f64>) {
  // expected-error@+1 {{expects matrices, but found rank 0}}
  %0:3 = prim.svd %a : tensor<f64> to tensor<f64>, tensor<f64>, tensor<f64>
  return
}

// -----

func.func @svd_c2_full_u(%a: tensor<5x3xf64>) {
  // expected-error@+1 {{expects a result of type 'tensor<5x3xf64>', but found 'tensor<5x5xf64>'}}
  %0:3 = prim.svd %a : tensor<5x3xf64> to tensor<5x5xf64>, tensor<3xf64>, tensor<3x3xf64>
  return
}
