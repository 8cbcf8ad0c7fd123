//===- DecompositionTable.h - Which function decomposes which op *- C++ -*-===//
//
// A family file has one small function per ATen op and one function that adds
// them to the table. In-place overloads (`add_.Tensor`) and `out` overloads
// need no entry: they run the functional one and write its result.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_NORMALIZE_DECOMPOSITIONTABLE_H
#define ADZE_PASSES_NORMALIZE_DECOMPOSITIONTABLE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"

namespace adze::normalize {

class CallContext;

/// Builds the prim ops of one call and sets all its results. On failure it has
/// called `emitUnsupported`.
using Decomposition = mlir::LogicalResult (*)(CallContext &);

/// How the results of an operator relate to the memory of its argument `self`.
enum class Aliasing : uint8_t {
  None,     // fresh tensors
  View,     // always a view
  MaybeView // `self` or a view if nothing has to be copied (reshape, to)
};

class DecompositionTable {
public:
  struct Entry {
    Decomposition function = nullptr;
    Aliasing aliasing = Aliasing::None;
  };

  /// `name` as in `capture.call`: "aten.add.Tensor".
  void add(llvm::StringRef name, Decomposition function) {
    entries[name] = {function, Aliasing::None};
  }
  void addView(llvm::StringRef name, Decomposition function) {
    entries[name] = {function, Aliasing::View};
  }
  void addMaybeView(llvm::StringRef name, Decomposition function) {
    entries[name] = {function, Aliasing::MaybeView};
  }
  const Entry *lookup(llvm::StringRef name) const {
    auto it = entries.find(name);
    return it == entries.end() ? nullptr : &it->second;
  }
  const llvm::StringMap<Entry> &all() const { return entries; }

  /// The table of all families; made at the first call.
  static const DecompositionTable &get();

private:
  llvm::StringMap<Entry> entries;
};

#define ADZE_FAMILY(NAME)                                                      \
  void register##NAME##Decompositions(DecompositionTable &table);
#include "passes/Normalize/Families.def"

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_DECOMPOSITIONTABLE_H
