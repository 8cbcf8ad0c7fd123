//===- CallTest.cpp - Binding, errors, threads and memory of calls --------===//

#include "FakeProgram.h"

#include <atomic>
#include <cstring>
#include <thread>

using namespace adze;
using namespace adze::test;

/// The program of this binary's own adze_get_api: it takes and gives nothing.
const adze_program adze_generated_program = [] {
  adze_program program{};
  program.abi = ADZE_PROGRAM_ABI;
  program.name = "empty";
  program.producer = program.target_cpu = "";
  program.main = [](adze_call *) { return 0; };
  return program;
}();

namespace {

/// y[i] = 2 * x[i] on the pool, over 1-d x of size s0.
void doubleKernel(const int64_t *args, int64_t begin, int64_t end) {
  auto *y = reinterpret_cast<float *>(args[1]);
  auto *x = reinterpret_cast<const float *>(args[2]);
  for (int64_t i = begin; i < end; ++i)
    y[i] = 2 * x[i];
}

int32_t doubleMain(adze_call *call) {
  void *y = adze_rt_output(call, 0);
  if (!y)
    return 1;
  int64_t args[] = {reinterpret_cast<int64_t>(call),
                    reinterpret_cast<int64_t>(y),
                    reinterpret_cast<int64_t>(call->inputs[0])};
  adze_rt_parallel_for(call, doubleKernel, args, call->symbols[0], 16);
  return 0;
}

struct Doubling : testing::Test {
  void SetUp() override {
    fake.tensorInput({fake.symbol(0)});
    fake.dimSymbol(0, 0);
    fake.result({fake.symbol(0)});
    fake.resultOutput(0);
  }
  FakeProgram fake;
};

TEST(Api, HasOneVersionAndAnEmptyProgram) {
  EXPECT_EQ(adze_rt_get_api(ADZE_API_VERSION + 1), nullptr);
  adze_model *model = nullptr;
  adze_session *session = nullptr;
  ASSERT_EQ(api().model_load("no such folder", nullptr, &model, nullptr), 0);
  ASSERT_EQ(api().session_create(model, nullptr, &session, nullptr), 0);
  api().model_release(model); // the session keeps it
  EXPECT_EQ(api().run(session, nullptr, 0, nullptr, 0, nullptr), 0);
  EXPECT_EQ(api().run(nullptr, nullptr, 0, nullptr, 0, nullptr),
            ADZE_INVALID_ARGUMENT);
  api().session_release(session);
}

TEST_F(Doubling, GivesAnOutputThatOutlivesTheSession) {
  std::vector<adze_value> out{adze_none()};
  {
    Loaded loaded(fake.finish(doubleMain));
    Tensor<float> x({3}, {1, 2, 3});
    ASSERT_EQ(loaded.run({x}, out), 0) << loaded.message();
  }
  ASSERT_EQ(out[0].kind, ADZE_MANAGED);
  EXPECT_EQ(elements<float>(out[0].as.managed->dl_tensor),
            (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(
      reinterpret_cast<uintptr_t>(rt::dataOf(out[0].as.managed->dl_tensor)) %
          64,
      0u);
  drop(out);
}

TEST_F(Doubling, TakesItsOwnOutputAsInput) {
  Loaded loaded(fake.finish(doubleMain));
  Tensor<float> x({2}, {1, 2});
  std::vector<adze_value> first{adze_none()}, second{adze_none()};
  ASSERT_EQ(loaded.run({x}, first), 0);
  ASSERT_EQ(loaded.run(first, second), 0) << loaded.message();
  EXPECT_EQ(elements<float>(second[0].as.managed->dl_tensor),
            (std::vector<float>{4, 8}));
  drop(first);
  drop(second);
}

TEST_F(Doubling, PacksWhatIsNotRowMajor) {
  Loaded loaded(fake.finish(doubleMain));
  std::vector<adze_value> out{adze_none()};
  Tensor<float> strided({3}, {1, 9, 2, 9, 3}, {2});
  ASSERT_EQ(loaded.run({strided}, out), 0);
  EXPECT_EQ(elements<float>(out[0].as.managed->dl_tensor),
            (std::vector<float>{2, 4, 6}));
  drop(out);
  Tensor<float> backwards({3}, {1, 2, 3}, {-1});
  backwards.dl.byte_offset = 8;
  ASSERT_EQ(loaded.run({backwards}, out), 0);
  EXPECT_EQ(elements<float>(out[0].as.managed->dl_tensor),
            (std::vector<float>{6, 4, 2}));
  drop(out);
  adze_stats stats;
  api().stats(loaded.session, &stats);
  EXPECT_EQ(stats.packed_inputs, 2u);
  EXPECT_EQ(stats.calls, 2u);
}

TEST_F(Doubling, RunsOnEmptyTensors) {
  Loaded loaded(fake.finish(doubleMain));
  Tensor<float> x({0}, {});
  std::vector<adze_value> out{adze_none()};
  ASSERT_EQ(loaded.run({x}, out), 0) << loaded.message();
  EXPECT_EQ(out[0].as.managed->dl_tensor.shape[0], 0);
  drop(out);
}

/// Without guards the bind itself must refuse.
TEST_F(Doubling, RefusesWhatIsNoSuchTensor) {
  Loaded loaded(fake.finish(doubleMain));
  std::vector<adze_value> out{adze_none()};
  Tensor<double> wide({2}, {1, 2});
  EXPECT_EQ(loaded.run({wide}, out), ADZE_INVALID_ARGUMENT);
  Tensor<float> negative({-5}, {});
  EXPECT_EQ(loaded.run({negative}, out), ADZE_INVALID_ARGUMENT);
  Tensor<float> noData({2}, {});
  noData.dl.data = nullptr;
  EXPECT_EQ(loaded.run({noData}, out), ADZE_INVALID_ARGUMENT);
  Tensor<float> x({1}, {1});
  EXPECT_EQ(loaded.run({x, x}, out), ADZE_INVALID_ARGUMENT);
  out.clear();
  EXPECT_EQ(loaded.run({x}, out), ADZE_INVALID_ARGUMENT);
}

TEST_F(Doubling, ManyThreadsAtOnce) {
  adze_load_options options{};
  options.size = sizeof(options);
  options.threads = 3;
  Loaded loaded(fake.finish(doubleMain), &options);
  std::atomic<int> wrong{0};
  auto work = [&](int seed) {
    std::vector<float> values(1000, static_cast<float>(seed));
    Tensor<float> x({1000}, values);
    for (int i = 0; i < 200; ++i) {
      adze_value in = x, out = adze_none();
      if (api().run(loaded.session, &in, 1, &out, 1, nullptr))
        return void(++wrong);
      for (float y : elements<float>(out.as.managed->dl_tensor))
        wrong += y != 2.0f * static_cast<float>(seed);
      out.as.managed->deleter(out.as.managed);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  adze_stats stats;
  api().stats(loaded.session, &stats);
  EXPECT_EQ(stats.calls, 800u);
}

TEST_F(Doubling, UsesTheCallersThreads) {
  static int loops, covered;
  loops = covered = 0;
  adze_load_options options{};
  options.size = sizeof(options);
  options.parallel_for = [](void *, void (*task)(void *, int64_t, int64_t),
                            void *arg, int64_t n) {
    ++loops;
    for (int64_t i = n - 1; i >= 0; --i, ++covered)
      task(arg, i, i + 1);
  };
  Loaded loaded(fake.finish(doubleMain), &options);
  Tensor<float> x({40}, std::vector<float>(40, 1.5f));
  std::vector<adze_value> out{adze_none()};
  ASSERT_EQ(loaded.run({x}, out), 0);
  EXPECT_EQ(loops, 1);
  EXPECT_EQ(covered, 3);
  EXPECT_EQ(elements<float>(out[0].as.managed->dl_tensor),
            std::vector<float>(40, 3.0f));
  drop(out);
}

//===- The caller's memory --------------------------------------------------//

struct Counting {
  int64_t live = 0, total = 0;
  int64_t budget = INT64_MAX;
  adze_session_options options() {
    adze_session_options made{};
    made.size = sizeof(made);
    made.allocator_context = this;
    made.allocate = [](void *self, size_t bytes, size_t alignment) -> void * {
      auto *counting = static_cast<Counting *>(self);
      void *memory = nullptr;
      if (counting->budget-- <= 0 || posix_memalign(&memory, alignment, bytes))
        return nullptr;
      ++counting->live;
      ++counting->total;
      return memory;
    };
    made.deallocate = [](void *self, void *memory, size_t) {
      --static_cast<Counting *>(self)->live;
      free(memory);
    };
    return made;
  }
};

TEST_F(Doubling, UsesTheCallersAllocatorAndCachesItsMemory) {
  fake.program.workspace = fake.constant(1000);
  Counting counting;
  adze_session_options options = counting.options();
  {
    Loaded loaded(fake.finish(doubleMain), nullptr, &options);
    Tensor<float> x({3}, {1, 9, 2, 9, 3}, {2});
    alignas(64) float memory[16] = {};
    int64_t shape[] = {3};
    DLTensor y{memory, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, nullptr, 0};
    std::vector<adze_value> out{adze_tensor(&y)};
    ASSERT_EQ(loaded.run({x}, out), 0) << loaded.message();
    EXPECT_EQ(memory[2], 6);
    EXPECT_EQ(counting.total, 2); // workspace and packed input
    for (int i = 0; i < 10; ++i)
      ASSERT_EQ(loaded.run({x}, out), 0);
    EXPECT_EQ(counting.total, 2);
  }
  EXPECT_EQ(counting.live, 0);
}

TEST_F(Doubling, RunningOutOfMemoryIsAnErrorOfTheCall) {
  fake.program.workspace = fake.constant(1000);
  Counting counting;
  adze_session_options options = counting.options();
  Loaded loaded(fake.finish(doubleMain), nullptr, &options);
  Tensor<float> x({3}, {1, 9, 2, 9, 3}, {2});
  for (int64_t budget = 0; budget < 3; ++budget) {
    std::vector<adze_value> out{adze_none()};
    counting.budget = budget ? 1 : 0;
    EXPECT_EQ(loaded.run({x}, out), ADZE_OUT_OF_MEMORY);
    EXPECT_EQ(out[0].kind, ADZE_NONE);
  }
  counting.budget = INT64_MAX;
  std::vector<adze_value> out{adze_none()};
  EXPECT_EQ(loaded.run({x}, out), 0);
  drop(out);
}

//===- Errors that depend on data -------------------------------------------//

/// Fails at site 0 for each negative x, after it has written its output.
void positiveKernel(const int64_t *args, int64_t begin, int64_t end) {
  auto *call = reinterpret_cast<adze_call *>(args[0]);
  auto *y = reinterpret_cast<float *>(args[1]);
  auto *x = reinterpret_cast<const float *>(args[2]);
  for (int64_t i = begin; i < end; ++i) {
    y[i] = x[i];
    if (x[i] < 0)
      adze_rt_fail(call, 0, static_cast<int64_t>(x[i]), i);
  }
}

int32_t positiveMain(adze_call *call) {
  auto *y = static_cast<float *>(adze_rt_output(call, 0));
  int64_t args[] = {reinterpret_cast<int64_t>(call),
                    reinterpret_cast<int64_t>(y),
                    reinterpret_cast<int64_t>(call->inputs[0])};
  adze_rt_parallel_for(call, positiveKernel, args, call->symbols[0], 4);
  return 0;
}

TEST_F(Doubling, DataErrorNamesOperatorLineAndValues) {
  fake.site("aten.embedding.default", "model.py:31",
            "index {0} at {1} is out of range {2}");
  fake.mutation(0, ADZE_FROM_INPUT, 0);
  Loaded loaded(fake.finish(positiveMain));
  Tensor<float> x({3}, {1, -7, 3});
  std::vector<float> memory(3, 42);
  Tensor<float> y({3}, memory);
  std::vector<adze_value> out{y};
  EXPECT_EQ(loaded.run({x}, out), ADZE_RUNTIME_ERROR);
  EXPECT_EQ(loaded.message(), "'aten.embedding.default': index -7 at 1 is out "
                              "of range {2} (model.py:31)");
  EXPECT_EQ(loaded.error.site, 0);
  EXPECT_EQ(y.values, memory) << "a failed call wrote its output";
  EXPECT_EQ(x.values, (std::vector<float>{1, -7, 3}));
  x.values[1] = 2;
  EXPECT_EQ(loaded.run({x}, out), ADZE_OK) << loaded.message();
  EXPECT_EQ(y.values, (std::vector<float>{1, 2, 3}));
}

TEST_F(Doubling, ResultOfAbsurdSizeIsAnError) {
  fake.results[0].dims = fake.keep({fake.expr(
      {ADZE_EXPR_SYMBOL, 0, ADZE_EXPR_CONST, INT64_MAX, ADZE_EXPR_MUL})});
  Loaded loaded(fake.finish(doubleMain));
  Tensor<float> x({3}, {1, 2, 3});
  std::vector<adze_value> out{adze_none()};
  EXPECT_EQ(loaded.run({x}, out), ADZE_RUNTIME_ERROR);
}

TEST_F(Doubling, ResultThatMainForgotIsAnInternalError) {
  Loaded loaded(fake.finish([](adze_call *) { return 0; }));
  Tensor<float> x({3}, {1, 2, 3});
  std::vector<adze_value> out{adze_none()};
  EXPECT_EQ(loaded.run({x}, out), ADZE_INTERNAL_ERROR);
}

TEST(Call, ExtraMemoryIsAlignedAndFreed) {
  Counting counting;
  adze_session_options options = counting.options();
  FakeProgram fake;
  {
    Loaded loaded(fake.finish([](adze_call *call) {
      for (int64_t bytes : {0, 1, 1000}) {
        void *memory = adze_rt_alloc(call, bytes);
        if (!memory || reinterpret_cast<uintptr_t>(memory) % 64)
          return 1;
        memset(memory, 1, static_cast<size_t>(bytes));
      }
      return 0;
    }),
                  nullptr, &options);
    EXPECT_EQ(loaded.run({}), 0);
    EXPECT_EQ(counting.total, 3);
    EXPECT_EQ(counting.live, 0);
  }
  FakeProgram greedy;
  Loaded loaded(greedy.finish(
      [](adze_call *call) { return adze_rt_alloc(call, -1) ? 0 : 1; }));
  EXPECT_EQ(loaded.run({}), ADZE_OUT_OF_MEMORY);
}

} // namespace
