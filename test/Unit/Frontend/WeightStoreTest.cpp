//===- WeightStoreTest.cpp - Weights and sample inputs --------------------===//

#include "TestProgram.h"

#include "llvm/ADT/STLExtras.h"

using namespace adze::frontend;

static std::vector<float> floats(const WeightStore &store,
                                 llvm::StringRef name) {
  std::vector<uint8_t> scratch;
  Bytes bytes = store.contiguousBytes(*store.lookup(name), scratch);
  std::vector<float> values(bytes.size() / sizeof(float));
  memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

class Layouts : public testing::TestWithParam<const char *> {};

INSTANTIATE_TEST_SUITE_P(, Layouts,
                         testing::Values("raw.pt2", "bundle.pt2", "flat.pt2"));

/// The values that tools/scripts/gen-frontend-inputs.py gives.
TEST_P(Layouts, BindWeights) {
  LoadedProgram loaded = llvm::cantFail(loadProgram(inputPath(GetParam())));
  const WeightStore &store = *loaded.weights;
  ASSERT_EQ(store.weights().size(), 5u);
  EXPECT_EQ(store.lookup("a")->storage, store.lookup("b")->storage);
  EXPECT_EQ(store.lookup("turned")->storage, store.lookup("tail")->storage);
  EXPECT_NE(store.lookup("a")->storage, store.lookup("tail")->storage);
  EXPECT_EQ(store.storages().size(), 3u);
  EXPECT_EQ(floats(store, "tail"), (std::vector<float>{20, 21, 22, 23}));
  std::vector<float> turned = floats(store, "turned");
  ASSERT_EQ(turned.size(), 24u);
  EXPECT_EQ(turned[1], 4.0f);
  EXPECT_EQ(turned[6], 1.0f);
  EXPECT_FALSE(store.lookup("turned")->isContiguous());
  EXPECT_EQ(store.lookup("offset")->dtype, adze::DType::Float16);
}

TEST_P(Layouts, HoldSampleInputs) {
  LoadedProgram loaded = llvm::cantFail(loadProgram(inputPath(GetParam())));
  std::vector<SampleInput> samples = loadSampleInputs(loaded);
  ASSERT_EQ(samples.size(), 2u);
  ASSERT_EQ(samples[0].kind, SampleInput::Kind::Tensor);
  EXPECT_EQ(samples[0].tensor.shape(), (llvm::ArrayRef<int64_t>{2, 3}));
  EXPECT_EQ(samples[1].kind, SampleInput::Kind::Int);
  EXPECT_EQ(samples[1].integer, 3);
}

static Weight floatsAt(int64_t offset, llvm::ArrayRef<int64_t> sizes,
                       llvm::ArrayRef<int64_t> strides) {
  Weight weight;
  weight.storageOffset = offset;
  weight.sizes.assign(sizes.begin(), sizes.end());
  weight.strides.assign(strides.begin(), strides.end());
  return weight;
}

TEST(WeightStore, TellsWhichWeightsOverlap) {
  Weight whole = floatsAt(0, {4, 6}, {6, 1}), row = floatsAt(6, {6}, {1}),
         behind = floatsAt(24, {2}, {1}), column = floatsAt(5, {4}, {6}),
         empty = floatsAt(6, {0, 6}, {6, 1});
  EXPECT_EQ(column.byteRange(), (std::pair<int64_t, int64_t>(20, 96)));
  EXPECT_TRUE(mayOverlap(whole, row));
  EXPECT_TRUE(mayOverlap(row, column));
  EXPECT_FALSE(mayOverlap(whole, behind));
  EXPECT_FALSE(mayOverlap(column, behind));
  EXPECT_FALSE(mayOverlap(whole, empty));
  EXPECT_TRUE(isSameTensor(whole, floatsAt(0, {4, 6}, {6, 1})));
  EXPECT_FALSE(isSameTensor(whole, floatsAt(0, {6, 4}, {1, 6})));
  row.storage = 1;
  EXPECT_FALSE(mayOverlap(whole, row));
}

static std::string withConfig(const std::string &config) {
  return testArchive()
      .set("m/data/weights/model_weights_config.json", config)
      .bytes();
}

TEST(WeightStore, LoadsTheSmallProgram) {
  auto loaded = loadBytes(testArchive().bytes());
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->loaded.weights->lookup("fc.weight")->numElements(), 12);
  EXPECT_TRUE(loaded->loaded.weights->lookup("fc.weight")->isParameter);
}

