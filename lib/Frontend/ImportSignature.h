//===- ImportSignature.h - Inputs, outputs, symbols, guards -----*- C++ -*-===//

#ifndef ADZE_LIB_FRONTEND_IMPORTSIGNATURE_H
#define ADZE_LIB_FRONTEND_IMPORTSIGNATURE_H

#include "ImportContext.h"

#include "llvm/ADT/SetVector.h"

namespace adze::frontend {

/// The type and the descriptors of the graph; sees to it that symbols of inputs
/// count as defined.
class SignatureImporter {
public:
  explicit SignatureImporter(ImportContext &shared);

  mlir::LogicalResult import();

  mlir::FunctionType type;
  llvm::SmallVector<mlir::Attribute> argumentAttrs, resultAttrs;
  /// The attributes adze.inputs, adze.outputs, adze.symbols, adze.in_spec and
  /// adze.out_spec.
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  /// Of each leaf of the inputs: its path as guards spell it.
  std::vector<std::string> leafPaths;

private:
  mlir::LogicalResult importInputs();
  mlir::LogicalResult importInput(const InputSpec &spec, const Argument &input);
  mlir::LogicalResult importLeaf(const InputSpec &spec, const Argument &input);
  mlir::LogicalResult importOutputs();
  mlir::LogicalResult importOutputLeaf(const Argument &output);
  mlir::DictionaryAttr describeInput(const InputSpec &spec,
                                     llvm::StringRef path);
  mlir::DictionaryAttr describeOutput(const OutputSpec &spec);
  mlir::DictionaryAttr descriptor(capture::Role role, llvm::StringRef name,
                                  int64_t index, bool isPersistent = true);
  mlir::FailureOr<mlir::RankedTensorType> tensorType(llvm::StringRef name);
  mlir::Attribute strides(const TensorMeta &meta);
  TensorMeta metaOfResult(llvm::StringRef name);
  void addLiteral(const Argument &value,
                  llvm::SmallVectorImpl<mlir::NamedAttribute> &members);
  void addSymbols();
  void addHints(llvm::StringMap<int64_t> &hints);
  void add(llvm::StringRef name, mlir::Attribute value);
  mlir::NamedAttribute member(llvm::StringRef name, mlir::Attribute value);

  ImportContext &shared;
  const ExportedProgram &program;
  mlir::Builder builder;
  llvm::SmallVector<mlir::Type> argumentTypes, resultTypes;
  llvm::SmallVector<mlir::Attribute> inputs, outputs;
  llvm::StringMap<int64_t> leafOfInput;   // by the name of the graph input
  llvm::StringMap<int64_t> indexOfWeight; // by its fully qualified name
  llvm::SetVector<llvm::StringRef> inputSymbols;
};

/// The attribute adze.guards: guards_code, and the bounds of derived sizes.
/// Warns of what cannot be read.
mlir::ArrayAttr importGuards(ImportContext &shared,
                             llvm::ArrayRef<std::string> leafPaths,
                             mlir::Location location);

/// "x[0]['k']" of "L['x'][0]['k']".
std::string displayPath(llvm::StringRef guardPath);

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_IMPORTSIGNATURE_H
