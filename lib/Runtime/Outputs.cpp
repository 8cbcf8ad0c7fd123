//===- Outputs.cpp - What becomes of results after main -------------------===//
//
// Nothing of the caller's is written before everything that can fail is done.
// The one exception: memory given for an output is filled by main itself when
// the program has no operator that can fail.
//
//===----------------------------------------------------------------------===//

#include "lib/Runtime/Internal.h"

#include <cstdlib>
#include <cstring>
#include <utility>

using namespace adze::rt;

static const adze_program &programOf(const Frame &frame) {
  return *frame.session->model->program;
}

static int32_t outOfMemory(const Frame &frame) {
  return setError(frame.error, ADZE_OUT_OF_MEMORY, "no memory for outputs");
}

//===- Managed tensors ------------------------------------------------------//

namespace {
/// A tensor handed out, with whatever keeps its data alive.
struct Managed {
  DLManagedTensor tensor;
  Storage *storage;
  Model *model;
  Session *session;
  // Shape and strides follow.
};
} // namespace

static void deleteManaged(DLManagedTensor *tensor) {
  auto *managed = static_cast<Managed *>(tensor->manager_ctx);
  if (managed->storage)
    release(managed->storage);
  if (managed->session)
    release(managed->session);
  if (managed->model)
    release(managed->model);
  free(managed);
}

namespace {
/// Where an output's elements are, before it is handed out or copied.
struct Source {
  int32_t dtype;
  int32_t rank;
  int64_t dims[MaxRank];
  int64_t strides[MaxRank];
  int64_t offset; // of a view, in elements of its base
  char *data;
};
} // namespace

static Managed *newManaged(const Source &source) {
  auto rank = static_cast<size_t>(source.rank);
  auto *managed = static_cast<Managed *>(
      malloc(sizeof(Managed) + 2 * rank * sizeof(int64_t)));
  if (!managed)
    return nullptr;
  auto *shape = reinterpret_cast<int64_t *>(managed + 1);
  int64_t *strides = shape + rank;
  memcpy(shape, source.dims, rank * sizeof(int64_t));
  memcpy(strides, source.strides, rank * sizeof(int64_t));
  const ElementType *type = findElementType(source.dtype);
  DLDataType dtype{type->code, type->bits, 1};
  managed->tensor.dl_tensor = {
      source.data, {kDLCPU, 0}, source.rank, dtype, shape, strides, 0};
  managed->tensor.manager_ctx = managed;
  managed->tensor.deleter = deleteManaged;
  managed->storage = nullptr;
  managed->model = nullptr;
  managed->session = nullptr;
  return managed;
}

//===- Where outputs come from ----------------------------------------------//

static bool locateResult(const Frame &frame, const adze_output &output,
                         Source &source) {
  const adze_result &result = programOf(frame).results[output.index];
  const SlotPlan &plan = frame.session->model->slots[output.index];
  const int64_t *dims = frame.dims + plan.firstDim;
  source.dtype = result.dtype;
  source.rank = result.rank;
  memcpy(source.dims, dims, sizeof(int64_t) * static_cast<size_t>(result.rank));
  slotStrides(result, dims, source.strides);
  source.data = static_cast<char *>(frame.results[output.index].data);
  return source.data;
}

static char *baseOf(const Frame &frame, const adze_output &output) {
  const Session &session = *frame.session;
  if (output.source == ADZE_FROM_OUTPUT)
    return static_cast<char *>(frame.results[output.index].data);
  if (output.source == ADZE_FROM_INPUT)
    return dataOf(*frame.given[output.index].as.tensor);
  if (output.source == ADZE_FROM_STATE)
    return static_cast<char *>(session.states[output.index].current.data);
  return static_cast<char *>(
      const_cast<void *>(session.model->weightData[output.index]));
}

/// A view as it lies on its base in the traced layout, but for its address.
static bool shapeView(const Frame &frame, const adze_output &output,
                      Source &source) {
  uint64_t bytes;
  source.dtype = output.dtype;
  source.rank = output.rank;
  if (!evaluateAll(frame, output.dims, output.rank, source.dims) ||
      !byteSize(source.dims, output.rank, output.dtype, bytes))
    return false;
  if (!output.strides)
    rowMajorStrides(source.dims, output.rank, source.strides);
  else if (!evaluateAll(frame, output.strides, output.rank, source.strides))
    return false;
  source.offset = 0;
  return !output.offset.length ||
         evaluate(exprContext(frame), output.offset, source.offset);
}

