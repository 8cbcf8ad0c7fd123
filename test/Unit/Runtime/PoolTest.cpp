//===- PoolTest.cpp - The thread pool under stress ------------------------===//

#include "lib/Runtime/Pool.h"

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using adze::rt::Pool;

namespace {

struct StartedPool : Pool {
  explicit StartedPool(int threads, int64_t spin = 20000) {
    configure(threads, spin);
  }
  ~StartedPool() { stop(); }
};

/// args[0]: counters, one per iteration; args[1]: grain that must hold.
void countKernel(const int64_t *args, int64_t begin, int64_t end) {
  auto *counters = reinterpret_cast<std::atomic<int> *>(args[0]);
  if (begin % args[1])
    counters[begin] += 1000;
  for (int64_t i = begin; i < end; ++i)
    ++counters[i];
}

bool coversOnce(Pool &pool, int64_t n, int64_t grain) {
  std::vector<std::atomic<int>> counters(static_cast<size_t>(n) + 1);
  int64_t args[] = {reinterpret_cast<int64_t>(counters.data()), grain};
  pool.run(countKernel, args, n, grain);
  for (int64_t i = 0; i < n; ++i)
    if (counters[static_cast<size_t>(i)] != 1)
      return false;
  return counters[static_cast<size_t>(n)] == 0;
}

TEST(Pool, CoversEveryIterationOnce) {
  StartedPool pool(4);
  for (int64_t n : {0, 1, 2, 7, 64, 1000})
    for (int64_t grain : {1, 2, 3, 64, 5000})
      EXPECT_TRUE(coversOnce(pool, n, grain)) << n << " by " << grain;
}

TEST(Pool, ManyShortLoops) {
  for (int64_t spin : {-1, 0, 20000}) {
    StartedPool pool(3, spin);
    for (int i = 0; i < 3000; ++i)
      ASSERT_TRUE(coversOnce(pool, 1 + i % 9, 1)) << i;
  }
}

TEST(Pool, SeveralCallersAtOnce) {
  StartedPool pool(3);
  std::atomic<int> failures{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int i = 0; i < 1000; ++i)
        failures += !coversOnce(pool, 50, 3);
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(failures, 0);
}

void nestedKernel(const int64_t *args, int64_t begin, int64_t end) {
  auto *pool = reinterpret_cast<Pool *>(args[0]);
  auto *failures = reinterpret_cast<std::atomic<int> *>(args[1]);
  for (int64_t i = begin; i < end; ++i)
    *failures += !coversOnce(*pool, 20, 2);
}

TEST(Pool, LoopInsideALoop) {
  StartedPool pool(3);
  std::atomic<int> failures{0};
  int64_t args[] = {reinterpret_cast<int64_t>(static_cast<Pool *>(&pool)),
                    reinterpret_cast<int64_t>(&failures)};
  pool.run(nestedKernel, args, 100, 1);
  EXPECT_EQ(failures, 0);
}

/// Two chunks wait for each other: they must be on two threads.
void meetKernel(const int64_t *args, int64_t, int64_t) {
  auto *arrived = reinterpret_cast<std::atomic<int> *>(args[0]);
  ++*arrived;
  while (*arrived < 2)
    std::this_thread::yield();
}

TEST(Pool, ChunksRunOnSeveralThreads) {
  StartedPool pool(2);
  std::atomic<int> arrived{0};
  int64_t args[] = {reinterpret_cast<int64_t>(&arrived)};
  pool.run(meetKernel, args, 2, 1);
  EXPECT_EQ(arrived, 2);
}

TEST(Pool, WorksAloneAfterAFork) {
  StartedPool pool(3);
  ASSERT_TRUE(coversOnce(pool, 100, 1));
  pid_t child = fork();
  if (child == 0)
    _exit(coversOnce(pool, 100, 1) ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

} // namespace
