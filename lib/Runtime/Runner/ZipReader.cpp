//===- ZipReader.cpp - Reads stored entries of a zip archive --------------===//
//
// The end record says where the directory is, the directory where each entry
// is; sizes and places beyond 32 bits stand in extra records (zip64). Nothing
// is believed before it is known to lie within the file.
//
//===----------------------------------------------------------------------===//

#include "lib/Runtime/Runner/Zip.h"

#include <cstring>

using namespace adze::runner;

static constexpr uint64_t EndBytes = 22, LargeEndBytes = 56, LocatorBytes = 20,
                          EntryBytes = 46, HeaderBytes = 30;
static constexpr uint32_t EndMark = 0x06054b50, LargeEndMark = 0x06064b50,
                          LocatorMark = 0x07064b50, EntryMark = 0x02014b50,
                          HeaderMark = 0x04034b50;
static constexpr uint64_t In64Bits = 0xffffffff;

template <typename T> static T load(Bytes bytes, uint64_t at) {
  T value;
  memcpy(&value, bytes.data + at, sizeof(value));
  return value;
}

/// Whether [begin, begin + size) lies in the first `limit` bytes.
static bool within(uint64_t begin, uint64_t size, uint64_t limit) {
  return begin <= limit && size <= limit - begin;
}

bool ZipReader::malformed(const char *what) {
  return fail(failure, DiagId::BadArrays, "'%s': %s", file, what);
}

bool ZipReader::malformed(const ZipEntry &entry, const char *what) {
  return fail(failure, DiagId::BadArrays, "'%s:%.*s': %s", file,
              static_cast<int>(entry.name.size), entry.name.data, what);
}

//===- The directory --------------------------------------------------------//

/// The end record has a comment of at most 64 KiB after it.
bool ZipReader::open() {
  if (archive.size < EndBytes)
    return malformed("it is no npz file: it is too short");
  uint64_t end = archive.size - EndBytes;
  uint64_t last = end > 0xffff ? end - 0xffff : 0;
  while (load<uint32_t>(archive, end) != EndMark ||
         load<uint16_t>(archive, end + 20) != archive.size - end - EndBytes)
    if (end-- == last)
      return malformed("it is no npz file, or it is cut off: it has no end "
                       "record");
  entriesLeft = load<uint16_t>(archive, end + 10);
  uint64_t size = load<uint32_t>(archive, end + 12);
  cursor = load<uint32_t>(archive, end + 16);
  if (entriesLeft == 0xffff || size == In64Bits || cursor == In64Bits)
    return openLarge(end);
  return within(cursor, size, end) ||
         malformed("its directory lies outside the file");
}

bool ZipReader::openLarge(uint64_t end) {
  if (end < LocatorBytes ||
      load<uint32_t>(archive, end - LocatorBytes) != LocatorMark)
    return malformed("it has no locator of its zip64 end record");
  auto place = load<uint64_t>(archive, end - LocatorBytes + 8);
  if (!within(place, LargeEndBytes, end) ||
      load<uint32_t>(archive, place) != LargeEndMark)
    return malformed("it has no zip64 end record");
  entriesLeft = load<uint64_t>(archive, place + 32);
  cursor = load<uint64_t>(archive, place + 48);
  return within(cursor, load<uint64_t>(archive, place + 40), end) ||
         malformed("its directory lies outside the file");
}

/// The sizes and the place that did not fit, in this order, in record 1.
bool ZipReader::readLargeSizes(ZipEntry &entry, Bytes extra) {
  uint64_t *fields[] = {&entry.bytes, &entry.storedBytes, &entry.place};
  uint64_t at = 0;
  while (extra.size - at >= 4) {
    auto id = load<uint16_t>(extra, at), size = load<uint16_t>(extra, at + 2);
    at += 4;
    if (!within(at, size, extra.size))
      break;
    uint64_t next = at, end = at + size;
    for (uint64_t *field : fields)
      if (id == 1 && *field == In64Bits) {
        if (end - next < 8)
          return malformed(entry, "its zip64 record is too short");
        *field = load<uint64_t>(extra, next);
        next += 8;
      }
    at = end;
  }
  return true;
}

bool ZipReader::next(ZipEntry &entry) {
  if (!within(cursor, EntryBytes, archive.size) ||
      load<uint32_t>(archive, cursor) != EntryMark)
    return malformed("its directory is damaged");
  uint64_t nameBytes = load<uint16_t>(archive, cursor + 28);
  uint64_t extraBytes = load<uint16_t>(archive, cursor + 30);
  uint64_t commentBytes = load<uint16_t>(archive, cursor + 32);
  uint64_t all = EntryBytes + nameBytes + extraBytes + commentBytes;
  if (!within(cursor, all, archive.size))
    return malformed("its directory is cut off");
  const char *name = archive.data + cursor + EntryBytes;
  entry.name = {name, nameBytes};
  entry.flags = load<uint16_t>(archive, cursor + 8);
  entry.method = load<uint16_t>(archive, cursor + 10);
  entry.crc = load<uint32_t>(archive, cursor + 16);
  entry.storedBytes = load<uint32_t>(archive, cursor + 20);
  entry.bytes = load<uint32_t>(archive, cursor + 24);
  entry.place = load<uint32_t>(archive, cursor + 42);
  cursor += all;
  --entriesLeft;
  return readLargeSizes(entry, {name + nameBytes, extraBytes});
}

//===- Entries --------------------------------------------------------------//

bool ZipReader::read(const ZipEntry &entry, Bytes &content) {
  if (entry.flags & 1)
    return malformed(entry, "it is encrypted");
  if (entry.method == 8)
    return malformed(entry, "expected an array as numpy.savez stores it, but "
                            "found a compressed one; do not write it with "
                            "numpy.savez_compressed");
  if (entry.method != 0)
    return malformed(entry, "it is compressed in an unknown way");
  if (entry.bytes != entry.storedBytes)
    return malformed(entry, "it is stored, but has two sizes");
  if (!within(entry.place, HeaderBytes, archive.size) ||
      load<uint32_t>(archive, entry.place) != HeaderMark)
    return malformed(entry, "its header is not where the directory says");
  uint64_t begin = entry.place + HeaderBytes +
                   load<uint16_t>(archive, entry.place + 26) +
                   load<uint16_t>(archive, entry.place + 28);
  if (!within(begin, entry.bytes, archive.size))
    return malformed(entry, "it is longer than the file that holds it");
  content = {archive.data + begin, entry.bytes};
  return crc32(0, content) == entry.crc ||
         malformed(entry, "its bytes do not have the checksum that the archive "
                          "says");
}
