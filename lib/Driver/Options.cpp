//===- Options.cpp - What a user asks of each verb ------------------------===//

#include "adze/Driver/Options.h"

#include "llvm/Support/Path.h"

namespace adze {

static Stage stageOf(EmitKind emit) {
  switch (emit) {
  case EmitKind::Mlir:
    return Stage::Lower;
  case EmitKind::Artifact:
  case EmitKind::Object:
  case EmitKind::Executable:
  case EmitKind::Llvm:
  case EmitKind::Asm:
    return Stage::Emit;
  }
  llvm_unreachable("no such kind");
}

Stage CompileOptions::lastStage() const {
  Stage last = std::min(stageOf(emit), getInfo(backend).lastStage);
  return stopAfter ? std::min(*stopAfter, last) : last;
}

static llvm::StringRef extensionOf(EmitKind emit) {
  switch (emit) {
  case EmitKind::Artifact:
    return ".adze";
  case EmitKind::Object:
    return ".o";
  case EmitKind::Executable:
    return "";
  case EmitKind::Llvm:
    return ".ll";
  case EmitKind::Asm:
    return ".s";
  case EmitKind::Mlir:
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
