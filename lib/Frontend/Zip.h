//===- Zip.h - Members of a zip file in memory ----------------------------===//
//
// libzip checks and inflates. The central directory is read here as well:
// libzip does not tell where the data of a stored member lies, which is what
// lets weights be used in place.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_LIB_FRONTEND_ZIP_H
#define ADZE_LIB_FRONTEND_ZIP_H

#include "adze/Frontend/Archive.h"

#include "llvm/ADT/StringMap.h"

#include <mutex>

struct zip;

namespace adze::frontend {

class Zip {
public:
  /// `bytes` must outlive the result.
  static llvm::Expected<std::unique_ptr<Zip>> open(Bytes bytes,
                                                   const ArchiveLimits &limits);
  ~Zip();

  /// In the order of the central directory.
  llvm::ArrayRef<Record> members() const { return memberList; }
  const Record *lookup(llvm::StringRef name) const;

  /// See Archive::read. `isCrcOptional`: a checksum of 0 stands for none.
  llvm::Expected<Bytes> read(const Record &record, bool checkCrc,
                             bool isCrcOptional = false);

private:
  explicit Zip(Bytes bytes) : bytes(bytes) {}
  llvm::Error openHandle();
  llvm::Error compareWithHandle();
  llvm::Error checkMembers(const ArchiveLimits &limits);
  llvm::Expected<Bytes> inflate(const Record &record);

  Bytes bytes;
  zip *handle = nullptr;
  std::vector<Record> memberList;
  llvm::StringMap<size_t> byName;
  std::mutex mutex; // guards `handle` and `inflated`
  llvm::StringMap<std::unique_ptr<std::vector<uint8_t>>> inflated;
};

/// The central directory of a zip file; its offsets are checked to lie inside.
llvm::Expected<std::vector<Record>>
readCentralDirectory(Bytes bytes, const ArchiveLimits &limits);

/// The stored bytes of a member, found through its local header.
llvm::Expected<Bytes> locateData(Bytes bytes, const Record &record);

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_ZIP_H
