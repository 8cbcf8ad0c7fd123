//===- Zip.h - The archives that NumPy's savez writes ---------------------===//
#ifndef ADZE_LIB_RUNTIME_RUNNER_ZIP_H
#define ADZE_LIB_RUNTIME_RUNNER_ZIP_H

#include "lib/Runtime/Runner/Failure.h"
#include "lib/Runtime/Runner/Files.h"
#include "lib/Runtime/Runner/Memory.h"

namespace adze::runner {

/// An entry as the directory of the archive describes it.
struct ZipEntry {
  Bytes name;
  uint32_t flags = 0;
  uint32_t method = 0;
  uint32_t crc = 0;
  uint64_t storedBytes = 0;
  uint64_t bytes = 0;
  uint64_t place = 0; // of its own header
};

/// Steps through the entries of an archive in memory. Failures name `file`.
class ZipReader {
public:
  ZipReader(Bytes archive, const char *file, Failure &failure)
      : archive(archive), file(file), failure(failure) {}

  bool open();
  bool isAtEnd() const { return entriesLeft == 0; }
  bool next(ZipEntry &entry);
  /// The bytes of an entry, which must be stored and have the right CRC.
  bool read(const ZipEntry &entry, Bytes &content);

private:
  bool malformed(const char *what);
  bool malformed(const ZipEntry &entry, const char *what);
  bool openLarge(uint64_t end);
  bool readLargeSizes(ZipEntry &entry, Bytes extra);

  Bytes archive;
  const char *file;
  Failure &failure;
  uint64_t cursor = 0;
  uint64_t entriesLeft = 0;
};

/// Writes an archive of stored entries without times, below 4 GiB.
class ZipWriter {
public:
  ZipWriter(AtomicFile &file, Failure &failure)
      : file(file), failure(failure) {}
  ZipWriter(const ZipWriter &) = delete;
  ZipWriter &operator=(const ZipWriter &) = delete;
  ~ZipWriter();

  /// The content is `head`, then `body`.
  bool add(const char *name, Bytes head, Bytes body);
  bool finish();

private:
  struct Written {
    char *name;
    uint32_t crc, bytes, place;
  };
  bool write(const void *data, uint64_t size);
  bool reserve();

  AtomicFile &file;
  Failure &failure;
  Written *entries = nullptr;
  uint64_t count = 0, capacity = 0, position = 0, directoryBytes = 0;
};

/// Goes on from `crc`, the one of what came before (0 at first).
uint32_t crc32(uint32_t crc, Bytes bytes);

} // namespace adze::runner

#endif
