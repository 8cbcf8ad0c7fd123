//===- Package.h - From a lowered program to files --------------*- C++ -*-===//
//
// The emit stage. An artifact is a folder:
//
//   model.so      kernels, tables, runtime
//   model.h       typed C entry points for this model
//   adze.h        the interface that model.h builds on
//   weights.bin   absent if the program has no weights
//   guards.json   see docs/Guards.md
//   report.json   what was compiled: sizes, kernels, memory plan
//
// Equal programs give equal bytes, on any machine of one kind, from any folder
// and with any number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PACKAGE_PACKAGE_H
#define ADZE_PACKAGE_PACKAGE_H

#include "adze/Codegen/Target.h"
#include "adze/Frontend/WeightStore.h"
#include "adze/Package/WeightsWriter.h"
#include "adze/Support/TimeReport.h"

#include "mlir/IR/BuiltinOps.h"

namespace adze {

enum class PackageKind {
  Artifact, // the folder
  Object, // one relocatable object with the weights in it; exports NAME_get_api
  Program,  // an executable with weights and command line in it
  LlvmIr,   // text, after optimisation
  Assembly, // text
};

struct PackageOptions {
  std::string output; // folder or file; "-" for a file on the standard output
  std::string modelName; // empty: named after the output
  TargetDescription target;
  PackageKind kind = PackageKind::Artifact;
  unsigned threads = 0;           // 0: one for each CPU
  const Packer *packer = nullptr; // for weights that kernels want packed
  TimeReport *times = nullptr;    // gets the time of each kernel
};

/// Compiles and writes a program. `scheduled` is the module that `schedule`
/// made, `lowered` the module in the LLVM dialect that `lower` made of it. The
/// output appears whole or not at all.
llvm::Error writeArtifact(mlir::ModuleOp scheduled, mlir::ModuleOp lowered,
                          const frontend::WeightStore &weights,
                          const PackageOptions &options);

/// "out/my-model.adze" -> "my-model"
std::string modelNameOf(llvm::StringRef output);

/// The function of a module that runs the program; null if there is none.
mlir::func::FuncOp findProgram(mlir::ModuleOp module);

} // namespace adze

#endif // ADZE_PACKAGE_PACKAGE_H
