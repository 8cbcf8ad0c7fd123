//===- Call.h - One call of a program, however it is run ------------------===//
//
// run, verify, bench and check see a program as a Callable: native code
// (ArtifactRunner.h) and the reference interpreter look the same to them.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DRIVER_CALL_H
#define ADZE_DRIVER_CALL_H

#include "adze/Support/Npz.h"

#include <string>
#include <vector>

namespace adze {

enum class CallKind : uint8_t { None, Tensor, Int, Float, Bool, String };

/// One input or output.
struct CallValue {
  CallKind kind = CallKind::None;
  HostTensor tensor;
  int64_t integer = 0; // Int, Bool
  double real = 0;
  std::string text;

  static CallValue of(HostTensor tensor);
  static CallValue ofInt(int64_t value);
  static CallValue ofFloat(double value);
  static CallValue ofBool(bool value);
  static CallValue ofString(std::string value);

  CallValue clone() const;

  /// What an npz would hold: scalars become int64[], float64[] and bool[].
  /// None for strings and None.
  std::optional<HostTensor> toTensor() const;
};

/// What a program says about one input or output. A size that varies is -1.
struct ValueSpec {
  std::string name;
  CallKind kind = CallKind::Tensor;
  bool isConstant = false; // specialised while tracing
  CallValue constant;      // its value, where that is known
  DType dtype = DType::Float32;
  Dims shape;
  bool isMutated = false;

  /// "x: float32[?, 32]"
  std::string describe() const;
};

struct StateSpec {
  std::string name;
  std::vector<std::string> otherNames; // of tied buffers
  DType dtype = DType::Float32;
  Dims shape;

  /// "float32[2, 8]"
  std::string describe() const { return describeType(dtype, shape); }
};

struct CallSignature {
  std::vector<ValueSpec> inputs, outputs;
  std::vector<StateSpec> states;
  bool isRandom = false;
};

/// What one call gave.
struct CallResult {
  std::vector<CallValue> outputs;
  std::vector<CallValue> inputsAfter; // as the call left them
  std::vector<NamedTensor> states;    // in the order of the signature
};

/// A program that can be called. Failed guards and data-dependent errors are
/// DiagErrors with the ids GuardFailed and CallFailed.
class Callable {
public:
  virtual ~Callable();
  virtual const CallSignature &signature() const = 0;

  /// One call from the initial state, with random numbers from `seed`. The
  /// inputs themselves are not written.
  virtual llvm::Expected<CallResult> call(llvm::ArrayRef<CallValue> inputs,
                                          uint64_t seed) = 0;

  /// Whether the guards hold for these inputs; true where there are none.
  virtual bool accepts(llvm::ArrayRef<CallValue> inputs) { return true; }
};

/// The inputs in_0, in_1, ... of a file as the program takes them: float32
/// becomes bfloat16 or float8 where an npz could not hold those, arrays of one
/// element become the scalars the program takes, constants that no npz holds
/// (strings, None) come from the signature. Everything else is left to the
/// guards: wrong types and sizes, and inputs that are missing.
/// `strides[k]`, where given, is how in_k is to lie in memory.
llvm::Expected<std::vector<CallValue>>
makeInputs(const CallSignature &signature, const NpzArrays &arrays,
           llvm::ArrayRef<std::optional<Dims>> strides = {});

/// out_0, out_1, ... without strings and None.
std::vector<NamedTensor> nameOutputs(llvm::ArrayRef<CallValue> outputs);

} // namespace adze

#endif // ADZE_DRIVER_CALL_H
