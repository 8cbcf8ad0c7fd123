//===- Normalizer.h - Walks a capture graph and builds prim -----*- C++ -*-===//

#ifndef ADZE_PASSES_NORMALIZE_NORMALIZER_H
#define ADZE_PASSES_NORMALIZE_NORMALIZER_H

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"
#include "passes/Normalize/Functionalizer.h"
#include "passes/Normalize/Passes.h"

namespace adze::normalize {

/// The autocast mode that calls are made in.
struct AutocastState {
  bool enabled = false;
  mlir::Type dtype;
};

/// The element type that autocast casts the float arguments of a call to; null
/// if it leaves them alone.
mlir::Type autocastType(const AutocastState &state, capture::CallOp call);

/// Turns one graph into one function.
class Normalizer : public CallEnvironment {
public:
  Normalizer(capture::GraphOp graph, mlir::OpBuilder &builder);

  /// Builds the function before the graph. Unsupported calls stand in it as
  /// graph breaks. Fails, with a diagnostic, if the program is at fault.
  mlir::FailureOr<mlir::func::FuncOp> run();
  llvm::ArrayRef<UnsupportedOperator> unsupportedOperators() const {
    return unsupported;
  }

  mlir::FailureOr<mlir::Value> read(mlir::Value captured) override;
  mlir::LogicalResult write(mlir::Value captured, mlir::Value value) override;
  mlir::Value rngKey() override;
  std::optional<int64_t> nextStream() override;
  sym::Range rangeOf(llvm::StringRef symbol) override;
  bool isWholeMemory(mlir::Value captured) override;

private:
  // Normalizer.cpp
  void readSymbolRanges();
  std::optional<unsigned> twinOf(unsigned argument);
  void bindArguments();
  void readInputStrides();
  mlir::LogicalResult checkSharedStorages();
  mlir::func::FuncOp createFunction();
  mlir::LogicalResult visitBlock(mlir::Block &block);
  mlir::LogicalResult visit(mlir::Operation &op);
  mlir::LogicalResult finish();
  void addMutationResults(llvm::SmallVectorImpl<mlir::Value> &values,
                          llvm::SmallVectorImpl<mlir::Attribute> &attrs);
  void recordOutputAlias(int64_t result, mlir::NamedAttrList &fields);
  void recordOutputAliases();

  // Calls.cpp
  mlir::LogicalResult visitCall(capture::CallOp call);
  mlir::LogicalResult callFresh(capture::CallOp call,
                                const DecompositionTable::Entry &entry);
  mlir::LogicalResult callView(capture::CallOp call,
                               const DecompositionTable::Entry &entry);
  mlir::LogicalResult callInPlace(capture::CallOp call,
                                  const DecompositionTable::Entry &entry);
  mlir::LogicalResult callRebinding(capture::CallOp call,
                                    const DecompositionTable::Entry &entry);
  mlir::LogicalResult callOut(capture::CallOp call,
                              const DecompositionTable::Entry &entry);
  /// Runs a decomposition and checks its results; on failure the call is
  /// recorded as unsupported, or the program reported as faulty.
  mlir::LogicalResult decompose(CallContext &context,
                                const DecompositionTable::Entry &entry);
  mlir::LogicalResult checkResult(CallContext &context, size_t i);
  void assertBounds(capture::CallOp call);
  mlir::LogicalResult giveUp(CallContext &context);
  void recordUnsupported(llvm::StringRef name, llvm::StringRef reason,
                         mlir::Location loc);
  void breakGraph(mlir::Operation *op, llvm::StringRef what,
                  llvm::StringRef reason);
  Alias *viewOrCopy(capture::CallOp call, Alias *base, mlir::Value input,
                    mlir::Value result, Aliasing aliasing);
  mlir::LogicalResult writeTo(Alias *alias, mlir::Value value,
                              capture::CallOp call);
  mlir::LogicalResult unsupportedWrite(capture::CallOp call,
                                       llvm::StringRef reason);

  // Regions.cpp
  mlir::LogicalResult visitInline(mlir::Operation &op, mlir::Region &body);
  mlir::LogicalResult visitAutocast(capture::AutocastOp op);
  mlir::LogicalResult visitCond(capture::CondOp op);
  mlir::LogicalResult visitWhile(capture::WhileOp op);
  mlir::LogicalResult visitScan(capture::ScanOp op);
  mlir::LogicalResult visitAssert(capture::AssertOp op);
  mlir::LogicalResult visitGraphBreak(capture::GraphBreakOp op);
  mlir::FailureOr<mlir::Value> readShaped(mlir::Value captured,
                                          mlir::Type type);
  mlir::LogicalResult fillRegion(mlir::Region &body, mlir::Block &into,
                                 llvm::ArrayRef<mlir::Type> resultTypes,
                                 bool isLoop);
  void bindFresh(mlir::ValueRange captured, mlir::ValueRange values);
  void bindSame(mlir::ValueRange captured, mlir::ValueRange others);

  capture::GraphOp graph;
  mlir::OpBuilder &builder;
  Functionalizer memory;
  mlir::func::FuncOp function;
  AutocastState autocast;
  mlir::Value key;
  llvm::StringMap<sym::Range> ranges;
  int64_t streams = 0;
  unsigned loopDepth = 0;
  std::vector<UnsupportedOperator> unsupported;
  std::vector<Alias *> argumentAliases;
  std::string writeFailure;
};

} // namespace adze::normalize

#endif // ADZE_PASSES_NORMALIZE_NORMALIZER_H
