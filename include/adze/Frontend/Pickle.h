//===- Pickle.h - A pickle reader that runs nothing -----------------------===//
//
// Reads torch.save data: tensors and plain values. Every class or function that
// a pickle names is kept as an opaque object; none is ever called.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_FRONTEND_PICKLE_H
#define ADZE_FRONTEND_PICKLE_H

#include "adze/Frontend/Archive.h"
#include "adze/Support/DType.h"

#include "llvm/ADT/SmallVector.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adze::frontend {

enum class PickleKind : uint8_t {
  None,
  Bool,
  Int,
  Float,
  String,
  Bytes,
  Tuple,
  List,
  Dict,
  Tensor,
  Global, // text: "module name"
  Storage,
  Object, // text: the class; items: {constructor arguments, state}
};

/// Values form a graph: a memo may refer to a value many times, even from
/// inside itself. They are owned by their `Pickle`.
struct PickleValue {
  PickleKind kind = PickleKind::None;
  int64_t integer = 0;
  double real = 0;
  std::string text; // String, Bytes, Global, Object
  std::vector<PickleValue *>
      items; // Tuple, List, Object; Dict: key, value, ...

  // Tensor, and Storage (its dtype, key and size).
  std::optional<DType> dtype;
  std::string storageKey;
  uint64_t storageElements = 0; // as the pickle claims
  bool isUntypedStorage = false;
  int64_t storageOffset = 0;
  llvm::SmallVector<int64_t, 4> sizes, strides;
  bool requiresGrad = false;
  bool isParameter = false;
  bool isFake = false; // saved without data

  /// The value of a string key of a Dict, else null.
  const PickleValue *lookup(llvm::StringRef key) const;
};

struct Pickle {
  std::deque<PickleValue> values;
  PickleValue *root = nullptr;
};

/// Runs a pickle of protocol 2 to 5. Fails on opcodes outside the closed
/// subset, on malformed stacks and beyond fixed bounds of size and depth.
llvm::Expected<std::unique_ptr<Pickle>> parsePickle(Bytes bytes);

/// A torch.save file inside a record: the unpickled value and its storages.
class SavedTensors {
public:
  static llvm::Expected<std::unique_ptr<SavedTensors>> open(Bytes zip);
  ~SavedTensors();

  const PickleValue *root() const;
  /// Bytes of the storage of a tensor.
  llvm::Expected<Bytes> storage(const PickleValue &tensor) const;

private:
  struct Impl;
  explicit SavedTensors(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace adze::frontend

#endif // ADZE_FRONTEND_PICKLE_H
