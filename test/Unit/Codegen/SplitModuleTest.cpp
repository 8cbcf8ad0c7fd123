//===- SplitModuleTest.cpp - One module for each kernel -------------------===//

#include "lib/Codegen/SplitModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace adze;
using namespace mlir;

namespace {

constexpr char text[] = R"(
  llvm.mlir.global internal constant @table(1.0 : f32) : f32
  llvm.func @expf(f32) -> f32
  llvm.func internal @helper() { llvm.return }
  llvm.func internal @a() {
    %0 = llvm.mlir.addressof @table : !llvm.ptr
    llvm.call @helper() : () -> ()
    llvm.return
  }
  llvm.func internal @b() { llvm.call @helper() : () -> () llvm.return }
  llvm.func internal @unused() { llvm.return }
  llvm.func @main() {
    llvm.call @a() : () -> ()
    %0 = llvm.mlir.addressof @b : !llvm.ptr
    llvm.return
  }
)";

std::vector<std::string> symbolsOf(ModuleOp module) {
  std::vector<std::string> names;
  for (auto op : module.getOps<SymbolOpInterface>()) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op.getOperation());
    bool isDeclared = function && function.isExternal();
    names.push_back(op.getName().str() + (isDeclared ? "?" : ""));
  }
  return names;
}

TEST(SplitModuleTest, oneForEachKernel) {
  MLIRContext context;
  context.loadDialect<LLVM::LLVMDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(bool(module));
  std::vector<ModulePart> parts = splitModule(*module, "main");
  ASSERT_EQ(parts.size(), 3u);
  using Names = std::vector<std::string>;
  EXPECT_EQ(symbolsOf(*parts[0].module), (Names{"a?", "b?", "main"}));
  EXPECT_EQ(symbolsOf(*parts[1].module), (Names{"table", "helper", "a"}));
  EXPECT_EQ(symbolsOf(*parts[2].module), (Names{"helper", "b"}));
  for (const ModulePart &part : parts)
    EXPECT_TRUE(succeeded(verify(*part.module))) << part.name;
}

TEST(SplitModuleTest, noMain) {
  MLIRContext context;
  context.loadDialect<LLVM::LLVMDialect>();
  auto module = parseSourceString<ModuleOp>("", &context);
  EXPECT_TRUE(splitModule(*module, "main").empty());
}

} // namespace
