//===- ProgramRun.h - Calls of whole programs ------------------*- C++ -*-===//
//
// Knows the calling convention that `normalize` leaves on a prim function: the
// attributes adze.inputs and adze.outputs and the descriptors of arguments and
// results (see dialects/Capture/CaptureOps.td).
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_INTERP_PROGRAMRUN_H
#define ADZE_INTERP_PROGRAMRUN_H

#include "adze/Interp/Interpreter.h"
#include "dialects/Capture/Capture.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <variant>
#include <vector>

namespace adze::interp {

/// One input or output of a program; none is Python's None.
using ProgramValue = std::variant<std::monostate, HostTensor, int64_t, double,
                                  bool, std::string>;

/// What a call has written to something that it did not return.
struct Mutation {
  capture::Role role;
  std::string name;  // of the parameter, buffer or input
  int64_t index = 0; // among the weights, or the leaves of the inputs
  HostTensor value;
};

struct ProgramResult {
  std::vector<ProgramValue> outputs; // in the order of adze.outputs
  std::vector<Mutation> mutations;   // in the order of the results
};

/// Gives the value of a parameter, buffer or constant.
using WeightLookup =
    llvm::function_ref<llvm::Expected<Tensor>(const capture::DescriptorAttr &)>;

struct ProgramRunOptions {
  InterpretOptions interpret;
  int64_t seed = 0; // of random numbers
  int64_t call = 0; // which call of the program since it was seeded
};

/// Calls a program: `inputs` are the leaves of the input tree in the order of
/// adze.inputs. A wrong number or kind of input, a size that does not fit and
/// an error of the data are CallErrors.
llvm::Expected<ProgramResult> runProgram(mlir::func::FuncOp function,
                                         llvm::ArrayRef<ProgramValue> inputs,
                                         WeightLookup weights,
                                         const ProgramRunOptions &options = {});

} // namespace adze::interp

#endif // ADZE_INTERP_PROGRAMRUN_H
