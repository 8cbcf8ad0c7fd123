//===- WeightTest.cpp - weights.bin, its digests and views of it ----------===//

#include "FakeProgram.h"

#include "lib/Runtime/Digest.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sys/stat.h>
#include <unistd.h>

using namespace adze;
using namespace adze::test;

namespace {

/// Known answers of XXH64.
TEST(Digest, IsXxh64) {
  EXPECT_EQ(adze_digest("", 0, 0), 0xEF46DB3751D8E999ull);
  EXPECT_EQ(adze_digest("a", 1, 0), 0xD24EC4F1A98C6E5Bull);
  EXPECT_EQ(adze_digest("abc", 3, 0), 0x44BC2CF5AD770999ull);
  const char *text = "Nobody inspects the spammish repetition";
  EXPECT_EQ(adze_digest(text, strlen(text), 0), 0xFBCEA83C8A378BF1ull);
}

/// Two records of 40 floats; the first starts state 0.
struct Weights : testing::Test {
  void SetUp() override {
    char name[] = "adze-weights-XXXXXX";
    folder = mkdtemp(name);
    bytes.resize(64 * 3 + 160);
    std::iota(reinterpret_cast<float *>(bytes.data()),
              reinterpret_cast<float *>(bytes.data() + bytes.size()), 0.0f);
    static const char *const names[] = {"embed.weight", "head.weight"};
    static const int64_t shape[] = {40};
    for (uint64_t offset : {0, 192})
      fake.weights.push_back({names, 2, ADZE_FLOAT32, 1, 0, shape, offset, 160,
                              adze_digest(bytes.data() + offset, 160, 0),
                              nullptr});
    fake.program.weights_bytes = bytes.size();
    fake.program.weights_digest =
        adze_weights_digest(bytes.data(), fake.weights.data(), 2);
    fake.state({2}, 1);
    fake.viewOutput(ADZE_FROM_WEIGHT, 1, {fake.constant(2)}, {}, 1);
    write(bytes);
  }
  void TearDown() override {
    unlink((folder + "/weights.bin").c_str());
    rmdir(folder.c_str());
  }
  void write(const std::vector<char> &content) const {
    std::ofstream(folder + "/weights.bin", std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  }
  int32_t load(bool verify = false) {
    adze_load_options options{};
    options.size = sizeof(options);
    options.verify_weights = verify;
    return rt::loadModel(fake.finish([](adze_call *call) {
      auto *second = static_cast<const float *>(call->weights[1]);
      return second[0] == 48 ? 0 : 1;
    }),
                         folder.c_str(), &options, &model, &error);
  }
  std::string folder;
  std::vector<char> bytes;
  FakeProgram fake;
  rt::Model *model = nullptr;
  adze_error error{};
};

TEST_F(Weights, AreMappedAndViewed) {
  ASSERT_EQ(load(true), 0) << error.message;
  auto *handle = reinterpret_cast<adze_model *>(model);
  adze_session *session = nullptr;
  ASSERT_EQ(api().session_create(handle, nullptr, &session, nullptr), 0);
  adze_value out = adze_none();
  ASSERT_EQ(api().run(session, nullptr, 0, &out, 1, nullptr), 0);
  float state[2];
  ASSERT_EQ(api().state_read(session, 0, state, 8, nullptr), 0);
  EXPECT_EQ(state[1], 49);
  EXPECT_EQ(api().model_verify_weights(handle, nullptr), 0);
  adze_weight_info info;
  ASSERT_EQ(api().weight_info(handle, 0, &info), 0);
  EXPECT_EQ(info.name_count, 2);
  EXPECT_STREQ(info.names[1], "head.weight");
  api().session_release(session);
  api().model_release(handle);
  // The view keeps the mapping.
  EXPECT_EQ(elements<float>(out.as.managed->dl_tensor),
            (std::vector<float>{49, 50}));
  out.as.managed->deleter(out.as.managed);
}

TEST_F(Weights, AreRefusedWhenDamaged) {
  for (size_t i : {0, 159, 192, 351}) {
    std::vector<char> damaged = bytes;
    damaged[i] ^= 1;
    write(damaged);
    EXPECT_EQ(load(), ADZE_GUARD_FAILED) << i;
  }
  std::vector<char> padding = bytes;
  padding[170] ^= 1; // between the records
  write(padding);
  EXPECT_EQ(load(), 0);
  rt::release(model);
}

TEST_F(Weights, AreRefusedWhenTheFileIsWrong) {
  write({bytes.begin(), bytes.end() - 1});
  EXPECT_EQ(load(), ADZE_GUARD_FAILED);
  EXPECT_NE(
      std::string(error.message).find("expected 352 bytes, but found 351"),
      std::string::npos)
      << error.message;
  unlink((folder + "/weights.bin").c_str());
  EXPECT_EQ(load(), ADZE_IO_ERROR);
}

/// The quick digest samples large records; a full verify does not.
TEST_F(Weights, FullVerifyFindsWhatTheSampleMisses) {
  fake.weights.resize(1);
  static const int64_t shape[] = {100000};
  bytes.assign(400000, 1);
  fake.weights[0].shape = shape;
  fake.weights[0].bytes = 400000;
  fake.weights[0].digest = adze_digest(bytes.data(), bytes.size(), 0);
  fake.program.weights_bytes = bytes.size();
  fake.program.weights_digest =
      adze_weights_digest(bytes.data(), fake.weights.data(), 1);
  fake.states.clear();
  fake.outputs.clear();
  bytes[200000] ^= 1;
  write(bytes);
  EXPECT_EQ(load(true), ADZE_GUARD_FAILED);
  EXPECT_NE(std::string(error.message).find("'embed.weight' is damaged"),
            std::string::npos);
  ASSERT_EQ(load(false), 0);
  EXPECT_EQ(rt::verifyWeights(*model, &error), ADZE_GUARD_FAILED);
  rt::release(model);
}

TEST_F(Weights, MayBeEmbedded) {
  alignas(64) static char embedded[352];
  memcpy(embedded, bytes.data(), bytes.size());
  fake.program.embedded_weights = embedded;
  folder = "no such folder";
  ASSERT_EQ(load(), 0) << error.message;
  rt::release(model);
}

TEST_F(Weights, RecordOutsideTheFileIsRefused) {
  fake.weights[1].bytes = UINT64_MAX - 10;
  EXPECT_EQ(load(), ADZE_BAD_ARTIFACT);
}

} // namespace
