//===- Npz.cpp - NumPy's .npy and .npz files ------------------------------===//

#include "adze/Support/Npz.h"

#include "NpyFormat.h"
#include "adze/Support/AtomicOutput.h"
#include "adze/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <zip.h>

namespace adze {

//===----------------------------------------------------------------------===//
// Arrays by name
//===----------------------------------------------------------------------===//

const HostTensor *NpzArrays::find(llvm::StringRef name) const {
  for (const NamedTensor &array : *this)
    if (array.name == name)
      return &array.tensor;
  return nullptr;
}

HostTensor *NpzArrays::find(llvm::StringRef name) {
  return const_cast<HostTensor *>(std::as_const(*this).find(name));
}

size_t NpzArrays::countNumbered(llvm::StringRef prefix) const {
  size_t count = 0;
  for (const NamedTensor &array : *this) {
    llvm::StringRef name = array.name;
    unsigned number;
    if (name.consume_front(prefix) && name.consume_front("_") &&
        !name.getAsInteger(10, number))
      count = std::max<size_t>(count, number + 1ul);
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static llvm::Error malformed(llvm::StringRef shownAs, const llvm::Twine &what) {
  return makeError(DiagId::BadArrays, "'" + shownAs + "': " + what);
}

/// Columns first: the strides of Fortran order.
static Dims fortranStrides(llvm::ArrayRef<int64_t> shape) {
  Dims reversed(llvm::reverse(shape));
  Dims strides = contiguousStrides(reversed);
  std::reverse(strides.begin(), strides.end());
  return strides;
}

/// Turns big-endian elements round; the parts of a complex number apart.
static void swapBytes(HostTensor &tensor) {
  int64_t size = getSize(tensor.dtype()) / (isComplex(tensor.dtype()) ? 2 : 1);
  for (char *p = tensor.data(), *end = p + tensor.numBytes(); p != end;
       p += size)
    std::reverse(p, p + size);
}

/// NumPy allows any byte for a bool; C++ does not.
static void normalizeBools(HostTensor &tensor) {
  auto *data = tensor.dataAs<uint8_t>();
  for (int64_t i = 0; i < tensor.numBytes(); ++i)
    data[i] = data[i] != 0;
}

/// Makes the tensor of a header when exactly `available` bytes of elements
/// are there, and lets `fetch` fill it.
static llvm::Expected<HostTensor>
readElements(const NpyHeader &header, int64_t available,
             llvm::StringRef shownAs,
             llvm::function_ref<llvm::Error(char *, int64_t)> fetch) {
  std::optional<int64_t> count = elementCount(header.shape);
  std::string type = describeType(header.dtype, header.shape);
  if (!count || *count > available / getSize(header.dtype) ||
      *count * getSize(header.dtype) != available)
    return malformed(shownAs, "an array of " + type + ", but " +
                                  llvm::Twine(available) +
                                  " bytes of elements");
  llvm::Expected<HostTensor> tensor =
      HostTensor::create(header.dtype, header.shape,
                         header.fortranOrder ? fortranStrides(header.shape)
                                             : contiguousStrides(header.shape));
  if (!tensor)
    return malformed(shownAs, llvm::toString(tensor.takeError()));
  if (llvm::Error failure = fetch(tensor->data(), available))
    return std::move(failure);
  if (header.swapped)
    swapBytes(*tensor);
  if (header.dtype == DType::Bool)
    normalizeBools(*tensor);
  return tensor;
}

llvm::Expected<HostTensor> decodeNpy(llvm::StringRef bytes,
                                     llvm::StringRef shownAs) {
  llvm::Expected<NpyHeader> header = parseNpyHeader(bytes);
  if (!header)
    return malformed(shownAs, llvm::toString(header.takeError()));
  llvm::StringRef elements = bytes.drop_front(header->headerBytes);
  return readElements(*header, static_cast<int64_t>(elements.size()), shownAs,
                      [&](char *to, int64_t size) {
                        if (size > 0)
                          std::memcpy(to, elements.data(), size);
                        return llvm::Error::success();
                      });
}

/// All entries together may expand to this much, and beyond it to at most this
/// many times the size of the file: more is a bomb.
static constexpr uint64_t harmlessBytes = 64 << 20;
static constexpr uint64_t harmlessRatio = 100;

/// What is left of the sizes that a file may claim.
struct ZipBudget {
  uint64_t fileBytes;
  uint64_t expandedBytes = 0;
};

static llvm::Error checkEntry(const zip_stat_t &stat, ZipBudget &budget,
                              llvm::StringRef shownAs) {
  zip_uint64_t needed =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
  if ((stat.valid & needed) != needed)
    return malformed(shownAs, "the archive does not say how long it is");
  bool isStored = stat.comp_method == ZIP_CM_STORE;
  if (stat.comp_size > budget.fileBytes ||
      (isStored && stat.size != stat.comp_size))
    return malformed(shownAs, "it is longer than the file that holds it");
  uint64_t total = llvm::SaturatingAdd(budget.expandedBytes, stat.size);
  budget.expandedBytes = total;
  if (total > harmlessBytes && total / harmlessRatio > budget.fileBytes)
    return malformed(shownAs, "the " + llvm::Twine(budget.fileBytes) +
                                  " bytes of the file would expand to more "
                                  "than " +
                                  llvm::Twine(total) + " bytes");
  return llvm::Error::success();
}

/// Reads exactly `size` bytes.
static llvm::Error readBytes(zip_file_t *file, char *to, int64_t size,
                             llvm::StringRef shownAs) {
  while (size > 0) {
    zip_int64_t got = zip_fread(file, to, size);
    if (got < 0)
      return malformed(shownAs, zip_file_strerror(file));
    if (got == 0)
      return malformed(shownAs, "it ends too early");
    to += got;
    size -= got;
  }
  return llvm::Error::success();
}

/// libzip checks the CRC when it comes to the end.
static llvm::Error expectEnd(zip_file_t *file, llvm::StringRef shownAs) {
  char extra;
  zip_int64_t got = zip_fread(file, &extra, 1);
  if (got < 0)
    return malformed(shownAs, zip_file_strerror(file));
  if (got > 0)
    return malformed(shownAs, "it is longer than the archive says");
  return llvm::Error::success();
}

static llvm::Expected<HostTensor> readEntry(zip_t *archive,
                                            const zip_stat_t &stat,
                                            ZipBudget &budget,
                                            llvm::StringRef shownAs) {
  if (llvm::Error failure = checkEntry(stat, budget, shownAs))
    return std::move(failure);
  zip_file_t *file = zip_fopen_index(archive, stat.index, 0);
  if (!file)
    return malformed(shownAs, zip_strerror(archive));
  auto close = llvm::scope_exit([&] { zip_fclose(file); });

  // The header and the first elements; its text is at most 64 KiB here.
  auto size = static_cast<int64_t>(stat.size);
  std::string head(std::min<int64_t>(size, (64 << 10) + 12), '\0');
  if (llvm::Error failure = readBytes(file, head.data(), head.size(), shownAs))
    return std::move(failure);
  llvm::Expected<NpyHeader> header = parseNpyHeader(head);
  if (!header)
    return malformed(shownAs, llvm::toString(header.takeError()));

  auto fetch = [&](char *to, int64_t bytes) -> llvm::Error {
    llvm::StringRef first =
        llvm::StringRef(head).drop_front(header->headerBytes);
    std::memcpy(to, first.data(), first.size());
    if (llvm::Error failure =
            readBytes(file, to + first.size(), bytes - first.size(), shownAs))
      return failure;
    return expectEnd(file, shownAs);
  };
  return readElements(*header, size - header->headerBytes, shownAs, fetch);
}

static llvm::Expected<zip_t *> openArchive(llvm::StringRef path) {
  int code = 0;
  if (zip_t *archive = zip_open(path.str().c_str(), ZIP_RDONLY, &code))
    return archive;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  auto fini = llvm::scope_exit([&] { zip_error_fini(&error); });
  if (zip_error_system_type(&error) == ZIP_ET_SYS)
    return makeFileError(DiagId::CannotRead, path,
                         std::error_code(errno, std::generic_category()));
  return malformed(path, llvm::Twine("it is no npz file: ") +
                             zip_error_strerror(&error));
}

llvm::Expected<NpzArrays> readNpz(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status))
    return makeFileError(DiagId::CannotRead, path, code);
  if (llvm::sys::fs::is_directory(status))
    return makeFileError(DiagId::CannotRead, path,
                         std::make_error_code(std::errc::is_a_directory));
  llvm::Expected<zip_t *> archive = openArchive(path);
  if (!archive)
    return archive.takeError();
  auto discard = llvm::scope_exit([&] { zip_discard(*archive); });
  ZipBudget budget = {status.getSize()};
  NpzArrays arrays;
  for (zip_int64_t i = 0, n = zip_get_num_entries(*archive, 0); i < n; ++i) {
    zip_stat_t stat;
    if (zip_stat_index(*archive, i, 0, &stat) != 0)
      return malformed(path, zip_strerror(*archive));
    llvm::StringRef name = stat.name;
    std::string shownAs = (path + ":" + name).str();
    if (!name.consume_back(".npy"))
      return malformed(shownAs, "it is no .npy file");
    if (arrays.find(name))
      return malformed(shownAs, "there are two of that name");
    llvm::Expected<HostTensor> tensor =
        readEntry(*archive, stat, budget, shownAs);
    if (!tensor)
      return tensor.takeError();
    arrays.push_back({name.str(), std::move(*tensor)});
  }
  return arrays;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::string encodeNpy(const HostTensor &tensor) {
  HostTensor plain = getInfo(tensor.dtype()).numpyDescr.empty()
                         ? tensor.cast(DType::Float32)
                         : tensor.contiguous();
  std::string bytes = makeNpyHeader(plain.dtype(), plain.shape());
  bytes.append(plain.data(), plain.numBytes());
  return bytes;
}

/// Adds one stored file; `bytes` must live until the archive is closed.
static bool addEntry(zip_t *archive, const std::string &name,
                     const std::string &bytes) {
  zip_source_t *source =
      zip_source_buffer(archive, bytes.data(), bytes.size(), /*freep=*/0);
  if (!source)
    return false;
  zip_int64_t index =
      zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return false;
  }
  constexpr zip_uint16_t midnight = 0, firstOf1980 = (1 << 5) | 1;
  return zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) == 0 &&
         zip_file_set_dostime(archive, index, midnight, firstOf1980, 0) == 0;
}

