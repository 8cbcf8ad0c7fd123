//===- TestProgram.cpp - A small program as JSON --------------------------===//

#include "TestProgram.h"

namespace adze::frontend {

static const char *const symbol =
    R"json({"as_expr": {"expr_str":
        "Symbol('s0', positive=True, integer=True)",
        "hint": {"as_int": 4}}})json";

std::string tensorMeta(const std::vector<std::string> &sizes, int dtype) {
  std::string list, strides;
  for (const std::string &size : sizes) {
    list += list.empty() ? "" : ", ";
    list += size == "s0"     ? symbol
            : size[0] == '{' ? size
                             : "{\"as_int\": " + size + "}";
    strides += (strides.empty() ? "" : ", ") + std::string("{\"as_int\": 1}");
  }
  return "{\"dtype\": " + std::to_string(dtype) + ", \"sizes\": [" + list +
         "], \"requires_grad\": false, \"device\": {\"type\": \"cpu\", "
         "\"index\": null}, \"strides\": [" +
         strides + "], \"storage_offset\": {\"as_int\": 0}, \"layout\": 7}";
}

std::string argument(const std::string &name, const std::string &key,
                     const std::string &payload) {
  return "{\"name\": \"" + name + "\", \"arg\": {\"" + key + "\": " + payload +
         "}, \"kind\": 1}";
}

static std::string node(const std::string &target, const std::string &inputs,
                        const std::string &output) {
  return "{\"target\": \"" + target + "\", \"name\": \"" + output +
         "\", \"inputs\": [" + inputs +
         "], \"outputs\": [{\"as_tensor\": "
         "{\"name\": \"" +
         output +
         "\"}}], \"metadata\": {"
         "\"stack_trace\": \"  File \\\"model.py\\\", line 7, in forward\\n"
         "    return f(x)\\n\", \"nn_module_stack\": "
         "\"L__self__,,M;L__self__fc,fc,torch.nn.Linear\", "
         "\"torch_fn\": \"dropped\"}}";
}

TestProgram::TestProgram() {
  nodes = "[" +
          node("torch.ops.aten.linear.default",
               argument("input", "as_tensor", R"({"name": "x"})") + ", " +
                   argument("weight", "as_tensor", R"({"name": "w"})"),
               "linear") +
          ", " +
          node("torch.ops.aten.relu.default",
               argument("self", "as_tensor", R"({"name": "linear"})"), "relu") +
          "]";
  inputs = R"([{"as_tensor": {"name": "w"}}, {"as_tensor": {"name": "x"}}])";
  outputs = R"([{"as_tensor": {"name": "relu"}}])";
  inputSpecs =
      R"([{"parameter": {"arg": {"name": "w"}, "parameter_name": "fc.weight"}},
          {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}])";
  outputSpecs =
      R"([{"user_output": {"arg": {"as_tensor": {"name": "relu"}}}}])";
  tensorValues = "{\"w\": " + tensorMeta({"4", "3"}) +
                 ", \"x\": " + tensorMeta({"s0", "3"}) +
                 ", \"linear\": " + tensorMeta({"s0", "4"}) +
                 ", \"relu\": " + tensorMeta({"s0", "4"}) + "}";
  std::string leaf =
      R"({\"type\": null, \"context\": null, \"children_spec\": []})";
  inSpec = R"([1, {\"type\": \"builtins.tuple\", \"context\": \"null\",
      \"children_spec\": [{\"type\": \"builtins.tuple\", \"context\": \"null\",
      \"children_spec\": [)" +
           leaf + R"(]}, {\"type\": \"builtins.dict\", \"context\": \"[]\",
      \"children_spec\": []}]}])";
  std::erase(inSpec, '\n');
  outSpec = "[1, " + leaf + "]";
}

std::string TestProgram::json() const {
  return "{\"graph_module\": {\"graph\": {\"inputs\": " + inputs +
         ", \"outputs\": " + outputs + ", \"nodes\": " + nodes +
         ", \"tensor_values\": " + tensorValues +
         ", \"sym_int_values\": " + symIntValues +
         ", \"sym_bool_values\": {}, \"is_single_tensor_return\": false}, "
         "\"signature\": {\"input_specs\": " +
         inputSpecs + ", \"output_specs\": " + outputSpecs +
         "}, \"module_call_graph\": [{\"fqn\": \"\", \"signature\": "
         "{\"inputs\": [], \"outputs\": [], \"in_spec\": \"" +
         inSpec + "\", \"out_spec\": \"" + outSpec +
         "\", \"forward_arg_names\": [\"x\"]}}]}, \"range_constraints\": " +
         ranges + ", \"schema_version\": " + version +
         ", \"torch_version\": \"2.13.0\", \"guards_code\": " + guards + "}";
}

std::string weightConfig(const std::string &meta, const std::string &pathName,
                         bool usesPickle) {
  return "{\"config\": {\"fc.weight\": {\"path_name\": \"" + pathName +
         "\", \"is_param\": true, \"use_pickle\": " +
         (usesPickle ? "true" : "false") + ", \"tensor_meta\": " + meta + "}}}";
}

TestArchive testArchive(const TestProgram &program) {
  TestArchive archive;
  archive.add("m/data/weights/weight_0", std::string(4 * 3 * 4, '\1'))
      .add("m/data/weights/model_weights_config.json",
           weightConfig(tensorMeta({"4", "3"})))
      .add("m/data/constants/model_constants_config.json", "{\"config\": {}}")
      .add("m/models/model.json", program.json())
      .add("m/archive_format", "pt2")
      .add("m/archive_version", "0")
      .add("m/byteorder", "little");
  return archive;
}

} // namespace adze::frontend
