//===- Validate.cpp - Checks a program's tables once, at load -------------===//
//
// The tables come from the compiler, so a mistake here is a bug of adze. It
// becomes an error of the load instead of a crash of a call.
//
//===----------------------------------------------------------------------===//

#include "lib/Runtime/Internal.h"

using namespace adze::rt;

namespace {
struct Validator {
  const adze_program &program;
  adze_error *error;

  int32_t bad(const char *table, int64_t index, const char *what) const {
    return setError(error, ADZE_BAD_ARTIFACT,
                    "program '%s': entry %lld of table '%s' has %s",
                    program.name ? program.name : "?",
                    static_cast<long long>(index), table, what);
  }

  bool isExpr(adze_expr expr) const;
  bool areExprs(const adze_expr *exprs, int32_t rank) const;
  bool isRank(int32_t rank) const { return rank >= 0 && rank <= MaxRank; }
  bool isTensorInput(int64_t index) const {
    return within(index, program.input_count) &&
           program.inputs[index].kind == ADZE_TENSOR;
  }
  static bool within(int64_t index, int64_t count) {
    return index >= 0 && index < count;
  }

  int32_t inputs() const;
  int32_t results() const;
  int32_t outputs() const;
  int32_t weights() const;
  int32_t states() const;
  int32_t mutations() const;
  int32_t symbols() const;
  int32_t guards() const;
  int32_t all() const;
};
} // namespace

//===- Expressions ----------------------------------------------------------//

/// How many operands an opcode pops; -1 if there is no such opcode.
static int operandCount(int64_t opcode) {
  if (opcode < ADZE_EXPR_CONST || opcode > ADZE_EXPR_SELECT)
    return -1;
  if (opcode <= ADZE_EXPR_SCALAR)
    return 0;
  if (opcode == ADZE_EXPR_SELECT)
    return 3;
  return opcode >= ADZE_EXPR_NOT ? 1 : 2;
}

static uint32_t wordCount(int64_t opcode) {
  return opcode > ADZE_EXPR_SCALAR ? 1 : opcode == ADZE_EXPR_DIM ? 3 : 2;
}

static bool leafIsValid(const Validator &v, const int64_t *word) {
  if (*word == ADZE_EXPR_SYMBOL)
    return v.within(word[1], v.program.symbol_count);
  if (*word == ADZE_EXPR_DIM)
    return v.isTensorInput(word[1]) &&
           v.within(word[2], v.program.inputs[word[1]].rank);
  if (*word == ADZE_EXPR_SCALAR)
    return v.within(word[1], v.program.input_count) &&
           (v.program.inputs[word[1]].kind == ADZE_INT ||
            v.program.inputs[word[1]].kind == ADZE_BOOL);
  return true;
}

bool Validator::isExpr(adze_expr expr) const {
  if (static_cast<int64_t>(expr.begin) + expr.length > program.code_length)
    return false;
  const int64_t *code = program.code + expr.begin;
  int depth = 0;
  for (uint32_t i = 0; i < expr.length; i += wordCount(code[i])) {
    int operands = operandCount(code[i]);
    if (operands < 0 || depth < operands ||
        i + wordCount(code[i]) > expr.length || !leafIsValid(*this, code + i))
      return false;
    depth += 1 - operands;
    if (depth > ADZE_EXPR_STACK)
      return false;
  }
  return depth == 1;
}

bool Validator::areExprs(const adze_expr *exprs, int32_t rank) const {
  for (int32_t i = 0; exprs && i < rank; ++i)
    if (!isExpr(exprs[i]))
      return false;
  return exprs || rank == 0;
}

//===- Tables ---------------------------------------------------------------//

int32_t Validator::inputs() const {
  for (int64_t i = 0; i < program.input_count; ++i) {
    const adze_input &input = program.inputs[i];
    if (input.kind < ADZE_NONE || input.kind > ADZE_STRING)
      return bad("inputs", i, "an unknown kind");
    if (input.kind != ADZE_TENSOR)
      continue;
    if (!findElementType(input.dtype) || !isRank(input.rank))
      return bad("inputs", i, "an unknown dtype or rank");
    if (!areExprs(input.dims, input.rank) ||
        (input.strides && !areExprs(input.strides, input.rank)))
      return bad("inputs", i, "a bad expression");
  }
  return ADZE_OK;
}

