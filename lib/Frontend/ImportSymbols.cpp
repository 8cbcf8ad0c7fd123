//===- ImportSymbols.cpp - Symbolic sizes to sym expressions --------------===//
//
// sympy works with exact rationals on the way ("s0/2 + 1/2"), sym with integers
// only. Since such a size is an integer, a common denominator is kept aside and
// divided by at the end.
//
//===----------------------------------------------------------------------===//

#include "ImportSymbols.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace adze::frontend {

namespace {

/// numerator / denominator, exact. Null: it cannot be expressed.
struct Fraction {
  sym::Expr numerator;
  int64_t denominator = 1;

  explicit operator bool() const { return bool(numerator); }
};

class AstConverter {
public:
  AstConverter(MLIRContext *context, GuardLeaves leaves, std::string &why)
      : context(context), leaves(leaves), why(why) {}

  sym::Expr convert(const SymAst &ast);

private:
  Fraction convertFraction(const SymAst &ast);
  Fraction convertSum(const SymAst &ast);
  Fraction convertProduct(const SymAst &ast);
  Fraction convertQuotient(const SymAst &ast);
  Fraction addFractions(Fraction a, Fraction b);
  sym::Expr multiply(sym::Expr a, sym::Expr b);
  sym::Expr convertRelation(const SymAst &ast);
  sym::Expr convertPower(sym::Expr base, sym::Expr exponent);
  sym::Expr convertPart(const SymAst &ast);
  sym::Expr convertWhole(const SymAst &ast);
  sym::Expr convertLeaf(const SymAst &ast);
  sym::Expr convertInteger(const SymAst &ast, ArrayRef<sym::Expr> args);
  sym::Expr convertCondition(const SymAst &ast, ArrayRef<sym::Expr> args);
  sym::Expr convertFloat(const SymAst &ast, ArrayRef<sym::Expr> args);
  sym::Expr convertRounding(const SymAst &ast, sym::Expr arg);
  sym::Expr convertBits(const SymAst &ast, ArrayRef<sym::Expr> args);
  sym::Expr fold(sym::ExprKind kind, ArrayRef<sym::Expr> args);
  sym::Expr fail(const llvm::Twine &what);

  MLIRContext *context;
  GuardLeaves leaves;
  std::string &why;
};

} // namespace

sym::Expr AstConverter::fail(const llvm::Twine &what) {
  if (why.empty())
    why = (what + " in a symbolic expression is not supported").str();
  return {};
}

//===----------------------------------------------------------------------===//
// Fractions
//===----------------------------------------------------------------------===//

/// Products are multiplied out, which a file could use to fill the memory.
static bool isTooLong(sym::Expr a, sym::Expr b) {
  constexpr size_t maxTerms = 1024;
  auto numTerms = [](sym::Expr expr) {
    return expr.getKind() == sym::ExprKind::Add ? expr.getOperands().size() : 1;
  };
  return numTerms(a) * numTerms(b) > maxTerms;
}

sym::Expr AstConverter::multiply(sym::Expr a, sym::Expr b) {
  if (!a || !b)
    return {};
  return isTooLong(a, b) ? fail("a product this long") : sym::mul(a, b);
}

Fraction AstConverter::addFractions(Fraction a, Fraction b) {
  int64_t common = 0;
  if (llvm::MulOverflow(a.denominator,
                        b.denominator / std::gcd(a.denominator, b.denominator),
                        common))
    return {fail("a fraction this small")};
  auto scale = [&](Fraction part) {
    if (part.denominator == common)
      return part.numerator;
    return sym::mul(sym::constant(context, common / part.denominator),
                    part.numerator);
  };
  if (isTooLong(a.numerator, b.numerator))
    return {fail("a sum this long")};
  return {sym::add(scale(a), scale(b)), common};
}

Fraction AstConverter::convertSum(const SymAst &ast) {
  Fraction sum = convertFraction(ast.args.front());
  for (const SymAst &arg : llvm::drop_begin(ast.args)) {
    Fraction term = sum ? convertFraction(arg) : Fraction();
    if (!term)
      return {};
    sum = addFractions(sum, term);
  }
  return sum;
}

