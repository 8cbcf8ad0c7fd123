//===- Lifetimes.h - When buffers are alive ---------------------*- C++ -*-===//

#ifndef ADZE_PASSES_SCHEDULE_LIFETIMES_H
#define ADZE_PASSES_SCHEDULE_LIFETIMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace adze {

/// Inclusive: positions of the ops in the order in which they stand.
struct Lifetime {
  int64_t begin = 0, end = 0;
  bool overlaps(const Lifetime &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// Lifetimes of all storages (see storageOf) of a function. A value from
/// outside of a loop that is read inside of it lives until the loop ends.
class Lifetimes {
public:
  explicit Lifetimes(mlir::func::FuncOp func);
  Lifetime of(mlir::Value storage) const { return lifetimes.lookup(storage); }

private:
  void number(mlir::Region &region);
  void extend(mlir::Value storage, mlir::Operation *user);

  int64_t next = 0;
  llvm::DenseMap<mlir::Operation *, Lifetime> positions;
  llvm::DenseMap<mlir::Value, Lifetime> lifetimes;
};

} // namespace adze

#endif // ADZE_PASSES_SCHEDULE_LIFETIMES_H
