//===- InspectArtifact.cpp - adze inspect model.adze ----------------------===//

#include "Inspect.h"
#include "adze/Driver/Artifact.h"
#include "adze/Support/Json.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace adze {

static void addValue(Outline &list, const ValueSpec &spec) {
  Outline &item = list.item(spec.describe());
  item.set("name", spec.name);
  item.set("type", llvm::StringRef(spec.describe()).split(": ").second);
  if (spec.isConstant)
    item.setFlag("constant", true);
  if (spec.isMutated)
    item.setFlag("mutated", true);
}

static void addStates(Outline &report, const Artifact &artifact) {
  Outline &list = report.list("states");
  for (int64_t i = 0; i < artifact.info().state_count; ++i) {
    adze_state_info state = {};
    artifact.api().state_info(artifact.model(), i, &state);
    list.item(state.name)
        .set("name", state.name)
        .set("type", artifact.signature().states[i].describe())
        .set("bytes", static_cast<int64_t>(state.bytes));
  }
}

static void addWeights(Outline &report, const Artifact &artifact) {
  Outline &list = report.list("weights");
  for (int64_t i = 0; i < artifact.info().weight_count; ++i) {
    adze_weight_info weight = {};
    artifact.api().weight_info(artifact.model(), i, &weight);
    std::string names =
        llvm::join(weight.names, weight.names + weight.name_count, " = ");
    DType dtype = dtypeFromPt2(weight.dtype).value_or(DType::Float32);
    Outline &item = list.item(names);
    item.set("names", names)
        .set("type", describeType(dtype, {weight.shape,
                                          static_cast<size_t>(weight.rank)}))
        .set("bytes", static_cast<int64_t>(weight.bytes));
    if (*weight.layout)
      item.set("layout", weight.layout);
  }
}

static void addGuards(Outline &report, const Artifact &artifact) {
  Outline &list = report.list("guards");
  for (int64_t i = 0; i < artifact.info().guard_count; ++i) {
    adze_guard_info guard = {};
    artifact.api().guard_info(artifact.model(), i, &guard);
    list.item(llvm::Twine(guard.id) + "  " + guard.expression)
        .set("id", guard.id)
        .set("expression", guard.expression)
        .set("origin", guard.origin);
  }
}

static void addFiles(Outline &report, llvm::StringRef folder) {
  Outline &list = report.list("files");
  for (llvm::StringRef name : {"model.so", "model.h", "adze.h", "weights.bin",
                               "guards.json", "report.json"}) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    uint64_t size;
    if (!llvm::sys::fs::file_size(path, size))
      list.item(name)
          .set("name", name)
          .set("bytes", static_cast<int64_t>(size));
  }
}

/// The kernels that report.json lists: "kernels": [{"name", "kind", ...}].
static llvm::Error addKernels(Outline &report, llvm::StringRef folder) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "report.json");
  llvm::Expected<llvm::json::Value> value = readJson(path, DiagId::BadArtifact);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Array *kernels =
      object ? object->getArray("kernels") : nullptr;
  if (!kernels)
    return llvm::Error::success();
  Outline &list = report.list("kernels");
  for (const llvm::json::Value &entry : *kernels) {
    const llvm::json::Object *kernel = entry.getAsObject();
    if (!kernel)
      continue;
    llvm::StringRef name = kernel->getString("name").value_or("");
    Outline &item = list.item(name);
    item.set("name", name);
    for (const auto &[key, field] : *kernel)
      if (llvm::StringRef(key) != "name") {
        if (std::optional<int64_t> number = field.getAsInteger())
          item.set(key, *number);
        else if (std::optional<llvm::StringRef> text = field.getAsString())
          item.set(key, *text);
      }
  }
  return llvm::Error::success();
}

static void addModel(Outline &report, const adze_model_info &info) {
  report.set("model", info.name)
      .set("producer", info.producer)
      .set("target", info.target_cpu)
      .set("cpu features", "0x" + llvm::utohexstr(info.cpu_features))
      .set("weights bytes", static_cast<int64_t>(info.weights_bytes))
      .set("weights digest", "0x" + llvm::utohexstr(info.weights_digest))
      .setFlag("random", info.is_random)
      .setFlag("stateful", info.is_stateful);
}

llvm::Error inspectArtifact(llvm::StringRef folder, Outline &report) {
  llvm::Expected<std::unique_ptr<Artifact>> artifact = Artifact::load(folder);
  if (!artifact)
    return artifact.takeError();
  addModel(report, (*artifact)->info());
  Outline &inputs = report.list("inputs");
  for (const ValueSpec &spec : (*artifact)->signature().inputs)
    addValue(inputs, spec);
  Outline &outputs = report.list("outputs");
  for (const ValueSpec &spec : (*artifact)->signature().outputs)
    addValue(outputs, spec);
  addStates(report, **artifact);
  addWeights(report, **artifact);
  addGuards(report, **artifact);
  addFiles(report, folder);
  return addKernels(report, folder);
}

} // namespace adze
