//===- Verify.h - Does a program compute what it should? ------------------===//
//
// Runs a Callable on inputs and compares what it gives: with saved answers, or
// with what another Callable gives. Differences are no errors here: they stand
// in the report. Errors are what kept a call from being made.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DRIVER_VERIFY_H
#define ADZE_DRIVER_VERIFY_H

#include "adze/Driver/Call.h"
#include "adze/Driver/Case.h"
#include "adze/Support/Diagnostics.h"

namespace adze {

/// What was compared after one call.
struct CallReport {
  std::string inputs; // "inputs.npz"
  std::vector<Comparison> comparisons;
};

struct VerifyReport {
  std::vector<CallReport> calls;
  bool isReproducible = true; // random programs: by seed

  int64_t numCompared() const;
  int64_t numDiffering() const;
  /// Something was compared, and all of it agrees.
  bool agrees() const;
};

/// Makes all calls of a case.
llvm::Expected<VerifyReport> verifyCase(Callable &program, const Case &saved);

/// One call with saved answers. Outputs that the answers lack, and answers that
/// no output stands for, differ.
llvm::Expected<CallReport> verifyCall(Callable &program, const Case &saved,
                                      const CaseCall &call);

/// One call of two programs. `exact`, where given, computes the same in
/// float64. Tolerances are those of `tolerance`, or of each output's type.
struct ReferencePrograms {
  Callable *reference;
  Callable *exact = nullptr;
};
llvm::Expected<CallReport>
verifyAgainst(Callable &program, const ReferencePrograms &references,
              llvm::StringRef name, llvm::ArrayRef<CallValue> inputs,
              std::optional<Tolerance> tolerance = std::nullopt);

/// Reports each difference, and that nothing was compared.
void reportDifferences(const VerifyReport &report, DiagnosticEngine &engine);

/// {"calls":[{"inputs","comparisons":[...]}],"compared","differing",
///  "reproducible"} as attributes of the current object.
void printJson(const VerifyReport &report, llvm::json::OStream &json);

} // namespace adze

#endif // ADZE_DRIVER_VERIFY_H
