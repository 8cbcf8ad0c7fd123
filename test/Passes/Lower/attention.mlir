// RUN: adze-opt %s --adze-lower-kernels=vector-bits=512 | FileCheck %s
// RUN: adze-opt %s --adze-lower-kernels=vector-bits=256 | FileCheck %s --check-prefix=AVX2

// Blocks of 64 rows and 128 keys, whatever their number: scratch for queries, a
// panel of keys, weights, sums, and what each row keeps. Keys are transposed 16
// by 16; 8 x 32 products, and 8 x 32 sums of values, are in registers.
// CHECK-LABEL: llvm.func internal @adze_dynamic
//  CHECK-SAME: kernel.domain = #sym.expr<-3 * floordiv(-1 * s0, 64)>
//       CHECK: llvm.alloca %c4096_{{.*}} x f32
//       CHECK: llvm.alloca %c2048_{{.*}} x f32
//       CHECK: llvm.alloca %c8192_{{.*}} x f32
//       CHECK: llvm.alloca %c4096_{{.*}} x f32
// CHECK-COUNT-3: llvm.alloca
//   CHECK-NOT: llvm.alloca
// Few rows: products key by key.
//       CHECK: scf.if
// CHECK-COUNT-16: llvm.intr.fmuladd
//       CHECK: vector.shuffle
//       CHECK: math.exp {{.*}} : vector<16xf32>
//       CHECK: } else {
// Many rows.
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: llvm.intr.fmuladd
//   CHECK-NOT: llvm.intr.fmuladd
// CHECK-COUNT-2: math.exp {{.*}} : vector<16xf32>
//       CHECK: llvm.intr.fmuladd
// CHECK-COUNT-16: llvm.intr.fmuladd
//   CHECK-NOT: llvm.intr.fmuladd
//       CHECK: llvm.return
// AVX2-LABEL: llvm.func internal @adze_dynamic
//       AVX2: } else {
// AVX2-COUNT-24: vector.shuffle {{.*}} : vector<8xf32>, vector<8xf32>
// AVX2-COUNT-12: llvm.intr.fmuladd{{.*}}vector<8xf32>
kernel.func @dynamic attention symbols ["s0"] {
^bb0(%x: tensor<1x?x3x64xf32, #sym.dims<1, s0, 3, 64>>):
  %0 = prim.transpose %x by [0, 2, 1, 3] : tensor<1x?x3x64xf32, #sym.dims<1, s0, 3, 64>> to tensor<1x3x?x64xf32, #sym.dims<1, 3, s0, 64>>
  %1 = prim.attention %0, %0, %0 scale = 1.250000e-01 : tensor<1x3x?x64xf32, #sym.dims<1, 3, s0, 64>>, tensor<1x3x?x64xf32, #sym.dims<1, 3, s0, 64>>, tensor<1x3x?x64xf32, #sym.dims<1, 3, s0, 64>> to tensor<1x3x?x64xf32, #sym.dims<1, 3, s0, 64>>
  %2 = prim.transpose %1 by [0, 2, 1, 3] : tensor<1x3x?x64xf32, #sym.dims<1, 3, s0, 64>> to tensor<1x?x3x64xf32, #sym.dims<1, s0, 3, 64>>
  kernel.yield %2 : tensor<1x?x3x64xf32, #sym.dims<1, s0, 3, 64>>
}

// Few keys and heads of odd sizes: one block; lanes beyond the head are masked,
// and scores beyond the last key, or the row's own, are minus infinity.
// CHECK-LABEL: llvm.func internal @adze_causal
//  CHECK-SAME: kernel.domain = #sym.expr<4>
//       CHECK: llvm.intr.masked.load
//       CHECK: arith.cmpi slt, {{.*}} : vector<16xi32>
//       CHECK: llvm.intr.masked.store
kernel.func @causal attention symbols [] {
^bb0(%q: tensor<2x2x17x5xf32>):
  %0 = prim.attention %q, %q, %q scale = 5.000000e-01 causal : tensor<2x2x17x5xf32>, tensor<2x2x17x5xf32>, tensor<2x2x17x5xf32> to tensor<2x2x17x5xf32>
  kernel.yield %0 : tensor<2x2x17x5xf32>
}
