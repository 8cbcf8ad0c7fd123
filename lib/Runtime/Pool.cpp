//===- Pool.cpp - Fork-join threads of one model --------------------------===//

#include "lib/Runtime/Pool.h"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace adze::rt;

static_assert(std::atomic<uint64_t>::is_always_lock_free &&
              sizeof(std::atomic<uint32_t>) == 4);

static constexpr uint32_t Closed = 0xffffffffu;

static void futexWait(std::atomic<uint32_t> &word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

static void futexWake(std::atomic<uint32_t> &word, int count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

static uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000u +
         static_cast<uint64_t>(time.tv_nsec);
}

static void relax() { __builtin_ia32_pause(); }

void Pool::configure(int threads, int64_t spinNanoseconds) {
  threadCount = threads < 1 ? 1 : threads;
  spin = spinNanoseconds < 0 ? 0 : static_cast<uint64_t>(spinNanoseconds);
}

void *Pool::enter(void *pool) {
  static_cast<Pool *>(pool)->worker();
  return nullptr;
}

/// Called by the one caller that holds `busy`. Fewer threads than wanted are
/// no error: the caller does what is left.
void Pool::startThreads() {
  triedToStart = true;
  size_t count = static_cast<size_t>(threadCount - 1);
  handles = static_cast<pthread_t *>(calloc(count, sizeof(pthread_t)));
  if (!handles)
    return;
  // Signals of the program are none of the workers' business.
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  while (started < threadCount - 1 &&
         !pthread_create(&handles[started], nullptr, enter, this))
    ++started;
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void Pool::stop() {
  stopping.store(true);
  epochWord.fetch_add(1);
  futexWake(epochWord, threadCount);
  for (int i = 0; i < started; ++i)
    pthread_join(handles[i], nullptr);
  free(handles);
  handles = nullptr;
  started = 0;
}

/// Returns when the epoch differs from `seen`: spins first, then sleeps.
void Pool::wait(uint32_t seen) {
  uint64_t end = now() + spin;
  do
    for (int i = 0; i < 32; ++i, relax())
      if (epochWord.load(std::memory_order_acquire) != seen)
        return;
  while (now() < end);
  sleepers.fetch_add(1);
  while (epochWord.load() == seen)
    futexWait(epochWord, seen);
  sleepers.fetch_sub(1);
}

void Pool::worker() {
  for (uint32_t seen = 0;;) {
    wait(seen);
    seen = epochWord.load(std::memory_order_acquire);
    if (stopping.load())
      return;
    work(seen);
  }
}

/// Takes chunks of loop `epoch` until none is left.
void Pool::work(uint32_t epoch) {
  uint64_t t = ticket.load(std::memory_order_acquire);
  while (static_cast<uint32_t>(t >> 32) == epoch &&
         static_cast<uint32_t>(t) < chunks.load(std::memory_order_relaxed)) {
    if (!ticket.compare_exchange_weak(t, t + 1, std::memory_order_acq_rel,
                                      std::memory_order_acquire))
      continue;
    // The loop cannot end, nor its fields change, before this chunk is done.
    int64_t step = chunkSize.load(std::memory_order_relaxed);
    int64_t n = size.load(std::memory_order_relaxed);
    int64_t begin = static_cast<int64_t>(static_cast<uint32_t>(t)) * step;
    int64_t end = n - begin < step ? n : begin + step;
    task.load(std::memory_order_relaxed)(arg.load(std::memory_order_relaxed),
                                         begin, end);
    done.fetch_add(1, std::memory_order_acq_rel);
    t = ticket.load(std::memory_order_acquire);
  }
}

uint32_t Pool::publish(Task newTask, const int64_t *newArg, int64_t n,
                       int64_t grain) {
  uint32_t epoch = epochWord.load(std::memory_order_relaxed) + 1;
  // Close the old loop before its fields change.
  ticket.store(static_cast<uint64_t>(epoch - 1) << 32 | Closed,
               std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  task.store(newTask, std::memory_order_relaxed);
  arg.store(newArg, std::memory_order_relaxed);
  size.store(n, std::memory_order_relaxed);
  chunkSize.store(grain, std::memory_order_relaxed);
  chunks.store(static_cast<uint32_t>((n - 1) / grain + 1),
               std::memory_order_relaxed);
  done.store(0, std::memory_order_relaxed);
  ticket.store(static_cast<uint64_t>(epoch) << 32, std::memory_order_release);
  epochWord.store(epoch);
  return epoch;
}

void Pool::run(Task newTask, const int64_t *newArg, int64_t n, int64_t grain) {
  if (n <= 0)
    return;
  // Keep the number of chunks well inside a ticket.
  if ((n - 1) / grain >= 1 << 30)
    grain *= (n - 1) / grain / (1 << 30) + 1;
  if (threadCount == 1 || n <= grain || busy.exchange(true)) {
    newTask(newArg, 0, n);
    return;
  }
  if (!triedToStart)
    startThreads();
  uint32_t epoch = publish(newTask, newArg, n, grain);
  if (sleepers.load()) {
    int64_t useful = (n - 1) / grain;
    futexWake(epochWord, useful < started ? static_cast<int>(useful) : started);
  }
  work(epoch);
  uint32_t all = chunks.load(std::memory_order_relaxed);
  for (int spins = 0; done.load(std::memory_order_acquire) != all; relax())
    if (++spins > 2000) {
      spins = 0;
      sched_yield();
    }
  busy.store(false, std::memory_order_release);
}
