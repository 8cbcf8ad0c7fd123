//===- DType.cpp - The element types of adze ------------------------------===//

#include "adze/Support/DType.h"

namespace adze {

static constexpr DTypeInfo table[] = {
#define ADZE_DTYPE(Name, torch, numpy, code, bits, pt2, mlir)                  \
  {DType::Name, torch, numpy, code, bits, (bits) / 8, pt2, mlir},
#include "adze/Support/DTypes.def"
};

llvm::ArrayRef<DTypeInfo> allDTypes() { return table; }

const DTypeInfo &getInfo(DType dtype) {
  return table[static_cast<unsigned>(dtype)];
}

template <typename Predicate>
static std::optional<DType> find(Predicate predicate) {
  for (const DTypeInfo &info : table)
    if (predicate(info))
      return info.dtype;
  return std::nullopt;
}

std::optional<DType> dtypeFromName(llvm::StringRef torchName) {
  torchName.consume_front("torch.");
  return find([&](const DTypeInfo &i) { return i.name == torchName; });
}

std::optional<DType> dtypeFromNumpy(llvm::StringRef descr) {
  if (descr.empty())
    return std::nullopt;
  return find([&](const DTypeInfo &i) { return i.numpyDescr == descr; });
}

std::optional<DType> dtypeFromDLPack(uint8_t code, uint8_t bits) {
  return find([&](const DTypeInfo &i) {
    return i.dlpackCode == code && i.bits == bits;
  });
}

std::optional<DType> dtypeFromPt2(int64_t scalarType) {
  return find(
      [&](const DTypeInfo &i) { return i.pt2ScalarType == scalarType; });
}

std::optional<DType> dtypeFromMLIR(llvm::StringRef type) {
  return find([&](const DTypeInfo &i) { return i.mlirType == type; });
}

bool isFloat(DType dtype) {
  switch (dtype) {
  case DType::Float16:
  case DType::BFloat16:
  case DType::Float32:
  case DType::Float64:
  case DType::Float8E4M3FN:
  case DType::Float8E5M2:
    return true;
  default:
    return false;
  }
}

bool isComplex(DType dtype) {
  return dtype == DType::Complex64 || dtype == DType::Complex128;
}

bool isInteger(DType dtype) {
  return dtype != DType::Bool && !isFloat(dtype) && !isComplex(dtype);
}

bool isSignedInteger(DType dtype) {
  return isInteger(dtype) && getInfo(dtype).dlpackCode == 0;
}

} // namespace adze