int32_t Validator::results() const {
  for (int64_t i = 0; i < program.result_count; ++i) {
    const adze_result &result = program.results[i];
    if (!findElementType(result.dtype) || !isRank(result.rank))
      return bad("results", i, "an unknown dtype or rank");
    if (!areExprs(result.dims, result.rank))
      return bad("results", i, "a bad expression");
    uint64_t seen = 0;
    for (int32_t d = 0; result.order && d < result.rank; ++d)
      if (within(result.order[d], result.rank))
        seen |= 1ull << result.order[d];
    if (result.order && __builtin_popcountll(seen) != result.rank)
      return bad("results", i, "an order that is no permutation");
  }
  return ADZE_OK;
}

int32_t Validator::outputs() const {
  const int64_t counts[] = {program.result_count, program.input_count,
                            program.weight_count, program.state_count};
  for (int64_t i = 0; i < program.output_count; ++i) {
    const adze_output &output = program.outputs[i];
    int32_t source = output.source;
    if (source < ADZE_FROM_RESULT || source > ADZE_FROM_OUTPUT)
      return bad("outputs", i, "an unknown source");
    bool view = isView(source);
    if (source <= ADZE_FROM_STATE && !within(output.index, counts[source]))
      return bad("outputs", i, "a source that does not exist");
    if (source == ADZE_FROM_INPUT && !isTensorInput(output.index))
      return bad("outputs", i, "a source that is no tensor");
    if (source == ADZE_FROM_SLOT && !within(output.index, counts[0]))
      return bad("outputs", i, "a source that does not exist");
    if (source == ADZE_FROM_OUTPUT && outputOfSlot(program, output.index) < 0)
      return bad("outputs", i, "a source that is no output");
    if (source == ADZE_FROM_EXPR && !isExpr(output.value))
      return bad("outputs", i, "a bad expression");
    if ((output.kind == ADZE_TENSOR) != (view || source == ADZE_FROM_RESULT))
      return bad("outputs", i, "a kind that its source cannot give");
    if (view && (!findElementType(output.dtype) || !isRank(output.rank)))
      return bad("outputs", i, "an unknown dtype or rank");
    if (view && (!areExprs(output.dims, output.rank) ||
                 (output.strides && !areExprs(output.strides, output.rank)) ||
                 (output.offset.length && !isExpr(output.offset))))
      return bad("outputs", i, "a bad expression");
  }
  return ADZE_OK;
}

int32_t Validator::weights() const {
  for (int64_t i = 0; i < program.weight_count; ++i) {
    const adze_weight &weight = program.weights[i];
    uint64_t end;
    if (__builtin_add_overflow(weight.offset, weight.bytes, &end) ||
        end > program.weights_bytes || weight.offset % BufferAlignment)
      return bad("weights", i, "a place outside the file");
    if (!findElementType(weight.dtype) || !isRank(weight.rank))
      return bad("weights", i, "an unknown dtype or rank");
  }
  return ADZE_OK;
}

int32_t Validator::states() const {
  for (int64_t i = 0; i < program.state_count; ++i) {
    const adze_state &state = program.states[i];
    uint64_t bytes;
    if (!findElementType(state.dtype) || !isRank(state.rank) ||
        !byteSize(state.shape, state.rank, state.dtype, bytes))
      return bad("states", i, "an unknown dtype or shape");
    if (state.initial_weight < 0)
      continue;
    if (!within(state.initial_weight, program.weight_count) ||
        program.weights[state.initial_weight].bytes < bytes)
      return bad("states", i, "no matching initial weight");
  }
  return ADZE_OK;
}

