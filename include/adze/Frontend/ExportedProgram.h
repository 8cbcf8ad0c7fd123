//===- ExportedProgram.h - An exported program as it stands in the file ---===//
//
// Plain structs that mirror the JSON document of torch.export, schema major 8.
// All text is owned by the program (`ExportedProgram::strings`); the structs
// hold references into it and live no longer than the program.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_FRONTEND_EXPORTEDPROGRAM_H
#define ADZE_FRONTEND_EXPORTEDPROGRAM_H

#include "adze/Frontend/Treespec.h"
#include "adze/Support/DType.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/StringSaver.h"

#include <memory>
#include <optional>
#include <vector>

namespace adze::frontend {

struct Graph;

/// Numbers of the schema, not those of c10.
enum class Layout : uint8_t {
  Unknown,
  SparseCoo,
  SparseCsr,
  SparseCsc,
  SparseBsr,
  SparseBsc,
  Mkldnn,
  Strided
};
enum class MemoryFormat : uint8_t {
  Unknown,
  Contiguous,
  ChannelsLast,
  ChannelsLast3d,
  Preserve
};

struct Device {
  llvm::StringRef type = "cpu";
  std::optional<int64_t> index;
};

/// A size, or a symbolic scalar: a literal, or the text of an expression that
/// is parsed only when somebody needs it (SymExprParser.h). `hint` is the value
/// seen while tracing: never rely on it.
struct SymScalar {
  llvm::StringRef expr; // empty for a literal
  int64_t integer = 0;  // the literal of an int or a bool
  double real = 0;      // the literal of a float
  std::optional<double> hint;

  bool isLiteral() const { return expr.empty(); }
};

struct TensorMeta {
  DType dtype = DType::Float32;
  Layout layout = Layout::Strided;
  bool requiresGrad = false;
  Device device;
  llvm::SmallVector<SymScalar, 0> sizes;
  llvm::SmallVector<SymScalar, 0> strides;
  SymScalar storageOffset;
};

/// The union keys of an argument. Symbolic scalars that are literals in the
/// file
/// ("as_sym_int": {"as_int": 2}) are kept as Int, Float or Bool.
enum class ArgKind : uint8_t {
  None,
  Tensor,
  Int,
  Float,
  String,
  Bool,
  Complex,
  SymInt,
  SymFloat,
  SymBool,
  ScalarType,
  MemoryFormat,
  Layout,
  Device,
  Graph,
  CustomObj,
  Operator,
  // Lists: `items` holds one Argument of the scalar kind per element.
  Tensors,
  Ints,
  Floats,
  Strings,
  Bools,
  SymInts,
  SymFloats,
  SymBools,
  OptionalTensors,
  NestedTensors,
  IntLists,
  FloatLists,
  // `items` and their `keys`.
  Dict,
};

/// "as_tensor", "as_sym_ints", ...
llvm::StringRef getUnionKey(ArgKind kind);
inline bool isList(ArgKind kind) {
  return kind >= ArgKind::Tensors && kind <= ArgKind::FloatLists;
}

struct Argument {
  ArgKind kind = ArgKind::None;
  /// Int: the value does not fit int64 and `integer` holds its 64 bits.
  bool isUnsigned = false;
  /// Int, Bool, Layout, MemoryFormat, and the torch number of a ScalarType
  /// (see `dtype`); Device: its index, or -1.
  int64_t integer = 0;
  double real = 0, imag = 0; // Float, Complex
  /// Tensor, Sym*, CustomObj: the name of the value. String: the string.
  /// Operator: its target. Device: its type. Graph: its name.
  llvm::StringRef text;
  llvm::StringRef classFqn;          // CustomObj
  std::vector<Argument> items;       // lists and Dict
  std::vector<llvm::StringRef> keys; // Dict: one per item
  std::shared_ptr<Graph> graph;      // Graph