Fraction AstConverter::convertProduct(const SymAst &ast) {
  Fraction product = convertFraction(ast.args.front());
  for (const SymAst &arg : llvm::drop_begin(ast.args)) {
    Fraction factor = product ? convertFraction(arg) : Fraction();
    if (!factor)
      return {};
    product.numerator = multiply(product.numerator, factor.numerator);
    if (llvm::MulOverflow(product.denominator, factor.denominator,
                          product.denominator))
      return {fail("a fraction this small")};
  }
  return product;
}

Fraction AstConverter::convertQuotient(const SymAst &ast) {
  Fraction dividend = convertFraction(ast.args[0]);
  Fraction divisor = convertFraction(ast.args[1]);
  if (!dividend || !divisor)
    return {};
  std::optional<int64_t> constant = sym::asConstant(divisor.numerator);
  if (!constant || *constant <= 0 || divisor.denominator != 1 ||
      llvm::MulOverflow(dividend.denominator, *constant, dividend.denominator))
    return {fail("division by what is no positive constant")};
  return dividend;
}

Fraction AstConverter::convertFraction(const SymAst &ast) {
  switch (ast.op) {
  case SymOp::Rational:
    return {sym::constant(context, ast.integer), ast.denominator};
  case SymOp::Add:
    return convertSum(ast);
  case SymOp::Mul:
    return convertProduct(ast);
  case SymOp::Quotient:
    return convertQuotient(ast);
  case SymOp::Sub:
  case SymOp::Neg: {
    Fraction last = convertFraction(ast.args.back());
    if (!last)
      return {};
    last.numerator = sym::neg(last.numerator);
    if (ast.op == SymOp::Neg)
      return last;
    Fraction first = convertFraction(ast.args.front());
    return first ? addFractions(first, last) : Fraction();
  }
  default:
    return {convertWhole(ast)};
  }
}

sym::Expr AstConverter::convert(const SymAst &ast) {
  Fraction result = convertFraction(ast);
  if (!result || result.denominator == 1)
    return result.numerator;
  return sym::floorDiv(result.numerator,
                       sym::constant(context, result.denominator));
}

//===----------------------------------------------------------------------===//
// All others
//===----------------------------------------------------------------------===//

sym::Expr AstConverter::fold(sym::ExprKind kind, ArrayRef<sym::Expr> args) {
  sym::Expr result = args.front();
  for (sym::Expr arg : args.drop_front())
    result = sym::make(kind, {result, arg});
  return result;
}

sym::Expr AstConverter::convertLeaf(const SymAst &ast) {
  switch (ast.op) {
  case SymOp::Integer:
    return sym::constant(context, ast.integer);
  case SymOp::Float:
    return sym::floatConstant(context, ast.real);
  case SymOp::True:
  case SymOp::False:
    return sym::constant(context, ast.op == SymOp::True);
  case SymOp::Symbol:
    if (isFloatSymbol(ast.text))
      return fail("the floating-point symbol '" + ast.text + "'");
    return sym::symbol(context, ast.text);
  case SymOp::InputSize:
  case SymOp::InputValue:
    if (sym::Expr leaf = leaves(ast))
      return leaf;
    return fail("'" + toString(ast) + "'");
  default:
    return fail("infinity");
  }
}

/// Small powers are multiplied out by sym.
sym::Expr AstConverter::convertPower(sym::Expr base, sym::Expr exponent) {
  constexpr size_t maxTerms = 4;
  if (base.getKind() == sym::ExprKind::Add &&
      base.getOperands().size() > maxTerms)
    return fail("a power of a sum this long");
  return sym::make(sym::ExprKind::Pow, {base, exponent});
}

