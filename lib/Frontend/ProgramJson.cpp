//===- ProgramJson.cpp - The JSON document of a program -------------------===//

#include "CheckProgram.h"
#include "CorrectRecords.h"
#include "Decoder.h"

#include "adze/Frontend/Error.h"

#include "llvm/ADT/STLExtras.h"

namespace adze::frontend {

namespace {

template <typename Kind> struct SpecShape {
  llvm::StringLiteral key;
  Kind kind;
  const char *target; // the member that names what the spec is about
};

class ProgramReader {
public:
  ProgramReader(ExportedProgram &program)
      : program(program), decoder(program) {}

  bool read(const JsonValue &json);
  llvm::Error takeError() const { return decoder.takeError(); }

private:
  bool readVersion(const JsonValue &json);
  bool readGraphModule(const JsonValue &json);
  bool readSignature(const JsonValue &json);
  bool readInputSpec(const JsonValue &json, InputSpec &spec);
  bool readConstantInput(const JsonValue &json, InputSpec &spec);
  bool readOutputSpec(const JsonValue &json, OutputSpec &spec);
  bool readSpecArgument(const JsonValue &json, Argument &argument);
  bool readModuleCall(const JsonValue &json, ModuleCall &call);
  bool readCallSignature(const JsonValue &json, ModuleCall &call);
  bool readNamedTupleFields(const JsonValue &json);
  bool readRanges(const JsonValue &json);
  bool readCallingConvention();
  bool readSpec(llvm::StringRef name, llvm::StringRef text, Treespec &spec);
  bool readTexts(const JsonValue &json, std::vector<llvm::StringRef> &list) {
    return decoder.readList(json, list, decoder.asText());
  }

