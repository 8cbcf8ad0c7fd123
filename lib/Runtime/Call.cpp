//===- Call.cpp - One call, from inputs to outputs ------------------------===//

#include "lib/Runtime/Internal.h"

#include <cstring>

using namespace adze::rt;

ExprContext adze::rt::exprContext(const Frame &frame) {
  return {frame.session->model->program->code, frame.symbols, frame.given};
}

//===- Inputs ---------------------------------------------------------------//

static bool matches(const DLTensor &t, const adze_input &input) {
  const ElementType *type = findElementType(input.dtype);
  return t.ndim == input.rank && t.dtype.code == type->code &&
         t.dtype.bits == type->bits && t.device.device_type == kDLCPU;
}

static int32_t packInput(Frame &frame, int64_t index, const DLTensor &t,
                         uint64_t bytes) {
  Block &block = frame.packs[index];
  if (!reserve(frame.session->allocator, block, bytes))
    return setError(frame.error, ADZE_OUT_OF_MEMORY,
                    "no memory to pack input '%s'",
                    frame.session->model->program->inputs[index].name);
  int64_t strides[MaxRank];
  rowMajorStrides(t.shape, t.ndim, strides);
  copyStrided({t.shape, t.ndim, t.dtype.bits / 8, block.data, strides,
               dataOf(t), t.strides});
  frame.inputs[index] = block.data;
  ++frame.packed;
  return ADZE_OK;
}

static int32_t bindTensor(Frame &frame, int64_t index) {
  const adze_input &input = frame.session->model->program->inputs[index];
  const adze_value &value = frame.given[index];
  uint64_t bytes;
  if (!isTensor(value) || !matches(*value.as.tensor, input) ||
      !byteSize(value.as.tensor->shape, input.rank, input.dtype, bytes))
    return setError(frame.error, ADZE_INVALID_ARGUMENT,
                    "input '%s' is no such tensor as the program takes",
                    input.name);
  const DLTensor &t = *value.as.tensor;
  if (bytes && !t.data)
    return setError(frame.error, ADZE_INVALID_ARGUMENT,
                    "input '%s' has no data", input.name);
  if (!isRowMajor(t))
    return packInput(frame, index, t, bytes);
  frame.inputs[index] = dataOf(t);
  return ADZE_OK;
}

/// Guards have passed, so this only refuses what no guard of the table names.
static int32_t bindInputs(Frame &frame) {
  const adze_program &program = *frame.session->model->program;
  for (int64_t i = 0; i < program.input_count; ++i) {
    const adze_value &value = frame.given[i];
    int32_t kind = program.inputs[i].kind;
    if (kind == ADZE_TENSOR) {
      if (int32_t status = bindTensor(frame, i))
        return status;
      continue;
    }
    if (value.kind != kind)
      return setError(frame.error, ADZE_INVALID_ARGUMENT,
                      "input '%s' is of another kind than the program takes",
                      program.inputs[i].name);
    memcpy(&frame.scalars[i], &value.as, sizeof(int64_t));
    bool scalar = kind >= ADZE_INT && kind <= ADZE_BOOL;
    frame.inputs[i] = scalar ? &frame.scalars[i] : nullptr;
  }
  return ADZE_OK;
}

static int32_t takeWorkspace(Frame &frame) {
  const adze_program &program = *frame.session->model->program;
  int64_t bytes = 0;
  if (program.workspace.length &&
      (!evaluate(exprContext(frame), program.workspace, bytes) || bytes < 0))
    return setError(frame.error, ADZE_OUT_OF_MEMORY,
                    "size of the workspace does not fit 64 bits");
  if (bytes && !reserve(frame.session->allocator, frame.workspace,
                        static_cast<uint64_t>(bytes)))
    return setError(frame.error, ADZE_OUT_OF_MEMORY,
                    "no memory for a workspace of %lld bytes",
                    static_cast<long long>(bytes));
  frame.call.workspace = frame.workspace.data;
  return ADZE_OK;
}

//===- The call -------------------------------------------------------------//

static int32_t reportFailure(Frame &frame) {
  const adze_program &program = *frame.session->model->program;
  adze_error *error = frame.error;
  if (frame.site == ADZE_SITE_OUT_OF_MEMORY)
    return setError(error, ADZE_OUT_OF_MEMORY, "no memory for a kernel");
  if (frame.site == BadResultSize)
    return setError(error, ADZE_RUNTIME_ERROR,
                    "size of result %lld is negative or too large",
                    static_cast<long long>(frame.a));
  if (frame.site < 0 || frame.site >= program.error_site_count)
    return setError(error, ADZE_INTERNAL_ERROR,
                    "main failed at an unknown site");
  const adze_error_site &site = program.error_sites[frame.site];
  setError(error, ADZE_RUNTIME_ERROR, "'%s': ", site.op);
  if (!error)
    return ADZE_RUNTIME_ERROR;
  error->site = static_cast<int32_t>(frame.site);
  size_t capacity = sizeof(error->message);
  appendMessage(error->message, capacity, site.message, frame.a, frame.b);
  if (site.location && *site.location)
    append(error->message, capacity, " (%s)", site.location);
  return ADZE_RUNTIME_ERROR;
}

