//===- Archive.h - A .pt2 file as a set of records ------------------------===//
//
// Opens the zip file, finds out what kind of file it is and gives access to the
// bytes of its records, without copying where they are stored uncompressed.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_FRONTEND_ARCHIVE_H
#define ADZE_FRONTEND_ARCHIVE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace adze::frontend {

using Bytes = llvm::ArrayRef<uint8_t>;

inline llvm::StringRef asText(Bytes bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// The two layouts that hold a program: torch 2.8 and later, torch 2.6 and 2.7.
enum class ArchiveLayout : uint8_t { Archive, Flat };

struct Record {
  std::string name; // below the root folder of the archive
  uint64_t size = 0;
  uint64_t compressedSize = 0;
  uint32_t crc = 0;
  bool isStored = true;
  uint64_t index = 0; // in the zip
  uint64_t headerOffset = 0;
};

/// Bounds on what a file may ask of its reader.
struct ArchiveLimits {
  uint64_t maxRecords = 1u << 20;
  /// Compressed records larger than this must not be `maxRatio` times smaller
  /// in the file.
  uint64_t freeInflatedSize = 16u << 20;
  uint64_t maxRatio = 100;
};

class Archive {
public:
  /// Opens and classifies the file. Refuses, by name, what users mix up with an
  /// exported program: TorchScript, torch.save, AOTInductor packages, exports
  /// that were not saved completely, files that are no zip.
  static llvm::Expected<std::unique_ptr<Archive>>
  open(llvm::StringRef path, const ArchiveLimits &limits = {});
  /// The same for the content of a file, which must outlive the archive.
  static llvm::Expected<std::unique_ptr<Archive>>
  fromBytes(Bytes bytes, llvm::StringRef name,
            const ArchiveLimits &limits = {});
  ~Archive();

  llvm::StringRef path() const;
  ArchiveLayout layout() const;
  /// Sorted by name.
  llvm::ArrayRef<Record> records() const;
  const Record *lookup(llvm::StringRef name) const;

  /// Names of the programs inside; flat files have one, "model".
  llvm::ArrayRef<std::string> models() const;
  /// The model to read: `wanted`, or if it is empty "model", or the only one.
  llvm::Expected<std::string> chooseModel(llvm::StringRef wanted) const;
  /// The name of the record with the JSON of a model.
  std::string programRecord(llvm::StringRef model) const;

  /// The bytes of a record; they live as long as the archive. Stored records
  /// refer to the mapped file. With `checkCrc` the content is compared with the
  /// checksum of the zip (compressed records always are).
  llvm::Expected<Bytes> read(llvm::StringRef name, bool checkCrc) const;
  llvm::Expected<Bytes> read(const Record &record, bool checkCrc) const;

  /// Tags the error with the path of this file.
  llvm::Error tag(llvm::Error error) const;

private:
  struct Impl;
  static llvm::Expected<std::unique_ptr<Archive>>
  build(std::unique_ptr<Impl> impl, const ArchiveLimits &limits);
  explicit Archive(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace adze::frontend

#endif // ADZE_FRONTEND_ARCHIVE_H
