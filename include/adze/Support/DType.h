//===- DType.h - The element types of adze --------------------------------===//
//
// One table (DTypes.def) of what each element type is called by torch, NumPy,
// DLPack, the pt2 schema and MLIR. Needs no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_SUPPORT_DTYPE_H
#define ADZE_SUPPORT_DTYPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace adze {

enum class DType : uint8_t {
#define ADZE_DTYPE(Name, ...) Name,
#include "adze/Support/DTypes.def"
};

struct DTypeInfo {
  DType dtype;
  llvm::StringRef name;       // torch: "float32"
  llvm::StringRef numpyDescr; // "<f4", empty where NumPy has no such type
  uint8_t dlpackCode;
  uint8_t bits;
  uint8_t size;             // bytes of one element
  uint8_t pt2ScalarType;    // number in torch.export's schema
  llvm::StringRef mlirType; // "f32"
};

/// All element types, indexed by their enumerator.
llvm::ArrayRef<DTypeInfo> allDTypes();
const DTypeInfo &getInfo(DType dtype);

inline llvm::StringRef getName(DType dtype) { return getInfo(dtype).name; }
inline int64_t getSize(DType dtype) { return getInfo(dtype).size; }

/// None where no element type has that name or number. A torch name may carry
/// the prefix "torch.".
std::optional<DType> dtypeFromName(llvm::StringRef torchName);
std::optional<DType> dtypeFromNumpy(llvm::StringRef littleEndianDescr);
std::optional<DType> dtypeFromDLPack(uint8_t code, uint8_t bits);
std::optional<DType> dtypeFromPt2(int64_t scalarType);
std::optional<DType> dtypeFromMLIR(llvm::StringRef type);

/// bfloat16, float8 and the like are floating point; complex types are not.
bool isFloat(DType dtype);
bool isComplex(DType dtype);
/// Signed or unsigned integers; bool is none.
bool isInteger(DType dtype);
bool isSignedInteger(DType dtype);

} // namespace adze

#endif // ADZE_SUPPORT_DTYPE_H
