//===- Explain.cpp - adze explain -----------------------------------------===//

#include "Compilation.h"
#include "Inspect.h"
#include "VerbSupport.h"
#include "adze/Driver/Verbs.h"
#include "passes/Normalize/Passes.h"

namespace adze {

static std::string describe(const SourcePlace &place) {
  if (place.empty())
    return "an unknown place";
  return place.file + ":" + std::to_string(place.line);
}

/// The operators that end a graph: nothing in adze can run them.
static void addBreaks(Compilation &compilation, Outline &report) {
  Outline &list = report.list("graph breaks");
  for (const normalize::UnsupportedOperator &op :
       normalize::collectUnsupported(compilation.getModule())) {
    std::string place = describe(getPlace(op.firstLocation));
    list.item(op.name + " at " + place)
        .set("operator", op.name)
        .set("reason", op.reason)
        .set("calls", static_cast<int64_t>(op.count))
        .set("place", place);
  }
}

ExitCode explainVerb(const ExplainOptions &options, DiagnosticEngine &engine,
                     llvm::raw_ostream &out) {
  BuildOptions build;
  Compilation compilation(build, engine);
  if (!compilation.loadProgram(options.input))
    return engine.exitCode();
  Outline report;
  report.set("program", compilation.getProgram().model);
  addOperators(compilation.getProgram(), report);
  addGuards(compilation.getProgram(), report);
  if (!compilation.runStages(Stage::Import, Stage::Import))
    return engine.exitCode();
  addBreaks(compilation, report);
  report.print(options.json, out);
  return engine.exitCode();
}

} // namespace adze
