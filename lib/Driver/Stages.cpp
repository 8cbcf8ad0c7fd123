//===- Stages.cpp - The stages of the compiler ----------------------------===//

#include "adze/Driver/Stages.h"

#include "llvm/Support/FormatVariadic.h"

namespace adze {

static constexpr StageInfo stages[] = {
#define ADZE_STAGE(Name, name, produces, help)                                 \
  {Stage::Name, name, produces, help},
#include "adze/Driver/Stages.def"
};

llvm::ArrayRef<StageInfo> allStages() { return stages; }

const StageInfo &getInfo(Stage stage) {
  return stages[static_cast<unsigned>(stage)];
}

std::optional<Stage> stageFromName(llvm::StringRef name) {
  for (const StageInfo &info : stages)
    if (info.name == name)
      return info.stage;
  return std::nullopt;
}

std::string getDumpName(Stage stage) {
  return llvm::formatv("{0,0+2}-{1}.mlir", static_cast<unsigned>(stage) + 1,
                       getName(stage));
}

static constexpr BackendInfo backends[] = {
    {Backend::Eager, "eager", Stage::Normalize,
     "interprets the program after 'normalize'"},
    {Backend::AotEager, "aot_eager", Stage::Joint,
     "interprets it after 'joint'"},
    {Backend::AotEagerDecompPartition, "aot_eager_decomp_partition",
     Stage::Partition, "interprets it after 'partition'"},
    {Backend::Inductor, "inductor", Stage::Emit, "runs native code"},
};

llvm::ArrayRef<BackendInfo> allBackends() { return backends; }

const BackendInfo &getInfo(Backend backend) {
  return backends[static_cast<unsigned>(backend)];
}

} // namespace adze
