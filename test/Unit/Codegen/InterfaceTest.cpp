//===- InterfaceTest.cpp - What a program asks of its callers -------------===//

#include "adze/Codegen/ProgramInterface.h"
#include "adze/Codegen/ProgramTables.h"

#include "dialects/Capture/Capture.h"
#include "dialects/Kernel/Kernel.h"
#include "dialects/Prim/Prim.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace adze;

namespace {

struct InterfaceTest : testing::Test {
  InterfaceTest() {
    context.loadDialect<capture::CaptureDialect, kernel::KernelDialect,
                        prim::PrimDialect, sym::SymDialect,
                        mlir::func::FuncDialect>();
  }

  llvm::Expected<ProgramInterface> extract(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return llvm::createStringError("does not parse");
    InterfaceOptions options;
    options.name = "test";
    auto func = *module->getOps<mlir::func::FuncOp>().begin();
    return extractInterface(func, *module, options);
  }
  ProgramInterface read(const std::string &text) {
    auto program = extract(text);
    EXPECT_TRUE(bool(program)) << llvm::toString(program.takeError());
    return program ? std::move(*program) : ProgramInterface();
  }
  static std::vector<std::string> ids(const ProgramInterface &program) {
    std::vector<std::string> ids;
    for (const GuardSpec &guard : program.guards)
      ids.push_back(guard.id);
    return ids;
  }
  static bool has(const ProgramInterface &program, const std::string &id) {
    return llvm::is_contained(ids(program), id);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

std::string input(llvm::StringRef name, int index) {
  return ("{capture.descriptor = #capture.descriptor<user_input, \"" + name +
          "\", " + std::to_string(index) + ">}")
      .str();
}

TEST_F(InterfaceTest, solvesSymbolsFromPlainDimsFirst) {
  ProgramInterface program =
      read("func.func @main(%a: tensor<?xf32, #sym.dims<2 * s0 + 1>> " +
           input("a", 0) + ", %b: tensor<?xf32, #sym.dims<s0>> " +
           input("b", 1) + ") { return }");
  ASSERT_EQ(program.symbols.size(), 1u);
  EXPECT_EQ(program.symbols[0].source, ADZE_SYMBOL_DIM);
  EXPECT_EQ(program.symbols[0].input, 1);
  auto guard = llvm::find_if(program.guards,
                             [](auto &one) { return one.id == "dim:a.0"; });
  ASSERT_NE(guard, program.guards.end());
  EXPECT_EQ(guard->expression, "a.shape[0] == 2 * b.shape[0] + 1");
  EXPECT_FALSE(has(program, "dim:b.0"));
}

TEST_F(InterfaceTest, solvesSymbolsFromLinearDims) {
  ProgramInterface program =
      read("func.func @main(%a: tensor<?xf32, #sym.dims<2 * s0 + 1>> " +
           input("a", 0) +
           ") attributes {adze.symbols = [{name = \"s0\", min = 3 : i64, "
           "max = 9 : i64}]} { return }");
  EXPECT_EQ(program.symbols[0].scale, 2);
  EXPECT_EQ(program.symbols[0].shift, 1);
  EXPECT_TRUE(has(program, "dim:a.0"));
  EXPECT_TRUE(has(program, "min:s0"));
  EXPECT_TRUE(has(program, "max:s0"));
}

TEST_F(InterfaceTest, refusesSymbolsThatCannotBeSolved) {
  auto program =
      extract("func.func @main(%a: tensor<?xf32, #sym.dims<s0 * s1>> " +
              input("a", 0) + ") { return }");
  ASSERT_FALSE(bool(program));
  EXPECT_NE(llvm::toString(program.takeError()).find("cannot be told"),
            std::string::npos);
}

TEST_F(InterfaceTest, guardsWhatMutationRestsOn) {
  ProgramInterface program =
      read("func.func @main(%a: tensor<2xf32> " + input("a", 0) +
           ", %b: tensor<2xf32> " + input("b", 1) +
           ") -> (tensor<2xf32> {capture.descriptor = "
           "#capture.descriptor<input_mutation, \"a\", 0>}) { return %b : "
           "tensor<2xf32> }");
  ASSERT_EQ(program.mutations.size(), 1u);
  EXPECT_EQ(program.mutations[0].targetKind, ADZE_FROM_INPUT);
  EXPECT_TRUE(has(program, "self-overlap:a"));
  EXPECT_TRUE(has(program, "overlap:a,b"));
  EXPECT_TRUE(program.outputs.empty());
}

TEST_F(InterfaceTest, scalarInputs) {
  ProgramInterface program = read(R"(func.func @main() attributes {
      adze.inputs = [{path = "n", kind = "symint", expr = #sym.expr<s0>},
                     {path = "m", kind = "symint", expr = #sym.expr<s0 + 1>},
                     {path = "flag", kind = "bool", value = true},
                     {path = "none", kind = "none"},
                     {path = "k", kind = "int", value = 5 : i64},
                     {path = "f", kind = "float", value = 0.1234567 : f64}],
      adze.outputs = [{kind = "int", value = -3 : i64}, {kind = "float", value = 2.5 : f64},
                      {kind = "none"}, {kind = "string", value = "hi"}],
      adze.symbols = [{name = "s0", min = 0 : i64}]} { return })");
  EXPECT_EQ(program.symbols[0].source, ADZE_SYMBOL_SCALAR);
  EXPECT_EQ(ids(program),
            (std::vector<std::string>{"inputs", "kind:n", "kind:m",
                                      "value:flag", "value:none", "value:k",
                                      "value:f", "min:s0", "value:m"}));
  EXPECT_EQ(program.guards[6].expression, "f == 0.1234567");
  EXPECT_EQ(program.outputs[0].literal, -3);
  EXPECT_EQ(program.outputs[1].literal, llvm::bit_cast<int64_t>(2.5));
  EXPECT_EQ(program.outputs[3].text, "hi");
}

TEST_F(InterfaceTest, viewsThatCoverTheirBase) {
  ProgramInterface program =
      read("func.func @main(%a: tensor<2x3xf32> " + input("a", 0) + R"()
      -> (tensor<3x2xf32>, tensor<2xf32>) attributes {
        adze.outputs = [{kind = "tensor", result = 0 : i64, alias = 0 : i64,
                         strides = [#sym.expr<1>, #sym.expr<3>]},
                        {kind = "tensor", result = 1 : i64, alias = 0 : i64,
                         strides = [#sym.expr<3>]}]} {
      %0 = prim.constant dense<0.0> : tensor<3x2xf32>
      %1 = prim.constant dense<0.0> : tensor<2xf32>
      return %0, %1 : tensor<3x2xf32>, tensor<2xf32>
    })");
  ASSERT_EQ(program.outputs.size(), 2u);
  EXPECT_EQ(program.outputs[0].source, ADZE_FROM_INPUT);
  EXPECT_TRUE(program.outputs[0].strides.has_value());
  EXPECT_EQ(program.outputs[1].source, ADZE_FROM_RESULT);
  EXPECT_EQ(program.outputs[1].index, 1);
}

TEST_F(InterfaceTest, resultsStoredInAnotherOrder) {
  ProgramInterface program = read(R"(func.func @main(%a: tensor<5x7x3xf32>)
      -> (tensor<5x7x3xf32> {kernel.order = array<i64: 1, 2, 0>}) {
    return %a : tensor<5x7x3xf32>
  })");
  ASSERT_EQ(program.results.size(), 1u);
  EXPECT_EQ(*sym::constantSizes(program.results[0].dims),
            (llvm::SmallVector<int64_t>{3, 5, 7}));
  EXPECT_EQ(program.results[0].order, (llvm::SmallVector<int32_t>{1, 2, 0}));
}

TEST_F(InterfaceTest, identifiers) {
  EXPECT_EQ(identifierOf("my-model.v2"), "my_model_v2");
  EXPECT_EQ(identifierOf("7b"), "model_7b");
}

} // namespace
