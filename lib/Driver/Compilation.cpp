//===- Compilation.cpp - A program on its way through the stages ----------===//

#include "Compilation.h"

#include "Graphs.h"
#include "Inspect.h"
#include "adze/Support/AtomicOutput.h"
#include "adze/Support/Log.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ThreadPool.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace adze {

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

Compilation::Compilation(const BuildOptions &build, DiagnosticEngine &engine)
    : build(build), engine(engine),
      context(makeRegistry(), MLIRContext::Threading::DISABLED),
      diagnostics(&context, engine) {
  context.loadAllAvailableDialects();
  if (build.threads == 1)
    return;
  pool = std::make_unique<llvm::DefaultThreadPool>(
      llvm::hardware_concurrency(build.threads));
  context.setThreadPool(*pool);
}

Compilation::~Compilation() = default;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

bool Compilation::loadProgram(llvm::StringRef path) {
  logInfo("reading " + path);
  llvm::Expected<frontend::LoadedProgram> loaded = adze::loadProgram(path);
  if (!loaded) {
    engine.error(loaded.takeError(), DiagId::BadArchive);
    return false;
  }
  program = std::move(*loaded);
  return true;
}

bool Compilation::parseModule(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    engine.error(makeFileError(DiagId::CannotRead, path, buffer.getError()),
                 DiagId::CannotRead);
    return false;
  }
  diagnostics.setErrorId(DiagId::BadModule);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(sources, &context);
  return static_cast<bool>(module);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void printModule(ModuleOp module, llvm::raw_ostream &os) {
  OpPrintingFlags flags;
  flags.enableDebugInfo();
  module->print(os, flags);
  os << '\n';
}

bool Compilation::dump(Stage stage, llvm::StringRef folder) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, getDumpName(stage));
  std::error_code code = llvm::sys::fs::create_directories(folder);
  llvm::Error failure = code
                            ? makeFileError(DiagId::CannotWrite, folder, code)
                            : writeAtomically(path, [&](llvm::raw_ostream &os) {
                                printModule(getModule(), os);
                                return llvm::Error::success();
                              });
  bool isWritten = !failure;
  engine.error(std::move(failure), DiagId::CannotWrite);
  return isWritten;
}

/// Up to the end of normalize an error is the program's; later it is ours.
static DiagId errorIdOf(Stage stage) {
  return stage <= Stage::Normalize ? DiagId::BadProgram : DiagId::InternalError;
}

bool Compilation::runStage(Stage stage) {
  logInfo("stage " + getName(stage));
  diagnostics.setErrorId(errorIdOf(stage));
  unsigned errorsBefore = engine.errors();
  StageTimer timer(times, getName(stage));
  bool isDone = runStageBody(stage, *this);
  if (!isDone && engine.errors() == errorsBefore)
    engine.error(DiagId::InternalError,
                 "stage '" + getName(stage) + "' failed without saying why");
  return isDone;
}

bool Compilation::runStages(Stage first, Stage last, llvm::StringRef dumpTo) {
  if (first <= Stage::Normalize && last > Stage::Normalize)
    return runStages(first, Stage::Normalize, dumpTo) &&
           runStages(Stage::Joint, last, dumpTo);
  if (first > Stage::Normalize && hasGraphBreaks(*this)) {
    reportGraphBreaks(*this);
    return false;
  }
  Progress progress(getVerbosity() > 0);
  for (const StageInfo &info : allStages()) {
    if (info.stage < first || info.stage > last || info.stage == Stage::Emit)
      continue;
    progress.step(static_cast<unsigned>(info.stage) + 1, allStages().size(),
                  info.name);
    if (!runStage(info.stage)) {
      progress.clear();
      return false;
    }
    if (!dumpTo.empty() && !dump(info.stage, dumpTo))
      return false;
  }
  return true;
}

} // namespace adze