/// The strides that an input had when it was traced, for its size now.
static bool tracedStrides(const Frame &frame, int64_t index, int64_t *strides) {
  const adze_input &input = programOf(frame).inputs[index];
  const DLTensor &t = *frame.given[index].as.tensor;
  if (input.strides)
    return evaluateAll(frame, input.strides, input.rank, strides);
  rowMajorStrides(t.shape, t.ndim, strides);
  return true;
}

/// True if a view can point into its base. Memory that the caller gave for
/// another output stays the caller's.
static bool canShare(const Frame &frame, const adze_output &output) {
  if (output.source == ADZE_FROM_OUTPUT)
    return !frame.results[output.index].borrowed &&
           frame.results[output.index].storage;
  if (output.source != ADZE_FROM_INPUT)
    return true;
  const DLTensor &t = *frame.given[output.index].as.tensor;
  int64_t strides[MaxRank];
  return tracedStrides(frame, output.index, strides) &&
         sameLayout(t.shape, t.ndim, t.strides, strides);
}

//===- Before main ----------------------------------------------------------//

static int32_t badOutput(const Frame &frame, int64_t index, const char *why) {
  return setError(frame.error, ADZE_INVALID_ARGUMENT,
                  "memory given for output %lld %s",
                  static_cast<long long>(index), why);
}

static int32_t checkGiven(const Frame &frame, int64_t index) {
  const adze_program &program = programOf(frame);
  const adze_output &output = program.outputs[index];
  const adze_value &given = frame.outputs[index];
  if (given.kind != ADZE_TENSOR || output.kind != ADZE_TENSOR ||
      !given.as.tensor)
    return badOutput(frame, index, "is no tensor, or the output is none");
  const DLTensor &t = *given.as.tensor;
  bool result = output.source == ADZE_FROM_RESULT;
  int32_t rank = result ? program.results[output.index].rank : output.rank;
  int32_t dtype = result ? program.results[output.index].dtype : output.dtype;
  const ElementType *type = findElementType(dtype);
  if (t.ndim != rank || t.dtype.code != type->code ||
      t.dtype.bits != type->bits || t.device.device_type != kDLCPU)
    return badOutput(frame, index, "has another rank, dtype or device");
  if (selfOverlaps(t))
    return badOutput(frame, index, "overlaps itself");
  for (int64_t i = 0; i < program.input_count; ++i)
    if (isTensor(frame.given[i]) && overlap(t, *frame.given[i].as.tensor))
      return badOutput(frame, index, "overlaps an input");
  return ADZE_OK;
}

int32_t adze::rt::checkOutputs(Frame &frame) {
  for (int64_t i = 0; i < programOf(frame).output_count; ++i)
    if (frame.outputs[i].kind != ADZE_NONE)
      if (int32_t status = checkGiven(frame, i))
        return status;
  return ADZE_OK;
}

//===- After main: what can fail --------------------------------------------//

static int32_t checkResults(const Frame &frame) {
  const adze_program &program = programOf(frame);
  bool all = true;
  for (int64_t i = 0; i < program.output_count; ++i)
    if (int32_t source = program.outputs[i].source;
        source == ADZE_FROM_RESULT || source == ADZE_FROM_SLOT)
      all &= frame.results[program.outputs[i].index].data != nullptr;
  for (int64_t i = 0; i < program.mutation_count; ++i) {
    const adze_mutation &mutation = program.mutations[i];
    all &= frame.results[mutation.result].data != nullptr;
    if (mutation.target_kind != ADZE_FROM_INPUT)
      continue;
    const DLTensor &t = *frame.given[mutation.target].as.tensor;
    const SlotPlan &plan = frame.session->model->slots[mutation.result];
    all &= !memcmp(t.shape, frame.dims + plan.firstDim,
                   sizeof(int64_t) * static_cast<size_t>(t.ndim));
  }
  return all ? ADZE_OK
             : setError(frame.error, ADZE_INTERNAL_ERROR,
                        "main left a result unset or of the wrong size");
}

static bool locate(const Frame &frame, const adze_output &output,
                   Source &source) {
  if (output.source == ADZE_FROM_RESULT)
    return locateResult(frame, output, source);
  if (!shapeView(frame, output, source))
    return false;
  source.data =
      baseOf(frame, output) + source.offset * elementBytes(source.dtype);
  return true;
}

