// RUN: adze-opt %s --adze-split-at-breaks --split-input-file | FileCheck %s

// What lies before, between and behind two breaks in sequence.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[A:.*]] = call @linear_graph_0(%[[X]])
// CHECK-NEXT: %[[B:.*]] = capture.graph_break "t.a" because "unknown"(%[[A]] :
// CHECK-NEXT: %[[C:.*]] = call @linear_graph_1(%[[B]])
// CHECK-NEXT: %[[D:.*]] = capture.graph_break "t.b" because "unknown"(%[[C]] :
// CHECK-NEXT: %[[E:.*]] = call @linear_graph_2(%[[D]])
// CHECK-NEXT: return %[[E]]
// CHECK-LABEL: func.func private @linear_graph_0
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[A:.*]] = prim.exp %[[X]]
// CHECK-NEXT: return %[[A]]
// CHECK-LABEL: func.func private @linear_graph_1
// CHECK: prim.sin
// CHECK-LABEL: func.func private @linear_graph_2
// CHECK: prim.cos
func.func @linear(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = prim.exp %x : tensor<4xf32>
  %1 = capture.graph_break "t.a" because "unknown" (%0 : tensor<4xf32>) to tensor<4xf32>
  %2 = prim.sin %1 : tensor<4xf32>
  %3 = capture.graph_break "t.b" because "unknown" (%2 : tensor<4xf32>) to tensor<4xf32>
  %4 = prim.cos %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// Only one side of the diamond has a break: the other side is of the first
// graph, though it stands behind the break, and its value crosses.
// CHECK-LABEL: func.func @diamond
// CHECK-NEXT: %[[A:.*]]:2 = call @diamond_graph_0(%arg0)
// CHECK-NEXT: %[[B:.*]] = capture.graph_break "t.a" because "unknown"(%[[A]]#0 :
// CHECK-NEXT: %[[C:.*]] = call @diamond_graph_1(%[[B]], %[[A]]#1)
// CHECK-NEXT: return %[[C]]
// CHECK-LABEL: func.func private @diamond_graph_0
// CHECK: prim.exp
// CHECK-NEXT: prim.sin
// CHECK-LABEL: func.func private @diamond_graph_1
// CHECK: prim.add %arg0, %arg1
func.func @diamond(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = prim.exp %x : tensor<4xf32>
  %1 = capture.graph_break "t.a" because "unknown" (%0 : tensor<4xf32>) to tensor<4xf32>
  %2 = prim.sin %0 : tensor<4xf32>
  %3 = prim.add %1, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// Breaks side by side: one graph before both, one behind both.
// CHECK-LABEL: func.func @parallel
// CHECK-NEXT: %[[A:.*]]:2 = call @parallel_graph_0(%arg0, %arg1)
// CHECK-NEXT: %[[B:.*]] = capture.graph_break "t.a" because "unknown"(%[[A]]#0 :
// CHECK-NEXT: %[[C:.*]] = capture.graph_break "t.b" because "unknown"(%[[A]]#1 :
// CHECK-NEXT: %[[D:.*]] = call @parallel_graph_1(%[[B]], %[[C]])
// CHECK-NEXT: return %[[D]]
// CHECK-NOT: @parallel_graph_2
func.func @parallel(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = prim.exp %x : tensor<4xf32>
  %1 = capture.graph_break "t.a" because "unknown" (%0 : tensor<4xf32>) to tensor<4xf32>
  %2 = prim.sin %1 : tensor<4xf32>
  %3 = prim.exp %y : tensor<4xf32>
  %4 = capture.graph_break "t.b" because "unknown" (%3 : tensor<4xf32>) to tensor<4xf32>
  %5 = prim.add %2, %4 : tensor<4xf32>
  return %5 : tensor<4xf32>
}

// -----

// The region op as a whole is the break, with what its regions see.
// CHECK-LABEL: func.func @region
// CHECK-NEXT: %[[A:.*]] = call @region_graph_0(%arg1)
// CHECK-NEXT: %[[B:.*]] = prim.cond %arg0
// CHECK: capture.graph_break "t.a" because "unknown"(%[[A]] :
// CHECK: } else {
// CHECK: prim.yield %[[A]]
// CHECK: %[[C:.*]] = call @region_graph_1(%[[B]])
// CHECK-NEXT: return %[[C]]
// CHECK-LABEL: func.func private @region_graph_0
// CHECK: prim.exp
// CHECK-LABEL: func.func private @region_graph_1
// CHECK: prim.sin
func.func @region(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = prim.exp %x : tensor<4xf32>
  %1 = prim.cond %p : tensor<i1> to tensor<4xf32> {
    %3 = capture.graph_break "t.a" because "unknown" (%0 : tensor<4xf32>) to tensor<4xf32>
    prim.yield %3 : tensor<4xf32>
  } else {
    prim.yield %0 : tensor<4xf32>
  }
  %2 = prim.sin %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// A region without a break is an op like others; its free values cross.
// CHECK-LABEL: func.func @free_values
// CHECK: %[[B:.*]] = capture.graph_break
// CHECK-NEXT: %[[C:.*]] = call @free_values_graph_0(%arg0, %[[B]])
// CHECK-LABEL: func.func private @free_values_graph_0
// CHECK-SAME: (%[[P:.*]]: tensor<i1>, %[[B:.*]]: tensor<4xf32>)
// CHECK: prim.cond %[[P]]
// CHECK: prim.sin %[[B]]
func.func @free_values(%p: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = capture.graph_break "t.a" because "unknown" (%x : tensor<4xf32>) to tensor<4xf32>
  %1 = prim.cond %p : tensor<i1> to tensor<4xf32> {
    %2 = prim.sin %0 : tensor<4xf32>
    prim.yield %2 : tensor<4xf32>
  } else {
    prim.yield %0 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

// -----

// Constants do not cross: each graph has its own. What a break reads is
// computed before it.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: %[[A:.*]]:2 = call @constants_graph_0(%arg0)
// CHECK-NEXT: %[[B:.*]] = capture.graph_break "t.a" because "unknown"(%[[A]]#1, %[[A]]#0 :
// CHECK-NEXT: %[[C:.*]] = call @constants_graph_1(%[[B]])
// CHECK-LABEL: func.func private @constants_graph_0
// CHECK-NEXT: %[[F:.*]] = prim.full
// CHECK-NEXT: %[[G:.*]] = prim.broadcast %[[F]]
// CHECK-NEXT: prim.mul %arg0, %[[G]]
// CHECK-LABEL: func.func private @constants_graph_1
// CHECK-NEXT: %[[F:.*]] = prim.full
// CHECK-NEXT: %[[G:.*]] = prim.broadcast %[[F]]
// CHECK-NEXT: prim.mul %arg0, %[[G]]
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = prim.full 2.0 : f32 to tensor<f32>
  %g = prim.broadcast %f : tensor<f32> to tensor<4xf32>
  %0 = prim.mul %x, %g : tensor<4xf32>
  %1 = capture.graph_break "t.a" because "unknown" (%0, %g : tensor<4xf32>, tensor<4xf32>) to tensor<4xf32>
  %2 = prim.mul %1, %g : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// A symbol that a break defines is known behind it only; one of an input is
// known everywhere.
// CHECK-LABEL: func.func @symbols
// CHECK-NEXT: %[[A:.*]] = call @symbols_graph_0(%arg0)
// CHECK-NEXT: %[[B:.*]] = capture.graph_break
// CHECK-NEXT: %[[C:.*]] = call @symbols_graph_1()
// CHECK-NEXT: return %[[A]], %[[C]]
// CHECK-LABEL: func.func private @symbols_graph_0
// CHECK-SAME: adze.symbols
// CHECK: prim.symbol_value <s0>
// CHECK-LABEL: func.func private @symbols_graph_1
// CHECK: prim.symbol_value <u0>
func.func @symbols(%x: tensor<?xf32, #sym.dims<s0>>) -> (tensor<i64>, tensor<i64>)
    attributes {adze.symbols = [{name = "s0", min = 0 : i64}]} {
  %0 = capture.graph_break "t.a" because "unknown" (%x : tensor<?xf32, #sym.dims<s0>>) to tensor<4xf32> {binds = ["u0"]}
  %1 = prim.symbol_value <u0> : tensor<i64>
  %2 = prim.symbol_value <s0> : tensor<i64>
  %3 = prim.reduce sum %x dims = [0] : tensor<?xf32, #sym.dims<s0>> to tensor<f32>
  return %2, %1 : tensor<i64>, tensor<i64>
}

// -----

// Weights stay weights in a graph, unless the program writes them.
// CHECK-LABEL: func.func private @weights_graph_0
// CHECK-SAME: (%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0>}, %{{.*}}: tensor<4xf32>)
func.func @weights(
    %w: tensor<4xf32> {capture.descriptor = #capture.descriptor<parameter, "w", 0>},
    %b: tensor<4xf32> {capture.descriptor = #capture.descriptor<buffer, "b", 1>},
    %x: tensor<4xf32>) -> (tensor<4xf32> {capture.descriptor = #capture.descriptor<buffer_mutation, "b", 1>}) {
  %0 = capture.graph_break "t.a" because "unknown" (%x : tensor<4xf32>) to tensor<4xf32>
  %1 = prim.mul %0, %w : tensor<4xf32>
  %2 = prim.add %1, %b : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Without a break nothing is split.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: prim.exp
// CHECK-NOT: func.func private
func.func @whole(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = prim.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
