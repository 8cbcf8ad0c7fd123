//===- ProgramLayout.h - Numbers that code and tables agree on --*- C++ -*-===//
//
// Generated code names an input, weight, state or symbol by its number in the
// tables of the runtime (lib/Runtime/Program.h). This is the one place that
// gives these numbers.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_CODEGEN_PROGRAMLAYOUT_H
#define ADZE_CODEGEN_PROGRAMLAYOUT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace adze {

/// Where an argument of the program's function comes from.
struct ArgumentPlace {
  enum Kind { Input, Weight, State, RngKey } kind;
  int64_t number = 0;
};

/// The attribute of an argument that says how a weight is laid out for the
/// kernels that read it: a `#kernel.packing` or absent for row-major.
inline constexpr llvm::StringLiteral packingName = "kernel.packing";
/// The attribute of an argument that is the same tensor as an earlier argument,
/// whose position it holds. The two have one number if they are packed alike.
inline constexpr llvm::StringLiteral tiedName = "adze.tied";

class ProgramLayout {
public:
  /// Reads the attributes of a function that `schedule` made.
  explicit ProgramLayout(mlir::func::FuncOp func);

  const ArgumentPlace &place(unsigned argument) const {
    return places[argument];
  }
  int64_t numWeights() const { return weightArguments.size(); }
  int64_t numStates() const { return stateArguments.size(); }
  /// The argument that weight or state `number` is passed as.
  unsigned weightArgument(int64_t number) const {
    return weightArguments[number];
  }
  unsigned stateArgument(int64_t number) const {
    return stateArguments[number];
  }

  /// All symbols: the declared ones in the order of `adze.symbols`, then those
  /// that only the body names.
  llvm::ArrayRef<std::string> symbols() const { return symbolNames; }
  int64_t symbolNumber(llvm::StringRef name) const {
    return symbolNumbers.lookup(name);
  }
  /// True if the program itself defines the symbol while it runs.
  bool isLate(llvm::StringRef name) const { return lateSymbols.contains(name); }

private:
  void placeArguments(mlir::func::FuncOp func);
  void numberSymbols(mlir::func::FuncOp func);
  void addSymbol(llvm::StringRef name);

  llvm::SmallVector<ArgumentPlace> places;
  llvm::SmallVector<unsigned> weightArguments, stateArguments;
  llvm::SmallVector<std::string> symbolNames;
  llvm::StringMap<int64_t> symbolNumbers;
  llvm::StringMap<bool> lateSymbols;
};

/// A place where a call can fail, for adze_error_site: the ATen operator, the
/// source line, and a message in which {0} and {1} stand for two numbers.
struct ErrorSite {
  std::string op, location, message;
};

/// The attribute of the lowered module that holds the error sites: an array of
/// dictionaries {op, location, message}.
inline constexpr llvm::StringLiteral errorSitesName = "adze.error_sites";
/// The function of the lowered module that runs the program.
inline constexpr llvm::StringLiteral mainName = "adze_main";

} // namespace adze

#endif // ADZE_CODEGEN_PROGRAMLAYOUT_H
