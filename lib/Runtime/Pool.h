//===- Pool.h - Fork-join threads of one model ----------------------------===//

#ifndef ADZE_LIB_RUNTIME_POOL_H
#define ADZE_LIB_RUNTIME_POOL_H

#include <atomic>
#include <cstdint>
#include <pthread.h>

namespace adze::rt {

/// Runs one loop at a time on a few threads, the caller among them. Chunks are
/// handed out dynamically and completion is counted in chunks, so a worker that
/// wakes late delays nobody. While a loop runs, other callers (and loops from
/// inside it) do their whole loop themselves. Threads start with the first
/// loop that can use them; after a fork() the child simply works alone.
class Pool {
public:
  using Task = void (*)(const int64_t *arg, int64_t begin, int64_t end);

  /// `threads` counts the caller; `spinNanoseconds` is how long an idle worker
  /// looks for work before it sleeps.
  void configure(int threads, int64_t spinNanoseconds);
  int threads() const { return threadCount; }
  /// Ranges start at multiples of `grain` >= 1.
  void run(Task task, const int64_t *arg, int64_t n, int64_t grain);
  /// Ends the threads. No loop may be running.
  void stop();

private:
  static void *enter(void *pool);
  void startThreads();
  void worker();
  void wait(uint32_t seen);
  uint32_t publish(Task task, const int64_t *arg, int64_t n, int64_t grain);
  void work(uint32_t epoch);

  int threadCount = 1;
  int started = 0; // workers that run, the caller not counted
  uint64_t spin = 0;
  pthread_t *handles = nullptr;
  bool triedToStart = false;

  alignas(64) std::atomic<bool> busy{false};
  alignas(64) std::atomic<uint32_t> epochWord{0}; // futex; one step per loop
  alignas(64) std::atomic<int> sleepers{0};
  alignas(64) std::atomic<uint64_t> ticket{0}; // epoch << 32 | next chunk
  alignas(64) std::atomic<uint32_t> done{0};   // chunks finished
  // The loop itself. Late workers may read these while they change, and then
  // fail to take a ticket.
  alignas(64) std::atomic<Task> task{nullptr};
  std::atomic<const int64_t *> arg{nullptr};
  std::atomic<int64_t> size{0};
  std::atomic<int64_t> chunkSize{1};
  std::atomic<uint32_t> chunks{0};
  std::atomic<bool> stopping{false};
};

} // namespace adze::rt

#endif
