//===- InterfaceBuilder.h - Makes a ProgramInterface ------------*- C++ -*-===//

#ifndef ADZE_LIB_CODEGEN_INTERFACEBUILDER_H
#define ADZE_LIB_CODEGEN_INTERFACEBUILDER_H

#include "adze/Codegen/ProgramInterface.h"

#include "llvm/ADT/StringSet.h"

namespace adze {

/// What adze.symbols says about a symbol; a missing bound is none.
struct SymbolBounds {
  std::optional<int64_t> min, max;
};

class InterfaceBuilder {
public:
  InterfaceBuilder(mlir::func::FuncOp func, const InterfaceOptions &options)
      : func(func), layout(func), options(options) {}

  llvm::Error build(mlir::ModuleOp lowered);
  ProgramInterface program;

private:
  // ProgramInterface.cpp
  llvm::Error readInputs();
  llvm::Error readInput(mlir::DictionaryAttr entry);
  llvm::Error readResults();
  llvm::Error readOutputs();
  llvm::Error readOutput(mlir::DictionaryAttr entry);
  llvm::Error readTensorOutput(mlir::DictionaryAttr entry, OutputSpec &output);
  llvm::Error readSymbolicOutput(sym::Expr value, OutputSpec &output);
  bool readAlias(mlir::DictionaryAttr entry, OutputSpec &output);
  bool readSibling(mlir::DictionaryAttr entry, OutputSpec &output);
  std::optional<sym::Shape> tracedStrides(const ArgumentPlace &place);
  void readWeights();
  llvm::Error readStates();
  llvm::Error readMutations();
  void readErrorSites(mlir::ModuleOp lowered);
  bool drawsRandomNumbers();

  // SolveSymbols.cpp
  llvm::Error solveSymbols();
  bool solveFromDims(llvm::StringRef name, SymbolSpec &symbol, bool isPlain);
  bool solveFromScalar(llvm::StringRef name, SymbolSpec &symbol);
  bool solveFromStride(llvm::StringRef name, SymbolSpec &symbol);
  llvm::StringSet<> usedSymbols();

  // CollectGuards.cpp
  void collectGuards();
  void addInputGuards(int32_t index);
  void addConstantGuard(int32_t index);
  void addDimGuard(int32_t index, int32_t dim);
  void addRangeGuard(int32_t index, int32_t dim, const SymbolSpec &symbol);
  void addSymbolGuards(const SymbolSpec &symbol);
  void addScalarGuard(int32_t index);
  void addRelations();
  void addOverlapGuards();
  GuardSpec &addGuard(int32_t kind, int32_t input, llvm::StringRef id,
                      const llvm::Twine &expression,
                      const llvm::Twine &message = "");
  void addRelation(sym::Expr holds, const llvm::Twine &id, llvm::StringRef text,
                   llvm::StringRef origin);
  SymbolBounds boundsOf(llvm::StringRef symbol);
  std::string display(sym::Expr expr);

  mlir::func::FuncOp func;
  ProgramLayout layout;
  const InterfaceOptions &options;
  llvm::SmallVector<mlir::DictionaryAttr> inputEntries; // one per input
};

std::optional<DType> dtypeOf(mlir::Type element);
sym::Shape rowMajorStrides(mlir::MLIRContext *context,
                           llvm::ArrayRef<sym::Expr> dims);
/// True if the strides are those of a row-major tensor, up to dims of size 1.
bool isRowMajor(llvm::ArrayRef<sym::Expr> dims,
                llvm::ArrayRef<sym::Expr> strides);

} // namespace adze

#endif // ADZE_LIB_CODEGEN_INTERFACEBUILDER_H
