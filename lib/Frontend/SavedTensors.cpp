//===- SavedTensors.cpp - A torch.save file inside a record ---------------===//

#include "adze/Frontend/Pickle.h"

#include "Zip.h"

#include "adze/Frontend/Error.h"

namespace adze::frontend {

struct SavedTensors::Impl {
  std::unique_ptr<Zip> zip;
  std::string root;
  std::unique_ptr<Pickle> pickle;

  /// The nested zip may have been written without checksums.
  llvm::Expected<Bytes> read(llvm::StringRef name) const {
    const Record *record = zip->lookup((root + name).str());
    if (!record)
      return inputFault("", "torch.save data has no member '" + name + "'");
    return zip->read(*record, /*checkCrc=*/true, /*isCrcOptional=*/true);
  }
};

SavedTensors::SavedTensors(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
SavedTensors::~SavedTensors() = default;

const PickleValue *SavedTensors::root() const { return impl->pickle->root; }

static llvm::Error checkByteOrder(llvm::StringRef order) {
  if (order == "little")
    return llvm::Error::success();
  return inputFault("", "expected byte order 'little', but found '" +
                            order.take_front(20) + "'");
}

llvm::Expected<std::unique_ptr<SavedTensors>> SavedTensors::open(Bytes bytes) {
  auto impl = std::make_unique<Impl>();
  llvm::Expected<std::unique_ptr<Zip>> zip = Zip::open(bytes, {});
  if (!zip)
    return zip.takeError();
  impl->zip = std::move(*zip);
  for (const Record &record : impl->zip->members()) {
    llvm::StringRef name = record.name;
    if (name.consume_back("data.pkl") && (name.empty() || name.ends_with("/")))
      impl->root = name.str();
  }
  llvm::Expected<Bytes> data = impl->read("data.pkl");
  if (!data)
    return data.takeError();
  if (impl->zip->lookup(impl->root + "byteorder")) {
    llvm::Expected<Bytes> order = impl->read("byteorder");
    if (!order)
      return order.takeError();
    if (llvm::Error error = checkByteOrder(asText(*order)))
      return error;
  }
  llvm::Expected<std::unique_ptr<Pickle>> pickle = parsePickle(*data);
  if (!pickle)
    return pickle.takeError();
  impl->pickle = std::move(*pickle);
  return std::unique_ptr<SavedTensors>(new SavedTensors(std::move(impl)));
}

llvm::Expected<Bytes> SavedTensors::storage(const PickleValue &tensor) const {
  return impl->read("data/" + tensor.storageKey);
}

} // namespace adze::frontend
