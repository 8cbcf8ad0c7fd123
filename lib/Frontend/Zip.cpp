//===- Zip.cpp - Members of a zip file in memory --------------------------===//

#include "Zip.h"

#include "adze/Frontend/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/FormatVariadic.h"

#include <zip.h>

namespace adze::frontend {

Zip::~Zip() {
  if (handle)
    zip_discard(handle);
}

const Record *Zip::lookup(llvm::StringRef name) const {
  auto found = byName.find(name);
  return found == byName.end() ? nullptr : &memberList[found->second];
}

static llvm::Error libraryFault(zip_error_t &error) {
  llvm::Error result =
      inputFault("", llvm::Twine("damaged zip file: ") +
                         llvm::StringRef(zip_error_strerror(&error)).lower());
  zip_error_fini(&error);
  return result;
}

llvm::Error Zip::openHandle() {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *source =
      zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (!source)
    return libraryFault(error);
  handle = zip_open_from_source(source, ZIP_RDONLY, &error);
  if (!handle) {
    zip_source_free(source);
    return libraryFault(error);
  }
  zip_error_fini(&error);
  return llvm::Error::success();
}

/// Two readings of one directory that differ are a sign of a forged file.
llvm::Error Zip::compareWithHandle() {
  if (zip_get_num_entries(handle, 0) != static_cast<int64_t>(memberList.size()))
    return inputFault("", "damaged zip file: number of records is ambiguous");
  for (const Record &record : memberList) {
    zip_stat_t stat;
    if (zip_stat_index(handle, record.index, ZIP_FL_ENC_RAW, &stat) != 0 ||
        record.name != stat.name || record.size != stat.size ||
        record.compressedSize != stat.comp_size)
      return inputFault(record.name, "damaged zip file: record is ambiguous");
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE)
      return inputFault(record.name,
                        "expected a stored or deflated record, but found "
                        "compression method " +
                            llvm::Twine(stat.comp_method));
  }
  return llvm::Error::success();
}

static llvm::Error checkName(const Record &record) {
  llvm::StringRef name = record.name;
  llvm::SmallVector<llvm::StringRef> parts;
  name.split(parts, '/');
  bool isAbsolute = name.starts_with("/") || name.contains('\\') ||
                    (name.size() > 1 && name[1] == ':');
  if (name.empty() || name.contains('\0') || isAbsolute ||
      llvm::is_contained(parts, ".."))
    return inputFault("",
                      "record name '" + name + "' leads out of the archive");
  return llvm::Error::success();
}

static llvm::Error checkSizes(const Record &record,
                              const ArchiveLimits &limits) {
  if (record.isStored && record.size != record.compressedSize)
    return inputFault(record.name, "stored record has sizes " +
                                       llvm::Twine(record.size) + " and " +
                                       llvm::Twine(record.compressedSize));
  if (record.size > limits.freeInflatedSize &&
      record.size / limits.maxRatio > record.compressedSize)
    return inputFault(
        record.name,
        llvm::Twine(record.compressedSize) + " bytes that inflate to " +
            llvm::Twine(record.size) +
            " exceed the limit of 1:" + llvm::Twine(limits.maxRatio));
  return llvm::Error::success();
}

/// Overlapping members are how small files inflate to huge ones.
static llvm::Error checkOverlap(llvm::ArrayRef<Record> members) {
  std::vector<const Record *> sorted;
  for (const Record &record : members)
    sorted.push_back(&record);
  llvm::sort(sorted, [](const Record *a, const Record *b) {
    return a->headerOffset < b->headerOffset;
  });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i - 1]->headerOffset + sorted[i - 1]->compressedSize >=
        sorted[i]->headerOffset)
      return inputFault(sorted[i]->name,
                        "overlaps record '" + sorted[i - 1]->name + "'");
  return llvm::Error::success();
}

llvm::Error Zip::checkMembers(const ArchiveLimits &limits) {
  uint64_t inflatedSize = 0;
  for (auto [index, record] : llvm::enumerate(memberList)) {
    if (llvm::Error error = checkName(record))
      return error;
    if (llvm::Error error = checkSizes(record, limits))
      return error;
    if (!record.isStored)
      inflatedSize += std::min<uint64_t>(record.size, UINT64_MAX / 4);
    if (inflatedSize > limits.freeInflatedSize &&
        inflatedSize / limits.maxRatio > bytes.size())
      return inputFault(
          "",
          "records that inflate to " + llvm::Twine(inflatedSize) +
              " bytes exceed the limit of 1:" + llvm::Twine(limits.maxRatio));
    if (!byName.try_emplace(record.name, index).second)
      return inputFault(record.name, "record occurs twice");
  }
  return checkOverlap(memberList);
}

llvm::Expected<std::unique_ptr<Zip>> Zip::open(Bytes bytes,
                                               const ArchiveLimits &limits) {
  llvm::Expected<std::vector<Record>> members =
      readCentralDirectory(bytes, limits);
  if (!members)
    return members.takeError();
  std::unique_ptr<Zip> result(new Zip(bytes));
  result->memberList = std::move(*members);
  if (llvm::Error error = result->checkMembers(limits))
    return error;
  if (llvm::Error error = result->openHandle())
    return error;
  if (llvm::Error error = result->compareWithHandle())
    return error;
  return result;
}

/// libzip compares the checksum when the last byte was read.
llvm::Expected<Bytes> Zip::inflate(const Record &record) {
  std::lock_guard<std::mutex> lock(mutex);
  auto &slot = inflated[record.name];
  if (slot)
    return Bytes(*slot);
  zip_file_t *file = zip_fopen_index(handle, record.index, 0);
  if (!file)
    return inputFault(record.name, zip_strerror(handle));
  auto data = std::make_unique<std::vector<uint8_t>>(record.size);
  uint64_t done = 0;
  int64_t count = 0;
  while (done < record.size &&
         (count = zip_fread(file, data->data() + done, record.size - done)) > 0)
    done += count;
  uint8_t extra = 0;
  bool isEnd = done == record.size && zip_fread(file, &extra, 1) == 0;
  std::string why = zip_file_strerror(file);
  zip_fclose(file);
  if (!isEnd)
    return inputFault(record.name, "damaged compressed data (" +
                                       llvm::StringRef(why).lower() +
                                       "): expected " +
                                       llvm::Twine(record.size) +
                                       " bytes, read " + llvm::Twine(done));
  slot = std::move(data);
  return Bytes(*slot);
}

llvm::Expected<Bytes> Zip::read(const Record &record, bool checkCrc,
                                bool isCrcOptional) {
  if (!record.isStored)
    return inflate(record);
  llvm::Expected<Bytes> data = locateData(bytes, record);
  if (!data || !checkCrc || (isCrcOptional && record.crc == 0))
    return data;
  uint32_t found = llvm::crc32(*data);
  if (found != record.crc)
    return inputFault(record.name,
                      llvm::formatv("damaged: expected checksum {0:x8}, but "
                                    "found {1:x8}",
                                    record.crc, found)
                          .str());
  return data;
}

} // namespace adze::frontend
