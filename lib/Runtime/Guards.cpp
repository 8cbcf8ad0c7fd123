//===- Guards.cpp - Tries guards and solves symbols -----------------------===//

#include "lib/Runtime/Internal.h"

#include <cmath>
#include <cstring>

using namespace adze::rt;

bool adze::rt::readsSymbols(int32_t guardKind) {
  return guardKind == ADZE_GUARD_DIM_EXPR || guardKind == ADZE_GUARD_RELATION ||
         guardKind == ADZE_GUARD_STRIDE;
}

static ExprContext contextOf(const Subject &subject) {
  return {subject.model->program->code, subject.symbols, subject.inputs};
}

static Verdict verdict(bool holds) {
  return holds ? Verdict::Holds : Verdict::Fails;
}

static const adze_value *inputAt(const Subject &subject, int32_t index) {
  return index >= 0 && index < subject.inputCount ? &subject.inputs[index]
                                                  : nullptr;
}

static const DLTensor *tensorAt(const Subject &subject, int32_t index) {
  const adze_value *value = inputAt(subject, index);
  return value && isTensor(*value) ? value->as.tensor : nullptr;
}

static bool sameKind(int32_t found, int32_t expected) {
  return found == expected ||
         (found == ADZE_MANAGED && expected == ADZE_TENSOR);
}

static int64_t strideOf(const DLTensor &t, int32_t dim) {
  if (t.strides)
    return t.strides[dim];
  uint64_t step = 1;
  for (int32_t i = t.ndim - 1; i > dim; --i)
    step *= static_cast<uint64_t>(t.shape[i]);
  return static_cast<int64_t>(step);
}

static bool sameMemory(const DLTensor &a, const DLTensor &b) {
  return dataOf(a) == dataOf(b) && a.ndim == b.ndim &&
         !memcmp(a.shape, b.shape,
                 sizeof(int64_t) * static_cast<size_t>(a.ndim)) &&
         sameLayout(a.shape, a.ndim, a.strides, b.strides);
}

//===- One guard ------------------------------------------------------------//

static bool hasDtype(const DLTensor &t, int64_t dtype) {
  const ElementType *type = findElementType(static_cast<int32_t>(dtype));
  return type && t.dtype.code == type->code && t.dtype.bits == type->bits &&
         t.dtype.lanes == 1;
}

static Verdict tryDim(const Subject &subject, const DLTensor &t,
                      const adze_guard &guard) {
  if (guard.index >= t.ndim)
    return Verdict::NotTried;
  int64_t size = t.shape[guard.index], expected;
  switch (guard.kind) {
  case ADZE_GUARD_DIM_EQ:
    return verdict(size == guard.a);
  case ADZE_GUARD_DIM_RANGE:
    return verdict(size >= guard.a && size <= guard.b);
  case ADZE_GUARD_STRIDE:
    return verdict(size <= 1 ||
                   (evaluate(contextOf(subject), guard.expr, expected) &&
                    strideOf(t, guard.index) == expected));
  default:
    return verdict(evaluate(contextOf(subject), guard.expr, expected) &&
                   size == expected);
  }
}

static Verdict tryPair(const Subject &subject, const DLTensor &t,
                       const adze_guard &guard) {
  const DLTensor *other = tensorAt(subject, guard.index);
  if (!other)
    return Verdict::NotTried;
  if (guard.kind == ADZE_GUARD_SAME_MEMORY)
    return verdict(sameMemory(t, *other));
  return verdict(!overlap(t, *other));
}

static Verdict tryTensor(const Subject &subject, const adze_guard &guard) {
  const DLTensor *t = tensorAt(subject, guard.input);
  if (!t)
    return Verdict::NotTried;
  switch (guard.kind) {
  case ADZE_GUARD_RANK:
    return verdict(t->ndim == guard.a);
  case ADZE_GUARD_DTYPE:
    return verdict(hasDtype(*t, guard.a));
  case ADZE_GUARD_DEVICE:
    return verdict(t->device.device_type == guard.a &&
                   (guard.b < 0 || t->device.device_id == guard.b));
  case ADZE_GUARD_ALIGNMENT:
    return verdict(reinterpret_cast<uintptr_t>(dataOf(*t)) %
                       static_cast<uint64_t>(guard.a) ==
                   0);
  case ADZE_GUARD_CONTIGUOUS:
    return verdict(isRowMajor(*t));
  case ADZE_GUARD_NO_OVERLAP:
  case ADZE_GUARD_SAME_MEMORY:
    return tryPair(subject, *t, guard);
  case ADZE_GUARD_NO_SELF_OVERLAP:
    return verdict(!selfOverlaps(*t));
  default:
    return tryDim(subject, *t, guard);
  }
}

static bool sameFloat(double found, int64_t bits) {
  double expected;
  memcpy(&expected, &bits, sizeof(expected));
  return !memcmp(&found, &expected, sizeof(found)) ||
         (std::isnan(found) && std::isnan(expected));
}

