//===- ImportSignature.cpp - Inputs, outputs and symbols ------------------===//

#include "ImportSignature.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace adze::frontend {

SignatureImporter::SignatureImporter(ImportContext &shared)
    : shared(shared), program(shared.program), builder(shared.context) {}

std::string displayPath(StringRef guardPath) {
  StringRef rest = guardPath;
  if (!rest.consume_front("L['"))
    return guardPath.str();
  auto [name, tail] = rest.split("']");
  return (name + tail).str();
}

NamedAttribute SignatureImporter::member(StringRef name, Attribute value) {
  return builder.getNamedAttr(name, value);
}

void SignatureImporter::add(StringRef name, Attribute value) {
  attributes.push_back(member(name, value));
}

DictionaryAttr SignatureImporter::descriptor(capture::Role role, StringRef name,
                                             int64_t index, bool isPersistent) {
  return builder.getDictionaryAttr(
      member(capture::descriptorName,
             capture::DescriptorAttr::get(shared.context, role,
                                          builder.getStringAttr(name), index,
                                          isPersistent)));
}

FailureOr<RankedTensorType> SignatureImporter::tensorType(StringRef name) {
  std::string why;
  const ValueMeta *meta = program.graph.lookup(name);
  RankedTensorType type = shared.symbols.convert(meta->tensor, why);
  if (!type)
    return shared.fail("tensor '" + name + "': " + why);
  return type;
}

/// Null where a stride has no sym counterpart: strides are hints.
Attribute SignatureImporter::strides(const TensorMeta &meta) {
  SmallVector<Attribute> exprs;
  for (const SymScalar &stride : meta.strides) {
    std::string why;
    sym::Expr expr = shared.symbols.convert(stride, ValueKind::SymInt, why);
    if (!expr)
      return {};
    exprs.push_back(expr);
  }
  return builder.getArrayAttr(exprs);
}

/// The strides of an image whose channels are innermost in memory; empty for
/// sizes that are not constant.
static SmallVector<SymScalar, 0>
channelsLastStrides(ArrayRef<SymScalar> sizes) {
  SmallVector<SymScalar, 0> strides(sizes.size());
  int64_t next = 1;
  for (size_t dim : {1, 3, 2, 0}) {
    if (!sizes[dim].isLiteral())
      return {};
    strides[dim].integer = next;
    next *= sizes[dim].integer;
  }
  return strides;
}

static bool isChannelsLast(const TensorMeta &meta) {
  return meta.strides.size() == 4 && meta.strides[1].isLiteral() &&
         meta.strides[1].integer == 1 &&
         !(meta.strides[3].isLiteral() && meta.strides[3].integer == 1);
}

/// The record of a result, as PyTorch really returns it: max_unpool2d records
/// row-major strides, but keeps the memory format of its input.
TensorMeta SignatureImporter::metaOfResult(StringRef name) {
  TensorMeta meta = program.graph.lookup(name)->tensor;
  for (const Node &node : program.graph.nodes) {
    if (node.target != "torch.ops.aten.max_unpool2d.default" ||
        node.outputs.empty() || node.outputs[0].text != name)
      continue;
    const Argument *input = node.lookup("self");
    const ValueMeta *image =
        input ? program.graph.lookup(input->text) : nullptr;
    if (image && isChannelsLast(image->tensor) && meta.sizes.size() == 4)
      if (auto strides = channelsLastStrides(meta.sizes); !strides.empty())
        meta.strides = strides;
  }
  return meta;
}

