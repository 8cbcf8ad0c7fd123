// RUN: adze-opt %s --interpret=unary | FileCheck %s --check-prefix=UNARY
// RUN: adze-opt %s --interpret=binary | FileCheck %s --check-prefix=BINARY
// RUN: adze-opt %s --interpret=integers | FileCheck %s --check-prefix=INTS
// RUN: adze-opt %s --interpret=rounding | FileCheck %s --check-prefix=ROUND
// RUN: adze-opt %s --interpret=rounding --interpret-float64 | FileCheck %s --check-prefix=WIDE
// RUN: adze-opt %s --interpret=conversions | FileCheck %s --check-prefix=CONV
// RUN: adze-opt %s --interpret=choice | FileCheck %s --check-prefix=CHOICE

// Inf is 0x7F800000, NaN 0x7FC00000 as f32.
func.func @unary() -> (tensor<5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<0xf32>, tensor<2xcomplex<f32>>) {
  %x = prim.constant dense<[0.5, -0.0, 2.5, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  // UNARY: dense<[0.000000e+00, -0.000000e+00, 2.000000e+00, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  %0 = prim.round %x : tensor<5xf32>
  %y = prim.constant dense<[0.0, 1.0, 88.0, 89.0]> : tensor<4xf32>
  // UNARY: dense<[1.000000e+00, 2.71828175, 1.65163627E+38, 0x7F800000]> : tensor<4xf32>
  %1 = prim.exp %y : tensor<4xf32>
  // UNARY: dense<[0xFF800000, 0.000000e+00, {{.*}}]> : tensor<4xf32>
  %2 = prim.log %y : tensor<4xf32>
  // UNARY: dense<> : tensor<0xf32>
  %e = prim.constant dense<> : tensor<0xf32>
  %3 = prim.tanh %e : tensor<0xf32>
  %z = prim.constant dense<[(1.0, 2.0), (-4.0, 0.0)]> : tensor<2xcomplex<f32>>
  // UNARY: dense<[(1.27201962,0.786151349), (0.000000e+00,2.000000e+00)]> : tensor<2xcomplex<f32>>
  %4 = prim.sqrt %z : tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4 : tensor<5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<0xf32>, tensor<2xcomplex<f32>>
}

func.func @binary() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = prim.constant dense<[1.0, -5.5, 0.0, 0x7FC00000]> : tensor<4xf32>
  %b = prim.constant dense<[3.0, 2.0, -0.0, 1.0]> : tensor<4xf32>
  // BINARY: dense<[0.333333343, -2.750000e+00, {{0x[7F]FC00000}}, 0x7FC00000]>
  %0 = prim.div %a, %b : tensor<4xf32>
  // BINARY: dense<[1.000000e+00, -1.500000e+00, {{0x[7F]FC00000}}, 0x7FC00000]>
  %1 = prim.rem %a, %b : tensor<4xf32>
  // BINARY: dense<[3.000000e+00, 2.000000e+00, 0.000000e+00, 0x7FC00000]>
  %2 = prim.max %a, %b : tensor<4xf32>
  // BINARY: dense<[1.00000012, -5.49999952, 0.000000e+00, 0x7FC00000]>
  %ab = prim.constant dense<[3.0, 2.0, 0.0, 1.0]> : tensor<4xf32>
  %3 = prim.nextafter %a, %ab : tensor<4xf32>
  // BINARY: dense<[1.000000e+00, 5.500000e+00, -0.000000e+00, {{.*}}]>
  %4 = prim.copysign %a, %b : tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

func.func @integers() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<2xui8>, tensor<2xi1>) {
  %a = prim.constant dense<[127, -128, -7]> : tensor<3xi8>
  %b = prim.constant dense<[1, -1, 2]> : tensor<3xi8>
  // INTS: dense<[-128, 127, -5]> : tensor<3xi8>
  %0 = prim.add %a, %b : tensor<3xi8>
  // INTS: dense<[127, -128, -3]> : tensor<3xi8>
  %1 = prim.idiv %a, %b : tensor<3xi8>
  // INTS: dense<[0, 0, -1]> : tensor<3xi8>
  %2 = prim.rem %a, %b : tensor<3xi8>
  // INTS: dense<[-2, 0, -28]> : tensor<3xi8>
  %3 = prim.shl %a, %b : tensor<3xi8>
  %u = prim.constant dense<[250, 3]> : tensor<2xui8>
  // INTS: dense<[244, 6]> : tensor<2xui8>
  %4 = prim.add %u, %u : tensor<2xui8>
  %t = prim.constant dense<[true, false]> : tensor<2xi1>
  // INTS: dense<[true, false]> : tensor<2xi1>
  %5 = prim.add %t, %t : tensor<2xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<2xui8>, tensor<2xi1>
}