static Verdict tryConstant(const Subject &subject, const adze_guard &guard) {
  const adze_value *value = inputAt(subject, guard.input);
  if (!value)
    return Verdict::NotTried;
  switch (guard.kind) {
  case ADZE_GUARD_INPUT_KIND:
    return verdict(sameKind(value->kind, static_cast<int32_t>(guard.a)) &&
                   (!sameKind(value->kind, ADZE_TENSOR) || value->as.tensor));
  case ADZE_GUARD_CONST_INT:
    return verdict(value->kind == ADZE_INT && value->as.integer == guard.a);
  case ADZE_GUARD_CONST_FLOAT:
    return verdict(value->kind == ADZE_FLOAT &&
                   sameFloat(value->as.real, guard.a));
  case ADZE_GUARD_CONST_BOOL:
    return verdict(value->kind == ADZE_BOOL &&
                   (value->as.integer != 0) == (guard.a != 0));
  case ADZE_GUARD_CONST_STRING:
    return verdict(value->kind == ADZE_STRING && value->as.string &&
                   !strcmp(value->as.string, guard.text));
  default:
    return verdict(value->kind == ADZE_NONE);
  }
}

Verdict adze::rt::tryGuard(const Subject &subject, const adze_guard &guard) {
  int64_t truth;
  switch (guard.kind) {
  case ADZE_GUARD_INPUT_COUNT:
    return verdict(subject.inputCount == guard.a);
  case ADZE_GUARD_RELATION:
    return verdict(evaluate(contextOf(subject), guard.expr, truth) && truth);
  case ADZE_GUARD_INPUT_KIND:
  case ADZE_GUARD_CONST_INT:
  case ADZE_GUARD_CONST_FLOAT:
  case ADZE_GUARD_CONST_BOOL:
  case ADZE_GUARD_CONST_STRING:
  case ADZE_GUARD_CONST_NONE:
    return tryConstant(subject, guard);
  case ADZE_GUARD_CPU:
  case ADZE_GUARD_WEIGHTS:
    return Verdict::Holds; // else the model would not have loaded
  }
  return tryTensor(subject, guard);
}

//===- Symbols and all guards -----------------------------------------------//

/// True if expressions can read every dim and scalar they may name.
static bool areReadable(const Subject &subject) {
  const adze_program &program = *subject.model->program;
  for (int64_t i = 0; i < program.input_count; ++i) {
    if (i >= subject.inputCount)
      return false;
    const adze_value &value = subject.inputs[i];
    if (program.inputs[i].kind == ADZE_TENSOR &&
        (!isTensor(value) || value.as.tensor->ndim != program.inputs[i].rank))
      return false;
  }
  return true;
}

static bool solveFromDim(const Subject &subject, const adze_symbol &symbol,
                         int64_t &value) {
  const DLTensor *t = tensorAt(subject, symbol.input);
  if (!t || symbol.dim >= t->ndim)
    return false;
  int64_t size = symbol.source == ADZE_SYMBOL_STRIDE ? strideOf(*t, symbol.dim)
                                                     : t->shape[symbol.dim];
  value = size;
  if (symbol.scale == 1 && symbol.shift == 0)
    return true;
  if (__builtin_sub_overflow(size, symbol.shift, &size))
    return false;
  value = size / symbol.scale - (size % symbol.scale < 0);
  return true;
}

bool adze::rt::solveSymbols(const Subject &subject) {
  const adze_program &program = *subject.model->program;
  if (!areReadable(subject))
    return false;
  for (int64_t i = 0; i < program.symbol_count; ++i) {
    const adze_symbol &symbol = program.symbols[i];
    int64_t &value = subject.symbols[i];
    bool solved = true;
    if (symbol.source == ADZE_SYMBOL_MAIN) {
      value = 0;
    } else if (symbol.source == ADZE_SYMBOL_EXPR) {
      solved = evaluate(contextOf(subject), symbol.value, value);
    } else if (symbol.source == ADZE_SYMBOL_SCALAR) {
      const adze_value *scalar = inputAt(subject, symbol.input);
      solved = scalar;
      value = solved ? scalar->as.integer : 0;
    } else {
      solved = solveFromDim(subject, symbol, value);
    }
    if (!solved)
      return false;
  }
  return true;
}

static int64_t firstFailure(const Subject &subject, bool symbolic) {
  const adze_program &program = *subject.model->program;
  for (int64_t i = 0; i < program.guard_count; ++i)
    if (readsSymbols(program.guards[i].kind) == symbolic &&
        tryGuard(subject, program.guards[i]) != Verdict::Holds)
      return i;
  return -1;
}

int64_t adze::rt::runGuards(const Subject &subject) {
  int64_t failed = firstFailure(subject, false);
  if (failed >= 0)
    return failed;
  return solveSymbols(subject) ? firstFailure(subject, true) : SymbolsUnsolved;
}
