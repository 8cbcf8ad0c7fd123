//===- ImportNode.cpp - One operator call ---------------------------------===//

#include "ImportContext.h"
#include "Metadata.h"

#include "adze/Frontend/Importer.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace adze::frontend {

//===----------------------------------------------------------------------===//
// Which arguments
//===----------------------------------------------------------------------===//

LogicalResult CallImporter::checkNames(const OpSchema &schema,
                                       ArrayRef<NamedArgument> inputs) {
  llvm::StringSet<> seen;
  for (const NamedArgument &input : inputs) {
    if (!schema.lookup(input.name))
      return scope.failNode(node, "the operator has no argument '" +
                                      input.name + "'");
    if (!seen.insert(input.name).second)
      return scope.failNode(node,
                            "argument '" + input.name + "' is given twice");
  }
  return success();
}

LogicalResult CallImporter::collectBySchema(const OpSchema &schema,
                                            ArrayRef<NamedArgument> inputs) {
  if (failed(checkNames(schema, inputs)))
    return failure();
  for (const SchemaArgument &argument : schema.arguments) {
    auto given = llvm::find_if(inputs, [&](const NamedArgument &input) {
      return input.name == argument.name;
    });
    const Argument *value = nullptr;
    if (given != inputs.end())
      value = &given->value;
    else if (argument.defaultValue)
      value = &*argument.defaultValue;
    else
      return scope.failNode(node, "argument '" + argument.name + "' of type " +
                                      toString(argument.type) + " is missing");
    if (!accepts(argument.type, *value))
      return scope.failNode(
          node, "argument '" + argument.name + "' must be of type " +
                    toString(argument.type) + ", but is given as " +
                    getUnionKey(value->kind));
    entries.push_back({argument.name.str(), value, argument.type});
  }
  return success();
}

/// Without a schema: by the names of the file; positional arguments of
/// higher-order operators have none.
void CallImporter::collectByName(ArrayRef<NamedArgument> inputs) {
  for (auto [index, input] : llvm::enumerate(inputs)) {
    std::string name =
        input.name.empty() ? "arg" + std::to_string(index) : input.name.str();
    entries.push_back({name, &input.value, SchemaType()});
  }
}

//===----------------------------------------------------------------------===//
// Values of arguments
//===----------------------------------------------------------------------===//

static StringRef memoryFormatName(int64_t number) {
  static constexpr llvm::StringLiteral names[] = {
      "unknown", "contiguous", "channels_last", "channels_last_3d", "preserve"};
  return names[number];
}

static StringRef layoutName(int64_t number) {
  static constexpr llvm::StringLiteral names[] = {
      "unknown",    "sparse_coo", "sparse_csr", "sparse_csc",
      "sparse_bsr", "sparse_bsc", "mkldnn",     "strided"};
  return names[number];
}

static Attribute enumAttr(MLIRContext *context, StringRef kind,
                          const llvm::Twine &value) {
  return capture::EnumAttr::get(context, StringAttr::get(context, kind),
                                StringAttr::get(context, value));
}

Attribute CallImporter::convertTensor(const Argument &value) {
  Value tensor = scope.tensors.lookup(value.text);
  if (!tensor) {
    (void)scope.failNode(node, "'" + value.text + "' is no tensor here");
    return {};
  }
  operands.push_back(tensor);
  return capture::OperandAttr::get(shared.context, operands.size() - 1);
}

/// Constants become plain numbers again.
Attribute CallImporter::convertSymbol(const Argument &value) {
  std::string why;
  sym::Expr expr = scope.exprOf(value.text, why);
  if (!expr) {
    (void)scope.failNode(node, "'" + value.text + "': " + why);
    return {};
  }
  Builder builder(shared.context);
  std::optional<int64_t> constant = sym::asConstant(expr);
  if (constant && value.kind == ArgKind::SymBool)
    return builder.getBoolAttr(*constant != 0);
  if (constant && value.kind == ArgKind::SymInt)
    return builder.getI64IntegerAttr(*constant);
  if (expr.getKind() == sym::ExprKind::FloatConst)
    return builder.getF64FloatAttr(llvm::bit_cast<double>(expr.getValue()));
  return expr;
}

/// Integers stand for floats, and bools for integers, where the schema says so.
Attribute CallImporter::convertInteger(const Argument &value, SchemaBase base) {
  Builder builder(shared.context);
  if (base == SchemaBase::Float)
    return builder.getF64FloatAttr(value.isUnsigned
                                       ? double(uint64_t(value.integer))
                                       : double(value.integer));
  if (value.kind == ArgKind::Bool && base != SchemaBase::Int &&
      base != SchemaBase::SymInt)
    return builder.getBoolAttr(value.integer != 0);
  if (value.isUnsigned)
    return builder.getIntegerAttr(builder.getIntegerType(64, false),
                                  APInt(64, value.integer));
  return builder.getI64IntegerAttr(value.integer);
}

