//===- ZipDirectory.cpp - The central directory of a zip file -------------===//
//
// Offsets and sizes come from the central directory: torch writes zeros into
// local headers. Every number is checked against the size of the file before it
// is used.
//
//===----------------------------------------------------------------------===//

#include "Zip.h"

#include "adze/Frontend/Error.h"

#include "llvm/Support/Endian.h"

namespace adze::frontend {

namespace {

constexpr uint32_t endSignature = 0x06054b50;
constexpr uint32_t zip64EndSignature = 0x06064b50;
constexpr uint32_t zip64LocatorSignature = 0x07064b50;
constexpr uint32_t centralSignature = 0x02014b50;
constexpr uint32_t localSignature = 0x04034b50;
constexpr size_t endSize = 22, zip64EndSize = 56, zip64LocatorSize = 20;
constexpr size_t centralSize = 46, localSize = 30;

uint16_t read16(const uint8_t *p) { return llvm::support::endian::read16le(p); }
uint32_t read32(const uint8_t *p) { return llvm::support::endian::read32le(p); }
uint64_t read64(const uint8_t *p) { return llvm::support::endian::read64le(p); }

struct Directory {
  uint64_t numEntries, size, offset;
};

class DirectoryReader {
public:
  DirectoryReader(Bytes bytes, const ArchiveLimits &limits)
      : bytes(bytes), limits(limits) {}

  llvm::Expected<std::vector<Record>> read();

private:
  bool fits(uint64_t offset, uint64_t size) const {
    return size <= bytes.size() && offset <= bytes.size() - size;
  }
  std::optional<size_t> findEnd() const;
  llvm::Expected<Directory> readEnd() const;
  llvm::Expected<Directory> readZip64End(size_t end, Directory found) const;
  llvm::Expected<Record> readEntry(uint64_t &at, uint64_t end) const;
  llvm::Error readZip64Extra(Bytes extra, Record &record) const;

