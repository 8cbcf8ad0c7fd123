// RUN: adze-opt %s | adze-opt | FileCheck %s

// CHECK-LABEL: @arithmetic
func.func private @arithmetic() attributes {
  // CHECK-SAME: a = #sym.expr<2 * s0 + s1 + 3>
  a = #sym.expr<s1 + 1 + s0 + 2 + s0>,
  // CHECK-SAME: b = #sym.expr<2 * s0 + s0 * s0 + 1>
  b = #sym.expr<(s0 + 1) * (s0 + 1)>,
  // CHECK-SAME: c = #sym.expr<0>
  c = #sym.expr<s0 + -1 * s0>,
  // CHECK-SAME: d = #sym.expr<s0 + 2>
  d = #sym.expr<floordiv(4 * s0 + 8, 4)>,
  // CHECK-SAME: e = #sym.expr<floordiv(s0 + 1, 4)>
  e = #sym.expr<floordiv(1 + s0, 4)>,
  // CHECK-SAME: f = #sym.expr<0>
  f = #sym.expr<mod(6 * s0, 3)>,
  // CHECK-SAME: g = #sym.expr<max(7, s0)>
  g = #sym.expr<max(s0, 3, 7, s0)>,
  // CHECK-SAME: h = #sym.expr<-2>
  h = #sym.expr<floordiv(-3, 2)>,
  // CHECK-SAME: i = #sym.expr<s0 * s0 * s0>
  i = #sym.expr<pow(s0, 3)>}

// CHECK-LABEL: @relations
func.func private @relations() attributes {
  // CHECK-SAME: a = #sym.expr<le(s0, 16)>
  a = #sym.expr<le(s0, 16)>,
  // CHECK-SAME: b = #sym.expr<1>
  b = #sym.expr<lt(s0, s0 + 1)>,
  // CHECK-SAME: c = #sym.expr<not(and(eq(s0, s1), ne(s0, 2)))>
  c = #sym.expr<not(and(eq(s0, s1), ne(s0, 2)))>,
  // CHECK-SAME: d = #sym.expr<where(lt(s0, 4), s0, 4)>
  d = #sym.expr<where(lt(s0, 4), s0, 4)>}

// Sums of floats are not reassociated, so their text keeps the structure.
// CHECK-LABEL: @floats
func.func private @floats() attributes {
  // CHECK-SAME: a = #sym.expr<trunc(truediv(s0, 2) + (tofloat(s1) + sqrt(s2)))>
  a = #sym.expr<trunc(truediv(s0, 2) + (tofloat(s1) + sqrt(s2)))>,
  // CHECK-SAME: b = #sym.expr<floor(tofloat(s0) + tofloat(s1) + tofloat(s2))>
  b = #sym.expr<floor((tofloat(s0) + tofloat(s1)) + tofloat(s2))>,
  // CHECK-SAME: c = #sym.expr<round(tofloat(s0) * (tofloat(s1) * tofloat(s2)))>
  c = #sym.expr<round(tofloat(s0) * (tofloat(s1) * tofloat(s2)))>,
  // CHECK-SAME: d = #sym.expr<ceil(float(4611686018427387904) * tofloat(s0))>
  d = #sym.expr<ceil(float(4611686018427387904) * tofloat(s0))>}

// CHECK-LABEL: @types
// CHECK-SAME: tensor<?x?x8xf32, #sym.dims<s0, s0 + 1, 8>>
func.func private @types(tensor<?x?x8xf32, #sym.dims<s0, 1 + s0, 8>>)

// Overflow leaves an expression as it is, and never stops the compiler.
// CHECK-LABEL: @limits
func.func private @limits() attributes {
  // CHECK-SAME: a = #sym.expr<9223372036854775807 + 1>
  a = #sym.expr<9223372036854775807 + 1>,
  // CHECK-SAME: b = #sym.expr<floordiv(-9223372036854775808, -1)>
  b = #sym.expr<floordiv(-9223372036854775808, -1)>,
  // CHECK-SAME: c = #sym.expr<floordiv(s0, 0)>
  c = #sym.expr<floordiv(s0, 0)>}
