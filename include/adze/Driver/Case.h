//===- Case.h - A program with saved inputs and answers -------------------===//
//
// A case folder holds
//
//   model.pt2            the program
//   inputs.npz           in_0, in_1, ...: its inputs, flattened
//   expected.npz         out_0, ...: what torch answers
//   expected64.npz       the same in float64 (optional)
//   more_inputs_K.npz, more_expected_K.npz   for other sizes (optional)
//   mutated.npz          name or in_K -> value after the call (optional)
//   case.json            "rtol", "atol", "atol_rms", "noise_rms": tolerances;
//                        "compare": "values" or "statistics"; optional are
//                        "input_strides", "outputs", "output_strides": how
//                        in_K lies in memory, of what type out_K is
//                        ("bfloat16[8, 32]": an npz does not know), and in
//                        which order its strides are
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_DRIVER_CASE_H
#define ADZE_DRIVER_CASE_H

#include "adze/Driver/Compare.h"
#include "adze/Support/Npz.h"

namespace adze {

/// Inputs of one call and the answers to it.
struct CaseCall {
  std::string name; // "inputs.npz"
  NpzArrays inputs;
  NpzArrays expected;
  NpzArrays exact;     // float64, may lack any
  NpzArrays mutated;   // may be empty
  bool isFirst = true; // the one that strides and types are given for
};

struct Case {
  std::string folder;
  std::string program; // path of model.pt2
  Tolerance tolerance;
  bool isStatistical = false;
  bool hasGradients = false; // the answers include grads.npz
  std::vector<std::optional<Dims>> inputStrides, outputStrides;
  std::vector<std::optional<DType>> outputTypes;
  std::vector<CaseCall> calls;
};

/// A folder with a model.pt2.
bool isCaseFolder(llvm::StringRef path);

llvm::Expected<Case> loadCase(llvm::StringRef folder);

} // namespace adze

#endif // ADZE_DRIVER_CASE_H
