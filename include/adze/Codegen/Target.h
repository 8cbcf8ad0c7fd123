//===- Target.h - The machine that code is made for -------------*- C++ -*-===//

#ifndef ADZE_CODEGEN_TARGET_H
#define ADZE_CODEGEN_TARGET_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace adze {

/// What generated code may use. Only features that a guard can name are ever
/// enabled (ADZE_CPU_*), so a model that loads never meets an instruction that
/// the machine does not have. Scheduling follows `tune`.
struct TargetDescription {
  std::string name;         // for people: "x86-64-v3", "znver4"
  std::string baseline;     // the LLVM CPU with the instructions: "x86-64-v4"
  std::string features;     // beyond the baseline: "+avx512bf16,+avx512vnni"
  std::string tune;         // the LLVM CPU to schedule for
  uint64_t cpuFeatures = 0; // ADZE_CPU_* bits of all of it
  unsigned vectorBits = 128;

  /// `cpu` is "native", "x86-64-v2", "-v3", "-v4" or any CPU that LLVM knows
  /// for x86-64. Fails for what is less than x86-64-v2.
  static llvm::Expected<TargetDescription>
  create(llvm::StringRef cpu = "native");

  /// Position independent, small code model, O3, no fast-math beyond the flags
  /// of the instructions.
  std::unique_ptr<llvm::TargetMachine> createMachine() const;

  /// Gives the module and all its functions the attributes of this target.
  void apply(llvm::Module &module, const llvm::TargetMachine &machine) const;
};

} // namespace adze

#endif // ADZE_CODEGEN_TARGET_H
