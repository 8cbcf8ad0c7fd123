//===- Failure.h - What the runner tells its user -------------------------===//
//
// Messages, ids and exit codes are those of adze itself.
//
//===----------------------------------------------------------------------===//
#ifndef ADZE_LIB_RUNTIME_RUNNER_FAILURE_H
#define ADZE_LIB_RUNTIME_RUNNER_FAILURE_H

#include <stdint.h>

namespace adze::runner {

enum class DiagId : uint8_t {
#define ADZE_DIAG(Name, ...) Name,
#include "adze/Support/Diagnostics.def"
};

struct Failure {
  DiagId id = DiagId::InternalError;
  char place[512] = ""; // "model.py:31"; empty: the runner speaks for itself
  char message[8192] = "";
  char note[8192] = "";
};

/// Fills `failure` and returns false.
[[gnu::format(printf, 3, 4)]] bool fail(Failure &failure, DiagId id,
                                        const char *format, ...);
[[gnu::format(printf, 2, 3)]] void addNote(Failure &failure, const char *format,
                                           ...);
/// "cannot read 'x.npy': no such file or directory", by errno.
bool failForFile(Failure &failure, DiagId id, const char *path);
bool failForMemory(Failure &failure, const char *what);

/// Prints it on the standard error; returns the exit code.
int report(const Failure &failure, const char *program);

} // namespace adze::runner

#endif
