//===- WeightStore.h - The bytes behind parameters, buffers, constants ----===//
//
// Binds every weight of a program to its place in the mapped file. Weights that
// share a storage (tied weights, views) name the same `storage`.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_FRONTEND_WEIGHTSTORE_H
#define ADZE_FRONTEND_WEIGHTSTORE_H

#include "adze/Frontend/Archive.h"
#include "adze/Frontend/ExportedProgram.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <vector>

namespace adze::frontend {

class SavedTensors;

struct WeightStorage {
  std::string record; // where the bytes come from, for messages
  Bytes bytes;        // the whole untyped storage
};

/// A tensor over a storage: strides and offset count elements and were checked
/// to stay inside.
struct Weight {
  std::string name; // fully qualified name in the signature
  /// Names that the file has for the same tensor, but the signature has not.
  std::vector<std::string> otherNames;
  DType dtype = DType::Float32;
  llvm::SmallVector<int64_t, 4> sizes, strides;
  int64_t storageOffset = 0;
  unsigned storage = 0; // index into storages()
  bool isParameter = false;
  bool requiresGrad = false;

  int64_t numElements() const;
  bool isContiguous() const;
  /// The bytes of the storage from the first element to behind the last.
  std::pair<int64_t, int64_t> byteRange() const;
};

/// True if two names stand for one tensor: the same elements at the same place.
bool isSameTensor(const Weight &a, const Weight &b);
/// True if a write to one may be seen through the other.
bool mayOverlap(const Weight &a, const Weight &b);

struct WeightOptions {
  bool checkCrc = true;
};

class WeightStore {
public:
  /// Binds all weights that the signature of `program` names. Keeps the archive
  /// alive: the bytes belong to it.
  static llvm::Expected<std::unique_ptr<WeightStore>>
  load(std::shared_ptr<const Archive> archive, llvm::StringRef model,
       const ExportedProgram &program, const WeightOptions &options = {});

  /// Weights that come from no archive; the caller keeps their bytes alive.
  static std::unique_ptr<WeightStore>
  create(std::vector<WeightStorage> storages, std::vector<Weight> weights);

  llvm::ArrayRef<WeightStorage> storages() const { return storageList; }
  llvm::ArrayRef<Weight> weights() const { return weightList; }
  const Weight *lookup(llvm::StringRef name) const;

  /// The elements in row-major order, without a copy if they lie so already;
  /// else they are gathered into `scratch`.
  Bytes contiguousBytes(const Weight &weight,
                        std::vector<uint8_t> &scratch) const;

private:
  friend class WeightBinder;
  std::shared_ptr<const Archive> archive;
  std::vector<std::shared_ptr<SavedTensors>> bundles; // own inflated bytes
  std::vector<WeightStorage> storageList;
  std::vector<Weight> weightList;
  llvm::StringMap<unsigned> byName;
};

} // namespace adze::frontend

#endif // ADZE_FRONTEND_WEIGHTSTORE_H
