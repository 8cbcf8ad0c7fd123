//===- Expr.cpp - Evaluates the postfix code of the tables ----------------===//

#include "lib/Runtime/Internal.h"

using namespace adze::rt;

static bool floorDivide(int64_t a, int64_t b, int64_t &value) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return false;
  value = a / b - (a % b != 0 && (a < 0) != (b < 0));
  return true;
}

static bool ceilDivide(int64_t a, int64_t b, int64_t &value) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return false;
  value = a / b + (a % b != 0 && (a < 0) == (b < 0));
  return true;
}

static bool modulo(int64_t a, int64_t b, int64_t &value) {
  if (b == 0)
    return false;
  value = b == -1 ? 0 : a % b;
  if (value != 0 && (value < 0) != (b < 0))
    value += b;
  return true;
}

static bool power(int64_t base, int64_t exponent, int64_t &value) {
  if (exponent < 0)
    return false;
  value = 1;
  while (exponent) {
    if (exponent & 1 && __builtin_mul_overflow(value, base, &value))
      return false;
    exponent >>= 1;
    if (exponent && __builtin_mul_overflow(base, base, &base))
      return false;
  }
  return true;
}

static bool binary(int64_t opcode, int64_t a, int64_t b, int64_t &value) {
  switch (opcode) {
  case ADZE_EXPR_ADD:
    return !__builtin_add_overflow(a, b, &value);
  case ADZE_EXPR_SUB:
    return !__builtin_sub_overflow(a, b, &value);
  case ADZE_EXPR_MUL:
    return !__builtin_mul_overflow(a, b, &value);
  case ADZE_EXPR_FLOORDIV:
    return floorDivide(a, b, value);
  case ADZE_EXPR_CEILDIV:
    return ceilDivide(a, b, value);
  case ADZE_EXPR_MOD:
    return modulo(a, b, value);
  case ADZE_EXPR_POW:
    return power(a, b, value);
  case ADZE_EXPR_MAX:
    return value = a > b ? a : b, true;
  case ADZE_EXPR_MIN:
    return value = a < b ? a : b, true;
  case ADZE_EXPR_EQ:
    return value = a == b, true;
  case ADZE_EXPR_NE:
    return value = a != b, true;
  case ADZE_EXPR_LT:
    return value = a < b, true;
  case ADZE_EXPR_LE:
    return value = a <= b, true;
  case ADZE_EXPR_GT:
    return value = a > b, true;
  case ADZE_EXPR_GE:
    return value = a >= b, true;
  case ADZE_EXPR_AND:
    return value = a && b, true;
  case ADZE_EXPR_OR:
    return value = a || b, true;
  }
  return false;
}

static bool unary(int64_t opcode, int64_t &value) {
  if (opcode == ADZE_EXPR_NOT)
    return value = !value, true;
  if (opcode == ADZE_EXPR_NEG || value < 0)
    return !__builtin_sub_overflow(int64_t(0), value, &value);
  return true;
}

namespace {
struct Machine {
  explicit Machine(const ExprContext &context) : context(context) {}
  const ExprContext &context;
  int64_t stack[ADZE_EXPR_STACK]; // above `depth` undefined
  int depth = 0;

  /// Executes the instruction at `word`, moves past it.
  bool step(const int64_t *&word) {
    int64_t opcode = *word++;
    switch (opcode) {
    case ADZE_EXPR_CONST:
      return push(*word++);
    case ADZE_EXPR_SYMBOL:
      return push(context.symbols[*word++]);
    case ADZE_EXPR_DIM:
      word += 2;
      return push(context.inputs[word[-2]].as.tensor->shape[word[-1]]);
    case ADZE_EXPR_SCALAR:
      return push(context.inputs[*word++].as.integer);
    case ADZE_EXPR_NOT:
    case ADZE_EXPR_NEG:
    case ADZE_EXPR_ABS:
      return unary(opcode, stack[depth - 1]);
    case ADZE_EXPR_SELECT:
      depth -= 2;
      stack[depth - 1] = stack[depth - 1] ? stack[depth] : stack[depth + 1];
      return true;
    }
    --depth;
    return binary(opcode, stack[depth - 1], stack[depth], stack[depth - 1]);
  }
  bool push(int64_t value) {
    stack[depth++] = value;
    return true;
  }
};
} // namespace

/// Validation has checked the code: operands exist and the stack suffices.
bool adze::rt::evaluate(const ExprContext &context, adze_expr expr,
                        int64_t &value) {
  const int64_t *word = context.code + expr.begin, *end = word + expr.length;
  if (expr.length == 2 && *word == ADZE_EXPR_CONST)
    return value = word[1], true;
  if (expr.length == 2 && *word == ADZE_EXPR_SYMBOL)
    return value = context.symbols[word[1]], true;
  Machine machine{context};
  while (word != end)
    if (!machine.step(word))
      return false;
  value = machine.stack[0];
  return true;
}

bool adze::rt::isConstant(const adze_program &program, adze_expr expr,
                          int64_t &value) {
  if (expr.length != 2 || program.code[expr.begin] != ADZE_EXPR_CONST)
    return false;
  value = program.code[expr.begin + 1];
  return true;
}
