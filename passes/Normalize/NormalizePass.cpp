//===- NormalizePass.cpp - The pass and what explain asks -----------------===//

#include "passes/Normalize/Normalizer.h"

namespace adze::normalize {
#define GEN_PASS_DEF_NORMALIZE
#include "passes/Normalize/Passes.h.inc"
} // namespace adze::normalize

using namespace mlir;
using namespace adze;
using namespace adze::normalize;

static void merge(std::vector<UnsupportedOperator> &all,
                  ArrayRef<UnsupportedOperator> more) {
  for (const UnsupportedOperator &next : more) {
    auto known = llvm::find_if(all, [&](const UnsupportedOperator &one) {
      return one.name == next.name && one.reason == next.reason;
    });
    if (known == all.end())
      all.push_back(next);
    else
      known->count += next.count;
  }
}

DictionaryAttr normalize::detailsOf(const UnsupportedOperator &op) {
  Builder builder(op.firstLocation.getContext());
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("calls", builder.getI64IntegerAttr(op.count)),
       builder.getNamedAttr("reason", builder.getStringAttr(op.reason))});
}

static void report(const UnsupportedOperator &op, bool isError) {
  auto severity =
      isError ? DiagnosticSeverity::Error : DiagnosticSeverity::Warning;
  InFlightDiagnostic diagnostic =
      op.firstLocation.getContext()->getDiagEngine().emit(op.firstLocation,
                                                          severity);
  diagnostic << "unsupported operator " << op.name << " (" << op.count
             << (op.count == 1 ? " call)" : " calls)")
             << (isError ? ": " : " breaks the graph: ") << op.reason;
  diagnostic.getUnderlyingDiagnostic()->getMetadata().emplace_back(
      detailsOf(op));
}

/// Replaces the graphs by functions. Fails if a program is at fault.
static LogicalResult
normalizeModule(ModuleOp module,
                std::vector<UnsupportedOperator> &unsupported) {
  LogicalResult all = success();
  for (auto graph :
       llvm::make_early_inc_range(module.getOps<capture::GraphOp>())) {
    OpBuilder builder(graph);
    Normalizer normalizer(graph, builder);
    auto function = normalizer.run();
    merge(unsupported, normalizer.unsupportedOperators());
    if (failed(function))
      all = failure();
    else
      graph.erase();
  }
  return all;
}

namespace {
struct NormalizePass : normalize::impl::NormalizeBase<NormalizePass> {
  using NormalizeBase::NormalizeBase;

  void runOnOperation() override {
    std::vector<UnsupportedOperator> unsupported;
    LogicalResult done = normalizeModule(getOperation(), unsupported);
    bool isFault = failed(done) || (fullgraph && !unsupported.empty());
    for (const UnsupportedOperator &op : unsupported)
      report(op, isFault);
    if (isFault)
      signalPassFailure();
  }
};
} // namespace

std::vector<UnsupportedOperator>
normalize::collectUnsupported(ModuleOp module) {
  std::vector<UnsupportedOperator> unsupported;
  OwningOpRef<ModuleOp> copy = module.clone();
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  (void)normalizeModule(*copy, unsupported);
  return unsupported;
}
