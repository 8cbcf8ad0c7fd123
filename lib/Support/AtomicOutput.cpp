//===- AtomicOutput.cpp - Files and folders that appear whole or not at all
//===//

#include "adze/Support/AtomicOutput.h"

#include "adze/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
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

llvm::Error
writeAtomicallyAt(llvm::StringRef destination,
                  llvm::function_ref<llvm::Error(llvm::StringRef)> write) {
  std::string temporary = temporaryFor(destination);
  llvm::sys::RemoveFileOnSignal(temporary);
  auto cleanup = llvm::scope_exit([&] {
    (void)fs::remove(temporary);
    llvm::sys::DontRemoveFileOnSignal(temporary);
  });
  if (llvm::Error failure = write(temporary))
    return failure;
  if (std::error_code code = fs::rename(temporary, destination))
    return makeFileError(DiagId::CannotWrite, destination, code);
  return llvm::Error::success();
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

llvm::Error
writeAtomically(llvm::StringRef destination,
                llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  if (destination == "-")
    return writeStream(llvm::outs(), "standard output", write);
  return writeAtomicallyAt(destination, [&](llvm::StringRef temporary) {
    std::error_code code;
    llvm::raw_fd_ostream os(temporary, code, fs::CD_CreateNew);
    if (code)
      return makeFileError(DiagId::CannotWrite, destination, code);
    return writeStream(os, destination, write);
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
  std::string temporary = temporaryFor(destination);
  if (std::error_code code =
          fs::create_directory(temporary, /*IgnoreExisting=*/false))
    return makeFileError(DiagId::CannotWrite, destination, code);
  return AtomicDir(destination.str(), std::move(temporary));
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
