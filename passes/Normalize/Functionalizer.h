//===- Functionalizer.h - Memory of a traced program as values --*- C++ -*-===//
//
// torch programs write tensors through views. Here every tensor object is an
// alias: a storage, whose value changes with each write, and the chain of view
// ops that lead from the value of the storage to that of the tensor. Reading
// replays the chain on the newest value; writing undoes it step by step.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_NORMALIZE_FUNCTIONALIZER_H
#define ADZE_PASSES_NORMALIZE_FUNCTIONALIZER_H

#include "dialects/Prim/PrimBuilder.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <optional>
#include <vector>

namespace adze::normalize {

/// Memory that tensors share.
struct Storage {
  mlir::Value current; // the base: what the first tensor of it saw
  unsigned version = 0;
  unsigned depth = 0;               // of the region that made it
  std::optional<unsigned> argument; // of the graph, if the caller owns it
  bool isContiguous = true;         // in torch; here everything is
};

/// A tensor object: several captured values may stand for one.
struct Alias {
  Storage *storage = nullptr;
  llvm::SmallVector<mlir::Operation *> chain; // first step first
  mlir::Value value;                          // as of `version`
  unsigned version = 0;
  unsigned depth = 0;
  bool isReplayable = true; // false: a view that no chain of ops describes
  /// Whether torch has made a view or a copy can not be told.
  bool isAmbiguous = false;
};

class Functionalizer {
public:
  explicit Functionalizer(mlir::OpBuilder &builder) : builder(builder) {}

  /// A tensor with memory of its own.
  Alias *makeFresh(mlir::Value value,
                   std::optional<unsigned> argument = std::nullopt);
  /// A tensor that `result` computes from `input`, a value that stands for
  /// `base` while its view op is decomposed. Null if no chain of view ops
  /// leads from one to the other.
  Alias *makeView(Alias *base, mlir::Value input, mlir::Value result);
  /// A view that can be read as long as nobody writes the memory.
  Alias *makeOpaqueView(Alias *base, mlir::Value value);

  /// Another tensor object on all of the memory of `other`, which nobody has
  /// written so far: `value` is equal to that of `other`.
  Alias *makeTwin(const Alias &other, mlir::Value value);

  void bind(mlir::Value captured, Alias *alias) { aliases[captured] = alias; }
  Alias *lookup(mlir::Value captured) const { return aliases.lookup(captured); }
  /// All captured values that stand for `from` now stand for what `to` is.
  void rebind(Alias *from, const Alias &to) { *from = to; }

  /// The value now. Fails if it can not be told.
  mlir::FailureOr<mlir::Value> read(Alias *alias, mlir::Location loc);
  /// Gives the tensor a new value of its type. On failure `reason` says why.
  mlir::LogicalResult write(Alias *alias, mlir::Value value, mlir::Location loc,
                            std::string &reason);

  /// True if what the alias shows can be told after its memory was written.
  bool isWritable(const Alias &alias) const {
    return alias.storage->depth == depth && alias.isReplayable &&
           !alias.isAmbiguous;
  }
  /// Gives the memory a new value, of which nothing is known.
  void replace(Storage &storage, mlir::Value value) {
    storage.current = value;
    ++storage.version;
  }

  void enterRegion() { ++depth; }
  void leaveRegion() { --depth; }
  unsigned regionDepth() const { return depth; }

private:
  mlir::OpBuilder &builder;
  unsigned depth = 0;
  std::vector<std::unique_ptr<Storage>> storages;
  std::vector<std::unique_ptr<Alias>> ownedAliases;
  llvm::DenseMap<mlir::Value, Alias *> aliases;
};

/// Where a view lies on its base, in elements.
struct Placement {
  sym::Shape strides;
  sym::Expr offset; // of its first element
};

/// Of an alias whose base is contiguous; nullopt if unknown.
std::optional<Placement> placementOf(const Alias &alias);
std::optional<sym::Shape> stridesOf(const Alias &alias);
bool isContiguous(llvm::ArrayRef<sym::Expr> shape,
                  llvm::ArrayRef<sym::Expr> strides);
/// Whether torch's `view` could give a tensor of these strides that shape.
bool isViewable(llvm::ArrayRef<sym::Expr> shape,
                llvm::ArrayRef<sym::Expr> strides,
                llvm::ArrayRef<sym::Expr> newShape);

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_FUNCTIONALIZER_H
