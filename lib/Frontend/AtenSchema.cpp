//===- AtenSchema.cpp - Argument order, types and defaults of ATen ops ----===//

#include "adze/Frontend/AtenSchema.h"

#include "adze/Frontend/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <mutex>

namespace adze::frontend {

static constexpr llvm::StringLiteral schemaLines[] = {
#include "AtenSchemas.inc"
};

llvm::ArrayRef<llvm::StringLiteral> allSchemaLines() { return schemaLines; }

bool OpSchema::isMutating() const {
  return llvm::any_of(arguments, [](const SchemaArgument &argument) {
    return argument.alias.isWrite;
  });
}

const SchemaArgument *OpSchema::lookup(llvm::StringRef argument) const {
  auto found = llvm::find_if(arguments, [&](const SchemaArgument &candidate) {
    return candidate.name == argument;
  });
  return found == arguments.end() ? nullptr : &*found;
}

static llvm::StringRef nameOf(llvm::StringRef line) {
  return line.take_front(line.find('('));
}

/// Parsed schemas are never dropped, so that pointers to them stay valid.
static const OpSchema *parseOnce(llvm::StringRef line) {
  static std::mutex mutex;
  static llvm::StringMap<std::unique_ptr<OpSchema>> parsed;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<OpSchema> &slot = parsed[nameOf(line)];
  if (!slot)
    slot = std::make_unique<OpSchema>(llvm::cantFail(parseSchema(line)));
  return slot.get();
}

const OpSchema *lookupSchema(llvm::StringRef name) {
  name.consume_back(".default");
  const auto *found = llvm::lower_bound(
      schemaLines, name, [](llvm::StringRef line, llvm::StringRef name) {
        return nameOf(line) < name;
      });
  if (found == std::end(schemaLines) || nameOf(*found) != name)
    return nullptr;
  return parseOnce(*found);
}

const OpSchema *lookupSchemaOfTarget(llvm::StringRef target) {
  target.consume_front("torch.ops.");
  auto [space, name] = target.split('.');
  return lookupSchema((space + "::" + name).str());
}

static llvm::StringRef baseName(SchemaBase base) {
  switch (base) {
  case SchemaBase::Tensor:
    return "Tensor";
  case SchemaBase::Scalar:
    return "Scalar";
  case SchemaBase::Int:
    return "int";
  case SchemaBase::SymInt:
    return "SymInt";
  case SchemaBase::Float:
    return "float";
  case SchemaBase::Bool:
    return "bool";
  case SchemaBase::SymBool:
    return "SymBool";
  case SchemaBase::Str:
    return "str";
  case SchemaBase::Complex:
    return "complex";
  case SchemaBase::ScalarType:
    return "ScalarType";
  case SchemaBase::Layout:
    return "Layout";
  case SchemaBase::Device:
    return "Device";
  case SchemaBase::MemoryFormat:
    return "MemoryFormat";
  case SchemaBase::Generator:
    return "Generator";
  case SchemaBase::Storage:
    return "Storage";
  case SchemaBase::Any:
    return "Any";
  }
  return "";
}

std::string toString(const SchemaType &type) {
  std::string text = baseName(type.base).str();
  if (type.elementsAreOptional)
    text += "?";
  if (type.isList)
    text += type.fixedSize ? "[" + std::to_string(type.fixedSize) + "]" : "[]";
  if (type.isOptional)
    text += "?";
  return text;
}

/// Numbers may stand for tensors: they are wrapped, and promote weakly.
static bool acceptsScalar(SchemaBase base, ArgKind kind) {
  switch (base) {
  case SchemaBase::Tensor:
    if (kind == ArgKind::Tensor)
      return true;
    [[fallthrough]];
  case SchemaBase::Scalar:
    return kind == ArgKind::Int || kind == ArgKind::Float ||
           kind == ArgKind::Bool || kind == ArgKind::Complex ||
           kind == ArgKind::SymInt || kind == ArgKind::SymFloat ||
           kind == ArgKind::SymBool ||
           (base == SchemaBase::Scalar && kind == ArgKind::Tensor);
  case SchemaBase::Int:
  case SchemaBase::SymInt:
    return kind == ArgKind::Int || kind == ArgKind::SymInt ||
           kind == ArgKind::Bool;
  case SchemaBase::Float:
    return kind == ArgKind::Float || kind == ArgKind::Int ||
           kind == ArgKind::SymFloat || kind == ArgKind::SymInt;
  case SchemaBase::Complex:
    return kind == ArgKind::Complex || kind == ArgKind::Float ||
           kind == ArgKind::Int;
  case SchemaBase::Bool:
  case SchemaBase::SymBool:
    return kind == ArgKind::Bool || kind == ArgKind::SymBool;
  case SchemaBase::Str:
    return kind == ArgKind::String;
  case SchemaBase::ScalarType:
    return kind == ArgKind::ScalarType;
  case SchemaBase::Layout:
    return kind == ArgKind::Layout;
  case SchemaBase::Device:
    return kind == ArgKind::Device || kind == ArgKind::String;
  case SchemaBase::MemoryFormat:
    return kind == ArgKind::MemoryFormat;
  case SchemaBase::Generator:
  case SchemaBase::Storage:
    return false;
  case SchemaBase::Any:
    return true;
  }
  return false;
}

static bool acceptsItem(const SchemaType &type, const Argument &item) {
  if (item.isNone())
    return type.elementsAreOptional || type.base == SchemaBase::Any;
  return acceptsScalar(type.base, item.kind);
}

bool accepts(const SchemaType &type, const Argument &value) {
  if (value.isNone())
    return type.isOptional || type.base == SchemaBase::Any;
  if (!type.isList)
    return acceptsScalar(type.base, value.kind);
  if (isList(value.kind))
    return llvm::all_of(value.items, [&](const Argument &item) {
      return acceptsItem(type, item);
    });
  // int[2] also takes one int for both.
  return type.fixedSize && acceptsItem(type, value);
}

} // namespace adze::frontend