  bool isNone() const { return kind == ArgKind::None; }
  /// Tensor, SymInt, SymFloat, SymBool or CustomObj: `text` names a value.
  bool isValue() const;
  /// The element type of a ScalarType argument; none for UNKNOWN and for types
  /// that adze does not have.
  std::optional<DType> dtype() const;
};

struct NamedArgument {
  llvm::StringRef name; // empty for positional operands of higher-order ops
  Argument value;
  bool isKeyword = false;
};

/// Where in the traced program an operation comes from.
struct SourceLocation {
  llvm::StringRef file; // empty if unknown
  unsigned line = 0;
  llvm::StringRef function;
};

struct Node {
  llvm::StringRef target; // "torch.ops.aten.add.Tensor"
  llvm::StringRef name;   // name of the FX node; may be empty
  std::vector<NamedArgument> inputs;
  std::vector<Argument> outputs;
  SourceLocation location;
  llvm::StringRef modulePath; // "layers.0.fc"; empty for the root
  std::optional<bool> isHopSingleTensorReturn;

  const Argument *lookup(llvm::StringRef inputName) const;
};

enum class ValueKind : uint8_t { Tensor, SymInt, SymFloat, SymBool, CustomObj };

/// What the file says about one value of a graph.
struct ValueMeta {
  ValueKind kind = ValueKind::Tensor;
  TensorMeta tensor;
  SymScalar scalar;         // SymInt, SymFloat, SymBool
  llvm::StringRef classFqn; // CustomObj
};

/// Each graph is a name space of its own.
struct Graph {
  std::vector<Argument> inputs; // values, or literals (constant inputs)
  std::vector<Argument> outputs;
  std::vector<Node> nodes; // in topological order
  llvm::StringMap<ValueMeta> values;
  bool isSingleTensorReturn = false;

  const ValueMeta *lookup(llvm::StringRef name) const;
};

enum class InputKind : uint8_t {
  UserInput,
  ConstantInput,
  Parameter,
  Buffer,
  TensorConstant,
  CustomObj,
  Token
};
enum class OutputKind : uint8_t {
  UserOutput,
  LossOutput,
  BufferMutation,
  ParameterMutation,
  UserInputMutation,
  GradientToParameter,
  GradientToUserInput,
  Token
};

/// Says what input k of the graph is.
struct InputSpec {
  InputKind kind = InputKind::UserInput;
  Argument arg;           // the graph input; of a ConstantInput its value
  llvm::StringRef target; // fully qualified name of the weight, or the name of
                          // the constant input
  bool isPersistent = true; // Buffer
};

/// Says what output k of the graph is.
struct OutputSpec {
  OutputKind kind = OutputKind::UserOutput;
  Argument arg;
  llvm::StringRef target; // what is mutated, or what the gradient belongs to
};

struct RangeConstraint {
  llvm::StringRef expr; // "s77", or a derived size such as "2*s77"
  std::optional<int64_t> min, max;
};

/// One call of a submodule; only the root ("") is sure to have a signature.
struct ModuleCall {
  llvm::StringRef fqn;
  bool hasSignature = false;
  llvm::StringRef inSpec, outSpec; // text, see Treespec.h
  std::vector<llvm::StringRef> forwardArgNames;
};

struct ExportedProgram {
  ExportedProgram();

  int64_t schemaMajor = 0, schemaMinor = 0;
  llvm::StringRef torchVersion;
  std::vector<llvm::StringRef> verifiers; // "TRAINING", "ATEN", ...
  Graph graph;
  std::vector<InputSpec> inputSpecs;   // as long as graph.inputs
  std::vector<OutputSpec> outputSpecs; // as long as graph.outputs
  std::vector<ModuleCall> moduleCalls;
  std::vector<RangeConstraint> rangeConstraints; // in the order of the file
  std::vector<llvm::StringRef> guardsCode;
  /// Calling convention of the root; its leaves stand for the user and constant
  /// inputs, and the user outputs, in order.
  Treespec inSpec, outSpec;
  std::vector<llvm::StringRef> forwardArgNames;

  /// Owns all text.
  llvm::BumpPtrAllocator allocator;
  llvm::UniqueStringSaver strings;

  ExportedProgram(const ExportedProgram &) = delete;
  ExportedProgram &operator=(const ExportedProgram &) = delete;
};

/// Decodes and checks the JSON text of a program: schema version, names defined
/// once and before use, specs as long as the graph's inputs and outputs,
/// treespec leaf counts.
llvm::Expected<std::unique_ptr<ExportedProgram>>
parseProgram(llvm::StringRef json);

} // namespace adze::frontend

#endif // ADZE_FRONTEND_EXPORTEDPROGRAM_H