  Bytes bytes;
  const ArchiveLimits &limits;
};

} // namespace

/// The end record stands at the end of the file, before a comment of up to 64K.
std::optional<size_t> DirectoryReader::findEnd() const {
  if (bytes.size() < endSize)
    return std::nullopt;
  size_t last = bytes.size() - endSize;
  size_t first = last > 0xffff ? last - 0xffff : 0;
  for (size_t at = last + 1; at-- > first;)
    if (read32(&bytes[at]) == endSignature &&
        at + endSize + read16(&bytes[at + 20]) == bytes.size())
      return at;
  return std::nullopt;
}

llvm::Expected<Directory> DirectoryReader::readZip64End(size_t end,
                                                        Directory found) const {
  if (end < zip64LocatorSize ||
      read32(&bytes[end - zip64LocatorSize]) != zip64LocatorSignature)
    return found;
  uint64_t at = read64(&bytes[end - zip64LocatorSize + 8]);
  if (!fits(at, zip64EndSize) || read32(&bytes[at]) != zip64EndSignature)
    return inputFault("", "zip64 end record at byte " + llvm::Twine(at) +
                              " is missing or damaged");
  return Directory{read64(&bytes[at + 32]), read64(&bytes[at + 40]),
                   read64(&bytes[at + 48])};
}

llvm::Expected<Directory> DirectoryReader::readEnd() const {
  std::optional<size_t> end = findEnd();
  if (!end)
    return inputFault("", "truncated or damaged zip file: its central "
                          "directory is missing");
  const uint8_t *p = &bytes[*end];
  llvm::Expected<Directory> directory =
      readZip64End(*end, {read16(p + 10), read32(p + 12), read32(p + 16)});
  if (!directory)
    return directory.takeError();
  if (!fits(directory->offset, directory->size))
    return inputFault(
        "", "central directory of " + llvm::Twine(directory->size) +
                " bytes at byte " + llvm::Twine(directory->offset) +
                " exceeds the file of " + llvm::Twine(bytes.size()) + " bytes");
  if (directory->numEntries > directory->size / centralSize)
    return inputFault("", "central directory of " +
                              llvm::Twine(directory->size) + " bytes claims " +
                              llvm::Twine(directory->numEntries) + " records");
  if (directory->numEntries > limits.maxRecords)
    return inputFault("", llvm::Twine(directory->numEntries) +
                              " records exceed the limit of " +
                              llvm::Twine(limits.maxRecords));
  return directory;
}

/// Fields of 32 bits that are all ones are continued in an extra field, in
/// order.
llvm::Error DirectoryReader::readZip64Extra(Bytes extra, Record &record) const {
  constexpr uint16_t zip64Id = 1;
  while (extra.size() >= 4) {
    uint16_t id = read16(&extra[0]), size = read16(&extra[2]);
    if (size > extra.size() - 4)
      break;
    Bytes field = extra.slice(4, size);
    extra = extra.drop_front(4 + size);
    if (id != zip64Id)
      continue;
    for (uint64_t *value :
         {&record.size, &record.compressedSize, &record.headerOffset}) {
      if (*value != 0xffffffff)
        continue;
      if (field.size() < 8)
        return inputFault(record.name, "zip64 field is too short");
      *value = read64(field.data());
      field = field.drop_front(8);
    }
  }
  return llvm::Error::success();
}

llvm::Expected<Record> DirectoryReader::readEntry(uint64_t &at,
                                                  uint64_t end) const {
  if (end - at < centralSize || read32(&bytes[at]) != centralSignature)
    return inputFault("", "central directory is damaged at byte " +
                              llvm::Twine(at));
  const uint8_t *p = &bytes[at];
  uint64_t nameSize = read16(p + 28), extraSize = read16(p + 30),
           commentSize = read16(p + 32);
  if (end - at - centralSize < nameSize + extraSize + commentSize)
    return inputFault("", "central directory is damaged at byte " +
                              llvm::Twine(at));
  Record record;
  record.name = asText(bytes.slice(at + centralSize, nameSize)).str();
  record.isStored = read16(p + 10) == 0;
  record.crc = read32(p + 16);
  record.compressedSize = read32(p + 20);
  record.size = read32(p + 24);
  record.headerOffset = read32(p + 42);
  Bytes extra = bytes.slice(at + centralSize + nameSize, extraSize);
  if (llvm::Error error = readZip64Extra(extra, record))
    return error;
  at += centralSize + nameSize + extraSize + commentSize;
  constexpr uint16_t encrypted = 1;
  if (read16(p + 8) & encrypted)
    return inputFault(record.name, "is encrypted");
  if (!fits(record.headerOffset, localSize) ||
      !fits(record.headerOffset + localSize, record.compressedSize))
    return inputFault(record.name, "its " + llvm::Twine(record.compressedSize) +
                                       " bytes at byte " +
                                       llvm::Twine(record.headerOffset) +
                                       " exceed the file of " +
                                       llvm::Twine(bytes.size()) + " bytes");
  return record;
}

llvm::Expected<std::vector<Record>> DirectoryReader::read() {
  llvm::Expected<Directory> directory = readEnd();
  if (!directory)
    return directory.takeError();
  std::vector<Record> records;
  uint64_t at = directory->offset;
  uint64_t end = directory->offset + directory->size;
  for (uint64_t i = 0; i < directory->numEntries; ++i) {
    llvm::Expected<Record> record = readEntry(at, end);
    if (!record)
      return record.takeError();
    record->index = i;
    records.push_back(std::move(*record));
  }
  return records;
}

llvm::Expected<std::vector<Record>>
readCentralDirectory(Bytes bytes, const ArchiveLimits &limits) {
  return DirectoryReader(bytes, limits).read();
}

llvm::Expected<Bytes> locateData(Bytes bytes, const Record &record) {
  const uint8_t *p = bytes.data() + record.headerOffset;
  if (read32(p) != localSignature)
    return inputFault(record.name, "expected a local header at byte " +
                                       llvm::Twine(record.headerOffset) +
                                       ", but found something else");
  // The lengths of the local header count: its extra field holds the padding.
  uint64_t start =
      record.headerOffset + localSize + read16(p + 26) + read16(p + 28);
  if (start > bytes.size() || record.compressedSize > bytes.size() - start)
    return inputFault(record.name, "its " + llvm::Twine(record.compressedSize) +
                                       " bytes at byte " + llvm::Twine(start) +
                                       " exceed the file of " +
                                       llvm::Twine(bytes.size()) + " bytes");
  return bytes.slice(start, record.compressedSize);
}

} // namespace adze::frontend
