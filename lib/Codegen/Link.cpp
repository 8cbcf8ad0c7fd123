//===- Link.cpp - Objects to libraries, programs, one object --------------===//

#include "adze/Codegen/Link.h"

#include "adze/Runtime/RuntimeObject.h"
#include "adze/Support/Diagnostics.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <dlfcn.h>
#include <link.h>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

namespace adze {

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

namespace {
/// A file without a place on any disk, by a name that the linker can open.
class MemoryFile {
public:
  static llvm::Expected<MemoryFile> create(llvm::StringRef bytes);
  MemoryFile(MemoryFile &&other) noexcept
      : file(std::exchange(other.file, -1)) {}
  MemoryFile &operator=(MemoryFile &&) = delete;
  ~MemoryFile() {
    if (file >= 0)
      ::close(file);
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file); }

private:
  explicit MemoryFile(int file) : file(file) {}
  int file;
};
} // namespace

llvm::Expected<MemoryFile> MemoryFile::create(llvm::StringRef bytes) {
  auto failed = [] {
    return makeFileError(DiagId::CannotWrite, "memory for the linker",
                         std::error_code(errno, std::generic_category()));
  };
  MemoryFile memory(::memfd_create("adze", MFD_CLOEXEC));
  if (memory.file < 0)
    return failed();
  while (!bytes.empty()) {
    ssize_t written = ::write(memory.file, bytes.data(), bytes.size());
    if (written <= 0)
      return failed();
    bytes = bytes.drop_front(written);
  }
  return memory;
}

/// All objects and the runtime as one archive, so that any number of kernels
/// takes one file.
static llvm::Expected<MemoryFile> bundle(llvm::ArrayRef<ObjectFile> objects,
                                         bool isProgram = false) {
  std::vector<llvm::NewArchiveMember> members;
  for (const ObjectFile &object : objects)
    members.emplace_back(llvm::MemoryBufferRef(
        llvm::StringRef(object.bytes.data(), object.bytes.size()),
        object.name));
  members.emplace_back(llvm::MemoryBufferRef(runtimeObject(), "runtime"));
  if (isProgram)
    members.emplace_back(llvm::MemoryBufferRef(runnerObject(), "runner"));
  auto archive =
      llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NormalSymtab,
                                 llvm::object::Archive::K_GNU,
                                 /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return archive.takeError();
  return MemoryFile::create((*archive)->getBuffer());
}

/// Where this machine keeps one of its libraries.
static llvm::Expected<std::string> findLibrary(const char *name) {
  void *library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  struct link_map *map = nullptr;
  std::string path;
  if (library && ::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0)
    path = map->l_name;
  if (library)
    ::dlclose(library);
  if (path.empty())
    return makeError(DiagId::CannotRead,
                     llvm::Twine("cannot find '") + name + "' on this machine");
  return path;
}

//===----------------------------------------------------------------------===//
// LLD
//===----------------------------------------------------------------------===//

static llvm::Error cannotLink(const llvm::Twine &why) {
  return makeError(DiagId::InternalError, "cannot link the artifact: " + why);
}

static llvm::Error runLinker(llvm::ArrayRef<std::string> arguments) {
  static std::mutex mutex; // LLD keeps its state in globals
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<const char *> argv = {"ld.lld"};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  std::string out, errors;
  llvm::raw_string_ostream outStream(out), errorStream(errors);
  lld::Result result =
      lld::lldMain(argv, outStream, errorStream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0)
    return llvm::Error::success();
  llvm::StringRef first = llvm::StringRef(errors).split('\n').first;
  first.consume_front("ld.lld: ");
  first.consume_front("error: ");
  if (llvm::StringRef(errors).contains("cannot open output file"))
    return makeError(DiagId::CannotWrite, first);
  return cannotLink(first);
}

/// What shared libraries and programs have in common.
static llvm::Error linkDynamic(std::vector<std::string> arguments,
                               const MemoryFile &archive,
                               llvm::StringRef path) {
  auto math = findLibrary("libm.so.6"), libc = findLibrary("libc.so.6");
  if (!math)
    return llvm::joinErrors(math.takeError(), libc.takeError());
  if (!libc)
    return libc.takeError();
  std::vector<std::string> rest = {"-o",
                                   path.str(),
                                   "--gc-sections",
                                   "--build-id=none",
                                   "--hash-style=gnu",
                                   "--strip-debug",
                                   "--threads=1",
                                   "--as-needed",
                                   "-z",
                                   "now",
                                   "-z",
                                   "relro",
                                   "-z",
                                   "defs",
                                   "-z",
                                   "noexecstack",
                                   "--whole-archive",
                                   archive.path(),
                                   "--no-whole-archive",
                                   *math,
                                   *libc};
  arguments.insert(arguments.end(), rest.begin(), rest.end());
  return runLinker(arguments);
}