int32_t Validator::mutations() const {
  for (int64_t i = 0; i < program.mutation_count; ++i) {
    const adze_mutation &mutation = program.mutations[i];
    if (!within(mutation.result, program.result_count))
      return bad("mutations", i, "a result that does not exist");
    const adze_result &result = program.results[mutation.result];
    bool toInput = mutation.target_kind == ADZE_FROM_INPUT;
    if (!toInput && mutation.target_kind != ADZE_FROM_STATE)
      return bad("mutations", i, "an unknown kind of target");
    if (toInput ? !isTensorInput(mutation.target)
                : !within(mutation.target, program.state_count))
      return bad("mutations", i, "a target that does not exist");
    int32_t rank = toInput ? program.inputs[mutation.target].rank
                           : program.states[mutation.target].rank;
    int32_t dtype = toInput ? program.inputs[mutation.target].dtype
                            : program.states[mutation.target].dtype;
    if (rank != result.rank || dtype != result.dtype || result.order)
      return bad("mutations", i, "a result of another type than its target");
  }
  return ADZE_OK;
}

int32_t Validator::symbols() const {
  for (int64_t i = 0; i < program.symbol_count; ++i) {
    const adze_symbol &symbol = program.symbols[i];
    bool fromTensor =
        symbol.source == ADZE_SYMBOL_DIM || symbol.source == ADZE_SYMBOL_STRIDE;
    if (symbol.source < ADZE_SYMBOL_DIM || symbol.source > ADZE_SYMBOL_STRIDE)
      return bad("symbols", i, "an unknown source");
    if (fromTensor && (!isTensorInput(symbol.input) || symbol.scale <= 0 ||
                       !within(symbol.dim, program.inputs[symbol.input].rank)))
      return bad("symbols", i, "no dim to be solved from");
    if (symbol.source == ADZE_SYMBOL_SCALAR &&
        !within(symbol.input, program.input_count))
      return bad("symbols", i, "an input that does not exist");
    if (symbol.source == ADZE_SYMBOL_EXPR && !isExpr(symbol.value))
      return bad("symbols", i, "a bad expression");
  }
  return ADZE_OK;
}

int32_t Validator::guards() const {
  for (int64_t i = 0; i < program.guard_count; ++i) {
    const adze_guard &guard = program.guards[i];
    if (guard.kind < 0 || guard.kind > ADZE_GUARD_WEIGHTS)
      return bad("guards", i, "an unknown kind");
    if (readsSymbols(guard.kind) && !isExpr(guard.expr))
      return bad("guards", i, "a bad expression");
    bool dim =
        guard.kind == ADZE_GUARD_DIM_EQ || guard.kind == ADZE_GUARD_DIM_RANGE ||
        guard.kind == ADZE_GUARD_DIM_EXPR || guard.kind == ADZE_GUARD_STRIDE;
    if (dim && guard.index < 0)
      return bad("guards", i, "a negative dim");
    if (guard.kind == ADZE_GUARD_CONST_STRING && !guard.text)
      return bad("guards", i, "no string");
    if (guard.kind == ADZE_GUARD_ALIGNMENT && guard.a <= 0)
      return bad("guards", i, "no alignment");
  }
  return ADZE_OK;
}

int32_t Validator::all() const {
  using Check = int32_t (Validator::*)() const;
  constexpr Check checks[] = {&Validator::inputs,  &Validator::results,
                              &Validator::outputs, &Validator::weights,
                              &Validator::states,  &Validator::mutations,
                              &Validator::symbols, &Validator::guards};
  for (Check check : checks)
    if (int32_t status = (this->*check)())
      return status;
  return ADZE_OK;
}

int32_t adze::rt::validateProgram(const adze_program &program,
                                  adze_error *error) {
  if (program.abi != ADZE_PROGRAM_ABI)
    return setError(error, ADZE_BAD_ARTIFACT,
                    "program has abi %lld, but the runtime has %d",
                    static_cast<long long>(program.abi), ADZE_PROGRAM_ABI);
  Validator validator{program, error};
  if (program.workspace.length && !validator.isExpr(program.workspace))
    return validator.bad("workspace", 0, "a bad expression");
  return validator.all();
}
