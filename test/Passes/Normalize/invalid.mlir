// RUN: adze-opt %s --adze-normalize --split-input-file --verify-diagnostics

capture.graph @dtype(%x: tensor<4xf32>) -> tensor<4xf16> {
  // expected-error @+1 {{aten.view.default: the program records a result of type tensor<4xf16>, but the operator gives tensor<4xf32>}}
  %0 = capture.call "aten.view.default"(self = %x, size = [4]) : (tensor<4xf32>) -> tensor<4xf16>
  capture.return %0 : tensor<4xf16>
}

// -----

capture.graph @elements(%x: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{aten.view.default: expected as many elements as before, 4, but found 5}}
  %0 = capture.call "aten.view.default"(self = %x, size = [5]) : (tensor<4xf32>) -> tensor<5xf32>
  capture.return %0 : tensor<5xf32>
}

// -----

capture.graph @dim(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{aten.select.int: expected a dim of a tensor of rank 1, but found 3}}
  %0 = capture.call "aten.select.int"(self = %x, dim = 3 : i64, index = 0 : i64) : (tensor<4xf32>) -> tensor<f32>
  capture.return %x : tensor<4xf32>
}

// -----

// A write through an expanded view would write one element several times.
capture.graph @expanded(%x: tensor<1xf32>) -> tensor<1xf32> {
  %0 = capture.call "aten.expand.default"(self = %x, size = [4]) : (tensor<1xf32>) -> tensor<4xf32>
  // expected-warning @+1 {{unsupported operator aten.zero_.default (1 call) breaks the graph: a write through an expanded view}}
  %1 = capture.call "aten.zero_.default"(self = %0) : (tensor<4xf32>) -> tensor<4xf32>
  capture.return %x : tensor<1xf32>
}

// -----

// expected-error @+1 {{unsupported write: the program writes 'a', which shares memory with 'part'}}
capture.graph @overlapping(
    %a: tensor<4xf32> {adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "a", 0>},
    %part: tensor<2xf32> {adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "part", 1>})
    -> tensor<2xf32> {
  %w = capture.call "aten.exp_.default"(self = %a) : (tensor<4xf32>) -> tensor<4xf32>
  capture.return %part : tensor<2xf32>
}

// -----

// A functional program replaces one name only.
// expected-error @+1 {{unsupported write: the program writes 'a', which shares memory with 'b'}}
capture.graph @replaced_name(
    %a: tensor<4xf32> {adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "a", 0>},
    %b: tensor<4xf32> {adze.same_as = 0, adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "b", 1>})
    -> (tensor<4xf32> {capture.descriptor = #capture.descriptor<buffer_mutation, "a", 0>}, tensor<4xf32>) {
  %e = capture.call "aten.exp.default"(self = %a) : (tensor<4xf32>) -> tensor<4xf32>
  capture.return %e, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// Older versions of torch give the names of one tensor as one name.
// expected-error @+1 {{unsupported write: the program writes 'a', which shares memory with 'a'}}
capture.graph @one_name_twice(
    %a: tensor<4xf32> {adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "a", 0>},
    %b: tensor<4xf32> {adze.same_as = 0, adze.storage = 0, capture.descriptor = #capture.descriptor<buffer, "a", 1>})
    -> tensor<4xf32> {
  %w = capture.call "aten.exp_.default"(self = %a) : (tensor<4xf32>) -> tensor<4xf32>
  capture.return %b : tensor<4xf32>
}
