//===- Inspect.cpp - adze inspect -----------------------------------------===//

#include "Inspect.h"
#include "VerbSupport.h"
#include "adze/Driver/Verbs.h"
#include "adze/Frontend/Frontend.h"
#include "llvm/Support/FileSystem.h"

namespace adze {

static llvm::Error inspect(const InspectOptions &options, Outline &report) {
  if (llvm::sys::fs::is_directory(options.path))
    return inspectArtifact(options.path, report);
  llvm::Expected<frontend::LoadedProgram> loaded = loadProgram(options.path);
  if (!loaded)
    return loaded.takeError();
  inspectProgram(*loaded, report);
  return llvm::Error::success();
}

ExitCode inspectVerb(const InspectOptions &options, DiagnosticEngine &engine,
                     llvm::raw_ostream &out) {
  Outline report;
  if (llvm::Error failure = inspect(options, report))
    return fail(engine, std::move(failure));
  report.print(options.json, out);
  return ExitCode::Done;
}

} // namespace adze
