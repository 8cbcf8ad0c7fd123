//===- Failure.cpp - What the runner tells its user -----------------------===//

#include "lib/Runtime/Runner/Failure.h"

#include "adze/Support/ExitCode.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace adze::runner;

namespace {
struct DiagInfo {
  const char *id;
  adze::ExitCode exitCode;
};
} // namespace

static constexpr DiagInfo Table[] = {
#define ADZE_DIAG(Name, id, exit, summary) {id, adze::ExitCode::exit},
#include "adze/Support/Diagnostics.def"
};

bool adze::runner::fail(Failure &failure, DiagId id, const char *format, ...) {
  failure.id = id;
  va_list list;
  va_start(list, format);
  vsnprintf(failure.message, sizeof(failure.message), format, list);
  va_end(list);
  return false;
}

void adze::runner::addNote(Failure &failure, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(failure.note, sizeof(failure.note), format, list);
  va_end(list);
}

bool adze::runner::failForFile(Failure &failure, DiagId id, const char *path) {
  char reason[256];
  snprintf(reason, sizeof(reason), "%s", strerror(errno));
  if (reason[0] >= 'A' && reason[0] <= 'Z')
    reason[0] += 'a' - 'A';
  const char *verb = id == DiagId::CannotWrite ? "write" : "read";
  return fail(failure, id, "cannot %s '%s': %s", verb, path, reason);
}

bool adze::runner::failForMemory(Failure &failure, const char *what) {
  return fail(failure, DiagId::CallFailed, "no memory for %s", what);
}

/// Names from files may hold anything; none of it may steer a terminal.
static void print(const char *text) {
  for (; *text; ++text)
    fputc(static_cast<unsigned char>(*text) < ' ' || *text == 127 ? '?' : *text,
          stderr);
}

int adze::runner::report(const Failure &failure, const char *program) {
  const DiagInfo &info = Table[static_cast<int>(failure.id)];
  print(*failure.place ? failure.place : program);
  fputs(": error: ", stderr);
  print(failure.message);
  fprintf(stderr, " [%s]\n", info.id);
  if (*failure.note) {
    print(program);
    fputs(": note: ", stderr);
    print(failure.note);
    fputc('\n', stderr);
  }
  return static_cast<int>(info.exitCode);
}
