//===- GuardMessages.cpp - What a guard expected and what it found --------===//

#include "lib/Runtime/Internal.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace adze::rt;

namespace {
struct Text {
  char *text;
  size_t capacity;

  [[gnu::format(printf, 2, 3)]] void set(const char *format, ...) const {
    va_list list;
    va_start(list, format);
    vsnprintf(text, capacity, format, list);
    va_end(list);
  }
  void set(int64_t value) const { set("%lld", static_cast<long long>(value)); }
};
} // namespace

static const char *kindName(int64_t kind) {
  static const char *const names[] = {"None",    "a tensor", "an int",
                                      "a float", "a bool",   "a string",
                                      "a tensor"};
  return kind >= 0 && kind <= ADZE_MANAGED ? names[kind] : "an unknown kind";
}

static void describeFoundType(const DLDataType &type, Text out) {
  static const char *const codes[] = {"int",    "uint",    "float", "opaque",
                                      "bfloat", "complex", "bool"};
  if (type.code < sizeof(codes) / sizeof(*codes) && type.lanes == 1)
    out.set("%s%d", codes[type.code], type.bits);
  else
    out.set("dlpack code %d with %d bits and %d lanes", type.code, type.bits,
            type.lanes);
  if (type.code == 6 && type.bits == 8 && type.lanes == 1)
    out.set("bool");
}

static void describeValue(const adze_value &value, Text out) {
  switch (value.kind) {
  case ADZE_INT:
    return out.set(value.as.integer);
  case ADZE_FLOAT:
    return out.set("%.17g", value.as.real);
  case ADZE_BOOL:
    return out.set("%s", value.as.integer ? "True" : "False");
  case ADZE_STRING:
    return out.set("'%s'", value.as.string ? value.as.string : "");
  case ADZE_TENSOR:
  case ADZE_MANAGED:
    return out.set("%s", value.as.tensor ? "a tensor" : "a null tensor");
  }
  out.set("%s", kindName(value.kind));
}

static void describeExpectedConstant(const adze_guard &guard, Text out) {
  double real;
  memcpy(&real, &guard.a, sizeof(real));
  switch (guard.kind) {
  case ADZE_GUARD_INPUT_KIND:
    return out.set("%s", kindName(guard.a));
  case ADZE_GUARD_CONST_INT:
    return out.set(guard.a);
  case ADZE_GUARD_CONST_FLOAT:
    return out.set("%.17g", real);
  case ADZE_GUARD_CONST_BOOL:
    return out.set("%s", guard.a ? "True" : "False");
  case ADZE_GUARD_CONST_STRING:
    return out.set("'%s'", guard.text);
  }
  out.set("None");
}

static void describeDevice(int64_t type, int64_t id, Text out) {
  const char *name = type == kDLCPU    ? "cpu"
                     : type == kDLCUDA ? "cuda"
                                       : "device type ";
  if (type == kDLCPU || id < 0)
    out.set("%s", name);
  else if (type == kDLCUDA)
    out.set("cuda:%lld", static_cast<long long>(id));
  else
    out.set("%s%lld", name, static_cast<long long>(type));
}

static void describeExpression(const Subject &subject, const adze_guard &guard,
                               Text out) {
  int64_t value;
  ExprContext context{subject.model->program->code, subject.symbols,
                      subject.inputs};
  if (evaluate(context, guard.expr, value))
    out.set(value);
  else
    out.set("a value that fits 64 bits");
}

static void describeExpected(const Subject &subject, const adze_guard &guard,
                             Text out) {
  auto a = static_cast<long long>(guard.a), b = static_cast<long long>(guard.b);
  const ElementType *type = findElementType(static_cast<int32_t>(guard.a));
  switch (guard.kind) {
  case ADZE_GUARD_INPUT_COUNT:
  case ADZE_GUARD_RANK:
  case ADZE_GUARD_DIM_EQ:
    return out.set(guard.a);
  case ADZE_GUARD_DTYPE:
    return out.set("%s", type ? type->name : "no type");
  case ADZE_GUARD_DEVICE:
    return describeDevice(guard.a, guard.b, out);
  case ADZE_GUARD_DIM_RANGE:
    return guard.b == INT64_MAX ? out.set("at least %lld", a)
                                : out.set("%lld to %lld", a, b);
  case ADZE_GUARD_DIM_EXPR:
  case ADZE_GUARD_STRIDE:
    return describeExpression(subject, guard, out);
  case ADZE_GUARD_RELATION:
    return out.set("true");
  case ADZE_GUARD_ALIGNMENT:
    return out.set("an address that is a multiple of %lld", a);
  case ADZE_GUARD_CONTIGUOUS:
    return out.set("row-major strides");
  case ADZE_GUARD_NO_OVERLAP:
    return out.set("memory apart from that of input %d", guard.index);
  case ADZE_GUARD_NO_SELF_OVERLAP:
    return out.set("elements that share no memory");
  case ADZE_GUARD_SAME_MEMORY:
    return out.set("the same memory and strides as input %d", guard.index);
  case ADZE_GUARD_CPU:
    return out.set("%s", cpuFeatureName(static_cast<uint64_t>(guard.a)));
  case ADZE_GUARD_WEIGHTS:
    return out.set("%016llx", static_cast<unsigned long long>(guard.a));
  }
  describeExpectedConstant(guard, out);
}

