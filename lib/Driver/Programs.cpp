//===- Programs.cpp - Programs made ready to be called --------------------===//

#include "adze/Driver/Programs.h"

#include "Compilation.h"
#include "Emit.h"
#include "Graphs.h"
#include "Interpreted.h"
#include "adze/Driver/Artifact.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace adze {

namespace {

/// A folder among the temporary ones that disappears with its owner.
class TemporaryFolder {
public:
  static llvm::Expected<std::unique_ptr<TemporaryFolder>> create() {
    llvm::SmallString<128> path;
    if (std::error_code code =
            llvm::sys::fs::createUniqueDirectory("adze-verify", path))
      return makeFileError(DiagId::CannotWrite, "a temporary folder", code);
    return std::unique_ptr<TemporaryFolder>(
        new TemporaryFolder(std::string(path)));
  }
  ~TemporaryFolder() { (void)llvm::sys::fs::remove_directories(path); }

  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> result(path);
    llvm::sys::path::append(result, name);
    return std::string(result);
  }

private:
  explicit TemporaryFolder(std::string path) : path(std::move(path)) {}
  std::string path;
};

/// Native code together with the folder it lies in.
class TemporaryArtifact : public Callable {
public:
  TemporaryArtifact(std::unique_ptr<TemporaryFolder> folder,
                    std::unique_ptr<Artifact> artifact)
      : folder(std::move(folder)), runner(std::move(artifact)) {}

  const CallSignature &signature() const override { return runner.signature(); }
  llvm::Expected<CallResult> call(llvm::ArrayRef<CallValue> inputs,
                                  uint64_t seed) override {
    return runner.call(inputs, seed);
  }
  bool accepts(llvm::ArrayRef<CallValue> inputs) override {
    return runner.accepts(inputs);
  }

private:
  std::unique_ptr<TemporaryFolder> folder;
  ArtifactRunner runner;
};

} // namespace

static std::unique_ptr<Callable> loadNative(Compilation &compilation,
                                            int runThreads) {
  DiagnosticEngine &engine = compilation.getEngine();
  llvm::Expected<std::unique_ptr<TemporaryFolder>> folder =
      TemporaryFolder::create();
  if (!folder) {
    engine.error(folder.takeError(), DiagId::CannotWrite);
    return nullptr;
  }
  std::string path = (*folder)->file("model.adze");
  if (!emit(OutputKind::Artifact, path, compilation))
    return nullptr;
  llvm::Expected<std::unique_ptr<Artifact>> artifact =
      Artifact::load(path, {runThreads});
  if (!artifact) {
    engine.error(artifact.takeError(), DiagId::InternalError);
    return nullptr;
  }
  return std::make_unique<TemporaryArtifact>(std::move(*folder),
                                             std::move(*artifact));
}

/// Reads a program and runs its stages up to `last`.
static std::unique_ptr<Compilation> prepare(llvm::StringRef path, Stage last,
                                            const BuildOptions &build,
                                            DiagnosticEngine &engine) {
  auto compilation = std::make_unique<Compilation>(build, engine);
  if (!compilation->loadProgram(path) ||
      !compilation->runStages(Stage::Import, last))
    return nullptr;
  if (hasGraphBreaks(*compilation)) {
    reportGraphBreaks(*compilation);
    return nullptr;
  }
  return compilation;
}

std::unique_ptr<Callable> makeProgram(llvm::StringRef path, Backend backend,
                                      const BuildOptions &build, int runThreads,
                                      DiagnosticEngine &engine) {
  std::unique_ptr<Compilation> compilation =
      prepare(path, getInfo(backend).lastStage, build, engine);
  if (!compilation)
    return nullptr;
  if (isInterpreted(backend))
    return makeInterpreted(std::move(compilation), /*inFloat64=*/false);
  return loadNative(*compilation, runThreads);
}

std::unique_ptr<Callable> makeExactProgram(llvm::StringRef path,
                                           const BuildOptions &build,
                                           DiagnosticEngine &engine) {
  std::unique_ptr<Compilation> compilation =
      prepare(path, getInfo(Backend::Eager).lastStage, build, engine);
  if (!compilation)
    return nullptr;
  return makeInterpreted(std::move(compilation), /*inFloat64=*/true);
}

} // namespace adze
