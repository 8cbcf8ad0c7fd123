//===- Explain.cpp - adze explain -----------------------------------------===//

#include "Graphs.h"
#include "Inspect.h"
#include "VerbSupport.h"
#include "adze/Driver/Verbs.h"
#include "passes/Normalize/Passes.h"

namespace adze {

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

/// What compiles between the breaks: each graph as far as its kernels.
static void addGraphs(Compilation &compilation, Outline &report) {
  mlir::ScopedDiagnosticHandler quiet(
      &compilation.getContext(), [](mlir::Diagnostic &diagnostic) {
        // The report says what the warnings say.
        return mlir::success(diagnostic.getSeverity() ==
                             mlir::DiagnosticSeverity::Warning);
      });
  if (!compilation.runStages(Stage::Normalize, Stage::Normalize) ||
      !hasGraphBreaks(compilation))
    return;
  Outline &list = report.list("graphs between breaks");
  auto graphs = compileGraphs(compilation, Stage::Schedule);
  for (auto [number, summary] : llvm::enumerate(graphs)) {
    Outline &item =
        list.item("graph " + llvm::Twine(number) + ": " + summary.describe());
    item.set("graph", static_cast<int64_t>(number))
        .set("operators", summary.operators)
        .set("first", describe(summary.first))
        .set("last", describe(summary.last));
    if (summary.failure.empty())
      item.set("kernels", summary.kernels);
    else
      item.set("failure", summary.failure);
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
  addGraphs(compilation, report);
  report.print(options.json, out);
  return engine.exitCode();
}

} // namespace adze
