//===- ProgramTest.cpp - The JSON document of a program -------------------===//

#include "TestProgram.h"

#include <cmath>

using namespace adze::frontend;

static std::string parseError(const TestProgram &program) {
  return errorOf(parseProgram(program.json()));
}

static void replace(std::string &text, const std::string &from,
                    const std::string &to) {
  size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

TEST(Program, ReadsStructs) {
  auto program = llvm::cantFail(parseProgram(TestProgram().json()));
  EXPECT_EQ(program->schemaMinor, 20);
  EXPECT_EQ(program->torchVersion, "2.13.0");
  ASSERT_EQ(program->graph.nodes.size(), 2u);
  const Node &linear = program->graph.nodes[0];
  EXPECT_EQ(linear.target, "torch.ops.aten.linear.default");
  EXPECT_EQ(linear.lookup("weight")->text, "w");
  EXPECT_EQ(linear.lookup("bias"), nullptr);
  EXPECT_EQ(linear.location.file, "model.py");
  EXPECT_EQ(linear.location.line, 7u);
  EXPECT_EQ(linear.location.function, "forward");
  EXPECT_EQ(linear.modulePath, "fc");
  const TensorMeta &x = program->graph.lookup("x")->tensor;
  EXPECT_EQ(x.dtype, adze::DType::Float32);
  EXPECT_FALSE(x.sizes[0].isLiteral());
  EXPECT_EQ(x.sizes[0].hint, 4.0);
  EXPECT_EQ(x.sizes[1].integer, 3);
  EXPECT_EQ(program->inputSpecs[0].target, "fc.weight");
  EXPECT_EQ(program->inputSpecs[1].kind, InputKind::UserInput);
  EXPECT_EQ(program->rangeConstraints[0].max, 8);
}

TEST(Program, ReadsNumbersOfAllKinds) {
  TestProgram program;
  replace(program.nodes, argument("self", "as_tensor", R"({"name": "linear"})"),
          argument("a", "as_float", "\"-Infinity\"") + "," +
              argument("b", "as_float", "NaN") + "," +
              argument("c", "as_int", "18446744073709551615") + "," +
              argument("d", "as_sym_ints", R"([{"as_int": 2}])") + "," +
              argument("e", "as_optional_tensors",
                       R"([{"as_none": true}, {"as_tensor": {"name": "x"}}])") +
              "," + argument("f", "as_float", "1"));
  auto parsed = llvm::cantFail(parseProgram(program.json()));
  const Node &node = parsed->graph.nodes[1];
  EXPECT_EQ(node.lookup("a")->real, -INFINITY);
  EXPECT_TRUE(std::isnan(node.lookup("b")->real));
  EXPECT_TRUE(node.lookup("c")->isUnsigned);
  EXPECT_EQ(node.lookup("c")->integer, -1);
  EXPECT_EQ(node.lookup("d")->kind, ArgKind::SymInts);
  EXPECT_EQ(node.lookup("d")->items[0].kind, ArgKind::Int);
  EXPECT_TRUE(node.lookup("e")->items[0].isNone());
  EXPECT_EQ(node.lookup("e")->items[1].text, "x");
  EXPECT_EQ(node.lookup("f")->real, 1.0);
}

TEST(Program, CorrectsKindsInMixedLists) {
  TestProgram program;
  replace(program.nodes, argument("self", "as_tensor", R"({"name": "linear"})"),
          argument("", "as_tensors", R"([{"name": "x"}, {"name": "n"}])"));
  program.symIntValues = R"({"n": {"as_int": 5}})";
  replace(program.inputs, "}]", R"(}, {"as_sym_int": {"as_name": "n"}}])");
  replace(program.inputSpecs, "}}}}]",
          R"(}}}}, {"token": {"arg": {"name": "n"}}}])");
  auto parsed = llvm::cantFail(parseProgram(program.json()));
  const Argument &list = parsed->graph.nodes[1].inputs[0].value;
  EXPECT_EQ(list.items[0].kind, ArgKind::Tensor);
  EXPECT_EQ(list.items[1].kind, ArgKind::SymInt);
}

TEST(Program, RefusesOtherMajors) {
  TestProgram program;
  program.version = R"({"major": 7, "minor": 3})";
  EXPECT_EQ(parseError(program),
            "schema_version: expected schema version 8.x (torch 2.6 and "
            "later), but found 7.3, written by torch 2.13.0");
  program.version = "2";
  EXPECT_HAS(parseError(program), "but found 2.0");
}

TEST(Program, NamesUnknownKinds) {
  TestProgram program;
  replace(program.nodes, "as_tensor", "as_tuple");
  EXPECT_EQ(parseError(program),
            "graph_module.graph.nodes[0] (torch.ops.aten.linear.default) "
            ".inputs[0].arg (input) .as_tuple: unknown kind of argument "
            "'as_tuple'");
  program = TestProgram();
  replace(program.inputSpecs, "parameter", "parametre");
  EXPECT_HAS(parseError(program), "unknown kind of graph input");
}

TEST(Program, ChecksNames) {
  TestProgram program;
  replace(program.nodes, R"("name": "linear"}})", R"("name": "lost"}})");
  EXPECT_HAS(parseError(program), "'lost'");
  program = TestProgram();
  replace(program.nodes, R"({"name": "relu"}})", R"({"name": "linear"}})");
  EXPECT_EQ(parseError(program),
            "node 'relu' (torch.ops.aten.relu.default at model.py:7) defines "
            "'linear', which is defined already");
  program = TestProgram();
  replace(program.tensorValues, "\"relu\"", "\"ulre\"");
  EXPECT_HAS(parseError(program), "which the file does not describe");
}

TEST(Program, ChecksTheSignature) {
  TestProgram program;
  program.inputSpecs = "[]";
  EXPECT_EQ(parseError(program),
            "input_specs lists 0, but the graph has 2 inputs");
  program = TestProgram();
  replace(program.inputSpecs, R"({"name": "x"})", R"({"name": "w"})");
  EXPECT_HAS(parseError(program),
             "input spec 1 is about 'w', but graph input 1 is 'x'");
  program = TestProgram();
  program.outSpec = R"([1, {\"type\": \"builtins.tuple\", \"context\": null,
      \"children_spec\": []}])";
  std::erase(program.outSpec, '\n');
  EXPECT_HAS(parseError(program),
             "out_spec has 0 leaves, but the signature has 1 user values");
}

TEST(Program, RefusesBadNumbers) {
  TestProgram program;
  replace(program.tensorValues, "{\"as_int\": 4}", "{\"as_int\": -4}");
  EXPECT_HAS(parseError(program),
             "sizes[0]: expected no negative value, but found -4");
  program = TestProgram();
  replace(program.tensorValues, "{\"as_int\": 4}",
          "{\"as_int\": 123456789012345678901234567890}");
  EXPECT_HAS(parseError(program), "does not fit 64 bits");
  program = TestProgram();
  replace(program.tensorValues, "{\"as_int\": 4}", "{\"as_int\": 4.5}");
  EXPECT_HAS(parseError(program),
             "expected an integer of 64 bits, but found the number 4.5");
  program = TestProgram();
  replace(program.tensorValues, "\"dtype\": 7", "\"dtype\": 99");
  EXPECT_HAS(parseError(program), "element type number 99 is not supported");
}

TEST(Program, LimitsNesting) {
  std::string deep(100000, '[');
  EXPECT_HAS(errorOf(parseProgram(deep)), "nested deeper than 640 levels");
  std::string graph =
      R"({"inputs": [], "outputs": [], "nodes": [], "tensor_values": {}})";
  for (int i = 0; i < 70; ++i)
    graph = R"({"inputs": [], "outputs": [], "nodes": [{"target": "t", "inputs":
        [{"name": "", "arg": {"as_graph": {"name": "g", "graph": )" +
            graph + R"(}}}], "outputs": []}], "tensor_values": {}})";
  TestProgram program;
  replace(program.nodes, argument("self", "as_tensor", R"({"name": "linear"})"),
          argument("", "as_graph", R"({"name": "g", "graph": )" + graph + "}"));
  EXPECT_HAS(parseError(program), "graphs are nested deeper than 64 levels");
}

/// Arguments take more memory than their text.
TEST(Program, LimitsListItems) {
  TestProgram program;
  std::string items = "0";
  items.reserve(8 << 20);
  for (int i = 0; i < (3 << 20); ++i)
    items += ",0";
  replace(program.nodes, argument("self", "as_tensor", R"({"name": "linear"})"),
          argument("self", "as_ints", "[" + items + "]"));
  EXPECT_HAS(parseError(program), "more than 3145728 list items");
}

TEST(Program, SaysWhereJsonBreaks) {
  EXPECT_HAS(errorOf(parseProgram("{\"a\": ")), "not valid JSON at byte");
  EXPECT_HAS(errorOf(parseProgram("[]")),
             "expected an object, but found a list of 0");
  EXPECT_HAS(errorOf(parseProgram("{}")), "schema_version: is missing");
}