static llvm::Error writeArchive(llvm::StringRef path, llvm::StringRef shownAs,
                                llvm::ArrayRef<NamedTensor> arrays) {
  auto failed = [&](const llvm::Twine &why) {
    return makeError(DiagId::CannotWrite,
                     "cannot write '" + shownAs + "': " + why);
  };
  int code = 0;
  zip_t *archive =
      zip_open(path.str().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (!archive)
    return makeFileError(DiagId::CannotWrite, shownAs,
                         std::error_code(errno, std::generic_category()));
  std::vector<std::string> contents;
  contents.reserve(arrays.size());
  for (const NamedTensor &array : arrays) {
    contents.push_back(encodeNpy(array.tensor));
    if (addEntry(archive, array.name + ".npy", contents.back()))
      continue;
    std::string why = zip_strerror(archive);
    zip_discard(archive);
    return failed(why);
  }
  if (zip_close(archive) == 0)
    return llvm::Error::success();
  std::string why = zip_strerror(archive);
  zip_discard(archive);
  return failed(why);
}

/// libzip writes no archive without entries.
static llvm::Error writeEmptyArchive(llvm::StringRef path) {
  return writeAtomically(path, [](llvm::raw_ostream &os) {
    os << llvm::StringRef("PK\5\6", 4);
    os.write_zeros(18);
    return llvm::Error::success();
  });
}

llvm::Error writeNpz(llvm::StringRef path, llvm::ArrayRef<NamedTensor> arrays) {
  if (arrays.empty())
    return writeEmptyArchive(path);
  return writeAtomicallyAt(path, [&](llvm::StringRef temporary) {
    return writeArchive(temporary, path, arrays);
  });
}

} // namespace adze
