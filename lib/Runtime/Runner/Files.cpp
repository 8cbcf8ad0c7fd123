//===- Files.cpp - Files read and written whole ---------------------------===//

#include "lib/Runtime/Runner/Files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace adze::runner;

//===- Reading --------------------------------------------------------------//

/// How much to make room for; the file may still be another size.
static uint64_t expectedBytes(int file) {
  struct stat status;
  bool isKnown = !fstat(file, &status) && S_ISREG(status.st_mode);
  return isKnown ? static_cast<uint64_t>(status.st_size) + 1 : 1 << 16;
}

bool InputFile::readAll(int file, const char *path, Failure &failure) {
  uint64_t capacity = expectedBytes(file);
  if (!memory.allocate(capacity))
    return failForMemory(failure, path);
  for (;;) {
    if (size == capacity) {
      Memory larger;
      capacity *= 2;
      if (!larger.allocate(capacity))
        return failForMemory(failure, path);
      memcpy(larger.data(), memory.data(), size);
      memory = static_cast<Memory &&>(larger);
    }
    ssize_t got = ::read(file, memory.data() + size, capacity - size);
    if (got == 0)
      return true;
    if (got > 0)
      size += static_cast<uint64_t>(got);
    else if (errno != EINTR)
      return failForFile(failure, DiagId::CannotRead, path);
  }
}

bool InputFile::read(const char *path, Failure &failure) {
  int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return failForFile(failure, DiagId::CannotRead, path);
  bool isRead = readAll(file, path, failure);
  ::close(file);
  return isRead;
}

//===- Writing --------------------------------------------------------------//

bool adze::runner::isSpecialFile(const char *path) {
  struct stat status;
  return !stat(path, &status) && !S_ISREG(status.st_mode) &&
         !S_ISDIR(status.st_mode);
}

/// "dir/out.npz" -> "dir/.out.npz.tmp-1234-0"; false if that is too long.
static bool nameTemporary(const char *place, int attempt, char *temporary) {
  const char *slash = strrchr(place, '/');
  const char *name = slash ? slash + 1 : place;
  int length =
      snprintf(temporary, PATH_MAX, "%.*s.%s.tmp-%d-%d",
               static_cast<int>(name - place), place, name, getpid(), attempt);
  return length > 0 && length < PATH_MAX;
}

bool AtomicFile::openTemporary(Failure &failure) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    if (!nameTemporary(place, attempt, temporary))
      errno = ENAMETOOLONG;
    else
      file = ::open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0)
      return true;
    if (errno != EEXIST)
      break;
  }
  temporary[0] = 0;
  return failForFile(failure, DiagId::CannotWrite, asked);
}

bool AtomicFile::open(const char *path, Failure &failure) {
  if (strlen(path) >= sizeof(asked)) {
    errno = ENAMETOOLONG;
    return failForFile(failure, DiagId::CannotWrite, path);
  }
  strcpy(asked, path);
  // A link stays a link; a file that does not exist yet has no real path.
  if (!realpath(path, place))
    strcpy(place, path);
  struct stat status;
  if (!stat(place, &status) && S_ISDIR(status.st_mode)) {
    errno = EISDIR; // as rename would say, when other files are in place
    return failForFile(failure, DiagId::CannotWrite, path);
  }
  if (!isSpecialFile(place))
    return openTemporary(failure);
  file = ::open(place, O_WRONLY | O_CLOEXEC);
  return file >= 0 || failForFile(failure, DiagId::CannotWrite, path);
}

bool AtomicFile::write(Bytes bytes, Failure &failure) {
  while (bytes.size > 0) {
    ssize_t written = ::write(file, bytes.data, bytes.size);
    if (written < 0 && errno != EINTR)
      return failForFile(failure, DiagId::CannotWrite, asked);
    if (written > 0)
      bytes = {bytes.data + written,
               bytes.size - static_cast<uint64_t>(written)};
  }
  return true;
}

bool AtomicFile::close(Failure &failure) {
  bool isClosed = !::close(file);
  file = -1;
  return isClosed || failForFile(failure, DiagId::CannotWrite, asked);
}

bool AtomicFile::commit(Failure &failure) {
  if (!*temporary)
    return true;
  if (rename(temporary, place))
    return failForFile(failure, DiagId::CannotWrite, asked);
  temporary[0] = 0;
  return true;
}

AtomicFile::~AtomicFile() {
  if (file >= 0)
    ::close(file);
  if (*temporary)
    unlink(temporary);
}
