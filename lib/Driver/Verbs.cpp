//===- Verbs.cpp - From a command to its verb -----------------------------===//

#include "adze/Driver/Verbs.h"

#include "adze/Support/Log.h"

namespace adze {

ExitCode runCommand(const Command &command, DiagnosticEngine &engine,
                    llvm::raw_ostream &out) {
  setVerbosity(command.verbosity);
  struct Dispatch {
    DiagnosticEngine &engine;
    llvm::raw_ostream &out;
    ExitCode operator()(const CompileOptions &options) {
      return compileVerb(options, engine, out);
    }
    ExitCode operator()(const RunOptions &options) {
      return runVerb(options, engine, out);
    }
    ExitCode operator()(const VerifyOptions &options) {
      return verifyVerb(options, engine, out);
    }
    ExitCode operator()(const BenchOptions &options) {
      return benchVerb(options, engine, out);
    }
    ExitCode operator()(const CheckOptions &options) {
      return checkVerb(options, engine, out);
    }
    ExitCode operator()(const InspectOptions &options) {
      return inspectVerb(options, engine, out);
    }
    ExitCode operator()(const ExplainOptions &options) {
      return explainVerb(options, engine, out);
    }
  };
  return std::visit(Dispatch{engine, out}, command.verb);
}

} // namespace adze
