// RUN: adze-opt %s --adze-lower-kernels | FileCheck %s

// Equal shapes run over positions in memory, in vectors with a scalar rest.
// CHECK-LABEL: llvm.func internal @adze_flat(
//  CHECK-SAME:   kernel.domain = #sym.expr<2>
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       llvm.load %{{.*}} -> vector<16xf32>
//       CHECK:       math.exp %{{.*}} : vector<16xf32>
//       CHECK:     scf.for
//       CHECK:       llvm.load %{{.*}} -> f32
kernel.func @flat loop symbols [] {
^bb0(%a: tensor<64x100xf32>):
  %r = prim.exp %a : tensor<64x100xf32>
  kernel.yield %r : tensor<64x100xf32>
}

// A row's reduction comes before the row's elements, with partial sums.
// CHECK-LABEL: llvm.func internal @adze_row(
//  CHECK-SAME:   kernel.domain = #sym.expr<s0>
//       CHECK:   scf.for
//       CHECK:     scf.for {{.*}} -> (vector<16xf32>)
//       CHECK:     vector.extract_strided_slice
//       CHECK:     arith.divf %{{.*}} : vector<16xf32>
kernel.func @row loop symbols ["s0"] {
^bb0(%a: tensor<?x128xf32, #sym.dims<s0, 128>>):
  %0 = prim.reduce sum %a dims = [1] : tensor<?x128xf32, #sym.dims<s0, 128>> to tensor<?xf32, #sym.dims<s0>>
  %1 = prim.reshape %0 : tensor<?xf32, #sym.dims<s0>> to tensor<?x1xf32, #sym.dims<s0, 1>>
  %2 = prim.broadcast %1 : tensor<?x1xf32, #sym.dims<s0, 1>> to tensor<?x128xf32, #sym.dims<s0, 128>>
  %3 = prim.div %a, %2 : tensor<?x128xf32, #sym.dims<s0, 128>>
  kernel.yield %3 : tensor<?x128xf32, #sym.dims<s0, 128>>
}

// Whatever the index of a dim of size 1 is, a row's reductions are found again:
// two loops for each of them and two for the elements, in that of the rows.
// CHECK-LABEL: llvm.func internal @adze_rows_of_one_image(
// CHECK-COUNT-7: scf.for
//     CHECK-NOT: scf.for
// CHECK-LABEL: llvm.func internal @adze_take(
kernel.func @rows_of_one_image loop symbols [] {
^bb0(%x: tensor<1x4x512xf32>):
  %0 = prim.reduce max %x dims = [2] : tensor<1x4x512xf32> to tensor<1x4xf32>
  %1 = prim.reshape %0 : tensor<1x4xf32> to tensor<1x4x1xf32>
  %2 = prim.broadcast %1 : tensor<1x4x1xf32> to tensor<1x4x512xf32>
  %3 = prim.sub %x, %2 : tensor<1x4x512xf32>
  %4 = prim.reduce sum %3 dims = [2] : tensor<1x4x512xf32> to tensor<1x4xf32>
  %5 = prim.reshape %4 : tensor<1x4xf32> to tensor<1x4x1xf32>
  %6 = prim.broadcast %5 : tensor<1x4x1xf32> to tensor<1x4x512xf32>
  %7 = prim.div %3, %6 : tensor<1x4x512xf32>
  kernel.yield %7 : tensor<1x4x512xf32>
}

// An index that is out of range fails the call and reads nothing.
//       CHECK:   llvm.call @adze_rt_fail
//       CHECK:   llvm.intr.masked.gather
kernel.func @take loop symbols [] {
^bb0(%a: tensor<10xf32>, %i: tensor<32xi64>):
  %r = prim.index %a [%i] dims = [0] position = 0 : tensor<10xf32>, tensor<32xi64> to tensor<32xf32>
  kernel.yield %r : tensor<32xf32>
}

// CHECK-LABEL: llvm.func @adze_main(
//       CHECK:   llvm.call @adze_rt_output
//       CHECK:   llvm.mlir.addressof @adze_flat
//       CHECK:   llvm.call @adze_rt_parallel_for
func.func @main(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %0 = kernel.launch @flat(%x : tensor<64x100xf32>) to tensor<64x100xf32> in [#kernel.buffer<result, <0>, <25600>>]
  return %0 : tensor<64x100xf32>
}
