//===- InputMaker.h - Inputs that a program accepts -----------------------===//
//
// Makes random inputs from what is known about a program: types, sizes and
// their ranges, constants, and values where the file has examples. Indices stay
// within the range of the examples, so that they are indices into something.
// All inputs together have at most 2^24 elements, if the ranges allow that.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DRIVER_INPUTMAKER_H
#define ADZE_DRIVER_INPUTMAKER_H

#include "adze/Driver/Call.h"
#include "adze/Frontend/SymAst.h"

#include <functional>
#include <map>

namespace adze::frontend {
struct LoadedProgram;
}

namespace adze {

class Artifact;

/// Which sizes dynamic dims take.
enum class InputSizes : uint8_t {
  Typical, // those of the trace, where they are known
  Smallest,
  Largest, // the end of the range, at most 4096; 512 where it has none
  Random   // small, prime, or an end of the range
};

struct SymbolRange {
  std::string name; // "s77"
  int64_t min = 0;
  int64_t max = 0;
  std::optional<int64_t> typical;
};

/// How values of an input are drawn.
struct ValueRange {
  double low = 0, high = 1; // inclusive for integers
  bool isNormal = true;     // floats: around the middle of the range, unbounded
};

struct InputRecipe {
  ValueSpec spec;
  std::vector<frontend::SymAst> dims;    // of tensors
  std::vector<frontend::SymAst> strides; // as recorded; empty: row-major
  std::optional<frontend::SymAst> value; // of a scalar that is a size
  ValueRange range;
};

using SymbolValues = std::map<std::string, int64_t, std::less<>>;

/// The integer an expression over sizes stands for; none where it overflows,
/// divides by zero, or is no such expression.
std::optional<int64_t> evaluate(const frontend::SymAst &ast,
                                const SymbolValues &symbols);

class InputMaker {
public:
  InputMaker(std::vector<InputRecipe> recipes, std::vector<SymbolRange> symbols)
      : recipes(std::move(recipes)), symbols(std::move(symbols)) {}

  static llvm::Expected<InputMaker>
  forProgram(const frontend::LoadedProgram &program);

  /// From the guards.json of the artifact.
  static llvm::Expected<InputMaker> forArtifact(llvm::StringRef folder,
                                                const Artifact &artifact);

  /// What made inputs must satisfy besides the ranges; asked again and again.
  using Accept = std::function<bool(llvm::ArrayRef<CallValue>)>;
  void setAccept(Accept function) { accept = std::move(function); }

  bool hasDynamicSizes() const { return !symbols.empty(); }

  /// The same seed gives the same inputs. Fails where no sizes are found that
  /// the program accepts.
  llvm::Expected<std::vector<CallValue>> make(uint64_t seed,
                                              InputSizes sizes) const;

private:
  std::vector<InputRecipe> recipes;
  std::vector<SymbolRange> symbols;
  Accept accept;
};

} // namespace adze

#endif // ADZE_DRIVER_INPUTMAKER_H
