// RUN: adze-opt %s --adze-plan-memory --split-input-file | FileCheck %s

kernel.func @k loop symbols [] {
^bb0(%a: tensor<32xf32>):
  %r = prim.exp %a : tensor<32xf32>
  kernel.yield %r : tensor<32xf32>
}

// The first buffer is dead when the third is made: it has its place.
// CHECK-LABEL: func.func @dead_buffers_are_used_again
//  CHECK-SAME:   kernel.arena_bytes = #sym.expr<256>
//       CHECK:   kernel.launch @k(%{{.*}}) to {{.*}} in [#kernel.buffer<arena, <[[A:[0-9]+]]>, <128>>]
//       CHECK:   kernel.launch @k(%{{.*}}) to {{.*}} in [#kernel.buffer<arena, <[[B:[0-9]+]]>, <128>>]
//       CHECK:   kernel.launch @k(%{{.*}}) to {{.*}} in [#kernel.buffer<arena, <[[A]]>, <128>>]
//       CHECK:   kernel.launch @k(%{{.*}}) to {{.*}} in [#kernel.buffer<result, <0>, <128>>]
func.func @dead_buffers_are_used_again(%x: tensor<32xf32>) -> tensor<32xf32> {
  %0 = kernel.launch @k(%x : tensor<32xf32>) to tensor<32xf32>
  %1 = kernel.launch @k(%0 : tensor<32xf32>) to tensor<32xf32>
  %2 = kernel.launch @k(%1 : tensor<32xf32>) to tensor<32xf32>
  %3 = kernel.launch @k(%2 : tensor<32xf32>) to tensor<32xf32>
  return %3 : tensor<32xf32>
}

// -----

kernel.func @k loop symbols ["s0"] {
^bb0(%a: tensor<?xf32, #sym.dims<s0>>):
  %r = prim.exp %a : tensor<?xf32, #sym.dims<s0>>
  kernel.yield %r : tensor<?xf32, #sym.dims<s0>>
}

// CHECK-LABEL: func.func @symbolic_sizes_give_symbolic_offsets
//       CHECK:   in [#kernel.buffer<arena, <0>, <4 * s0>>]
//       CHECK:   in [#kernel.buffer<arena, <{{.*}}s0{{.*}}>, <4 * s0>>]
//       CHECK:   in [#kernel.buffer<result, <0>, <4 * s0>>]
func.func @symbolic_sizes_give_symbolic_offsets(%x: tensor<?xf32, #sym.dims<s0>>) -> tensor<?xf32, #sym.dims<s0>> {
  %0 = kernel.launch @k(%x : tensor<?xf32, #sym.dims<s0>>) to tensor<?xf32, #sym.dims<s0>>
  %1 = kernel.launch @k(%0 : tensor<?xf32, #sym.dims<s0>>) to tensor<?xf32, #sym.dims<s0>>
  %2 = kernel.launch @k(%1 : tensor<?xf32, #sym.dims<s0>>) to tensor<?xf32, #sym.dims<s0>>
  return %2 : tensor<?xf32, #sym.dims<s0>>
}

// -----

kernel.func @k loop symbols ["u0"] {
^bb0(%a: tensor<?x1xi64, #sym.dims<u0, 1>>):
  %r = prim.neg %a : tensor<?x1xi64, #sym.dims<u0, 1>>
  kernel.yield %r : tensor<?x1xi64, #sym.dims<u0, 1>>
}

// A size that the data decide is allocated when it is known.
// CHECK-LABEL: func.func @late_sizes_are_dynamic
//       CHECK:   kernel.launch @k(%{{.*}}) to {{.*}} in [#kernel.buffer<dynamic, <0>, <8 * u0>>]
func.func @late_sizes_are_dynamic(%x: tensor<4xi1>) -> tensor<?x1xi64, #sym.dims<u0, 1>> {
  %0 = prim.nonzero %x defines "u0" : tensor<4xi1> to tensor<?x1xi64, #sym.dims<u0, 1>>
  %1 = kernel.launch @k(%0 : tensor<?x1xi64, #sym.dims<u0, 1>>) to tensor<?x1xi64, #sym.dims<u0, 1>>
  %2 = kernel.launch @k(%1 : tensor<?x1xi64, #sym.dims<u0, 1>>) to tensor<?x1xi64, #sym.dims<u0, 1>>
  return %2 : tensor<?x1xi64, #sym.dims<u0, 1>>
}
