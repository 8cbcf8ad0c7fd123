//===- Graphs.cpp - What of a program with graph breaks compiles ----------===//

#include "Graphs.h"

#include "adze/Codegen/EmitObject.h"
#include "dialects/Kernel/Kernel.h"
#include "passes/Normalize/Passes.h"

using namespace mlir;

namespace adze {

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string counted(int64_t count, llvm::StringRef what) {
  return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
}

std::string describe(const SourcePlace &place) {
  if (place.empty())
    return "an unknown place";
  return place.line > 0 ? place.file + ":" + std::to_string(place.line)
                        : place.file;
}

/// "model.py:10 to model.py:14"
static std::string describeRange(const SourcePlace &first,
                                 const SourcePlace &last) {
  std::string text = describe(first), end = describe(last);
  return text == end ? text : text + " to " + end;
}

std::string GraphSummary::describe() const {
  return counted(operators, "operator") + ", " + describeRange(first, last) +
         (failure.empty() ? ", compiles to " + counted(kernels, "kernel")
                          : ", does not compile: " + failure);
}

//===----------------------------------------------------------------------===//
// One graph
//===----------------------------------------------------------------------===//

/// The first and the last place in the order of the program; in one file, the
/// smallest and the largest line.
static void readPlaces(func::FuncOp graph, GraphSummary &summary) {
  auto isSmaller = [](const SourcePlace &a, const SourcePlace &b) {
    return a.file == b.file && a.line < b.line;
  };
  for (Operation &op : graph.getBody().front().without_terminator()) {
    SourcePlace place = getPlace(op.getLoc());
    if (place.empty())
      continue;
    if (summary.first.empty() || isSmaller(place, summary.first))
      summary.first = place;
    if (!isSmaller(place, summary.last))
      summary.last = place;
  }
}

/// Machine code, which is thrown away.
static llvm::Error emitObjects(Compilation &compilation) {
  auto target = TargetDescription::create(compilation.build.targetCpu);
  if (!target)
    return target.takeError();
  auto threads = static_cast<unsigned>(compilation.build.threads);
  return compileModule(compilation.getModule(), *target, threads).takeError();
}

/// Runs the stages on a module that holds one graph.
static bool runStages(Compilation &compilation, Stage last,
                      GraphSummary &summary) {
  for (const StageInfo &info : allStages()) {
    if (info.stage <= Stage::Normalize || info.stage > last ||
        info.stage == Stage::Emit)
      continue;
    if (!runStageBody(info.stage, compilation))
      return false;
    if (info.stage == Stage::Schedule)
      summary.kernels =
          llvm::range_size(compilation.getModule().getOps<kernel::FuncOp>());
  }
  llvm::Error failure =
      last == Stage::Emit ? emitObjects(compilation) : llvm::Error::success();
  if (!failure)
    return true;
  summary.failure = llvm::toString(std::move(failure));
  return false;
}

static OwningOpRef<ModuleOp> moduleOf(func::FuncOp graph) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(graph.getLoc());
  auto copy = cast<func::FuncOp>(graph->clone());
  copy.setPublic();
  module->push_back(copy);
  return module;
}

static GraphSummary compileGraph(Compilation &compilation, func::FuncOp graph,
                                 Stage last) {
  GraphSummary summary;
  Block &body = graph.getBody().front();
  summary.operators = llvm::range_size(body.without_terminator());
  readPlaces(graph, summary);
  compilation.setModule(moduleOf(graph));
  ScopedDiagnosticHandler collect(
      &compilation.getContext(), [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            summary.failure.empty())
          summary.failure = diagnostic.str();
        return success();
      });
  if (!runStages(compilation, last, summary) && summary.failure.empty())
    summary.failure = "a stage failed without saying why";
  return summary;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

bool hasGraphBreaks(Compilation &compilation) {
  return normalize::isGraphBreak(compilation.getModule());
}

std::vector<GraphSummary> compileGraphs(Compilation &compilation, Stage last) {
  OwningOpRef<ModuleOp> program = compilation.takeModule();
  std::vector<GraphSummary> summaries;
  for (func::FuncOp graph : normalize::findGraphs(*program))
    summaries.push_back(compileGraph(compilation, graph, last));
  compilation.setModule(std::move(program));
  return summaries;
}

static DiagnosticNote makeNote(int64_t number, const GraphSummary &summary) {
  DiagnosticNote note;
  note.message = "graph " + std::to_string(number) + ": " + summary.describe();
  note.place = summary.first;
  note.details = {{"graph", number},
                  {"operators", summary.operators},
                  {"first", describe(summary.first)},
                  {"last", describe(summary.last)}};
  if (summary.failure.empty())
    note.details.emplace_back("kernels", summary.kernels);
  else
    note.details.emplace_back("failure", summary.failure);
  return note;
}

void reportGraphBreaks(Compilation &compilation) {
  int64_t breaks = normalize::countBreaks(compilation.getModule());
  Diagnostic diagnostic;
  diagnostic.id = DiagId::GraphBreak;
  diagnostic.message = "the program has " + counted(breaks, "graph break") +
                       ": neither an artifact nor the interpreter can run "
                       "operators that adze does not support";
  auto graphs = compileGraphs(compilation, Stage::Emit);
  for (auto [number, summary] : llvm::enumerate(graphs))
    diagnostic.notes.push_back(makeNote(number, summary));
  diagnostic.details = {{"breaks", breaks},
                        {"graphs", static_cast<int64_t>(graphs.size())}};
  compilation.getEngine().report(diagnostic);
}

} // namespace adze
