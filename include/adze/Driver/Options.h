//===- Options.h - What a user asks of each verb --------------------------===//
//
// Plain structs: CommandLine.h fills them, tests write them by hand.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DRIVER_OPTIONS_H
#define ADZE_DRIVER_OPTIONS_H

#include "adze/Driver/Stages.h"
#include "adze/Support/Diagnostics.h"

#include <variant>

namespace adze {

enum class OutputKind : uint8_t {
  Artifact,
  Object,
  Executable,
  Llvm,
  Asm,
  Mlir
};
enum class TimeReportKind : uint8_t { None, Text, Json };

/// How a program becomes native code; shared by compile and verify.
struct BuildOptions {
  bool fullgraph = false;
  std::string targetCpu = "native"; // or x86-64-v2, x86-64-v3, x86-64-v4
  int threads = 0;                  // of the compiler; 0: as many as CPUs
};

struct CompileOptions {
  std::string input;
  std::string output;  // empty: see defaultOutput()
  std::string weights; // with startFrom: the .pt2 that the IR was made from
  Backend backend = Backend::Inductor;
  BuildOptions build;
  OutputKind emit = OutputKind::Artifact;
  std::optional<Stage> stopAfter, startFrom;
  std::string dumpStagesTo; // empty: nowhere
  TimeReportKind timeReport = TimeReportKind::None;

  /// The last stage that runs.
  Stage lastStage() const;
};

/// The file or folder that compile writes: the name of the input with another
/// ending, in the current folder.
std::string defaultOutput(const CompileOptions &options);

struct RunOptions {
  std::string artifact;
  std::string inputs;    // npz; empty for a program without inputs
  std::string output;    // empty: NAME.outputs.npz in the current folder
  std::string mutated;   // npz for written inputs and buffers; empty: none
  std::string loadState; // file; empty: the initial state
  std::string saveState; // file; empty: not saved
  uint64_t seed = 0;
  int threads = 0;
};

struct VerifyOptions {
  std::string path;     // case folder, model.pt2 or model.adze
  std::string inputs;   // npz
  std::string expected; // npz
  Backend backend = Backend::Inductor;
  BuildOptions build;
  bool json = false;
  unsigned rounds = 3; // of inputs made from the guards
  uint64_t seed = 0;   // of these
  std::optional<double> rtol, atol;
  int threads = 0;
};

struct BenchOptions {
  std::string artifact;
  std::string inputs; // npz; empty: made from the guards
  std::string output; // npz for the outputs
  bool json = false;
  int threads = 0;
  double seconds = 0.5;   // measured, at least
  unsigned minCalls = 10; // measured, at least
  unsigned warmup = 3;    // calls before
  uint64_t seed = 0;      // of made inputs
};

struct CheckOptions {
  std::string artifact;
  std::string inputs;
  bool json = false;
};

struct InspectOptions {
  std::string path; // model.adze or model.pt2
  bool json = false;
};

struct ExplainOptions {
  std::string input;
  bool json = false;
};

using VerbOptions =
    std::variant<CompileOptions, RunOptions, VerifyOptions, BenchOptions,
                 CheckOptions, InspectOptions, ExplainOptions>;

struct Command {
  DiagnosticFormat diagnosticsFormat = DiagnosticFormat::Text;
  unsigned verbosity = 0;
  VerbOptions verb;
};

} // namespace adze

#endif // ADZE_DRIVER_OPTIONS_H
