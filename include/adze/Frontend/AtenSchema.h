//===- AtenSchema.h - Argument order, types and defaults of ATen ops ------===//
//
// One table, made by tools/scripts/gen-aten-schemas.py from torch's registry.
// A schema is parsed when it is asked for the first time.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_FRONTEND_ATENSCHEMA_H
#define ADZE_FRONTEND_ATENSCHEMA_H

#include "adze/Frontend/ExportedProgram.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace adze::frontend {

enum class SchemaBase : uint8_t {
  Tensor,
  Scalar,
  Int,
  SymInt,
  Float,
  Bool,
  SymBool,
  Str,
  Complex,
  ScalarType,
  Layout,
  Device,
  MemoryFormat,
  Generator,
  Storage,
  Any
};

struct SchemaType {
  SchemaBase base = SchemaBase::Any;
  bool isList = false;
  bool isOptional = false;          // T?  and  T[]?
  bool elementsAreOptional = false; // T?[]
  int64_t fixedSize = 0; // the 2 of int[2]: a lone int stands for two
};

/// Alias annotation: (a), (a!), (a -> *).
struct AliasInfo {
  llvm::StringRef set;  // "a"; empty: a fresh value
  bool isWrite = false; // the operator writes it
};

struct SchemaArgument {
  llvm::StringRef name;
  SchemaType type;
  AliasInfo alias;
  bool isKeywordOnly = false;
  std::optional<Argument> defaultValue;
};

struct SchemaReturn {
  llvm::StringRef name; // may be empty
  SchemaType type;
  AliasInfo alias;
};

struct OpSchema {
  llvm::StringRef
      name; // "aten::add.Tensor"; "aten::relu" without overload name
  std::vector<SchemaArgument> arguments;
  std::vector<SchemaReturn> returns;

  /// Writes at least one of its arguments.
  bool isMutating() const;
  const SchemaArgument *lookup(llvm::StringRef argument) const;
};

/// By registry name, "aten::add.Tensor" or "aten::relu" ("aten::relu.default"
/// is the same); null if torch has no such op. Thread-safe; the pointer stays
/// valid.
const OpSchema *lookupSchema(llvm::StringRef name);

/// The same by the spelling of a node's target, "torch.ops.aten.add.Tensor", or
/// of a capture op, "aten.add.Tensor".
const OpSchema *lookupSchemaOfTarget(llvm::StringRef target);

/// Parses one line of the table. For tests and for schemas from elsewhere.
llvm::Expected<OpSchema> parseSchema(llvm::StringRef text);

/// All lines of the table, sorted by name.
llvm::ArrayRef<llvm::StringLiteral> allSchemaLines();

/// "Tensor?[]", "int[2]".
std::string toString(const SchemaType &type);

/// May a file pass `value` for a parameter of this type? Follows torch's
/// serializer, which writes lists by their elements and numbers for tensors.
bool accepts(const SchemaType &type, const Argument &value);

} // namespace adze::frontend

#endif // ADZE_FRONTEND_ATENSCHEMA_H
