// RUN: adze-opt %s --adze-form-groups --split-input-file | FileCheck %s

// CHECK-LABEL: @chain_is_one_group
//  CHECK-SAME:     (%[[X:.*]]: tensor<4xf32>)
//       CHECK:   %[[G:.*]] = kernel.group loop(%[[X]] : tensor<4xf32>) to tensor<4xf32>
//       CHECK:     prim.exp
//       CHECK:     prim.neg
//       CHECK:     kernel.yield
//       CHECK:   return %[[G]]
func.func @chain_is_one_group(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = prim.exp %x : tensor<4xf32>
  %1 = prim.neg %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A value with users in two groups has a buffer of its own.
// CHECK-LABEL: @shared_value_has_a_buffer
// CHECK-COUNT-3: kernel.group loop
func.func @shared_value_has_a_buffer(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = prim.exp %x : tensor<4xf32>
  %1 = prim.neg %0 : tensor<4xf32>
  %2 = prim.sin %0 : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: @epilogue_joins_matmul
//       CHECK:   kernel.group gemm(
//       CHECK:     prim.matmul
//       CHECK:     prim.broadcast
//       CHECK:     prim.add
//       CHECK:     prim.tanh
//   CHECK-NOT:   kernel.group
func.func @epilogue_joins_matmul(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %b: tensor<32xf32>) -> tensor<8x32xf32> {
  %0 = prim.matmul %x, %w : tensor<8x16xf32>, tensor<16x32xf32> to tensor<8x32xf32>
  %1 = prim.broadcast %b : tensor<32xf32> to tensor<8x32xf32>
  %2 = prim.add %0, %1 : tensor<8x32xf32>
  %3 = prim.tanh %2 : tensor<8x32xf32>
  return %3 : tensor<8x32xf32>
}

// -----

// What a matmul reads is read from memory.
// CHECK-LABEL: @producer_of_matmul_stays_apart
//       CHECK:   kernel.group loop
//       CHECK:     prim.exp
//       CHECK:   kernel.group gemm
//   CHECK-NOT:     prim.exp
func.func @producer_of_matmul_stays_apart(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = prim.exp %x : tensor<8x16xf32>
  %1 = prim.matmul %0, %w : tensor<8x16xf32>, tensor<16x32xf32> to tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

// -----

// Reductions over the last dim run in the rows of what reads them.
// CHECK-LABEL: @rows_are_one_group
//       CHECK:   kernel.group loop(%{{.*}} : tensor<8x16xf32>) to tensor<8x16xf32>
//       CHECK:     prim.reduce max
//       CHECK:     prim.reduce sum
//   CHECK-NOT:   kernel.group
func.func @rows_are_one_group(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = prim.reduce max %x dims = [1] : tensor<8x16xf32> to tensor<8xf32>
  %1 = prim.reshape %0 : tensor<8xf32> to tensor<8x1xf32>
  %2 = prim.broadcast %1 : tensor<8x1xf32> to tensor<8x16xf32>
  %3 = prim.sub %x, %2 : tensor<8x16xf32>
  %4 = prim.exp %3 : tensor<8x16xf32>
  %5 = prim.reduce sum %4 dims = [1] : tensor<8x16xf32> to tensor<8xf32>
  %6 = prim.reshape %5 : tensor<8xf32> to tensor<8x1xf32>
  %7 = prim.broadcast %6 : tensor<8x1xf32> to tensor<8x16xf32>
  %8 = prim.div %4, %7 : tensor<8x16xf32>
  return %8 : tensor<8x16xf32>
}

// -----

// A reduction over a leading dim would be done again for every row.
// CHECK-LABEL: @column_reduction_stays_apart
// CHECK-COUNT-2: kernel.group loop
func.func @column_reduction_stays_apart(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = prim.reduce sum %x dims = [0] : tensor<8x16xf32> to tensor<16xf32>
  %1 = prim.broadcast %0 : tensor<16xf32> to tensor<8x16xf32>
  %2 = prim.add %x, %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// -----

// Numbers are copied into each group that reads them.
// CHECK-LABEL: @creators_are_copied
// CHECK-COUNT-2: prim.full
func.func @creators_are_copied(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = prim.full 2.0 : f32 to tensor<4xf32>
  %0 = prim.mul %x, %c : tensor<4xf32>
  %1 = prim.div %x, %c : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: @general_reshape_is_a_view
//       CHECK:   kernel.group
//       CHECK:   prim.reshape
//       CHECK:   kernel.group
func.func @general_reshape_is_a_view(%x: tensor<4x6xf32>) -> tensor<3x8xf32> {
  %0 = prim.exp %x : tensor<4x6xf32>
  %1 = prim.reshape %0 : tensor<4x6xf32> to tensor<3x8xf32>
  %2 = prim.neg %1 : tensor<3x8xf32>
  return %2 : tensor<3x8xf32>
}

// -----

// Mean, variance and the result are one kernel over rows, though the square
// root is repeated along them.
// CHECK-LABEL: @layer_norm_is_one_group
//       CHECK:   kernel.group loop
//       CHECK:     prim.reduce sum
//       CHECK:     prim.reduce sum
//       CHECK:     prim.rsqrt
//   CHECK-NOT:   kernel.group
func.func @layer_norm_is_one_group(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = prim.reduce sum %x dims = [1] : tensor<8x16xf32> to tensor<8xf32>
  %1 = prim.reshape %0 : tensor<8xf32> to tensor<8x1xf32>
  %2 = prim.broadcast %1 : tensor<8x1xf32> to tensor<8x16xf32>
  %3 = prim.sub %x, %2 : tensor<8x16xf32>
  %4 = prim.mul %3, %3 : tensor<8x16xf32>
  %5 = prim.reduce sum %4 dims = [1] : tensor<8x16xf32> to tensor<8xf32>
  %6 = prim.reshape %5 : tensor<8xf32> to tensor<8x1xf32>
  %7 = prim.rsqrt %6 : tensor<8x1xf32>
  %8 = prim.broadcast %7 : tensor<8x1xf32> to tensor<8x16xf32>
  %9 = prim.mul %3, %8 : tensor<8x16xf32>
  return %9 : tensor<8x16xf32>
}

// -----

// A square root of a column that nothing reduces is computed once per row.
// CHECK-LABEL: @expensive_column_has_a_buffer
// CHECK-COUNT-2: kernel.group loop
func.func @expensive_column_has_a_buffer(%x: tensor<8x16xf32>, %y: tensor<8x1xf32>) -> tensor<8x16xf32> {
  %0 = prim.rsqrt %y : tensor<8x1xf32>
  %1 = prim.broadcast %0 : tensor<8x1xf32> to tensor<8x16xf32>
  %2 = prim.mul %x, %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// -----

// The rows read the sum twice; it is computed once, where the product is.
// CHECK-LABEL: @residual_stays_with_matmul
//       CHECK:   kernel.group gemm
//       CHECK:     prim.matmul
//       CHECK:     prim.add
//       CHECK:   kernel.group loop
//   CHECK-NOT:     prim.add
//       CHECK:     prim.reduce max
//       CHECK:     prim.sub
func.func @residual_stays_with_matmul(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %b: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = prim.matmul %x, %w : tensor<8x16xf32>, tensor<16x32xf32> to tensor<8x32xf32>
  %1 = prim.add %0, %b : tensor<8x32xf32>
  %2 = prim.reduce max %1 dims = [1] : tensor<8x32xf32> to tensor<8xf32>
  %3 = prim.reshape %2 : tensor<8xf32> to tensor<8x1xf32>
  %4 = prim.broadcast %3 : tensor<8x1xf32> to tensor<8x32xf32>
  %5 = prim.sub %1, %4 : tensor<8x32xf32>
  return %5 : tensor<8x32xf32>
}

// -----

// Half precision is not stored as f32 for that.
// CHECK-LABEL: @wider_epilogue_goes_to_its_reader
//       CHECK:   kernel.group gemm
//   CHECK-NOT:     prim.convert
//       CHECK:   kernel.group loop
//       CHECK:     prim.convert
func.func @wider_epilogue_goes_to_its_reader(%x: tensor<8x16xbf16>, %w: tensor<16x32xbf16>) -> tensor<8x32xf32> {
  %0 = prim.matmul %x, %w : tensor<8x16xbf16>, tensor<16x32xbf16> to tensor<8x32xbf16>
  %1 = prim.convert %0 : tensor<8x32xbf16> to tensor<8x32xf32>
  %2 = prim.reduce max %1 dims = [1] : tensor<8x32xf32> to tensor<8xf32>
  %3 = prim.reshape %2 : tensor<8xf32> to tensor<8x1xf32>
  %4 = prim.broadcast %3 : tensor<8x1xf32> to tensor<8x32xf32>
  %5 = prim.sub %1, %4 : tensor<8x32xf32>
  return %5 : tensor<8x32xf32>
}

// -----

// Heads stand behind the sequence in memory: the kernel reads and writes them
// there. The mask is read from memory.
// CHECK-LABEL: @attention_reads_and_writes_permuted
//       CHECK:   %[[M:.*]] = kernel.group loop
//       CHECK:   %[[G:.*]] = kernel.group attention(%{{.*}}, %[[M]]
//       CHECK:     prim.transpose
//       CHECK:     prim.attention
//       CHECK:     prim.transpose
//       CHECK:     prim.tanh
//       CHECK:     kernel.yield
//   CHECK-NOT:   kernel.group
//       CHECK:   return %[[G]]
func.func @attention_reads_and_writes_permuted(%x: tensor<2x5x3x4xf32>, %m: tensor<5x5xf32>) -> tensor<2x5x3x4xf32> {
  %0 = prim.transpose %x by [0, 2, 1, 3] : tensor<2x5x3x4xf32> to tensor<2x3x5x4xf32>
  %1 = prim.neg %m : tensor<5x5xf32>
  %2 = prim.reshape %1 : tensor<5x5xf32> to tensor<1x1x5x5xf32>
  %3 = prim.attention %0, %0, %0 mask %2 : tensor<1x1x5x5xf32> scale = 5.000000e-01 : tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32> to tensor<2x3x5x4xf32>
  %4 = prim.transpose %3 by [0, 2, 1, 3] : tensor<2x3x5x4xf32> to tensor<2x5x3x4xf32>
  %5 = prim.tanh %4 : tensor<2x5x3x4xf32>
  return %5 : tensor<2x5x3x4xf32>
}

// -----

// The elements of a head must stay side by side, and are computed before.
// CHECK-LABEL: @attention_operands_from_memory
//       CHECK:   kernel.group loop
//       CHECK:     prim.exp
//       CHECK:     prim.transpose
//       CHECK:   kernel.group attention
//       CHECK:   kernel.group loop
//       CHECK:     prim.transpose
func.func @attention_operands_from_memory(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %0 = prim.exp %x : tensor<3x4x5xf32>
  %1 = prim.transpose %0 by [0, 2, 1] : tensor<3x4x5xf32> to tensor<3x5x4xf32>
  %2 = prim.attention %1, %1, %1 scale = 5.000000e-01 : tensor<3x5x4xf32>, tensor<3x5x4xf32>, tensor<3x5x4xf32> to tensor<3x5x4xf32>
  %3 = prim.transpose %2 by [0, 2, 1] : tensor<3x5x4xf32> to tensor<3x4x5xf32>
  return %3 : tensor<3x4x5xf32>
}
