//===- ExportedProgram.cpp - An exported program as it stands in the file -===//

#include "adze/Frontend/ExportedProgram.h"

#include "llvm/ADT/STLExtras.h"

namespace adze::frontend {

ExportedProgram::ExportedProgram() : strings(allocator) {}

bool Argument::isValue() const {
  switch (kind) {
  case ArgKind::Tensor:
  case ArgKind::SymInt:
  case ArgKind::SymFloat:
  case ArgKind::SymBool:
  case ArgKind::CustomObj:
    return true;
  default:
    return false;
  }
}

std::optional<DType> Argument::dtype() const {
  if (kind != ArgKind::ScalarType)
    return std::nullopt;
  return dtypeFromPt2(integer);
}

const Argument *Node::lookup(llvm::StringRef inputName) const {
  auto found = llvm::find_if(inputs, [&](const NamedArgument &input) {
    return input.name == inputName;
  });
  return found == inputs.end() ? nullptr : &found->value;
}

const ValueMeta *Graph::lookup(llvm::StringRef name) const {
  auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

} // namespace adze::frontend
