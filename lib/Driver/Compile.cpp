//===- Compile.cpp - adze compile -----------------------------------------===//

#include "Compilation.h"
#include "Emit.h"
#include "Graphs.h"
#include "adze/Driver/Verbs.h"
#include "adze/Support/AtomicOutput.h"

namespace adze {

/// Reads the program, or its IR when the stages start in the middle.
static bool readInput(const CompileOptions &options, Compilation &compilation) {
  if (!options.startFrom || *options.startFrom == Stage::Import)
    return compilation.loadProgram(options.input);
  if (!options.weights.empty() && !compilation.loadProgram(options.weights))
    return false;
  return compilation.parseModule(options.input);
}

/// The IR after the last stage that ran.
static bool writeModule(const std::string &path, Compilation &compilation) {
  llvm::Error failure = writeAtomically(path, [&](llvm::raw_ostream &os) {
    printModule(compilation.getModule(), os);
    return llvm::Error::success();
  });
  bool isWritten = !failure;
  compilation.getEngine().error(std::move(failure), DiagId::CannotWrite);
  return isWritten;
}

static bool compile(const CompileOptions &options, Compilation &compilation) {
  Stage first = options.startFrom.value_or(Stage::Import);
  Stage last = options.lastStage();
  if (last < first) {
    compilation.getEngine().error(
        DiagId::BadUsage, "--start-from=" + getName(first) + " is after '" +
                              getName(last) + "', the last stage to run");
    return false;
  }
  std::string output =
      options.output.empty() ? defaultOutput(options) : options.output;
  if (!readInput(options, compilation) ||
      !compilation.runStages(first, last, options.dumpStagesTo))
    return false;
  // To stop after normalize is to look; a backend is to run.
  if (!options.stopAfter && hasGraphBreaks(compilation)) {
    reportGraphBreaks(compilation);
    return false;
  }
  return last == Stage::Emit ? emit(options.emit, output, compilation)
                             : writeModule(output, compilation);
}

static void printTimes(const TimeReport &times, TimeReportKind kind,
                       llvm::raw_ostream &out) {
  if (kind == TimeReportKind::Text)
    times.printText(llvm::errs());
  else if (kind == TimeReportKind::Json)
    times.printJson(out);
}

ExitCode compileVerb(const CompileOptions &options, DiagnosticEngine &engine,
                     llvm::raw_ostream &out) {
  Compilation compilation(options.build, engine);
  if (compile(options, compilation))
    printTimes(compilation.getTimes(), options.timeReport, out);
  return engine.exitCode();
}

} // namespace adze
