//===- WeightsWriter.h - weights.bin ----------------------------*- C++ -*-===//
//
// Every weight as `main` reads it: row-major, or packed for the kernels that
// read it, in records that begin at multiples of 64 bytes. One record is in
// memory at a time; what lies row-major in the mapped archive is not copied.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PACKAGE_WEIGHTSWRITER_H
#define ADZE_PACKAGE_WEIGHTSWRITER_H

#include "adze/Codegen/ProgramInterface.h"
#include "adze/Frontend/WeightStore.h"

namespace adze {

/// What a packed record looks like.
struct PackedLayout {
  DType dtype = DType::Float32;
  llvm::SmallVector<int64_t> shape; // of the data as kernels read it
  std::string text;                 // for people: "panels of 32 columns"
};

/// Lays weights out for kernels. `packing` is the attribute `kernel.packing` of
/// the argument that the weight is passed as.
class Packer {
public:
  virtual ~Packer() = default;

  /// The layout of a weight of this shape. Fails for a packing that is unknown.
  virtual llvm::Expected<PackedLayout>
  layout(mlir::Attribute packing, DType dtype,
         llvm::ArrayRef<int64_t> shape) const = 0;
  /// Writes all of `packed`, which is zeroed, from row-major data. May be
  /// called from several threads.
  virtual void pack(mlir::Attribute packing, DType dtype,
                    llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<uint8_t> rowMajor,
                    llvm::MutableArrayRef<uint8_t> packed) const = 0;
};

/// Marks arguments that are one tensor under two names (tied weights) with the
/// attribute tiedName, so that ProgramLayout gives them one number. To be done
/// before `lower`.
void markTiedWeights(mlir::func::FuncOp func,
                     const frontend::WeightStore &store);

/// What weights.bin will hold.
class WeightsWriter {
public:
  /// Fills the places and shapes of program.weights, and weightsBytes. `packer`
  /// may be null if no argument is packed.
  static llvm::Expected<WeightsWriter> plan(mlir::func::FuncOp scheduled,
                                            const frontend::WeightStore &store,
                                            const Packer *packer,
                                            ProgramInterface &program);

  /// Writes the file at `path`, none if there are no bytes, and fills the
  /// digests. Touches no MLIR but the attributes of packings, so another thread
  /// may compile meanwhile.
  llvm::Error write(llvm::StringRef path);

private:
  /// Where the data of a record comes from; no weight: the program never reads
  /// it, and the file does not hold it.
  struct Source {
    const frontend::Weight *weight = nullptr;
    mlir::Attribute packing;
  };

  WeightsWriter(const frontend::WeightStore &store, const Packer *packer,
                ProgramInterface &program)
      : store(store), packer(packer), program(program) {}

  llvm::Error planRecord(mlir::func::FuncOp func, size_t index,
                         unsigned argument);
  llvm::Error writeRecords(llvm::raw_ostream &os);
  llvm::Error writeRecord(llvm::raw_ostream &os, size_t index);
  llvm::Error digestAll(llvm::StringRef path);

  const frontend::WeightStore &store;
  const Packer *packer;
  ProgramInterface &program;
  std::vector<Source> sources; // one per record
};

} // namespace adze

#endif // ADZE_PACKAGE_WEIGHTSWRITER_H
