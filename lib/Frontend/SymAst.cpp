//===- SymAst.cpp - Text of expressions over sizes ------------------------===//

#include "adze/Frontend/SymAst.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace adze::frontend {

/// The operator between arguments, or the name of the function.
static llvm::StringRef spelling(SymOp op) {
  switch (op) {
  case SymOp::Add:
    return " + ";
  case SymOp::Sub:
    return " - ";
  case SymOp::Mul:
    return " * ";
  case SymOp::FloorDiv:
    return " // ";
  case SymOp::TrueDiv:
  case SymOp::Quotient:
    return " / ";
  case SymOp::Mod:
  case SymOp::PythonMod:
    return " % ";
  case SymOp::Pow:
    return " ** ";
  case SymOp::LShift:
    return " << ";
  case SymOp::RShift:
    return " >> ";
  case SymOp::BitAnd:
    return " & ";
  case SymOp::BitOr:
    return " | ";
  case SymOp::BitXor:
    return " ^ ";
  case SymOp::Eq:
    return " == ";
  case SymOp::Ne:
    return " != ";
  case SymOp::Lt:
    return " < ";
  case SymOp::Le:
    return " <= ";
  case SymOp::Gt:
    return " > ";
  case SymOp::Ge:
    return " >= ";
  case SymOp::And:
    return " and ";
  case SymOp::Or:
    return " or ";
  case SymOp::CleanDiv:
    return "clean_div";
  case SymOp::CeilDiv:
    return "ceil_div";
  case SymOp::ModularIndexing:
    return "modular_indexing";
  case SymOp::Max:
    return "max";
  case SymOp::Min:
    return "min";
  case SymOp::Where:
    return "where";
  case SymOp::ToFloat:
    return "float";
  case SymOp::Sqrt:
    return "sqrt";
  case SymOp::FloatPow:
    return "pow";
  case SymOp::Not:
    return "not";
  case SymOp::Neg:
    return "-";
  default:
    return "";
  }
}

static std::string joinArguments(const SymAst &ast, llvm::StringRef separator) {
  std::string text;
  for (auto [index, arg] : llvm::enumerate(ast.args)) {
    if (index)
      text += separator;
    text += toString(arg);
  }
  return "(" + text + ")";
}

std::string toString(const SymAst &ast) {
  switch (ast.op) {
  case SymOp::Integer:
    return std::to_string(ast.integer);
  case SymOp::Rational:
    return "(" + std::to_string(ast.integer) + "/" +
           std::to_string(ast.denominator) + ")";
  case SymOp::Float: {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.17g", ast.real);
    return text;
  }
  case SymOp::Symbol:
  case SymOp::InputValue:
    return ast.text;
  case SymOp::InputSize:
    return ast.text + ".size()[" + std::to_string(ast.integer) + "]";
  case SymOp::True:
    return "True";
  case SymOp::False:
    return "False";
  case SymOp::Infinity:
    return "inf";
  case SymOp::ToInt:
  case SymOp::Call:
    return ast.text + joinArguments(ast, ", ");
  default:
    break;
  }
  llvm::StringRef text = spelling(ast.op);
  if (text.front() == ' ')
    return joinArguments(ast, text);
  return text.str() + joinArguments(ast, ", ");
}

} // namespace adze::frontend
