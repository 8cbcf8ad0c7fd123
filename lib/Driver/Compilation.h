//===- Compilation.h - A program on its way through the stages ------------===//

#ifndef ADZE_LIB_DRIVER_COMPILATION_H
#define ADZE_LIB_DRIVER_COMPILATION_H

#include "MlirDiagnostics.h"
#include "adze/Driver/Options.h"
#include "adze/Frontend/Frontend.h"
#include "adze/Support/Progress.h"
#include "adze/Support/TimeReport.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class ThreadPoolInterface;
}

namespace adze {

/// What the stages work on. All failures are reported to the engine before a
/// function returns false.
class Compilation {
public:
  Compilation(const BuildOptions &build, DiagnosticEngine &engine);
  ~Compilation();

  mlir::MLIRContext &getContext() { return context; }
  mlir::ModuleOp getModule() { return module.get(); }
  /// The module as it was before `lower`, which `emit` reads too; null unless
  /// that stage ran.
  mlir::ModuleOp getScheduled() { return scheduled.get(); }
  void keepScheduled() { scheduled = module->clone(); }
  void setModule(mlir::OwningOpRef<mlir::ModuleOp> newModule) {
    module = std::move(newModule);
  }
  /// Leaves none behind.
  mlir::OwningOpRef<mlir::ModuleOp> takeModule() { return std::move(module); }
  bool hasProgram() const { return program.has_value(); }
  const frontend::LoadedProgram &getProgram() const { return *program; }
  DiagnosticEngine &getEngine() { return engine; }
  TimeReport &getTimes() { return times; }

  /// Reads a .pt2, with its weights.
  bool loadProgram(llvm::StringRef path);
  /// Reads MLIR text, to go on from some stage.
  bool parseModule(llvm::StringRef path);

  /// Runs the stages from `first` to `last`; IR after each goes to `dumpTo`
  /// unless that is empty. `emit`, the last stage, is not among them: what it
  /// writes depends on who asks (see Emit.h). A program with graph breaks is
  /// refused after `normalize`.
  bool runStages(Stage first, Stage last, llvm::StringRef dumpTo = "");

  const BuildOptions &build;

private:
  bool runStage(Stage stage);
  bool dump(Stage stage, llvm::StringRef folder);

  DiagnosticEngine &engine;
  std::unique_ptr<llvm::ThreadPoolInterface> pool; // outlives the context
  mlir::MLIRContext context;
  ScopedMlirDiagnostics diagnostics;
  std::optional<frontend::LoadedProgram> program;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OwningOpRef<mlir::ModuleOp> scheduled;
  TimeReport times;
};

/// The part that differs from stage to stage: see StageRunners.cpp.
bool runStageBody(Stage stage, Compilation &compilation);

/// Makes known all dialects that any stage reads or produces.
void registerDialects(mlir::DialectRegistry &registry);

/// The module as text that --start-from reads again: with locations.
void printModule(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace adze

#endif // ADZE_LIB_DRIVER_COMPILATION_H
