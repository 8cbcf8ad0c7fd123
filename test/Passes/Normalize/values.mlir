// Decompositions as the reference interpreter runs them; the answers are torch's.

// RUN: adze-opt %s --adze-normalize -o %t
// RUN: adze-opt %t --interpret=floor_divide | FileCheck %s --check-prefix=FLOOR
// RUN: adze-opt %t --interpret=remainder | FileCheck %s --check-prefix=REMAINDER
// RUN: adze-opt %t --interpret=promotion | FileCheck %s --check-prefix=PROMOTION
// RUN: adze-opt %t --interpret=nan | FileCheck %s --check-prefix=NAN
// RUN: adze-opt %t --interpret=half | FileCheck %s --check-prefix=HALF
// RUN: adze-opt %t --interpret=sums | FileCheck %s --check-prefix=SUMS
// RUN: adze-opt %t --interpret=variance | FileCheck %s --check-prefix=VARIANCE
// RUN: adze-opt %t --interpret=nll | FileCheck %s --check-prefix=NLL
// RUN: adze-opt %t --interpret=gcd | FileCheck %s --check-prefix=GCD
// RUN: adze-opt %t --interpret=mode | FileCheck %s --check-prefix=MODE
// RUN: not adze-opt %t --interpret=target 2>&1 | FileCheck %s --check-prefix=TARGET

