//===- ArtifactTest.cpp - From modules to a library that runs -------------===//

#include "TestProgram.h"

#include "adze/adze.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <dlfcn.h>

using namespace adze;
using namespace adze::test;

namespace {

std::string readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(buffer) << path;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

struct ArtifactTest : testing::Test {
  std::string write(llvm::StringRef name, unsigned threads = 1,
                    PackageKind kind = PackageKind::Artifact) {
    PackageOptions options;
    options.output = folder.path(name);
    options.modelName = "tiny-model";
    options.target = llvm::cantFail(TargetDescription::create("x86-64-v2"));
    options.threads = threads;
    options.kind = kind;
    EXPECT_EQ(messageOf(writeArtifact(*program.scheduled, *program.lowered,
                                      *program.weights, options)),
              "");
    return options.output;
  }

  TestProgram program;
  ScratchFolder folder;
};

/// The artifact through its C interface.
struct LoadedArtifact {
  explicit LoadedArtifact(const std::string &folder) {
    library = dlopen((folder + "/model.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_TRUE(library) << dlerror();
    auto get =
        reinterpret_cast<adze_get_api_fn>(dlsym(library, "tiny_model_get_api"));
    api = get(ADZE_API_VERSION);
    EXPECT_EQ(api->model_load(folder.c_str(), nullptr, &model, &error), 0)
        << error.message;
    EXPECT_EQ(api->session_create(model, nullptr, &session, &error), 0)
        << error.message;
  }
  ~LoadedArtifact() {
    api->session_release(session);
    api->model_release(model);
    dlclose(library);
  }

  /// Runs on `rows` rows of zeros.
  int32_t run(int64_t rows, std::vector<float> &y, int64_t &doubled,
              int64_t columns = 4, const char *mode = "fast") {
    std::vector<float> x(rows * columns);
    int64_t shape[] = {rows, columns};
    DLTensor tensor = {x.data(), {kDLCPU, 0}, 2, {kDLFloat, 32, 1},
                       shape,    nullptr,     0};
    adze_value in[] = {adze_tensor(&tensor), adze_string(mode),
                       adze_float(0.5)};
    adze_value out[] = {adze_none(), adze_none(), adze_none()};
    int32_t status = api->run(session, in, 3, out, 3, &error);
    if (status)
      return status;
    DLTensor &result = out[0].as.managed->dl_tensor;
    auto *data = static_cast<float *>(result.data);
    y.assign(data, data + result.shape[0] * result.shape[1]);
    doubled = out[1].as.integer;
    EXPECT_EQ(out[2].as.managed->dl_tensor.data, x.data());
    out[2].as.managed->deleter(out[2].as.managed);
    out[0].as.managed->deleter(out[0].as.managed);
    return status;
  }

  void *library;
  const adze_api *api;
  adze_model *model = nullptr;
  adze_session *session = nullptr;
  adze_error error{};
};

TEST_F(ArtifactTest, runs) {
  LoadedArtifact artifact(write("a.adze"));
  std::vector<float> y;
  int64_t doubled = 0, count = 0;
  ASSERT_EQ(artifact.run(6, y, doubled), 0) << artifact.error.message;
  EXPECT_EQ(std::vector<float>(y.begin() + 20, y.end()),
            (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(doubled, 12);
  ASSERT_EQ(
      artifact.api->state_read(artifact.session, 0, &count, 8, &artifact.error),
      0);
  EXPECT_EQ(count, 8);
  EXPECT_EQ(artifact.api->model_verify_weights(artifact.model, &artifact.error),
            0);
}

TEST_F(ArtifactTest, checksGuards) {
  LoadedArtifact artifact(write("a.adze"));
  std::vector<float> y;
  int64_t doubled = 0;
  auto guardOf = [&](int64_t rows, int64_t columns, const char *mode) {
    EXPECT_EQ(artifact.run(rows, y, doubled, columns, mode), ADZE_GUARD_FAILED);
    adze_guard_info info{};
    artifact.api->guard_info(artifact.model, artifact.error.guard, &info);
    return std::string(info.id ? info.id : "");
  };
  EXPECT_EQ(guardOf(66, 4, "fast"), "range:x.0");
  EXPECT_EQ(guardOf(0, 4, "fast"), "range:x.0");
  EXPECT_EQ(guardOf(4, 5, "fast"), "dim:x.1");
  EXPECT_EQ(guardOf(7, 4, "fast"), "relation:0");
  EXPECT_EQ(guardOf(4, 4, "slow"), "value:mode");
  EXPECT_EQ(artifact.run(14, y, doubled), ADZE_RUNTIME_ERROR);
  EXPECT_NE(std::string(artifact.error.message).find("14 rows are unlucky"),
            std::string::npos)
      << artifact.error.message;
}

TEST_F(ArtifactTest, isTheSameFromAnyFolderAndWithAnyThreads) {
  ASSERT_FALSE(llvm::sys::fs::create_directory(folder.path("other")));
  std::string a = write("a.adze", 1), b = write("other/b.adze", 2);
  for (const char *file : {"model.so", "model.h", "adze.h", "weights.bin",
                           "guards.json", "report.json"})
    EXPECT_TRUE(readFile(a + "/" + file) == readFile(b + "/" + file)) << file;
}

TEST_F(ArtifactTest, exportsTheInterfaceAndNeedsOnlyLibc) {
  std::string folder = write("a.adze");
  auto binary =
      llvm::object::ObjectFile::createObjectFile(folder + "/model.so");
  ASSERT_TRUE(bool(binary));
  auto *elf = llvm::cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  std::vector<std::string> exported;
  for (const auto &symbol : elf->getDynamicSymbolIterators())
    if (!(llvm::cantFail(symbol.getFlags()) &
          llvm::object::SymbolRef::SF_Undefined))
      exported.push_back(llvm::cantFail(symbol.getName()).str());
  llvm::sort(exported);
  EXPECT_EQ(exported,
            (std::vector<std::string>{"adze_get_api", "tiny_model_get_api"}));
  std::string text = readFile(folder + "/model.so");
  for (const char *library : {"libstdc++", "libgcc", "libMLIR", "libLLVM"})
    EXPECT_FALSE(llvm::StringRef(text).contains(library)) << library;
}

TEST_F(ArtifactTest, writesManifests) {
  std::string folder = write("a.adze");
  auto guards =
      llvm::cantFail(llvm::json::parse(readFile(folder + "/guards.json")));
  std::vector<std::string> ids;
  for (const llvm::json::Value &guard :
       *guards.getAsObject()->getArray("guards"))
    ids.push_back(guard.getAsObject()->getString("id")->str());
  EXPECT_EQ(ids, (std::vector<std::string>{
                     "weights", "cpu", "inputs", "kind:x", "rank:x", "dtype:x",
                     "device:x", "value:mode", "value:scale", "range:x.0",
                     "dim:x.1", "relation:0"}));
  auto report =
      llvm::cantFail(llvm::json::parse(readFile(folder + "/report.json")));
  EXPECT_EQ(
      *report.getAsObject()->getObject("memory")->getString("arena_bytes"),
      "16 * s0");
}

TEST_F(ArtifactTest, joinsOneObject) {
  std::string path = write("tiny.o", 1, PackageKind::Object);
  auto binary = llvm::object::ObjectFile::createObjectFile(path);
  ASSERT_TRUE(bool(binary));
  std::vector<std::string> global;
  for (const llvm::object::SymbolRef &symbol : binary->getBinary()->symbols()) {
    uint32_t flags = llvm::cantFail(symbol.getFlags());
    if ((flags & llvm::object::SymbolRef::SF_Global) &&
        !(flags & llvm::object::SymbolRef::SF_Undefined))
      global.push_back(llvm::cantFail(symbol.getName()).str());
  }
  EXPECT_EQ(global, std::vector<std::string>{"tiny_model_get_api"});
}

TEST_F(ArtifactTest, writesTexts) {
  EXPECT_TRUE(
      llvm::StringRef(readFile(write("tiny.ll", 1, PackageKind::LlvmIr)))
          .contains("@adze_main"));
  EXPECT_TRUE(
      llvm::StringRef(readFile(write("tiny.s", 1, PackageKind::Assembly)))
          .contains("adze_main:"));
}

TEST_F(ArtifactTest, keepsAGoodArtifactWhenCompilationFails) {
  std::string folder = write("a.adze");
  std::string before = readFile(folder + "/model.so");
  program.weights = frontend::WeightStore::create({}, {});
  PackageOptions options;
  options.output = folder;
  options.target = llvm::cantFail(TargetDescription::create("x86-64-v2"));
  EXPECT_NE(messageOf(writeArtifact(*program.scheduled, *program.lowered,
                                    *program.weights, options)),
            "");
  EXPECT_TRUE(readFile(folder + "/model.so") == before);
}

} // namespace
