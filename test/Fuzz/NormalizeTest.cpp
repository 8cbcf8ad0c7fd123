//===- NormalizeTest.cpp - Programs that make no sense, normalized --------===//
//
// Whatever a file says, import and normalize end with a program or with an
// error: no abort, no hang. $ADZE_FUZZ_CORPUS: another folder of programs;
// $ADZE_FUZZ_SEED and $ADZE_FUZZ_VARIANTS: other changes, and how many.
//
//===----------------------------------------------------------------------===//

#include "MutateProgram.h"

#include "adze/Frontend/Importer.h"
#include "passes/Normalize/Passes.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

#include "gtest/gtest.h"

#include <chrono>

using namespace adze;

static unsigned setting(const char *name, unsigned byDefault) {
  const char *text = getenv(name);
  return text ? atoi(text) : byDefault;
}

static void addFiles(const std::string &folder,
                     std::vector<std::string> &files) {
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       !code && it != end; it.increment(code))
    files.push_back(it->path());
}

static std::vector<std::string> corpus() {
  std::vector<std::string> files;
  if (const char *folder = getenv("ADZE_FUZZ_CORPUS")) {
    addFiles(folder, files);
  } else {
    addFiles(ADZE_FUZZ_CORPUS "/program", files);
    addFiles(ADZE_FUZZ_CORPUS "/normalize", files);
  }
  llvm::sort(files);
  return files;
}

/// True if the program normalizes.
static bool normalizes(llvm::StringRef json) {
  auto program = frontend::parseProgram(json);
  if (!program) {
    llvm::consumeError(program.takeError());
    return false;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  bool hasError = false;
  context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
    hasError |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
  });
  auto module = frontend::importProgram(**program, &context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return false;
  }
  mlir::PassManager passes(&context);
  normalize::addNormalizePipeline(passes);
  bool isDone = succeeded(passes.run(**module));
  EXPECT_NE(isDone, hasError) << "a failure has a message, and only a failure";
  return isDone;
}

static void expectAnEnd(const std::string &json, unsigned seed,
                        const std::string &file) {
  std::mt19937 random(seed);
  std::string changed = mutateProgram(json, random);
  llvm::PrettyStackTraceFormat trace("seed %u of %s", seed, file.c_str());
  auto start = std::chrono::steady_clock::now();
  normalizes(changed);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 5) << "seed " << seed << " of " << file;
}

TEST(Normalize, EndsWithAProgramOrAnError) {
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal("");
  std::vector<std::string> files = corpus();
  ASSERT_FALSE(files.empty());
  unsigned seed = setting("ADZE_FUZZ_SEED", 980),
           variants = setting("ADZE_FUZZ_VARIANTS", 60);
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    ASSERT_TRUE(bool(buffer));
    std::string json = (*buffer)->getBuffer().str();
    EXPECT_TRUE(normalizes(json)) << file;
    for (unsigned i = 0; i < variants; ++i)
      expectAnEnd(json, seed + i, file);
  }
}