Attribute CallImporter::convertScalar(const Argument &value, SchemaBase base) {
  MLIRContext *context = shared.context;
  Builder builder(context);
  switch (value.kind) {
  case ArgKind::None:
    return capture::NoneAttr::get(context);
  case ArgKind::Tensor:
    return convertTensor(value);
  case ArgKind::Int:
  case ArgKind::Bool:
    return convertInteger(value, base);
  case ArgKind::Float:
    return builder.getF64FloatAttr(value.real);
  case ArgKind::Complex:
    return builder.getDictionaryAttr(
        {builder.getNamedAttr("im", builder.getF64FloatAttr(value.imag)),
         builder.getNamedAttr("re", builder.getF64FloatAttr(value.real))});
  case ArgKind::SymInt:
  case ArgKind::SymFloat:
  case ArgKind::SymBool:
    return convertSymbol(value);
  case ArgKind::String:
    if (base == SchemaBase::Device)
      return enumAttr(context, "device", value.text);
    return builder.getStringAttr(value.text);
  case ArgKind::Operator:
    return builder.getStringAttr(value.text);
  case ArgKind::Graph:
    return builder.getStringAttr("graph " + value.text);
  case ArgKind::MemoryFormat:
    return enumAttr(context, "memory_format", memoryFormatName(value.integer));
  case ArgKind::Layout:
    return enumAttr(context, "layout", layoutName(value.integer));
  case ArgKind::Device:
    return enumAttr(context, "device",
                    value.integer < 0
                        ? value.text
                        : value.text + ":" + llvm::Twine(value.integer));
  case ArgKind::ScalarType:
    if (std::optional<DType> dtype = value.dtype())
      return TypeAttr::get(elementType(context, *dtype));
    (void)scope.failNode(node, "element type number " +
                                   llvm::Twine(value.integer) +
                                   " is not supported");
    return {};
  default:
    (void)scope.failNode(node, "an argument given as " +
                                   getUnionKey(value.kind) +
                                   " is not supported");
    return {};
  }
}

Attribute CallImporter::convertList(const Argument &value,
                                    const SchemaType &type) {
  SmallVector<Attribute> items;
  for (const Argument &item : value.items) {
    items.push_back(isList(item.kind) ? convertList(item, type)
                                      : convertScalar(item, type.base));
    if (!items.back())
      return {};
  }
  return ArrayAttr::get(shared.context, items);
}

Attribute CallImporter::convert(const Argument &value, const SchemaType &type) {
  if (value.kind == ArgKind::Dict) {
    SmallVector<NamedAttribute> members;
    for (auto [key, item] : llvm::zip_equal(value.keys, value.items)) {
      Attribute converted = convert(item, type);
      if (!converted)
        return {};
      members.emplace_back(StringAttr::get(shared.context, key), converted);
    }
    return DictionaryAttr::get(shared.context, members);
  }
  if (isList(value.kind))
    return convertList(value, type);
  Attribute scalar = convertScalar(value, type.base);
  // One number for int[2] stands for two.
  if (scalar && type.isList && !value.isNone())
    return ArrayAttr::get(shared.context,
                          SmallVector<Attribute>(type.fixedSize, scalar));
  return scalar;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult CallImporter::bindSymbols(sym::Expr expr) {
  llvm::append_range(binds, defineSymbols(shared, expr));
  return success();
}

LogicalResult CallImporter::collectTensor(StringRef name) {
  std::string why;
  RankedTensorType type = scope.typeOf(name, why);
  if (!type)
    return scope.failNode(node, why);
  for (sym::Expr size : sym::shapeOf(type))
    if (failed(bindSymbols(size)))
      return failure();
  resultTypes.push_back(type);
  resultNames.push_back(name);
  return success();
}

LogicalResult CallImporter::collectResults(const Argument &output) {
  if (output.kind == ArgKind::Tensor) {
    resultLists.push_back(singleTensorResult);
    return collectTensor(output.text);
  }
  if (isList(output.kind)) {
    resultLists.push_back(0);
    for (const Argument &item : output.items) {
      if (item.kind != ArgKind::Tensor)
        return scope.failNode(node, "a list of results holds " +
                                        getUnionKey(item.kind));
      ++resultLists.back();
      if (failed(collectTensor(item.text)))
        return failure();
    }
    return success();
  }
  resultLists.push_back(noTensorResult);
  if (!output.isValue())
    return success();
  std::string why;
  sym::Expr expr = scope.exprOf(output.text, why);
  if (!expr)
    return scope.failNode(node, "result '" + output.text + "': " + why);
  return bindSymbols(expr);
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

LogicalResult CallImporter::create(StringRef target) {
  target.consume_front("torch.ops.");
  Builder &builder = scope.builder;
  auto call = capture::CallOp::create(
      scope.builder, importLocation(shared.context, node), resultTypes,
      builder.getStringAttr(target), builder.getDictionaryAttr(arguments),
      builder.getStrArrayAttr(binds), operands);
  bool isPlain =
      resultLists.size() <= 1 || llvm::all_of(resultLists, [](int64_t length) {
        return length == singleTensorResult;
      });
  if (!isPlain)
    call->setAttr(resultListsName, builder.getI64ArrayAttr(resultLists));
  for (auto [name, result] : llvm::zip_equal(resultNames, call.getResults()))
    scope.tensors[name] = result;
  return success();
}

LogicalResult CallImporter::import(StringRef target,
                                   ArrayRef<NamedArgument> inputs,
                                   ArrayRef<Argument> outputs) {
  if (const OpSchema *schema = lookupSchemaOfTarget(target)) {
    if (failed(collectBySchema(*schema, inputs)))
      return failure();
  } else {
    collectByName(inputs);
  }
  // The dictionary is sorted; operands are numbered in the order of its text.
  llvm::sort(entries,
             [](const Entry &a, const Entry &b) { return a.name < b.name; });
  for (const Entry &entry : entries) {
    Attribute value = convert(*entry.value, entry.type);
    if (!value)
      return failure();
    arguments.emplace_back(StringAttr::get(shared.context, entry.name), value);
  }
  for (const Argument &output : outputs)
    if (failed(collectResults(output)))
      return failure();
  return create(target);
}

LogicalResult CallImporter::import() {
  return import(node.target, node.inputs, node.outputs);
}

} // namespace adze::frontend
