// RUN: adze-opt %s --adze-lower-kernels=vector-bits=512 | FileCheck %s
// RUN: adze-opt %s --adze-lower-kernels=vector-bits=256 | FileCheck %s --check-prefix=AVX2

// 8 x 32 sums in registers; the rows of 64 form one group for each panel. What
// follows is read and stored once per vector.
// CHECK-LABEL: llvm.func internal @adze_product
// CHECK-SAME: kernel.domain = #sym.expr<2>
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<16xf32>
// CHECK-COUNT-16: llvm.intr.fmuladd
// CHECK-NOT: llvm.intr.fmuladd
// CHECK-COUNT-2: llvm.load {{.*}} -> vector<16xf32>
// CHECK-COUNT-16: llvm.store {{.*}} : vector<16xf32>
// AVX2-LABEL: llvm.func internal @adze_product
// AVX2: llvm.intr.fmuladd{{.*}}vector<8xf32>
kernel.func @product gemm symbols [] {
^bb0(%a: tensor<64x40xf32>, %w: tensor<40x64xf32>, %b: tensor<64xf32>):
  %0 = prim.matmul %a, %w {kernel.packing = #kernel.packing<rhs, 32>} : tensor<64x40xf32>, tensor<40x64xf32> to tensor<64x64xf32>
  %1 = prim.broadcast %b : tensor<64xf32> to tensor<64x64xf32>
  %2 = prim.add %0, %1 : tensor<64x64xf32>
  kernel.yield %2 : tensor<64x64xf32>
}

// The last columns are masked, the last rows computed twice.
// CHECK-LABEL: llvm.func internal @adze_odd
// CHECK: arith.minsi
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
kernel.func @odd gemm symbols [] {
^bb0(%a: tensor<17x5xf32>, %w: tensor<5x3xf32>):
  %0 = prim.matmul %a, %w : tensor<17x5xf32>, tensor<5x3xf32> to tensor<17x3xf32>
  kernel.yield %0 : tensor<17x3xf32>
}

// Any number of rows: one and few have tiles of their own.
// CHECK-LABEL: llvm.func internal @adze_dynamic
// CHECK-SAME: kernel.domain = #sym.expr<-1 * floordiv(-1 * s0, 64)>
// CHECK-COUNT-2: scf.if
kernel.func @dynamic gemm symbols ["s0"] {
^bb0(%a: tensor<?x5xf32, #sym.dims<s0, 5>>, %w: tensor<5x32xf32>):
  %0 = prim.matmul %a, %w : tensor<?x5xf32, #sym.dims<s0, 5>>, tensor<5x32xf32> to tensor<?x32xf32, #sym.dims<s0, 32>>
  kernel.yield %0 : tensor<?x32xf32, #sym.dims<s0, 32>>
}

// Integers in the same tiles. Those of 8 bits are summed in 32, of which the
// lower 8 are kept.
// CHECK-LABEL: llvm.func internal @adze_bytes
// CHECK: scf.for {{.*}} -> (vector<16xi32>
// CHECK: arith.extsi {{.*}} : vector<16xi8> to vector<16xi32>
// CHECK: arith.extsi {{.*}} : i8 to i32
// CHECK-COUNT-8: arith.muli {{.*}} : vector<16xi32>
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
// CHECK: llvm.store {{.*}} : vector<16xi8>
kernel.func @bytes gemm symbols [] {
^bb0(%a: tensor<16x5xui8>, %w: tensor<5x16xui8>):
  %0 = prim.matmul %a, %w : tensor<16x5xui8>, tensor<5x16xui8> to tensor<16x16xui8>
  kernel.yield %0 : tensor<16x16xui8>
}

// CHECK-LABEL: llvm.func internal @adze_longs
// CHECK-COUNT-16: arith.muli {{.*}} : vector<8xi64>
kernel.func @longs gemm symbols [] {
^bb0(%a: tensor<16x5xi64>, %w: tensor<5x16xi64>):
  %0 = prim.matmul %a, %w : tensor<16x5xi64>, tensor<5x16xi64> to tensor<16x16xi64>
  kernel.yield %0 : tensor<16x16xi64>
}

// Bool and complex products are computed element by element.
// CHECK-LABEL: llvm.func internal @adze_flags
// CHECK-NOT: vector<16xi32>
// CHECK: llvm.return
kernel.func @flags gemm symbols [] {
^bb0(%a: tensor<16x5xi1>, %w: tensor<5x16xi1>):
  %0 = prim.matmul %a, %w : tensor<16x5xi1>, tensor<5x16xi1> to tensor<16x16xi1>
  kernel.yield %0 : tensor<16x16xi1>
}
