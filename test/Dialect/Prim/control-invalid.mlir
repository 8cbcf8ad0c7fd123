// RUN: adze-opt %s --split-input-file --verify-diagnostics

func.func @cond_c1_too_few_values(%c: tensor<i1>) {
  // expected-error@+1 {{expects 1 yielded values, but found 0}}
  %0 = prim.cond %c : tensor<i1> to tensor<i1> {
    prim.yield %c : tensor<i1>
  } else {
  }
  return
}

// -----

func.func @cond_c1_another_element_type(%c: tensor<i1>, %x: tensor<f32>) {
  // expected-error@+1 {{expects a yielded 'tensor<i1>', but found 'tensor<f32>'}}
  %0 = prim.cond %c : tensor<i1> to tensor<i1> {
    prim.yield %c : tensor<i1>
  } else {
    prim.yield %x : tensor<f32>
  }
  return
}

// -----

func.func @cond_c2_sizes_missing(%c: tensor<i1>) {
  // expected-error@+1 {{expects one size of each branch for each defined symbol}}
  prim.cond %c : tensor<i1> {
  } else {
  } {defines = ["u0"], then_sizes = [#sym.expr<1>]}
  return
}

// -----

func.func @cond_c3_condition_with_dims(%c: tensor<2xi1>) {
  // expected-error@+1 {{expects a condition of rank 0, but found rank 1}}
  prim.cond %c : tensor<2xi1> {
  } else {
  }
  return
}

// -----

func.func @while_c1_body_yields_another_type(%i: tensor<i64>, %c: tensor<i1>) {
  // expected-error@+1 {{expects yielded values of types}}
  %0 = prim.while %i : tensor<i64> to tensor<i64> {
  ^bb0(%a: tensor<i64>):
    prim.yield %c : tensor<i1>
  } do {
  ^bb0(%a: tensor<i64>):
    prim.yield %c : tensor<i1>
  }
  return
}

// -----

func.func @while_c2_condition_is_no_bool(%i: tensor<i64>) {
  // expected-error@+1 {{expects a condition that yields one 'tensor<i1>'}}
  %0 = prim.while %i : tensor<i64> to tensor<i64> {
  ^bb0(%a: tensor<i64>):
    prim.yield %a : tensor<i64>
  } do {
  ^bb0(%a: tensor<i64>):
    prim.yield %a : tensor<i64>
  }
  return
}

// -----

func.func @scan_c1_lengths_differ(%x: tensor<3xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{expects sequences of one first size, but found 3 and 4}}
  %0 = prim.scan init() over(%x, %y : tensor<3xf32>, tensor<4xf32>) to tensor<3xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    prim.yield %a : tensor<f32>
  }
  return
}

// -----

func.func @scan_c2_argument_is_no_slice(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects body arguments of types}}
  %0 = prim.scan init() over(%x : tensor<3xf32>) to tensor<3xf32> {
  ^bb0(%a: tensor<1xf32>):
    %b = prim.reshape %a : tensor<1xf32> to tensor<f32>
    prim.yield %b : tensor<f32>
  }
  return
}

// -----

func.func @scan_c3_yields_no_slice(%x: tensor<3xf32>) {
  // expected-error@+1 {{expects yielded values of types}}
  %0 = prim.scan init() over(%x : tensor<3xf32>) to tensor<3xf32> {
  ^bb0(%a: tensor<f32>):
    prim.yield %x : tensor<3xf32>
  }
  return
}
