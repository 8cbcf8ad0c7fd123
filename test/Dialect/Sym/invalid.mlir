// RUN: adze-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{unknown operator 'frob'}}
func.func private @operator_unknown() attributes {a = #sym.expr<frob(s0, 1)>}

// -----

// expected-error@+1 {{'floordiv' expects 2 operands, but found 1}}
func.func private @operand_missing() attributes {a = #sym.expr<floordiv(s0)>}

// -----

// expected-error@+1 {{'not' expects 1 operands, but found 2}}
func.func private @operand_too_many() attributes {a = #sym.expr<not(s0, s1)>}

// -----

// expected-error@+1 {{expects 2 symbolic sizes, but found 1}}
func.func private @rank_differs(tensor<?x?xf32, #sym.dims<s0>>)

// -----

// expected-error@+1 {{symbolic size '4' does not fit the size in the type}}
func.func private @static_size_differs(tensor<?x3xf32, #sym.dims<s0, 4>>)

// -----

// expected-error@+1 {{symbolic size 's0' does not fit the size in the type}}
func.func private @symbol_for_static_dim(tensor<3xf32, #sym.dims<s0>>)