sym::Expr AstConverter::convertInteger(const SymAst &ast,
                                       ArrayRef<sym::Expr> args) {
  sym::Expr two = sym::constant(context, 2);
  switch (ast.op) {
  case SymOp::FloorDiv:
  case SymOp::CleanDiv:
    return sym::floorDiv(args[0], args[1]);
  case SymOp::CeilDiv:
    return sym::ceilDiv(args[0], args[1]);
  case SymOp::Mod:
  case SymOp::PythonMod:
    return sym::mod(args[0], args[1]);
  case SymOp::ModularIndexing:
    return sym::mod(sym::floorDiv(args[0], args[1]), args[2]);
  case SymOp::Pow:
  case SymOp::FloatPow:
    return convertPower(args[0], args[1]);
  case SymOp::LShift:
    return multiply(args[0], convertPower(two, args[1]));
  case SymOp::RShift:
    return sym::floorDiv(args[0], convertPower(two, args[1]));
  case SymOp::Max:
    return fold(sym::ExprKind::Max, args);
  case SymOp::Min:
    return fold(sym::ExprKind::Min, args);
  case SymOp::Where:
    return sym::make(sym::ExprKind::Where, args);
  default:
    return convertCondition(ast, args);
  }
}

/// Sides that are fractions are compared after multiplying both.
sym::Expr AstConverter::convertRelation(const SymAst &ast) {
  Fraction left = convertFraction(ast.args[0]);
  Fraction right = left ? convertFraction(ast.args[1]) : Fraction();
  if (!right)
    return {};
  sym::Expr a = left.numerator, b = right.numerator;
  if (right.denominator != left.denominator) {
    a = sym::mul(sym::constant(context, right.denominator), a);
    b = sym::mul(sym::constant(context, left.denominator), b);
  }
  switch (ast.op) {
  case SymOp::Eq:
    return sym::make(sym::ExprKind::Eq, {a, b});
  case SymOp::Ne:
    return sym::make(sym::ExprKind::Ne, {a, b});
  case SymOp::Lt:
    return sym::make(sym::ExprKind::Lt, {a, b});
  case SymOp::Le:
    return sym::make(sym::ExprKind::Le, {a, b});
  case SymOp::Gt:
    return sym::make(sym::ExprKind::Lt, {b, a});
  default:
    return sym::make(sym::ExprKind::Le, {b, a});
  }
}

sym::Expr AstConverter::convertCondition(const SymAst &ast,
                                         ArrayRef<sym::Expr> args) {
  switch (ast.op) {
  case SymOp::And:
    return fold(sym::ExprKind::And, args);
  case SymOp::Or:
    return fold(sym::ExprKind::Or, args);
  case SymOp::Not:
    return sym::make(sym::ExprKind::Not, args);
  case SymOp::BitAnd:
  case SymOp::BitOr:
    return convertBits(ast, args);
  default:
    return convertFloat(ast, args);
  }
}

static bool isCondition(sym::Expr expr) {
  switch (expr.getKind()) {
  case sym::ExprKind::Eq:
  case sym::ExprKind::Ne:
  case sym::ExprKind::Lt:
  case sym::ExprKind::Le:
  case sym::ExprKind::And:
  case sym::ExprKind::Or:
  case sym::ExprKind::Not:
    return true;
  default:
    return sym::isConstant(expr, 0) || sym::isConstant(expr, 1);
  }
}

/// & and | of conditions are how sympy prints And and Or.
sym::Expr AstConverter::convertBits(const SymAst &ast,
                                    ArrayRef<sym::Expr> args) {
  if (!llvm::all_of(args, isCondition))
    return fail("bitwise arithmetic");
  return fold(ast.op == SymOp::BitAnd ? sym::ExprKind::And : sym::ExprKind::Or,
              args);
}

sym::Expr AstConverter::convertRounding(const SymAst &ast, sym::Expr arg) {
  if (!sym::isFloat(arg))
    return arg;
  StringRef mode = ast.text;
  sym::ExprKind kind = mode == "ceil"    ? sym::ExprKind::Ceil
                       : mode == "floor" ? sym::ExprKind::Floor
                       : mode == "trunc" ? sym::ExprKind::Trunc
                                         : sym::ExprKind::Round;
  return sym::make(kind, {arg});
}

