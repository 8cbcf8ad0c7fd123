//===- Results.cpp - Buffers of result slots ------------------------------===//

#include "lib/Runtime/Internal.h"

#include <cstring>

using namespace adze::rt;

static const adze_program &programOf(const Frame &frame) {
  return *frame.session->model->program;
}

bool adze::rt::evaluateAll(const Frame &frame, const adze_expr *exprs,
                           int32_t rank, int64_t *values) {
  for (int32_t i = 0; i < rank; ++i)
    if (!evaluate(exprContext(frame), exprs[i], values[i]))
      return false;
  return true;
}

void adze::rt::slotStrides(const adze_result &result, const int64_t *dims,
                           int64_t *strides) {
  if (!result.order)
    return rowMajorStrides(dims, result.rank, strides);
  int64_t step = 1;
  for (int32_t i = result.rank - 1; i >= 0; --i) {
    int32_t dim = result.order[i];
    strides[dim] = step;
    step *= dims[dim] > 0 ? dims[dim] : 1;
  }
}

/// The caller's memory for this slot if main can fill it directly.
static void *inPlace(const Frame &frame, int64_t slot, const int64_t *dims) {
  const SlotPlan &plan = frame.session->model->slots[slot];
  const adze_program &program = programOf(frame);
  if (plan.output < 0 || plan.written || program.error_site_count)
    return nullptr;
  const adze_value &given = frame.outputs[plan.output];
  if (given.kind != ADZE_TENSOR)
    return nullptr;
  const DLTensor &t = *given.as.tensor;
  int64_t strides[MaxRank];
  slotStrides(program.results[slot], dims, strides);
  bool fits =
      !memcmp(t.shape, dims, sizeof(int64_t) * static_cast<size_t>(t.ndim)) &&
      sameLayout(dims, t.ndim, t.strides, strides) &&
      reinterpret_cast<uintptr_t>(dataOf(t)) % BufferAlignment == 0;
  return fits ? dataOf(t) : nullptr;
}

static bool allocateSlot(Frame &frame, int64_t slot, const int64_t *dims,
                         uint64_t bytes) {
  Session &session = *frame.session;
  const SlotPlan &plan = session.model->slots[slot];
  Result &result = frame.results[slot];
  if (plan.home == Home::Output) {
    result.data = inPlace(frame, slot, dims);
    result.borrowed = result.data;
    if (result.borrowed)
      return true;
    result.storage = newStorage(session.allocator, bytes);
    result.data = result.storage ? result.storage->data() : nullptr;
    return result.data;
  }
  Block &block = plan.home == Home::State ? session.states[plan.state].spare
                                          : result.block;
  // A scalar slot is read as 8 bytes whatever its type.
  result.data = reserve(session.allocator, block, bytes < 8 ? 8 : bytes)
                    ? block.data
                    : nullptr;
  return result.data;
}

void *adze_rt_output(adze_call *call, int64_t slot) {
  Frame &frame = *static_cast<Frame *>(call->internal);
  if (void *data = frame.results[slot].data)
    return data;
  const adze_result &result = programOf(frame).results[slot];
  const SlotPlan &plan = frame.session->model->slots[slot];
  int64_t *dims = frame.dims + plan.firstDim;
  uint64_t bytes = 0;
  bool sized = evaluateAll(frame, result.dims, result.rank, dims) &&
               byteSize(dims, result.rank, result.dtype, bytes);
  if (plan.home == Home::State)
    sized = sized && bytes == frame.session->states[plan.state].bytes;
  if (sized && allocateSlot(frame, slot, dims, bytes))
    return frame.results[slot].data;
  adze_rt_fail(call, sized ? ADZE_SITE_OUT_OF_MEMORY : BadResultSize, slot, 0);
  return nullptr;
}

void adze::rt::dropResults(Frame &frame) {
  for (int64_t i = 0; i < programOf(frame).result_count; ++i) {
    Result &result = frame.results[i];
    if (result.storage)
      release(result.storage);
    result.storage = nullptr;
    result.data = nullptr;
    result.borrowed = false;
  }
}