  ExportedProgram &program;
  Decoder decoder;
  NamedTupleFields namedTupleFields;
};

} // namespace

static constexpr SpecShape<InputKind> inputShapes[] = {
    {"user_input", InputKind::UserInput, nullptr},
    {"constant_input", InputKind::ConstantInput, "name"},
    {"parameter", InputKind::Parameter, "parameter_name"},
    {"buffer", InputKind::Buffer, "buffer_name"},
    {"tensor_constant", InputKind::TensorConstant, "tensor_constant_name"},
    {"custom_obj", InputKind::CustomObj, "custom_obj_name"},
    {"token", InputKind::Token, nullptr},
};

static constexpr SpecShape<OutputKind> outputShapes[] = {
    {"user_output", OutputKind::UserOutput, nullptr},
    {"loss_output", OutputKind::LossOutput, nullptr},
    {"buffer_mutation", OutputKind::BufferMutation, "buffer_name"},
    {"parameter_mutation", OutputKind::ParameterMutation, "parameter_name"},
    {"user_input_mutation", OutputKind::UserInputMutation, "user_input_name"},
    {"gradient_to_parameter", OutputKind::GradientToParameter,
     "parameter_name"},
    {"gradient_to_user_input", OutputKind::GradientToUserInput,
     "user_input_name"},
    {"token", OutputKind::Token, nullptr},
};

bool ProgramReader::readVersion(const JsonValue &json) {
  constexpr int64_t supportedMajor = 8;
  // Before major 5 or so the version was a plain integer.
  if (json.isInt())
    program.schemaMajor = json.asInt();
  else if (!decoder.readMember(json, "major", program.schemaMajor,
                               decoder.asInt()) ||
           !decoder.readMember(json, "minor", program.schemaMinor,
                               decoder.asInt()))
    return false;
  if (program.schemaMajor == supportedMajor)
    return true;
  return decoder.fail(
      "expected schema version " + llvm::Twine(supportedMajor) +
      ".x (torch 2.6 and later), but found " +
      llvm::Twine(program.schemaMajor) + "." +
      llvm::Twine(program.schemaMinor) + ", written by torch " +
      (program.torchVersion.empty() ? "<=2.4" : program.torchVersion));
}

/// The `arg` of a spec: an Argument, or just {"name": x} of a tensor.
bool ProgramReader::readSpecArgument(const JsonValue &json,
                                     Argument &argument) {
  const JsonValue *name = json.lookup("name");
  if (!name || !name->isString())
    return decoder.readArgument(json, argument);
  argument.kind = ArgKind::Tensor;
  if (json.lookup("class_fqn")) {
    argument.kind = ArgKind::CustomObj;
    if (!decoder.readMember(json, "class_fqn", argument.classFqn,
                            decoder.asText()))
      return false;
  }
  return decoder.readText(*name, argument.text);
}

bool ProgramReader::readConstantInput(const JsonValue &json, InputSpec &spec) {
  return decoder.readMember(json, "value", spec.arg,
                            [&](const JsonValue &json, Argument &argument) {
                              return decoder.readArgument(json, argument);
                            });
}

bool ProgramReader::readInputSpec(const JsonValue &json, InputSpec &spec) {
  const JsonMember *member = decoder.readUnion(json);
  if (!member)
    return false;
  Decoder::Scope scope(decoder, member->key);
  const auto *shape = llvm::find_if(
      inputShapes, [&](const auto &shape) { return shape.key == member->key; });
  if (shape == std::end(inputShapes))
    return decoder.fail("unknown kind of graph input");
  spec.kind = shape->kind;
  const JsonValue &payload = member->value;
  if (shape->target && !decoder.readMember(payload, shape->target, spec.target,
                                           decoder.asText()))
    return false;
  if (spec.kind == InputKind::ConstantInput)
    return readConstantInput(payload, spec);
  return decoder.readMember(payload, "arg", spec.arg,
                            [&](const JsonValue &json, Argument &argument) {
                              return readSpecArgument(json, argument);
                            }) &&
         decoder.readOptionalMember(payload, "persistent", spec.isPersistent,
                                    decoder.asBool());
}

bool ProgramReader::readOutputSpec(const JsonValue &json, OutputSpec &spec) {
  const JsonMember *member = decoder.readUnion(json);
  if (!member)
    return false;
  Decoder::Scope scope(decoder, member->key);
  const auto *shape = llvm::find_if(outputShapes, [&](const auto &shape) {
    return shape.key == member->key;
  });
  if (shape == std::end(outputShapes))
    return decoder.fail("unknown kind of graph output");
  spec.kind = shape->kind;
  const JsonValue &payload = member->value;
  if (shape->target && !decoder.readMember(payload, shape->target, spec.target,
                                           decoder.asText()))
    return false;
  return decoder.readMember(payload, "arg", spec.arg,
                            [&](const JsonValue &json, Argument &argument) {
                              return readSpecArgument(json, argument);
                            });
}

bool ProgramReader::readSignature(const JsonValue &json) {
  return decoder.readMember(json, "input_specs", program.inputSpecs,
                            [&](const JsonValue &json, auto &list) {
                              return decoder.readList(
                                  json, list,
                                  [&](const JsonValue &json, InputSpec &spec) {
                                    return readInputSpec(json, spec);
                                  });
                            }) &&
         decoder.readMember(json, "output_specs", program.outputSpecs,
                            [&](const JsonValue &json, auto &list) {
                              return decoder.readList(
                                  json, list,
                                  [&](const JsonValue &json, OutputSpec &spec) {
                                    return readOutputSpec(json, spec);
                                  });
                            });
}

bool ProgramReader::readCallSignature(const JsonValue &json, ModuleCall &call) {
  call.hasSignature = true;
  return decoder.readMember(json, "in_spec", call.inSpec, decoder.asText()) &&
         decoder.readMember(json, "out_spec", call.outSpec, decoder.asText()) &&
         decoder.readOptionalMember(json, "forward_arg_names",
                                    call.forwardArgNames,
                                    [&](const JsonValue &json, auto &names) {
                                      return readTexts(json, names);
                                    });
}

bool ProgramReader::readModuleCall(const JsonValue &json, ModuleCall &call) {
  return decoder.readMember(json, "fqn", call.fqn, decoder.asText()) &&
         decoder.readOptionalMember(
             json, "signature", call,
             [&](const JsonValue &json, ModuleCall &call) {
               return readCallSignature(json, call);
             });
}

bool ProgramReader::readNamedTupleFields(const JsonValue &json) {
  if (!json.isObject())
    return decoder.failExpected("an object", json);
  for (const JsonMember &type : json.items()) {
    Decoder::Scope scope(decoder, type.key);
    std::vector<llvm::StringRef> fields;
    if (!decoder.readMember(type.value, "field_names", fields,
                            [&](const JsonValue &json, auto &list) {
                              return readTexts(json, list);
                            }))
      return false;
    namedTupleFields.push_back(
        {type.key.str(), {fields.begin(), fields.end()}});
  }
  return true;
}

bool ProgramReader::readGraphModule(const JsonValue &json) {
  return decoder.readMember(json, "graph", program.graph,
                            [&](const JsonValue &json, Graph &graph) {
                              return decoder.readGraph(json, graph);
                            }) &&
         decoder.readMember(json, "signature", program,
                            [&](const JsonValue &json, ExportedProgram &) {
                              return readSignature(json);
                            }) &&
         decoder.readMember(json, "module_call_graph", program.moduleCalls,
                            [&](const JsonValue &json, auto &list) {
                              return decoder.readList(
                                  json, list,
                                  [&](const JsonValue &json, ModuleCall &call) {
                                    return readModuleCall(json, call);
                                  });
                            }) &&
         decoder.readOptionalMember(json, "treespec_namedtuple_fields", program,
                                    [&](const JsonValue &json, auto &) {
                                      return readNamedTupleFields(json);
                                    });
}

bool ProgramReader::readRanges(const JsonValue &json) {
  if (!json.isObject())
    return decoder.failExpected("an object", json);
  auto bound = [&](const JsonValue &json, std::optional<int64_t> &bound) {
    // Bounds beyond 64 bits stand for none.
    if (json.kind() == JsonValue::Kind::Unsigned)
      return true;
    return decoder.readOptionalInt(json, bound);
  };
  for (const JsonMember &member : json.items()) {
    Decoder::Scope scope(decoder, member.key);
    RangeConstraint &range = program.rangeConstraints.emplace_back();
    range.expr = decoder.save(member.key);
    if (!decoder.readOptionalMember(member.value, "min_val", range.min,
                                    bound) ||
        !decoder.readOptionalMember(member.value, "max_val", range.max, bound))
      return false;
    if (range.min && range.max && *range.min > *range.max)
      return decoder.fail("expected min_val <= max_val, but found " +
                          llvm::Twine(*range.min) + " and " +
                          llvm::Twine(*range.max));
  }
  return true;
}

bool ProgramReader::readSpec(llvm::StringRef name, llvm::StringRef text,
                             Treespec &spec) {
  Decoder::Scope scope(decoder, name);
  llvm::Expected<Treespec> parsed = parseTreespec(text, namedTupleFields);
  if (!parsed)
    return decoder.fail(llvm::toString(parsed.takeError()));
  spec = std::move(*parsed);
  return true;
}

bool ProgramReader::readCallingConvention() {
  Decoder::Scope scope(decoder, "graph_module.module_call_graph");
  auto root = llvm::find_if(program.moduleCalls, [](const ModuleCall &call) {
    return call.fqn.empty() && call.hasSignature;
  });
  if (root == program.moduleCalls.end())
    return decoder.fail("the root module '' has no signature");
  program.forwardArgNames = root->forwardArgNames;
  return readSpec("in_spec", root->inSpec, program.inSpec) &&
         readSpec("out_spec", root->outSpec, program.outSpec);
}

bool ProgramReader::read(const JsonValue &json) {
  if (!json.isObject())
    return decoder.failExpected("an object", json);
  auto texts = [&](const JsonValue &json, auto &list) {
    return readTexts(json, list);
  };
  // The version goes first: other majors are laid out in other ways.
  return decoder.readOptionalMember(json, "torch_version", program.torchVersion,
                                    decoder.asText()) &&
         decoder.readMember(json, "schema_version", program,
                            [&](const JsonValue &json, auto &) {
                              return readVersion(json);
                            }) &&
         decoder.readMember(json, "graph_module", program,
                            [&](const JsonValue &json, auto &) {
                              return readGraphModule(json);
                            }) &&
         decoder.readOptionalMember(
             json, "range_constraints", program,
             [&](const JsonValue &json, auto &) { return readRanges(json); }) &&
         decoder.readOptionalMember(json, "verifiers", program.verifiers,
                                    texts) &&
         decoder.readOptionalMember(json, "guards_code", program.guardsCode,
                                    texts) &&
         readCallingConvention();
}

llvm::Expected<std::unique_ptr<ExportedProgram>>
parseProgram(llvm::StringRef json) {
  JsonOptions options;
  options.shortenMetadata = true;
  llvm::Expected<std::unique_ptr<JsonDocument>> document =
      parseJson(json, options);
  if (!document)
    return document.takeError();
  auto program = std::make_unique<ExportedProgram>();
  ProgramReader reader(*program);
  if (!reader.read((*document)->root))
    return reader.takeError();
  if (llvm::Error error = checkProgram(*program))
    return error;
  correctRecords(program->graph);
  return program;
}

} // namespace adze::frontend
