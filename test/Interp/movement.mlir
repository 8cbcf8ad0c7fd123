// RUN: adze-opt %s --interpret=main | FileCheck %s

func.func @main() -> (tensor<3x2xi32>, tensor<3x2xi32>, tensor<2x2x3xi32>, tensor<1x2xi32>, tensor<2x3xi32>,
                      tensor<3x4xi32>, tensor<2x4xi32>, tensor<2x3xi32>, tensor<2x2xi64>, tensor<2x0xi32>) {
  %x = prim.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  // CHECK: {{\[}}[1, 2], [3, 4], [5, 6]]
  %0 = prim.reshape %x : tensor<2x3xi32> to tensor<3x2xi32>
  // CHECK-NEXT: {{\[}}[1, 4], [2, 5], [3, 6]]
  %1 = prim.transpose %x by [1, 0] : tensor<2x3xi32> to tensor<3x2xi32>
  // CHECK-NEXT: {{\[}}[{{\[}}1, 2, 3], [4, 5, 6]], {{\[}}[1, 2, 3], [4, 5, 6]]]
  %2 = prim.broadcast %x : tensor<2x3xi32> to tensor<2x2x3xi32>
  // CHECK-NEXT: {{\[}}[4, 6]]
  %3 = prim.slice %x from [#sym.expr<1>, #sym.expr<0>] by [1, 2] : tensor<2x3xi32> to tensor<1x2xi32>
  // CHECK-NEXT: {{\[}}[1, 2, 3], [4, 5, 4]]
  %u = prim.constant dense<4> : tensor<1x1xi32>
  %4 = prim.update_slice %x, %u from [#sym.expr<1>, #sym.expr<2>] by [1, 1] : tensor<2x3xi32>, tensor<1x1xi32>
  // CHECK-NEXT: {{\[}}[1, 2, 3, 9], [4, 5, 6, 9], [9, 9, 9, 9]]
  %v = prim.constant dense<9> : tensor<i32>
  %5 = prim.pad %x with %v low [#sym.expr<0>, #sym.expr<0>] high [#sym.expr<1>, #sym.expr<1>] : tensor<2x3xi32>, tensor<i32> to tensor<3x4xi32>
  // CHECK-NEXT: {{\[}}[1, 2, 3, 3], [4, 5, 6, 6]]
  %c = prim.slice %x from [#sym.expr<0>, #sym.expr<2>] by [1, 1] : tensor<2x3xi32> to tensor<2x1xi32>
  %6 = prim.concat %x, %c dim = 1 : tensor<2x3xi32>, tensor<2x1xi32> to tensor<2x4xi32>
  // CHECK-NEXT: {{\[}}[6, 5, 4], [3, 2, 1]]
  %7 = prim.reverse %x dims = [0, 1] : tensor<2x3xi32>
  // CHECK-NEXT: {{\[}}[0, 1], [0, 1]]
  %8 = prim.iota dim = 1 : tensor<2x2xi64>
  // CHECK-NEXT: dense<> : tensor<2x0xi32>
  %9 = prim.slice %x from [#sym.expr<0>, #sym.expr<3>] by [1, 1] : tensor<2x3xi32> to tensor<2x0xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<3x2xi32>, tensor<3x2xi32>, tensor<2x2x3xi32>, tensor<1x2xi32>,
      tensor<2x3xi32>, tensor<3x4xi32>, tensor<2x4xi32>, tensor<2x3xi32>, tensor<2x2xi64>, tensor<2x0xi32>
}