sym::Expr AstConverter::convertFloat(const SymAst &ast,
                                     ArrayRef<sym::Expr> args) {
  switch (ast.op) {
  case SymOp::TrueDiv:
    return sym::make(sym::ExprKind::TrueDiv, args);
  case SymOp::ToFloat:
    return sym::isFloat(args[0]) ? args[0]
                                 : sym::make(sym::ExprKind::ToFloat, args);
  case SymOp::Sqrt:
    return sym::make(sym::ExprKind::Sqrt, args);
  case SymOp::ToInt:
    return convertRounding(ast, args[0]);
  case SymOp::Call:
    return fail("function '" + ast.text + "'");
  default:
    return fail("'" + toString(ast) + "'");
  }
}

/// An operand must be whole: where it is no fraction, or is rounded.
sym::Expr AstConverter::convertPart(const SymAst &ast) {
  Fraction part = convertFraction(ast);
  if (part && part.denominator != 1)
    return fail("a fraction inside of another operation");
  return part.numerator;
}

sym::Expr AstConverter::convertWhole(const SymAst &ast) {
  if (ast.args.empty() && ast.op != SymOp::Call)
    return convertLeaf(ast);
  if (ast.op >= SymOp::Eq && ast.op <= SymOp::Ge)
    return convertRelation(ast);
  if (ast.op == SymOp::ToInt && ast.text == "floor")
    if (Fraction inner = convertFraction(ast.args[0]);
        inner && inner.denominator != 1)
      return sym::floorDiv(inner.numerator,
                           sym::constant(context, inner.denominator));
  SmallVector<sym::Expr> args;
  for (const SymAst &arg : ast.args) {
    args.push_back(convertPart(arg));
    if (!args.back())
      return {};
  }
  return convertInteger(ast, args);
}

static size_t countNodes(const SymAst &ast) {
  size_t count = 1;
  for (const SymAst &arg : ast.args)
    count += countNodes(arg);
  return count;
}

sym::Expr convertAst(MLIRContext *context, const SymAst &ast,
                     GuardLeaves leaves, std::string &why) {
  // Canonical forms take time that grows faster than their length.
  constexpr size_t maxNodes = 4096;
  if (countNodes(ast) > maxNodes) {
    why = "symbolic expressions this long are not supported";
    return {};
  }
  return AstConverter(context, leaves, why).convert(ast);
}

//===----------------------------------------------------------------------===//
// Values of a program
//===----------------------------------------------------------------------===//

sym::Expr SymbolImporter::convert(StringRef text, std::string &why) {
  auto [entry, isNew] = cache.try_emplace(text);
  Converted &converted = entry->second;
  if (isNew) {
    llvm::Expected<SymAst> ast = parseSymExpr(text);
    if (ast)
      converted.expr = convertAst(
          context, *ast, [](const SymAst &) { return sym::Expr(); },
          converted.why);
    else
      converted.why = llvm::toString(ast.takeError());
  }
  why = converted.why;
  return converted.expr;
}

sym::Expr SymbolImporter::convert(const SymScalar &scalar, ValueKind kind,
                                  std::string &why) {
  if (!scalar.isLiteral())
    return convert(scalar.expr, why);
  if (kind == ValueKind::SymFloat)
    return sym::floatConstant(context, scalar.real);
  return sym::constant(context, scalar.integer);
}

Type elementType(MLIRContext *context, DType dtype) {
  return parseType(getInfo(dtype).mlirType, context);
}

RankedTensorType SymbolImporter::convert(const TensorMeta &meta,
                                         std::string &why) {
  if (meta.layout != Layout::Strided) {
    why = "sparse tensors are not supported";
    return {};
  }
  sym::Shape shape;
  for (const SymScalar &size : meta.sizes) {
    shape.push_back(convert(size, ValueKind::SymInt, why));
    if (!shape.back())
      return {};
  }
  return sym::tensorType(shape, elementType(context, meta.dtype));
}

} // namespace adze::frontend
