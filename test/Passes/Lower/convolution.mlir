// RUN: adze-opt %s --adze-lower-kernels=vector-bits=512 | FileCheck %s
// RUN: adze-opt %s --adze-lower-kernels=vector-bits=256 | FileCheck %s --check-prefix=AVX2

// 8 pixels x 32 channels in registers. Where the filter lies within the image
// (the first branch), a filter row is one run of 3 x 8 products; elsewhere each
// pixel is read from where it is or from zeros. Nothing is called.
// CHECK-LABEL: llvm.func internal @adze_direct
// CHECK-SAME: kernel.domain = #sym.expr<32>
// CHECK: llvm.alloca %c8_i64
// CHECK-NOT: llvm.call
// CHECK: scf.if %{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: scf.for {{.*}} to %c24_i64{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<16xf32>
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK: else
// CHECK: arith.cmpi ult
// CHECK: arith.select {{.*}} : !llvm.ptr
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// The bias is read once per vector, all pixels are stored.
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT: llvm.load
// CHECK-COUNT-16: llvm.store {{.*}} : vector<16xf32>
// CHECK-NOT: llvm.store
// CHECK: llvm.return
// The same panel in 16 narrower registers: 2 pixels x 4 vectors.
// AVX2-LABEL: llvm.func internal @adze_direct
// AVX2: arith.constant 24 : i64
// AVX2-COUNT-8: llvm.intr.fmuladd{{.*}}vector<8xf32>
// AVX2-NOT: llvm.intr.fmuladd
// AVX2: else
kernel.func @direct convolution symbols [] {
^bb0(%x: tensor<1x16x16x8xf32>, %w: tensor<3x3x8x64xf32>, %b: tensor<64xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 1, 1>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 1 : i64, layout = 1 : i32, kernel.packing = #kernel.packing<filter, 32>} : tensor<1x16x16x8xf32>, tensor<3x3x8x64xf32> to tensor<1x16x16x64xf32>
  %1 = prim.broadcast %b : tensor<64xf32> to tensor<1x16x16x64xf32>
  %2 = prim.add %0, %1 : tensor<1x16x16x64xf32>
  kernel.yield %2 : tensor<1x16x16x64xf32>
}

// One pixel needs no zeros, no branch; 7 columns are one tile; the last 8 of 40
// channels are one masked vector.
// CHECK-LABEL: llvm.func internal @adze_pointwise
// CHECK-SAME: kernel.domain = #sym.expr<14>
// CHECK-NOT: llvm.alloca
// CHECK-NOT: arith.select
// CHECK: scf.if
// CHECK-COUNT-14: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK: else
// CHECK: dense<[true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false]>
// CHECK-COUNT-7: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK-COUNT-7: llvm.intr.masked.store
// CHECK: llvm.return
kernel.func @pointwise convolution symbols [] {
^bb0(%x: tensor<1x7x7x16xf32>, %w: tensor<1x1x16x40xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 1 : i64, layout = 1 : i32, kernel.packing = #kernel.packing<filter, 32>} : tensor<1x7x7x16xf32>, tensor<1x1x16x40xf32> to tensor<1x7x7x40xf32>
  kernel.yield %0 : tensor<1x7x7x40xf32>
}

// Dilated filters meet pixels that are not neighbours: pixel by pixel. Strides
// are in the addresses only.
// CHECK-LABEL: llvm.func internal @adze_dilated
// CHECK-SAME: kernel.domain = #sym.expr<18>
// CHECK: llvm.alloca %c3_i64
// CHECK: scf.for {{.*}} to %c3_i64{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-10: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK: llvm.return
kernel.func @dilated convolution symbols [] {
^bb0(%x: tensor<2x17x19x3xf32>, %w: tensor<3x3x3x32xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 2, 2>, low = array<i64: 2, 2>, high = array<i64: 2, 2>, dilation = array<i64: 2, 2>, output_padding = array<i64: 0, 0>, groups = 1 : i64, layout = 1 : i32, kernel.packing = #kernel.packing<filter, 32>} : tensor<2x17x19x3xf32>, tensor<3x3x3x32xf32> to tensor<2x9x10x32xf32>
  kernel.yield %0 : tensor<2x9x10x32xf32>
}

// Each of 4 groups has a panel of its own, of which 5 channels exist.
// CHECK-LABEL: llvm.func internal @adze_grouped
// CHECK-SAME: kernel.domain = #sym.expr<16>
// CHECK: dense<[true, true, true, true, true, false
// CHECK-COUNT-4: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK-COUNT-4: llvm.intr.masked.store
// CHECK-NOT: llvm.intr.masked.store
// CHECK: llvm.return
kernel.func @grouped convolution symbols [] {
^bb0(%x: tensor<1x6x6x8xf32>, %w: tensor<3x3x2x20xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 4 : i64, layout = 1 : i32, kernel.packing = #kernel.packing<filter, 32, groups = 4>} : tensor<1x6x6x8xf32>, tensor<3x3x2x20xf32> to tensor<1x4x4x20xf32>
  kernel.yield %0 : tensor<1x4x4x20xf32>
}

// Each channel by itself: 4 pixels x 32 channels, the taps of a filter row
// unrolled. Both branches read whole vectors of pixels.
// CHECK-LABEL: llvm.func internal @adze_depthwise
// CHECK-SAME: kernel.domain = #sym.expr<16>
// CHECK: scf.if %{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-24: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK: else
// CHECK-COUNT-24: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK-COUNT-8: llvm.store {{.*}} : vector<16xf32>
// CHECK-NOT: llvm.store
// CHECK: llvm.return
kernel.func @depthwise convolution symbols [] {
^bb0(%x: tensor<1x8x8x64xf32>, %w: tensor<3x3x1x64xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 1, 1>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 64 : i64, layout = 1 : i32, kernel.packing = #kernel.packing<depthwise_filter, 32, groups = 64>} : tensor<1x8x8x64xf32>, tensor<3x3x1x64xf32> to tensor<1x8x8x64xf32>
  kernel.yield %0 : tensor<1x8x8x64xf32>
}

// The batch and the image may have any size: the last tile of a row begins
// where it begins and computes its last pixel again.
// CHECK-LABEL: llvm.func internal @adze_dynamic
// CHECK-SAME: kernel.domain = #sym.expr<s0 * s1>
// CHECK-COUNT-7: arith.minsi %{{.*}} : i64
// CHECK: llvm.intr.fmuladd{{.*}}vector<16xf32>
// CHECK: llvm.return
kernel.func @dynamic convolution symbols ["s0", "s1", "s2"] {
^bb0(%x: tensor<?x?x?x4xf32, #sym.dims<s0, s1, s2, 4>>, %w: tensor<3x3x4x32xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 1, 1>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 1 : i64, layout = 1 : i32, kernel.packing = #kernel.packing<filter, 32>} : tensor<?x?x?x4xf32, #sym.dims<s0, s1, s2, 4>>, tensor<3x3x4x32xf32> to tensor<?x?x?x32xf32, #sym.dims<s0, s1, s2, 32>>
  kernel.yield %0 : tensor<?x?x?x32xf32, #sym.dims<s0, s1, s2, 32>>
}

// A signal is an image of one row.
// CHECK-LABEL: llvm.func internal @adze_signal
// CHECK-SAME: kernel.domain = #sym.expr<2>
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK: llvm.return
kernel.func @signal convolution symbols [] {
^bb0(%x: tensor<2x20x4xf32>, %w: tensor<5x4x32xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, dilation = array<i64: 1>, output_padding = array<i64: 0>, groups = 1 : i64, layout = 1 : i32, kernel.packing = #kernel.packing<filter, 32>} : tensor<2x20x4xf32>, tensor<5x4x32xf32> to tensor<2x16x32xf32>
  kernel.yield %0 : tensor<2x16x32xf32>
}

// Three spatial dims: two loops over taps around the run of a filter row.
// CHECK-LABEL: llvm.func internal @adze_volume
// CHECK-SAME: kernel.domain = #sym.expr<72>
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: scf.for {{.*}} to %c12_i64{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-12: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK: llvm.return
kernel.func @volume convolution symbols [] {
^bb0(%x: tensor<2x6x8x8x4xf32>, %w: tensor<3x3x3x4x32xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 1, 1, 1>, low = array<i64: 1, 0, 0>, high = array<i64: 1, 0, 0>, dilation = array<i64: 1, 1, 1>, output_padding = array<i64: 0, 0, 0>, groups = 1 : i64, layout = 1 : i32, kernel.packing = #kernel.packing<filter, 32>} : tensor<2x6x8x8x4xf32>, tensor<3x3x3x4x32xf32> to tensor<2x6x6x6x32xf32>
  kernel.yield %0 : tensor<2x6x6x6x32xf32>
}

// A filter that is not packed has rows of all output channels; the last vector
// of a row is read and written under a mask.
// CHECK-LABEL: llvm.func internal @adze_plain
// CHECK-SAME: kernel.domain = #sym.expr<12>
// CHECK: else
// CHECK: %[[MASK:.*]] = arith.constant dense<[true, true, true, true, true, true, true, true, false
// CHECK: llvm.intr.masked.load %{{.*}}, %[[MASK]]
// CHECK-COUNT-6: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK-COUNT-6: llvm.intr.masked.store
// CHECK: llvm.return
kernel.func @plain convolution symbols [] {
^bb0(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x40xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 1 : i64, layout = 1 : i32} : tensor<1x8x8x4xf32>, tensor<3x3x4x40xf32> to tensor<1x6x6x40xf32>
  kernel.yield %0 : tensor<1x6x6x40xf32>
}

// Phase by phase: 8 pixels of each of 2 phases, every second tap.
// CHECK-LABEL: llvm.func internal @adze_transposed
// CHECK-SAME: kernel.domain = #sym.expr<16>
// CHECK: %[[PHASES:.*]] = arith.constant 2 : i64
// CHECK: scf.for %[[PHASE:.*]] = %{{.*}} to %c2_i64
// CHECK: arith.remui
// CHECK: scf.for {{.*}} step %c2_i64{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: scf.for {{.*}} to %c4_i64{{.*}} step %c2_i64{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: arith.select {{.*}} : !llvm.ptr
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK: llvm.return
kernel.func @transposed convolution symbols [] {
^bb0(%x: tensor<1x8x8x4xf32>, %w: tensor<4x4x4x32xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 2, 2>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 1 : i64, transposed, layout = 1 : i32, kernel.packing = #kernel.packing<transposed_filter, 32>} : tensor<1x8x8x4xf32>, tensor<4x4x4x32xf32> to tensor<1x16x16x32xf32>
  kernel.yield %0 : tensor<1x16x16x32xf32>
}

// Each channel by itself, transposed: the taps of a phase are a loop.
// CHECK-LABEL: llvm.func internal @adze_transposed_depthwise
// CHECK: scf.for {{.*}} step %c2_i64{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: scf.for {{.*}} step %c2_i64{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-8: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK: llvm.return
kernel.func @transposed_depthwise convolution symbols [] {
^bb0(%x: tensor<1x8x8x64xf32>, %w: tensor<4x4x1x64xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 2, 2>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 64 : i64, transposed, layout = 1 : i32} : tensor<1x8x8x64xf32>, tensor<4x4x1x64xf32> to tensor<1x16x16x64xf32>
  kernel.yield %0 : tensor<1x16x16x64xf32>
}

// Channels first is computed element by element, lanes along the row.
// CHECK-LABEL: llvm.func internal @adze_first
// CHECK-NOT: llvm.intr.fmuladd
// CHECK: llvm.return
kernel.func @first convolution symbols [] {
^bb0(%x: tensor<1x3x16x16xf32>, %w: tensor<8x3x3x3xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, dilation = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 1 : i64, layout = 0 : i32} : tensor<1x3x16x16xf32>, tensor<8x3x3x3xf32> to tensor<1x8x14x14xf32>
  kernel.yield %0 : tensor<1x8x14x14xf32>
}

// So is a transposed convolution that does not crop but extends: positions
// before the first tap would be negative.
// CHECK-LABEL: llvm.func internal @adze_extended
// CHECK-NOT: llvm.intr.fmuladd
// CHECK: llvm.return
kernel.func @extended convolution symbols [] {
^bb0(%x: tensor<1x8x4xf32>, %w: tensor<3x4x32xf32>):
  %0 = prim.convolution %x, %w {stride = array<i64: 1>, low = array<i64: -1>, high = array<i64: 0>, dilation = array<i64: 1>, output_padding = array<i64: 0>, groups = 1 : i64, transposed, layout = 1 : i32} : tensor<1x8x4xf32>, tensor<3x4x32xf32> to tensor<1x11x32xf32>
  kernel.yield %0 : tensor<1x11x32xf32>
}
