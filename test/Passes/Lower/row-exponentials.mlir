// RUN: adze-opt %s --adze-lower-kernels=vector-bits=512 | FileCheck %s

// The sum of a row leaves its exponentials in the result, where the quotients
// find them: vectors, then single elements, have one exponential each.
// CHECK-LABEL: llvm.func internal @adze_softmax
//       CHECK: arith.maximumf
//       CHECK: math.exp {{.*}} : vector<16xf32>
//       CHECK: llvm.store {{.*}} : vector<16xf32>
//       CHECK: math.exp {{.*}} : f32
//       CHECK: llvm.store {{.*}} : f32
//   CHECK-NOT: math.exp
//       CHECK: llvm.load {{.*}} -> vector<16xf32>
//       CHECK: arith.divf {{.*}} : vector<16xf32>
//       CHECK: llvm.store {{.*}} : vector<16xf32>
//       CHECK: llvm.return
kernel.func @softmax loop symbols [] {
^bb0(%x: tensor<3x37xf32>):
  %0 = prim.reduce max %x dims = [1] : tensor<3x37xf32> to tensor<3xf32>
  %1 = prim.reshape %0 : tensor<3xf32> to tensor<3x1xf32>
  %2 = prim.broadcast %1 : tensor<3x1xf32> to tensor<3x37xf32>
  %3 = prim.sub %x, %2 : tensor<3x37xf32>
  %4 = prim.exp %3 : tensor<3x37xf32>
  %5 = prim.reduce sum %4 dims = [1] : tensor<3x37xf32> to tensor<3xf32>
  %6 = prim.reshape %5 : tensor<3xf32> to tensor<3x1xf32>
  %7 = prim.broadcast %6 : tensor<3x1xf32> to tensor<3x37xf32>
  %8 = prim.div %4, %7 : tensor<3x37xf32>
  kernel.yield %8 : tensor<3x37xf32>
}

// Elements that are read elsewhere than where they stand are computed again:
// there the result may have replaced them.
// CHECK-LABEL: llvm.func internal @adze_reversed
// CHECK-COUNT-4: math.exp
//   CHECK-NOT: math.exp
kernel.func @reversed loop symbols [] {
^bb0(%x: tensor<3x37xf32>):
  %0 = prim.exp %x : tensor<3x37xf32>
  %1 = prim.reduce sum %0 dims = [1] : tensor<3x37xf32> to tensor<3xf32>
  %2 = prim.reshape %1 : tensor<3xf32> to tensor<3x1xf32>
  %3 = prim.broadcast %2 : tensor<3x1xf32> to tensor<3x37xf32>
  %4 = prim.reverse %0 dims = [1] : tensor<3x37xf32>
  %5 = prim.div %4, %3 : tensor<3x37xf32>
  kernel.yield %5 : tensor<3x37xf32>
}

// The result has no place for f32.
// CHECK-LABEL: llvm.func internal @adze_half
// CHECK-COUNT-4: math.exp
//   CHECK-NOT: math.exp
kernel.func @half loop symbols [] {
^bb0(%x: tensor<3x37xf32>):
  %0 = prim.exp %x : tensor<3x37xf32>
  %1 = prim.reduce sum %0 dims = [1] : tensor<3x37xf32> to tensor<3xf32>
  %2 = prim.reshape %1 : tensor<3xf32> to tensor<3x1xf32>
  %3 = prim.broadcast %2 : tensor<3x1xf32> to tensor<3x37xf32>
  %4 = prim.div %0, %3 : tensor<3x37xf32>
  %5 = prim.convert %4 : tensor<3x37xf32> to tensor<3x37xbf16>
  kernel.yield %5 : tensor<3x37xbf16>
}
