//===- PickleObjects.h - The classes a pickle may name --------------------===//

#ifndef ADZE_LIB_FRONTEND_PICKLEOBJECTS_H
#define ADZE_LIB_FRONTEND_PICKLEOBJECTS_H

#include "adze/Frontend/Pickle.h"

namespace adze::frontend {

/// Reads the persistent id ("storage", class, key, location, elements).
llvm::Error readStorageId(const PickleValue &id, PickleValue &storage);

/// What `callee(*arguments)` stands for. Torch's constructors of tensors and a
/// few containers are recognised; of all others `result` becomes an opaque
/// Object that keeps the arguments.
llvm::Error applyConstructor(const PickleValue &callee, PickleValue &arguments,
                             bool isNewObject, PickleValue &result);

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_PICKLEOBJECTS_H
