//===- Files.h - Files read and written whole -----------------------------===//
#ifndef ADZE_LIB_RUNTIME_RUNNER_FILES_H
#define ADZE_LIB_RUNTIME_RUNNER_FILES_H

#include "lib/Runtime/Runner/Failure.h"
#include "lib/Runtime/Runner/Memory.h"

#include <limits.h>

namespace adze::runner {

/// A file or pipe, read to its end.
class InputFile {
public:
  bool read(const char *path, Failure &failure);
  Bytes bytes() const { return {memory.data(), size}; }

private:
  bool readAll(int file, const char *path, Failure &failure);
  Memory memory;
  uint64_t size = 0;
};

/// Whether there is a pipe or device of that name.
bool isSpecialFile(const char *path);

/// Written beside its place under another name and renamed by commit(), so
/// that it appears whole or not at all; what is not committed disappears.
/// Pipes and devices are written to in place.
class AtomicFile {
public:
  AtomicFile() = default;
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;
  ~AtomicFile();

  bool open(const char *path, Failure &failure);
  bool write(Bytes bytes, Failure &failure);
  /// No more is written; the file is not in its place yet.
  bool close(Failure &failure);
  bool commit(Failure &failure);
  const char *shownAs() const { return asked; }

private:
  bool openTemporary(Failure &failure);

  int file = -1;
  char asked[PATH_MAX] = "";     // by the user
  char place[PATH_MAX] = "";     // with links resolved
  char temporary[PATH_MAX] = ""; // "" if there is none
};

} // namespace adze::runner

#endif
