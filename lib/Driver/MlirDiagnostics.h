//===- MlirDiagnostics.h - MLIR's diagnostics through our engine ----------===//

#ifndef ADZE_LIB_DRIVER_MLIRDIAGNOSTICS_H
#define ADZE_LIB_DRIVER_MLIRDIAGNOSTICS_H

#include "adze/Support/Diagnostics.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

namespace adze {

/// Passes what MLIR reports to an engine, while it lives. Errors get the id of
/// the current phase, except those that say "unsupported" first: they get an id
/// of their own, and name the operator that follows.
class ScopedMlirDiagnostics {
public:
  ScopedMlirDiagnostics(mlir::MLIRContext *context, DiagnosticEngine &engine);

  /// What an error means that says nothing else.
  void setErrorId(DiagId id) { errorId = id; }

private:
  Diagnostic convert(mlir::Diagnostic &diagnostic) const;

  DiagnosticEngine &engine;
  DiagId errorId = DiagId::InternalError;
  mlir::ScopedDiagnosticHandler handler;
};

/// The place in the traced program, or in a file of MLIR, that a location
/// names; empty where it names none.
SourcePlace getPlace(mlir::Location location);

} // namespace adze

#endif // ADZE_LIB_DRIVER_MLIRDIAGNOSTICS_H
