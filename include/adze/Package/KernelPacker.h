//===- KernelPacker.h - Weights as the kernels of adze read them *- C++ -*-===//

#ifndef ADZE_PACKAGE_KERNELPACKER_H
#define ADZE_PACKAGE_KERNELPACKER_H

#include "adze/Package/WeightsWriter.h"

namespace adze {

/// Lays weights out as #kernel.packing says.
class KernelPacker : public Packer {
public:
  llvm::Expected<PackedLayout>
  layout(mlir::Attribute packing, DType dtype,
         llvm::ArrayRef<int64_t> shape) const override;
  void pack(mlir::Attribute packing, DType dtype, llvm::ArrayRef<int64_t> shape,
            llvm::ArrayRef<uint8_t> rowMajor,
            llvm::MutableArrayRef<uint8_t> packed) const override;
};

} // namespace adze

#endif // ADZE_PACKAGE_KERNELPACKER_H
