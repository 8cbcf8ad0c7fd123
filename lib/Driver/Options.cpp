//===- Options.cpp - What a user asks of each verb ------------------------===//

#include "adze/Driver/Options.h"

#include "llvm/Support/Path.h"

namespace adze {

static Stage stageOf(OutputKind emit) {
  switch (emit) {
  case OutputKind::Mlir:
    return Stage::Lower;
  case OutputKind::Artifact:
  case OutputKind::Object:
  case OutputKind::Executable:
  case OutputKind::Llvm:
  case OutputKind::Asm:
    return Stage::Emit;
  }
  llvm_unreachable("no such kind");
}

Stage CompileOptions::lastStage() const {
  Stage last = std::min(stageOf(emit), getInfo(backend).lastStage);
  return stopAfter ? std::min(*stopAfter, last) : last;
}

static llvm::StringRef extensionOf(OutputKind emit) {
  switch (emit) {
  case OutputKind::Artifact:
    return ".adze";
  case OutputKind::Object:
    return ".o";
  case OutputKind::Executable:
    return "";
  case OutputKind::Llvm:
    return ".ll";
  case OutputKind::Asm:
    return ".s";
  case OutputKind::Mlir:
    return ".mlir";
  }
  llvm_unreachable("no such kind");
}

std::string defaultOutput(const CompileOptions &options) {
  std::string stem = llvm::sys::path::stem(options.input).str();
  if (options.lastStage() == Stage::Emit)
    return stem + extensionOf(options.emit).str();
  return stem + "." + getName(options.lastStage()).str() + ".mlir";
}

} // namespace adze
