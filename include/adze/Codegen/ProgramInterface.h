//===- ProgramInterface.h - What a program asks of its callers --*- C++ -*-===//
//
// The tables of lib/Runtime/Program.h before they become constants: inputs,
// results, outputs, weights, states, symbols and guards. The structs mirror the
// tables; see there for what each field means.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_CODEGEN_PROGRAMINTERFACE_H
#define ADZE_CODEGEN_PROGRAMINTERFACE_H

#include "adze/Codegen/ProgramLayout.h"
#include "adze/Codegen/Target.h"
#include "adze/Support/DType.h"
#include "dialects/Sym/Sym.h"
#include "lib/Runtime/Program.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace adze {

struct InputSpec {
  std::string name;
  int32_t kind = ADZE_TENSOR;
  bool isConstant = false;
  DType dtype = DType::Float32; // of tensors; the two below too
  sym::Shape dims;
  std::optional<sym::Shape> strides; // as traced; none: row-major
};

struct ResultSpec {
  DType dtype = DType::Float32;
  sym::Shape dims;
  llvm::SmallVector<int32_t> order; // outermost first; empty: row-major
};

struct OutputSpec {
  std::string name;
  int32_t kind = ADZE_TENSOR;
  int32_t source = ADZE_FROM_RESULT;
  int32_t index = 0;
  DType dtype = DType::Float32; // of tensors; the two below too
  sym::Shape dims;
  std::optional<sym::Shape> strides; // of views
  sym::Expr offset, value;           // null: none
  int64_t literal = 0;
  std::string text;
};

/// A record of weights.bin. The writer of weights fills in place and digest.
struct WeightRecord {
  std::vector<std::string> names;
  DType dtype = DType::Float32;
  llvm::SmallVector<int64_t> shape; // of the data as it lies in the file
  uint64_t offset = 0, bytes = 0, digest = 0;
  std::string layout; // empty: row-major
};

struct ProgramState {
  std::string name;
  DType dtype = DType::Float32;
  llvm::SmallVector<int64_t> shape;
  int32_t initialWeight = -1;
};

struct MutationSpec {
  int32_t result = 0;
  int32_t targetKind = ADZE_FROM_STATE;
  int32_t target = 0;
};

struct SymbolSpec {
  std::string name;
  int32_t source = ADZE_SYMBOL_MAIN;
  int32_t input = 0, dim = 0;
  int64_t scale = 1, shift = 0;
  sym::Expr value; // null: none
};

struct GuardSpec {
  std::string id, expression, origin, message;
  int32_t kind = ADZE_GUARD_RELATION;
  int32_t input = -1, index = 0;
  int64_t a = 0, b = 0;
  sym::Expr expr; // null: none
  /// A relation that compares `expr` with the value of this scalar input.
  int32_t equalsScalar = -1;
  std::string text;
};

struct ProgramInterface {
  std::string name;
  std::string producer;
  TargetDescription target;
  uint64_t flags = 0;
  uint64_t weightsDigest = 0, weightsBytes = 0;
  std::vector<InputSpec> inputs;
  std::vector<ResultSpec> results;
  std::vector<OutputSpec> outputs;
  /// First those that arguments name, by their number in ProgramLayout, then
  /// the first values of the states.
  std::vector<WeightRecord> weights;
  std::vector<ProgramState> states;
  std::vector<MutationSpec> mutations;
  std::vector<SymbolSpec> symbols;
  std::vector<GuardSpec> guards;
  std::vector<ErrorSite> errorSites;
  sym::Expr workspace; // null: none
};

struct InterfaceOptions {
  std::string name;
  TargetDescription target;
  /// True if a weight or state lies in memory in row-major order where it was
  /// traced; only then can an output be a view of it.
  std::function<bool(llvm::StringRef)> isRowMajor;
};

/// Reads the function that `schedule` made, and the error sites of the lowered
/// module. Offsets, digests and the guard on the weights come later, see
/// addWeightsGuard. Fails for what the tables cannot say.
llvm::Expected<ProgramInterface>
extractInterface(mlir::func::FuncOp scheduled, mlir::ModuleOp lowered,
                 const InterfaceOptions &options);

/// Once weightsDigest is known.
void addWeightsGuard(ProgramInterface &program);

/// The words of adze_expr for an expression over the symbols of the program.
/// Fails for what is no integer arithmetic.
llvm::Expected<std::vector<int64_t>>
encodeExpr(sym::Expr expr,
           llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> lookup);

} // namespace adze

#endif // ADZE_CODEGEN_PROGRAMINTERFACE_H
