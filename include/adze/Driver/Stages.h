//===- Stages.h - The stages of the compiler ------------------------------===//

#ifndef ADZE_DRIVER_STAGES_H
#define ADZE_DRIVER_STAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace adze {

enum class Stage : uint8_t {
#define ADZE_STAGE(Name, ...) Name,
#include "adze/Driver/Stages.def"
};

struct StageInfo {
  Stage stage;
  llvm::StringRef name;     // "normalize"
  llvm::StringRef produces; // "prim"
  llvm::StringRef help;
};

/// In the order in which they run.
llvm::ArrayRef<StageInfo> allStages();
const StageInfo &getInfo(Stage stage);
inline llvm::StringRef getName(Stage stage) { return getInfo(stage).name; }
std::optional<Stage> stageFromName(llvm::StringRef name);

/// "02-normalize.mlir": what --dump-stages-to calls the IR after a stage.
std::string getDumpName(Stage stage);

/// How far a program goes before it is run: at a depth of one's choice, so that
/// a user can tell which part is at fault.
enum class Backend : uint8_t {
  Eager,                   // normalize, then the interpreter
  AotEager,                // joint, then the interpreter
  AotEagerDecompPartition, // partition, then the interpreter
  Inductor                 // all stages: native code
};

struct BackendInfo {
  Backend backend;
  llvm::StringRef name;
  Stage lastStage;
  llvm::StringRef help;
};

llvm::ArrayRef<BackendInfo> allBackends();
const BackendInfo &getInfo(Backend backend);
inline bool isInterpreted(Backend backend) {
  return backend != Backend::Inductor;
}

} // namespace adze

#endif // ADZE_DRIVER_STAGES_H
