// RUN: adze-opt %s --interpret=main | FileCheck %s
// RUN: not adze-opt %s --interpret=fails 2>&1 | FileCheck %s --check-prefix=FAILS

func.func @main() -> (tensor<?xi64, #sym.dims<u0>>, tensor<i64>, tensor<i64>, tensor<3xi64>, tensor<0xi64>) {
  %t = prim.full true to tensor<i1>
  // The branch that is taken gives the size.
  // CHECK: dense<[0, 1, 2]> : tensor<3xi64>
  %0 = prim.cond %t : tensor<i1> to tensor<?xi64, #sym.dims<u0>> {
    %a = prim.iota dim = 0 : tensor<3xi64>
    prim.yield %a : tensor<3xi64>
  } else {
    %a = prim.iota dim = 0 : tensor<2xi64>
    prim.yield %a : tensor<2xi64>
  } {defines = ["u0"], then_sizes = [#sym.expr<3>], else_sizes = [#sym.expr<2>]}
  // CHECK-NEXT: dense<1024> : tensor<i64>
  %one = prim.full 1 : i64 to tensor<i64>
  %limit = prim.full 1000 : i64 to tensor<i64>
  %1 = prim.while %one : tensor<i64> to tensor<i64> {
  ^bb0(%i: tensor<i64>):
    %c = prim.compare lt %i, %limit : tensor<i64>
    prim.yield %c : tensor<i1>
  } do {
  ^bb0(%i: tensor<i64>):
    %d = prim.add %i, %i : tensor<i64>
    prim.yield %d : tensor<i64>
  }
  // CHECK-NEXT: dense<60> : tensor<i64>
  // CHECK-NEXT: dense<[10, 30, 60]> : tensor<3xi64>
  %zero = prim.full 0 : i64 to tensor<i64>
  %x = prim.constant dense<[10, 20, 30]> : tensor<3xi64>
  %2:2 = prim.scan init(%zero : tensor<i64>) over(%x : tensor<3xi64>) to tensor<i64>, tensor<3xi64> {
  ^bb0(%s: tensor<i64>, %e: tensor<i64>):
    %n = prim.add %s, %e : tensor<i64>
    prim.yield %n, %n : tensor<i64>, tensor<i64>
  }
  // CHECK-NEXT: dense<> : tensor<0xi64>
  %e = prim.constant dense<> : tensor<0xi64>
  %3 = prim.scan init() over(%e : tensor<0xi64>) to tensor<0xi64> {
  ^bb0(%a: tensor<i64>):
    prim.yield %a : tensor<i64>
  }
  return %0, %1, %2#0, %2#1, %3 : tensor<?xi64, #sym.dims<u0>>, tensor<i64>, tensor<i64>, tensor<3xi64>, tensor<0xi64>
}

// An error inside of a region names the op there.
// FAILS: error: prim.idiv at model.py:9:1: integer division of 1 by zero at element 0
func.func @fails() -> tensor<i64> {
  %t = prim.full true to tensor<i1>
  %one = prim.full 1 : i64 to tensor<i64>
  %zero = prim.full 0 : i64 to tensor<i64>
  %0 = prim.cond %t : tensor<i1> to tensor<i64> {
    %a = prim.idiv %one, %zero : tensor<i64> loc("model.py":9:1)
    prim.yield %a : tensor<i64>
  } else {
    prim.yield %one : tensor<i64>
  }
  return %0 : tensor<i64>
}