llvm::Error linkShared(llvm::ArrayRef<ObjectFile> objects, llvm::StringRef path,
                       llvm::StringRef name) {
  auto archive = bundle(objects);
  if (!archive)
    return archive.takeError();
  return linkDynamic({"-shared", "-soname", name.str()}, *archive, path);
}

llvm::Error linkProgram(llvm::ArrayRef<ObjectFile> objects,
                        llvm::ArrayRef<std::string> more,
                        llvm::StringRef path) {
  auto archive = bundle(objects, /*isProgram=*/true);
  if (!archive)
    return archive.takeError();
  std::vector<std::string> arguments = {"-pie", "-e", "_start",
                                        "--dynamic-linker",
                                        "/lib64/ld-linux-x86-64.so.2"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return linkDynamic(std::move(arguments), *archive, path);
}

//===----------------------------------------------------------------------===//
// One relocatable object
//===----------------------------------------------------------------------===//

/// What `-r` left undefined is for a later linker, which has libm and libc.
static llvm::Error checkUndefined(const llvm::object::Binary &binary) {
  void *math = ::dlopen("libm.so.6", RTLD_LAZY | RTLD_LOCAL);
  llvm::scope_exit close([&] { math && ::dlclose(math); });
  auto *object = llvm::cast<llvm::object::ObjectFile>(&binary);
  for (const llvm::object::SymbolRef &symbol : object->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name)
      return llvm::joinErrors(flags.takeError(), name.takeError());
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined) || name->empty() ||
        *name == "_GLOBAL_OFFSET_TABLE_")
      continue;
    // libm needs libc, so that this looks into both.
    if (!math || !::dlsym(math, name->str().c_str()))
      return cannotLink("undefined symbol: " + *name);
  }
  return llvm::Error::success();
}

/// Hidden symbols of two models in one program must not meet.
static llvm::Error keepGlobal(llvm::StringRef path,
                              llvm::ArrayRef<std::string> names) {
  auto buffer =
      llvm::MemoryBuffer::getFile(path, false, false, /*IsVolatile=*/true);
  if (!buffer)
    return makeFileError(DiagId::CannotRead, path, buffer.getError());
  auto binary = llvm::object::createBinary(**buffer);
  if (!binary)
    return binary.takeError();
  if (llvm::Error error = checkUndefined(**binary))
    return error;
  llvm::objcopy::ConfigManager config;
  for (const std::string &name : names)
    if (llvm::Error error = config.Common.SymbolsToKeepGlobal.addMatcher(
            llvm::objcopy::NameOrPattern::create(
                name, llvm::objcopy::MatchStyle::Literal,
                [](llvm::Error e) { return e; })))
      return error;
  std::error_code code;
  std::string localised = (path + ".local").str();
  llvm::raw_fd_ostream os(localised, code);
  if (code)
    return makeFileError(DiagId::CannotWrite, path, code);
  if (llvm::Error error =
          llvm::objcopy::executeObjcopyOnBinary(config, **binary, os))
    return error;
  os.close();
  if (::rename(localised.c_str(), path.str().c_str()))
    return makeFileError(DiagId::CannotWrite, path,
                         std::error_code(errno, std::generic_category()));
  return llvm::Error::success();
}

llvm::Error linkRelocatable(llvm::ArrayRef<ObjectFile> objects,
                            llvm::ArrayRef<std::string> more,
                            llvm::ArrayRef<std::string> exports,
                            llvm::StringRef path) {
  auto archive = bundle(objects);
  if (!archive)
    return archive.takeError();
  std::vector<std::string> arguments = {"-r",
                                        "-o",
                                        path.str(),
                                        "--strip-debug",
                                        "--threads=1",
                                        "--whole-archive",
                                        archive->path(),
                                        "--no-whole-archive"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  if (llvm::Error error = runLinker(arguments))
    return error;
  return keepGlobal(path, exports);
}

} // namespace adze