// Integers are divided towards minus infinity.
// FLOOR: dense<[-2, -1, -1, 0, 0, 1, 1]> : tensor<7xi64>
// FLOOR: dense<[1, 1, 0, 0, -1, -1, -2]> : tensor<7xi64>
capture.graph @floor_divide() -> (tensor<7xi64>, tensor<7xi64>) {
  %x = capture.call "aten.arange.start"(start = -3 : i64, end = 4 : i64, dtype = i64, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<7xi64>
  %0 = capture.call "aten.floor_divide.Scalar"(self = %x, other = 2 : i64) : (tensor<7xi64>) -> tensor<7xi64>
  %1 = capture.call "aten.div.Scalar_mode"(self = %x, other = -2 : i64, rounding_mode = "floor") : (tensor<7xi64>) -> tensor<7xi64>
  capture.return %0, %1 : tensor<7xi64>, tensor<7xi64>
}

// `remainder` has the sign of the divisor, `fmod` that of the dividend.
// REMAINDER: dense<[0, 1, 2, 0, 1, 2, 0]> : tensor<7xi64>
// REMAINDER: dense<[0, -2, -1, 0, 1, 2, 0]> : tensor<7xi64>
// REMAINDER: dense<[-0.000000e+00, -5.000000e-01, -1.000000e+00, 0.000000e+00, -5.000000e-01, -1.000000e+00, 0.000000e+00]> : tensor<7xf32>
capture.graph @remainder() -> (tensor<7xi64>, tensor<7xi64>, tensor<7xf32>) {
  %x = capture.call "aten.arange.start"(start = -3 : i64, end = 4 : i64, dtype = i64, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<7xi64>
  %0 = capture.call "aten.remainder.Scalar"(self = %x, other = 3 : i64) : (tensor<7xi64>) -> tensor<7xi64>
  %1 = capture.call "aten.fmod.Scalar"(self = %x, other = 3 : i64) : (tensor<7xi64>) -> tensor<7xi64>
  %2 = capture.call "aten.remainder.Scalar"(self = %x, other = -1.5 : f64) : (tensor<7xi64>) -> tensor<7xf32>
  capture.return %0, %1, %2 : tensor<7xi64>, tensor<7xi64>, tensor<7xf32>
}

// A number does not widen a tensor; `/` and float functions give f32.
// PROMOTION: dense<[1.500000e+00, 2.500000e+00]> : tensor<2xf16>
// PROMOTION: dense<[0.000000e+00, 5.000000e-01]> : tensor<2xf32>
// PROMOTION: dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// PROMOTION: dense<true> : tensor<2xi1>
// PROMOTION: dense<[1, 2]> : tensor<2xi64>
capture.graph @promotion() -> (tensor<2xf16>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi64>) {
  %x = capture.call "aten.arange.default"(end = 2 : i64, dtype = i64, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<2xi64>
  %h = capture.call "aten.arange.default"(end = 2 : i64, dtype = f16, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<2xf16>
  %0 = capture.call "aten.add.Tensor"(self = %h, other = 1.5 : f64, alpha = 1 : i64) : (tensor<2xf16>) -> tensor<2xf16>
  %1 = capture.call "aten.div.Tensor"(self = %x, other = 2 : i64) : (tensor<2xi64>) -> tensor<2xf32>
  %2 = capture.call "aten.exp2.default"(self = %x) : (tensor<2xi64>) -> tensor<2xf32>
  %3 = capture.call "aten.lt.Scalar"(self = %x, other = 1.5 : f64) : (tensor<2xi64>) -> tensor<2xi1>
  %4 = capture.call "aten.add.Tensor"(self = %3, other = %x, alpha = 1 : i64) : (tensor<2xi1>, tensor<2xi64>) -> tensor<2xi64>
  capture.return %0, %1, %2, %3, %4 : tensor<2xf16>, tensor<2xf32>, tensor<2xf32>, tensor<2xi1>, tensor<2xi64>
}

// NaN passes through max and clamp, not through fmax; nansum leaves it out.
// NAN: dense<[1.000000e+00, 0x{{[7F]}}FC00000, 1.000000e+00]> : tensor<3xf32>
// NAN: dense<[1.000000e+00, 0.000000e+00, 1.000000e+00]> : tensor<3xf32>
// NAN: dense<[5.000000e-01, 0x{{[7F]}}FC00000, 5.000000e-01]> : tensor<3xf32>
// NAN: dense<2.000000e+00> : tensor<f32>
// NAN: dense<1> : tensor<i64>
capture.graph @nan() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<i64>) {
  %x = capture.call "aten.arange.start"(start = -1 : i64, end = 2 : i64, dtype = f32, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<3xf32>
  %n = capture.call "aten.div.Tensor"(self = %x, other = %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %0 = capture.call "aten.maximum.default"(self = %x, other = %n) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = capture.call "aten.fmax.default"(self = %x, other = %n) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = capture.call "aten.clamp.default"(self = %n, min = #capture.none, max = 0.5 : f64) : (tensor<3xf32>) -> tensor<3xf32>
  %3 = capture.call "aten.nansum.default"(self = %n, dim = #capture.none, keepdim = false, dtype = #capture.none) : (tensor<3xf32>) -> tensor<f32>
  %4 = capture.call "aten.argmax.default"(self = %n, dim = #capture.none, keepdim = false) : (tensor<3xf32>) -> tensor<i64>
  capture.return %0, %1, %2, %3, %4 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<i64>
}

// One kernel rounds once: 256 + 1 is no bf16, but 256 + 3 * 0.5 rounds to 258.
// HALF: dense<2.580000e+02> : tensor<bf16>
// HALF: dense<3.000000e+02> : tensor<bf16>
capture.graph @half() -> (tensor<bf16>, tensor<bf16>) {
  %x = capture.call "aten.full.default"(size = [], fill_value = 256.0 : f64, dtype = bf16, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<bf16>
  %y = capture.call "aten.full.default"(size = [], fill_value = 3.0 : f64, dtype = bf16, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<bf16>
  %0 = capture.call "aten.add.Tensor"(self = %x, other = %y, alpha = 0.5 : f64) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
  %ones = capture.call "aten.full.default"(size = [300], fill_value = 1.0 : f64, dtype = bf16, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<300xbf16>
  %1 = capture.call "aten.sum.default"(self = %ones, dtype = #capture.none) : (tensor<300xbf16>) -> tensor<bf16>
  capture.return %0, %1 : tensor<bf16>, tensor<bf16>
}

// bool is summed as i64; [] means all dims to sum, but none to any.dims.
// SUMS: dense<3> : tensor<i64>
// SUMS: dense<3> : tensor<1x1xi64>
// SUMS: dense<{{\[\[}}false, true], [true, true]]> : tensor<2x2xi1>
capture.graph @sums() -> (tensor<i64>, tensor<1x1xi64>, tensor<2x2xi1>) {
  %v = capture.call "aten.arange.default"(end = 4 : i64, dtype = i64, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<4xi64>
  %m = capture.call "aten.view.default"(self = %v, size = [2, 2]) : (tensor<4xi64>) -> tensor<2x2xi64>
  %x = capture.call "aten.gt.Scalar"(self = %m, other = 0 : i64) : (tensor<2x2xi64>) -> tensor<2x2xi1>
  %0 = capture.call "aten.sum.default"(self = %x, dtype = #capture.none) : (tensor<2x2xi1>) -> tensor<i64>
  %1 = capture.call "aten.sum.dim_IntList"(self = %x, dim = [], keepdim = true, dtype = #capture.none) : (tensor<2x2xi1>) -> tensor<1x1xi64>
  %2 = capture.call "aten.any.dims"(self = %m, dim = [], keepdim = false) : (tensor<2x2xi64>) -> tensor<2x2xi1>
  capture.return %0, %1, %2 : tensor<i64>, tensor<1x1xi64>, tensor<2x2xi1>
}

// One element has no unbiased variance.
// VARIANCE: dense<1.66666663> : tensor<f32>
// VARIANCE: dense<1.250000e+00> : tensor<f32>
// VARIANCE: dense<1.500000e+00> : tensor<f32>
// VARIANCE: dense<0x{{[7F]}}FC00000> : tensor<f32>
capture.graph @variance() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %x = capture.call "aten.arange.default"(end = 4 : i64, dtype = f32, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<4xf32>
  %one = capture.call "aten.arange.default"(end = 1 : i64, dtype = f32, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<1xf32>
  %0 = capture.call "aten.var.default"(self = %x, unbiased = true) : (tensor<4xf32>) -> tensor<f32>
  %1:2 = capture.call "aten.var_mean.correction"(self = %x, dim = [0], correction = 0 : i64, keepdim = false) : (tensor<4xf32>) -> (tensor<f32>, tensor<f32>)
  %2 = capture.call "aten.var.correction"(self = %one, dim = #capture.none, correction = #capture.none, keepdim = false) : (tensor<1xf32>) -> tensor<f32>
  capture.return %0, %1#0, %1#1, %2 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// The target 1 is ignored; the mean is that of the others.
// NLL: dense<-4.000000e+00> : tensor<f32>
// NLL: dense<[-0.000000e+00, 0.000000e+00, -8.000000e+00]> : tensor<3xf32>
capture.graph @nll() -> (tensor<f32>, tensor<3xf32>) {
  %v = capture.call "aten.arange.default"(end = 9 : i64, dtype = f32, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<9xf32>
  %x = capture.call "aten.view.default"(self = %v, size = [3, 3]) : (tensor<9xf32>) -> tensor<3x3xf32>
  %t = capture.call "aten.arange.default"(end = 3 : i64, dtype = i64, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<3xi64>
  %0 = capture.call "aten.nll_loss_nd.default"(self = %x, target = %t, weight = #capture.none, reduction = 1 : i64, ignore_index = 1 : i64) : (tensor<3x3xf32>, tensor<3xi64>) -> tensor<f32>
  %1 = capture.call "aten.nll_loss_nd.default"(self = %x, target = %t, weight = #capture.none, reduction = 0 : i64, ignore_index = 1 : i64) : (tensor<3x3xf32>, tensor<3xi64>) -> tensor<3xf32>
  capture.return %0, %1 : tensor<f32>, tensor<3xf32>
}

// A negative target names no class.
// TARGET: error: {{.*}}index -1 is out of range for size 3 of dim 1
capture.graph @target() -> tensor<f32> {
  %v = capture.call "aten.arange.default"(end = 9 : i64, dtype = f32, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<9xf32>
  %x = capture.call "aten.view.default"(self = %v, size = [3, 3]) : (tensor<9xf32>) -> tensor<3x3xf32>
  %t = capture.call "aten.arange.start"(start = -1 : i64, end = 2 : i64, dtype = i64, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<3xi64>
  %0 = capture.call "aten.nll_loss_nd.default"(self = %x, target = %t, weight = #capture.none, reduction = 1 : i64, ignore_index = -100 : i64) : (tensor<3x3xf32>, tensor<3xi64>) -> tensor<f32>
  capture.return %0 : tensor<f32>
}

// GCD: dense<[6, 1, 2, 3, 2, 1, 6]> : tensor<7xi64>
// GCD: dense<[0, 6, 6, 6, 12, 30, 6]> : tensor<7xi64>
capture.graph @gcd() -> (tensor<7xi64>, tensor<7xi64>) {
  %x = capture.call "aten.arange.default"(end = 7 : i64, dtype = i64, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<7xi64>
  %six = capture.call "aten.full.default"(size = [], fill_value = -6 : i64, dtype = i64, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<i64>
  %0 = capture.call "aten.gcd.default"(self = %x, other = %six) : (tensor<7xi64>, tensor<i64>) -> tensor<7xi64>
  %1 = capture.call "aten.lcm.default"(self = %x, other = %six) : (tensor<7xi64>, tensor<i64>) -> tensor<7xi64>
  capture.return %0, %1 : tensor<7xi64>, tensor<7xi64>
}

// Of 0 0 1 1 2 2 3: the smallest of the most frequent, and its last position.
// MODE: dense<0> : tensor<i64>
// MODE: dense<1> : tensor<i64>
// MODE: dense<1> : tensor<i64>
capture.graph @mode() -> (tensor<i64>, tensor<i64>, tensor<i64>) {
  %v = capture.call "aten.arange.default"(end = 7 : i64, dtype = i64, layout = #capture.none, device = #capture.none, pin_memory = #capture.none) : () -> tensor<7xi64>
  %x = capture.call "aten.floor_divide.Scalar"(self = %v, other = 2 : i64) : (tensor<7xi64>) -> tensor<7xi64>
  %0:2 = capture.call "aten.mode.default"(self = %x, dim = -1 : i64, keepdim = false) : (tensor<7xi64>) -> (tensor<i64>, tensor<i64>)
  %1 = capture.call "aten.median.default"(self = %x) : (tensor<7xi64>) -> tensor<i64>
  capture.return %0#0, %0#1, %1 : tensor<i64>, tensor<i64>, tensor<i64>
}
