// After normalize: the second graph holds what no kernel can be made of.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @main_graph_0(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = capture.graph_break "t.a" because "unknown" (%0 : tensor<4xf32>) to tensor<4xf32>
  %2 = call @main_graph_1(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @main_graph_0(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = prim.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @main_graph_1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = capture.call "aten.sin.default"(self = %x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