func.func @rounding() -> (tensor<2xbf16>, tensor<1xf16>) {
  %a = prim.constant dense<[256.0, 3.0e38]> : tensor<2xbf16>
  %b = prim.constant dense<[1.0, 3.0e38]> : tensor<2xbf16>
  %0 = prim.add %a, %b : tensor<2xbf16>
  // ROUND: dense<[2.560000e+02, 0x7F80]> : tensor<2xbf16>
  // WIDE: dense<[2.560000e+02, 0x7F80]> : tensor<2xbf16>
  %c = prim.sub %0, %a : tensor<2xbf16>
  %h = prim.constant dense<2048.0> : tensor<1xf16>
  %one = prim.constant dense<1.0> : tensor<1xf16>
  %1 = prim.add %h, %one : tensor<1xf16>
  // In float64 the one survives until it is taken apart again.
  %2 = prim.sub %1, %h : tensor<1xf16>
  // ROUND: dense<0.000000e+00> : tensor<1xf16>
  // WIDE: dense<1.000000e+00> : tensor<1xf16>
  return %0, %2 : tensor<2xbf16>, tensor<1xf16>
}

func.func @conversions() -> (tensor<4xi32>, tensor<4xi1>, tensor<2xf32>, tensor<1xi32>, tensor<2xf32>) {
  %x = prim.constant dense<[-2.9, 3.0e9, 0x7FC00000, 0.0]> : tensor<4xf32>
  // CONV: dense<[-2, -2147483648, -2147483648, 0]> : tensor<4xi32>
  %0 = prim.convert %x : tensor<4xf32> to tensor<4xi32>
  // CONV: dense<[true, true, true, false]> : tensor<4xi1>
  %1 = prim.convert %x : tensor<4xf32> to tensor<4xi1>
  %i = prim.constant dense<[16777217, -1]> : tensor<2xi64>
  // CONV: dense<[0x4B800000, -1.000000e+00]> : tensor<2xf32>
  %2 = prim.convert %i : tensor<2xi64> to tensor<2xf32>
  %one = prim.constant dense<1.0> : tensor<1xf32>
  // CONV: dense<1065353216> : tensor<1xi32>
  %3 = prim.bitcast %one : tensor<1xf32> to tensor<1xi32>
  %z = prim.constant dense<[(1.0, 2.0), (-4.0, 0.5)]> : tensor<2xcomplex<f32>>
  // CONV: dense<[2.000000e+00, 5.000000e-01]> : tensor<2xf32>
  %4 = prim.imag %z : tensor<2xcomplex<f32>> to tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<4xi32>, tensor<4xi1>, tensor<2xf32>, tensor<1xi32>, tensor<2xf32>
}

func.func @choice() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xf32>) {
  %a = prim.constant dense<[1.0, 0x7FC00000, -0.0]> : tensor<3xf32>
  %b = prim.constant dense<[2.0, 0x7FC00000, 0.0]> : tensor<3xf32>
  // CHOICE: dense<[true, false, true]> : tensor<3xi1>
  %0 = prim.compare le %a, %b : tensor<3xf32>
  // CHOICE: dense<[true, true, false]> : tensor<3xi1>
  %1 = prim.compare ne %a, %b : tensor<3xf32>
  // CHOICE: dense<[1.000000e+00, 0x7FC00000, -0.000000e+00]> : tensor<3xf32>
  %2 = prim.where %0, %a, %b : tensor<3xi1>, tensor<3xf32>
  return %0, %1, %2 : tensor<3xi1>, tensor<3xi1>, tensor<3xf32>
}