static int32_t stageOwned(Frame &frame, const adze_output &output,
                          Source source, adze_value &staged) {
  bool result = output.source == ADZE_FROM_RESULT;
  bool inResult = result || output.source == ADZE_FROM_OUTPUT;
  Storage *storage = inResult ? frame.results[output.index].storage : nullptr;
  bool share = result || canShare(frame, output);
  if (!share) {
    uint64_t bytes = 0;
    byteSize(source.dims, source.rank, source.dtype, bytes);
    storage = newStorage(frame.session->allocator, bytes);
    if (!storage)
      return outOfMemory(frame);
    source.data = static_cast<char *>(storage->data());
    rowMajorStrides(source.dims, source.rank, source.strides);
  }
  Managed *managed = newManaged(source);
  if (storage && share)
    retain(storage);
  if (!managed) {
    if (storage)
      release(storage);
    return outOfMemory(frame);
  }
  managed->storage = storage;
  if (output.source == ADZE_FROM_WEIGHT)
    retain(managed->model = frame.session->model);
  if (output.source == ADZE_FROM_STATE)
    retain(managed->session = frame.session);
  staged.kind = ADZE_MANAGED;
  staged.as.managed = &managed->tensor;
  return ADZE_OK;
}

static int32_t stageTensor(Frame &frame, int64_t index) {
  const adze_output &output = programOf(frame).outputs[index];
  const adze_value &given = frame.outputs[index];
  adze_value &staged = frame.staged[index];
  Source source;
  if (!locate(frame, output, source))
    return setError(frame.error, ADZE_INTERNAL_ERROR,
                    "shape of output %lld cannot be computed",
                    static_cast<long long>(index));
  if (given.kind == ADZE_NONE)
    return stageOwned(frame, output, source, staged);
  size_t bytes = sizeof(int64_t) * static_cast<size_t>(source.rank);
  if (memcmp(given.as.tensor->shape, source.dims, bytes))
    return badOutput(frame, index, "has another shape");
  staged = given;
  return ADZE_OK;
}

static int32_t stageScalar(Frame &frame, int64_t index) {
  const adze_output &output = programOf(frame).outputs[index];
  adze_value &staged = frame.staged[index];
  staged.kind = output.kind;
  staged.as.integer = output.literal;
  if (output.kind == ADZE_STRING)
    staged.as.string = output.text;
  if (output.source == ADZE_FROM_SLOT)
    memcpy(&staged.as, frame.results[output.index].data, sizeof(int64_t));
  if (output.source == ADZE_FROM_EXPR &&
      !evaluate(exprContext(frame), output.value, staged.as.integer))
    return setError(frame.error, ADZE_INTERNAL_ERROR,
                    "output %lld does not fit 64 bits",
                    static_cast<long long>(index));
  return ADZE_OK;
}

static int32_t stageOutputs(Frame &frame) {
  const adze_program &program = programOf(frame);
  for (int64_t i = 0; i < program.output_count; ++i)
    frame.staged[i] = adze_none();
  for (int64_t i = 0; i < program.output_count; ++i) {
    bool tensor = program.outputs[i].kind == ADZE_TENSOR;
    if (int32_t status = tensor ? stageTensor(frame, i) : stageScalar(frame, i))
      return status;
  }
  return ADZE_OK;
}

static void dropStaged(Frame &frame) {
  for (int64_t i = 0; i < programOf(frame).output_count; ++i)
    if (frame.staged[i].kind == ADZE_MANAGED)
      deleteManaged(frame.staged[i].as.managed);
}

//===- After main: what cannot fail -----------------------------------------//

static void writeToInput(const Frame &frame, const adze_mutation &mutation) {
  const DLTensor &t = *frame.given[mutation.target].as.tensor;
  int64_t rowMajor[MaxRank];
  rowMajorStrides(t.shape, t.ndim, rowMajor);
  copyStrided({t.shape, t.ndim, t.dtype.bits / 8, dataOf(t),
               t.strides ? t.strides : rowMajor,
               frame.results[mutation.result].data, rowMajor});
}

static void writeToState(Frame &frame, const adze_mutation &mutation) {
  State &state = frame.session->states[mutation.target];
  const SlotPlan &plan = frame.session->model->slots[mutation.result];
  if (plan.home == Home::State && plan.state == mutation.target)
    std::swap(state.current, state.spare);
  else if (state.bytes)
    memcpy(state.current.data, frame.results[mutation.result].data,
           state.bytes);
}

