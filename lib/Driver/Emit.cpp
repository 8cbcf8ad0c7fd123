//===- Emit.cpp - The last stage: files -----------------------------------===//

#include "Emit.h"

#include "adze/Package/KernelPacker.h"
#include "adze/Package/Package.h"

namespace adze {

static PackageKind getKind(OutputKind kind) {
  switch (kind) {
  case OutputKind::Artifact:
    return PackageKind::Artifact;
  case OutputKind::Object:
    return PackageKind::Object;
  case OutputKind::Llvm:
    return PackageKind::LlvmIr;
  case OutputKind::Asm:
    return PackageKind::Assembly;
  case OutputKind::Executable:
    return PackageKind::Program;
  case OutputKind::Mlir:
    break;
  }
  llvm_unreachable("MLIR is not emitted");
}

static llvm::Error write(OutputKind kind, llvm::StringRef path,
                         Compilation &compilation) {
  if (!compilation.getScheduled())
    return makeError(DiagId::BadUsage,
                     "nothing can start from 'emit': it needs the IR before "
                     "'lower' too; use --start-from=lower");
  if (!compilation.hasProgram())
    return makeError(DiagId::BadUsage,
                     "the weights are not there: name the program that the IR "
                     "was made from with --weights");
  llvm::Expected<TargetDescription> target =
      TargetDescription::create(compilation.build.targetCpu);
  if (!target)
    return makeError(DiagId::BadUsage, llvm::toString(target.takeError()));
  KernelPacker packer;
  PackageOptions options;
  options.packer = &packer;
  options.output = path.str();
  options.target = std::move(*target);
  options.kind = getKind(kind);
  options.threads = static_cast<unsigned>(compilation.build.threads);
  options.times = &compilation.getTimes();
  return writeArtifact(compilation.getScheduled(), compilation.getModule(),
                       *compilation.getProgram().weights, options);
}

bool emit(OutputKind kind, llvm::StringRef path, Compilation &compilation) {
  StageTimer timer(compilation.getTimes(), getName(Stage::Emit));
  llvm::Error failure = write(kind, path, compilation);
  bool isDone = !failure;
  compilation.getEngine().error(std::move(failure), DiagId::UnsupportedFeature);
  return isDone;
}

} // namespace adze
