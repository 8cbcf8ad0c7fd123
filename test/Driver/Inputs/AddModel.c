/*===- AddModel.c - An artifact written by hand ---------------------------===*\
 *
 * y = x + n for x: float32[s0, 3] with 1 <= s0 <= 100 and an int n; fails when
 * n is negative. Linked with the runtime it is what `adze compile` would make,
 * so that run, check, bench and inspect are tested without the compiler.
 *
\*===----------------------------------------------------------------------===*/

#include "lib/Runtime/Program.h"

static const int64_t code[] = {ADZE_EXPR_SYMBOL, 0, ADZE_EXPR_CONST, 3};
static const adze_expr dims[] = {{0, 2}, {2, 2}};

static const adze_input inputs[] = {
    {"x", ADZE_TENSOR, 0, ADZE_FLOAT32, 2, dims, 0, kDLCPU, 0},
    {"n", ADZE_INT, 0, ADZE_DTYPE_NONE, 0, 0, 0, 0, 0}};

static const adze_result results[] = {{ADZE_FLOAT32, 2, dims, 0}};

static const adze_output outputs[] = {{"y", ADZE_TENSOR, ADZE_FROM_RESULT, 0,
                                       ADZE_FLOAT32, 2, 0, dims, 0, {0, 0},
                                       {0, 0}, 0, 0}};

static const adze_symbol symbols[] = {
    {"s0", ADZE_SYMBOL_DIM, 0, 0, 0, 1, 0, {0, 0}}};

#define GUARD(id, text, kind, input, index, a, b)                              \
  {id, text, "program", "", kind, input, index, 0, a, b, {0, 0}, 0}
static const adze_guard guards[] = {
    GUARD("g0", "2 inputs", ADZE_GUARD_INPUT_COUNT, -1, 0, 2, 0),
    GUARD("g1", "x is a tensor", ADZE_GUARD_INPUT_KIND, 0, 0, ADZE_TENSOR, 0),
    GUARD("g2", "n is an int", ADZE_GUARD_INPUT_KIND, 1, 0, ADZE_INT, 0),
    GUARD("g3", "x has rank 2", ADZE_GUARD_RANK, 0, 0, 2, 0),
    GUARD("g4", "x is float32", ADZE_GUARD_DTYPE, 0, 0, ADZE_FLOAT32, 0),
    GUARD("g5", "1 <= x.shape[0] <= 100", ADZE_GUARD_DIM_RANGE, 0, 0, 1, 100),
    GUARD("g6", "x.shape[1] == 3", ADZE_GUARD_DIM_EQ, 0, 1, 3, 0)};

static const adze_error_site sites[] = {
    {"aten.add.Tensor", "model.py:31", "n is {0}, which is negative"}};

static int32_t run(adze_call *call) {
  const float *x = call->inputs[0];
  int64_t n = *(const int64_t *)call->inputs[1];
  float *y = adze_rt_output(call, 0);
  if (n < 0)
    adze_rt_fail(call, 0, n, 0);
  if (!y || call->status)
    return 1;
  for (int64_t i = 0; i < 3 * call->symbols[0]; ++i)
    y[i] = x[i] + (float)n;
  return 0;
}

__attribute__((visibility("hidden")))
const adze_program adze_generated_program = {
    .abi = ADZE_PROGRAM_ABI,
    .name = "add",
    .producer = "hand",
    .target_cpu = "x86-64-v2",
    .code = code,
    .code_length = 4,
    .inputs = inputs,
    .input_count = 2,
    .results = results,
    .result_count = 1,
    .outputs = outputs,
    .output_count = 1,
    .symbols = symbols,
    .symbol_count = 1,
    .guards = guards,
    .guard_count = 7,
    .error_sites = sites,
    .error_site_count = 1,
    .main = run};
