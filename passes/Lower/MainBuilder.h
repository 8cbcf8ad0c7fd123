//===- MainBuilder.h - The function that runs a program ---------*- C++ -*-===//
//
// Builds `int32_t adze_main(adze_call *)` from the scheduled function: one
// address per tensor, one runtime call per launch, native control flow. After
// anything that can fail it returns if the call has failed.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_PASSES_LOWER_MAINBUILDER_H
#define ADZE_PASSES_LOWER_MAINBUILDER_H

#include "adze/Codegen/ProgramLayout.h"
#include "dialects/Kernel/Kernel.h"
#include "dialects/Prim/Prim.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace adze {

class MainBuilder {
public:
  MainBuilder(mlir::ModuleOp module, mlir::func::FuncOp func);

  /// Fails with a diagnostic for an op that can not run natively.
  mlir::LogicalResult build();

private:
  /// Fields of adze_call, 8 bytes each (lib/Runtime/Program.h).
  enum CallField { Inputs, Weights, States, Symbols, Workspace, Seed, Status };

  //===--- MainBuilder.cpp ------------------------------------------------===//
  void createFunction();
  void placeArguments();
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lowerOp(mlir::Operation *op);
  void lowerReturn(mlir::Operation *op);
  void lowerAssert(prim::AssertOp op);
  void lowerAssertExpr(prim::AssertExprOp op);
  void lowerCheckShape(prim::CheckShapeOp op);
  void lowerBindSymbol(prim::BindSymbolOp op);

  //===--- MainLaunch.cpp -------------------------------------------------===//
  mlir::LogicalResult lowerLaunch(kernel::LaunchOp op);
  void launchGenerated(kernel::LaunchOp op, kernel::FuncOp kernel);
  mlir::LogicalResult launchLibrary(kernel::LaunchOp op, kernel::FuncOp kernel);
  mlir::LogicalResult lowerNonzero(prim::NonzeroOp op);
  mlir::LogicalResult lowerUnique(prim::UniqueOp op);
  void parallelFor(llvm::StringRef name, llvm::ArrayRef<mlir::Value> slots,
                   mlir::Value count, mlir::Value grain);
  mlir::Value routine(llvm::StringRef name, llvm::ArrayRef<mlir::Value> slots);
  /// Number of the first error site of a launch; -1 if it can not fail.
  int64_t addSites(kernel::LaunchOp op, kernel::FuncOp kernel);

  //===--- MainControl.cpp ------------------------------------------------===//
  mlir::LogicalResult lowerCond(prim::CondOp op);
  mlir::LogicalResult lowerBranch(prim::CondOp op, mlir::Region &region,
                                  mlir::ArrayAttr sizes);
  mlir::LogicalResult lowerWhile(prim::WhileOp op);
  mlir::LogicalResult lowerScan(prim::ScanOp op);
  mlir::LogicalResult carry(mlir::ValueRange yielded,
                            llvm::ArrayRef<mlir::Value> buffers);

  //===--- MainMemory.cpp -------------------------------------------------===//
  mlir::Value integer(int64_t value);
  mlir::Value evaluate(sym::Expr expr);
  mlir::Value symbolAddress(llvm::StringRef name);
  /// Address of a value's elements.
  mlir::Value address(mlir::Value tensor);
  /// Memory for a result, as its buffer says; dynamic without one.
  mlir::Value allocate(mlir::Value result, kernel::BufferAttr buffer);
  mlir::Value allocateBytes(mlir::Value bytes);
  mlir::Value offsetAddress(mlir::Value base, mlir::Value bytes);
  void copy(mlir::Value to, mlir::Value from, mlir::Value bytes);
  mlir::Value bytesOf(mlir::Value tensor);
  mlir::Value loadField(int64_t field);
  mlir::Value loadFrom(mlir::Value table, int64_t number);
  mlir::Value pointerToInt(mlir::Value pointer);
  /// An array of slots on the stack.
  mlir::Value slotArray(llvm::ArrayRef<mlir::Value> slots);
  void returnIf(mlir::Value failed);
  void returnIfFailed();
  void failUnless(mlir::Value condition, mlir::Location loc,
                  llvm::StringRef message, mlir::Value a, mlir::Value b);
  int64_t addSite(mlir::Location loc, llvm::StringRef message);
  /// Continues in a new block behind the current one.
  mlir::Block *appendBlock();

  mlir::ModuleOp module;
  mlir::func::FuncOp func;
  ProgramLayout layout;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::LLVM::LLVMFuncOp main;
  mlir::OpBuilder entry;
  mlir::Block *exit = nullptr;
  mlir::Value call, workspace;
  llvm::DenseMap<mlir::Value, mlir::Value> addresses;
  llvm::SmallVector<mlir::Attribute> sites;
};

} // namespace adze

#endif // ADZE_PASSES_LOWER_MAINBUILDER_H
