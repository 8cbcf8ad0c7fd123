//===- ZipWriter.cpp - Writes stored entries of a zip archive -------------===//

#include "lib/Runtime/Runner/Zip.h"

#include <cstdlib>
#include <cstring>

using namespace adze::runner;

// Unused fields are as libzip has them, so that `adze run` and a program write
// the same bytes.
namespace {
struct [[gnu::packed]] EntryHeader {
  uint32_t mark = 0x04034b50;
  uint16_t version = 10;
  uint16_t flags = 0;
  uint16_t method = 0;
  uint16_t time = 0;
  uint16_t date = (1 << 5) | 1; // the first day of 1980
  uint32_t crc = 0;
  uint32_t storedBytes = 0;
  uint32_t bytes = 0;
  uint16_t nameBytes = 0;
  uint16_t extraBytes = 0;
};

struct [[gnu::packed]] DirectoryEntry {
  uint32_t mark = 0x02014b50;
  uint16_t writtenBy = 3 << 8 | 63; // on Unix, by the rules of version 6.3
  uint16_t version = 10;
  uint16_t flags = 0;
  uint16_t method = 0;
  uint16_t time = 0;
  uint16_t date = (1 << 5) | 1;
  uint32_t crc = 0;
  uint32_t storedBytes = 0;
  uint32_t bytes = 0;
  uint16_t nameBytes = 0;
  uint16_t extraBytes = 0;
  uint16_t commentBytes = 0;
  uint16_t disk = 0;
  uint16_t internal = 0;
  uint32_t external = 0100666u << 16; // a plain file
  uint32_t place = 0;
};

struct [[gnu::packed]] End {
  uint32_t mark = 0x06054b50;
  uint16_t disk = 0;
  uint16_t firstDisk = 0;
  uint16_t entriesHere = 0;
  uint16_t entries = 0;
  uint32_t bytes = 0;
  uint32_t place = 0;
  uint16_t commentBytes = 0;
};
} // namespace

static_assert(sizeof(EntryHeader) == 30 && sizeof(DirectoryEntry) == 46 &&
              sizeof(End) == 22);

/// Bit 11: the name is UTF-8, which plain ASCII need not say.
static uint16_t flagsOf(const char *name) {
  for (; *name; ++name)
    if (static_cast<uint8_t>(*name) >= 0x80)
      return 1 << 11;
  return 0;
}

bool ZipWriter::write(const void *data, uint64_t size) {
  position += size;
  return file.write({static_cast<const char *>(data), size}, failure);
}

ZipWriter::~ZipWriter() {
  for (uint64_t i = 0; i < count; ++i)
    free(entries[i].name);
  free(entries);
}

bool ZipWriter::reserve() {
  if (count < capacity)
    return true;
  uint64_t room = capacity * 2 + 16;
  void *larger = realloc(entries, room * sizeof(Written));
  if (!larger)
    return failForMemory(failure, "the directory of an npz");
  entries = static_cast<Written *>(larger);
  capacity = room;
  return true;
}

bool ZipWriter::add(const char *name, Bytes head, Bytes body) {
  uint64_t size = head.size + body.size, nameBytes = strlen(name);
  uint64_t after = position + sizeof(EntryHeader) + nameBytes + size;
  directoryBytes += sizeof(DirectoryEntry) + nameBytes;
  if (after + directoryBytes + sizeof(End) > UINT32_MAX || count >= 0xfffe ||
      nameBytes > UINT16_MAX)
    return fail(failure, DiagId::CannotWrite,
                "cannot write '%s': an npz of 4 GiB or more; write .npy files "
                "instead: -o PREFIX",
                file.shownAs());
  if (!reserve())
    return false;
  EntryHeader header;
  header.crc = crc32(crc32(0, head), body);
  header.storedBytes = header.bytes = static_cast<uint32_t>(size);
  header.nameBytes = static_cast<uint16_t>(nameBytes);
  header.flags = flagsOf(name);
  char *copy = strdup(name);
  if (!copy)
    return failForMemory(failure, name);
  entries[count++] = {copy, header.crc, header.bytes,
                      static_cast<uint32_t>(position)};
  return write(&header, sizeof(header)) && write(name, nameBytes) &&
         write(head.data, head.size) && write(body.data, body.size);
}

bool ZipWriter::finish() {
  End end;
  end.place = static_cast<uint32_t>(position);
  end.entries = end.entriesHere = static_cast<uint16_t>(count);
  for (uint64_t i = 0; i < count; ++i) {
    const Written &written = entries[i];
    DirectoryEntry entry;
    entry.crc = written.crc;
    entry.storedBytes = entry.bytes = written.bytes;
    entry.nameBytes = static_cast<uint16_t>(strlen(written.name));
    entry.flags = flagsOf(written.name);
    entry.place = written.place;
    if (!write(&entry, sizeof(entry)) || !write(written.name, entry.nameBytes))
      return false;
  }
  end.bytes = static_cast<uint32_t>(position - end.place);
  return write(&end, sizeof(end));
}