static void describeStrides(const DLTensor &t, Text out) {
  out.set("strides");
  if (!t.strides)
    return out.set("row-major strides");
  for (int32_t i = 0; i < t.ndim; ++i)
    append(out.text, out.capacity, "%s%lld", i ? ", " : " [",
           static_cast<long long>(t.strides[i]));
  append(out.text, out.capacity, "]");
}

static void describeFoundInTensor(const Subject &subject, const DLTensor &t,
                                  const adze_guard &guard, Text out) {
  switch (guard.kind) {
  case ADZE_GUARD_RANK:
    return out.set(t.ndim);
  case ADZE_GUARD_DTYPE:
    return describeFoundType(t.dtype, out);
  case ADZE_GUARD_DEVICE:
    return describeDevice(t.device.device_type, t.device.device_id, out);
  case ADZE_GUARD_DIM_EQ:
  case ADZE_GUARD_DIM_RANGE:
  case ADZE_GUARD_DIM_EXPR:
    return guard.index < t.ndim ? out.set(t.shape[guard.index])
                                : out.set("rank %d", t.ndim);
  case ADZE_GUARD_ALIGNMENT:
    return out.set("%p", static_cast<void *>(dataOf(t)));
  case ADZE_GUARD_NO_OVERLAP:
    return out.set("memory that overlaps");
  case ADZE_GUARD_SAME_MEMORY:
    return out.set("another tensor");
  case ADZE_GUARD_CPU:
    return out.set("%016llx", static_cast<unsigned long long>(cpuFeatures()));
  case ADZE_GUARD_WEIGHTS:
    return out.set("%016llx", static_cast<unsigned long long>(
                                  subject.model->program->weights_digest));
  }
  describeStrides(t, out);
}

void adze::rt::describeGuard(const Subject &subject, const adze_guard &guard,
                             char *expected, char *found, size_t capacity) {
  Text out{found, capacity};
  describeExpected(subject, guard, {expected, capacity});
  bool exists = guard.input >= 0 && guard.input < subject.inputCount;
  const adze_value *value = exists ? &subject.inputs[guard.input] : nullptr;
  bool aboutValue = guard.kind == ADZE_GUARD_INPUT_KIND ||
                    (guard.kind >= ADZE_GUARD_CONST_INT &&
                     guard.kind <= ADZE_GUARD_CONST_NONE);
  if (guard.kind == ADZE_GUARD_INPUT_COUNT)
    out.set(subject.inputCount);
  else if (guard.kind == ADZE_GUARD_RELATION)
    out.set("false");
  else if (!value)
    out.set("no such input");
  else if (aboutValue || !isTensor(*value))
    describeValue(*value, out);
  else
    describeFoundInTensor(subject, *value->as.tensor, guard, out);
}

/// " where s0 = 3, s1 = 4": what a relation was about.
static void appendSymbols(const Subject &subject, const adze_guard &guard,
                          char *text, size_t capacity) {
  const adze_program &program = *subject.model->program;
  const int64_t *code = program.code + guard.expr.begin;
  const char *separator = " where ";
  for (uint32_t i = 0; i + 1 < guard.expr.length; ++i) {
    int64_t operand = code[i + 1];
    if (code[i] == ADZE_EXPR_SYMBOL) {
      append(text, capacity, "%s%s = %lld", separator,
             program.symbols[operand].name,
             static_cast<long long>(subject.symbols[operand]));
      separator = ", ";
    }
    i += code[i] == ADZE_EXPR_DIM ? 2 : code[i] <= ADZE_EXPR_SCALAR ? 1 : 0;
  }
}

int32_t adze::rt::reportGuard(const Subject &subject, int64_t index,
                              adze_error *error) {
  if (!error)
    return ADZE_GUARD_FAILED;
  const adze_guard &guard = subject.model->program->guards[index];
  char expected[160], found[160];
  describeGuard(subject, guard, expected, found, sizeof(expected));
  setError(error, ADZE_GUARD_FAILED,
           "guard '%s' failed: %s: expected %s, but found %s", guard.id,
           guard.expression, expected, found);
  error->guard = static_cast<int32_t>(index);
  size_t capacity = sizeof(error->message);
  if (guard.kind == ADZE_GUARD_RELATION)
    appendSymbols(subject, guard, error->message, capacity);
  append(error->message, capacity, " (%s)", guard.origin);
  if (guard.message && *guard.message)
    append(error->message, capacity, ": %s", guard.message);
  return ADZE_GUARD_FAILED;
}
