//===- Session.cpp - State and memory for the calls of one user -----------===//

#include "lib/Runtime/Internal.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace adze::rt;

//===- Frames ---------------------------------------------------------------//

namespace {
/// Places the arrays of a frame behind it in one block of memory.
struct Layout {
  char *base;
  size_t used = 0;

  template <typename T> T *take(int64_t count) {
    used = (used + alignof(T) - 1) / alignof(T) * alignof(T);
    T *array = base ? reinterpret_cast<T *>(base + used) : nullptr;
    used += static_cast<size_t>(count) * sizeof(T);
    for (int64_t i = 0; base && i < count; ++i)
      new (array + i) T();
    return array;
  }
};
} // namespace

static Frame *layOut(Layout &layout, const Model &model) {
  const adze_program &program = *model.program;
  Frame unused{};
  Frame *made = layout.take<Frame>(1);
  Frame &frame = made ? *made : unused;
  frame.inputs = layout.take<void *>(program.input_count);
  frame.staged = layout.take<adze_value>(program.output_count);
  frame.scalars = layout.take<int64_t>(program.input_count);
  frame.symbols = layout.take<int64_t>(program.symbol_count);
  frame.states = layout.take<void *>(program.state_count);
  frame.results = layout.take<Result>(program.result_count);
  frame.dims = layout.take<int64_t>(model.dimCount);
  frame.packs = layout.take<Block>(program.input_count);
  return made;
}

static Frame *newFrame(Session &session) {
  Layout measure{nullptr};
  layOut(measure, *session.model);
  Layout layout{static_cast<char *>(malloc(measure.used))};
  if (!layout.base)
    return nullptr;
  Frame *frame = layOut(layout, *session.model);
  frame->session = &session;
  frame->call.inputs = frame->inputs;
  frame->call.weights = session.model->weightData;
  frame->call.states = frame->states;
  frame->call.symbols = frame->symbols;
  frame->call.internal = frame;
  return frame;
}

static void freeFrame(Session &session, Frame *frame) {
  const adze_program &program = *session.model->program;
  release(session.allocator, frame->workspace);
  for (int64_t i = 0; i < program.input_count; ++i)
    release(session.allocator, frame->packs[i]);
  for (int64_t i = 0; i < program.result_count; ++i)
    release(session.allocator, frame->results[i].block);
  free(frame);
}

Frame *adze::rt::takeFrame(Session &session) {
  pthread_mutex_lock(&session.frameMutex);
  Frame *frame = session.frames;
  if (frame)
    session.frames = frame->next;
  pthread_mutex_unlock(&session.frameMutex);
  return frame ? frame : newFrame(session);
}

static uint64_t cachedBytes(const Session &session, const Frame &frame) {
  const adze_program &program = *session.model->program;
  uint64_t bytes = frame.workspace.capacity;
  for (int64_t i = 0; i < program.input_count; ++i)
    bytes += frame.packs[i].capacity;
  for (int64_t i = 0; i < program.result_count; ++i)
    bytes += frame.results[i].block.capacity;
  return bytes;
}

void adze::rt::returnFrame(Session &session, Frame *frame) {
  pthread_mutex_lock(&session.frameMutex);
  frame->next = session.frames;
  session.frames = frame;
  pthread_mutex_unlock(&session.frameMutex);
}

void adze::rt::giveFrame(Session &session, Frame *frame, int32_t status) {
  uint64_t bytes = cachedBytes(session, *frame) + frame->extraBytes;
  pthread_mutex_lock(&session.frameMutex);
  adze_stats &stats = session.stats;
  ++stats.calls;
  stats.failed_calls += status != ADZE_OK;
  stats.packed_inputs += frame->packed;
  if (bytes > stats.peak_call_bytes)
    stats.peak_call_bytes = bytes;
  frame->next = session.frames;
  session.frames = frame;
  pthread_mutex_unlock(&session.frameMutex);
}

void adze::rt::collectStats(Session &session, adze_stats &stats) {
  pthread_mutex_lock(&session.frameMutex);
  stats = session.stats;
  stats.weights_bytes = session.model->program->weights_bytes;
  for (Frame *frame = session.frames; frame; frame = frame->next)
    stats.workspace_bytes += cachedBytes(session, *frame);
  pthread_mutex_unlock(&session.frameMutex);
}

//===- Sessions -------------------------------------------------------------//

static void freeStates(Session &session) {
  for (int64_t i = 0; session.states && i < session.model->program->state_count;
       ++i) {
    release(session.allocator, session.states[i].current);
    release(session.allocator, session.states[i].spare);
  }
  free(session.states);
}

static void configure(Session &session, const adze_session_options *options) {
  adze_session_options copy{};
  if (options)
    memcpy(&copy, options,
           options->size < sizeof(copy) ? options->size : sizeof(copy));
  session.allocator = defaultAllocator();
  if (copy.allocate && copy.deallocate)
    session.allocator = {copy.allocate, copy.deallocate,
                         copy.allocator_context};
  session.seed = copy.seed;
}

int32_t adze::rt::createSession(Model *model,
                                const adze_session_options *options,
                                Session **session, adze_error *error) {
  if (!model || !session)
    return setError(error, ADZE_INVALID_ARGUMENT,
                    "no model, or no place for the session");
  *session = nullptr;
  void *memory = malloc(sizeof(Session));
  if (!memory)
    return setError(error, ADZE_OUT_OF_MEMORY, "no memory for the session");
  Session *made = new (memory) Session();
  made->model = model;
  retain(model);
  pthread_mutex_init(&made->callMutex, nullptr);
  pthread_mutex_init(&made->frameMutex, nullptr);
  configure(*made, options);
  if (int32_t status = initStates(*made, error)) {
    release(made);
    return status;
  }
  *session = made;
  return clearError(error);
}

void adze::rt::retain(Session *session) {
  session->references.fetch_add(1, std::memory_order_relaxed);
}

void adze::rt::release(Session *session) {
  if (session->references.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  while (Frame *frame = session->frames) {
    session->frames = frame->next;
    freeFrame(*session, frame);
  }
  freeStates(*session);
  pthread_mutex_destroy(&session->callMutex);
  pthread_mutex_destroy(&session->frameMutex);
  Model *model = session->model;
  free(session);
  release(model);
}
