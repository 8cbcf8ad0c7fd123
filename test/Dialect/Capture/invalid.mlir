// RUN: adze-opt %s --split-input-file --verify-diagnostics

capture.graph @call_c1_operand_not_named(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects arguments that name each of 2 operands once, but found 1 names}}
  %0 = "capture.call"(%x, %x) <{arguments = {self = #capture.operand<0>}, callee = "aten.relu.default"}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  capture.return
}

// -----

capture.graph @call_c1_operand_named_twice(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects arguments that name each of 2 operands once}}
  %0 = "capture.call"(%x, %x) <{arguments = {self = #capture.operand<0>, other = #capture.operand<0>}, callee = "aten.add.Tensor"}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  capture.return
}

// -----

capture.graph @call_c1_operand_out_of_range(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects arguments that name each of 1 operands once}}
  %0 = "capture.call"(%x) <{arguments = {self = #capture.operand<3>}, callee = "aten.relu.default"}> : (tensor<4xf32>) -> tensor<4xf32>
  capture.return
}

// -----

capture.graph @argument_given_twice(%x: tensor<4xf32>) {
  // expected-error@+1 {{argument 'self' is given twice}}
  %0 = capture.call "aten.relu.default"(self = %x, self = 1) : (tensor<4xf32>) -> tensor<4xf32>
  capture.return
}
