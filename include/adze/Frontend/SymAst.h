//===- SymAst.h - Expressions over sizes, as parsed from text -------------===//
//
// What expr_str, the keys of range_constraints and guards_code say, before any
// simplification.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_FRONTEND_SYMAST_H
#define ADZE_FRONTEND_SYMAST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace adze::frontend {

enum class SymOp : uint8_t {
  Integer,    // integer
  Rational,   // integer / denominator
  Float,      // real
  Symbol,     // text: "s77"
  InputSize,  // text: leaf path "L['x'][0]"; integer: dimension
  InputValue, // text: leaf path of an int, float or bool input
  True,
  False,
  Infinity,
  Add,
  Mul,
  Sub,
  Neg,
  FloorDiv,
  TrueDiv,  // in float64
  Quotient, // the exact a / b
  Mod,
  PythonMod,
  CleanDiv,
  CeilDiv,
  Pow,
  LShift,
  RShift,
  ModularIndexing, // (b // d) mod m
  Max,
  Min,
  Where,
  BitAnd,
  BitOr,
  BitXor,
  ToInt, // args[0]; text: "ceil", "floor", "trunc" or "round"
  ToFloat,
  Sqrt,
  FloatPow,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  And,
  Or,
  Not,
  Call, // any other function, by name in text
};

struct SymAst {
  SymOp op = SymOp::Integer;
  int64_t integer = 0;
  int64_t denominator = 1;
  double real = 0;
  std::string text;
  std::vector<SymAst> args;
};

/// Parses expr_str in sympy's `srepr` spelling or its `str` spelling.
llvm::Expected<SymAst> parseSymExpr(llvm::StringRef text);

/// Parses one line of guards_code: Python over L['x'].size()[0] and integers.
llvm::Expected<SymAst> parseGuard(llvm::StringRef text);

/// Infix text, for messages: "s77 * 2 + 1 <= 10".
std::string toString(const SymAst &ast);

} // namespace adze::frontend

#endif // ADZE_FRONTEND_SYMAST_H
