//===- Verbs.h - What adze can be asked to do -----------------------------===//
//
// One function per verb. Results go to `out`, everything else through the
// engine. Each returns the exit code.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DRIVER_VERBS_H
#define ADZE_DRIVER_VERBS_H

#include "adze/Driver/Options.h"

namespace adze {

ExitCode compileVerb(const CompileOptions &options, DiagnosticEngine &engine,
                     llvm::raw_ostream &out);
ExitCode runVerb(const RunOptions &options, DiagnosticEngine &engine,
                 llvm::raw_ostream &out);
ExitCode verifyVerb(const VerifyOptions &options, DiagnosticEngine &engine,
                    llvm::raw_ostream &out);
ExitCode benchVerb(const BenchOptions &options, DiagnosticEngine &engine,
                   llvm::raw_ostream &out);
ExitCode checkVerb(const CheckOptions &options, DiagnosticEngine &engine,
                   llvm::raw_ostream &out);
ExitCode inspectVerb(const InspectOptions &options, DiagnosticEngine &engine,
                     llvm::raw_ostream &out);
ExitCode explainVerb(const ExplainOptions &options, DiagnosticEngine &engine,
                     llvm::raw_ostream &out);

/// Runs the verb of a command.
ExitCode runCommand(const Command &command, DiagnosticEngine &engine,
                    llvm::raw_ostream &out);

} // namespace adze

#endif // ADZE_DRIVER_VERBS_H
