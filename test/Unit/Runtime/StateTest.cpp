//===- StateTest.cpp - Buffers that outlive a call ------------------------===//

#include "FakeProgram.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace adze;
using namespace adze::test;

namespace {

/// state += x; y = the new state
int32_t accumulate(adze_call *call) {
  auto *next = static_cast<float *>(adze_rt_output(call, 0));
  auto *state = static_cast<const float *>(call->states[0]);
  auto *x = static_cast<const float *>(call->inputs[0]);
  for (int i = 0; i < 2; ++i)
    next[i] = state[i] + x[i];
  return 0;
}

struct StatePath {
  StatePath() {
    char name[] = "adze-state-XXXXXX";
    int file = mkstemp(name);
    if (file >= 0)
      close(file);
    path = name;
  }
  ~StatePath() { unlink(path.c_str()); }
  std::string path;
};

struct Stateful : testing::Test {
  void SetUp() override {
    fake.tensorInput({fake.constant(2)});
    fake.result({fake.constant(2)});
    fake.state({2});
    fake.mutation(0, ADZE_FROM_STATE, 0);
  }
  static std::vector<float> read(Loaded &loaded) {
    std::vector<float> values(2);
    EXPECT_EQ(api().state_read(loaded.session, 0, values.data(), 8, nullptr),
              0);
    return values;
  }
  FakeProgram fake;
  Tensor<float> x{{2}, {1, 10}};
};

using Floats = std::vector<float>;

TEST_F(Stateful, AccumulatesAndResets) {
  Loaded loaded(fake.finish(accumulate));
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(loaded.run({x}), 0);
  EXPECT_EQ(read(loaded), (Floats{5, 50}));
  EXPECT_EQ(api().state_reset(loaded.session, nullptr), 0);
  EXPECT_EQ(read(loaded), (Floats{0, 0}));
  ASSERT_EQ(loaded.run({x}), 0);
  EXPECT_EQ(read(loaded), (Floats{1, 10}));
}

TEST_F(Stateful, SessionsAreApart) {
  Loaded loaded(fake.finish(accumulate));
  adze_session *other = nullptr;
  ASSERT_EQ(api().session_create(loaded.model, nullptr, &other, nullptr), 0);
  ASSERT_EQ(loaded.run({x}), 0);
  Floats values(2, -1);
  EXPECT_EQ(api().state_read(other, 0, values.data(), 8, nullptr), 0);
  EXPECT_EQ(values, (Floats{0, 0}));
  api().session_release(other);
}

TEST_F(Stateful, FailedCallLeavesItAlone) {
  fake.site("aten.div.Tensor", "", "integer division by zero");
  Loaded loaded(fake.finish([](adze_call *call) {
    accumulate(call);
    if (static_cast<const float *>(call->inputs[0])[0] == 0)
      adze_rt_fail(call, 0, 0, 0);
    return 0;
  }));
  ASSERT_EQ(loaded.run({x}), 0);
  x.values = {0, 1};
  EXPECT_EQ(loaded.run({x}), ADZE_RUNTIME_ERROR);
  EXPECT_EQ(loaded.message(), "'aten.div.Tensor': integer division by zero");
  EXPECT_EQ(read(loaded), (Floats{1, 10}));
  x.values = {1, 1};
  ASSERT_EQ(loaded.run({x}), 0);
  EXPECT_EQ(read(loaded), (Floats{2, 11}));
}

TEST_F(Stateful, ViewOfAStateSeesLaterCalls) {
  fake.viewOutput(ADZE_FROM_STATE, 0, {fake.constant(1)}, {}, 1);
  Loaded loaded(fake.finish(accumulate));
  std::vector<adze_value> first{adze_none()}, second{adze_none()};
  ASSERT_EQ(loaded.run({x}, first), 0);
  EXPECT_EQ(elements<float>(first[0].as.managed->dl_tensor), Floats{10});
  ASSERT_EQ(loaded.run({x}, second), 0);
  EXPECT_EQ(elements<float>(first[0].as.managed->dl_tensor), Floats{20});
  drop(first);
  drop(second);
}

TEST_F(Stateful, OutputOfTheNewValueIsItsOwn) {
  fake.resultOutput(0);
  Loaded loaded(fake.finish(accumulate));
  std::vector<adze_value> first{adze_none()}, second{adze_none()};
  ASSERT_EQ(loaded.run({x}, first), 0);
  ASSERT_EQ(loaded.run({x}, second), 0);
  EXPECT_EQ(elements<float>(first[0].as.managed->dl_tensor), (Floats{1, 10}));
  EXPECT_EQ(elements<float>(second[0].as.managed->dl_tensor), (Floats{2, 20}));
  EXPECT_EQ(read(loaded), (Floats{2, 20}));
  drop(first);
  drop(second);
}

TEST_F(Stateful, CallsFromSeveralThreadsAreSerial) {
  static std::atomic<int> inside, most;
  inside = most = 0;
  Loaded loaded(fake.finish([](adze_call *call) {
    most = std::max(most.load(), ++inside);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    --inside;
    return accumulate(call);
  }));
  auto work = [&] {
    for (int i = 0; i < 50; ++i) {
      adze_value in = x;
      api().run(loaded.session, &in, 1, nullptr, 0, nullptr);
    }
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(read(loaded), (Floats{100, 1000}));
}

TEST_F(Stateful, ReadsAndWritesOnlyWholeBuffers) {
  Loaded loaded(fake.finish(accumulate));
  Floats values{7, 8};
  EXPECT_EQ(api().state_write(loaded.session, 0, values.data(), 8, nullptr), 0);
  EXPECT_EQ(read(loaded), values);
  EXPECT_EQ(api().state_write(loaded.session, 0, values.data(), 4, nullptr),
            ADZE_INVALID_ARGUMENT);
  EXPECT_EQ(api().state_read(loaded.session, 1, values.data(), 8, nullptr),
            ADZE_INVALID_ARGUMENT);
}

TEST_F(Stateful, SavesAndLoads) {
  StatePath file;
  Loaded loaded(fake.finish(accumulate));
  ASSERT_EQ(loaded.run({x}), 0);
  api().seed_set(loaded.session, 123);
  ASSERT_EQ(api().state_save(loaded.session, file.path.c_str(), nullptr), 0);
  Loaded other(fake.finish(accumulate));
  ASSERT_EQ(api().state_load(other.session, file.path.c_str(), &other.error), 0)
      << other.message();
  EXPECT_EQ(read(other), (Floats{1, 10}));
  uint64_t seed = 0;
  api().seed_get(other.session, &seed, nullptr);
  EXPECT_EQ(seed, 123u);
}

TEST_F(Stateful, RefusesDamagedAndForeignFiles) {
  StatePath file;
  Loaded loaded(fake.finish(accumulate));
  ASSERT_EQ(loaded.run({x}), 0);
  ASSERT_EQ(api().state_save(loaded.session, file.path.c_str(), nullptr), 0);
  std::string bytes;
  {
    std::ifstream in(file.path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  auto loadBytes = [&](const std::string &content) {
    std::ofstream(file.path, std::ios::binary) << content;
    return api().state_load(loaded.session, file.path.c_str(), &loaded.error);
  };
  EXPECT_EQ(loadBytes(bytes), 0);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    EXPECT_EQ(loadBytes(bytes.substr(0, i)), ADZE_BAD_ARTIFACT) << i;
    std::string damaged = bytes;
    damaged[i] ^= 4;
    bool seedOrOffset = i >= 24 && i < 40; // any value is valid there
    if (!seedOrOffset) {
      EXPECT_EQ(loadBytes(damaged), ADZE_BAD_ARTIFACT) << i;
    }
  }
  EXPECT_EQ(read(loaded), (Floats{1, 10}));
  EXPECT_EQ(api().state_load(loaded.session, "no/such/file", nullptr),
            ADZE_IO_ERROR);
  EXPECT_EQ(api().state_save(loaded.session, "no/such/folder/file", nullptr),
            ADZE_IO_ERROR);
}

//===- Random numbers -------------------------------------------------------//

TEST(RandomState, DependsOnSeedAndOnWhatWasDrawn) {
  FakeProgram fake;
  fake.result({}, ADZE_INT64);
  fake.scalarOutput(ADZE_INT, ADZE_FROM_SLOT, 0);
  fake.program.flags = ADZE_PROGRAM_RANDOM;
  Loaded loaded(fake.finish([](adze_call *call) {
    adze_rt_rng_reserve(call, 3);
    *static_cast<int64_t *>(adze_rt_output(call, 0)) =
        static_cast<int64_t>(call->seed) * 1000 + adze_rt_rng_reserve(call, 5);
    return 0;
  }));
  auto draw = [&] {
    std::vector<adze_value> out{adze_none()};
    EXPECT_EQ(loaded.run({}, out), 0);
    return out[0].as.integer;
  };
  EXPECT_EQ(draw(), 3);
  EXPECT_EQ(draw(), 11);
  api().seed_set(loaded.session, 2);
  EXPECT_EQ(draw(), 2003);
  EXPECT_EQ(draw(), 2011);
  EXPECT_EQ(api().state_reset(loaded.session, nullptr), 0);
  EXPECT_EQ(draw(), 2003);
}

} // namespace
