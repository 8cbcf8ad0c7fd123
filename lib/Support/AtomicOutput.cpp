//===- AtomicOutput.cpp - Files that appear whole or not at all -----------===//

#include "adze/Support/AtomicOutput.h"

#include "adze/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>

namespace adze {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// "dir/model.adze" -> "dir/.model.adze.tmp-1a2b3c"
static std::string temporaryFor(llvm::StringRef destination) {
  llvm::SmallString<128> model(path::parent_path(destination));
  path::append(model, "." + path::filename(destination) + ".tmp-%%%%%%%%");
  llvm::SmallString<128> result;
  fs::createUniquePath(model, result, /*MakeAbsolute=*/false);
  return std::string(result);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Pipes and devices keep their place: they are written to, not replaced.
static bool isSpecial(llvm::StringRef destination) {
  fs::file_status status;
  return !fs::status(destination, status) && fs::exists(status) &&
         !fs::is_regular_file(status);
}

/// A link to a file or folder stays a link.
static std::string resolveLink(llvm::StringRef destination) {
  llvm::SmallString<128> resolved;
  if (fs::is_symlink_file(destination) && !fs::real_path(destination, resolved))
    return std::string(resolved);
  return destination.str();
}

static llvm::Error
writeStream(llvm::raw_fd_ostream &os, llvm::StringRef shownAs,
            llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  llvm::Error failure = write(os);
  os.flush();
  if (os.has_error() && !failure)
    failure = makeFileError(DiagId::CannotWrite, shownAs, os.error());
  os.clear_error();
  return failure;
}

static llvm::Error
writeTo(llvm::StringRef path, fs::CreationDisposition disposition,
        llvm::StringRef shownAs,
        llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code, disposition);
  if (code)
    return makeFileError(DiagId::CannotWrite, shownAs, code);
  return writeStream(os, shownAs, write);
}

/// Calls `write` with a name for a new file, and `finish` when that is written.
static llvm::Error
writeTemporary(const std::string &temporary,
               llvm::function_ref<llvm::Error(llvm::StringRef)> write,
               llvm::function_ref<llvm::Error()> finish) {
  llvm::sys::RemoveFileOnSignal(temporary);
  auto cleanup = llvm::scope_exit([&] {
    (void)fs::remove(temporary);
    llvm::sys::DontRemoveFileOnSignal(temporary);
  });
  if (llvm::Error failure = write(temporary))
    return failure;
  return finish();
}

static llvm::Error
writeSpecialAt(llvm::StringRef destination,
               llvm::function_ref<llvm::Error(llvm::StringRef)> write) {
  llvm::SmallString<128> temporary;
  path::system_temp_directory(/*ErasedOnReboot=*/true, temporary);
  path::append(temporary, path::filename(destination));
  std::string name = temporaryFor(temporary);
  return writeTemporary(name, write, [&]() -> llvm::Error {
    auto buffer = llvm::MemoryBuffer::getFile(name);
    if (!buffer)
      return makeFileError(DiagId::CannotRead, name, buffer.getError());
    return writeTo(destination, fs::CD_OpenAlways, destination,
                   [&](llvm::raw_ostream &os) {
                     os << (*buffer)->getBuffer();
                     return llvm::Error::success();
                   });
  });
}

llvm::Error
writeAtomicallyAt(llvm::StringRef path,
                  llvm::function_ref<llvm::Error(llvm::StringRef)> write) {
  if (isSpecial(path))
    return writeSpecialAt(path, write);
  std::string destination = resolveLink(path);
  std::string temporary = temporaryFor(destination);
  return writeTemporary(temporary, write, [&]() -> llvm::Error {
    if (std::error_code code = fs::rename(temporary, destination))
      return makeFileError(DiagId::CannotWrite, path, code);
    return llvm::Error::success();
  });
}

llvm::Error
writeAtomically(llvm::StringRef path,
                llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  if (path == "-")
    return writeStream(llvm::outs(), "standard output", write);
  if (isSpecial(path))
    return writeTo(path, fs::CD_OpenAlways, path, write);
  return writeAtomicallyAt(path, [&](llvm::StringRef temporary) {
    return writeTo(temporary, fs::CD_CreateNew, path, write);
  });
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

static llvm::Error
checkReplaceable(llvm::StringRef folder,
                 llvm::ArrayRef<llvm::StringRef> replaceable) {
  if (!fs::exists(folder))
    return llvm::Error::success();
  if (!fs::is_directory(folder))
    return makeError(DiagId::CannotWrite, "cannot write '" + folder +
                                              "': there is a file of that "
                                              "name, and a folder is to be "
                                              "written");
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code)) {
    llvm::StringRef name = path::filename(it->path());
    if (!llvm::is_contained(replaceable, name))
      return makeError(DiagId::CannotWrite,
                       "will not replace the folder '" + folder +
                           "': it holds '" + name +
                           "', which is no part of an artifact");
  }
  return code ? makeFileError(DiagId::CannotWrite, folder, code)
              : llvm::Error::success();
}

llvm::Expected<AtomicDir>
AtomicDir::create(llvm::StringRef destination,
                  llvm::ArrayRef<llvm::StringRef> replaceable) {
  while (destination.size() > 1 && destination.ends_with("/"))
    destination = destination.drop_back();
  if (llvm::Error failure = checkReplaceable(destination, replaceable))
    return std::move(failure);
  std::string place = resolveLink(destination);
  std::string temporary = temporaryFor(place);
  if (std::error_code code =
          fs::create_directory(temporary, /*IgnoreExisting=*/false,
                               fs::perms::all_all)) // less what umask says
    return makeFileError(DiagId::CannotWrite, destination, code);
  return AtomicDir(std::move(place), std::move(temporary));
}

AtomicDir::AtomicDir(AtomicDir &&other) noexcept
    : destination(std::move(other.destination)),
      temporary(std::exchange(other.temporary, {})) {}

AtomicDir::~AtomicDir() {
  if (!temporary.empty())
    (void)fs::remove_directories(temporary);
}

/// Swaps the two folders in one step, where the file system can.
static bool exchangeFolders(const std::string &a, const std::string &b) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(),
                     RENAME_EXCHANGE) == 0;
#else
  return false;
#endif
}

llvm::Error AtomicDir::commit() {
  // After an exchange `temporary` names the old folder, which the destructor
  // removes.
  if (exchangeFolders(temporary, destination))
    return llvm::Error::success();
  if (fs::exists(destination)) {
    std::string old = temporaryFor(destination);
    if (std::error_code code = fs::rename(destination, old))
      return makeFileError(DiagId::CannotWrite, destination, code);
    if (std::error_code code = fs::rename(temporary, destination)) {
      (void)fs::rename(old, destination);
      return makeFileError(DiagId::CannotWrite, destination, code);
    }
    temporary = old;
    return llvm::Error::success();
  }
  if (std::error_code code = fs::rename(temporary, destination))
    return makeFileError(DiagId::CannotWrite, destination, code);
  temporary.clear();
  return llvm::Error::success();
}

} // namespace adze