static int32_t runMain(Frame &frame) {
  Session &session = *frame.session;
  const adze_program &program = *session.model->program;
  for (int64_t i = 0; i < program.state_count; ++i)
    frame.states[i] = session.states[i].current.data;
  frame.call.status = 0;
  // Only a serial program reads these, with the session locked.
  if (session.model->serial) {
    frame.call.seed = session.seed;
    frame.rngOffset = session.rngOffset;
  }
  int32_t status = program.main(&frame.call);
  if (frame.failed.load(std::memory_order_acquire))
    return reportFailure(frame);
  if (!status)
    return ADZE_OK;
  return setError(frame.error, ADZE_INTERNAL_ERROR,
                  "main failed without a reason");
}

static int32_t reportGuards(const Subject &subject, int64_t failed,
                            adze_error *error) {
  if (failed == SymbolsUnsolved)
    return setError(error, ADZE_GUARD_FAILED,
                    "sizes of the inputs give no value for a symbol");
  return reportGuard(subject, failed, error);
}

static int32_t runFrame(Frame &frame) {
  Subject subject{frame.session->model, frame.given, frame.givenCount,
                  frame.symbols};
  int64_t failed = runGuards(subject);
  if (failed != AllHold)
    return reportGuards(subject, failed, frame.error);
  if (frame.givenCount != frame.session->model->program->input_count)
    return setError(
        frame.error, ADZE_INVALID_ARGUMENT,
        "expected %lld inputs, but found %lld",
        static_cast<long long>(frame.session->model->program->input_count),
        static_cast<long long>(frame.givenCount));
  int32_t status = bindInputs(frame);
  if (!status)
    status = checkOutputs(frame);
  if (!status)
    status = takeWorkspace(frame);
  if (!status)
    status = runMain(frame);
  if (!status)
    status = finishCall(frame);
  return status;
}

static void dropExtras(Frame &frame) {
  const Allocator &allocator = frame.session->allocator;
  while (Extra *extra = frame.extras) {
    frame.extras = extra->next;
    allocator.deallocate(allocator.context, extra, extra->bytes);
  }
}

static void beginFrame(Frame &frame) {
  frame.extras = nullptr;
  frame.extraBytes = 0;
  frame.packed = 0;
  frame.site = frame.a = frame.b = 0;
  frame.failed.store(0, std::memory_order_relaxed);
}

static int32_t runLocked(Session &session, Frame &frame) {
  bool serial = session.model->serial;
  if (serial)
    pthread_mutex_lock(&session.callMutex);
  int32_t status = runFrame(frame);
  if (serial)
    pthread_mutex_unlock(&session.callMutex);
  dropResults(frame);
  dropExtras(frame);
  return status;
}

int32_t adze::rt::run(Session &session, const adze_value *inputs,
                      int64_t inputCount, adze_value *outputs,
                      int64_t outputCount, adze_error *error) {
  const adze_program &program = *session.model->program;
  if ((inputCount && !inputs) || inputCount < 0)
    return setError(error, ADZE_INVALID_ARGUMENT, "no inputs");
  if (outputCount != program.output_count || (outputCount && !outputs))
    return setError(error, ADZE_INVALID_ARGUMENT,
                    "expected room for %lld outputs, but found %lld",
                    static_cast<long long>(program.output_count),
                    static_cast<long long>(outputCount));
  Frame *frame = takeFrame(session);
  if (!frame)
    return setError(error, ADZE_OUT_OF_MEMORY, "no memory for a call");
  beginFrame(*frame);
  frame->given = inputs;
  frame->givenCount = inputCount;
  frame->outputs = outputs;
  frame->error = error;
  int32_t status = runLocked(session, *frame);
  giveFrame(session, frame, status);
  return status ? status : clearError(error);
}

//===- Only the guards ------------------------------------------------------//

static void checkGuard(const Subject &subject, int64_t index, bool solved,
                       adze_guard_result &result) {
  const adze_guard &guard = subject.model->program->guards[index];
  Verdict verdict = Verdict::NotTried;
  if (solved || !readsSymbols(guard.kind))
    verdict = tryGuard(subject, guard);
  result.guard = static_cast<int32_t>(index);
  result.verdict = static_cast<int32_t>(verdict);
  result.expected[0] = result.found[0] = 0;
  if (verdict != Verdict::NotTried)
    describeGuard(subject, guard, result.expected, result.found,
                  sizeof(result.expected));
}

int32_t adze::rt::check(Session &session, const adze_value *inputs,
                        int64_t inputCount, adze_guard_result *results,
                        int64_t capacity, adze_error *error) {
  if ((inputCount && !inputs) || inputCount < 0 || (capacity && !results))
    return setError(error, ADZE_INVALID_ARGUMENT, "no inputs, or no results");
  Frame *frame = takeFrame(session);
  if (!frame)
    return setError(error, ADZE_OUT_OF_MEMORY, "no memory for a call");
  Subject subject{session.model, inputs, inputCount, frame->symbols};
  int64_t failed = runGuards(subject);
  bool solved = solveSymbols(subject);
  for (int64_t i = 0; i < session.model->program->guard_count && i < capacity;
       ++i)
    checkGuard(subject, i, solved, results[i]);
  int32_t status = failed == AllHold ? clearError(error)
                                     : reportGuards(subject, failed, error);
  returnFrame(session, frame);
  return status;
}
