//===- GeneratedCalls.cpp - What main and kernels may call ----------------===//

#include "lib/Runtime/Internal.h"

using namespace adze::rt;

static Frame &frameOf(adze_call *call) {
  return *static_cast<Frame *>(call->internal);
}

void adze_rt_fail(adze_call *call, int64_t site, int64_t a, int64_t b) {
  Frame &frame = frameOf(call);
  int32_t none = 0;
  if (!frame.failed.compare_exchange_strong(none, 1))
    return;
  frame.site = site;
  frame.a = a;
  frame.b = b;
  __atomic_store_n(&call->status, int64_t(ADZE_RUNTIME_ERROR),
                   __ATOMIC_RELEASE);
}

namespace {
/// A loop as the caller's threads see it: chunks are its iterations.
struct Chunks {
  adze_kernel kernel;
  const int64_t *args;
  int64_t n, grain;
};
} // namespace

static void runChunks(void *arg, int64_t begin, int64_t end) {
  const auto &chunks = *static_cast<const Chunks *>(arg);
  int64_t last = end * chunks.grain;
  chunks.kernel(chunks.args, begin * chunks.grain,
                last < chunks.n ? last : chunks.n);
}

void adze_rt_parallel_for(adze_call *call, adze_kernel kernel,
                          const int64_t *args, int64_t n, int64_t grain) {
  Model &model = *frameOf(call).session->model;
  if (!model.parallelFor)
    return model.pool.run(kernel, args, n, grain);
  if (n <= grain)
    return n > 0 ? kernel(args, 0, n) : void();
  Chunks chunks{kernel, args, n, grain};
  model.parallelFor(model.parallelContext, runChunks, &chunks,
                    (n - 1) / grain + 1);
}

void *adze_rt_alloc(adze_call *call, int64_t bytes) {
  Frame &frame = frameOf(call);
  const Allocator &allocator = frame.session->allocator;
  uint64_t total = static_cast<uint64_t>(bytes) + BufferAlignment;
  void *memory =
      bytes < 0 ? nullptr
                : allocator.allocate(allocator.context, total, BufferAlignment);
  if (!memory) {
    adze_rt_fail(call, ADZE_SITE_OUT_OF_MEMORY, bytes, 0);
    return nullptr;
  }
  auto *extra = static_cast<Extra *>(memory);
  *extra = {frame.extras, total};
  frame.extras = extra;
  frame.extraBytes += total;
  return static_cast<char *>(memory) + BufferAlignment;
}

int64_t adze_rt_rng_reserve(adze_call *call, int64_t count) {
  Frame &frame = frameOf(call);
  int64_t first = frame.rngOffset;
  frame.rngOffset += count;
  return first;
}