/// Copies before any swap: a swap moves nothing that a copy still reads, as
/// the slot's address stays valid.
static void writeBack(Frame &frame) {
  const adze_program &program = programOf(frame);
  for (int64_t i = 0; i < program.mutation_count; ++i) {
    const adze_mutation &mutation = program.mutations[i];
    if (mutation.target_kind == ADZE_FROM_INPUT)
      writeToInput(frame, mutation);
    else
      writeToState(frame, mutation);
  }
}

static void copyElements(const Source &from, const DLTensor &to) {
  int64_t rowMajor[MaxRank];
  rowMajorStrides(from.dims, from.rank, rowMajor);
  copyStrided({from.dims, from.rank, elementBytes(from.dtype), dataOf(to),
               to.strides ? to.strides : rowMajor, from.data, from.strides});
}

/// Element i (row-major) of the view is element `offset + ...` of the base in
/// its traced layout; that number, taken apart along the traced strides, says
/// which element of the given tensor it is. Bases that are traced densely, as
/// all are that export knows, have one answer.
static int64_t givenOffset(const DLTensor &base, const int64_t *traced,
                           int64_t position) {
  int64_t rowMajor[MaxRank], offset = 0;
  rowMajorStrides(base.shape, base.ndim, rowMajor);
  const int64_t *strides = base.strides ? base.strides : rowMajor;
  bool used[MaxRank] = {};
  for (int32_t round = 0; round < base.ndim; ++round) {
    int32_t widest = -1;
    for (int32_t i = 0; i < base.ndim; ++i)
      if (!used[i] && base.shape[i] > 1 &&
          (widest < 0 || traced[i] > traced[widest]))
        widest = i;
    if (widest < 0 || traced[widest] <= 0)
      break;
    used[widest] = true;
    offset += position / traced[widest] * strides[widest];
    position %= traced[widest];
  }
  return offset;
}

/// A view of an input that does not lie as it was traced, element by element.
static void copyForeignView(const Frame &frame, const adze_output &output,
                            const DLTensor &to) {
  const DLTensor &base = *frame.given[output.index].as.tensor;
  int64_t traced[MaxRank], rowMajor[MaxRank], index[MaxRank] = {};
  Source view;
  if (!tracedStrides(frame, output.index, traced) ||
      !shapeView(frame, output, view))
    return;
  rowMajorStrides(view.dims, view.rank, rowMajor);
  const int64_t *strides = to.strides ? to.strides : rowMajor;
  int64_t width = elementBytes(view.dtype), count = 1;
  for (int32_t d = 0; d < view.rank; ++d)
    count *= view.dims[d];
  for (int64_t i = 0; i < count; ++i) {
    int64_t position = view.offset, target = 0;
    for (int32_t d = 0; d < view.rank; ++d) {
      index[d] = i / rowMajor[d] % view.dims[d];
      position += index[d] * view.strides[d];
      target += index[d] * strides[d];
    }
    memcpy(dataOf(to) + target * width,
           dataOf(base) + givenOffset(base, traced, position) * width,
           static_cast<size_t>(width));
  }
}

static void fillOutput(Frame &frame, int64_t index) {
  const adze_output &output = programOf(frame).outputs[index];
  const adze_value &staged = frame.staged[index];
  if (output.kind != ADZE_TENSOR)
    return;
  bool result = output.source == ADZE_FROM_RESULT;
  bool given = staged.kind == ADZE_TENSOR;
  bool share = result || canShare(frame, output);
  if (!share && output.source == ADZE_FROM_INPUT)
    return copyForeignView(frame, output, *staged.as.tensor);
  if ((share && !given) || (result && frame.results[output.index].borrowed))
    return;
  Source source;
  locate(frame, output, source);
  copyElements(source, *staged.as.tensor);
}

int32_t adze::rt::finishCall(Frame &frame) {
  int32_t status = checkResults(frame);
  if (!status && (status = stageOutputs(frame)))
    dropStaged(frame);
  if (status)
    return status;
  writeBack(frame);
  for (int64_t i = 0; i < programOf(frame).output_count; ++i) {
    fillOutput(frame, i);
    frame.outputs[i] = frame.staged[i];
  }
  if (frame.session->model->serial)
    frame.session->rngOffset = frame.rngOffset;
  return ADZE_OK;
}
