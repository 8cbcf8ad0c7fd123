//===- ImporterTest.cpp - Exported program to capture dialect -------------===//

#include "adze/Frontend/Importer.h"

#include "TestArchive.h"
#include "TestProgram.h"

#include "dialects/Capture/Capture.h"

#include "mlir/IR/MLIRContext.h"

#include <map>

using namespace adze::frontend;

/// The text of the module, or of the error.
static std::string importText(const TestProgram &program) {
  mlir::MLIRContext context;
  auto parsed = parseProgram(program.json());
  if (!parsed)
    return llvm::toString(parsed.takeError());
  auto module = importProgram(**parsed, &context);
  if (!module)
    return llvm::toString(module.takeError());
  std::string text;
  llvm::raw_string_ostream os(text);
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo();
  (*module)->print(os, flags);
  return text;
}

static void replace(std::string &text, const std::string &from,
                    const std::string &to) {
  size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

/// Replaces relu(linear) by another call.
static TestProgram withCall(const std::string &target,
                            const std::string &inputs) {
  TestProgram program;
  replace(program.nodes, "torch.ops.aten.relu.default", target);
  replace(program.nodes, argument("self", "as_tensor", R"({"name": "linear"})"),
          inputs);
  return program;
}

static const std::string self =
    argument("self", "as_tensor", R"({"name": "linear"})");

TEST(Importer, FillsInDefaults) {
  std::string text = importText(TestProgram());
  EXPECT_HAS(text, "capture.call \"aten.linear.default\"(input = %arg1, "
                   "weight = %arg0, bias = #capture.none)");
  EXPECT_HAS(text, "tensor<?x4xf32, #sym.dims<s0, 4>>");
  EXPECT_HAS(text, "#capture.descriptor<parameter, \"fc.weight\", 0>");
  EXPECT_HAS(text, "#capture.descriptor<user_input, \"x\", 0>");
  EXPECT_HAS(text, "{hint = 4 : i64, max = 8 : i64, min = 2 : i64, name = "
                   "\"s0\"}");
  EXPECT_HAS(text, "\"fc\"(");
  EXPECT_HAS(text, "\"model.py\":7:1");
}

TEST(Importer, ChecksArgumentsAgainstTheSchema) {
  EXPECT_HAS(
      importText(withCall("torch.ops.aten.relu.default", "")),
      "node 'relu' (torch.ops.aten.relu.default at model.py:7): argument "
      "'self' of type Tensor is missing");
  EXPECT_HAS(
      importText(withCall("torch.ops.aten.softmax.int",
                          self + "," + argument("dim", "as_string", "\"x\""))),
      "argument 'dim' must be of type int, but is given as as_string");
  EXPECT_HAS(importText(withCall("torch.ops.aten.relu.default",
                                 self + "," + argument("dim", "as_int", "1"))),
             "the operator has no argument 'dim'");
}

TEST(Importer, ConvertsNumbersByTheSchema) {
  std::string text = importText(
      withCall("torch.ops.aten.add.Tensor",
               argument("self", "as_int", "2") + "," +
                   argument("other", "as_tensor", R"({"name": "linear"})")));
  EXPECT_HAS(text, "(other = %0, alpha = 1 : i64, self = 2 : i64)");
  text = importText(
      withCall("torch.ops.aten.dropout.default",
               argument("input", "as_tensor", R"({"name": "linear"})") + "," +
                   argument("p", "as_int", "1") + "," +
                   argument("train", "as_bool", "false")));
  EXPECT_HAS(text, "p = 1.000000e+00 : f64, train = false");
}

TEST(Importer, KeepsUnknownOperators) {
  std::string text =
      importText(withCall("torch.ops.mylib.f.default",
                          self + "," + argument("mode", "as_string", "\"m\"")));
  EXPECT_HAS(text, "capture.call \"mylib.f.default\"(self = %0, mode = \"m\")");
}

TEST(Importer, ImportsGuards) {
  TestProgram program;
  program.guards = R"(["L['x'].size()[0] % 2 == 0", "L['x'].size()[1] == 3"])";
  program.ranges = R"({"s0": {"min_val": 2, "max_val": 8},
                       "2*s0": {"min_val": 6, "max_val": null}})";
  std::string text = importText(program);
  EXPECT_HAS(text, "{expr = #sym.expr<eq(mod(s0, 2), 0)>, origin = "
                   "\"guards_code\"");
  EXPECT_HAS(text, "origin = \"range_constraints\", text = \"2*s0 >= 6\"");
  // Holds by construction: the size is fixed.
  EXPECT_EQ(text.find("size()[1]"), std::string::npos);
}

TEST(Importer, RefusesSizesThatCannotBeExpressed) {
  TestProgram program;
  replace(program.tensorValues, "\"linear\": " + tensorMeta({"s0", "4"}),
          "\"linear\": " +
              tensorMeta(
                  {R"json({"as_expr": {"expr_str": "Frob(s0)"}})json", "4"}));
  EXPECT_HAS(importText(program),
             "tensor 'linear': function 'Frob' in a symbolic expression "
             "is not supported");
}

TEST(Importer, DividesFractionsExactly) {
  TestProgram program;
  program.guards =
      R"(["L['x'].size()[0] // 2 <= 3", "(L['x'].size()[0] + 1) / 2 < 4"])";
  std::string text = importText(program);
  EXPECT_HAS(text, "le(floordiv(s0, 2), 3)");
  EXPECT_HAS(text, "lt(s0 + 1, 8)");
}

/// a and b are one parameter; turned holds what tail holds, in another layout.
TEST(Importer, MarksWeightsThatShareMemory) {
  mlir::MLIRContext context;
  LoadedProgram loaded = llvm::cantFail(loadProgram(inputPath("raw.pt2")));
  auto module = llvm::cantFail(importProgram(loaded, &context));
  auto graph = module->lookupSymbol<adze::capture::GraphOp>(mainGraphName);
  std::map<std::string, std::pair<int64_t, int64_t>> found;
  auto number = [&](unsigned i, llvm::StringRef name) {
    auto value = graph.getArgAttrOfType<mlir::IntegerAttr>(i, name);
    return value ? value.getInt() : -1;
  };
  for (unsigned i = 0; i < graph.getNumArguments(); ++i)
    found[graph
              .getArgAttrOfType<adze::capture::DescriptorAttr>(
                  i, adze::capture::descriptorName)
              .getName()
              .str()] = {number(i, memoryName), number(i, sameAsName)};
  EXPECT_EQ(found["a"].first, found["b"].first);
  EXPECT_EQ(found["a"].second, -1);
  EXPECT_EQ(found["b"].second, 0);
  EXPECT_GE(found["tail"].first, 0);
  EXPECT_EQ(found["tail"].first, found["turned"].first);
  EXPECT_EQ(found["tail"].second, -1);
  EXPECT_EQ(found["turned"].second, -1);
  EXPECT_EQ(found["offset"].first, -1);
}