void SignatureImporter::addLiteral(const Argument &value,
                                   SmallVectorImpl<NamedAttribute> &members) {
  StringRef kind = "none";
  Attribute literal;
  switch (value.kind) {
  case ArgKind::Int:
    kind = "int";
    literal = builder.getI64IntegerAttr(value.integer);
    break;
  case ArgKind::Bool:
    kind = "bool";
    literal = builder.getBoolAttr(value.integer != 0);
    break;
  case ArgKind::Float:
    kind = "float";
    literal = builder.getF64FloatAttr(value.real);
    break;
  case ArgKind::String:
    kind = "string";
    literal = builder.getStringAttr(value.text);
    break;
  default:
    break;
  }
  members.push_back(member("kind", builder.getStringAttr(kind)));
  if (literal)
    members.push_back(member("value", literal));
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

DictionaryAttr SignatureImporter::describeInput(const InputSpec &spec,
                                                StringRef path) {
  using capture::Role;
  switch (spec.kind) {
  case InputKind::Parameter:
  case InputKind::Buffer:
  case InputKind::TensorConstant: {
    int64_t index = indexOfWeight.try_emplace(spec.target, indexOfWeight.size())
                        .first->second;
    Role role = spec.kind == InputKind::Parameter ? Role::parameter
                : spec.kind == InputKind::Buffer  ? Role::buffer
                                                  : Role::constant;
    return descriptor(role, spec.target, index, spec.isPersistent);
  }
  case InputKind::Token:
    return descriptor(Role::token, spec.arg.text, 0);
  default:
    return descriptor(Role::user_input, displayPath(path), inputs.size());
  }
}

LogicalResult SignatureImporter::importLeaf(const InputSpec &spec,
                                            const Argument &input) {
  StringRef path = leafPaths[inputs.size()];
  SmallVector<NamedAttribute> members = {
      member("path", builder.getStringAttr(displayPath(path)))};
  auto addKind = [&](StringRef kind) {
    members.push_back(member("kind", builder.getStringAttr(kind)));
  };
  std::string why;
  if (input.kind == ArgKind::Tensor) {
    addKind("tensor");
    members.push_back(
        member("argument",
               builder.getI64IntegerAttr(int64_t(argumentTypes.size()) - 1)));
    if (Attribute list = strides(program.graph.lookup(input.text)->tensor))
      members.push_back(member("strides", list));
  } else if (input.isValue()) {
    const ValueMeta &meta = *program.graph.lookup(input.text);
    sym::Expr expr = shared.symbols.convert(meta.scalar, meta.kind, why);
    if (!expr)
      return shared.fail("input '" + displayPath(path) + "': " + why);
    sym::walkSymbols(expr, [&](StringRef name) {
      shared.definedSymbols.insert(name);
      inputSymbols.insert(name);
    });
    addKind("symint");
    members.push_back(member("expr", expr));
  } else {
    addLiteral(spec.kind == InputKind::ConstantInput ? spec.arg : input,
               members);
  }
  leafOfInput[input.text] = inputs.size();
  inputs.push_back(builder.getDictionaryAttr(members));
  return success();
}

LogicalResult SignatureImporter::importInput(const InputSpec &spec,
                                             const Argument &input) {
  bool isLeaf = spec.kind == InputKind::UserInput ||
                spec.kind == InputKind::ConstantInput;
  if (input.kind == ArgKind::CustomObj)
    return shared.fail("input '" + input.text +
                       "' is a custom object of "
                       "class '" +
                       input.classFqn + "', which is not supported");
  if (input.kind == ArgKind::Tensor) {
    FailureOr<RankedTensorType> type = tensorType(input.text);
    if (failed(type))
      return failure();
    argumentTypes.push_back(*type);
    for (sym::Expr size : sym::shapeOf(*type))
      sym::walkSymbols(size, [&](StringRef name) {
        shared.definedSymbols.insert(name);
        inputSymbols.insert(name);
      });
    argumentAttrs.push_back(
        describeInput(spec, isLeaf ? leafPaths[inputs.size()] : ""));
  }
  return isLeaf ? importLeaf(spec, input) : success();
}

LogicalResult SignatureImporter::importInputs() {
  leafPaths = inputLeafPaths(program.inSpec, program.forwardArgNames);
  for (auto [spec, input] :
       llvm::zip_equal(program.inputSpecs, program.graph.inputs))
    if (failed(importInput(spec, input)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

DictionaryAttr SignatureImporter::describeOutput(const OutputSpec &spec) {
  using capture::Role;
  auto weight = [&](Role role) {
    auto found = indexOfWeight.find(spec.target);
    return descriptor(role, spec.target,
                      found == indexOfWeight.end() ? -1 : found->second);
  };
  auto input = [&](Role role) {
    auto found = leafOfInput.find(spec.target);
    int64_t leaf = found == leafOfInput.end() ? -1 : found->second;
    return descriptor(
        role, leaf < 0 ? spec.target.str() : displayPath(leafPaths[leaf]),
        leaf);
  };
  switch (spec.kind) {
  case OutputKind::UserOutput:
    return descriptor(Role::user_output, "", outputs.size());
  case OutputKind::LossOutput:
    return descriptor(Role::loss_output, "", outputs.size());
  case OutputKind::BufferMutation:
    return weight(Role::buffer_mutation);
  case OutputKind::ParameterMutation:
    return weight(Role::parameter_mutation);
  case OutputKind::UserInputMutation:
    return input(Role::input_mutation);
  case OutputKind::GradientToParameter:
    return weight(Role::gradient_to_parameter);
  case OutputKind::GradientToUserInput:
    return input(Role::gradient_to_input);
  case OutputKind::Token:
    return descriptor(Role::token, spec.arg.text, 0);
  }
  return {};
}

LogicalResult SignatureImporter::importOutputLeaf(const Argument &output) {
  SmallVector<NamedAttribute> members;
  auto addKind = [&](StringRef kind) {
    members.push_back(member("kind", builder.getStringAttr(kind)));
  };
  if (output.kind == ArgKind::Tensor) {
    addKind("tensor");
    members.push_back(member(
        "result", builder.getI64IntegerAttr(int64_t(resultTypes.size()) - 1)));
    if (Attribute list = strides(metaOfResult(output.text)))
      members.push_back(member("strides", list));
  } else if (output.isValue()) {
    std::string why;
    const ValueMeta &meta = *program.graph.lookup(output.text);
    sym::Expr expr = shared.symbols.convert(meta.scalar, meta.kind, why);
    if (!expr)
      return shared.fail("output '" + output.text + "': " + why);
    addKind("symint");
    members.push_back(member("expr", expr));
  } else {
    addLiteral(output, members);
  }
  outputs.push_back(builder.getDictionaryAttr(members));
  return success();
}

LogicalResult SignatureImporter::importOutputs() {
  for (auto [spec, output] :
       llvm::zip_equal(program.outputSpecs, program.graph.outputs)) {
    if (output.kind == ArgKind::CustomObj || isList(output.kind))
      return shared.fail("an output given as " + getUnionKey(output.kind) +
                         " is not supported");
    if (output.kind == ArgKind::Tensor) {
      FailureOr<RankedTensorType> type = tensorType(output.text);
      if (failed(type))
        return failure();
      resultTypes.push_back(*type);
      resultAttrs.push_back(describeOutput(spec));
    }
    bool isLeaf = spec.kind == OutputKind::UserOutput ||
                  spec.kind == OutputKind::LossOutput;
    if (isLeaf && failed(importOutputLeaf(output)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// Sizes that are a symbol and nothing more tell what it was while tracing.
void SignatureImporter::addHints(llvm::StringMap<int64_t> &hints) {
  auto addHint = [&](const SymScalar &scalar) {
    std::string why;
    if (scalar.isLiteral() || !scalar.hint)
      return;
    sym::Expr expr = shared.symbols.convert(scalar.expr, why);
    if (expr && expr.getKind() == sym::ExprKind::Symbol)
      hints.try_emplace(expr.getSymbol().getValue(),
                        static_cast<int64_t>(*scalar.hint));
  };
  for (const Argument &input : program.graph.inputs) {
    if (!input.isValue())
      continue;
    const ValueMeta &meta = *program.graph.lookup(input.text);
    llvm::for_each(meta.tensor.sizes, addHint);
    addHint(meta.scalar);
  }
}

void SignatureImporter::addSymbols() {
  llvm::StringMap<int64_t> hints;
  addHints(hints);
  SmallVector<Attribute> entries;
  llvm::StringSet<> listed;
  auto addSymbol = [&](StringRef name, std::optional<int64_t> min,
                       std::optional<int64_t> max) {
    SmallVector<NamedAttribute> members = {
        member("name", builder.getStringAttr(name))};
    if (min)
      members.push_back(member("min", builder.getI64IntegerAttr(*min)));
    if (max)
      members.push_back(member("max", builder.getI64IntegerAttr(*max)));
    if (auto hint = hints.find(name); hint != hints.end())
      members.push_back(
          member("hint", builder.getI64IntegerAttr(hint->second)));
    entries.push_back(builder.getDictionaryAttr(members));
    listed.insert(name);
  };
  for (const RangeConstraint &range : program.rangeConstraints) {
    std::string why;
    sym::Expr expr = shared.symbols.convert(range.expr, why);
    if (expr && expr.getKind() == sym::ExprKind::Symbol)
      addSymbol(expr.getSymbol(), range.min, range.max);
  }
  for (StringRef name : inputSymbols)
    if (!listed.contains(name))
      addSymbol(name, std::nullopt, std::nullopt);
  add("adze.symbols", builder.getArrayAttr(entries));
}

LogicalResult SignatureImporter::import() {
  if (failed(importInputs()) || failed(importOutputs()))
    return failure();
  type = builder.getFunctionType(argumentTypes, resultTypes);
  add("adze.inputs", builder.getArrayAttr(inputs));
  add("adze.outputs", builder.getArrayAttr(outputs));
  addSymbols();
  auto root = llvm::find_if(program.moduleCalls, [](const ModuleCall &call) {
    return call.fqn.empty() && call.hasSignature;
  });
  add("adze.in_spec", builder.getStringAttr(root->inSpec));
  add("adze.out_spec", builder.getStringAttr(root->outSpec));
  return success();
}

} // namespace adze::frontend