TEST(WeightStore, RefusesWeightsOutOfBounds) {
  std::string meta = tensorMeta({"4", "3"});
  std::string offset = meta;
  offset.replace(offset.find("\"storage_offset\": {\"as_int\": 0"), 30,
                 "\"storage_offset\": {\"as_int\": 8");
  EXPECT_EQ(loadError(withConfig(weightConfig(offset))),
            "model.pt2: data/weights/weight_0: weight 'fc.weight' needs 14 "
            "elements of float32, but its record of 48 bytes holds only 12");
  std::string far = meta;
  far.replace(far.find("{\"as_int\": 1}"), 13,
              "{\"as_int\": 4611686018427387904}");
  EXPECT_HAS(loadError(withConfig(weightConfig(far))), "that overflow");
  EXPECT_HAS(loadError(withConfig(
                 weightConfig(tensorMeta({"4294967296", "4294967296"})))),
             "overflow");
}

TEST(WeightStore, ComparesWithTheGraph) {
  EXPECT_EQ(loadError(withConfig(weightConfig(tensorMeta({"3", "4"})))),
            "model.pt2: data/weights/weight_0: weight 'fc.weight' is "
            "float32[3, 4], but the graph expects float32[4, 3]");
  EXPECT_HAS(loadError(withConfig(weightConfig(tensorMeta({"4", "3"}, 4)))),
             "is int32[4, 3], but the graph expects float32[4, 3]");
}

/// torch up to 2.8 writes one name and an input for each use of a tied weight.
static std::string withTwin(const std::string &sizes) {
  TestProgram program;
  program.inputs =
      R"([{"as_tensor": {"name": "w"}}, {"as_tensor": {"name": "v"}},
          {"as_tensor": {"name": "x"}}])";
  program.inputSpecs =
      R"([{"parameter": {"arg": {"name": "w"}, "parameter_name": "fc.weight"}},
          {"parameter": {"arg": {"name": "v"}, "parameter_name": "fc.weight"}},
          {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}])";
  program.tensorValues.insert(1, "\"v\": " + tensorMeta({sizes, "3"}) + ", ");
  return testArchive(program).bytes();
}

TEST(WeightStore, BindsOneWeightToTwoInputs) {
  auto loaded = loadBytes(withTwin("4"));
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->loaded.weights->weights().size(), 1u);
  EXPECT_HAS(loadError(withTwin("5")), "but the graph expects float32[5, 3]");
}

TEST(WeightStore, KnowsNamesThatOnlyTheFileHas) {
  auto entry = [](const std::string &name,
                  const std::vector<std::string> &sizes) {
    std::string config = weightConfig(tensorMeta(sizes));
    size_t begin = config.find("\"fc.weight\"");
    std::string text = config.substr(begin, config.size() - begin - 2);
    return text.replace(1, strlen("fc.weight"), name);
  };
  std::string config = "{\"config\": {" + entry("fc.weight", {"4", "3"}) +
                       ", " + entry("tied", {"4", "3"}) + ", " +
                       entry("again", {"4", "3"}) + ", " +
                       entry("part", {"2", "3"}) + "}}";
  auto loaded = loadBytes(withConfig(config));
  ASSERT_NE(loaded, nullptr);
  ASSERT_EQ(loaded->loaded.weights->weights().size(), 1u);
  EXPECT_EQ(loaded->loaded.weights->weights()[0].otherNames,
            (std::vector<std::string>{"again", "tied"}));
}

TEST(WeightStore, NamesMissingWeights) {
  EXPECT_HAS(loadError(withConfig("{\"config\": {}}")),
             "weight 'fc.weight' is missing");
  EXPECT_HAS(loadError(testArchive().remove("m/data/weights/weight_0").bytes()),
             "data/weights/weight_0: record is missing");
  EXPECT_HAS(
      loadError(testArchive().set("m/data/weights/weight_0", "").bytes()),
      "has no data: the program was exported with fake tensors");
}

TEST(WeightStore, KeepsNamesInTheirFolder) {
  EXPECT_HAS(loadError(withConfig(
                 weightConfig(tensorMeta({"4", "3"}), "../models/model.json"))),
             "path_name '../models/model.json' is not the name of a record");
}

TEST(WeightStore, NamesTheClassOfSubclasses) {
  std::string pickle =
      "\x80\2"
      "ctorch._tensor\n_rebuild_from_type_v2\n(cf\ng\nctorchao.q\nInt4\n)}tR.";
  std::string saved = TestArchive().add("archive/data.pkl", pickle).bytes();
  TestArchive archive = testArchive();
  archive.set("m/data/weights/weight_0", saved)
      .set("m/data/weights/model_weights_config.json",
           weightConfig(tensorMeta({"4", "3"}), "weight_0", true));
  EXPECT_HAS(loadError(archive.bytes()),
             "weight 'fc.weight' is an object of the class 'torchao.q.Int4', "
             "which is not supported");
}
