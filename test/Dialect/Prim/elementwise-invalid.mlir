// RUN: adze-opt %s --split-input-file --verify-diagnostics

func.func @convert_c1_sizes_differ(%x: tensor<4xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = prim.convert %x : tensor<4xf32> to tensor<5xf64>
  return
}

// -----

func.func @bitcast_c1_sizes_differ(%x: tensor<4xf32>) {
  // expected-error@+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = prim.bitcast %x : tensor<4xf32> to tensor<2xi32>
  return
}

// -----

func.func @bitcast_c2_widths_differ(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects element types of equal width, but found 32 and 64 bits}}
  %0 = prim.bitcast %x : tensor<4xf32> to tensor<4xi64>
  return
}

// -----

func.func @exp_of_integers(%x: tensor<4xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = prim.exp %x : tensor<4xi32>
  return
}

// -----

func.func @compare_orders_complex(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{expects `eq` or `ne` for complex operands, but found `lt`}}
  %0 = prim.compare lt %x, %x : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @real_of_another_type(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = prim.real %x : tensor<4xcomplex<f32>> to tensor<4xf64>
  return
}

// -----

func.func @special_kind_unknown(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected}}
  %0 = prim.special nosuch %x : tensor<4xf32>
  return
}
